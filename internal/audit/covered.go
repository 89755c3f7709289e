package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A covering is what every answer says that concludes from what is not in the code.
type covering struct {
	NotCovered corpus.NotCovered `json:"not_covered"`
	Lacks      []string          `json:"lacks,omitempty"` // what was not there to be compared: "code", "documents"
	Names      *named.Counts     `json:"names,omitempty"` // of the things that documents name; nil where they were not looked at
}

// namedBy is the covering of an audit of names, which is made once for all who ask.
func namedBy(ctx context.Context, a *claims.Auditor) (covering, *named.Report, error) {
	r, err := a.Named(ctx)
	if err != nil {
		return covering{}, nil, err
	}
	return covering{undeclared(a.Tree), lacks(a.Tree), &r.Counts}, r, nil
}

// notes says it in sentences without their full stops.
func (c *covering) notes() (out []string) {
	for _, what := range c.Lacks {
		out = append(out, fmt.Sprintf("no %s found: nothing was compared with what is not there", what))
	}
	if c.NotCovered.Files > 0 {
		out = append(out, text.Counted("not covered: %d file{s} (%s)", c.NotCovered.Files, c.NotCovered.String()))
	}
	if c.Names != nil {
		s := c.Names.String()
		if c.Names.Named > c.Names.Found+c.Names.Missing {
			s += "; assay audit ci --all lists them"
		}
		out = append(out, s)
	}
	return out
}

// write ends a text with it, in lines of so many columns.
func (c *covering) write(b *strings.Builder, columns int) {
	for _, note := range c.notes() {
		b.WriteString(render.Wrap(note, columns, "  ") + "\n")
	}
}

// lacks returns what a tree has not of what is compared.
func lacks(t *claims.Tree) (out []string) {
	if len(t.Code) == 0 {
		out = append(out, "code")
	}
	if len(t.Docs) == 0 {
		out = append(out, "documents")
	}
	return out
}

// doubted makes a feature that no code was asked for none that is confirmed.
func (c *covering) doubted(v *claims.Verdict) {
	if v.Class == claims.Confirmed && slices.Contains(c.Lacks, "code") {
		v.Class = claims.Ambiguous
	}
}

// undeclared is what is not covered where declarations count: the words of any
// language can be looked at, but not what they declare.
func undeclared(t *claims.Tree) corpus.NotCovered {
	nc := t.NotCovered.Clone()
	for i := range t.Code {
		if l := t.Code[i].Language; syntax.Source(l) && !syntax.Inert(l) && syntax.Covers(l) == syntax.Nothing {
			nc.AddLanguage(l)
		}
	}
	return nc
}
