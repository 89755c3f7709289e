package lua

import (
	"strings"

	"github.com/assay-dev/assay/internal/lua/pattern"
)

// maxSteps is what a match may take that cannot be linear: seconds.
const maxSteps = 1 << 28

// maxPatterns is how many compiled patterns a VM keeps.
const maxPatterns = 256

type patternKey struct {
	src     string
	anchors bool
}

func (c call) pattern(src string, anchors bool) *pattern.Pattern {
	vm := c.vm()
	k := patternKey{src, anchors}
	if p := vm.patterns[k]; p != nil {
		return p
	}
	if len(src) > longPattern {
		c.fail("pattern of more than %d bytes", longPattern)
	}
	p, err := pattern.Compile(src, anchors)
	if err != nil {
		c.fail("%v", err)
	}
	if len(vm.patterns) >= maxPatterns || vm.patterns == nil {
		vm.patterns = map[patternKey]*pattern.Pattern{}
	}
	vm.patterns[k] = p
	return p
}

func (c call) matcher(p *pattern.Pattern, s string) *pattern.Matcher {
	var m *pattern.Matcher
	m = p.Match(s, func() {
		if m.Steps() > maxSteps {
			c.fail("pattern too complex")
		}
		c.check()
	})
	return m
}

// capture returns what a capture holds.
func capture(s string, k pattern.Capture) value {
	if k.Position {
		return count(k.Start + 1)
	}
	return str(s[k.Start:k.End])
}

// captures pushes those of the last match, or the whole where there is none.
func (c call) captures(m *pattern.Matcher, s string, from, to int) int {
	caps := m.Captures()
	if len(caps) == 0 {
		return c.ret(str(s[from:to]))
	}
	for _, k := range caps {
		c.ret(capture(s, k))
	}
	return len(caps)
}

func strFind(c call) int  { return c.find(true) }
func strMatch(c call) int { return c.find(false) }

func (c call) find(find bool) int {
	s, p := c.str(1), c.str(2)
	init := c.optInt(3, 1)
	if init < 0 {
		init = max(int64(len(s))+init+1, 1)
	}
	init = max(init-1, 0)
	if init > int64(len(s)) {
		return c.ret(none)
	}
	at := int(init)
	if find && (truth(c.arg(4)) || !pattern.Special(p)) {
		i := strings.Index(s[at:], p)
		if i < 0 {
			return c.ret(none)
		}
		return c.rets(count(at+i+1), count(at+i+len(p)))
	}
	m := c.matcher(c.pattern(p, true), s)
	from, to, ok := m.Find(at)
	if !ok {
		return c.ret(none)
	}
	if !find {
		return c.captures(m, s, from, to)
	}
	n := c.rets(count(from+1), count(to))
	if len(m.Captures()) > 0 {
		n += c.captures(m, s, from, to)
	}
	return n
}

func strGmatch(c call) int {
	s := c.str(1)
	p := c.pattern(c.str(2), false)
	at := c.optInt(3, 1)
	if at < 0 {
		at = max(int64(len(s))+at+1, 1)
	}
	next, last := int(min(max(at-1, 0), int64(len(s))+1)), -1
	m := c.matcher(p, s)
	return c.ret(fn("gmatch", func(c call) int {
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
		return c.ret(none)
	}))
}

// A replacer writes what takes a match's place and reports whether it changed
// anything.
type replacer func(b *strings.Builder, m *pattern.Matcher, from, to int) bool

// longPattern is how many bytes a pattern may have: what it is compiled to takes many
// times as much.
const longPattern = 64 << 10

func strGsub(c call) int {
	s := c.str(1)
	p := c.pattern(c.str(2), true)
	replace := c.replacer(s)
	limit := c.optInt(4, int64(len(s))+1)
	m := c.matcher(p, s)
	var b strings.Builder
	copied, at, last := 0, 0, -1 // s[:copied] is in b
	var n int64
	changed, seen := false, 0
	for n < limit {
		from, to, ok := m.Find(at)
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
		c.at(n)
		b.WriteString(s[copied:from])
		if replace(&b, m, from, to) {
			changed = true
		}
		c.grown(b.Len(), &seen)
		copied, at, last = to, to, to
		if p.Anchored() {
			break
		}
	}
	if !changed {
		return c.rets(c.arg(1), whole(n))
	}
	b.WriteString(s[copied:])
	return c.rets(str(b.String()), whole(n))
}

// replacer makes one of the third argument of gsub.
func (c call) replacer(s string) replacer {
	repl := c.arg(3)
	if _, ok := text(repl); ok {
		return c.template(s, c.str(3))
	}
	var lookup func(k value, all []value) value
	if t, ok := c.asTable(3); ok {
		lookup = func(k value, _ []value) value { return c.index(t, k) }
	} else if f, ok := c.asFunc(3); ok {
		lookup = func(_ value, all []value) value { return c.apply(f, all...) }
	} else {
		c.expected(3, "string/function/table")
	}
	return func(b *strings.Builder, m *pattern.Matcher, from, to int) bool {
		var buf [4]value
		all := buf[:0]
		for _, k := range m.Captures() {
			all = append(all, capture(s, k))
		}
		if len(all) == 0 {
			all = append(all, str(s[from:to]))
		}
		v := lookup(all[0], all)
		if !truth(v) {
			b.WriteString(s[from:to])
			return false
		}
		r, ok := text(v)
		if !ok {
			c.fail("invalid replacement value (a %s)", typeName(v))
		}
		c.room(int64(len(r)))
		b.WriteString(r)
		return true
	}
}

// template is the replacer of a string: %0 is the match, %1 a capture, %% a %.
func (c call) template(s, t string) replacer {
	if strings.IndexByte(t, '%') < 0 {
		return func(b *strings.Builder, _ *pattern.Matcher, _, _ int) bool {
			b.WriteString(t)
			return true
		}
	}
	return func(b *strings.Builder, m *pattern.Matcher, from, to int) bool {
		seen := b.Len()
		for i := 0; i < len(t); i++ {
			c.grown(b.Len(), &seen) // %0 may be long, and be there many times
			if t[i] != '%' {
				b.WriteByte(t[i])
				continue
			}
			i++
			if i == len(t) {
				c.fail("invalid use of '%%' in replacement string")
			}
			switch d := t[i]; {
			case d == '%':
				b.WriteByte('%')
			case d == '0', d == '1' && len(m.Captures()) == 0:
				b.WriteString(s[from:to])
			case '1' <= d && d <= '9':
				n := int(d - '1')
				if n >= len(m.Captures()) {
					c.fail("invalid capture index %%%d in replacement string", n+1)
				}
				v, _ := text(capture(s, m.Captures()[n]))
				b.WriteString(v)
			default:
				c.fail("invalid use of '%%' in replacement string")
			}
		}
		return true
	}
}
