package clang

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// expression reads a word: what is called or constructed, and what a function is
// assigned to.
func (r *reader) expression(i int) int {
	key := r.Key(i)
	switch {
	case key == 0:
	case key == scan.KNew:
		return r.construct(i)
	case key == scan.KCast:
		return max(r.angles(i+1), i+1)
	case key == scan.KAttribute || key == scan.KDeclspec || key == scan.KAsm || key == scan.KPragma || key == scan.KAlignas:
		k := i + 1
		for r.Word(k) && (qualifiers.Has(r.Key(k)) || r.Key(k) == scan.KGoto || r.Key(k) == scan.KInline) {
			k++
		}
		if r.Sign(k, '(') {
			return r.Past(k)
		}
		return k
	case (key == scan.KDecltype || key == scan.KNoexcept || key == scan.KTypeof) && r.Sign(i+1, '('):
		return r.Past(i + 1) // never run
	case key == scan.KAtSelector || key == scan.KAtEncode || key == scan.KAtAvailable || key == scan.KAtProtocol:
		return r.Past(i + 1)
	case key == scan.KOperator:
		return r.operatorCall(i)
	case tags.Has(key):
		if t := r.tag(i); t.body >= 0 && r.top().sort == code && !r.Sign(i-1, '(') {
			return r.class(head{first: i, from: i, last: -1}, i, t, false)
		}
		return i + 1
	default:
		return i + 1
	}
	if n := len(r.inits); n > 0 && r.inits[n-1] <= i {
		same := r.inits[n-1] == i
		r.inits = r.inits[:n-1]
		if same {
			return i + 1
		}
	}
	open := i + 1
	if r.cpp && r.Sign(open, '<') {
		if open = r.angles(open); open > i+1 && !r.Sign(open, '(') && !r.Sign(open, '{') {
			open = i + 1
		}
	}
	switch {
	case r.Sign(open, '(') && r.Kind(open) == scan.Open:
		r.called(i, open)
	case r.Sign(open, '{') && r.cpp:
		if r.built(i, open) {
			r.record(i, -1, true)
			r.Out.Calls[len(r.Out.Calls)-1].Args = int16(min(len(r.Split(open, ",", false)), 1000))
		}
	case r.Sign(open, '=') && open == i+1:
		if l, ok := r.lambda(open + 1); ok && len(r.places) < maxPlaces && !r.Sign(r.Past(l.body), '(') { // not called at once
			return r.assignLambda(i, open+1, l)
		}
	}
	return i + 1
}

// called records the call of the name i, with its arguments in bracket open.
func (r *reader) called(i, open int) {
	if r.objc && (r.Sign(i-1, '^') || r.Is(i, "@")) {
		return // the result of a block
	}
	if r.Sign(i-1, '~') && (r.Sign(i-2, '.') || r.Two(i-2, '-', '>') || r.scoped(i-2)) {
		r.record(i-1, open, false)
		c := &r.Out.Calls[len(r.Out.Calls)-1]
		c.Callee += r.Str(i)
		return
	}
	r.record(i, open, false)
}

// record is Call, with the global scope left out.
func (r *reader) record(i, open int, constructs bool) {
	r.Call(i, open, constructs)
	if !r.scoped(i - 1) {
		return
	}
	k := i - 1
	for r.scoped(k) && r.Name(k-1) {
		k -= 2
	}
	if !r.scoped(k) || r.Sign(k-1, '>') {
		return
	}
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	c.Receiver = dots(string(r.Src[r.At(k+1):max(r.At(i-1), r.At(k+1))]))
}

// dots writes the signs between names as dots.
func dots(scope string) string {
	b := []byte{}
	for k := 0; k < len(scope); k++ {
		switch c := scope[k]; {
		case c == ':':
			if k+1 < len(scope) && scope[k+1] == ':' {
				b = append(b, '.')
				k++
			}
		case c > ' ':
			b = append(b, c)
		}
	}
	return string(b)
}

// operatorCall skips the sign of an operator that is named: a.operator+(b).
func (r *reader) operatorCall(i int) int {
	if r.Sign(i+1, '(') && r.Sign(i+2, ')') {
		return i + 3
	}
	return i + 2
}

// built reports whether the braces behind the type i construct a value of it.
func (r *reader) built(i, open int) bool {
	if r.Pair(open) >= len(r.Toks) || r.number(i) {
		return false
	}
	for r.scoped(i-1) && r.Name(i-2) {
		i -= 2
	}
	switch r.Kind(i - 1) {
	case scan.Word:
		return r.Key(i-1) == scan.KReturn || r.Key(i-1) == scan.KCoReturn || r.Key(i-1) == scan.KThrow
	case scan.Open:
		return !r.Sign(i-1, '{') || r.closed(r.Past(open)) && !r.Sign(r.Past(open), ';') && i > 0
	case scan.Punct:
		return i > 0 && !r.Sign(i-1, ';') && !r.Sign(i-1, ':') && !r.Two(i-1, '-', '>') && !r.Sign(i-1, '>') && !r.Sign(i-1, '.') && !r.scoped(i-1)
	}
	return false
}

// number reports whether the name i is that of a type of numbers.
func (r *reader) number(i int) bool {
	b := r.Bytes(i)
	if !bytes.HasSuffix(b, []byte("_t")) {
		return false
	}
	for _, p := range []string{"int", "uint", "size", "ssize", "ptrdiff", "char", "wchar", "intptr", "uintptr"} {
		if rest, ok := bytes.CutPrefix(b, []byte(p)); ok && len(bytes.Trim(rest[:len(rest)-2], "0123456789")) == 0 {
			return true
		}
	}
	return false
}

// construct reads what follows new.
func (r *reader) construct(i int) int {
	k := i + 1
	if r.Sign(k, '(') { // where it is placed
		k = r.Past(k)
		if !r.Word(k) && !r.scoped(k) {
			return i + 1
		}
	}
	for r.Word(k) && qualifiers.Has(r.Key(k)) || r.Word(k) && tags.Has(r.Key(k)) {
		k++
	}
	at, next := r.path(k)
	if at < 0 {
		return i + 1
	}
	if r.number(at) {
		return next
	}
	args := -1
	if r.Sign(next, '(') {
		args = next
	}
	r.record(at, args, true)
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	if args < 0 {
		c.Args = 0
	}
	if k > i+1 { // what stands in parentheses before is code
		r.within(i+2, k-1, r.top().decl)
	}
	return next
}

// A function is an expression that is one: its parameters' bracket, or -1, and its
// body.
type function struct{ params, body int }

// lambda returns the function that the expression at k is.
func (r *reader) lambda(k int) (function, bool) {
	f := function{params: -1}
	switch {
	case r.cpp && r.Sign(k, '[') && r.Kind(k) == scan.Open:
		k = r.Past(k)
		if r.Sign(k, '<') {
			k = r.wide(k)
		}
	case r.objc && r.Sign(k, '^'):
		if k++; !r.Sign(k, '(') && !r.Sign(k, '{') {
			k = r.typed(k)
		}
	default:
		return f, false
	}
	if r.Sign(k, '(') {
		f.params = k
		k = r.Past(k)
	}
	f.body = r.tail(k, true)
	return f, r.Sign(f.body, '{')
}

// assignLambda records the function that begins at token from and is assigned to
// the name i.
func (r *reader) assignLambda(i, from int, f function) int {
	d := r.decl(head{first: i}, corpus.Function, i)
	d.Doc, d.Span.Start = corpus.Span{}, d.NameAt
	if r.top().decl >= 0 && r.top().sort == code {
		d.Traits |= corpus.Local
		d.Exported = false
	}
	if f.params >= 0 {
		d.Params = r.params(f.params)
		if a := r.arrow(f.params); a >= 0 {
			d.Result = r.Quote(a+1, f.body)
		}
	}
	end := r.Past(f.body)
	id := r.add(d, f.body, end)
	if f.params >= 0 {
		r.bindParams(f.params, id)
	}
	r.enter(place{sort: code, end: end, decl: id})
	return from + 1
}

// square reads a bracket [: of a message, of what a function captures, or of an
// index.
func (r *reader) square(i int) int {
	if r.objc {
		if sel := r.selector(i); sel >= 0 {
			r.message(i, sel)
			return i + 1
		}
	}
	if r.cpp && r.Sign(i+1, '[') && r.starts(i) {
		return r.Past(i) // an attribute
	}
	if kind := r.Kind(i - 1); r.cpp && (i == 0 || kind == scan.Punct || kind == scan.Open || r.Key(i-1) == scan.KReturn) {
		if f, ok := r.lambda(i); ok {
			r.within(i+1, r.Pair(i), r.top().decl)
			return r.anonymous(f)
		}
	}
	return i + 1
}

// anonymous enters a function without a name. What it is given are variables of
// the one around.
func (r *reader) anonymous(f function) int {
	if f.params >= 0 {
		n := len(r.Out.Bindings)
		r.bindParams(f.params, r.top().decl)
		for k := n; k < len(r.Out.Bindings); k++ {
			r.Out.Bindings[k].Param = 0
		}
	}
	r.enter(place{sort: code, end: r.Past(f.body), decl: r.top().decl, inner: true})
	return f.body
}
