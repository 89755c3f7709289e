// Package swift reads the declarations, imports, calls and bindings of Swift text.
//
// Whatever the text, spans lie in it and nest, and the text at NameAt is the name.
// Of text that is chosen between with #if, all branches are read. Time is linear
// in the text.
package swift

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns the facts of a Swift source text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		r := reader{Source: s, last: -1}
		r.run()
	})
}

// A reader is one pass over the tokens of a text.
type reader struct {
	*scan.Source
	places  []place
	bodies  []int // the braces that belong to an if, a loop and so on, innermost last
	pattern int   // up to this token parentheses belong to a pattern
	last    int   // the variable that was declared last, with its value: a token, or -1
	lastAt  variable
	nested  int // how many #if are open at seen
	seen    int
}

// A variable is one that observers may follow.
type variable struct {
	head head
	typ  string
	decl int // the declaration of a variable of the file, or -1
	end  int // of the place that it is in
}

// What a place holds.
type holds uint8

const (
	code    holds = iota
	members       // of a type
	access        // get, set, didSet and so on
	leading       // parameters, before a body
)

// A place is what surrounds a token: up to the token end.
type place struct {
	sort holds
	end  int
	next int // where to go on after it, if not at end
	decl int // the function whose code it is, or the type; -1
	enum bool
	api  bool // members are public unless they say otherwise
}

func (r *reader) run() {
	n := len(r.Toks)
	r.places = append(r.places, place{sort: code, end: n, decl: -1})
	for i := 0; i < n; {
		for len(r.places) > 1 && r.top().end <= i {
			i = max(i, r.top().next)
			r.places = r.places[:len(r.places)-1]
		}
		if i >= n {
			break
		}
		for len(r.bodies) > 0 && r.bodies[len(r.bodies)-1] < i {
			r.bodies = r.bodies[:len(r.bodies)-1]
		}
		i = max(r.token(i), i+1)
	}
}

func (r *reader) top() *place { return &r.places[len(r.places)-1] }

// enter says that up to the token end there is something else. A place never ends
// after the one around it.
func (r *reader) enter(p place) {
	p.end = min(p.end, r.top().end)
	p.next = min(p.next, r.top().end)
	r.places = append(r.places, p)
}

// member reports whether token i stands behind a dot.
func (r *reader) member(i int) bool {
	return r.Sign(i-1, '.') || r.Is(i-1, "?.")
}

// angles returns the token after the type arguments or parameters that begin at
// i, or i where it is something else.
func (r *reader) angles(i int) int {
	return r.Angles(i, maxAngle, func(k, _ int) bool {
		switch t := &r.Toks[k]; t.Kind {
		case scan.Word, scan.Number:
			return t.Key == 0 || r.Soft(t.Key) || inType.Has(t.Key)
		case scan.Open:
			return r.Pair(k) < len(r.Toks) && !r.Sign(k, '{')
		case scan.Punct:
			if t.End-t.At > 1 {
				return r.Is(k, "->") || r.Is(k, "...") || r.Is(k, "==")
			}
			return strings.IndexByte(".,?!&:@~", r.Src[t.At]) >= 0
		}
		return false
	})
}

// maxAngle bounds how far the end of <…> is looked for.
const maxAngle = 600

var inType = scan.KeySet("self class inout throws let")

// typed returns the token after the type that begins at i, or i where none does.
func (r *reader) typed(i int) int {
	k := i
	for range 64 {
		start := k
		for {
			if key := r.Key(k); r.Sign(k, '@') && r.Kind(k+1) == scan.Word {
				k += 2
				if r.Opens(k, '(') && r.End(k-1) == r.At(k) {
					k = r.Past(k)
				}
			} else if key == scan.KInout || uncalled.Has(key) && r.Kind(k+1) != scan.Punct || r.Sign(k, '~') || key == scan.KIsolated && r.Name(k+1) {
				k++
			} else {
				break
			}
		}
		switch {
		case r.Opens(k, '('), r.Opens(k, '['):
			if k = r.Past(k); k > len(r.Toks) || r.Kind(k-1) != scan.Close {
				return i
			}
		case r.Name(k), r.Key(k) == scan.KSelf, r.Key(k) == scan.KClass:
			k++
		default:
			if start == i {
				return i
			}
			return k
		}
		k = r.suffixed(k)
		switch {
		case r.Sign(k, '&') && !r.Line(k), r.Is(k, "->"):
			k++
		case (r.Key(k) == scan.KThrows || r.Key(k) == scan.KAsync || r.Key(k) == scan.KRethrows) && (r.Is(k+1, "->") || r.Key(k+1) == scan.KThrows || r.Opens(k+1, '(')):
			for !r.Is(k, "->") && r.Kind(k) != scan.Close && k < len(r.Toks) {
				k = r.Past(k)
			}
			k++
		default:
			return k
		}
	}
	return k
}

// suffixed returns the token after what a type may have behind it.
func (r *reader) suffixed(k int) int {
	for {
		switch {
		case r.Sign(k, '<'):
			next := r.angles(k)
			if next == k {
				return k
			}
			k = next
		case (r.Sign(k, '?') || r.Sign(k, '!')) && r.Kind(k) == scan.Punct, r.Is(k, "..."), r.Is(k, "??"):
			k++
		case (r.Sign(k, '.') || r.Is(k, "?.")) && r.Kind(k+1) == scan.Word && !r.Line(k+1):
			k += 2
		default:
			return k
		}
	}
}

// stops returns the token after the statement that begins at i: where a line
// begins that goes on with nothing.
func (r *reader) stops(i int) int {
	end := r.top().end
	for k := i; k < end; {
		t := r.Toks[k]
		if k > i && t.Line && !r.continues(k) {
			return k
		}
		if t.Kind == scan.Close || r.Sign(k, ';') {
			return k
		}
		next := r.Past(k)
		if t.Kind == scan.Open && next <= end && r.Kind(next-1) != scan.Close {
			return end
		}
		k = next
	}
	return end
}

// continues reports whether the line that begins with token k goes on with what
// stands before it.
func (r *reader) continues(k int) bool {
	if k <= 0 || k >= len(r.Toks) {
		return false
	}
	switch t := r.Toks[k]; t.Kind {
	case scan.Punct:
		if !r.Sign(k, '@') && !r.Sign(k, '#') {
			return !r.Sign(k, '.') || r.Kind(k-1) != scan.Word || r.Key(k-1) == 0 || r.Soft(r.Key(k-1)) || r.Key(k-1) == scan.KSelf || r.Key(k-1) == scan.KSuper
		}
	case scan.Word:
		if t.Key == scan.KAs || t.Key == scan.KIs || t.Key == scan.KElse || t.Key == scan.KWhere || t.Key == scan.KIn {
			return true
		}
	}
	switch p := r.Toks[k-1]; p.Kind {
	case scan.Punct:
		c := r.Src[p.End-1]
		return c != '!' && c != '?' && c != '>' || r.Is(k-1, "->") || p.End-p.At > 1
	case scan.Word:
		switch p.Key {
		case scan.KIn, scan.KAs, scan.KIs, scan.KTry, scan.KAwait, scan.KThrow, scan.KElse, scan.KLet, scan.KVar, scan.KCase:
			return true
		}
	}
	return false
}

// chosen reports whether the offset at lies between #if and #endif. Offsets must
// be asked for in order.
func (r *reader) chosen(at int) bool {
	for _, line := range bytes.SplitAfter(r.Src[r.seen:max(at, r.seen)], []byte("\n")) {
		switch line = bytes.TrimLeft(line, " \t"); {
		case bytes.HasPrefix(line, []byte("#if ")), bytes.HasPrefix(line, []byte("#if(")):
			r.nested++
		case bytes.HasPrefix(line, []byte("#endif")) && r.nested > 0:
			r.nested--
		}
	}
	r.seen = max(at, r.seen)
	return r.nested > 0
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
