package facts

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// imported returns the meaning that an import at the top of f gives a name.
func (p *Project) imported(f *File, name string) []value { return p.importedIn(f, -1, name) }

// importedIn returns the meaning that an import in a declaration of f gives a name; -1 stands for the top of the file.
func (p *Project) importedIn(f *File, in int32, name string) []value {
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.In != in || f.passesOn(m) {
			continue // it is known elsewhere, or passes through
		}
		for _, n := range m.Names {
			if n.Local() != name || n.Name == "*" && n.Alias == "" {
				continue
			}
			return p.taken(f, m, n)
		}
		if vs := p.withClass(f, m, name); len(vs) > 0 {
			return vs
		}
		if len(m.Names) > 0 || !p.namedBy(f, m, name) {
			continue
		}
		if v, ok := p.packageFolder(f, m); ok {
			return []value{v}
		}
		got := p.bindsTo(f, m)
		switch {
		case len(got.Docs) == 0:
			return unread(got)
		case f.Lang == "jvm", f.Lang == "php", (f.Lang == "rust" || f.Lang == "csharp") && got.Rest != "":
			return p.leaf(f, m, got)
		}
		if modular(f.Lang, m.Path) {
			return slice.Map(p.modulesNamed(f, -1, m.Path), func(r Ref) value { return value{kind: class, ref: r, how: "import"} })
		}
		return []value{{kind: module, docs: got.Docs, how: "import"}}
	}
	if in >= 0 && callable(f.Decls[in].Kind) {
		return p.wildcards(f, in, name)
	}
	return nil
}

// bindsTo is what an import without names makes known: of Python's import a.b the package a,
// where that is more than a folder.
func (p *Project) bindsTo(f *File, m *corpus.Import) Import {
	if first, _, dotted := strings.Cut(m.Path, "."); dotted && first != "" && f.Lang == "python" && m.Alias == "" {
		whole := *m
		whole.Path = first
		if got := p.Import(f.Doc, &whole); len(got.Docs) > 0 {
			return got
		}
	}
	return p.Import(f.Doc, m)
}

// unread is what an import gives whose files are not known: something of a library, or, if it is of the project, nothing that can
// be said.
func unread(m Import) []value {
	if m.Origin == Internal {
		return nil
	}
	return []value{{kind: external}}
}

// taken returns one name that is imported from a thing.
func (p *Project) taken(f *File, m *corpus.Import, n corpus.Name) []value {
	got := p.Import(f.Doc, m)
	if f.Lang == "python" {
		sub := *m
		if sub.Path = m.Path + "." + n.Name; strings.HasSuffix(m.Path, ".") {
			sub.Path = m.Path + n.Name
		}
		if len(got.Docs) > 0 {
			if vs := p.exported(got.Docs, n.Name); len(vs) > 0 {
				return vs
			}
		}
		if s := p.Import(f.Doc, &sub); len(s.Docs) > 0 {
			return []value{{kind: module, docs: s.Docs, how: "import"}}
		}
	}
	if len(got.Docs) == 0 {
		return unread(got)
	}
	if n.Name == "*" {
		return []value{{kind: module, docs: got.Docs, how: "import"}}
	}
	if vs := p.exported(got.Docs, n.Name); len(vs) > 0 {
		return vs
	}
	return []value{{kind: unknown}}
}

// leaf returns the item at the end of an imported path.
func (p *Project) leaf(f *File, m *corpus.Import, got Import) (out []value) {
	last := m.Path
	for _, sep := range []string{"::", ".", `\`} {
		_, last = cutLast(last, sep)
	}
	names := strings.Split(got.Rest, ".")
	if f.Lang != "rust" && f.Lang != "csharp" {
		// Rest is what comes after the class.
		whole := strings.TrimSuffix(m.Path, "."+got.Rest)
		_, last = cutLast(whole, ".")
		if f.Lang == "php" {
			_, last = cutLast(whole, `\`)
		}
		names = []string{last}
		if got.Rest != "" {
			names = append(names, strings.Split(got.Rest, ".")...)
		}
	}
	cur := p.exported(got.Docs, names[0])
	for _, n := range names[1:] {
		cur = p.each(cur, func(v value) []value { return p.member(f, v, n) })
	}
	return cur
}

// namedBy reports whether an import without names makes name known.
func (p *Project) namedBy(f *File, m *corpus.Import, name string) bool {
	if m.Alias != "" {
		return m.Alias == name
	}
	switch f.Lang {
	case "go":
		if last := path.Base(m.Path); last == name {
			return true
		} else if got := p.Import(f.Doc, m); len(got.Docs) > 0 {
			return p.Head(got.Docs[0]).Module == name
		} else {
			return last == "go-"+name || strings.HasPrefix(last, name+".v") || len(last) > 1 && last[0] == 'v' && last[1] <= '9' && path.Base(path.Dir(m.Path)) == name
		}
	case "python":
		first, _, _ := strings.Cut(m.Path, ".")
		return first == name && first == m.Path || first == name
	case "jvm":
		_, last := cutLast(m.Path, ".")
		return last == name
	case "php":
		_, last := cutLast(m.Path, `\`)
		return last == name
	case "rust":
		_, last := cutLast(m.Path, "::")
		return last == name
	case "elixir", "haskell":
		_, last := cutLast(m.Path, ".")
		return last == name || m.Path == name
	}
	return false
}

// passesOn reports whether an import hands on what it names and binds none of it in its own file.
func (f *File) passesOn(m *corpus.Import) bool {
	return m.Kind&corpus.Reexport != 0 && syntax.Has(f.Lang, "reexports-bind-nothing")
}

// wildcards looks into the modules that a function of f imports whole, -1 for those that all of the file knows.
func (p *Project) wildcards(f *File, in int32, name string) []value {
	for i := range f.Imports {
		m := &f.Imports[i]
		isScoped := m.In >= 0 && callable(f.Decls[m.In].Kind) && syntax.Has(f.Lang, "imports-in-functions")
		if isScoped != (in >= 0) || isScoped && m.In != in {
			continue
		}
		whole := m.Alias == "" && syntax.Has(f.Lang, "imports-take-all")
		for _, n := range m.Names {
			whole = whole || n.Name == "*" && n.Alias == ""
		}
		if f.Lang == "jvm" || f.Lang == "rust" {
			whole = strings.HasSuffix(m.Path, "*") || strings.HasSuffix(m.Path, "._")
		}
		if !whole || f.passesOn(m) {
			continue
		}
		if modular(f.Lang, m.Path) {
			if vs := p.ofModules(f, m.Path, name); len(vs) > 0 {
				return vs
			}
			continue
		}
		got := p.Import(f.Doc, m)
		if len(got.Docs) == 0 {
			continue
		}
		if rest := strings.TrimSuffix(strings.TrimSuffix(got.Rest, "*"), "."); rest != "" || got.Rest == ofObject || m.Kind&corpus.Member != 0 {
			_, last := cutLast(strings.TrimSuffix(strings.TrimSuffix(m.Path, ".*"), "._"), ".")
			for _, c := range p.objectsAlone(p.exported(got.Docs, last)) {
				if vs := p.member(f, c, name); len(vs) > 0 {
					return vs
				}
			}
		}
		if vs := p.exported(got.Docs, name); len(vs) > 0 {
			return vs
		}
	}
	return nil
}

// ofModules returns the members of a name that the modules of Elixir of a name have.
func (p *Project) ofModules(f *File, module, name string) (out []value) {
	for _, r := range p.modulesNamed(f, -1, module) {
		out = append(out, p.memberOf(r, name, 0)...)
	}
	return out
}
