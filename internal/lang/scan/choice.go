package scan

import "slices"

const (
	maxSaved = 64 // open brackets that a branch remembers
	maxApart = 64 // brackets of other sorts between an opening and its closing one
)

// A Choice is an #if that has not ended.
type Choice struct {
	Dead   bool // nobody reads this branch
	Fixed  bool // the branch that was read is the only one
	Guard  bool // it only keeps the text from being read twice
	before []int32
	after  []int32 // what is open after the first branch, once that has ended
	saved  bool    // before is all that was open
	turned bool
}

// Choices finds the partners of brackets again where the preprocessor chooses between
// texts: all branches begin with what was open before the first, and what follows goes
// on with what the first left open.
type Choices struct {
	*Source
	Open  []Choice
	later bool
	dead  int // choices whose branch nobody reads
	open  []int32
	twins [][2]int32 // a bracket of a later branch, and its like in the first
}

// Choose takes the lines for the preprocessor out of the tokens. For each of them it
// calls directive, which may Begin, Turn and End a choice; last is where the token
// before it ends. A bracket that several branches close ends with the first of them
// or, with later, with the last.
func (s *Source) Choose(later bool, directive func(c *Choices, t Token, last int)) {
	if !slices.ContainsFunc(s.Toks, func(t Token) bool { return t.Kind == Directive }) {
		return
	}
	c := Choices{Source: s, later: later}
	out := s.Toks[:0]
	last := 0
	for _, t := range s.Toks {
		if t.Kind == Directive {
			directive(&c, t, last)
			last = int(t.End)
			continue
		}
		if c.dead > 0 {
			continue
		}
		last = int(t.End)
		t.Pair = -1
		out = append(out, t)
		switch at := int32(len(out) - 1); t.Kind {
		case Open:
			c.open = append(c.open, at)
		case Close:
			c.close(out, at)
		}
	}
	s.Toks = out
	for i := range out {
		if t := &out[i]; t.Kind == Open && t.Pair < 0 {
			t.Pair = int32(len(out))
		}
	}
	for _, t := range c.twins {
		if pair := out[t[1]].Pair; pair > t[0] {
			out[t[0]].Pair = pair
		}
	}
}

// Dead reports whether nobody reads the branch under way.
func (c *Choices) Dead() bool { return c.dead > 0 }

func (c *Choices) Begin(x Choice) {
	if c.dead == 0 && len(c.open) <= maxSaved {
		x.before, x.saved = slices.Clone(c.open), true
	}
	if x.Dead {
		c.dead++
	}
	c.Open = append(c.Open, x)
}

// Turn begins the next branch of the innermost choice.
func (c *Choices) Turn() {
	if len(c.Open) == 0 {
		return
	}
	x := &c.Open[len(c.Open)-1]
	switch {
	case x.Fixed:
		if !x.Dead {
			x.Dead = true
			c.dead++
		}
		return
	case x.Dead:
		x.Dead = false
		c.dead--
		return
	case c.dead > 0:
		return
	}
	c.drop(x)
	if !x.saved {
		return
	}
	if !x.turned {
		x.turned, x.after = true, slices.Clone(c.open[:min(len(c.open), 2*maxSaved)])
	}
	c.open = append(c.open[:0], x.before...)
}

// End ends the innermost choice.
func (c *Choices) End() {
	if len(c.Open) == 0 {
		return
	}
	x := &c.Open[len(c.Open)-1]
	if x.Dead {
		c.dead--
	} else if x.turned && c.dead == 0 {
		c.drop(x)
		c.open = append(c.open[:0], x.after...)
	}
	c.Open = c.Open[:len(c.Open)-1]
}

// drop pairs what a later branch left open as the first did.
func (c *Choices) drop(x *Choice) {
	if !x.turned {
		return
	}
	for k := len(x.before); k < len(c.open) && k < len(x.after); k++ {
		if c.open[k] > x.after[k] {
			c.twins = append(c.twins, [2]int32{c.open[k], x.after[k]})
		}
	}
}

// close pairs a closing bracket with the innermost open one of its sort.
func (c *Choices) close(out []Token, at int32) {
	want := partner[c.Src[out[at].At]]
	for k := len(c.open) - 1; k >= 0 && k > len(c.open)-maxApart; k-- {
		switch have := c.Src[out[c.open[k]].End-1]; {
		case have == want:
		case want != '{' && have == '{':
			return
		default:
			continue
		}
		for _, o := range c.open[k:] {
			if out[o].Pair < 0 {
				out[o].Pair = at
			}
		}
		if around := k - 1; c.later && (around < 0 || out[c.open[around]].Pair < 0 || out[c.open[around]].Pair > at) {
			out[c.open[k]].Pair = at
		}
		out[at].Pair = c.open[k]
		c.open = c.open[:k]
		return
	}
}
