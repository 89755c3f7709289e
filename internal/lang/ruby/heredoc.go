package ruby

import (
	"bytes"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// heredoc reads a here-document, such as <<~ID. Its body, which is below its line, is made
// space but for the expressions in it.
func (x *lexer) heredoc(l *scan.Lexer, rest []byte) bool {
	k := 2
	indented := k < len(rest) && (rest[k] == '~' || rest[k] == '-')
	if indented {
		k++
	}
	quote := byte(0)
	if k < len(rest) && (rest[k] == '\'' || rest[k] == '"' || rest[k] == '`') {
		quote = rest[k]
		k++
	}
	from := k
	for k < len(rest) && (scan.Letter(rest[k]) || quote != 0 && rest[k] != quote && rest[k] != '\n') {
		k++
	}
	label := rest[from:k]
	if len(label) == 0 || quote == 0 && label[0] <= '9' || after(l, scan.KClass) || !begins(l, 'x') {
		return false
	}
	if quote != 0 {
		if k >= len(rest) || rest[k] != quote {
			return false
		}
		k++
	}
	eol := l.Pos + scan.LineEnd(rest)
	start := eol + 1
	if x.body > 0 && eol == x.eol {
		start = x.body
	}
	if start >= len(l.Src) {
		return false
	}
	last, end, ok := x.closing(l.Src, start, label, indented)
	if !ok {
		return false
	}
	if !x.own {
		l.Src, x.own = bytes.Clone(l.Src), true
	}
	x.eol, x.body = eol, min(end+1, len(l.Src))
	l.Emit(scan.Text, k)
	first := last
	if quote != '\'' {
		first = expression(l.Src, start, last)
	}
	if first == last {
		first = end
	} else {
		x.expressions(first, last, end)
	}
	for i := start; i < first; i++ {
		if l.Src[i] != '\n' {
			l.Src[i] = ' '
		}
	}
	return true
}

// closing returns where the line that ends a heredoc begins and ends.
func (x *lexer) closing(src []byte, start int, label []byte, indented bool) (last, end int, ok bool) {
	for at := start; at < len(src) && x.budget > 0; {
		n := bytes.Index(src[at:min(len(src), at+x.budget)], label)
		if n < 0 {
			x.budget -= len(src) - at
			return 0, 0, false
		}
		x.budget -= n + len(label)
		last, at = at+n, at+n+len(label)
		for indented && last > start && (src[last-1] == ' ' || src[last-1] == '\t') {
			last--
		}
		if (last == start || src[last-1] == '\n') && (at == len(src) || src[at] == '\n' || src[at] == '\r') {
			return last, at, true
		}
	}
	return 0, 0, false
}

// expression returns where the first expression in a heredoc begins; last where
// there is none.
func expression(src []byte, i, last int) int {
	for i < last {
		switch {
		case src[i] == '\\':
			i++
		case src[i] == '#' && src[i+1] == '{':
			return i
		}
		i++
	}
	return last
}

// expressions lets the body of a heredoc go on where its first expression ends.
func (x *lexer) expressions(first, last, end int) {
	str := &scan.String{}
	str.Ends = func(src []byte, from int) int {
		if from < last {
			if at := expression(src, from, last); at < last {
				x.at, x.str = at, str
				return at
			}
		}
		return max(end, from)
	}
	if x.bodies == nil {
		x.bodies = map[int]*scan.String{}
	}
	x.bodies[first] = str
}
