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

// A context is what is expected of the next value.
type context struct {
	site    site   // whose arguments are read
	latest  site   // the call that was recorded last
	wants   string // the chain of the type that is expected of the next object or function
	returns string // the same of what the innermost function returns
}

// A site is the call whose arguments are read.
type site struct {
	open int // its parenthesis
	call int // its index, from 1; 0 for none
	args int // the commas so far
}

// into goes into the bracket at token open, which holds the arguments of a call if one
// was recorded with it, and returns how to get out again.
func (r *context) into(open int) func() {
	site, wants := r.site, r.wants
	if r.wants = ""; r.latest.open == open {
		r.site = r.latest
	} else {
		r.site = noSite
	}
	return func() { r.site, r.wants = site, wants }
}

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

var noSite = site{open: -1}

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

// either stands between chains of which a value is one: "a ?? b", "c ? a : b".
const either = "??"

// of returns the chain of a part of what a chain stands for; "" of "".
func of(chain, part string) string {
	if chain == "" {
		return ""
	}
	return strings.ReplaceAll(chain, either, part+either) + part
}
