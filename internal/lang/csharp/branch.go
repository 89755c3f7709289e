package csharp

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// maxSaved bounds how many open brackets a branch remembers.
const maxSaved = 64

// A choice is an #if that has not ended.
type choice struct {
	at     int     // its offset
	before []int32 // what was open
	after  []int32 // what is open after the first branch, once that has ended
	saved  bool    // before is all of it
	turned bool
}

// A pairing finds the partners of brackets anew where text is chosen between: all
// branches begin with what was open before the first, and what follows goes on
// with what the first left open.
type pairing struct {
	*reader
	open    []int32
	choices []choice
	twins   [][2]int32 // a bracket of a later branch, and its like in the first
}

// branches takes the lines that choose out of the tokens.
func (r *reader) branches() {
	if !slices.ContainsFunc(r.Toks, func(t scan.Token) bool { return t.Kind == scan.Directive }) {
		return
	}
	p := pairing{reader: r}
	out := r.Toks[:0]
	for _, t := range r.Toks {
		if t.Kind == scan.Directive {
			p.turn(t, len(out))
			continue
		}
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
		out[t[0]].Pair = out[t[1]].Pair
	}
	if len(p.choices) > 0 {
		r.chosen = append(r.chosen, corpus.Span{Start: p.choices[0].at, End: len(r.Src)})
	}
}

func (p *pairing) turn(t scan.Token, next int) {
	switch branch(p.Src[t.At:t.End]) {
	case opens:
		c := choice{at: int(t.At)}
		if len(p.open) <= maxSaved {
			c.before, c.saved = slices.Clone(p.open), true
		}
		p.choices = append(p.choices, c)
	case turns:
		if len(p.choices) == 0 {
			return
		}
		c := &p.choices[len(p.choices)-1]
		p.drop(c)
		if len(p.open) > maxSaved || !c.saved {
			return
		}
		if !c.turned {
			c.turned, c.after = true, slices.Clone(p.open)
		}
		p.open = append(p.open[:0], c.before...)
	case closes:
		if len(p.choices) == 0 {
			return
		}
		c := &p.choices[len(p.choices)-1]
		if c.turned {
			p.drop(c)
			p.open = append(p.open[:0], c.after...)
		}
		if len(p.choices) == 1 {
			p.chosen = append(p.chosen, corpus.Span{Start: c.at, End: int(t.End)})
		}
		p.choices = p.choices[:len(p.choices)-1]
	}
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

// close pairs a closing bracket with the innermost open one of its sort.
func (p *pairing) close(out []scan.Token, at int32) {
	want := byte('(')
	switch p.Src[out[at].At] {
	case ']':
		want = '['
	case '}':
		want = '{'
	}
	for k := len(p.open) - 1; k >= 0; k-- {
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
		out[at].Pair = p.open[k]
		p.open = p.open[:k]
		return
	}
}
