package jvm

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

var kotlin = scan.New(scan.Lexis{
	Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Nested: true,
	Strings: []scan.String{{Open: `"""`, Lines: true, Interp: "${"}, {Open: `"`, Escape: '\\', Interp: "${"}, {Open: "'", Escape: '\\'}},
	Ops:     []string{"?:", "..<"},
	NotOps:  []string{"=>", ":=", "??", "??=", "<-", "|>", "**", "|=", "&=", "^=", "&&=", "||="},
	Keywords: `as break class continue do else false for fun if in interface is null object package return super this throw true try typealias val var when
while`,
	Special: kotlinSpecial, At: "<=>\"`@#",
	Postfix: "!", Generic: true,
})

// kotlinSpecial reads names in backticks, labels, and quotes before the mark that
// ends a raw string.
func kotlinSpecial(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '"':
		return quoteAtEnd(l)
	case '`':
		return ticked(l, rest)
	case '@':
		// return@label, this@Type, and label@ itself: the sign is part of the word.
		t, ok := l.Last()
		if !ok || t.Kind != scan.Word || int(t.End) != l.Pos {
			return false
		}
		n := 1
		last := &l.Toks[len(l.Toks)-1]
		switch t.Key {
		case scan.KReturn, scan.KBreak, scan.KContinue, scan.KThis, scan.KSuper:
			for n < len(rest) && (rest[n] == '_' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9' || rest[n] >= 0x80) {
				n++
			}
		default:
			last.Kind = scan.Punct
		}
		last.End += uint32(n)
		l.Pos += n
		return true
	case '#':
		if l.Pos > 0 || len(rest) < 2 || rest[1] != '!' {
			return false
		}
		l.Comment(scan.LineEnd(rest))
		return true
	}
	return l.Conflict()
}

// ticked reads a name in backticks.
func ticked(l *scan.Lexer, rest []byte) bool {
	n := bytes.IndexAny(rest[1:], "`\n")
	if n < 1 || rest[1+n] != '`' {
		return false
	}
	l.Pos++
	l.Emit(scan.Word, n)
	l.Pos++
	return true
}

// quoteAtEnd takes a quote that directly follows a raw string as part of it.
func quoteAtEnd(l *scan.Lexer) bool {
	t, ok := l.Last()
	if !ok || t.Kind != scan.Text || int(t.End) != l.Pos || t.End-t.At < 3 || string(l.Src[t.End-3:t.End]) != `"""` {
		return false
	}
	l.Toks[len(l.Toks)-1].End++
	l.Pos++
	return true
}

// ReadKotlin reads Kotlin, and its scripts.
func ReadKotlin(src []byte) corpus.Facts {
	return kotlin.Read(src, func(s *scan.Source) {
		k := &kotlinReader{reader: reader{Source: s}, budget: 16*len(s.Toks) + 1000}
		k.read()
	})
}

// A kotlinReader goes once over the tokens of a Kotlin text.
type kotlinReader struct {
	reader
	begins int // a token that follows an annotation
	budget int // how many tokens may still be looked at for ends of expressions
	handed []given
}

// A given is a block of code, in the braces at a token, that is given to the call whose name is at an offset.
type given struct{ open, at int }

// block returns 1 + the offset of the call that the innermost block around token i is given to; 0 for none.
func (r *kotlinReader) block(i int) int {
	for n := len(r.handed); n > 0 && r.Pair(r.handed[n-1].open) < i; n-- {
		r.handed = r.handed[:n-1]
	}
	for n := len(r.handed) - 1; n >= max(0, len(r.handed)-mostOpen); n-- {
		if b := r.handed[n]; b.open < i && i < r.Pair(b.open) {
			return b.at + 1
		}
	}
	return 0
}

// mostOpen bounds how many blocks behind a token, of calls in whose arguments it is, are passed by.
const mostOpen = 16

func (r *kotlinReader) read() {
	r.begins = -1
	r.push(frame{place: members, end: len(r.Toks), decl: -1})
	for i := 0; i < len(r.Toks); {
		for len(r.frames) > 1 && r.top().end <= i {
			i = max(i, r.top().jump)
			r.frames = r.frames[:len(r.frames)-1]
		}
		if i >= len(r.Toks) {
			break
		}
		i = max(r.token(i), i+1)
	}
}

func (r *kotlinReader) token(i int) int {
	t := &r.Toks[i]
	if r.top().place == constants {
		if next, ok := r.entry(i); ok {
			return next
		}
	}
	switch t.Kind {
	case scan.Word:
		if t.Key != 0 {
			return r.keyword(i)
		}
		return r.used(i)
	case scan.Open:
		if r.Src[t.At] == '{' {
			r.lambda(i)
			if r.top().place == members {
				r.push(frame{place: code, end: r.Pair(i), decl: -1, local: true})
			}
		}
	case scan.Punct:
		if r.Src[t.At] == '@' {
			return r.annotated(i)
		}
	}
	return i + 1
}

// entry reads an entry of an enum; false where its members begin.
func (r *kotlinReader) entry(i int) (int, bool) {
	f := r.top()
	switch {
	case r.Sign(i, '@'):
		return r.annotated(i), true
	case r.Sign(i, ','):
		return i + 1, true
	case r.Name(i):
		r.bind(i, f.name, "", 0)
		if r.Sign(i+1, '(') {
			r.push(frame{place: code, end: r.Pair(i + 1), decl: -1, local: true})
			return i + 2, true
		}
		return i + 1, true
	case r.Sign(i, '{'):
		r.push(frame{place: members, end: r.Pair(i), decl: -1, kind: corpus.Class, local: true})
		return i + 1, true
	case r.Kind(i) == scan.Close:
		return i + 1, true
	}
	f.place = members
	return i, false
}

// annotated moves past an annotation, in which nothing is called.
func (r *kotlinReader) annotated(i int) int {
	if k := r.annotation(i); k > i {
		r.begins = k
		return k
	}
	return i + 1
}

// annotation returns the token after the annotation that begins at token i, or i.
func (r *kotlinReader) annotation(i int) int {
	k := i + 1
	if !r.Sign(i, '@') {
		return i
	}
	if r.Word(k) && r.Sign(k+1, ':') {
		k += 2 // @get:Name
	}
	if r.Sign(k, '[') {
		return r.Past(k)
	}
	if !r.Word(k) {
		return i
	}
	k++
	for r.Sign(k, '.') && r.Word(k+1) {
		k += 2
	}
	k = max(k, r.typeArguments(k))
	if r.Sign(k, '(') && r.End(k-1) == r.At(k) {
		k = r.Past(k)
	}
	return k
}

// modifier reports whether a word may stand before a declaration.
func modifier(word []byte) bool {
	switch string(word) {
	case "abstract", "actual", "annotation", "companion", "const", "crossinline", "data", "enum", "expect", "external", "final", "infix", "inline", "inner",
		"internal", "lateinit", "noinline", "open", "operator", "out", "override", "private", "protected", "public", "reified", "sealed", "suspend",
		"tailrec", "value", "vararg":
		return true
	}
	return false
}

// A prefix is what stands before a declaration.
type prefix struct {
	start              int
	hidden, enum, abs  bool
	suspend, companion bool
	marks              []string
}

// before walks back from token i over modifiers and annotations.
func (r *kotlinReader) before(i int) prefix {
	p := prefix{start: i}
	for k := i - 1; k >= 0; {
		var at int
		switch {
		case r.Sign(k, ')') && r.Pair(k) > 0 && r.Adjacent(r.Pair(k)-1):
			at = r.marked(r.Pair(k) - 1)
		case r.Name(k) && r.modify(&p, k) && !r.Sign(k-1, '@') && !r.Sign(k-1, '.') && !r.Sign(k-1, ':'):
			p.start = k
			k--
			continue
		case r.Name(k):
			at = r.marked(k)
		case r.Sign(k, ']') && r.Pair(k) > 0 && (r.Sign(r.Pair(k)-1, '@') || r.Sign(r.Pair(k)-1, ':') && r.Sign(r.Pair(k)-3, '@')):
			if at = r.Pair(k) - 1; r.Sign(at, ':') {
				at -= 2
			}
		default:
			at = -1
		}
		if at < 0 || !r.Sign(at, '@') {
			break
		}
		p.marks = append(p.marks, r.Quote(at+1, k+1))
		p.start = at
		k = at - 1
	}
	for a, b := 0, len(p.marks)-1; a < b; a, b = a+1, b-1 {
		p.marks[a], p.marks[b] = p.marks[b], p.marks[a]
	}
	return p
}

// marked returns the sign of the annotation whose name ends with token k; -1 where
// it is none.
func (r *kotlinReader) marked(k int) int {
	for r.Word(k) {
		switch {
		case r.Sign(k-1, '@'):
			return k - 1
		case r.Sign(k-1, ':') && r.Word(k-2) && r.Sign(k-3, '@'):
			return k - 3
		case !r.Sign(k-1, '.'):
			return -1
		}
		k -= 2
	}
	return -1
}

// modify takes a modifier into p; false where token k is none.
func (r *kotlinReader) modify(p *prefix, k int) bool {
	b := r.Bytes(k)
	if !modifier(b) {
		return false
	}
	switch string(b) {
	case "private", "protected", "internal":
		p.hidden = true
	case "enum":
		p.enum = true
	case "abstract":
		p.abs = true
	case "suspend":
		p.suspend = true
	case "companion":
		p.companion = true
	}
	return true
}

// KotlinTokens cuts a source text into its tokens.
func KotlinTokens(src []byte) *scan.Source { return kotlin.Tokens(src) }
