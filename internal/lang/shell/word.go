package shell

import (
	"bytes"
	"slices"
)

// A word is a piece of a command, with all quotes and expansions in it.
type word struct {
	start, end int
	plain      bool // it is one literal, without quotes
	tail       bool // it ends in a literal
	eq         int  // where = stands in an assignment, or -1
}

// word reads a word. One that begins with a backslash begins after it.
func (r *reader) word() word {
	w := word{start: r.pos, plain: true, eq: -1}
	if r.peek(0) == '\\' && (isName(r.peek(1)) || r.peek(1) == '.') {
		r.pos++
		w.start++
	}
	for r.pos < r.end && !r.unwind {
		c := r.src[r.pos]
		switch classes[c] {
		case ordinary:
			r.pos++
			for r.pos < r.end && classes[r.src[r.pos]] == ordinary {
				r.pos++
			}
			w.tail = true
			continue
		case special:
			r.specials(c, &w)
			continue
		case angle:
			if r.peek(1) == '(' {
				r.pos += 2
				r.nested()
				w.plain, w.tail = false, false
				continue
			}
		case bracket:
			if c == '(' && r.pos > w.start && bytes.IndexByte([]byte("?*+@!"), r.src[r.pos-1]) >= 0 {
				r.glob()
				w.plain, w.tail = false, false
				continue
			}
		}
		break
	}
	w.end = min(r.pos, r.end)
	return w
}

// specials reads on in a word at a byte that means something.
func (r *reader) specials(c byte, w *word) {
	switch c {
	case '=':
		if w.eq < 0 && w.plain && r.assigns(w) {
			w.eq = r.pos
		}
		r.pos++
		w.tail = true
		if w.eq == r.pos-1 && r.peek(0) == '(' {
			r.array()
			w.plain, w.tail = false, false
		}
	case '[':
		r.pos++
		w.tail = true
		if w.plain && w.eq < 0 && identifier(r.src[w.start:r.pos-1]) {
			r.subscript(w)
		}
	case '\\':
		r.pos = min(r.pos+2, r.end)
		w.plain, w.tail = false, true
	case '\'':
		r.pos++
		r.single()
		w.plain, w.tail = false, true
	case '"':
		r.pos++
		w.plain, w.tail = false, r.double()
	case '$':
		if r.pos+1 < r.end && classes[r.src[r.pos+1]] == ordinary && !isParameter(r.src[r.pos+1]) {
			r.pos++ // nothing but a sign
			w.tail = true
			return
		}
		w.plain = false
		w.tail = r.dollar(false)
	case '`':
		r.backquote()
		w.plain, w.tail = false, false
	}
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isParameter(c byte) bool {
	return isName(c) || c == '@' || c == '*' || c == '#' || c == '?' || c == '-' || c == '!' || c == '{'
}

func identifier(b []byte) bool {
	if len(b) == 0 || b[0] >= '0' && b[0] <= '9' {
		return false
	}
	return !slices.ContainsFunc(b, func(c byte) bool { return !isName(c) })
}

// assigns reports whether what stands before = makes an assignment of it.
func (r *reader) assigns(w *word) bool {
	left := bytes.TrimSuffix(r.src[w.start:r.pos], []byte("+"))
	if k := bytes.IndexByte(left, '['); k > 0 && left[len(left)-1] == ']' {
		left = left[:k]
	}
	return identifier(left)
}

// subscript reads what is between [ and ]=, if that is what follows.
func (r *reader) subscript(w *word) {
	depth := 1
	for k := r.pos; k < r.end && k < r.pos+200; k++ {
		switch r.src[k] {
		case '\n', ';', '&':
			return
		case '[':
			depth++
		case ']':
			if depth--; depth > 0 {
				continue
			}
			if k+1 < r.end && (r.src[k+1] == '=' || r.src[k+1] == '+' && k+2 < r.end && r.src[k+2] == '=') {
				r.region(k, r.expansions)
				r.pos = k + 1
				if r.pos < r.end && r.src[r.pos] == '+' {
					r.pos++
				}
			}
			return
		}
	}
}

// region reads with read up to an offset, which is where it then is.
func (r *reader) region(end int, read func()) {
	outer := r.end
	r.end = max(min(end, outer), r.pos)
	read()
	r.end = outer
	if !r.unwind {
		r.pos = max(min(end, outer), r.pos)
	}
}

// expansions reads what is expanded in a text that is no command.
func (r *reader) expansions() {
	for r.pos < r.end && !r.unwind {
		switch r.src[r.pos] {
		case '\\':
			r.pos = min(r.pos+2, r.end)
		case '$':
			r.dollar(true)
		case '`':
			r.backquote()
		default:
			r.pos++
		}
	}
}

// single reads on in '…'.
func (r *reader) single() {
	n := bytes.IndexByte(r.src[r.pos:r.end], '\'')
	to := r.end
	if n >= 0 {
		to = r.pos + n
	} else {
		r.broken = true
	}
	if r.repair {
		from := r.pos
		for k := from; k < to; k++ {
			if r.src[k] == '\n' && r.ranAway(from, k) {
				return
			}
		}
	}
	r.pos = min(to+1, r.end)
}

// ranAway reports whether a quote that began at from should not have gone on past
// the line end at k, because a function follows there: then the quote ends with
// its first line.
func (r *reader) ranAway(from, k int) bool {
	i := k + 1
	for i < r.end && (isName(r.src[i]) || r.src[i] == '-' || r.src[i] == ':') {
		i++
	}
	if i == k+1 || r.budget < k-from || !bytes.HasPrefix(r.src[i:r.end], []byte("() {")) && !bytes.HasPrefix(r.src[i:r.end], []byte("(){")) {
		return false
	}
	r.budget -= k - from
	r.pos = from
	for r.src[r.pos] != '\n' {
		r.pos++
	}
	return true
}

// double reads on in "…", and reports whether that ends in a literal.
func (r *reader) double() (tail bool) {
	from := r.pos
	for r.pos < r.end && !r.unwind {
		switch r.src[r.pos] {
		case '"':
			r.pos++
			return tail
		case '\\':
			r.pos = min(r.pos+2, r.end)
			tail = true
		case '$':
			tail = r.dollar(true)
		case '`':
			r.backquote()
			tail = false
		case '\n':
			if r.repair && r.ranAway(from, r.pos) {
				return false
			}
			r.pos++
			tail = true
		default:
			r.pos++
			tail = true
		}
	}
	r.broken = true
	return false
}

// ansi reads on in $'…'.
func (r *reader) ansi() {
	for r.pos < r.end {
		switch c := r.src[r.pos]; c {
		case '\'':
			r.pos++
			return
		case '\\':
			r.pos++
		}
		r.pos++
	}
	r.pos = r.end
	r.broken = true
}

// dollar reads an expansion, and reports whether it was none, but a literal.
func (r *reader) dollar(quoted bool) (literal bool) {
	r.pos++
	switch c := r.peek(0); {
	case c == '(':
		if r.peek(1) == '(' {
			if end := r.arithmeticEnd(r.pos + 2); end > 0 {
				r.pos += 2
				r.arithmetic(end)
				return false
			}
		}
		r.pos++
		r.nested()
	case c == '{':
		r.pos++
		r.parameter(quoted)
	case c == '\'' && !quoted:
		r.pos++
		r.ansi()
		return true
	case c == '"' && !quoted:
		r.pos++
		return r.double()
	case isName(c) && (c < '0' || c > '9'):
		for r.pos < r.end && isName(r.src[r.pos]) {
			r.pos++
		}
	case isParameter(c) || c == '$':
		r.pos++
	default:
		return true
	}
	return false
}

// nested reads the commands of $(…), <(…) and >(…) after the bracket.
func (r *reader) nested() {
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	function := r.function
	r.function = 0
	r.commands(')')
	r.function = function
	r.depth--
}

// backquote reads `…`. Inside, \` begins and ends another one.
func (r *reader) backquote() {
	r.pos++
	k := r.pos
	for k < r.end && r.src[k] != '`' {
		if r.src[k] == '\\' {
			k++
		}
		k++
	}
	if k >= r.end {
		r.broken = true
		if n := bytes.IndexByte(r.src[r.pos:r.end], '\n'); n >= 0 && r.budget >= k-r.pos {
			r.budget -= k - r.pos
			k = r.pos + n // never closed: the line is all it can have
		} else {
			k = r.end
		}
	}
	if r.depth >= maxDepth {
		r.pos = min(k+1, r.end)
		return
	}
	r.depth++
	function, here := r.function, r.here
	r.function, r.here = 0, nil
	from := r.pos
	r.region(k, func() { r.commands(0) })
	// What is quoted once more is read once more.
	inner := r.src[from:min(k, r.end)]
	for at := bytes.Index(inner, []byte("\\`")); at >= 0; {
		end := bytes.Index(inner[at+2:], []byte("\\`"))
		if end < 0 {
			break
		}
		r.pos = from + at + 2
		r.region(from+at+2+end, func() { r.commands(0) })
		next := bytes.Index(inner[at+4+end:], []byte("\\`"))
		if next < 0 {
			break
		}
		at += 4 + end + next
	}
	r.function, r.here = function, here
	r.depth--
	if !r.unwind {
		r.pos = min(k+1, r.end)
	}
}

// parameter reads on in ${…}.
func (r *reader) parameter(quoted bool) {
	if c := r.peek(0); (c == '#' || c == '!') && r.peek(1) != '}' {
		r.pos++
	}
	if c := r.peek(0); c != '}' && !isName(c) {
		r.pos++ // ${@…}
	}
	for isName(r.peek(0)) {
		r.pos++
	}
	// In patterns quotes quote, in other words only outside of quotes.
	switch r.peek(0) {
	case '#', '%', '/', '^', ',', '[':
		quoted = false
	}
	from := r.pos
	for r.pos < r.end && !r.unwind {
		switch r.src[r.pos] {
		case '}':
			r.pos++
			return
		case '\\':
			r.pos = min(r.pos+2, r.end)
		case '\'':
			r.pos++
			if !quoted {
				r.single()
			}
		case '"':
			r.pos++
			r.double()
		case '$':
			r.dollar(quoted)
		case '`':
			r.backquote()
		case '\n':
			if r.repair && r.ranAway(from, r.pos) {
				return
			}
			r.pos++
		default:
			r.pos++
		}
	}
	r.broken = true
}

// glob reads a pattern in brackets: @(a|b).
func (r *reader) glob() {
	depth := 0
	for r.pos < r.end && !r.unwind {
		switch c := r.src[r.pos]; c {
		case '(':
			depth++
			r.pos++
		case ')':
			r.pos++
			if depth--; depth == 0 {
				return
			}
		case '\n':
			return
		default:
			r.quotedOr(c)
		}
	}
}

// quotedOr reads a quote or an expansion that begins with c, or one byte.
func (r *reader) quotedOr(c byte) {
	switch c {
	case '\\':
		r.pos = min(r.pos+2, r.end)
	case '\'':
		r.pos++
		r.single()
	case '"':
		r.pos++
		r.double()
	case '$':
		r.dollar(false)
	case '`':
		r.backquote()
	default:
		r.pos++
	}
}

// array reads (…) after =.
func (r *reader) array() {
	r.pos++
	for r.pos < r.end && !r.unwind {
		at := r.pos
		if r.skip(true); r.peek(0) == ')' {
			r.pos++
			return
		}
		if r.word(); r.pos == at {
			r.pos++
		}
	}
	r.broken = true
}
