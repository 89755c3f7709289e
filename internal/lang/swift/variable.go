package swift

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// variable reads a var or a let at k, and returns where to go on.
func (r *reader) variable(h head, k int) int {
	at := k + 1
	if r.Opens(at, '(') { // parts of a tuple
		for _, x := range r.Split(at, ",", false) {
			if r.Name(x[1] - 1) {
				r.Bind(x[1]-1, "", "", 0)
			}
		}
		return r.Past(at)
	}
	if r.Kind(at) != scan.Word || r.Key(at) != 0 && !r.Soft(r.Key(at)) && r.Key(at) != scan.KSelf {
		return k
	}
	plain := len(r.bodies) == 0 || at < r.bodyStart() // no condition
	typ, p := "", at+1
	if r.Sign(p, ':') && r.pattern <= k {
		p = r.typed(at + 2)
		typ = r.Quote(at+2, p)
	}
	r.last = -1
	switch {
	case r.Opens(p, '{') && !r.isBody(p) && (typ != "" || r.accessor(p+1)):
		return r.computed(h, at, p, typ)
	case r.Sign(p, '=') && r.Kind(p) == scan.Punct:
		if r.Opens(p+1, '{') && !r.isBody(p+1) && !(r.Opens(r.Past(p+1), '(') && !r.Line(r.Past(p+1))) {
			return r.closure(h, at, p+1, typ)
		}
		value, as := r.assigned(p + 1)
		if as != "" && typ == "" {
			typ = as
		}
		r.bindFrom(k, at, typ, value)
		end := r.top().end
		id := r.constant(h, k, at, typ)
		if typ != "" || plain {
			r.last, r.lastAt = at, variable{h, typ, id, end}
		}
		return p + 1
	case r.condition(k) && (r.Sign(p, ',') || r.Opens(p, '{') || r.Key(p) == scan.KElse):
		if r.Key(at) != scan.KSelf {
			r.Bind(at, typ, r.Str(at), 0) // if let x
		}
	case r.Key(p) == scan.KAs && r.pattern > k:
		r.Bind(at, r.Quote(p+1, r.typed(p+1)), "", 0)
	case r.Key(p) == scan.KIn:
		r.Bind(at, typ, "", 0)
	default:
		r.bindFrom(k, at, typ, "")
		r.constant(h, k, at, typ)
		for r.Sign(p, ',') && r.Name(p+1) && (r.Sign(p+2, ':') || r.Sign(p+2, ',')) && !r.condition(k) && r.pattern <= k {
			at = p + 1
			typ, p = "", at+1
			if r.Sign(p, ':') {
				p = r.typed(at + 2)
				typ = r.Quote(at+2, p)
			}
			r.Bind(at, typ, "", 0)
		}
	}
	return p
}

// bodyStart is the innermost brace that is the body of a condition.
func (r *reader) bodyStart() int { return r.bodies[len(r.bodies)-1] }

func (r *reader) isBody(i int) bool { return len(r.bodies) > 0 && r.bodyStart() == i }

// condition reports whether the let at k belongs to an if, a guard or a while.
func (r *reader) condition(k int) bool {
	key := r.Key(k - 1)
	return key == scan.KIf || key == scan.KGuard || key == scan.KWhile || r.Sign(k-1, ',') && len(r.bodies) > 0
}

// constant records a variable of the file and returns its number, or -1.
func (r *reader) constant(h head, k, at int, typ string) int {
	if len(r.places) > 1 || len(r.bodies) > 0 || r.pattern > k || r.Kind(k-1) == scan.Open {
		return -1
	}
	kind := corpus.Variable
	if r.Key(k) == scan.KLet {
		kind = corpus.Constant
	}
	for p := k - 1; p >= h.first; p-- {
		if r.Key(p) == scan.KIf || r.Key(p) == scan.KGuard {
			return -1
		}
	}
	d := r.decl(h, kind, at)
	d.Result = typ
	end := r.stops(at)
	id := r.add(d, -1, end)
	r.enter(place{sort: code, end: end, decl: id})
	return id
}

// computed reads a property with accessors in the braces p.
func (r *reader) computed(h head, at, p int, typ string) int {
	if r.required(p) {
		r.Bind(at, typ, "", 0)
		return r.Past(p)
	}
	// What is known of it belongs to the type, not to the accessor.
	r.BindAs(r.Str(at), typ, "", r.At(h.first), 0)
	id := r.property(h, at, p, typ)
	r.enter(place{sort: code, end: r.Past(p), decl: id})
	r.block(p, id)
	return p + 1
}

func (r *reader) property(h head, at, p int, typ string) int {
	kind := corpus.Function
	if r.top().sort == members {
		kind = corpus.Method
	} else if r.local() {
		h.traits |= corpus.Local
	}
	h.traits |= corpus.Accessor
	d := r.decl(h, kind, at)
	d.Result = typ
	return r.add(d, p, r.Past(p))
}

// observed reads the observers in the braces p of the variable declared last.
func (r *reader) observed(p int) {
	at := r.last
	r.last = -1
	id := r.top().decl
	if r.lastAt.decl >= 0 && r.lastAt.decl != id || r.lastAt.decl < 0 && r.lastAt.end != r.top().end {
		return // it has ended
	}
	if r.lastAt.decl >= 0 { // of the file
		d := &r.Out.Decls[id]
		d.Kind, d.Traits, d.Body = corpus.Function, d.Traits|corpus.Accessor, r.At(p)
	} else {
		id = r.property(r.lastAt.head, at, p, r.lastAt.typ)
	}
	// The value before belongs to the type as well.
	r.enter(place{sort: code, end: r.Past(p), decl: id})
	r.enter(place{sort: access, end: r.Pair(p), decl: id})
}

// closure reads a function that is assigned to the name at.
func (r *reader) closure(h head, at, body int, typ string) int {
	kind := corpus.Function
	h.traits.AddIf(r.local(), corpus.Local)
	d := r.decl(h, kind, at)
	d.Result = ""
	in := r.in(body)
	if r.Opens(body+1, '(') && in > 0 {
		d.Params = r.Params(body+1, true)
	}
	r.BindAs(r.Str(at), typ, "", r.At(h.first), 0)
	id := r.add(d, body, r.Past(body))
	if d.Params != nil {
		r.bindParams(body + 1)
	}
	r.enter(place{sort: code, end: r.Past(body), decl: id})
	return body + 1
}

// in returns the word that ends the head of the closure at body, or -1.
func (r *reader) in(body int) int {
	for k := body + 1; k < min(r.Pair(body), body+40); k = r.Past(k) {
		if r.Key(k) == scan.KIn {
			return k
		}
		if r.Kind(k) == scan.Text || r.Sign(k, '=') || k > body+1 && r.Line(k) {
			return -1
		}
	}
	return -1
}

// bindFrom records a variable that token k declares: what is known of it stands
// before it, so that it belongs to what is around.
func (r *reader) bindFrom(k, at int, typ, value string) {
	r.BindAs(r.Str(at), typ, value, r.At(k), 0)
}

// assigned returns the chain at k, where that is all of the expression, or the
// type that it is said to have.
func (r *reader) assigned(k int) (chain, as string) {
	chain, next := r.value(k)
	if chain == "" {
		return "", ""
	}
	if r.Key(next) == scan.KAs {
		next++
		if r.Sign(next, '?') || r.Sign(next, '!') {
			next++
		}
		if end := r.typed(next); end > next {
			return "", r.Quote(next, end)
		}
	}
	if r.Line(next) && !r.continues(next) || r.Kind(next) == scan.Close || r.Sign(next, ',') || r.Sign(next, ';') || r.Key(next) == scan.KElse || r.Opens(next, '{') {
		return chain, ""
	}
	return "", ""
}

// value reads the chain that begins at k, closures behind calls included, and
// returns the token after it.
func (r *reader) value(k int) (string, int) {
	if called := r.Past(k); r.Opens(k, '{') && r.Opens(called, '(') { // { make() }()
		if chain, end := r.value(k + 1); end == r.Pair(k) {
			return chain, r.Past(called)
		}
	}
	for r.Key(k) == scan.KTry || r.Key(k) == scan.KAwait {
		if k++; (r.Sign(k, '?') || r.Sign(k, '!')) && r.Key(k-1) == scan.KTry {
			k++
		}
	}
	if key := r.Key(k); key != 0 && !r.Soft(key) && key != scan.KSelf && key != scan.KSuper || r.Kind(k) != scan.Word || k >= len(r.Toks) {
		return "", k
	}
	chain, next := r.Chain(k)
	for range 8 {
		if chain == "" || strings.HasPrefix(chain, scan.Unknown) {
			return "", next
		}
		if !r.Opens(next, '{') || r.Line(next) || r.isBody(next) || r.accessor(next+1) {
			break
		}
		if !strings.HasSuffix(chain, "()") {
			chain += "()"
		}
		next = r.Past(next)
		for r.Name(next) && !r.Line(next) && r.Sign(next+1, ':') && r.Opens(next+2, '{') {
			next = r.Past(next + 2)
		}
		for r.Sign(next, '?') || r.Sign(next, '!') {
			next++
		}
		if !(r.Sign(next, '.') || r.Is(next, "?.")) || r.Kind(next+1) != scan.Word {
			break
		}
		rest, after := r.Chain(next + 1)
		chain, next = chain+"."+rest, after
	}
	return chain, next
}
