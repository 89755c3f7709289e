package ecma

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// shapes say what the text ahead is: where a function, a class or an expression begins
// and ends, and what an expression stands for. They record nothing: looking twice is as
// looking once.
type shapes struct{ types }

// arrow looks whether an arrow function begins at token i.
func (r *shapes) arrow(i int, x *expression) head {
	h := head{start: i, params: i}
	k := i
	if r.key(k) == scan.KAsync && !r.Line(k+1) && (r.Sign(k+1, '(') || r.Word(k+1) && r.Two(k+2, '=', '>') || r.ts && r.Sign(k+1, '<')) {
		h.async = true
		k++
	}
	if r.ts && r.Sign(k, '<') {
		a := r.angle(k)
		if a == k || !r.Sign(a, '(') {
			return h
		}
		k = a
	}
	h.params = k
	if r.Word(k) {
		if k+1 < x.end && r.Two(k+1, '=', '>') {
			h.arrow = k + 1
		}
		return h
	}
	if !r.Sign(k, '(') || !r.matched(k) {
		return h
	}
	n := r.Pair(k) + 1
	if n >= x.end {
		return h
	}
	if r.Two(n, '=', '>') {
		h.arrow = n
		return h
	}
	// Between ? and : a parenthesis before a colon is one only if it looks like
	// parameters.
	if r.ts && r.Sign(n, ':') && (x.ternaries == 0 || n == k+2 || r.Sign(k+2, ':') || r.Is(k+1, "...")) {
		if e := r.skip(n+1, x.end); e < x.end && r.Two(e, '=', '>') {
			h.colon, h.arrow = n, e
		}
	}
	return h
}

// shape returns the token after the function whose type parameters or parameters
// begin at token i.
func (r *shapes) shape(i, end int) int {
	if r.ts {
		i = r.angle(i)
	}
	if !r.Sign(i, '(') {
		return i
	}
	i = r.past(i, end)
	if r.ts && r.Sign(i, ':') {
		i = r.skip(i+1, end)
	}
	if i < end && r.Sign(i, '{') {
		return r.past(i, end)
	}
	return i
}

// closure returns the token after the function at token i, in parentheses or not; i
// where there is none.
func (r *shapes) closure(i, end int) int {
	k := i
	if r.key(k) == scan.KAsync && !r.Line(k+1) {
		k++
	}
	if r.key(k) == scan.KFunction {
		k = r.SkipSign(k+1, '*')
		if r.Word(k) {
			k++
		}
		return r.shape(k, end)
	}
	h := r.arrow(i, &expression{end: end})
	switch {
	case h.arrow > 0 && r.Sign(h.arrow+1, '{'):
		return r.past(h.arrow+1, end)
	case h.arrow > 0:
		for i = h.arrow + 1; i < end && !r.Sign(i, ','); {
			i = r.past(i, end)
		}
		return i
	case r.Sign(i, '('):
		if inner, after := r.parenthesised(i, end); inner > i {
			return after
		}
	}
	return i
}

// parenthesised returns where the function begins that parenthesis i holds and what is
// behind that and the types that it is cast to: "((a) => b) as T". Inner is i where the
// parenthesis holds no function alone, or more than casts follows it.
func (r *shapes) parenthesised(i, end int) (inner, after int) {
	if !r.matched(i) || r.arrow(i, &expression{end: end}).arrow > 0 {
		return i, i
	}
	inner, last := i+1, r.Pair(i)
	if r.casts(r.closure(inner, last), last) != last {
		return i, i
	}
	if after = r.casts(last+1, end); !r.ends(after, end) {
		return i, i
	}
	return inner, after
}

// casts returns the token behind the types that an expression before token k is cast to: "as T", "!".
func (r *shapes) casts(k, end int) int {
	for k < end {
		switch {
		case r.key(k) == scan.KAs || r.key(k) == scan.KSatisfies:
			k = max(r.skip(k+1, end), k+1)
		case r.Sign(k, '!') && !r.Line(k):
			k++
		default:
			return k
		}
	}
	return k
}

// ends reports whether an expression ends before token i.
func (r *shapes) ends(i, end int) bool {
	if i >= end {
		return true
	}
	t := &r.Toks[i]
	switch t.Kind {
	case scan.Close:
		return true
	case scan.Punct:
		return r.Sign(i, ',') || r.Sign(i, ';') || r.Sign(i, ':') || t.Line && r.Sign(i, '@')
	case scan.Open:
		return t.Line && r.Sign(i, '{')
	case scan.Text:
		return t.Line && !r.template(i)
	}
	return t.Line && t.Key != scan.KIn && t.Key != scan.KInstanceof
}

// prefix reports whether an operand may begin at token i, on the same line.
func (r *shapes) prefix(i, end int) bool {
	if i >= end || r.Toks[i].Kind == scan.Close {
		return false
	}
	if r.Toks[i].Kind == scan.Punct {
		c := r.Src[r.Toks[i].At]
		return c == '!' || c == '<' || c == '-' || c == '+' || c == '~' || c == '/'
	}
	switch r.key(i) {
	case scan.KIn, scan.KInstanceof, scan.KAs, scan.KSatisfies, scan.KOf:
		return false
	}
	return true
}

// outside reports whether token i begins what can stand in no block and no class:
// one around it is then not closed.
func (r *shapes) outside(i int) bool {
	if !r.Toks[i].Line {
		return false
	}
	at := r.At(i)
	switch r.key(i) {
	case scan.KExport:
		return true
	case scan.KImport:
		return !r.Sign(i+1, '(') && !r.Sign(i+1, '.')
	case scan.KFunction, scan.KClass, scan.KInterface, scan.KConst, scan.KLet, scan.KVar, scan.KAsync, scan.KEnum, scan.KAbstract, scan.KDeclare, scan.KNamespace, scan.KType:
		return (at == 0 || r.Src[at-1] == '\n') && r.Word(i+1)
	}
	return false
}

// broken reports whether a statement begins at token i, inside the parenthesis at
// token open: that is then not closed.
func (r *shapes) broken(i, open int) bool {
	if r.matched(open) || !r.Toks[i].Line {
		return false
	}
	switch r.key(i) {
	case scan.KFunction, scan.KClass, scan.KConst, scan.KLet, scan.KVar, scan.KIf, scan.KFor, scan.KWhile, scan.KReturn, scan.KImport, scan.KExport, scan.KTry, scan.KSwitch, scan.KThrow, scan.KInterface, scan.KEnum, scan.KBreak, scan.KContinue, scan.KDo:
		return true
	}
	return false
}

// field reports whether the word at token i is a field of that name rather than a
// modifier of what the next line begins with: no generator can follow a modifier
// that is not static or async.
func (r *shapes) field(i int) bool {
	switch r.key(i) {
	case scan.KGet, scan.KSet, scan.KStatic, scan.KAccessor, scan.KDeclare:
		return r.Sign(i+1, '*') || r.Sign(i+1, '[') && r.key(i) != scan.KStatic
	}
	return false
}

// origin returns what tells the type of the expression from token i to token end:
// the chain that it is, and the type that it is cast to.
func (r *shapes) origin(i, end int) (typ, value string) {
	if r.Sign(i, '{') || r.Sign(i, '(') && r.Sign(i+1, '{') && r.Past(i+1) == r.Pair(i) {
		return r.ofObject(r.Past(i), end)
	}
	if i >= end || r.Kind(i) != scan.Word && !r.Sign(i, '(') && !(r.ts && r.Sign(i, '<')) {
		return "", ""
	}
	if r.Sign(i, '<') {
		k := r.angle(i)
		if k == i || k >= end {
			return "", ""
		}
		return r.Quote(i+1, k-1), ""
	}
	switch r.key(i) {
	case scan.KFunction, scan.KClass, scan.KTypeof, scan.KVoid, scan.KDelete, scan.KYield:
		return "", ""
	}
	if typ := r.constructed(i, end); typ != "" {
		return typ, ""
	}
	if end == i+1 {
		switch string(r.Bytes(i)) {
		case "null", "undefined", "true", "false":
			return "", ""
		}
	}
	chain, next := r.Chain(i)
	if chain = r.loading(i, chain); strings.HasPrefix(chain, scan.Unknown) && chain != scan.Unknown+"()" {
		chain = ""
	}
	if next < end && r.ts && r.key(next) == scan.KAs {
		if typ = r.Quote(next+1, end); typ == "const" {
			return "", chain
		}
		return typ, ""
	}
	if next != end {
		return "", r.choice(chain, next, end)
	}
	return "", chain
}

// ofObject is origin for an object literal before token k.
func (r *shapes) ofObject(k, end int) (typ, value string) {
	switch {
	case k == end, r.ts && r.key(k) == scan.KSatisfies, r.ts && r.key(k) == scan.KAs && r.Is(k+1, "const") && k+2 == end:
		return "", object
	case r.ts && r.key(k) == scan.KAs:
		return r.Quote(k+1, end), ""
	}
	return "", ""
}

// constructed returns the type of the container that the expression from token i to
// token end makes: what is in it is known by its type arguments alone.
func (r *shapes) constructed(i, end int) string {
	if !r.ts || r.key(i) != scan.KNew || !r.Sign(i+2, '<') {
		return ""
	}
	switch string(r.Bytes(i + 1)) {
	case "Map", "Set", "WeakMap", "WeakSet", "Array":
		if k := r.angle(i + 2); r.Sign(k, '(') && r.Past(k) == end {
			return r.Quote(i+1, k)
		}
	}
	return ""
}

// choice returns the chains of which the value from token i to token end is one, where
// token next chooses behind the first of them, chain; "" where it does not.
func (r *shapes) choice(chain string, next, end int) string {
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

// valued returns the chain from token i to token k, "" where it is none.
func (r *shapes) valued(i, k int) string {
	_, v := r.origin(i, k)
	return v
}

// loading returns a chain from token i that begins with what an import returns, with
// the path in it: "import('./a').b"; other chains as they are.
func (r *shapes) loading(i int, chain string) string {
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
