package subword

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A pattern is a text or an expression, in the syntax of Oniguruma.
type pattern struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
}

const (
	spaces = `\t\n\v\f\r\x{85}\p{Z}`
	words  = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`
	// trailing is the one look-ahead that tokenizers have: white space, less its
	// last character where something follows.
	trailing = `\s+(?!\S)|\s+`
	marked   = `(?P<trailing>\s+)`
)

func (p *pattern) finder() (finder, error) {
	switch {
	case p != nil && p.String != nil && *p.String != "":
		text := *p.String
		return func(s string, yield func(from, to int)) {
			for at := 0; ; {
				i := strings.Index(s[at:], text)
				if i < 0 {
					return
				}
				yield(at+i, at+i+len(text))
				at += i + len(text)
			}
		}, nil
	case p != nil && p.Regex != nil && *p.Regex != "":
		return compile(*p.Regex)
	}
	return nil, errors.New("a pattern is missing")
}

// compile returns a finder for an expression. One that cannot be had by package
// regexp, which never goes back, is an error.
func compile(expr string) (finder, error) {
	if len(expr) > 4096 {
		return nil, fmt.Errorf("an expression of %d bytes", len(expr))
	}
	ours := strings.Replace(expr, trailing, marked, 1)
	ours, anchored, err := translate(ours)
	if err != nil {
		return nil, fmt.Errorf("the expression %.80q: %v", expr, err)
	}
	re, err := regexp.Compile(ours)
	if err != nil {
		return nil, fmt.Errorf("the expression %.80q is not supported: %v", expr, err)
	}
	group := re.SubexpIndex("trailing")
	if group < 0 {
		return func(s string, yield func(from, to int)) {
			for _, m := range re.FindAllStringIndex(s, -1) {
				yield(m[0], m[1])
			}
		}, nil
	}
	if anchored {
		return nil, fmt.Errorf("the expression %.80q is not supported: it looks ahead and at a border", expr)
	}
	return func(s string, yield func(from, to int)) {
		for at := 0; at < len(s); {
			m := re.FindStringSubmatchIndex(s[at:])
			if m == nil {
				return
			}
			from, to := at+m[0], at+m[1]
			if m[2*group] >= 0 && to < len(s) {
				if _, n := utf8.DecodeLastRuneInString(s[from:to]); from < to-n {
					to -= n
				}
			}
			if from < to {
				yield(from, to)
			}
			at = max(to, at+1)
		}
	}, nil
}

// translate turns the classes of Oniguruma, which know Unicode, into such that
// package regexp knows. Anchored says that the expression looks at what is before.
func translate(expr string) (out string, anchored bool, err error) {
	var b strings.Builder
	inside := false // of brackets
	for i := 0; i < len(expr); i++ {
		c := expr[i]
		switch {
		case c == '\\' && i+1 < len(expr):
			i++
			class, known := map[byte]string{'s': spaces, 'd': `\p{Nd}`, 'w': words, 'S': "^" + spaces, 'D': `^\p{Nd}`, 'W': "^" + words}[expr[i]]
			switch {
			case known && inside && class[0] == '^':
				return "", false, errors.New("a negated class within brackets is not supported")
			case known && inside:
				b.WriteString(class)
			case known:
				b.WriteString("[" + class + "]")
			default:
				anchored = anchored || expr[i] == 'b' || expr[i] == 'B' || expr[i] == 'A'
				b.WriteString(expr[i-1 : i+1])
			}
		case c == '[' && inside:
			if !strings.HasPrefix(expr[i:], "[:") {
				return "", false, errors.New("brackets within brackets are not supported")
			}
			b.WriteByte(c)
		case c == '&' && inside && strings.HasPrefix(expr[i:], "&&"):
			return "", false, errors.New("&& within brackets is not supported")
		case c == '[':
			inside = true
			b.WriteByte(c)
			if strings.HasPrefix(expr[i+1:], "^") {
				b.WriteByte('^')
				i++
			}
			if strings.HasPrefix(expr[i+1:], "]") {
				b.WriteString(`\]`)
				i++
			}
		case c == ']' && inside && strings.HasSuffix(expr[:i], ":"):
			b.WriteByte(c) // of [:alpha:]; its own bracket follows
		case c == ']':
			inside = false
			b.WriteByte(c)
		default:
			anchored = anchored || c == '^' && !inside
			b.WriteByte(c)
		}
	}
	return b.String(), anchored, nil
}
