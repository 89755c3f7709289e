package code

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
)

const (
	maxText    = 64 << 20 // bytes of a query; a pattern may have maxPattern
	maxPattern = 1 << 20
	// mostEchoed is how much of a query an answer repeats: a client that asked with an issue has it,
	// and pays for what is sent back.
	mostEchoed = 1000
	// mostCarried is how much of a query a cursor carries: who goes on has the query, and writes the
	// cursor letter by letter.
	mostCarried = 60
)

// echo returns a query as answers repeat it.
func echo(query string) string {
	if len(query) <= mostEchoed {
		return query
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(query[:mostEchoed/5], ""), len(query))
}

// A question is what a cursor carries: the search or, where its query is long, the search
// without it and what tells that query from others.
type question struct {
	SearchInput
	Of string `json:"query_sha256,omitempty"`
}

func sumOf(query string) string {
	sum := sha256.Sum256([]byte(query))
	return hex.EncodeToString(sum[:8])
}

func (r *request) question() question {
	q := question{SearchInput: r.in}
	if len(q.Query) > mostCarried {
		q.Query, q.Of = "", sumOf(q.Query)
	}
	return q
}

// resume takes the search of a cursor, whose query may have to be given again.
func (r *request) resume(in SearchInput) error {
	var before question
	c, err := workspace.OpenCursor(in.Cursor, &before)
	if err != nil {
		return err
	}
	switch {
	case before.Of != "" && in.Query == "":
		return fault.New(fault.Usage, "the cursor belongs to a long query, which it does not contain").Or("give the same query again, with the cursor")
	case before.Of != "" && sumOf(in.Query) != before.Of:
		return fault.New(fault.Usage, "the cursor belongs to another long query").Or("give that query, or omit the cursor")
	case before.Of != "":
		before.Query = in.Query
	case in.Query != "" && in.Query != before.Query:
		return fault.New(fault.Usage, "the cursor belongs to the query %q", text.Short(before.Query, 60)).Or("repeat that query, or omit the cursor")
	}
	r.in, r.cursor, r.offset = before.SearchInput, &c, c.Offset
	r.in.Full = r.in.Full || in.Full
	if in.Budget != nil {
		r.in.Budget = in.Budget
	}
	return nil
}

// restarted returns the error for a cursor that can no longer be used, with a short fix,
// because a long query does not belong on a command line.
func (r *request) restarted(err error) error {
	if e, ok := err.(*fault.Error); ok && e.Fix != nil && len(r.in.Query) > mostEchoed {
		e.Fix = nil
		return e.Or("search for the same text without the cursor")
	}
	return err
}

// An Asked is what was read from a query that is an issue, a log or a trace: which terms
// of it were asked for, and which files of the tree it names.
type Asked struct {
	Terms  []AskedTerm  `json:"terms"`
	Places []AskedPlace `json:"places"`
}

// An AskedTerm is a term and the fields of the text that it is from.
type AskedTerm struct {
	Term   string   `json:"term"`
	Exact  bool     `json:"exact,omitempty"` // a declared name, in its exact form
	Weight float64  `json:"weight"`
	Fields []string `json:"fields"`
}

// An AskedPlace is a place that the text names, and the file that this is in the tree.
type AskedPlace struct {
	File string `json:"file"`
	Path string `json:"path"` // as the text has it
	Line int    `json:"line,omitempty"`
	Name string `json:"name,omitempty"`
}

// asked describes a plan; nil of a short query.
func asked(p rank.Plan, meant []engine.Meant) *Asked {
	if len(p.From)+len(meant) == 0 {
		return nil
	}
	a := &Asked{Terms: []AskedTerm{}, Places: []AskedPlace{}}
	for i, in := range p.From {
		name, exact := strings.CutPrefix(p.Terms[i].Text, text.Exact(""))
		t := AskedTerm{Term: name, Exact: exact, Weight: rank.Round(float64(p.Terms[i].Weight)), Fields: []string{}}
		for _, f := range in {
			t.Fields = append(t.Fields, f.String())
		}
		a.Terms = append(a.Terms, t)
	}
	for _, m := range meant {
		a.Places = append(a.Places, AskedPlace{m.File, m.Path, m.Line, m.Name})
	}
	return a
}

// write writes the terms by field, the first of those that each is from, and the places.
func (a *Asked) write(b *render.Answer) {
	if a == nil {
		return
	}
	by := map[string][]string{}
	for _, t := range a.Terms {
		by[t.Fields[0]] = append(by[t.Fields[0]], text.Line(t.Term))
	}
	for f := range paste.Fields {
		if words := by[f.String()]; len(words) > 0 {
			b.Note("from the %s: %s", f, strings.Join(words, " "))
		}
	}
	for _, p := range a.Places {
		at := text.Line(p.File)
		if p.Line > 0 {
			at += fmt.Sprintf(":%d", p.Line)
		}
		b.Note("names %s", strings.TrimSpace(at+" "+text.Line(p.Name)))
	}
	b.WriteByte('\n')
}
