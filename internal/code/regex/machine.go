package regex

import (
	"bytes"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A machine is what one goroutine needs to run a pattern over a text.
type machine struct {
	p    *Pattern
	fore *dfa
	back *dfa
	hunt hunt
	text []byte
	// useful is set while looking for the needles first is worth it.
	useful  bool
	tries   int
	lineEnd int // of the line the last needle was on
}

// A filter that stops this often, in bytes, costs more than it saves.
const minGap = 48

func (p *Pattern) machine(text []byte) *machine {
	m, _ := p.pool.Get().(*machine)
	if m == nil {
		m = &machine{p: p}
	}
	m.text, m.tries, m.lineEnd = text, 0, -1
	// Where a needle ignores case, it does so for ASCII alone.
	m.useful = len(p.lits.needles) > 0 && !(p.lits.foldsWide && hasWideFolds(text))
	if m.useful {
		m.hunt.reset(p.lits.needles, text)
	}
	return m
}

func (m *machine) release() {
	m.text, m.hunt.text = nil, nil
	m.p.pool.Put(m)
}

// next returns the first match that begins at pos or later.
func (m *machine) next(pos int) (corpus.Span, bool) {
	if m.useful && m.p.lits.whole {
		return m.literal(pos)
	}
	if m.fore == nil {
		m.fore = newDFA(m.p.forward, m.p.alpha, true, m.p.limit)
		m.back = newDFA(m.p.backward, m.p.alpha, false, m.p.limit)
	}
	for pos <= len(m.text) {
		lo, hi, ok := m.window(pos)
		if !ok {
			break
		}
		if end := m.fore.forward(m.text, lo, hi); end == lo {
			return corpus.Span{Start: end, End: end}, true
		} else if end > lo {
			return corpus.Span{Start: m.back.backward(m.text, end, lo), End: end}, true
		}
		pos = hi + 1
	}
	return corpus.Span{}, false
}

// window returns the next stretch of text that may hold a match.
func (m *machine) window(pos int) (lo, hi int, ok bool) {
	lo, hi = pos, len(m.text)
	if !m.useful {
		return lo, hi, true
	}
	at := m.hunt.next(pos)
	if at < 0 {
		return 0, 0, false
	}
	m.tries++
	m.useful = m.tries < 64 || at/m.tries >= minGap
	if m.p.lits.first {
		lo = at
	} else if !m.p.multi {
		lo = pos + bytes.LastIndexByte(m.text[pos:at], '\n') + 1
	}
	if !m.p.multi {
		if at > m.lineEnd {
			m.lineEnd = lineEnd(m.text, at)
		}
		hi = m.lineEnd
	}
	return lo, hi, true
}

// literal is next for a pattern that is nothing but its needles.
func (m *machine) literal(pos int) (corpus.Span, bool) {
	for {
		at := m.hunt.next(pos)
		if at < 0 {
			return corpus.Span{}, false
		}
		for i, n := range m.p.lits.needles {
			s := corpus.Span{Start: at, End: at + len(n.text)}
			if m.hunt.at[i] == at && (!m.p.word || m.alone(s)) {
				return s, true
			}
		}
		pos = at + 1
	}
}

// alone reports whether s has no word character directly before or after it.
func (m *machine) alone(s corpus.Span) bool {
	before, n := utf8.DecodeLastRune(m.text[:s.Start])
	if n > 0 && isWord(before) {
		return false
	}
	after, n := utf8.DecodeRune(m.text[s.End:])
	return n == 0 || !isWord(after)
}
