package elixir

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

// op reports whether token i is an operator of two bytes.
func (f *file) op(i int, a, b byte) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	return t.Kind == scan.Punct && t.End-t.At == 2 && f.Src[t.At] == a && f.Src[t.At+1] == b
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

// module reports whether token i is, or ends, the name of a module.
func (f *file) module(i int) bool {
	return f.word(i) && upper(f.first(i)) || f.name(i) && f.Is(i, "__MODULE__") || f.Kind(i) == scan.Text && f.first(i) == ':'
}

// variable reports whether token i is a name that may be a variable.
func (f *file) variable(i int) bool {
	return f.name(i) && !upper(f.first(i)) && !f.sign(i-1, '.') && !f.label(i) && f.first(i) != 0
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

// keys makes mere words of keywords that are members, keys or variables, and parts
// of strings of the letters behind a sigil.
func (f *file) keys() {
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Kind != scan.Word {
			continue
		}
		if i > 0 && f.Toks[i-1].Kind == scan.Text && f.Toks[i-1].End == t.At {
			t.Kind, t.Key = scan.Text, 0
			continue
		}
		if t.Key == 0 {
			continue
		}
		switch {
		case f.sign(i-1, '.'), f.label(i), f.sign(i-1, '@') && f.Adjacent(i-1):
			t.Key = 0
		case t.Key != scan.KDo && t.Key != scan.KEnd && t.Key != scan.KFn && f.plain(i):
			t.Key = 0
		}
	}
}

// plain reports whether the word at token i, which has a meaning before an
// argument, has none, or is defined here.
func (f *file) plain(i int) bool {
	switch f.Toks[i].Key {
	case scan.KAnd, scan.KOr, scan.KNot, scan.KIn, scan.KWhen, scan.KAfter, scan.KElse, scan.KRescue, scan.KCatch, scan.KTrue, scan.KFalse, scan.KNil:
		return false
	}
	switch f.Key(i - 1) {
	case scan.KDef, scan.KDefp, scan.KDefmacro, scan.KDefmacrop, scan.KDefguard, scan.KDefdelegate:
		return f.Toks[i].Key != scan.KUnquote
	}
	if i+1 >= len(f.Toks) || f.Toks[i+1].Line {
		return f.Toks[i].Key != scan.KQuote && f.Toks[i].Key != scan.KTry
	}
	switch t := &f.Toks[i+1]; t.Kind {
	case scan.Close:
		return true
	case scan.Punct:
		switch f.Src[t.At] {
		case ',', '=', '.', '|', ';', '/':
			return true
		case '-', '<':
			return t.End-t.At > 1 && f.Src[t.End-1] != '<'
		}
	case scan.Word:
		return t.Key == scan.KIn || t.Key == scan.KAnd || t.Key == scan.KOr || t.Key == scan.KWhen
	}
	return false
}

// unary reports whether token i is a sign that stands before what it is about.
func (f *file) unary(i int) bool {
	t := &f.Toks[i]
	switch t.End - t.At {
	case 1:
		switch f.Src[t.At] {
		case '-', '+', '!', '^', '&', '@', '%', '~':
			return true
		}
	case 2:
		return f.op(i, '<', '<') || f.op(i, '.', '.')
	case 3:
		return f.Is(i, "...") || f.Is(i, "~~~")
	}
	return false
}

// continued reports whether token i, the first of its line, goes on with what came
// before.
func (f *file) continued(i int) bool {
	if i == 0 {
		return false
	}
	switch t := &f.Toks[i]; t.Kind {
	case scan.Punct:
		if !f.unary(i) && !f.sign(i, ';') {
			return true
		}
	case scan.Word:
		switch t.Key {
		case scan.KAnd, scan.KOr, scan.KIn, scan.KWhen:
			return true
		}
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Punct:
		return !f.sign(i-1, ';') && !f.op(i-1, '-', '>') && !f.op(i-1, '>', '>')
	case scan.Word:
		switch p.Key {
		case scan.KAnd, scan.KOr, scan.KNot, scan.KIn, scan.KWhen:
			return true
		}
	}
	return false
}

// What is open is a bracket or a block.
type open struct {
	tok, column int
	bracket     bool
}

type matching struct {
	*file
	open   []open
	column int // of the line
	mend   bool
	sound  bool
}

// match pairs do and fn with end, as brackets are paired, and reports whether every
// block had its end. With mend, indentation says where a block that has none is
// over.
func (f *file) match(mend bool) bool {
	m := matching{file: f, mend: mend, sound: true}
	for i := range f.Toks {
		t := &f.Toks[i]
		if mend && t.Line {
			m.line(i)
		}
		switch t.Kind {
		case scan.Open:
			m.open = append(m.open, open{i, m.column, true})
		case scan.Close:
			m.close(i)
		case scan.Word:
			switch t.Key {
			case scan.KDo, scan.KFn:
				m.open = append(m.open, open{i, m.column, false})
			case scan.KEnd:
				m.end(i)
			}
		}
	}
	m.sound = m.sound && len(m.open) == 0
	m.drop(0, len(f.Toks))
	return m.sound
}

// drop lets what is open beyond keep end before a token.
func (m *matching) drop(keep, at int) {
	for _, o := range m.open[keep:] {
		m.Toks[o.tok].Pair = int32(at)
	}
	m.open = m.open[:keep]
}

func (m *matching) line(i int) {
	m.column = m.Column(i)
	keep := len(m.open)
	switch m.Toks[i].Key {
	case scan.KDef, scan.KDefp, scan.KDefmacro, scan.KDefmacrop, scan.KDefmodule:
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
