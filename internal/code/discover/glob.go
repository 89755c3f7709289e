package discover

import (
	"bytes"
	"strings"
)

// A token is a piece of a glob.
type token struct {
	kind  int
	text  string     // of a literal
	bytes *[4]uint64 // of a class: the bytes it matches
}

const (
	literal = iota
	anyByte // ?
	class   // [a-z]
	star    // *: anything within one name
	anyPath // **: anything
	folders // **/: no folder or some
)

// parseGlob compiles what of a pattern follows its literal start. In a path, two
// stars that stand alone between slashes cross folders; the start of s counts as
// a slash, whatever is before it, since git counts so. It returns false for a
// pattern that matches nothing.
func parseGlob(s string, path bool) ([]token, bool) {
	var out []token
	var lit []byte
	flush := func(t token) {
		if len(lit) > 0 {
			out = append(out, token{kind: literal, text: string(lit)})
			lit = lit[:0]
		}
		out = append(out, t)
	}
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			if i+1 == len(s) {
				return nil, false
			}
			lit = append(lit, s[i+1])
			i += 2
		case '?':
			flush(token{kind: anyByte})
			i++
		case '[':
			set, n := parseClass(s[i:])
			if n == 0 {
				return nil, false
			}
			flush(token{kind: class, bytes: set})
			i += n
		case '*':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "*"))
			after := s[i+n:]
			alone := path && n > 1 && (i == 0 || s[i-1] == '/')
			switch {
			case alone && strings.HasPrefix(after, "/"):
				flush(token{kind: folders})
				n++
			case alone && (after == "" || strings.HasPrefix(after, `\/`)):
				flush(token{kind: anyPath})
			default:
				flush(token{kind: star})
			}
			i += n
		default:
			lit = append(lit, s[i])
			i++
		}
	}
	if len(lit) > 0 {
		out = append(out, token{kind: literal, text: string(lit)})
	}
	return out, true
}

// matchGlob reports whether the tokens match the whole of s. On failure only the
// last star and the last token that crosses folders need another try: whatever
// an earlier one could match instead, the later one can too.
func matchGlob(glob []token, s []byte) bool {
	i, j := 0, 0
	starAt, starPos := -1, 0
	wideAt, widePos := -1, 0
	for {
		if i == len(glob) {
			if j == len(s) {
				return true
			}
		} else {
			t := &glob[i]
			n := -1
			switch t.kind {
			case literal:
				if len(s)-j >= len(t.text) && string(s[j:j+len(t.text)]) == t.text {
					n = len(t.text)
				}
			case anyByte:
				if j < len(s) && s[j] != '/' {
					n = 1
				}
			case class:
				if j < len(s) && s[j] != '/' && t.bytes[s[j]>>6]&(1<<(s[j]&63)) != 0 {
					n = 1
				}
			case star:
				starAt, starPos, n = i, j, 0
			default:
				wideAt, widePos, n = i, j, 0
				starAt = -1
			}
			if n >= 0 {
				i, j = i+1, j+n
				continue
			}
		}
		switch {
		case starAt >= 0 && starPos < len(s) && s[starPos] != '/':
			starPos++
			i, j = starAt+1, starPos
		case wideAt >= 0 && widePos < len(s):
			next := 1
			if glob[wideAt].kind == folders {
				if next += bytes.IndexByte(s[widePos:], '/'); next == 0 {
					return false
				}
			}
			// Whatever star there was stands before a slash: it stays put.
			widePos += next
			i, j = wideAt+1, widePos
		default:
			return false
		}
	}
}

// parseClass compiles the bracket expression that s starts with and returns how
// long it is; 0 if it does not end or names an unknown class.
func parseClass(s string) (*[4]uint64, int) {
	set := new([4]uint64)
	add := func(lo, hi byte) {
		for c := int(lo); c <= int(hi); c++ {
			set[c>>6] |= 1 << (c & 63)
		}
	}
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	prev := byte(0) // what a range may start with; 0 for nothing
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, 0
		}
		c := s[i]
		if c == ']' && !first {
			break
		}
		switch {
		case c == '\\':
			i++
			if i >= len(s) {
				return nil, 0
			}
			c = s[i]
			add(c, c)
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				i++
				if i >= len(s) {
					return nil, 0
				}
			}
			add(prev, s[i])
			c = 0
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return nil, 0
			}
			if end == 0 || s[i+2+end-1] != ':' {
				add('[', '[') // no class after all
				break
			}
			if !addNamed(s[i+2:i+2+end-1], add) {
				return nil, 0
			}
			i += 2 + end
			c = 0
		default:
			add(c, c)
		}
		prev = c
		i++
	}
	if negated {
		for k := range set {
			set[k] = ^set[k]
		}
	}
	return set, i + 1
}

func addNamed(name string, add func(lo, hi byte)) bool {
	switch name {
	case "alnum":
		add('0', '9')
		add('A', 'Z')
		add('a', 'z')
	case "alpha":
		add('A', 'Z')
		add('a', 'z')
	case "blank":
		add(' ', ' ')
		add('\t', '\t')
	case "cntrl":
		add(0, 31)
		add(127, 127)
	case "digit":
		add('0', '9')
	case "graph":
		add('!', '~')
	case "lower":
		add('a', 'z')
	case "print":
		add(' ', '~')
	case "punct":
		add('!', '/')
		add(':', '@')
		add('[', '`')
		add('{', '~')
	case "space":
		add('\t', '\r')
		add(' ', ' ')
	case "upper":
		add('A', 'Z')
	case "xdigit":
		add('0', '9')
		add('A', 'F')
		add('a', 'f')
	default:
		return false
	}
	return true
}
