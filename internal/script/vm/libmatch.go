package vm

import (
	"strings"

	"github.com/assay-dev/assay/internal/script/pattern"
)

func (c Call) capture(s string, k pattern.Capture) Value {
	if k.Position {
		return Int(int64(k.Start + 1))
	}
	return c.slice(s, k.Start, k.End)
}

// captures pushes those of the last match, or the whole where there is none.
func (c Call) captures(m *pattern.Matcher, s string, from, to int) int {
	caps := m.Captures()
	if len(caps) == 0 {
		return c.Return(c.slice(s, from, to))
	}
	for _, k := range caps {
		c.Push(c.capture(s, k))
	}
	return len(caps)
}

func strFind(c Call) int  { return c.find(true) }
func strMatch(c Call) int { return c.find(false) }

func (c Call) find(find bool) int {
	s, p := c.Str(1), c.Str(2)
	init := c.OptInt(3, 1)
	if init < 0 {
		init = max(int64(len(s))+init+1, 1)
	}
	init = max(init-1, 0)
	if init > int64(len(s)) {
		return c.Return(Nil)
	}
	at := int(init)
	if find && (c.Arg(4).Truth() || !pattern.Special(p)) {
		i := strings.Index(s[at:], p)
		if i < 0 {
			return c.Return(Nil)
		}
		return c.Return(Int(int64(at+i+1)), Int(int64(at+i+len(p))))
	}
	m := c.matcher(c.pattern(p, true), s)
	from, to, ok := m.Find(at)
	if !ok {
		return c.Return(Nil)
	}
	if !find {
		return c.captures(m, s, from, to)
	}
	n := c.Return(Int(int64(from+1)), Int(int64(to)))
	if len(m.Captures()) > 0 {
		n += c.captures(m, s, from, to)
	}
	return n
}

func strGmatch(c Call) int {
	s := c.Str(1)
	p := c.pattern(c.Str(2), false)
	at := c.OptInt(3, 1)
	if at < 0 {
		at = max(int64(len(s))+at+1, 1)
	}
	next, last := int(min(max(at-1, 0), int64(len(s))+1)), -1
	m := c.matcher(p, s)
	return c.Return(c.th.st.NewClosure("gmatch", c.Arg(1), func(c Call) int {
		for next <= len(s) {
			from, to, ok := m.Find(next)
			if !ok {
				break
			}
			if to == last { // the empty match at the end of the one before
				next = from + 1
				continue
			}
			next, last = to, to
			return c.captures(m, s, from, to)
		}
		next = len(s) + 1
		return c.Return(Nil)
	}))
}

// A substitution is one call of gsub.
type substitution struct {
	c    Call
	s    string
	m    *pattern.Matcher
	b    []byte
	seen int   // how much of b has been counted
	repl Value // a string, a table or a function
}

func strGsub(c Call) int {
	s := c.Str(1)
	p := c.pattern(c.Str(2), true)
	g := &substitution{c: c, s: s, repl: c.Arg(3)}
	switch k := g.repl.Kind(); {
	case k == KindString, k == KindTable, g.repl.IsFunction():
	case g.repl.IsNumber():
		g.repl = c.toString(g.repl).Of()
	default:
		c.Expected(3, "string/function/table")
	}
	limit := c.OptInt(4, int64(len(s))+1)
	g.m = c.matcher(p, s)
	copied, at, last := 0, 0, -1 // s[:copied] is in b
	var n int64
	changed := false
	for n < limit {
		from, to, ok := g.m.Find(at)
		if !ok {
			break
		}
		if to == last {
			if at = from + 1; at > len(s) || p.Anchored() {
				break
			}
			continue
		}
		n++
		g.add(s[copied:from])
		if g.replace(from, to) {
			changed = true
		}
		copied, at, last = to, to, to
		if p.Anchored() {
			break
		}
	}
	if !changed {
		return c.Return(c.toString(c.Arg(1)).Of(), Int(n))
	}
	g.add(s[copied:])
	return c.Return(c.Bytes(g.b), Int(n))
}

// add writes a part of the result.
func (g *substitution) add(s string) {
	g.c.th.st.step(1)
	if n := len(g.b) + len(s); n-g.seen > 1<<16 {
		g.seen = n
		g.c.Room(int64(2 * n))
		g.c.th.st.step(len(s) >> 8)
	}
	g.b = append(g.b, s...)
}

// replace writes the replacement of a match, and reports whether it differs from the match.
func (g *substitution) replace(from, to int) bool {
	c := g.c
	var v Value
	switch g.repl.Kind() {
	case KindString:
		g.template((*String)(g.repl.p).s, from, to)
		return true
	case KindTable:
		first := c.slice(g.s, from, to)
		if caps := g.m.Captures(); len(caps) > 0 {
			first = c.capture(g.s, caps[0])
		}
		v = c.Index(g.repl, first)
	default:
		var buf [4]Value
		all := buf[:0]
		for _, k := range g.m.Captures() {
			all = append(all, c.capture(g.s, k))
		}
		if len(all) == 0 {
			all = append(all, c.slice(g.s, from, to))
		}
		v = c.Call1(g.repl, all...)
	}
	switch {
	case !v.Truth():
		g.add(g.s[from:to])
		return false
	case v.Kind() == KindString:
		g.add((*String)(v.p).s)
	case v.IsNumber():
		g.b = appendNumber(g.b, v)
	default:
		c.Fail("invalid replacement value (a %s)", v.TypeName())
	}
	return true
}

// template writes a replacement: %0 is the match, %1 a capture, %% a %.
func (g *substitution) template(t string, from, to int) {
	for {
		i := strings.IndexByte(t, '%')
		if i < 0 {
			g.add(t)
			return
		}
		g.add(t[:i])
		if i+1 == len(t) {
			g.c.Fail("invalid use of '%%' in replacement string")
		}
		d := t[i+1]
		t = t[i+2:]
		caps := g.m.Captures()
		switch {
		case d == '%':
			g.b = append(g.b, '%')
		case d == '0', d == '1' && len(caps) == 0:
			g.add(g.s[from:to])
		case '1' <= d && d <= '9':
			n := int(d - '1')
			if n >= len(caps) {
				g.c.Fail("invalid capture index %%%d", n+1)
			}
			if k := caps[n]; k.Position {
				g.b = appendNumber(g.b, Int(int64(k.Start+1)))
			} else {
				g.add(g.s[k.Start:k.End])
			}
		default:
			g.c.Fail("invalid use of '%%' in replacement string")
		}
	}
}
