package graph

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/facts"
)

// A Symbol is something that is declared, and how sure it is that it is meant.
type Symbol struct {
	Name       string   `json:"name"` // qualified
	Kind       string   `json:"kind"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Signature  string   `json:"signature,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	Relation   string   `json:"relation,omitempty"` // to what was asked about
	Of         string   `json:"of,omitempty"`       // what it is a relation of, where that is not what was asked about
	Depth      int      `json:"depth,omitempty"`
	Reached    []string `json:"reached_by,omitempty"` // what may reach it though no call does

	at int
}

// symbol describes a declaration.
func (s *session) symbol(r facts.Ref) Symbol {
	d := s.p.Decl(r)
	out := Symbol{Name: d.Qualified(), Kind: d.Kind.String(), File: s.p.Docs[r.Doc].Path, at: d.NameAt}
	f := s.function(r)
	switch d.Kind {
	case corpus.Function, corpus.Method, corpus.TestCase, corpus.Macro:
		out.Signature = f.signature()
	case corpus.Constant, corpus.Variable, corpus.Type:
		out.Signature = strings.TrimSpace(d.Qualified() + " " + d.Result)
	}
	return out
}

func (s *session) symbolLines(list []Symbol) {
	lines(s, list, func(x *Symbol) (string, int, *int) { return x.File, x.at, &x.Line })
}

// Symbols answers the questions whose answer is declarations: what a name means, what
// a type is related to, what nothing calls.
type Symbols struct {
	Subject     string       `json:"subject,omitempty"`
	Definitions []Definition `json:"definitions,omitempty"` // of the subject
	Symbols     []Symbol     `json:"symbols"`
	Mentions
	Summary Summary `json:"summary"`
	Page    *Page   `json:"pagination,omitempty"`
	known

	drawing
	of string // what is counted: "definition"
}

// WriteText writes the symbols as a table.
func (a *Symbols) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	writeDefinitions(&t, a.Definitions)
	if len(a.Symbols) > 0 {
		t.row("PLACE", "KIND", "NAME", "CONFIDENCE", "RELATION", "OF", "MAY BE REACHED BY")
		for _, x := range a.Symbols {
			name := cmp.Or(x.Signature, x.Name)
			if x.Depth > 1 || x.Depth < -1 {
				name += " (" + itoa(max(x.Depth, -x.Depth)) + ")"
			}
			t.row(x.File+":"+itoa(x.Line), x.Kind, name, x.Confidence, x.Relation, x.Of, strings.Join(x.Reached, ", "))
		}
		t.flush()
	}
	a.Mentions.write(&t)
	if a.Summary.Total == 0 {
		a.sums(&t, "%s", count(a.total(), a.of))
	} else {
		a.sums(&t, "%s; looked at %s: %d resolved, %d ambiguous, %d unresolved (%d external)", count(a.total(), a.of), count(a.Summary.Total, a.Summary.of()),
			a.Summary.Resolved, a.Summary.Ambiguous, a.Summary.Unresolved, a.Summary.External)
	}
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Symbols))
	return t.write(w)
}

func (a *Symbols) total() int {
	if a.Page != nil {
		return a.Page.Total
	}
	return len(a.Symbols)
}

// of names what a summary counts.
func (s *Summary) of() string {
	if s.bases {
		return "base"
	}
	return "call"
}

const topLevel = "(top level)"

func (s *session) name(r facts.Ref) string {
	if d := s.p.Decl(r); d != nil {
		return d.Qualified()
	}
	return topLevel
}

// full names a declaration as Lookup takes it.
func (s *session) full(r facts.Ref) string { return s.p.Docs[r.Doc].Path + ":" + s.name(r) }

// declarations returns what a name means: functions where there are any.
func (s *session) declarations(name string) (of []facts.Ref, err error) {
	if placeFile(name) != "" {
		places, err := s.targets(name)
		if err != nil {
			return nil, err
		}
		for _, t := range places {
			if t.Decl >= 0 {
				of = append(of, t.Ref)
			}
		}
		if len(of) > 0 {
			return of, nil
		}
	}
	if of := s.meant(name); len(of) > 0 {
		return of, nil
	}
	return nil, s.unknown("function", name)
}

func (s *session) meant(name string) []facts.Ref {
	if parts := alternatives(name); len(parts) > 1 && s.within == "" {
		all, _ := eitherOf(parts, func(part string) ([]facts.Ref, error) {
			if of := s.meant(part); len(of) > 0 {
				return of, nil
			}
			return nil, fault.New(fault.NotFound, "no function is called %s: refs has the lines with it", said(part))
		}, s.noteUnknown)
		return all
	}
	var functions, others []facts.Ref
	for _, r := range s.p.Lookup(name) {
		d := s.p.Decl(r)
		switch d.Kind {
		case corpus.Function, corpus.Method, corpus.TestCase, corpus.Macro:
			functions = append(functions, r)
		case corpus.Class, corpus.Struct, corpus.Interface, corpus.Trait, corpus.Enum, corpus.Type:
			others = append(others, r)
		case corpus.Constant, corpus.Variable:
			if len(functions)+len(others) == 0 {
				others = append(others, r)
			}
		}
	}
	if len(functions) > 0 {
		return functions
	}
	return others
}

// noteUnknown notes that one of several names means nothing.
func (s *session) noteUnknown(err error) {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		s.note("%s", e.Msg)
	}
}

func (s *session) define(a *answer, of []facts.Ref) {
	for _, r := range of {
		a.Definitions = append(a.Definitions, Definition{Name: s.name(r), File: s.p.Docs[r.Doc].Path, at: s.p.Decl(r).NameAt})
	}
	s.completeDefinitions(&a.Definitions)
}

// completeDefinitions adds the lines of definitions, and leaves out those that are too many.
func (s *session) completeDefinitions(of *[]Definition) {
	s.severalOf(of)
	lines(s, *of, func(d *Definition) (string, int, *int) { return d.File, d.at, &d.Line })
	texts := lineTexts{session: s}
	for i := range *of {
		d := &(*of)[i]
		d.Text = texts.at(d.File, d.Line, 0)
	}
}

// spokenOf returns the name of a declaration that is known by FILE:NAME, without its file where the head of the answer has no other
// of that name: a path on each line takes more room than the code.
func spokenOf(of []Definition, full string) string {
	at := slices.IndexFunc(of, func(d Definition) bool { return d.File+":"+d.Name == full })
	if at < 0 || slices.ContainsFunc(of, func(d Definition) bool { return d.Name == of[at].Name && d.File != of[at].File }) {
		return full
	}
	return of[at].Name
}

// writeDefinitions writes the declarations that a question is about, with their lines.
func writeDefinitions(t *table, of []Definition) {
	for _, d := range of {
		t.line("%s  %s:%d: %s", d.Name, d.File, d.Line, d.Text)
	}
}

// mostDefinitions is how many declarations of one name are shown.
const mostDefinitions = 20

// severalOf notes that a question is about several declarations, and shows the first of many.
func (s *session) severalOf(of *[]Definition) {
	names := "that name"
	last := func(d Definition) string { return d.Name[1+strings.LastIndexByte(d.Name, '.'):] }
	if slices.ContainsFunc(*of, func(d Definition) bool { return last(d) != last((*of)[0]) }) {
		names = "these names"
	}
	const most = mostDefinitions
	if n := len(*of); n > most {
		s.note("%d declarations of %s; %d are shown, and all are meant: Scope.Name or path/to/file:Name is one", n, names, most)
		*of = (*of)[:most]
	} else if n > 1 {
		s.note("%d declarations of %s, and all are meant: Scope.Name or path/to/file:Name is one", n, names)
	}
}
