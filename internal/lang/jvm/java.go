package jvm

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// The keywords that stand before a declaration, and the types among them.
var (
	modifiers  = scan.KeySet("abstract default final native private protected public static strictfp synchronized transient volatile")
	primitives = scan.KeySet("boolean byte char double float int long short void")
)

var java = scan.New(scan.Lexis{
	Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Letters: "$",
	Strings: []scan.String{{Open: `"""`, Escape: '\\', Lines: true}, {Open: `"`, Escape: '\\'}, {Open: "'", Escape: '\\'}},
	NotOps:  []string{"=>", "?.", ":=", "??", "??=", "..", "<-", "|>", "===", "!==", "**", ">=", "&&=", "||="},
	Keywords: `abstract default final native private protected public static strictfp synchronized transient volatile boolean byte char double float int
long short void assert break case catch class continue do else enum extends false finally for if implements import instanceof interface new
null package return super switch this throw throws true try while`,
	Special: (*scan.Lexer).Conflict, At: "<=>",
	Access: []string{"."}, Before: []string{"new"}, Generic: true,
})

// ReadJava reads Java.
func ReadJava(src []byte) corpus.Facts {
	return java.Read(src, func(s *scan.Source) {
		j := &javaReader{reader: reader{Source: s}}
		j.read()
	})
}

// A javaReader goes once over the tokens of a Java text.
type javaReader struct {
	reader
	anonymous []int // tokens that class bodies of expressions begin with, the next one last
	more      further
	pattern   int // the token that the patterns of a label end before
	label     int // the token that ends a label
	headed    int // the token before which modifiers were read already
	begins    int // a token that a declaration may begin with, though what is before it does not say so
}

// A further variable may follow the comma at a token, of the type that is told.
type further struct{ at, typ, typEnd int }

func (j *javaReader) read() {
	j.begins = -1
	j.push(frame{place: members, end: len(j.Toks), decl: -1})
	for i := 0; i < len(j.Toks); {
		for len(j.frames) > 1 && j.top().end <= i {
			j.frames = j.frames[:len(j.frames)-1]
		}
		var next int
		switch j.top().place {
		case members:
			next = j.member(i)
		case constants:
			next = j.constant(i)
		default:
			next = j.code(i)
		}
		i = max(next, i+1)
	}
}

// modifier reports whether token i is a modifier, and returns the token after it.
func (j *javaReader) modifier(i int) (int, bool) {
	if !j.Word(i) {
		return i, false
	}
	switch k := j.Toks[i].Key; {
	case k == scan.KDefault:
		return i + 1, !j.Sign(i+1, ':') && !j.Two(i+1, '-', '>')
	case modifiers.Has(k):
		return i + 1, !j.Sign(i+1, '(')
	case k > 0:
		return i, false
	}
	if j.Is(i, "sealed") && (j.Word(i+1) || j.Sign(i+1, '@')) && !j.Sign(i+2, '=') && !j.Sign(i+2, ';') && !j.Sign(i+2, '(') {
		return i + 1, true
	}
	if j.Is(i, "non") && j.Sign(i+1, '-') && j.Is(i+2, "sealed") {
		return i + 3, true
	}
	return i, false
}

// annotation returns the token after the annotation that begins at token i, or i.
func (j *javaReader) annotation(i int) int {
	if !j.Sign(i, '@') || !j.Word(i+1) || j.Toks[i+1].Key != 0 {
		return i
	}
	k := i + 2
	for j.Sign(k, '.') && j.Word(k+1) {
		k += 2
	}
	k = j.SkipBracket(k, '(')
	return k
}

// A head is what stands before a declaration.
type head struct {
	start int
	words scan.Keys // the modifiers
	marks []string
}

// head reads modifiers and annotations, and returns the token after them.
func (j *javaReader) head(i int, marks bool) (head, int) {
	h := head{start: i}
	for i < len(j.Toks) {
		if k := j.annotation(i); k > i {
			if marks {
				h.marks = append(h.marks, j.Quote(i+1, k))
			}
			i = k
			continue
		}
		k, ok := j.modifier(i)
		if !ok {
			break
		}
		h.words.Add(j.Toks[i].Key)
		i = k
	}
	return h, i
}

// typeEnd returns the token after the type that begins at token i, or i.
func (j *javaReader) typeEnd(i int) int {
	k := j.annotations(i)
	if !j.Word(k) || j.Toks[k].Key != 0 && !primitives.Has(j.Toks[k].Key) {
		return i
	}
	for {
		k++
		if j.Sign(k, '<') {
			after := j.Angle(k)
			if after == k {
				return i
			}
			k = after
		}
		if !j.Sign(k, '.') || !j.Name(k+1) && !j.Sign(k+1, '@') {
			break
		}
		k = j.annotations(k + 1)
		if !j.Name(k) {
			return i
		}
	}
	return j.dimensions(k)
}

func (j *javaReader) annotations(i int) int {
	for j.Sign(i, '@') {
		k := j.annotation(i)
		if k == i {
			return i
		}
		i = k
	}
	return i
}

// dimensions returns the token after the empty brackets at token i, or dots.
func (j *javaReader) dimensions(k int) int {
	for {
		a := j.annotations(k)
		switch {
		case j.Sign(a, '[') && j.Sign(a+1, ']'):
			k = a + 2
		case j.Sign(a, '.') && j.Sign(a+1, '.') || j.Is(a, "..."):
			return a + 1
		default:
			return k
		}
	}
}

// JavaTokens cuts a source text into its tokens.
func JavaTokens(src []byte) *scan.Source { return java.Tokens(src) }
