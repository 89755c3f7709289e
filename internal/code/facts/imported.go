package facts

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// packageFolder returns the package of Python that an import without an alias makes known, a
// in import a.b, where it is but a folder: without an __init__.py, or with an empty one, which is no
// document. Its modules are looked for by their paths.
func (p *Project) packageFolder(f *File, m *corpus.Import) (value, bool) {
	parts := strings.Count(m.Path, ".")
	if f.Lang != "python" || m.Alias != "" || parts == 0 || m.Path[0] == '.' {
		return value{}, false
	}
	first := *m
	first.Path, _, _ = strings.Cut(m.Path, ".")
	if len(p.Import(f.Doc, &first).Docs) > 0 {
		return value{}, false
	}
	got := p.Import(f.Doc, m)
	if len(got.Docs) == 0 {
		return value{}, false
	}
	dir := p.Docs[got.Docs[0]].Path
	if strings.HasPrefix(path.Base(dir), "__init__.") {
		dir = path.Dir(dir)
	}
	for range parts {
		dir = path.Dir(dir)
	}
	return value{kind: module, typ: dir, how: "import"}, true
}

// inFolder returns what a package that is but a folder has under a name.
func (p *Project) inFolder(dir, name string) []value {
	at := path.Join(dir, name)
	if docs := p.pythonModule(at); len(docs) > 0 {
		return []value{{kind: module, docs: docs, how: "import"}}
	}
	p.dir(at)
	for d := range p.byDir {
		if d == at || strings.HasPrefix(d, at+"/") {
			return []value{{kind: module, typ: at, how: "import"}}
		}
	}
	return nil
}

// modulePath returns the import of Python in whose path a name is written, and what the path up
// to there means: a module, never what a module of that name has.
func (p *Project) modulePath(f *File, x syntax.Use) (places []Place, ok bool) {
	if f.Lang != "python" {
		return nil, false
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		to := x.At - m.At + len(x.Name)
		if x.At < m.At || to > len(m.Path) || m.Path[x.At-m.At:to] != x.Name {
			continue
		}
		upTo := *m
		upTo.Path = m.Path[:to]
		for _, d := range p.Import(f.Doc, &upTo).Docs {
			places = append(places, Place{Ref{d, -1}, x.Name, -1, Exact, "import"})
		}
		return places, true
	}
	return nil, false
}
