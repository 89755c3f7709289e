package clang

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxSaved = 64 // open brackets that a branch remembers
	maxApart = 64 // brackets of other sorts between an opening and its closing one
)

// A choice is an #if that has not ended.
type choice struct {
	before []int32 // what was open
	after  []int32 // what is open after the first branch, once that has ended
	saved  bool    // before is all of it
	turned bool
	dead   bool // nobody reads this branch
	fixed  bool // the branch that was read is the only one
	guard  bool // it only keeps the text from being read twice
}

// A pairing finds the partners of brackets anew where text is chosen between: all
// branches begin with what was open before the first, and what follows goes on
// with what the first left open.
type pairing struct {
	*reader
	open    []int32
	choices []choice
	twins   [][2]int32 // a bracket of a later branch, and its like in the first
	dead    int        // choices whose branch nobody reads
	seen    int        // directives
	guard   string     // the name that the first line asks for
}

// branches takes the lines for the preprocessor out of the tokens.
func (r *reader) branches() {
	if !slices.ContainsFunc(r.Toks, func(t scan.Token) bool { return t.Kind == scan.Directive }) {
		return
	}
	p := pairing{reader: r}
	out := r.Toks[:0]
	last := 0
	for _, t := range r.Toks {
		if t.Kind == scan.Directive {
			p.directive(t, last)
			last = int(t.End)
			continue
		}
		if p.dead > 0 {
			continue
		}
		last = int(t.End)
		at := int32(len(out))
		t.Pair = -1
		out = append(out, t)
		switch t.Kind {
		case scan.Open:
			p.open = append(p.open, at)
		case scan.Close:
			p.close(out, at)
		}
	}
	r.Toks = out
	n := int32(len(out))
	for i := range out {
		if t := &out[i]; t.Kind == scan.Open && t.Pair < 0 {
			t.Pair = n
		}
	}
	for _, t := range p.twins {
		if pair := out[t[1]].Pair; pair > t[0] {
			out[t[0]].Pair = pair
		}
	}
}

// directive reads a line for the preprocessor; last is where the text before ends.
func (p *pairing) directive(t scan.Token, last int) {
	at, end := int(t.At)+1, int(t.End)
	at = p.blank(at, end)
	from := at
	for at < end && (p.Src[at] >= 'a' && p.Src[at] <= 'z' || p.Src[at] == '_') {
		at++
	}
	word := string(p.Src[from:at])
	at = p.blank(at, end)
	p.seen++
	switch word {
	case "if", "ifdef", "ifndef":
		p.begin(word, at, end)
	case "else", "elif", "elifdef", "elifndef":
		p.turn()
	case "endif":
		p.finish()
	case "include", "import", "include_next":
		if p.dead == 0 {
			p.include(at, end)
		}
	case "define":
		if p.dead == 0 {
			p.define(t, at, end, last)
		}
	}
}

// blank returns the offset after the space from at on.
func (p *pairing) blank(at, end int) int {
	for at < end && (p.Src[at] == ' ' || p.Src[at] == '\t' || p.Src[at] == '\\' || p.Src[at] == '\r' || p.Src[at] == '\n') {
		at++
	}
	return at
}

// ident returns the offset after the name at an offset.
func (p *pairing) ident(at, end int) int {
	for at < end && (alnum(p.Src[at]) || p.Src[at] == '_' || p.Src[at] == '$' || p.Src[at] >= 0x80) {
		at++
	}
	return at
}

func (p *pairing) begin(word string, at, end int) {
	c := choice{}
	name := string(p.Src[at:p.ident(at, end)])
	if word == "ifndef" && p.seen == 1 {
		p.guard, c.guard = name, true
	}
	if word == "if" && p.seen == 1 && p.Src[min(at, len(p.Src)-1)] == '!' {
		c.guard = true
	}
	if p.dead == 0 && len(p.open) <= maxSaved {
		c.before, c.saved = slices.Clone(p.open), true
	}
	if word == "if" && name == "0" {
		c.dead = true
		p.dead++
	}
	c.fixed = word == "if" && name == "1" && p.ident(at, end) == end
	p.choices = append(p.choices, c)
}

func (p *pairing) turn() {
	if len(p.choices) == 0 {
		return
	}
	c := &p.choices[len(p.choices)-1]
	switch {
	case c.fixed:
		if !c.dead {
			c.dead = true
			p.dead++
		}
		return
	case c.dead:
		c.dead = false
		p.dead--
		return
	case p.dead > 0:
		return
	}
	p.drop(c)
	if !c.saved {
		return
	}
	if !c.turned {
		c.turned, c.after = true, slices.Clone(p.open[:min(len(p.open), 2*maxSaved)])
	}
	p.open = append(p.open[:0], c.before...)
}

func (p *pairing) finish() {
	if len(p.choices) == 0 {
		return
	}
	c := &p.choices[len(p.choices)-1]
	if c.dead {
		p.dead--
	} else if c.turned && p.dead == 0 {
		p.drop(c)
		p.open = append(p.open[:0], c.after...)
	}
	p.choices = p.choices[:len(p.choices)-1]
}

// drop pairs what a later branch left open as the first did.
func (p *pairing) drop(c *choice) {
	if !c.turned {
		return
	}
	for k := len(c.before); k < len(p.open) && k < len(c.after); k++ {
		if p.open[k] > c.after[k] {
			p.twins = append(p.twins, [2]int32{p.open[k], c.after[k]})
		}
	}
}

// close pairs a closing bracket with the innermost open one of its sort. One that
// an earlier branch has closed too ends with the later one.
func (p *pairing) close(out []scan.Token, at int32) {
	want := byte('(')
	switch p.Src[out[at].At] {
	case ']':
		want = '['
	case '}':
		want = '{'
	}
	for k := len(p.open) - 1; k >= 0 && k > len(p.open)-maxApart; k-- {
		c := p.Src[out[p.open[k]].End-1]
		if c != want {
			if want != '{' && c == '{' {
				return
			}
			continue
		}
		for _, o := range p.open[k:] {
			if out[o].Pair < 0 {
				out[o].Pair = at
			}
		}
		if around := k - 1; around < 0 || out[p.open[around]].Pair < 0 || out[p.open[around]].Pair > at {
			out[p.open[k]].Pair = at
		}
		out[at].Pair = p.open[k]
		p.open = p.open[:k]
		return
	}
}

// include reads what stands behind #include.
func (p *pairing) include(at, end int) {
	if at >= end {
		return
	}
	m := corpus.Import{Kind: corpus.Relative, At: at + 1}
	quote := p.Src[at]
	switch quote {
	case '"':
	case '<':
		quote, m.Kind = '>', corpus.System
	default:
		return
	}
	k := at + 1
	for k < end && p.Src[k] != quote && p.Src[k] != '\n' {
		k++
	}
	if k == at+1 || k >= end || p.Src[k] != quote {
		return
	}
	m.Path = string(p.Src[at+1 : k])
	for _, c := range p.choices {
		if !c.guard {
			m.Kind |= corpus.Conditional
		}
	}
	p.Out.Imports = append(p.Out.Imports, m)
}

// maxMacro bounds how long the parameters of a macro may be.
const maxMacro = 4000

// define reads a macro; the text before it ends at last.
func (p *pairing) define(t scan.Token, at, end, last int) {
	after := p.ident(at, end)
	if after == at {
		return
	}
	d := corpus.Decl{Kind: corpus.Macro, Name: string(p.Src[at:after]), NameAt: at, Exported: true, Span: corpus.Span{Start: int(t.At), End: end}}
	if p.guard == d.Name && p.seen == 2 {
		return
	}
	if len(p.choices) > 0 && p.seen == 2 && p.choices[0].guard {
		p.guard = d.Name
		if p.blank(after, end) == end {
			return
		}
	}
	d.Body = after
	if after < end && p.Src[after] == '(' {
		d.Params = []string{}
		from := after + 1
		for k := from; k < min(end, from+maxMacro); k++ {
			if c := p.Src[k]; c == ',' || c == ')' {
				if a, b := p.trim(from, k); a < b {
					d.Params = append(d.Params, string(p.Src[a:b]))
				}
				from = k + 1
				if c == ')' {
					d.Body = from
					break
				}
			}
		}
	}
	d.Body = min(p.blank(d.Body, end), end)
	if doc := p.Doc(int(t.At)); doc.Start < doc.End && doc.Start >= last {
		d.Doc, d.Span.Start = doc, doc.Start
	}
	p.Out.Decls = append(p.Out.Decls, d)
}

// trim returns the offsets of a text without the space around it.
func (p *pairing) trim(from, end int) (int, int) {
	from = p.blank(from, end)
	for end > from && (p.Src[end-1] <= ' ' || p.Src[end-1] == '\\') {
		end--
	}
	return from, end
}
