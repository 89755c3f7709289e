package syntax

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// GivenMark is in the chain of a parameter of a lambda: behind the function that is given the lambda, before the number of the
// parameter.
const GivenMark = "^^"

// bindLambdas gives the parameters of lambdas the chains that say which function is given the lambda.
func bindLambdas(language string, text []byte, f *corpus.Facts) {
	if !Has(language, "lambda-arrow") && !Has(language, "lambda-bars") {
		return
	}
	r := lambdaReader{text: text, f: f, bound: map[int]int{}, hasBars: Has(language, "lambda-bars"), hasBlocks: Has(language, "block-arguments"),
		arrow: strings.Join(Words(language, "lambda-arrow"), ""), implicit: strings.Join(Words(language, "lambda-implicit"), "")}
	for i := range f.Bindings {
		r.bound[f.Bindings[i].At] = i
	}
	for i := range f.Calls {
		r.call(&f.Calls[i])
	}
}

type lambdaReader struct {
	text  []byte
	f     *corpus.Facts
	bound map[int]int // bindings by offset

	hasBars, hasBlocks bool   // parameters stand between bars, and a block may stand behind the arguments
	arrow, implicit    string // behind the parameters, and the name of the one that is not written
}

// maxLambda is how many bytes of a call are read for a lambda in it.
const maxLambda = 4000

// call reads the lambda that a call is given as its only argument, as its first one, or as the block behind them.
func (r *lambdaReader) call(c *corpus.Call) {
	at := c.At + len(c.Callee)
	isWritten := bytes.HasPrefix(r.text[min(c.At, len(r.text)):], []byte(c.Callee))
	if c.Callee == corpus.Unnamed || strings.HasPrefix(c.Receiver, scan.Unknown) || !isWritten {
		return
	}
	chain := strings.TrimPrefix(c.Receiver+"."+c.Callee, ".")
	if at < len(r.text) && r.text[at] == '(' {
		if r.lambda(chain, r.space(at+1)) {
			return
		}
		at = r.closing(at) + 1
	}
	if !r.hasBlocks {
		return
	}
	at = r.space(at)
	if rest := r.text[min(at, len(r.text)):]; bytes.HasPrefix(rest, []byte("{")) {
		r.block(chain, at)
	} else if r.hasBars && bytes.HasPrefix(rest, []byte("do |")) {
		r.lambda(chain, at+len("do "))
	}
}

// block reads a block in braces as a lambda.
func (r *lambdaReader) block(chain string, open int) {
	first := r.space(open + 1)
	if r.lambda(chain, first) || r.implicit == "" {
		return
	}
	if body := r.text[open:r.closing(open)]; bytes.Contains(body, []byte(r.implicit)) {
		r.bind(r.implicit, open+1, chain+GivenMark+"0")
	}
}

// lambda reads the parameters of a lambda at an offset, and reports whether one is there.
func (r *lambdaReader) lambda(chain string, at int) bool {
	if at >= len(r.text) {
		return false
	}
	if r.text[at] == '{' && !r.hasBars {
		r.block(chain, at)
		return true
	}
	from, to := at, at
	switch c := r.text[at]; {
	case r.hasBars:
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
	case r.implicit != "" && r.isWord(at, r.implicit): // _.put(…)
		r.bind(r.implicit, at, chain+GivenMark+"0")
		return true
	default:
		isPart := func(c byte) bool { return c == ',' || scan.Letter(c) || c == ' ' && r.hasBlocks }
		for to < len(r.text) && isPart(r.text[to]) && !r.arrowAt(to) {
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
	if at >= len(r.text) || r.arrow == "" || !bytes.HasPrefix(r.text[at:], []byte(r.arrow)) {
		return false
	}
	return !scan.Letter(r.arrow[0]) || r.isWord(at, r.arrow)
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
