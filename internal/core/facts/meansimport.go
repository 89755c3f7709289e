package facts

import (
	"bytes"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// importedPlaces returns what an import of a file makes known under a name.
func (p *Project) importedPlaces(f *File, name string) ([]Place, outcome) {
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Kind&corpus.Reexport != 0 && f.Lang == "ecma" {
			continue // it passes through, and is not known here
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
		var out []Place
		for _, v := range p.imported(f, name) {
			if v.kind == function || v.kind == class {
				out = append(out, p.placed(v.ref, Exact, "import"))
			}
		}
		if len(out) == 0 {
			out = []Place{{Ref{got.Docs[0], -1}, name, -1, Exact, "import"}}
		}
		return out, resolved
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		for _, n := range m.Names {
			if n.Name == "*" && n.Alias == "" && (m.Kind&corpus.Reexport == 0 || f.Lang != "ecma") {
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
		var out []Place
		for _, v := range p.taken(f, m, n) {
			if v.kind == function || v.kind == class {
				out = append(out, p.placed(v.ref, Likely, "import"))
			}
		}
		if len(out) > 0 {
			return out, resolved
		}
	}
	return []Place{{Ref{got.Docs[0], -1}, n.Local(), -1, Exact, "import"}}, resolved
}

// importAt returns the import statement that a name is written in as what is taken.
func (p *Project) importAt(f *File, text []byte, x syntax.Use) *corpus.Import {
	const most = 4000
	for i := range f.Imports {
		m := &f.Imports[i]
		from, to := min(x.At, m.At), max(x.At, m.At)
		if to-from > most || to > len(text) {
			continue
		}
		if f.Lang == "rust" && onTheWay(text, x) {
			return nil
		}
		named := len(m.Names) == 0 && path.Base(strings.NewReplacer(".", "/", "::", "/", `\`, "/").Replace(m.Path)) == x.Name && x.At >= m.At && x.At < m.At+len(m.Path)
		for _, n := range m.Names {
			named = named || n.Name == x.Name || n.Alias == x.Name
		}
		if named && together(text[from:to]) {
			return m
		}
	}
	return nil
}

// onTheWay reports whether a name of Rust is part of a path that goes on behind it.
func onTheWay(text []byte, x syntax.Use) bool {
	after, ok := bytes.CutPrefix(text[min(x.At+len(x.Name), len(text)):], []byte("::"))
	return ok && !bytes.HasPrefix(after, []byte("<"))
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
