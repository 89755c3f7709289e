package scan

import (
	"bytes"
	"strings"
)

// Word reports whether token i is a name or a keyword.
func (s *Source) Word(i int) bool { return i >= 0 && i < len(s.Toks) && s.Toks[i].Kind == Word }

// Name reports whether token i is a name; soft keywords are.
func (s *Source) Name(i int) bool {
	return s.Word(i) && (s.Toks[i].Key == 0 || s.soft.Has(s.Toks[i].Key))
}

// Sign reports whether token i is the one byte c, outside of strings.
func (s *Source) Sign(i int, c byte) bool {
	return i >= 0 && i < len(s.Toks) && s.Toks[i].End-s.Toks[i].At == 1 && s.Src[s.Toks[i].At] == c && s.Toks[i].Kind != Text
}

// SkipSign returns the token after i if token i is the one byte c, and i where it is not.
func (s *Source) SkipSign(i int, c byte) int {
	if s.Sign(i, c) {
		return i + 1
	}
	return i
}

// SkipBracket returns the token after the bracket that token i opens if it is the byte c, and i where it is not.
func (s *Source) SkipBracket(i int, c byte) int {
	if s.Sign(i, c) {
		return s.Past(i)
	}
	return i
}

// SkipKey returns the token after i if token i is the keyword k, and i where it is not.
func (s *Source) SkipKey(i int, k Key) int {
	if s.Key(i) == k {
		return i + 1
	}
	return i
}

// SkipWord returns the token after i if token i reads so, and i where it does not.
func (s *Source) SkipWord(i int, text string) int {
	if s.Is(i, text) {
		return i + 1
	}
	return i
}

// Two reports whether token i is the operator of the bytes a and b.
func (s *Source) Two(i int, a, b byte) bool {
	if i < 0 || i >= len(s.Toks) {
		return false
	}
	t := &s.Toks[i]
	return t.End-t.At == 2 && s.Src[t.At] == a && s.Src[t.At+1] == b && t.Kind == Punct
}

// Opens reports whether token i is the opening bracket c.
func (s *Source) Opens(i int, c byte) bool {
	return i >= 0 && i < len(s.Toks) && s.Toks[i].Kind == Open && s.Src[s.Toks[i].At] == c
}

// First returns the first byte of token i; 0 where it has none.
func (s *Source) First(i int) byte {
	if i < 0 || i >= len(s.Toks) || s.Toks[i].At == s.Toks[i].End {
		return 0
	}
	return s.Src[s.Toks[i].At]
}

// Closed reports whether bracket i has a Close of its own.
func (s *Source) Closed(i int) bool {
	p := s.Pair(i)
	return p >= 0 && p < len(s.Toks) && s.Toks[p].Kind == Close && int(s.Toks[p].Pair) == i
}

// Last returns the last token of what token i opens: its end or, where that is
// missing, the token before the one that ends it.
func (s *Source) Last(i int) int {
	p := s.Pair(i)
	if p < len(s.Toks) && int(s.Toks[p].Pair) == i {
		return p
	}
	return p - 1
}

// Closing returns the offset where bracket i ends, or what it has of an end.
func (s *Source) Closing(i int) int { return s.End(max(s.Last(i), i)) }

// Balanced reports whether every bracket of the text has a partner.
func (s *Source) Balanced() bool {
	for i := range s.Toks {
		if t := &s.Toks[i]; t.Kind == Close && t.Pair < 0 || t.Kind == Open && !s.Closed(i) {
			return false
		}
	}
	return true
}

// Count returns how many arguments parenthesis i holds, where nothing but brackets
// hides a comma; -1 where it never ends.
func (s *Source) Count(i int) int {
	end := s.Pair(i)
	if !s.Sign(end, ')') {
		return -1
	}
	if i+1 >= end {
		return 0
	}
	n := 1
	for k := i + 1; k < end; k = s.Past(k) {
		if s.Sign(k, ',') && k+1 < end {
			n++
		}
	}
	return n
}

// InParens returns the chain that begins with what stands in the parentheses that end with token k, and goes on with a suffix
// and with parts, which are in reverse; Unknown where that is none. read reads the chain that begins at a token.
func (s *Source) InParens(k int, suffix string, parts []string, read func(i, depth int) (string, int)) string {
	inner, after := "", k
	if s.First(k) == ')' {
		inner, after = read(s.Pair(k)+1, 0)
	}
	if inner == "" || inner[0] == '?' || after != k {
		return Unknown
	}
	return Joined(parts, inner+suffix)
}

// Joined returns the chain that begins with first, if that is not empty, and goes on
// with parts, which are in reverse.
func Joined(parts []string, first string) string {
	if first == "" && len(parts) == 1 {
		return parts[0]
	}
	var b strings.Builder
	b.WriteString(first)
	for k := len(parts) - 1; k >= 0; k-- {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(parts[k])
	}
	return b.String()
}

// LineEnd returns the length of the line that a text begins with, without its break.
func LineEnd(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// Letter reports whether a byte may stand in a name.
func Letter(c byte) bool {
	return c == '_' || c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// Conflict skips the mark of an unresolved merge, if one is at Pos: a line that begins
// with seven equal signs.
func (l *Lexer) Conflict() bool {
	rest := l.Src[l.Pos:]
	if l.Pos > 0 && l.Src[l.Pos-1] != '\n' || len(rest) < 7 || string(rest[:7]) != strings.Repeat(string(rest[:1]), 7) {
		return false
	}
	l.Pos += LineEnd(rest)
	return true
}
