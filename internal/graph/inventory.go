package graph

import (
	"cmp"
	"context"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Module is a source file.
type Module struct {
	Path     string `json:"path"`
	Lines    int    `json:"lines"`
	Bytes    int    `json:"bytes"`
	Funcs    int    `json:"functions"`
	Imports  int    `json:"imports"`
	Public   int    `json:"public_functions"`
	Modified string `json:"last_modified"` // RFC 3339, UTC; empty where the file is gone
}

// A Totals counts all files that an inventory is about, shown or not.
type Totals struct {
	Files      int               `json:"total_files"`
	Lines      int               `json:"total_lines"`
	Functions  int               `json:"total_functions"`
	NotCovered corpus.NotCovered `json:"not_covered"`
}

// An Inventory is the source files of a project, most lines first, or an overview
// of them.
type Inventory struct {
	Modules  []Module  `json:"modules"`
	Overview *Overview `json:"overview,omitempty"`
	Summary  Totals    `json:"summary"`
	Page     *Page     `json:"pagination,omitempty"`
	known

	drawing
}

func inventoryFilter(in *InventoryInput) *Filter { return &in.Filter }

// Inventory lists the source files of a project.
func (f *Feature) Inventory(ctx context.Context, in InventoryInput) (*Inventory, error) {
	in, r, err := resume("inventory", in, inventoryFilter)
	if err != nil {
		return nil, err
	}
	out := &Inventory{Modules: []Module{}}
	err = f.ask(ctx, r, in.Filter, in.Pattern, &out.known, &out.Summary.NotCovered, func(s *session) error {
		docs, err := s.sources(in.Pattern)
		if err != nil {
			return err
		}
		if len(docs) == 0 && in.Pattern != "" {
			return s.nowhere(in.Pattern)
		}
		for _, d := range docs {
			out.Summary.Files++
			out.Summary.Lines += s.p.Docs[d].Lines
			out.Summary.Functions += s.p.Head(d).Functions
		}
		if out.Summary.NotCovered, err = s.notCovered(docs, s.scope(in.Pattern), syntax.Everything); err != nil {
			return err
		}
		switch {
		case in.asked():
			out.drawing = s.drawFolders(docs, in.Picture)
		case in.View == "summary":
			out.Overview = s.overview(docs)
		default:
			if err := s.list(docs, in, out); err != nil {
				return err
			}
		}
		if len(docs) == 0 {
			s.none("%s", s.nothing())
		}
		return nil
	})
	return out, err
}

// list shows a page of modules.
func (s *session) list(docs []int, in InventoryInput, out *Inventory) (err error) {
	sorting.Stable(docs, func(a, b int) int { return cmp.Compare(s.p.Docs[b].Lines, s.p.Docs[a].Lines) })
	from, to, p, err := paged(s, len(docs), in, inventoryFilter)
	if err != nil {
		return err
	}
	for _, d := range docs[from:to] {
		out.Modules = append(out.Modules, s.module(d))
	}
	out.Page = p
	return nil
}

func (s *session) module(d int) Module {
	doc, h := &s.p.Docs[d], s.p.Head(d)
	m := Module{Path: doc.Path, Lines: doc.Lines, Bytes: doc.Bytes, Funcs: h.Functions, Imports: len(h.Imports), Public: h.Public}
	if st, err := os.Lstat(s.e.Abs(doc.Path)); err == nil {
		m.Modified = st.ModTime().UTC().Format(time.RFC3339)
	}
	return m
}

// sources returns the source files that a pattern and the filter let pass.
func (s *session) sources(pattern string) (out []int, err error) {
	match, err := s.paths(pattern)
	if err != nil {
		return nil, err
	}
	for i := range s.p.Docs {
		d := &s.p.Docs[i]
		if syntax.Source(d.Language) && s.filter.doc(d) && match(d.Path) {
			out = append(out, i)
		}
	}
	return out, nil
}

// nothing says what was looked at where there is nothing to show.
func (s *session) nothing() string {
	n := 0
	for i := range s.p.Docs {
		if syntax.Source(s.p.Docs[i].Language) {
			n++
		}
	}
	if n == 0 {
		return "no source file in " + s.e.Root() + " that is not ignored"
	}
	return "none of the " + count(n, "source file") + " in " + s.e.Root() + " passes; omit a filter"
}

// nowhere is the error about a pattern that no source file matches.
func (s *session) nowhere(pattern string) error {
	if err := s.excluded(pattern); err != nil {
		return err
	}
	if s.within != "" {
		if len(s.filtered()) < s.count() {
			return fault.New(fault.NotFound, "no source file below %s passes the filters", pattern).Or("omit one of the filters")
		}
	}
	e := fault.New(fault.NotFound, "no source file matches %q; looked at %s", pattern, count(s.count(), "source file"))
	list, one := near(pattern, s.places(), path.Base)
	return s.suggest(e, list, one)
}

// excluded is the error about a path that is there and not read, nil where it is none.
func (s *session) excluded(pattern string) error {
	// A folder with something in it that is read is not excluded: a question about one needs no list of what is.
	if s.within == "" {
		return nil
	}
	for i := range s.p.Docs {
		if d := &s.p.Docs[i]; d.Path != s.within && syntax.Source(d.Language) && below(d.Path, s.within) {
			return nil
		}
	}
	why, ok := s.v.Ignored(s.within)
	if !ok {
		left, err := s.v.Excluded(s.ctx)
		if why, ok = left[s.within]; err != nil || !ok {
			return err
		}
	}
	return fault.New(fault.NotFound, "%s is excluded: %s", pattern, why).Try("status", fault.Arg{Name: "excluded", Value: true})
}

// places returns the paths of the files and the folders.
func (s *session) places() (out []string) {
	folders := map[string]bool{}
	for _, d := range s.filtered() {
		p := s.p.Docs[d].Path
		for dir := path.Dir(p); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
			out = append(out, dir)
		}
		out = append(out, p)
	}
	return out
}

// suggest adds the names that are near to an error, and where one is surely meant the question with it.
func (s *session) suggest(e *fault.Error, names []string, one bool) error {
	if len(names) == 0 {
		return again(e, "inventory", s.tool, "")
	}
	e.Msg += "; near it: " + strings.Join(names, ", ")
	if !one {
		return e.Or("ask again with one of these, if it is meant")
	}
	return again(e, s.op, s.tool, names[0])
}

func (s *session) filtered() []int {
	was := s.within
	s.within = ""
	defer func() { s.within = was }()
	docs, _ := s.sources("") // no pattern, nothing wrong with it
	return docs
}

func (s *session) count() (n int) {
	for i := range s.p.Docs {
		if syntax.Source(s.p.Docs[i].Language) {
			n++
		}
	}
	return n
}

// WriteText writes the inventory as a table.
func (a *Inventory) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	if a.Overview != nil {
		a.Overview.text(&t)
	} else if len(a.Modules) > 0 {
		t.row("PATH", ">LINES", ">BYTES", ">FUNCTIONS", ">PUBLIC", ">IMPORTS", "MODIFIED")
		for _, m := range a.Modules {
			t.row(m.Path, m.Lines, m.Bytes, m.Funcs, m.Public, m.Imports, strings.TrimSuffix(m.Modified, "Z"))
		}
		t.flush()
	}
	a.sums(&t, "%s, %s, %s", count(a.Summary.Files, "file"), count(a.Summary.Lines, "line"), count(a.Summary.Functions, "function"))
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Modules))
	return t.write(w)
}
