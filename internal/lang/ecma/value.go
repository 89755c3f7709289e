package ecma

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// given reads the value at token i, if it is a function or a class, as the
// declaration of t; d is -1 where it is neither.
func (r *reader) given(i, end int, t target) (d, next int) {
	if i >= end {
		return -1, i
	}
	if r.Sign(i, '(') {
		if inner, after := r.parenthesised(i, end); inner > i {
			d, _ = r.given(inner, r.Pair(i), t)
			r.finish(d, after)
			return d, after
		}
	}
	x := expression{end: end}
	k := i
	switch r.key(i) {
	case scan.KClass:
		return r.classAs(i, end, t)
	case scan.KAsync:
		if r.key(i+1) == scan.KFunction && !r.Line(i+1) {
			k++
		}
	}
	if r.key(k) == scan.KFunction {
		n := r.SkipSign(k+1, '*')
		if r.Word(n) {
			n++
		}
		after := r.shape(n, end)
		if r.ts {
			after = r.casts(after, end)
		}
		if !r.ends(after, end) {
			return -1, i
		}
		t.traits |= r.manner(i, k)
		d = r.declare(t)
		r.wants = t.wants
		next = max(r.callable(n, end, d), k+1)
		r.finish(d, next)
		return d, max(next, after)
	}
	if !r.Word(i) && !r.Sign(i, '(') && !r.Sign(i, '<') || r.Toks[i].Key != 0 && r.Word(i) && r.Toks[i].Key != scan.KAsync && !r.Two(i+1, '=', '>') {
		return -1, i
	}
	h := r.arrow(i, &x)
	if h.arrow == 0 {
		return -1, i
	}
	d = r.declare(t)
	r.wants = t.wants
	next = max(r.function(h, end, 0, d), h.arrow+1)
	r.finish(d, next)
	return d, next
}

// assign reads the = at token i; the chain before it began at x.head.
func (r *reader) assign(x *expression, i int) int {
	if !r.enter() {
		x.operator()
		return i + 1
	}
	defer r.leave()
	head, last := x.head, i-1
	owner := ""
	if !x.dotted {
		owner = scan.Unknown
	} else if last > head {
		owner = strings.ReplaceAll(r.Quote(head, last-1), " ", "")
	}
	name := r.Str(last)
	x.operator()
	x.assigns = true
	t := target{name: name, at: r.At(last), start: head, kind: corpus.Function}
	module := owner == "module" && name == "exports"
	switch {
	case module || owner == "" && name == "exports":
		return r.exports(x, i)
	case owner == "exports" || owner == "module.exports":
		t.exported = true
	case strings.HasSuffix(owner, ".prototype"):
		t.scope, t.kind, t.exported = strings.TrimSuffix(owner, ".prototype"), corpus.Method, true
	case owner == "this":
		t.kind, t.exported = corpus.Method, true
	case owner == scan.Unknown:
		t.exported = true
	case owner != "":
		t.scope, t.exported = owner, true
	}
	if d, k := r.given(i+1, x.end, t); d >= 0 {
		x.value(i+1, false)
		x.closed = true
		return k
	}
	if owner == scan.Unknown {
		return i + 1
	}
	full := name
	if owner != "" {
		full = owner + "." + name
	}
	r.bind(corpus.Binding{Name: full, At: r.At(head)})
	at := len(r.Out.Bindings) - 1
	if t.exported && (owner == "exports" || owner == "module.exports") && r.Word(i+1) {
		r.offered = append(r.offered, r.Str(i+1))
	}
	k := r.expr(i+1, x.end, x.how&^comma)
	r.Out.Bindings[at].Type, r.Out.Bindings[at].Value = r.held(i+1, k)
	r.required(i+1, k, full)
	if k > i+1 {
		x.value(i+1, false)
	}
	return k
}

// exports reads the value that is assigned to module.exports by the = at token i.
func (r *reader) exports(x *expression, i int) int {
	v := i + 1
	if r.Word(v) && r.ends(v+1, x.end) {
		r.offered = append(r.offered, r.Str(v))
	}
	mark := len(r.Out.Decls)
	k := i + 1
	switch {
	case r.Sign(v, '{'):
		k = r.whole(v, x.end)
		x.value(v, false)
		return k
	case r.key(v) == scan.KFunction || r.key(v) == scan.KClass || r.key(v) == scan.KAsync:
		k = r.expr(v, x.end, x.how&^comma)
		x.value(v, false)
		if mark < len(r.Out.Decls) && r.Out.Decls[mark].NameAt < r.At(v+4) {
			r.Out.Decls[mark].Exported = true
			r.bind(corpus.Binding{Name: "default", Value: r.Out.Decls[mark].Name, At: r.Out.Decls[mark].NameAt})
		}
	case r.Word(v):
		at := len(r.Out.Bindings)
		r.bind(corpus.Binding{Name: "default", At: r.At(v)})
		k = max(r.expr(v, x.end, x.how&^comma), v)
		x.value(v, false)
		r.Out.Bindings[at].Type, r.Out.Bindings[at].Value = r.origin(v, k)
	}
	return k
}

// object reads the object literal, or pattern, at token i.
func (r *reader) object(i, end int) int {
	stop := min(r.close(i, end), end)
	if !r.enter() {
		return r.past(i, end)
	}
	defer r.leave()
	wants, public, fields := r.wants, r.public, r.fields
	r.fields = false
	defer r.into(i)()
	defer func() { r.public = public }()
	for k := i + 1; k < stop; {
		r.public = public
		if r.Sign(k, ',') {
			k++
			continue
		}
		if r.broken(k, i) && !r.Sign(k+1, ':') && !r.Sign(k+1, '(') && !r.Sign(k+1, ',') {
			return k
		}
		next := r.property(k, stop, literal{wants, public, fields})
		if next <= k || next < stop && !r.Sign(next, ',') {
			// It is no object, or something is missing in it.
			r.Out.Missed++
			next = max(r.stray(max(next, k), stop), k+1)
		}
		k = next
	}
	return min(stop+1, end)
}

// A literal is what is known of an object literal from what stands before it.
type literal struct {
	wants  string // the chain of the type that is expected of it
	public bool   // it is offered
	fields bool   // it is what a name holds
}

// property reads one property of an object literal.
func (r *reader) property(i, end int, in literal) int {
	r.public = false
	public := in.public
	if r.Is(i, "...") {
		return r.expr(i+1, end, 0)
	}
	start := i
	traits, i := r.manners(i, end)
	if i >= end {
		return i
	}
	t := target{start: start, kind: corpus.Method, exported: public, traits: traits}
	t.name, t.at = r.memberName(i)
	k := i + 1
	switch {
	case r.Sign(i, '['):
		k = r.list(i, end)
	case r.Kind(i) == scan.Open || r.Kind(i) == scan.Punct:
		return start
	}
	switch {
	case k >= end || r.Sign(k, ','):
		if public && r.Word(i) {
			r.offered = append(r.offered, t.name)
		}
		if in.fields && r.Word(i) {
			r.bind(corpus.Binding{Name: "." + t.name, Value: t.name, At: t.at})
		}
		return k
	case r.Sign(k, '(') || r.ts && r.Sign(k, '<'):
		r.wants = of(in.wants, "."+t.name)
		return r.method(k, end, t)
	case r.Sign(k, '='):
		return max(r.expr(k+1, end, 0), k+1)
	case !r.Sign(k, ':'):
		return k
	}
	t.wants = of(in.wants, "."+t.name)
	return r.propertyValue(k+1, end, t, in)
}

// manners reads the words before the name of a property at token i, and the sign of a
// generator.
func (r *reader) manners(i, end int) (corpus.Traits, int) {
	var t corpus.Traits
	for ; i+1 < end; i++ {
		switch k := r.key(i); {
		case k == scan.KAsync && r.names(i+1):
			t |= corpus.Async
		case (k == scan.KGet || k == scan.KSet) && r.names(i+1):
			t |= corpus.Accessor
		case r.Sign(i, '*'):
			t |= corpus.Generator
		default:
			return t, i
		}
	}
	return t, i
}

// propertyValue reads the value from token v on of the property t of a literal.
func (r *reader) propertyValue(v, end int, t target, in literal) int {
	if t.name != "" {
		if d, next := r.given(v, end, t); d >= 0 {
			return next
		}
	}
	if in.public && r.Word(v) && r.ends(v+1, end) {
		r.offered = append(r.offered, r.Str(v))
	}
	if !in.fields || t.name == "" {
		return r.assigned(v, end, literal{wants: t.wants})
	}
	at := len(r.Out.Bindings)
	r.bind(corpus.Binding{Name: "." + t.name, At: t.at})
	next := r.assigned(v, end, literal{wants: t.wants})
	typ, value := r.held(v, next)
	b := &r.Out.Bindings[at]
	if b.Type, b.Value = typ, value; b.Type == "" && b.Value == "" {
		r.Out.Bindings = append(r.Out.Bindings[:at], r.Out.Bindings[at+1:]...)
	}
	return next
}

// assigned reads the expression from token v on, of which in is known if it is an
// object literal alone.
func (r *reader) assigned(v, end int, in literal) int {
	if !r.Sign(v, '{') {
		return max(r.expr(v, end, 0), v)
	}
	r.wants, r.public, r.fields = in.wants, in.public, in.fields
	k := r.object(v, end)
	r.public = false
	if k < end && !r.ends(k, end) {
		k = r.rest(v, k, end)
	}
	return k
}

// method reads the function whose type parameters or parameters begin at token i as
// the declaration of t.
func (r *reader) method(i, end int, t target) int {
	d := -1
	if t.name != "" {
		d = r.declare(t)
	}
	k := max(r.callable(i, end, d), i+1)
	r.finish(d, k)
	return k
}
