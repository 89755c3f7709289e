package graph

import (
	"cmp"
	"context"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// An Import is one thing that a module imports.
type Import struct {
	Path     string   `json:"path"` // as written
	Kind     string   `json:"kind"` // internal or external
	Resolved string   `json:"resolved,omitempty"`
	Names    []string `json:"names,omitempty"`
	File     string   `json:"file,omitempty"` // where the module is several
	Line     int      `json:"line"`

	file   string
	at     int
	origin facts.Origin
}

// A Summary counts what became of what was looked at.
type Summary struct {
	Total      int               `json:"total"`
	Resolved   int               `json:"resolved"`
	Ambiguous  int               `json:"ambiguous"`
	Unresolved int               `json:"unresolved"`
	External   int               `json:"external"` // of the unresolved, known to be of a library or of the language
	NotCovered corpus.NotCovered `json:"not_covered"`

	bases bool // it counts the bases of types, not calls
}

// Imports is what a module imports, in order of files and lines.
type Imports struct {
	Module  string   `json:"module"`
	Imports []Import `json:"imports"`
	Summary Summary  `json:"summary"`
	Page    *Page    `json:"pagination,omitempty"`
	known

	drawing
}

func importsFilter(in *ImportsInput) *Filter { return &in.Filter }

// Imports says what a module imports.
func (f *Feature) Imports(ctx context.Context, in ImportsInput) (*Imports, error) {
	in, r, err := resume("imports", in, importsFilter)
	if err != nil {
		return nil, err
	}
	out := &Imports{Module: in.Module, Imports: []Import{}}
	err = f.ask(ctx, r, in.Filter, in.Module, &out.known, &out.Summary.NotCovered, func(s *session) error {
		docs, err := s.subject(in.Module)
		if err != nil {
			return err
		}
		if len(docs) == 1 {
			out.Module = s.p.Docs[docs[0]].Path
		}
		var all []Import
		for _, d := range docs {
			if s.filter.doc(&s.p.Docs[d]) {
				all = append(all, s.importsOf(d)...)
			}
		}
		if len(all) == 0 {
			if err := s.unreadIn(docs, "imports", "import"); err != nil {
				return err
			}
		}
		out.Summary = tallyImports(all)
		if out.Summary.NotCovered, err = s.notCovered(docs, s.scope(in.Module), syntax.Everything); err != nil {
			return err
		}
		if s.draws(in.Picture) {
			arrows := slice.Map(all, func(m Import) [2]string { return [2]string{m.file, cmp.Or(m.Resolved, m.Path)} })
			out.drawing = newDrawing(arrows, in.Picture)
			return nil
		}
		from, to, p, err := paged(s, len(all), in, importsFilter)
		if err != nil {
			return err
		}
		shown := all[from:to]
		lines(s, shown, func(m *Import) (string, int, *int) { return m.file, m.at, &m.Line })
		for _, m := range shown {
			if len(docs) > 1 {
				m.File = m.file
			}
			out.Imports = append(out.Imports, m)
		}
		out.Page = p
		if len(all) == 0 {
			s.none("%s: no imports in %s", in.Module, count(len(docs), "file"))
		}
		return nil
	})
	return out, err
}

func tallyImports(all []Import) (t Summary) {
	t.Total = len(all)
	for _, m := range all {
		switch {
		case m.Resolved != "":
			t.Resolved++
		case m.origin == facts.Internal:
			t.Unresolved++
		default:
			t.Unresolved++
			t.External++
		}
	}
	return t
}

func (s *session) importsOf(d int) (out []Import) {
	h := s.p.Head(d)
	for k := range h.Imports {
		m := &h.Imports[k]
		got := s.leads(d, m)
		one := Import{Path: m.Path, Kind: "external", Resolved: s.place(got.Docs), Names: names(m, got), file: s.p.Docs[d].Path, at: m.At, origin: got.Origin}
		if got.Origin == facts.Internal {
			one.Kind = "internal"
		}
		out = append(out, one)
	}
	return out
}

// leads says what an import means. What Python takes from a package may be a module
// of it.
func (s *session) leads(d int, m *corpus.Import) facts.Import {
	got := s.p.Import(d, m)
	if s.p.Docs[d].Language != "python" || len(m.Names) == 0 || got.Origin == facts.Standard {
		return got
	}
	docs := slices.Clone(got.Docs)
	found := false
	for _, n := range m.Names {
		sub := m.Path + "." + n.Name
		if strings.HasSuffix(m.Path, ".") {
			sub = m.Path + n.Name
		}
		for _, t := range s.p.Import(d, &corpus.Import{Path: sub, Kind: m.Kind}).Docs {
			if !slices.Contains(docs, t) {
				docs, found = append(docs, t), true
			}
		}
	}
	if found {
		got.Docs, got.Origin = docs, facts.Internal
	}
	return got
}

// place is the file that an import leads to, or the folder of several.
func (s *session) place(docs []int) string {
	switch len(docs) {
	case 0:
		return ""
	case 1:
		return s.p.Docs[docs[0]].Path
	}
	dir := path.Dir(s.p.Docs[docs[0]].Path)
	if slices.ContainsFunc(docs[1:], func(d int) bool { return path.Dir(s.p.Docs[d].Path) != dir }) {
		return s.p.Docs[docs[0]].Path
	}
	return dir
}

// names are what an import takes of what it imports.
func names(m *corpus.Import, got facts.Import) (out []string) {
	out = slice.Map(m.Names, func(n corpus.Name) string { return n.Name })
	if len(out) == 0 && got.Rest != "" {
		out = append(out, got.Rest)
	}
	return out
}

// lines fills in the lines of entries. get returns an entry's file, its offset
// there and where its line goes.
func lines[T any](s *session, entries []T, get func(*T) (file string, at int, line *int)) {
	byFile := map[string][]int{}
	var files []string
	for i := range entries {
		file, _, _ := get(&entries[i])
		if byFile[file] == nil {
			files = append(files, file)
		}
		byFile[file] = append(byFile[file], i)
	}
	for _, file := range files {
		offsets := make([]int, len(byFile[file]))
		for k, i := range byFile[file] {
			_, offsets[k], _ = get(&entries[i])
		}
		for k, n := range s.v.Lines(file, offsets) {
			_, _, line := get(&entries[byFile[file][k]])
			*line = n
		}
	}
}

// subject returns the files that a module is, or the error that there are none.
func (s *session) subject(name string) ([]int, error) {
	if docs := s.modules(name); len(docs) > 0 {
		return docs, nil
	}
	return nil, s.unknownModule(name)
}

func (s *session) unknownModule(name string) error {
	if s.within != "" {
		return s.nowhere(name)
	}
	known := s.places()
	for i := range s.p.Docs {
		if d := &s.p.Docs[i]; syntax.Source(d.Language) && d.Language != "go" {
			known = append(known, s.p.Head(i).Module)
		}
	}
	e := fault.New(fault.NotFound, "no file, folder or module is called %q; looked at %s", name, count(s.count(), "source file"))
	list, one := near(name, known, stem)
	return s.suggest(e, list, one)
}

// stem is the last part of a path or of a module's name, without its extension.
func stem(p string) string {
	p = path.Base(p)
	if ext := path.Ext(p); ext != "" && len(ext) <= 5 && ext != p {
		p = strings.TrimSuffix(p, ext)
	}
	return p[strings.LastIndexAny(p, `:.\`)+1:]
}

// An Importer is a place that imports a module.
type Importer struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Names []string `json:"imported_names"`

	path string
	at   int
}

// Importers is what imports a module, in order of files and lines.
type Importers struct {
	Module    string     `json:"module"`
	Importers []Importer `json:"importers"`
	Summary   Summary    `json:"summary"`
	Page      *Page      `json:"pagination,omitempty"`
	known

	drawing
}

// Importers says what imports a module.
func (f *Feature) Importers(ctx context.Context, in ImportsInput) (*Importers, error) {
	in, r, err := resume("importers", in, importsFilter)
	if err != nil {
		return nil, err
	}
	out := &Importers{Module: in.Module, Importers: []Importer{}}
	err = f.ask(ctx, r, in.Filter, in.Module, &out.known, &out.Summary.NotCovered, func(s *session) error {
		docs := s.modules(in.Module)
		if err := s.unreadIn(docs, "imports", s.spoken(docs, nil, in.Module)); err != nil {
			return err
		}
		all, written := s.importers(docs, in.Module)
		if len(all) == 0 && len(docs) == 0 {
			return s.unknownModule(in.Module)
		}
		if len(docs) == 1 && s.within != "" {
			out.Module = s.p.Docs[docs[0]].Path
		}
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		out.Summary.Total, out.Summary.Resolved = len(all), len(all)-written
		out.Summary.Unresolved, out.Summary.External = written, written
		if s.draws(in.Picture) {
			arrows := slice.Map(all, func(m Importer) [2]string { return [2]string{m.File, out.Module} })
			out.drawing = newDrawing(arrows, in.Picture)
			return nil
		}
		from, to, p, err := paged(s, len(all), in, importsFilter)
		if err != nil {
			return err
		}
		out.Importers = append(out.Importers, all[from:to]...)
		lines(s, out.Importers, func(m *Importer) (string, int, *int) { return m.File, m.at, &m.Line })
		out.Page = p
		known := 0
		if len(all) == 0 {
			keep := s.filter
			s.filter = filter{}
			every, _ := s.importers(docs, in.Module)
			known, s.filter = len(every), keep
		}
		if len(all) == 0 && !s.passed(known, "import", "imports") {
			s.none("nothing imports it; looked at the imports of %s%s", count(s.importing(), "source file"), s.text(regexp.QuoteMeta(s.spoken(docs, nil, in.Module))))
		}
		return nil
	})
	return out, err
}

// importers returns the imports that lead to one of some files, or that are
// written as name or as a part of it; written counts those that are only that.
// Where there are none, a part of what is written is enough.
func (s *session) importers(docs []int, name string) (out []Importer, written int) {
	of := set.Of(docs)
	for _, loose := range []bool{false, true} {
		has := contains(name)
		for d := range s.p.Docs {
			if !s.filter.doc(&s.p.Docs[d]) || !syntax.Source(s.p.Docs[d].Language) {
				continue
			}
			h := s.p.Head(d)
			for k := range h.Imports {
				m := &h.Imports[k]
				got := s.leads(d, m)
				leads := slices.ContainsFunc(got.Docs, func(t int) bool { return of[t] && t != d })
				// A library may have the name of a folder.
				if !leads && (len(got.Docs) > 0 && len(docs) > 0 || !writtenAs(s.p.Docs[d].Language, m.Path, name) && !(loose && has(m.Path))) {
					continue
				}
				if !leads {
					written++
				}
				list := names(m, got)
				if list == nil {
					list = []string{}
				}
				out = append(out, Importer{File: s.p.Docs[d].Path, Names: list, path: m.Path, at: m.At})
			}
		}
		if len(out) > 0 || len(docs) > 0 {
			break
		}
	}
	return out, written
}

// writtenAs reports whether an import's path is a module or something in it. To Go
// a path below another is another package.
func writtenAs(language, p, module string) bool {
	rest, ok := strings.CutPrefix(p, module)
	return ok && (rest == "" || language != "go" && strings.IndexAny(rest, "./:\\") == 0)
}

// WriteText writes the imports as a table.
func (a *Imports) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	if len(a.Imports) > 0 {
		t.row("PLACE", "KIND", "PATH", "RESOLVED")
		for _, m := range a.Imports {
			at := cmp.Or(m.File, a.Module)
			t.row(at+":"+itoa(m.Line), m.Kind, m.Path, m.Resolved)
		}
		t.flush()
	}
	a.sums(&t, "%s; %d resolved, %d external", count(a.Summary.Total, "import"), a.Summary.Resolved, a.Summary.External)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Imports))
	return t.write(w)
}

// WriteText writes the importers as a table.
func (a *Importers) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	if len(a.Importers) > 0 {
		t.row("IMPORTER", "WRITTEN", "NAMES")
		for _, m := range a.Importers {
			t.row(m.File+":"+itoa(m.Line), m.path, strings.Join(m.Names, ", "))
		}
		t.flush()
	}
	a.sums(&t, "%s of %s", count(a.Summary.Total, "import"), a.Module)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Importers))
	return t.write(w)
}
