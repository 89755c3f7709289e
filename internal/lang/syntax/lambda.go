package syntax

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A lambdaStyle is how a language writes the functions without a name that a call is given.
type lambdaStyle struct {
	arrow    string // behind the parameters
	bars     bool   // parameters stand between bars
	block    bool   // a block may stand behind the arguments
	implicit string // the name of the one parameter that is not written
	// itself are members of the library that give back their owner, or a container of the same elements; given are those that give a
	// lambda their owner, and folds those whose lambda gets an element as its second parameter.
	itself, given, folds *lazy.Set
}

var lambdaStyles = map[string]*lambdaStyle{
	"csharp": {arrow: "=>", itself: lazy.Words("AsEnumerable Distinct OrderBy OrderByDescending Reverse Skip Take ToArray ToList Where"), folds: lazy.Words("Aggregate")},
	"java":   {arrow: "->", itself: lazy.Words("distinct filter limit parallelStream peek skip sorted stream toList"), folds: lazy.Words("reduce")},
	"kotlin": {arrow: "->", block: true, implicit: "it", given: lazy.Words("also let takeIf takeUnless"), folds: lazy.Words("fold reduce"),
		itself: lazy.Words("also apply asSequence distinct drop filter filterNot reversed sortedBy take takeIf toList")},
	"ruby": {bars: true, block: true, given: lazy.Words("tap then yield_self"), folds: lazy.Words("inject reduce"), itself: lazy.Words("lazy reject reverse select sort_by tap")},
	"rust": {bars: true, folds: lazy.Words("fold"), itself: lazy.Words(`as_mut as_ref await borrow borrow_mut clone cloned copied expect filter into_iter iter iter_mut lock ok read rev skip take
to_owned unwrap unwrap_or_default unwrap_or_else write`)},
	"scala": {arrow: "=>", block: true, implicit: "_", folds: lazy.Words("foldLeft reduce"), itself: lazy.Words("drop filter filterNot reverse sortBy take toList toSeq")},
	"swift": {arrow: "in", block: true, implicit: "$0", folds: lazy.Words("reduce"), itself: lazy.Words("dropFirst filter lazy prefix reversed sorted")},
}

func hasMember(language, member string, list func(*lambdaStyle) *lazy.Set) bool {
	style := lambdaStyles[language]
	return style != nil && list(style) != nil && list(style).Has(member)
}

// GivesItself reports whether a member of a type of the library gives back its owner, or a container of the same elements.
func GivesItself(language, member string) bool {
	return hasMember(language, member, func(s *lambdaStyle) *lazy.Set { return s.itself })
}

// GivesOwner reports whether a function is given the owner of a member that it is an argument of.
func GivesOwner(language, member string) bool {
	return hasMember(language, member, func(s *lambdaStyle) *lazy.Set { return s.given })
}

// Folds reports whether a function that a member is given gets an element as its second parameter.
func Folds(language, member string) bool {
	return hasMember(language, member, func(s *lambdaStyle) *lazy.Set { return s.folds })
}

// GivenMark is in the chain of a parameter of a lambda: behind the function that is given the lambda, before the number of the
// parameter.
const GivenMark = "^^"

// bindLambdas gives the parameters of lambdas the chains that say which function is given the lambda.
func bindLambdas(language string, text []byte, f *corpus.Facts) {
	style := lambdaStyles[language]
	if style == nil {
		return
	}
	r := lambdaReader{style: style, text: text, f: f, bound: map[int]int{}}
	for i := range f.Bindings {
		r.bound[f.Bindings[i].At] = i
	}
	for i := range f.Calls {
		r.call(&f.Calls[i])
	}
}

type lambdaReader struct {
	style *lambdaStyle
	text  []byte
	f     *corpus.Facts
	bound map[int]int // bindings by offset
}

// maxLambda is how many bytes of a call are read for a lambda in it.
const maxLambda = 4000

// call reads the lambda that a call is given as its only argument, as its first one, or as the block behind them.
func (r *lambdaReader) call(c *corpus.Call) {
	at := c.At + len(c.Callee)
	if c.Callee == corpus.Unnamed || strings.HasPrefix(c.Receiver, scan.Unknown) || !bytes.HasPrefix(r.text[min(c.At, len(r.text)):], []byte(c.Callee)) {
		return
	}
	chain := strings.TrimPrefix(c.Receiver+"."+c.Callee, ".")
	if at < len(r.text) && r.text[at] == '(' {
		if r.lambda(chain, r.space(at+1)) {
			return
		}
		at = r.closing(at) + 1
	}
	if !r.style.block {
		return
	}
	at = r.space(at)
	if rest := r.text[min(at, len(r.text)):]; bytes.HasPrefix(rest, []byte("{")) {
		r.block(chain, at)
	} else if r.style.bars && bytes.HasPrefix(rest, []byte("do |")) {
		r.lambda(chain, at+len("do "))
	}
}

// block reads a block in braces as a lambda.
func (r *lambdaReader) block(chain string, open int) {
	first := r.space(open + 1)
	if r.lambda(chain, first) || r.style.implicit == "" {
		return
	}
	if body := r.text[open:r.closing(open)]; bytes.Contains(body, []byte(r.style.implicit)) {
		r.bind(r.style.implicit, open+1, chain+GivenMark+"0")
	}
}

// lambda reads the parameters of a lambda at an offset, and reports whether one is there.
func (r *lambdaReader) lambda(chain string, at int) bool {
	if at >= len(r.text) {
		return false
	}
	if r.text[at] == '{' && !r.style.bars {
		r.block(chain, at)
		return true
	}
	from, to := at, at
	switch c := r.text[at]; {
	case r.style.bars:
		if bytes.HasPrefix(r.text[at:], []byte("move |")) {
			at += len("move ")
		}
		if r.text[at] != '|' {
			return false
		}
		from = at + 1
		to = from + max(bytes.IndexByte(r.text[from:min(len(r.text), from+maxLambda)], '|'), 0)
	case c == '(':
		from, to = at+1, r.closing(at)
		if !r.arrowAt(to + 1) {
			return false
		}
	case r.style.implicit != "" && r.isWord(at, r.style.implicit): // _.put(…)
		r.bind(r.style.implicit, at, chain+GivenMark+"0")
		return true
	default:
		for to < len(r.text) && (scan.Letter(r.text[to]) || r.text[to] == ',' || r.text[to] == ' ' && r.style.block) && !r.arrowAt(to) {
			to++
		}
		if to == from || !r.arrowAt(to) {
			return false
		}
	}
	if bytes.ContainsAny(r.text[from:to], "([<:") {
		return true // their types are written, or they are taken apart
	}
	for k, name := range bytes.Split(r.text[from:to], []byte(",")) {
		word := bytes.TrimLeft(name, " &\n\t")
		word = bytes.TrimPrefix(bytes.TrimPrefix(word, []byte("mut ")), []byte("ref "))
		start := from + len(name) - len(word)
		if word = bytes.TrimRight(word, " \n\t"); len(word) > 0 && isName(word) {
			r.bind(string(word), start, chain+GivenMark+strconv.Itoa(k))
		}
		from += len(name) + 1
	}
	return true
}

func isName(word []byte) bool {
	return !bytes.ContainsFunc(word, func(c rune) bool { return c < 0x80 && !scan.Letter(byte(c)) })
}

// isWord reports whether a word is at an offset, and no longer one.
func (r *lambdaReader) isWord(at int, word string) bool {
	rest, ok := bytes.CutPrefix(r.text[at:], []byte(word))
	return ok && (len(rest) == 0 || !scan.Letter(rest[0]))
}

// arrowAt reports whether the arrow of a lambda is at an offset, perhaps behind spaces.
func (r *lambdaReader) arrowAt(at int) bool {
	at = r.space(at)
	arrow := r.style.arrow
	return at < len(r.text) && arrow != "" && bytes.HasPrefix(r.text[at:], []byte(arrow)) && (arrow != "in" || r.isWord(at, arrow))
}

// space returns the offset behind the spaces at an offset.
func (r *lambdaReader) space(at int) int {
	for at < len(r.text) && bytes.IndexByte([]byte(" \t\r\n"), r.text[at]) >= 0 {
		at++
	}
	return at
}

// closing returns the offset of the bracket that closes the one at an offset, not further than maxLambda.
func (r *lambdaReader) closing(open int) int {
	end := min(len(r.text), open+maxLambda)
	depth := 0
	for i := open; i < end; i++ {
		switch r.text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return end
}

// bind gives the name at an offset a chain, unless its type or its value is known.
func (r *lambdaReader) bind(name string, at int, chain string) {
	if i, known := r.bound[at]; known {
		if b := &r.f.Bindings[i]; b.Name == name && b.Type == "" && b.Value == "" {
			b.Value = chain
		}
		return
	}
	r.bound[at] = len(r.f.Bindings)
	r.f.Bindings = append(r.f.Bindings, corpus.Binding{Name: name, Value: chain, At: at})
}
