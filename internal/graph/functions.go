package graph

import (
	"cmp"
	"context"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A Function is a function, or another declaration that was asked for.
type Function struct {
	Name       string   `json:"name"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Public     bool     `json:"is_public"`
	Async      bool     `json:"is_async"`
	Parameters []string `json:"parameters"`
	Return     string   `json:"return_type"`
	Qualified  string   `json:"qualified"`
	Kind       string   `json:"kind"`

	at int
}

// Functions is functions in order of files and lines.
type Functions struct {
	Functions []Function `json:"functions"`
	Summary   Summary    `json:"summary"`
	Page      *Page      `json:"pagination,omitempty"`
	known
}

func functionsFilter(in *FunctionsInput) *Filter { return &in.Filter }

// Functions lists functions.
func (f *Feature) Functions(ctx context.Context, in FunctionsInput) (*Functions, error) {
	in, r, err := resume("functions", in, functionsFilter)
	if err != nil {
		return nil, err
	}
	out := &Functions{Functions: []Function{}}
	err = f.ask(ctx, r, in.Filter, in.Pattern, &out.known, &out.Summary.NotCovered, func(s *session) error {
		find := s.functions
		if in.Kind == "field" {
			find = s.fields
		}
		all, err := find(in)
		if err != nil {
			return err
		}
		if len(all) == 0 && in.Pattern != "" {
			return s.unknown(cmp.Or(in.Kind, "function"), in.Pattern)
		}
		out.Summary.Total, out.Summary.Resolved = len(all), len(all)
		around := s.around(in.Pattern)
		docs := slices.DeleteFunc(s.filtered(), func(d int) bool { return !around(s.p.Docs[d].Path) })
		if out.Summary.NotCovered, err = s.notCovered(docs, around, syntax.Declarations); err != nil {
			return err
		}
		from, to, p, err := paged(s, len(all), in, functionsFilter)
		if err != nil {
			return err
		}
		for _, r := range all[from:to] {
			out.Functions = append(out.Functions, s.listed(r))
		}
		lines(s, out.Functions, func(f *Function) (string, int, *int) { return f.File, f.at, &f.Line })
		out.Page = p
		if len(all) == 0 {
			s.none("no %ss; %s", cmp.Or(in.Kind, "function"), s.nothing())
		}
		return nil
	})
	return out, err
}

// around is where a pattern looks: below a path, or in every file for a name.
func (s *session) around(pattern string) func(path string) bool {
	if s.within == "" {
		return everything
	}
	return s.scope(pattern)
}

func (s *session) function(r facts.Ref) Function {
	d := s.p.Decl(r)
	f := Function{Name: d.Name, File: s.p.Docs[r.Doc].Path, Public: d.Exported, Async: d.Traits&corpus.Async != 0, Parameters: d.Params,
		Return: d.Result, Qualified: d.Qualified(), Kind: d.Kind.String(), at: d.NameAt}
	if f.Parameters == nil {
		f.Parameters = []string{}
	}
	return f
}

// functions returns the declarations that are asked for: by a path, by a glob of
// paths or of names, or by a part of a name.
func (s *session) functions(in FunctionsInput) ([]facts.Place, error) {
	refs, err := s.matching(in)
	out := slice.Map(refs, func(r facts.Ref) facts.Place { return facts.Place{Ref: r} })
	return out, err
}

func (s *session) matching(in FunctionsInput) ([]facts.Ref, error) {
	if parts := alternatives(in.Pattern); len(parts) > 1 && s.within == "" {
		var all []facts.Ref
		for _, part := range parts {
			in.Pattern = part
			some, err := s.matching(in)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		slices.SortFunc(all, func(a, b facts.Ref) int { return cmp.Or(a.Doc-b.Doc, int(a.Decl-b.Decl)) })
		return slices.Compact(all), nil
	}
	match, wrong := s.paths(in.Pattern)
	switch {
	case in.Pattern == "" || s.within != "":
		return s.declared(in, match, everything, everything), nil
	case glob(in.Pattern):
		if wrong == nil {
			if out := s.declared(in, match, everything, everything); len(out) > 0 {
				return out, nil
			}
		}
		// A name may hold what no path can: operator[].
		if out := s.declared(in, everything, like(in.Pattern), everything); len(out) > 0 {
			return out, nil
		}
		return nil, wrong
	}
	name := strings.NewReplacer("::", ".", "#", ".", "()", "").Replace(in.Pattern)
	if out := s.declared(in, everything, contains(name), contains(name[strings.LastIndexByte(name, '.')+1:])); len(out) > 0 {
		return out, nil
	}
	if out := s.declared(in, match, everything, everything); len(out) > 0 {
		return out, nil
	}
	if i := strings.LastIndexByte(in.Pattern, '/'); i >= 0 && !strings.ContainsAny(in.Pattern[i:], ".0123456789") {
		return nil, nil // a folder that is not there, and no name
	}
	name, _ = facts.Plain(in.Pattern)
	return s.declared(in, everything, contains(name), contains(name[strings.LastIndexByte(name, '.')+1:])), nil
}

func everything(string) bool { return true }

// like matches names with a glob: * any letters, ? one.
func like(pattern string) func(string) bool {
	var match func(p, s string) bool
	match = func(p, s string) bool {
		head, rest, star := strings.Cut(p, "*")
		if len(s) < len(head) || !same(head, s[:len(head)]) || !star && len(s) != len(head) {
			return false
		}
		if !star {
			return true
		}
		if s = s[len(head):]; !strings.Contains(rest, "*") {
			return len(s) >= len(rest) && same(rest, s[len(s)-len(rest):])
		}
		// The first place where the next piece fits is as good as any.
		next, _, _ := strings.Cut(rest, "*")
		for i := 0; i+len(next) <= len(s); i++ {
			if same(next, s[i:i+len(next)]) {
				return match(rest, s[i:])
			}
		}
		return false
	}
	return func(s string) bool {
		return match(pattern, s) || match(pattern, s[strings.LastIndexByte(s, '.')+1:])
	}
}

func same(pattern, s string) bool {
	for i := range len(pattern) {
		if pattern[i] != '?' && pattern[i] != s[i] {
			return false
		}
	}
	return true
}

func (s *session) declared(in FunctionsInput, file, name, wanted func(string) bool) []facts.Ref {
	return s.p.Find(func(doc int) bool {
		d := &s.p.Docs[doc]
		return syntax.Source(d.Language) && s.filter.path(d) && file(d.Path)
	}, wanted, func(doc int, decls []corpus.Decl, i int32) bool {
		d := &decls[i]
		if !s.filter.kind(test(&s.p.Docs[doc]) || corpus.InTest(decls, i)) {
			return false
		}
		return (in.Kind != "" || facts.Function(s.p.Docs[doc].Language, d)) && (in.Kind == "" || isOf(in.Kind, d.Kind)) &&
			(!in.Exported || d.Exported) && name(d.Qualified())
	})
}

// unknown is the error about a name that nothing of a kind has: "function", or
// "declaration" where it may be of any.
func (s *session) unknown(kind, name string) error {
	if work.IsBeside(s.ctx) { // all names of a large tree take longer than most questions
		return fault.New(fault.NotFound, "no %s is called %s", kind, said(name))
	}
	var known []string
	n := 0
	var mu sync.Mutex
	look := func(doc int) bool { return syntax.Source(s.p.Docs[doc].Language) }
	s.p.Find(look, everything, func(doc int, decls []corpus.Decl, i int32) bool {
		mu.Lock()
		defer mu.Unlock()
		d := &decls[i]
		if facts.Function(s.p.Docs[doc].Language, d) {
			n++
		}
		if d.Kind != corpus.Section {
			known = append(known, d.Qualified())
		}
		return false
	})
	slices.Sort(known)
	looked := count(n, "function")
	if kind != "function" {
		looked = count(len(known), "declaration")
	}
	e := fault.New(fault.NotFound, "no %s is called %s; looked at %s in %s", kind, said(name), looked, count(s.count(), "source file"))
	// A name may be declared where nothing was read: then this is no proof that it is not.
	nc, err := s.notCovered(s.filtered(), everything, syntax.Everything)
	if err != nil {
		return err
	}
	if nc.Files > 0 {
		e.Msg += "; not covered: " + count(nc.Files, "file") + " (" + nc.String() + s.forCommand("; assay status --excluded names them") + ")"
	}
	list, one := near(name, known, func(q string) string { return q[strings.LastIndexAny(q, `.:#\`)+1:] })
	if len(list) == 0 {
		return e.Try("search", fault.Arg{Name: "query", Value: regexp.QuoteMeta(name)}, fault.Arg{Name: "regex", Value: true})
	}
	return s.suggest(e, list, one)
}

// said quotes a name, the backslashes of which part it.
func said(name string) string { return strings.ReplaceAll(strconv.Quote(name), `\\`, `\`) }

// WriteText writes the functions as a table.
func (a *Functions) WriteText(w io.Writer, _ bool) error {
	var t table
	if len(a.Functions) > 0 {
		t.row("PLACE", "", "SIGNATURE")
		for _, f := range a.Functions {
			public := ""
			if f.Public {
				public = "public"
			}
			t.row(f.File+":"+itoa(f.Line), public, f.signature())
		}
		t.flush()
	}
	a.sums(&t, "%s", count(a.Summary.Total, "declaration"))
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Functions))
	return t.write(w)
}

func (f *Function) signature() string {
	s := f.Qualified
	if f.Async {
		s = "async " + s
	}
	if f.Kind == "function" || f.Kind == "method" || f.Kind == "test" || len(f.Parameters) > 0 {
		s += "(" + strings.Join(strings.Fields(strings.Join(f.Parameters, ", ")), " ") + ")"
	}
	if f.Return != "" {
		s += " " + strings.Join(strings.Fields(f.Return), " ")
	}
	return s
}
