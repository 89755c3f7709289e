package facts

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// importedPlaces returns the places that the imports in a declaration of a file, -1 for its top, make known under a name.
func (p *Project) importedPlaces(f *File, in int32, name string) ([]Place, outcome) {
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.In != in || f.passesOn(m) {
			continue // it is known elsewhere, or passes through
		}
		for k := range m.Names {
			if n := m.Names[k]; n.Local() == name && (n.Name != "*" || n.Alias != "") {
				return p.takenPlaces(f, m, n)
			}
		}
		if len(m.Names) > 0 || !p.namedBy(f, m, name) {
			continue
		}
		got := p.Import(f.Doc, m)
		if len(got.Docs) == 0 {
			return nil, outer
		}
		if _, last := cutLast(got.Rest, "."); f.Lang == "rust" && last != "" {
			return p.offeredPlaces(got.Docs, last, 0), resolved
		}
		out := p.placesOf(p.importedIn(f, in, name), Exact, "import")
		if len(out) == 0 {
			out = []Place{{Ref{got.Docs[0], -1}, name, -1, Exact, "import"}}
		}
		return out, resolved
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		for _, n := range m.Names {
			isWhole := n.Name == "*" && n.Alias == ""
			if isWhole && m.In == in && !f.passesOn(m) {
				if out := p.offeredPlaces(p.Import(f.Doc, m).Docs, name, 0); len(out) > 0 {
					return out, resolved
				}
			}
		}
	}
	return nil, unresolved
}

// takenPlaces returns where one name is declared that is taken out of an imported thing.
func (p *Project) takenPlaces(f *File, m *corpus.Import, n corpus.Name) ([]Place, outcome) {
	got := p.Import(f.Doc, m)
	if n.Name != "*" {
		if out := p.offeredPlaces(got.Docs, n.Name, 0); len(out) > 0 {
			return out, resolved
		}
	}
	if len(got.Docs) == 0 {
		return nil, outer
	}
	if n.Name == "default" {
		if out := p.placesOf(p.taken(f, m, n), Likely, "import"); len(out) > 0 {
			return out, resolved
		}
	}
	return []Place{{Ref{got.Docs[0], -1}, n.Local(), -1, Exact, "import"}}, resolved
}

// slashes puts a slash in the place of what separates the parts of a module's name.
var slashes = strings.NewReplacer(".", "/", "::", "/", `\`, "/")

// importAt returns the import statement that a name is written in as what is taken, the nearest first.
func (p *Project) importAt(f *File, text []byte, x syntax.Use) *corpus.Import {
	const most = 4000
	if f.onTheWay(text, x) {
		return nil
	}
	between := func(m *corpus.Import) (from, to int) { return min(x.At, m.At), max(x.At, m.At) }
	var near []*corpus.Import
	for i := range f.Imports {
		m := &f.Imports[i]
		if from, to := between(m); to-from > most || to > len(text) {
			continue
		}
		inPath := len(m.Names) == 0 && x.At >= m.At && x.At < m.At+len(m.Path)
		isNamed := func(n corpus.Name) bool { return n.Name == x.Name || n.Alias == x.Name }
		if inPath && path.Base(slashes.Replace(m.Path)) == x.Name || slices.ContainsFunc(m.Names, isNamed) {
			near = append(near, m)
		}
	}
	distance := func(m *corpus.Import) int { from, to := between(m); return to - from }
	slices.SortStableFunc(near, func(a, b *corpus.Import) int { return distance(a) - distance(b) })
	for _, m := range near {
		from, to := between(m)
		isOne := together
		if syntax.Has(f.Lang, "imports-by-indentation") {
			isOne = func(text []byte) bool { return x.At > m.At && continued(text) }
		}
		if isOne(text[from:to]) {
			return m
		}
	}
	return nil
}

// modular reports whether a name is one of a module of Elixir, which has all that is before it too.
func modular(lang, name string) bool {
	return lang == "elixir" && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// moduleMeant returns the modules of Elixir that a name means with what is before it, and the import that
// it is in. Nothing, resolved, says that it is part of a longer name or declared there. x becomes an
// embedded one where a behaviour or a protocol is implemented.
func (p *Project) moduleMeant(f *File, in int32, x *syntax.Use, text []byte, skip map[int]bool) (out []Place, what outcome, m *corpus.Import) {
	name := strings.TrimPrefix(x.Chain+"."+x.Name, ".")
	from, to := x.At+len(x.Name)-len(name), x.At+len(x.Name)
	if after := text[min(to, len(text)):]; from < 0 || skip[from] || len(after) > 1 && after[0] == '.' && (after[1] == '{' || modular(f.Lang, string(after[1]))) {
		return nil, resolved, nil
	}
	before := bytes.TrimRight(text[:from], " ")
	x.Embed = bytes.HasSuffix(before, []byte("@behaviour")) || bytes.HasSuffix(before, []byte("defimpl"))
	for i := range f.Imports {
		if f.Imports[i].At == from {
			m = &f.Imports[i]
			name = m.Path
		}
	}
	for _, r := range p.modulesNamed(f, in, name) {
		out = append(out, p.placed(r, Exact, "import"))
	}
	if len(out) > 0 {
		return out, resolved, m
	}
	return nil, outer, m
}

// modulesNamed returns the modules of Elixir that a name means at a place.
func (p *Project) modulesNamed(f *File, in int32, name string) (out []Ref) {
	first, rest, _ := strings.Cut(name, ".")
	var may []string
	for i := range f.Imports {
		m := &f.Imports[i]
		if _, last := cutLast(m.Path, "."); m.Alias == first || m.Alias == "" && last == first {
			may = append(may, strings.TrimSuffix(m.Path+"."+rest, "."))
		}
	}
	may = append(may, name)
	for ; in >= 0; in = f.Decls[in].Parent {
		may = append(may, f.Decls[in].Qualified()+"."+name) // nested there
	}
	for i := 0; i < len(may) && len(out) == 0; i++ {
		_, last := cutLast(may[i], ".")
		for _, r := range append(p.declared(f.Doc, may[i]), p.declared(f.Doc, last)...) {
			if d := p.Decl(r); d.Qualified() == may[i] && (namespace(d.Kind) || classLike(d.Kind)) && d.Traits&corpus.Extension == 0 {
				out = append(out, r)
			}
		}
	}
	return uniqueRefs(out)
}

// onTheWay reports whether a name is part of a path that goes on behind it, in languages whose paths lead through modules and types alike.
func (f *File) onTheWay(text []byte, x syntax.Use) bool {
	after, ok := bytes.CutPrefix(text[min(x.At+len(x.Name), len(text)):], []byte("::"))
	return ok && !bytes.HasPrefix(after, []byte("<")) && syntax.Has(f.Lang, "paths-through-types")
}

// together reports whether a text between a path and a name is of one import statement: a line
// ends in it only between brackets or behind a backslash.
func together(text []byte) bool {
	depth, low := 0, 0
	for i, c := range text {
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
			low = min(low, depth)
		case ';', '=':
			return false
		case '\n':
			// Behind a closing bracket that was opened before, all was between brackets.
			if depth == 0 && low == 0 && (i == 0 || text[i-1] != '\\') && !closes(text[i:]) {
				return false
			}
		}
	}
	return true
}

// closes reports whether the next bracket of a text closes one.
func closes(text []byte) bool {
	for _, c := range text {
		switch c {
		case ')', '}':
			return true
		case '(', '{', ';', '=':
			return false
		}
	}
	return false
}

// offeredBy returns what a name in an import statement means.
func (p *Project) offeredBy(f *File, m *corpus.Import, name string) []Place {
	for _, n := range m.Names {
		if n.Name == name || n.Alias == name {
			out, _ := p.takenPlaces(f, m, n)
			return out
		}
	}
	var out []Place
	for _, v := range p.leaf(f, m, p.Import(f.Doc, m)) {
		if v.kind == function || v.kind == class {
			out = append(out, p.placed(v.ref, Exact, "import"))
		}
	}
	return out
}
