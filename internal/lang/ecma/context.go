package ecma

import (
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// A function that is passed on says seldom what it takes: what calls it does. So its
// parameters are bound to chains with "^n", the type of what a function takes as its
// n-th argument: in "app.get('/', (c) => c.text())" c is "app.get^1^0", and in
// "const f: Handler = (c) => …" it is "{Handler}^0".

// maxContext is how many bytes such a chain may have: longer ones, of calls in a row
// on what the one before returned, cost more than they tell.
const maxContext = 160

// A site is the call whose arguments are read.
type site struct {
	open int // its parenthesis
	call int // its index, from 1; 0 for none
	args int // the commas so far
}

// into goes into the bracket at token open, which holds the arguments of a call if one
// was recorded with it, and returns how to get out again.
func (r *reader) into(open int) func() {
	site, wants := r.site, r.wants
	if r.wants = ""; r.latest.open == open {
		r.site = r.latest
	} else {
		r.site = noSite
	}
	return func() { r.site, r.wants = site, wants }
}

var noSite = site{open: -1}

// wanted returns the chain of the type that is expected of the value at token i.
func (r *reader) wanted(i int) string {
	switch {
	case r.key(i-1) == scan.KReturn, r.Two(i-1, '=', '>'):
		return r.returns
	case r.site.call == 0 || i-1 != r.site.open && !r.Sign(i-1, ','):
		return ""
	}
	c := &r.Out.Calls[r.site.call-1]
	chain := c.Callee
	if c.Receiver != "" {
		chain = c.Receiver + "." + chain
	}
	return bounded(chain + "^" + strconv.Itoa(r.site.args))
}

// ofType is the chain of something of a written type.
func ofType(t string) string {
	if t == "" {
		return ""
	}
	return bounded("{" + t + "}")
}

// returned is the chain of the type that a function returns: as written, or as it is
// expected of the function.
func returned(result, wants string) string {
	if result != "" {
		return ofType(result)
	}
	return of(wants, "()")
}

// bounded drops a chain that says nothing or too much.
func bounded(chain string) string {
	if chain[0] == scan.Unknown[0] || len(chain) > maxContext {
		return ""
	}
	return chain
}

// object is the chain of an object literal: what it has is declared, and bound with a
// dot before its name, beside the name that holds it.
const object = "{}"

// loading returns a chain from token i that begins with what an import returns, with
// the path in it: "import('./a').b"; other chains as they are.
func (r *reader) loading(i int, chain string) string {
	for r.Sign(i, '(') || r.key(i) == scan.KAwait {
		i++
	}
	rest, ok := strings.CutPrefix(chain, string(r.Bytes(i))+"()")
	if k := r.key(i); !ok || k != scan.KImport && k != scan.KRequire || !r.Sign(i+1, '(') {
		return chain
	}
	path, _ := r.literal(i + 2)
	if path == "" || strings.ContainsAny(path, "'()") {
		return chain
	}
	return "import('" + path + "')" + rest
}

// either stands between chains of which a value is one: "a ?? b", "c ? a : b".
const either = "??"

// of returns the chain of a part of what a chain stands for; "" of "".
func of(chain, part string) string {
	if chain == "" {
		return ""
	}
	return strings.ReplaceAll(chain, either, part+either) + part
}

// choice returns the chains of which the value from token i to token end is one, where
// token next chooses behind the first of them, chain; "" where it does not.
func (r *reader) choice(chain string, next, end int) string {
	if r.depth >= maxDepth {
		return ""
	}
	r.depth++
	defer r.leave()
	var other string
	switch {
	case r.Is(next, "??") || r.Is(next, "||"):
		other = r.valued(next+1, end)
	case r.Sign(next, '?'):
		colon := next + 1
		for colon < end && !r.Sign(colon, ':') && !r.Sign(colon, '?') {
			colon = r.Past(colon)
		}
		if !r.Sign(colon, ':') {
			return ""
		}
		chain, other = r.valued(next+1, colon), r.valued(colon+1, end)
	case r.ts && r.key(next) == scan.KSatisfies:
		return chain
	default:
		return ""
	}
	switch {
	case chain == "" || chain == object || chain == other:
		return other
	case other == "" || other == object || len(chain)+len(other) > maxContext:
		return chain
	}
	return chain + either + other
}
