package csharp

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// method reads a function named by token at, with its parameters in bracket p.
func (r *reader) method(h head, at, p int, kind corpus.Kind, result string) int {
	end := r.End(at)
	if r.Sign(at, '~') {
		end = r.End(at + 1)
		if !r.Adjacent(at) {
			at, end = at+1, r.End(at+1)
		}
	}
	return r.methodNamed(h, at, end, p, kind, result)
}

// methodNamed reads a function whose name is the text from token at to an offset.
func (r *reader) methodNamed(h head, at, nameEnd, p int, kind corpus.Kind, result string) int {
	d := r.decl(h, kind, at)
	d.Name = string(r.Src[d.NameAt:nameEnd])
	d.Result = result
	d.Traits &^= corpus.Extension // a partial method is not
	after := r.behind(p)
	body, end := r.body(after)
	if body < 0 {
		d.Traits |= corpus.Abstract
	} else {
		d.Traits &^= corpus.Abstract
	}
	if closed := after == r.Past(p); closed {
		d.Params = r.Params(p, true)
		if first := r.Split(p, ",", true); len(first) > 0 && r.thisParam(first[0]) {
			d.Traits |= corpus.Extension
		}
	}
	on := r.top().on
	receiver := r.receiver(on)
	if receiver != "" && d.Traits&corpus.Static == 0 {
		d.Traits |= corpus.Extension
		d.Params = append([]string{"this " + receiver}, d.Params...)
	}
	id := r.add(d, body, end)
	if d.Params != nil {
		r.bindParams(p)
	}
	if receiver != "" {
		r.bindParams(on)
	}
	r.enter(place{sort: code, end: end, decl: id})
	if body >= 0 && r.arrow(body) {
		r.result(body+1, end-1)
	}
	return after
}

// maxConstraints is of how many tokens those of the type parameters of a block of extensions may be.
const maxConstraints = 60

// constrained returns the token after what begins at k and says of type parameters what they must be.
func (r *reader) constrained(k int) int {
	for end := k + maxConstraints; k < min(end, len(r.Toks)) && !r.Sign(k, '{') && !r.Sign(k, ';'); {
		k = r.Past(k)
	}
	return k
}

// receiver returns the parameter in bracket p of a block of extensions, with its name, or "" where it has
// a type alone, and there is no instance.
func (r *reader) receiver(p int) string {
	if p == 0 {
		return ""
	}
	of := r.Split(p, ",", true)
	if len(of) != 1 || of[0][1]-of[0][0] < 2 || !r.Name(of[0][1]-1) || r.Sign(of[0][1]-2, '.') {
		return ""
	}
	return r.Quote(of[0][0], of[0][1])
}

// behind returns the token after the parameters in bracket p; where that is never
// closed, one that could be.
func (r *reader) behind(p int) int {
	if r.Sign(r.Pair(p), ')') {
		return r.Past(p)
	}
	for k := p + 1; k < min(len(r.Toks), p+100); k++ {
		if r.Sign(k, '{') || r.Sign(k, ';') || r.arrow(k) {
			return k
		}
	}
	return r.Past(p)
}

// thisParam reports whether a parameter is what an extension method is called on.
func (r *reader) thisParam(p [2]int) bool {
	for k := p[0]; k < p[1]; k++ {
		if r.Sign(k, '[') {
			k = r.Past(k) - 1
		} else if key := r.Key(k); key == scan.KThis {
			return true
		} else if key != scan.KRef && key != scan.KIn && key != scan.KScoped {
			return false
		}
	}
	return false
}

// body returns the token that begins the body of what has its parameters before
// after, -1 where there is none, and the token after its end.
func (r *reader) body(after int) (body, end int) {
	stop := r.top().end
	for k := after; k < stop; k = r.Past(k) {
		switch {
		case r.Sign(k, '{'):
			return k, min(r.Past(k), stop)
		case r.arrow(k):
			return k, min(r.ends(k+1, false)+1, stop)
		case r.Sign(k, ';'):
			return -1, k + 1
		case r.Kind(k) == scan.Close, access.Has(r.Key(k)):
			return -1, k
		}
	}
	return -1, stop
}

// bindParams binds the parameters in bracket p.
func (r *reader) bindParams(p int) {
	for n, x := range r.Split(p, ",", true) {
		from, end := x[0], x[1]
		for from < end {
			key := r.Key(from)
			if r.Sign(from, '[') {
				from = r.Past(from)
			} else if key == scan.KThis || key == scan.KRef || key == scan.KOut || key == scan.KIn || key == scan.KParams || key == scan.KReadonly || key == scan.KScoped && from+2 < end {
				from++
			} else {
				break
			}
		}
		at := r.typed(from)
		typ := r.Quote(from, at)
		if at == end || r.arrow(at) { // of a lambda: no type
			at, typ = from, ""
		}
		if at < end && r.Name(at) {
			r.Bind(at, typ, "", n+1)
		}
	}
}

// property reads a property or an indexer: its type begins at t, it is named by
// token at, and p is what follows.
func (r *reader) property(h head, t, at, p int, typ string) int {
	_, end := r.body(p)
	if r.Sign(p, '{') && r.Sign(end, '=') { // an initial value
		end = r.ends(end, false) + 1
	}
	name := r.Str(at)
	b := corpus.Binding{Name: name, Type: typ, At: r.At(at)}
	lambda := r.Sign(p, '{') && r.Sign(r.Past(p), '=') && r.lambda(r.Past(p)+1) >= 0
	bodies := r.arrow(p) || lambda || r.Sign(p, '{') && r.bodies(p)
	indexer := r.Key(at) == scan.KThis
	id := r.top().decl
	if bodies || indexer {
		// What is known of it belongs to the type, not to the accessor.
		b.At = r.At(t)
		d := r.decl(h, corpus.Method, at)
		d.Traits = d.Traits&^(corpus.Extension|corpus.Abstract) | corpus.Accessor
		if lambda {
			d.Traits &^= corpus.Accessor
		}
		d.Result = typ
		body := p
		if !bodies {
			d.Traits |= corpus.Abstract
			body = -1
		}
		if indexer {
			d.Params = r.Params(at+1, true)
		} else {
			r.Out.Bindings = append(r.Out.Bindings, b)
		}
		id = r.add(d, body, end)
		if indexer {
			r.bindParams(at + 1)
		}
	} else {
		if v := r.Past(p); r.Sign(v, '=') {
			b.Value, _ = r.assigned(v + 1)
		}
		r.Out.Bindings = append(r.Out.Bindings, b)
	}
	if v := r.Past(p); r.Sign(p, '{') && r.Sign(v, '=') {
		r.targetTyped(v+1, typ)
	}
	if r.arrow(p) {
		r.result(p+1, end-1)
	}
	r.enter(place{sort: code, end: end, decl: id})
	return p + 1
}

// bodies reports whether an accessor in the braces p has a body.
func (r *reader) bodies(p int) bool {
	end := min(r.Pair(p), len(r.Toks))
	for k := p + 1; k < end; k = r.Past(k) {
		if r.Sign(k, '{') || r.arrow(k) {
			return true
		}
	}
	return false
}

func (r *reader) event(h head, k int) int {
	at := r.typed(k)
	for r.Name(at) && r.Sign(r.angles(at+1), '.') {
		at = r.angles(at+1) + 1
	}
	if at == k || !r.Name(at) {
		return r.code(k)
	}
	if r.Sign(at+1, '{') {
		return r.property(h, k, at, at+1, r.Quote(k, at))
	}
	r.fields(at, r.Quote(k, at))
	return at
}

// result binds what a function returns to the expression between two tokens.
func (r *reader) result(from, end int) {
	if v := r.Value(from, end); v != "" {
		r.BindAs("()", "", v, r.At(from), 0)
	}
}
