package graph

import (
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/facts"
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
	Summary     Summary      `json:"summary"`
	Page        *Page        `json:"pagination,omitempty"`
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
	for _, d := range a.Definitions {
		t.line("%s  %s:%d", d.Name, d.File, d.Line)
	}
	if len(a.Symbols) > 0 {
		t.row("PLACE", "KIND", "NAME", "CONFIDENCE", "RELATION", "OF", "MAY BE REACHED BY")
		for _, x := range a.Symbols {
			name := x.Signature
			if name == "" {
				name = x.Name
			}
			if x.Depth > 1 || x.Depth < -1 {
				name += " (" + itoa(max(x.Depth, -x.Depth)) + ")"
			}
			t.row(x.File+":"+itoa(x.Line), x.Kind, name, x.Confidence, x.Relation, x.Of, strings.Join(x.Reached, ", "))
		}
		t.flush()
	}
	if a.Summary.Total == 0 {
		a.sums(&t, "# %s", count(a.total(), a.of))
	} else {
		a.sums(&t, "# %s; looked at %s: %d resolved, %d ambiguous, %d unresolved (%d external)", count(a.total(), a.of), count(a.Summary.Total, a.Summary.of()),
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
