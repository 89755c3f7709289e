package pattern

import (
	"strings"
)

// A Capture is what a capture of a match holds: the bytes from Start to End of
// the subject or, if Position, only that place.
type Capture struct {
	Start, End int
	Position   bool
}

// maxMemory is how many words a matcher may remember places in: 32 MiB.
const maxMemory = 1 << 22

// A Matcher looks for one pattern in one subject.
type Matcher struct {
	p     *Pattern
	s     string
	poll  func() // called now and then while it looks; it may panic
	caps  [maxCaptures]Capture
	steps int
	limit int      // steps after which it begins to remember
	dead  []uint64 // by item and place: nothing matches from there
}

// Match returns a matcher. poll may be nil.
func (p *Pattern) Match(subject string, poll func()) *Matcher {
	return &Matcher{p: p, s: subject, poll: poll, limit: 4*len(subject) + 1024}
}

// Captures returns how many captures the pattern has.
func (p *Pattern) Captures() int { return p.ncap }

// Anchored reports whether the pattern begins with ^.
func (p *Pattern) Anchored() bool { return p.anchored }

// Captures returns those of the last match.
func (m *Matcher) Captures() []Capture { return m.caps[:m.p.ncap] }

// Find returns the first match that starts at init or later, or only at init if
// the pattern is anchored.
func (m *Matcher) Find(init int) (start, end int, ok bool) {
	if m.p.plain {
		i := strings.Index(m.s[init:], m.p.literal)
		if i < 0 {
			return 0, 0, false
		}
		return init + i, init + i + len(m.p.literal), true
	}
	for i := init; i <= len(m.s); i++ {
		if f := m.p.first; f != nil && !m.p.anchored {
			for i < len(m.s) && !f.has(m.s[i]) {
				i++
			}
			if i == len(m.s) {
				return 0, 0, false
			}
		}
		if e := m.At(i); e >= 0 {
			return i, e, true
		}
		if m.p.anchored {
			break
		}
	}
	return 0, 0, false
}

// At returns where a match that starts at i ends, or -1.
func (m *Matcher) At(i int) int { return m.match(0, i) }

// Steps returns how much the matcher has done so far.
func (m *Matcher) Steps() int { return m.steps }

func (m *Matcher) step(n int) {
	before := m.steps >> 14
	m.steps += n
	if m.poll != nil && m.steps>>14 != before {
		m.poll()
	}
	if m.steps > m.limit && m.dead == nil && m.p.pure {
		if n := m.p.rows*(len(m.s)+1)/64 + 1; n <= maxMemory {
			m.dead = make([]uint64, n)
		}
	}
}

func (m *Matcher) isDead(row, at int) bool {
	if m.dead == nil {
		return false
	}
	n := row*(len(m.s)+1) + at
	return m.dead[n>>6]>>(n&63)&1 != 0
}

// bury notes that nothing matches from the places from to and below to.
func (m *Matcher) bury(row, from, to int) {
	if m.dead == nil {
		return
	}
	for n := row * (len(m.s) + 1); from < to; from++ {
		m.dead[(n+from)>>6] |= 1 << ((n + from) & 63)
	}
}

// match returns where the items from i on end that match at s, or -1.
func (m *Matcher) match(i, s int) int {
	for ; i < len(m.p.items); i++ {
		it := &m.p.items[i]
		m.step(1)
		switch it.kind {
		case single:
			if it.rep != 0 {
				return m.repeat(it, i, s)
			}
			if s >= len(m.s) || !it.set.has(m.s[s]) {
				return -1
			}
			s++
		case open:
			was := m.caps[it.x]
			m.caps[it.x] = Capture{Start: s, End: -1}
			e := m.match(i+1, s)
			if e < 0 {
				m.caps[it.x] = was
			}
			return e
		case shut:
			was := m.caps[it.x]
			m.caps[it.x].End = s
			e := m.match(i+1, s)
			if e < 0 {
				m.caps[it.x] = was
			}
			return e
		case position:
			m.caps[it.x] = Capture{Start: s, End: s, Position: true}
		case end:
			if s != len(m.s) {
				return -1
			}
		case frontier:
			var before, at byte
			if s > 0 {
				before = m.s[s-1]
			}
			if s < len(m.s) {
				at = m.s[s]
			}
			if it.set.has(before) || !it.set.has(at) {
				return -1
			}
		case backref:
			c := m.caps[it.x]
			if c.Position || !strings.HasPrefix(m.s[s:], m.s[c.Start:c.End]) {
				return -1
			}
			s += c.End - c.Start
		case balance:
			if s = m.balanced(it, s); s < 0 {
				return -1
			}
		}
	}
	return s
}

// repeat matches item i, which is repeated, and what follows it.
func (m *Matcher) repeat(it *item, i, s int) int {
	if m.isDead(it.row, s) {
		return -1
	}
	switch it.rep {
	case '?':
		e := -1
		if s < len(m.s) && it.set.has(m.s[s]) {
			e = m.match(i+1, s+1)
		}
		if e < 0 {
			e = m.match(i+1, s)
		}
		if e < 0 {
			m.bury(it.row, s, s+1)
		}
		return e
	case '-':
		return m.least(it, i, s)
	}
	return m.most(it, i, s)
}

// most matches as many as it can and gives back one by one. A run that reaches a
// place that leads nowhere need not go on: what lies beyond has been tried.
func (m *Matcher) most(it *item, i, s int) int {
	n := s
	for n < len(m.s) && it.set.has(m.s[n]) && (n == s || !m.isDead(it.row, n)) {
		n++
	}
	m.step(n - s)
	low := s
	if it.rep == '+' {
		low++
	}
	for e := n; e >= low; e-- {
		if r := m.match(i+1, e); r >= 0 {
			return r
		}
	}
	m.bury(it.row, s, n+1)
	return -1
}

// least matches as few as it can.
func (m *Matcher) least(it *item, i, s int) int {
	e := s
	for ; e == s || !m.isDead(it.row, e); e++ {
		if r := m.match(i+1, e); r >= 0 {
			return r
		}
		if e == len(m.s) || !it.set.has(m.s[e]) {
			e++
			break
		}
		m.step(1)
	}
	m.bury(it.row, s, e)
	return -1
}

func (m *Matcher) balanced(it *item, s int) int {
	if s >= len(m.s) || m.s[s] != it.x {
		return -1
	}
	if it.x == it.y {
		if n := strings.IndexByte(m.s[s+1:], it.y); n >= 0 {
			return s + 1 + n + 1
		}
		return -1
	}
	depth := 1
	for i := s + 1; i < len(m.s); i++ {
		if i&0xfff == 0 {
			m.step(0x1000)
		}
		switch m.s[i] {
		case it.y:
			if depth--; depth == 0 {
				return i + 1
			}
		case it.x:
			depth++
		}
	}
	return -1
}

// Special reports whether s has a character that means more than itself.
func Special(s string) bool { return strings.ContainsAny(s, "^$*+?.([%-") }
