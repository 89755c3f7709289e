package named

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// Counts says what became of the things that documents name.
type Counts struct {
	Named     int         `json:"named"`
	Found     int         `json:"found"`
	Missing   int         `json:"missing"` // errors and warnings
	Unsure    int         `json:"unsure"`
	NotJudged []NotJudged `json:"not_judged"` // by kind and why, the most first
}

// A NotJudged is how many things of a kind no rule decides, and why.
type NotJudged struct {
	Kind  Kind   `json:"kind"`
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// A Skipped is one thing that no rule decides.
type Skipped struct {
	Kind Kind `json:"kind"`
	Place
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Span is the kind of code spans that are of no form that a rule knows.
const Span Kind = "code span"

// Why things are not judged.
const (
	ofPast      = "on the past"
	ofCopy      = "in tests, examples, copies, generated pages or templates"
	amongCode   = "in pages among the code, of which links are judged"
	placeholder = "with a placeholder"
	served      = "to addresses that a site may give"
	outside     = "out of the repository"
	templated   = "that a template makes"
	unreadable  = "in pages whose anchors are not read"
	addedTo     = "in pages to which a tool may add headings"
	elsewhere   = "probably of another program or project"
	noForm      = "of no form that a rule knows"
)

// skip notes that a thing which was looked at is not judged.
func (c *checker) skip(p *page, kind Kind, name string, line int, why string) {
	c.skipped = append(c.skipped, Skipped{kind, Place{p.file.Path, line}, name, why})
}

// skipNames notes that no name of a page is judged.
func (c *checker) skipNames(p *page, why string) {
	for i := range p.refs {
		if r := &p.refs[i]; r.Kind == spanRef {
			c.checked++
			c.skip(p, Span, r.Target, r.Line, why)
		}
	}
}

// whyNoNames returns why no name of a page is judged, or "".
func (c *checker) whyNoNames(p *page, isDocument bool) string {
	switch {
	case !isDocument && !forContributors.MatchString(p.file.Path) && !c.isOfSite(p.file.Path):
		return amongCode
	case p.past:
		return ofPast
	case p.file.Flags&corpus.Example != 0:
		return ofCopy
	}
	return ""
}

// whyNoLinks returns why no link of a page is judged, or "".
func whyNoLinks(p *page) string {
	isCopy := copiedPage.MatchString(p.file.Path) && !forContributors.MatchString(p.file.Path)
	switch {
	case p.past:
		return ofPast
	case isCopy || p.file.Flags&(corpus.Test|corpus.Vendored|corpus.Generated) != 0:
		return ofCopy
	}
	return ""
}

// skipLinks notes that no link of a page is judged.
func (c *checker) skipLinks(p *page, why string) {
	for i := range p.refs {
		if r := &p.refs[i]; isInTree(r) {
			c.checked++
			c.skip(p, linkKind(r), r.Target, r.Line, why)
		}
	}
}

// isInTree reports whether a reference is a link or an image in the tree.
func isInTree(r *markup.Ref) bool {
	return (r.Kind == markup.Link || r.Kind == markup.Image) && !scheme.MatchString(strings.TrimSpace(r.Target))
}

func linkKind(r *markup.Ref) Kind {
	if r.Kind == markup.Image {
		return Image
	}
	return Link
}

// counts sums up what was looked at.
func (c *checker) counts() Counts {
	out := Counts{NotJudged: []NotJudged{}}
	for i := range c.out {
		if c.out[i].Level == Unsure {
			out.Unsure++
		} else {
			out.Missing++
		}
	}
	// One thing may have several findings: a name and the one before it.
	out.Named = max(c.checked, len(c.out)+len(c.skipped))
	out.Found = out.Named - len(c.out) - len(c.skipped)
	at := map[NotJudged]int{}
	for i := range c.skipped {
		key := NotJudged{Kind: c.skipped[i].Kind, Why: c.skipped[i].Why}
		if _, ok := at[key]; !ok {
			at[key] = len(out.NotJudged)
			out.NotJudged = append(out.NotJudged, key)
		}
		out.NotJudged[at[key]].Count++
	}
	sorting.Stable(out.NotJudged, func(a, b NotJudged) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Why, b.Why))
	})
	return out
}

// maxGroups is how many kinds of what is not judged a line names.
const maxGroups = 4

// String says it in one line.
func (n *Counts) String() string {
	s := text.Counted("%d named thing{s}: ", n.Named) + fmt.Sprintf("%d found, %d missing, %d unsure", n.Found, n.Missing, n.Unsure)
	all, groups := 0, []string{}
	for i := range n.NotJudged {
		g := &n.NotJudged[i]
		if all += g.Count; len(groups) < maxGroups {
			groups = append(groups, fmt.Sprintf("%s %s", g.things(), g.Why))
		}
	}
	if more := len(n.NotJudged) - len(groups); more > 0 {
		groups = append(groups, text.Count(more, "more kind", "more kinds"))
	}
	s += fmt.Sprintf(", %d not judged", all)
	if all > 0 {
		s += " (" + strings.Join(groups, ", ") + ")"
	}
	return s
}

// things says how many there are of the kind.
func (n *NotJudged) things() string {
	if n.Kind == Variable {
		return text.Count(n.Count, "variable", "variables")
	}
	return text.Count(n.Count, string(n.Kind), string(n.Kind)+"s")
}

// Judged returns how many things a rule decided.
func (n *Counts) Judged() int { return n.Found + n.Missing + n.Unsure }
