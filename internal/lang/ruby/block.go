package ruby

import (
	"github.com/assay-dev/assay/internal/lang/scan"
)

// sign reports whether token i is the one byte c, outside of strings.
func (f *file) sign(i int, c byte) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	return t.End-t.At == 1 && f.Src[t.At] == c && t.Kind != scan.Text && t.Kind != scan.Word
}

// name reports whether token i is a word that is no keyword.
func (f *file) name(i int) bool {
	return i >= 0 && i < len(f.Toks) && f.Toks[i].Kind == scan.Word && f.Toks[i].Key == 0
}

// word reports whether token i is a word, a keyword or none.
func (f *file) word(i int) bool {
	return i >= 0 && i < len(f.Toks) && f.Toks[i].Kind == scan.Word
}

// first returns the first byte of token i; 0 where it has none.
func (f *file) first(i int) byte {
	if i < 0 || i >= len(f.Toks) || f.Toks[i].At == f.Toks[i].End {
		return 0
	}
	return f.Src[f.Toks[i].At]
}

// access reports whether token i stands between a thing and its member.
func (f *file) access(i int) bool {
	if i < 0 || i >= len(f.Toks) || f.Toks[i].Kind != scan.Punct {
		return false
	}
	t := &f.Toks[i]
	switch t.End - t.At {
	case 1:
		return f.Src[t.At] == '.'
	case 2:
		return f.Src[t.At+1] == '.' && f.Src[t.At] == '&' || f.Src[t.At] == ':' && f.Src[t.At+1] == ':'
	}
	return false
}

// label reports whether token i is a key: "name:".
func (f *file) label(i int) bool { return f.Adjacent(i) && f.sign(i+1, ':') }

// past returns the token after i, or after the bracket or block that i opens.
func (f *file) past(i int) int {
	if i >= 0 && i < len(f.Toks) && int(f.Toks[i].Pair) > i {
		return min(int(f.Toks[i].Pair)+1, len(f.Toks))
	}
	return i + 1
}

// closes returns the last token of what token i opens.
func (f *file) closes(i int) int {
	p := f.Pair(i)
	if p < len(f.Toks) && int(f.Toks[p].Pair) == i {
		return p
	}
	return p - 1
}

// keys makes mere words of keywords that are the names of methods and of keys.
func (f *file) keys() {
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Key == 0 {
			continue
		}
		switch {
		case i > 0 && f.access(i-1), f.label(i) && !f.ternary(i):
			t.Key = 0
		case i > 0 && f.Toks[i-1].Key == scan.KDef && (!f.access(i+1) || f.Line(i+1)):
			t.Key = 0
		case t.Key == scan.KDefined && f.Src[t.End-1] != '?':
			t.Key = 0
		}
	}
}

// ternary reports whether token i, which a colon follows, comes after ? with space
// around it.
func (f *file) ternary(i int) bool { return f.sign(i-1, '?') }

// modifier reports whether the keyword at token i stands behind what it is about.
func (f *file) modifier(i int) bool {
	t := &f.Toks[i]
	if t.Line || i == 0 {
		return false
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Close, scan.Text, scan.Number:
		return true
	case scan.Punct:
		return f.sign(i-2, '.') // the name of a method
	case scan.Word:
		switch p.Key {
		case 0, scan.KEnd, scan.KSelf, scan.KNil, scan.KTrue, scan.KFalse, scan.KReturn, scan.KBreak, scan.KNext, scan.KRedo, scan.KRetry, scan.KYield, scan.KSuper, scan.KFileName, scan.KLineNumber, scan.KRescue:
			return true
		}
	}
	return false
}

// continued reports whether token i, the first of its line, goes on with what came
// before.
func (f *file) continued(i int) bool {
	if i == 0 {
		return false
	}
	if f.access(i) && !f.Is(i, "::") {
		return true
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Punct:
		return !f.sign(i-1, ';') && !f.sign(i-1, '|') && !f.sign(i-2, '.')
	case scan.Word:
		return p.Key == scan.KAnd || p.Key == scan.KOr || p.Key == scan.KNot
	}
	return false
}

// endless returns whether the method at token i is def f(…) = …, and the token of
// its sign.
func (f *file) endless(i int) (int, bool) {
	k := i + 1
	if f.word(k) && f.access(k+1) && !f.Line(k+1) {
		k += 2
	} else if f.sign(k, '(') && f.sign(f.Pair(k)+1, '.') {
		k = f.Pair(k) + 2
	}
	if !f.word(k) {
		// An operator.
		from := k
		for k < len(f.Toks) && k < from+4 && !f.sign(k, '(') && !f.word(k) && (k == from || f.Adjacent(k-1)) {
			k++
		}
	} else if k++; f.sign(k, '=') && f.Adjacent(k-1) {
		return 0, false // a setter
	}
	if f.sign(k, '(') && !f.Line(k) {
		k = f.Past(k)
	}
	return k, f.sign(k, '=') && !f.Line(k)
}

// What is open is a bracket or a block.
type open struct {
	tok, column int
	bracket     bool
	waits       bool // a loop whose do may come
}

type matching struct {
	*file
	open   []open
	column int // of the line
	mend   bool
	sound  bool
}

// match pairs what opens a block with its end, as brackets are paired, and reports
// whether every block had its end. With mend, indentation says where a block that
// has none is over.
func (f *file) match(mend bool) bool {
	m := matching{file: f, mend: mend, sound: true}
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Line || f.sign(i, ';') {
			m.line(i)
		}
		switch t.Kind {
		case scan.Open:
			m.push(i, true, false)
		case scan.Close:
			m.close(i)
		case scan.Word:
			if t.Key != 0 {
				m.keyword(i)
			}
		}
	}
	m.sound = m.sound && len(m.open) == 0
	m.drop(0, len(f.Toks))
	return m.sound
}

func (m *matching) push(i int, bracket, waits bool) {
	m.open = append(m.open, open{i, m.column, bracket, waits})
}

// drop lets what is open beyond keep end before a token.
func (m *matching) drop(keep, at int) {
	for _, o := range m.open[keep:] {
		m.Toks[o.tok].Pair = int32(at)
	}
	m.open = m.open[:keep]
}

func (m *matching) line(i int) {
	if n := len(m.open); n > 0 && m.open[n-1].waits && !m.continued(i) {
		m.open[n-1].waits = false
	}
	if !m.mend || !m.Toks[i].Line {
		return
	}
	m.column = m.Column(i)
	keep := len(m.open)
	switch m.Toks[i].Key {
	case scan.KDef, scan.KClass, scan.KModule:
		for keep > 0 && m.open[keep-1].column >= m.column {
			keep--
		}
	case scan.KEnd:
		for keep > 0 && m.open[keep-1].column > m.column {
			keep--
		}
		if keep == 0 || m.open[keep-1].column != m.column {
			keep = len(m.open)
		}
	}
	m.drop(keep, i)
}

func (m *matching) close(i int) {
	p := int(m.Toks[i].Pair)
	keep := len(m.open)
	if p < 0 {
		return
	}
	for keep > 0 && m.open[keep-1].tok > p {
		keep--
		m.sound = false
	}
	m.drop(keep, i)
	if keep > 0 && m.open[keep-1].tok == p {
		m.open = m.open[:keep-1]
	}
}

func (m *matching) keyword(i int) {
	t := &m.Toks[i]
	switch t.Key {
	case scan.KDef:
		if _, ok := m.endless(i); !ok {
			m.push(i, false, false)
		}
	case scan.KClass, scan.KModule, scan.KBegin, scan.KCase:
		m.push(i, false, false)
	case scan.KIf, scan.KUnless:
		if !m.modifier(i) {
			m.push(i, false, false)
		}
	case scan.KWhile, scan.KUntil, scan.KFor:
		if !m.modifier(i) {
			m.push(i, false, true)
		}
	case scan.KDo:
		if n := len(m.open); n > 0 && m.open[n-1].waits {
			m.open[n-1].waits = false
			t.Key = scan.KThen // it opens nothing
			return
		}
		m.push(i, false, false)
	case scan.KEnd:
		m.end(i)
	}
}

// end pairs the end at token i with the innermost block.
func (m *matching) end(i int) {
	t := &m.Toks[i]
	t.Pair = -1
	n := len(m.open) - 1
	for n >= 0 && m.open[n].bracket {
		n--
	}
	if n < 0 {
		m.sound = false
		return
	}
	if n < len(m.open)-1 {
		m.sound = false
		m.drop(n+1, i)
	}
	t.Pair = int32(m.open[n].tok)
	m.Toks[m.open[n].tok].Pair = int32(i)
	m.open = m.open[:n]
}
