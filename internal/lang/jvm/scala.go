package jvm

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// scalaModifiers are the keywords that stand before a declaration.
var scalaModifiers = scan.KeySet("abstract case final implicit lazy override private protected sealed")

var scala = scan.New(scalaLexis())

func scalaLexis() scan.Lexis {
	short := scan.String{Open: `"`, Escape: '\\', Interp: "${"}
	// $$ is a dollar.
	long := scan.String{Open: `"""`, Escape: '$', Lines: true, Interp: "${"}
	return scan.Lexis{
		Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Nested: true, Letters: "$",
		Strings: []scan.String{{Open: `"""`, Lines: true}, {Open: `"`, Escape: '\\'}},
		Keywords: `abstract case final implicit lazy override private protected sealed catch class def do else extends false finally for if import macro match
new null object package return super then this throw trait true try type val var while with yield`,
		Special: scalaSpecial, At: operators + "@\"'`",
		Prefix: func(l *scan.Lexer, word string) (*scan.String, int, bool) {
			rest := l.Src[l.Pos+len(word):]
			switch {
			case bytes.HasPrefix(rest, []byte(`"""`)):
				return &long, 3, true
			case rest[0] == '"':
				return &short, 1, true
			}
			return nil, 0, false
		},
		Access: []string{"."}, Before: []string{"new"},
	}
}

// operators are the bytes that the names of operators consist of. An annotation
// begins with one that is none here.
const operators = `!#%&*+-/:<=>?\^|~`

// scalaSpecial reads operators, whose names go on as long as they can, characters
// and names in backticks.
func scalaSpecial(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '"':
		return quoteAtEnd(l)
	case '`':
		return ticked(l, rest)
	case '\'':
		return character(l, rest)
	case '@':
		if len(rest) < 2 || strings.IndexByte(operators, rest[1]) < 0 && rest[1] != '@' {
			return false
		}
	}
	if l.Fresh() && (l.Conflict() || l.Pos == 0 && shebang(l)) {
		return true
	}
	n := 1
	for n < len(rest) && (rest[n] == '@' || strings.IndexByte(operators, rest[n]) >= 0) && !(rest[n] == '/' && n+1 < len(rest) && (rest[n+1] == '/' || rest[n+1] == '*')) {
		n++
	}
	// unary_! and x_= are one name.
	if t, ok := l.Last(); ok && t.Kind == scan.Word && int(t.End) == l.Pos && t.End-t.At > 1 && l.Src[t.End-1] == '_' {
		last := &l.Toks[len(l.Toks)-1]
		last.End += uint32(n)
		l.Pos += n
		return true
	}
	l.Emit(scan.Punct, n)
	return true
}

// character reads 'x', '\n' and the sign before a symbol or a quoted expression.
func character(l *scan.Lexer, rest []byte) bool {
	if len(rest) > 2 && rest[1] == '\\' {
		for n := 3; n < min(len(rest), 10); n++ {
			if rest[n] == '\'' {
				l.Emit(scan.Text, n+1)
				return true
			}
		}
	}
	if len(rest) > 1 && rest[1] != '\n' {
		if _, n := utf8.DecodeRune(rest[1:]); 1+n < len(rest) && rest[1+n] == '\'' {
			l.Emit(scan.Text, n+2)
			return true
		}
	}
	l.Emit(scan.Punct, 1)
	return true
}

func shebang(l *scan.Lexer) bool {
	if len(l.Src) < 2 || l.Src[0] != '#' || l.Src[1] != '!' {
		return false
	}
	l.Comment(scan.LineEnd(l.Src))
	return true
}

// ReadScala reads Scala, 2 and 3.
func ReadScala(src []byte) corpus.Facts {
	return scala.Read(src, func(s *scan.Source) {
		r := &scalaReader{reader: reader{Source: s}, budget: 16*len(s.Toks) + 1000}
		r.read()
	})
}

// A scalaReader goes once over the tokens of a Scala text.
type scalaReader struct {
	reader
	line    int   // the token that began the line
	begins  int   // a token that follows an annotation
	pattern int   // the token that a pattern ends before
	bodies  []int // tokens that class bodies of expressions begin with, the next one last
	budget  int   // how many tokens may still be looked at for ends of regions
}

func (r *scalaReader) read() {
	r.begins = -1
	r.push(frame{place: members, end: len(r.Toks), decl: -1})
	for i := 0; i < len(r.Toks); {
		from := i
		for len(r.frames) > 1 && r.top().end <= i {
			i = max(i, r.top().jump)
			r.frames = r.frames[:len(r.frames)-1]
		}
		if i >= len(r.Toks) {
			break
		}
		r.passed(from, i)
		next := max(r.token(i), i+1)
		r.passed(i+1, next-1)
		i = next
	}
	r.object()
}

// object makes a file that is one package object a file of that package: what it declares is a member of the package, as
// what other files of it declare at their top.
func (r *scalaReader) object() {
	at := -1
	for i := range r.Out.Decls {
		switch d := &r.Out.Decls[i]; {
		case at >= 0 && d.Span.Start < r.Out.Decls[at].Span.End:
		case at < 0 && d.Kind == corpus.Module && d.Scope == "" && bytes.Contains(r.Src[d.Span.Start:d.NameAt], []byte("object")):
			at = i
		default:
			return
		}
	}
	if at >= 0 {
		r.Out.Module = strings.TrimPrefix(r.Out.Module+"."+r.Out.Decls[at].Name, ".")
	}
}

// passed keeps which token began the line, over tokens i up to, with, k.
func (r *scalaReader) passed(i, k int) {
	for ; i <= k && i < len(r.Toks); i++ {
		if r.Toks[i].Line {
			r.line = i
		}
	}
}

// operator reports whether token i is the operator op.
func (r *scalaReader) operator(i int, op string) bool {
	return r.Kind(i) == scan.Punct && i >= 0 && i < len(r.Toks) && string(r.Bytes(i)) == op
}

func (r *scalaReader) token(i int) int {
	t := &r.Toks[i]
	switch t.Kind {
	case scan.Word:
		if t.Key != 0 && !(t.Key == scan.KThen && r.Sign(i-1, '.')) {
			return r.keyword(i)
		}
		return r.used(i)
	case scan.Open:
		return r.bracket(i)
	case scan.Punct:
		switch c := r.Src[t.At]; {
		case c == '@':
			return r.annotated(i)
		case c == '<' && r.Two(i, '<', '-'):
			r.generator(i)
		case c == ':' && len(r.bodies) > 0 && r.Sign(i, ':'):
			return r.body(i)
		case (r.Sign(i+1, '(') || r.Sign(i+1, '[')) && c != ',' && c != ';' && c != '.':
			r.applied(i)
		}
	}
	return i + 1
}

// annotated moves past an annotation, in which nothing is called.
func (r *scalaReader) annotated(i int) int {
	if k := r.annotation(i); k > i {
		r.begins = k
		return k
	}
	return i + 1
}

// annotation returns the token after the annotation that begins at token i, or i.
func (r *scalaReader) annotation(i int) int {
	if !r.Sign(i, '@') || !r.Name(i+1) || i > 0 && r.Name(i-1) && r.Adjacent(i-1) {
		return i
	}
	_, k := r.path(i + 1)
	k = r.SkipBracket(k, '[')
	for r.Sign(k, '(') && r.End(k-1) == r.At(k) {
		k = r.Past(k)
	}
	return k
}

// bracket reads what begins with an opening bracket.
func (r *scalaReader) bracket(i int) int {
	if len(r.bodies) > 0 && r.bodies[len(r.bodies)-1] <= i {
		if k := r.body(i); k > 0 {
			return k
		}
	}
	switch r.Src[r.Toks[i].End-1] {
	case '(':
		if r.operator(r.Past(i), "=>") && i >= r.pattern && r.Past(i) < r.top().end {
			r.bindParams(i, -1)
		}
	case '{':
		if r.top().place == members {
			r.push(frame{place: code, end: r.Pair(i), decl: -1, local: true})
		}
		if r.Name(i+1) && r.Sign(i+2, ':') {
			if end := r.typeEnd(i+3, true); r.operator(end, "=>") {
				r.bind(i+1, r.Quote(i+3, end), "", 0)
				return end
			}
		}
	}
	return i + 1
}

// body begins the body of an anonymous class, where token i is the beginning of
// one; else it returns 0.
func (r *scalaReader) body(i int) int {
	for n := len(r.bodies); n > 0 && r.bodies[n-1] <= i; n-- {
		at := r.bodies[n-1]
		r.bodies = r.bodies[:n-1]
		if at != i {
			continue
		}
		end := r.Pair(i)
		if r.Sign(i, ':') {
			end = r.region(i+1, r.Column(r.line), true)
		}
		r.push(frame{place: members, end: end, decl: -1, kind: corpus.Class, local: true})
		return i + 1
	}
	return 0
}

// ScalaTokens cuts a source text into its tokens.
func ScalaTokens(src []byte) *scan.Source { return scala.Tokens(src) }
