// Package csharp reads the declarations, imports, calls and bindings of C# text.
//
// Whatever the text, spans lie in it and nest, and the text at NameAt is the name.
// Of text that the preprocessor chooses between, all branches are read. Time is
// linear in the text.
package csharp

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns the facts of a C# source text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		r := reader{Source: s}
		r.branches()
		r.run()
	})
}

// A reader is one pass over the tokens of a text.
type reader struct {
	*scan.Source
	places  []place
	chosen  []corpus.Span // what the preprocessor may leave out, in order
	pattern int           // up to this token parentheses belong to a pattern
	guarded int           // the arrow behind the arm of a switch
	arms    []int         // the braces of switch expressions that are open: their closing tokens
}

// What a place holds.
type holds uint8

const (
	code    holds = iota
	members       // of a type
	outside       // of types: in a file or a namespace
	values        // of an enum
)

// A place is what surrounds a token: up to the token end.
type place struct {
	sort holds
	end  int
	decl int    // the function whose code it is, or the type; -1
	name string // of the type
	api  bool   // members are public unless they say otherwise
	on   int    // the bracket that says what the members of a block are extensions of; 0: they are none
}

func (r *reader) run() {
	n := len(r.Toks)
	r.places = append(r.places, place{sort: outside, end: n, decl: -1})
	for i := 0; i < n; {
		for len(r.places) > 1 && r.top().end <= i {
			r.places = r.places[:len(r.places)-1]
		}
		for len(r.arms) > 0 && r.arms[len(r.arms)-1] <= i {
			r.arms = r.arms[:len(r.arms)-1]
		}
		var next int
		switch r.top().sort {
		case code:
			next = r.code(i)
		case values:
			next = r.value(i)
		default:
			next = r.member(i)
		}
		i = max(next, i+1)
	}
}

// maxPlaces bounds how deep functions that are expressions nest: the end of each
// has to be looked for.
const maxPlaces = 200

func (r *reader) top() *place { return &r.places[len(r.places)-1] }

// enter says that up to the token end there is something else. A place never ends
// after the one around it.
func (r *reader) enter(p place) {
	p.end = min(p.end, r.top().end)
	r.places = append(r.places, p)
}

// value reads a token of an enum's body.
func (r *reader) value(i int) int {
	if r.Is(i, "[") && !r.Is(i-1, "=") {
		return r.Past(i)
	}
	return r.code(i)
}

// arrow reports whether token i is =>.
func (r *reader) arrow(i int) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Punct && r.Is(i, "=>")
}

// typed returns the token after the type that begins at i, or i where none does.
func (r *reader) typed(i int) int {
	k := i
	for key := r.Key(k); key == scan.KRef || key == scan.KReadonly || key == scan.KScoped && r.Name(k+1); key = r.Key(k) {
		k++
	}
	switch {
	case r.Sign(k, '(') && r.Kind(k) == scan.Open: // a tuple
		if k = r.Past(k); k >= len(r.Toks) {
			return i
		}
	case r.Key(k) == scan.KVoid:
		k++
	case r.Key(k) == scan.KDelegate && r.Sign(k+1, '*'):
		if k = r.angles(k + 2); r.Sign(k-1, '*') {
			return i
		}
	case r.Name(k):
		for {
			k = r.angles(k + 1)
			if !(r.Sign(k, '.') || r.Is(k, "::")) || !r.Name(k+1) {
				break
			}
			k++
		}
	default:
		return i
	}
	for {
		switch {
		case r.Sign(k, '?') && r.Kind(k) == scan.Punct, r.Sign(k, '*'):
			k++
		case r.Is(k, "??"): // T??[] is no type, but costs nothing
			return k
		case r.Sign(k, '[') && r.rank(k):
			k = r.Past(k)
		case r.Is(k, "**"):
			k++
		default:
			return k
		}
	}
}

// rank reports whether bracket i holds nothing but commas.
func (r *reader) rank(i int) bool {
	end := min(r.Pair(i), len(r.Toks))
	for k := i + 1; k < end; k++ {
		if !r.Sign(k, ',') {
			return false
		}
	}
	return true
}

// angles returns the token after the type arguments or parameters that begin at
// i, or i where it is something else.
func (r *reader) angles(i int) int {
	return r.Angles(i, maxAngle, func(k, _ int) bool {
		switch t := &r.Toks[k]; t.Kind {
		case scan.Word:
			return t.Key == 0 || r.Soft(t.Key) || inType.Has(t.Key)
		case scan.Open:
			return r.Pair(k) < len(r.Toks) && (r.Sign(k, '[') || r.Sign(k, '(') && (r.Sign(k-1, '<') || r.Sign(k-1, ',')))
		case scan.Punct:
			return strings.IndexByte(".,?*:", r.Src[t.At]) >= 0
		}
		return false
	})
}

// maxAngle bounds how far the end of <…> is looked for.
const maxAngle = 600

var inType = scan.KeySet("in out void delegate ref")

// ends returns the token of the sign that ends an expression that begins at i: a
// semicolon, or with comma one of those, or what closes the bracket around it.
func (r *reader) ends(i int, comma bool) int {
	end := r.top().end
	for k := i; k < end; {
		t := r.Toks[k]
		switch {
		case t.Kind == scan.Close || r.Sign(k, ';') || comma && r.Sign(k, ','):
			return k
		case comma && r.Sign(k, '<'):
			k = max(r.angles(k), k+1)
		default:
			k = r.Past(k)
		}
	}
	return end
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
