package ecma

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A target is what a value is assigned to.
type target struct {
	name     string
	at       int // of the name
	start    int // the token where its declaration begins
	kind     corpus.Kind
	scope    string
	exported bool
	traits   corpus.Traits
	marks    []string
}

func (r *reader) bind(b corpus.Binding) { r.Out.Bindings = append(r.Out.Bindings, b) }

// declare adds the declaration of t and returns its index.
func (r *reader) declare(t target) int {
	d := corpus.Decl{Kind: t.kind, Name: t.name, NameAt: t.at, Scope: t.scope, Exported: t.exported || r.ambient && r.space > 0, Traits: t.traits, Marks: t.marks}
	if r.inside > 0 {
		d.Traits |= corpus.Local
	}
	d.Span = corpus.Span{Start: min(r.At(t.start), t.at), End: t.at + len(t.name)}
	if d.Doc = r.Doc(d.Span.Start); d.Doc.End > 0 {
		d.Span.Start = d.Doc.Start
	}
	n := len(r.Out.Decls)
	if r.inside == 0 && r.space == 0 && t.kind != corpus.Method {
		r.top = append(r.top, int32(n))
	}
	r.Out.Decls = append(r.Out.Decls, d)
	return n
}

// finish ends declaration d before token i.
func (r *reader) finish(d, i int) {
	if d < 0 {
		return
	}
	x := &r.Out.Decls[d]
	if i > 0 {
		x.Span.End = max(x.Span.End, r.End(min(i, len(r.Toks))-1))
	}
	if x.Body == 0 {
		x.Body = x.Span.End
	}
	x.Body = min(x.Body, x.Span.End)
}

// A head is where the parts of an arrow function are.
type head struct {
	start  int // async, if that is there
	params int // the parenthesis, or the one name
	colon  int // before the type of the result; 0 where there is none
	arrow  int // 0: it is none
	async  bool
}

// arrow looks whether an arrow function begins at token i.
func (r *reader) arrow(i int, x *expression) head {
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

// lambda reads the arrow function h, which has no name.
func (r *reader) lambda(h head, x *expression) int {
	x.value(h.start, false)
	x.closed = r.Sign(h.arrow+1, '{')
	return r.function(h, x.end, x.how, -1)
}

// function reads the arrow function h, declared as d.
func (r *reader) function(h head, end, how, d int) int {
	if !r.enter() {
		return end
	}
	defer r.leave()
	if d >= 0 && h.async {
		r.Out.Decls[d].Traits |= corpus.Async
	}
	if r.Word(h.params) {
		b := corpus.Binding{Name: r.Str(h.params), At: r.At(h.params)}
		if d >= 0 {
			b.Param = 1
			r.Out.Decls[d].Params = []string{b.Name}
		}
		r.bind(b)
	} else {
		r.params(h.params, end, d)
	}
	if h.colon > 0 && d >= 0 {
		r.Out.Decls[d].Result = r.Quote(h.colon+1, h.arrow)
	}
	body := h.arrow + 1
	if d >= 0 {
		r.Out.Decls[d].Body = r.At(body)
	}
	if r.Sign(body, '{') {
		return r.body(body, end, d)
	}
	defer r.within(d)()
	at := len(r.Out.Bindings)
	if r.named {
		r.bind(corpus.Binding{Name: "()", At: r.At(body)})
	}
	k := r.expr(body, end, how&^comma)
	if r.named {
		b := &r.Out.Bindings[at]
		b.Type, b.Value = r.origin(body, k)
	}
	return k
}

// within goes into function d, and returns how to get out again.
func (r *reader) within(d int) func() {
	named, branch := r.named, r.branch
	r.named = d >= 0
	r.inside++
	return func() {
		r.named, r.branch = named, branch
		r.inside--
	}
}

// body reads the block at token i as the body of function d.
func (r *reader) body(i, end, d int) int {
	defer r.within(d)()
	return r.braces(i, end)
}

// functionValue reads the function at token i of an expression; its first token is
// start.
func (r *reader) functionValue(x *expression, start, i int) int {
	x.value(start, false)
	k := i + 1
	if r.Sign(k, '*') {
		k++
	}
	d := -1
	if r.Word(k) {
		d = r.declare(target{name: r.Str(k), at: r.At(k), start: start, kind: corpus.Function, traits: r.manner(start, i)})
		k++
	}
	k = r.callable(k, x.end, d)
	r.finish(d, k)
	return max(k, i+1)
}

// manner returns the traits that the words from token start to function, token i,
// and what is behind it give.
func (r *reader) manner(start, i int) corpus.Traits {
	var t corpus.Traits
	if start < i && r.key(i-1) == scan.KAsync {
		t |= corpus.Async
	}
	if r.Sign(i+1, '*') {
		t |= corpus.Generator
	}
	return t
}

// callable reads what stands behind the name of a function: type parameters,
// parameters, result and body.
func (r *reader) callable(i, end, d int) int {
	if r.ts && r.Sign(i, '<') {
		i = r.sure(i)
	}
	if i >= end || !r.Sign(i, '(') || !r.matched(i) {
		if r.Sign(i, '(') {
			r.Out.Missed++
			return i + 1
		}
		return i
	}
	if !r.enter() {
		return r.past(i, end)
	}
	defer r.leave()
	r.params(i, end, d)
	i = r.past(i, end)
	if result, k := r.colon(i, end); k > i {
		if i = k; d >= 0 {
			r.Out.Decls[d].Result = result
		}
	}
	if i >= end || !r.Sign(i, '{') {
		if d >= 0 {
			r.Out.Decls[d].Traits |= corpus.Abstract
		}
		return i
	}
	if d >= 0 {
		r.Out.Decls[d].Body = r.At(i)
	}
	return r.body(i, end, d)
}

// params reads the parameters in the parentheses at token open, of function d.
func (r *reader) params(open, end, d int) {
	stop := min(r.close(open, end), end)
	n := int16(0)
	for i := open + 1; i < stop; {
		if r.Sign(i, ',') {
			i++
			continue
		}
		from := i
		i = r.param(i, stop, d, &n)
		if i == from {
			i = r.stray(i, stop)
		}
		if d >= 0 {
			r.Out.Decls[d].Params = append(r.Out.Decls[d].Params, r.Quote(from, i))
		}
		for i < stop && !r.Sign(i, ',') {
			i = max(r.stray(i, stop), i+1)
		}
	}
}

// param reads one parameter; n counts them.
func (r *reader) param(i, end, d int, n *int16) int {
	for r.Sign(i, '@') {
		_, k := r.decorator(i, end)
		i = max(k, i+1)
	}
	field := false
	for i+1 < end && r.ts && modifier(r.key(i)) && r.Word(i+1) {
		field = true
		i++
	}
	if r.Is(i, "...") {
		i++
	}
	from := len(r.Out.Bindings)
	b := corpus.Binding{At: r.At(i)}
	switch {
	case r.Word(i):
		b.Name = r.Str(i)
		if d >= 0 && r.key(i) != scan.KThis {
			*n++
			b.Param = *n
		}
		r.bind(b)
		i++
	case r.Sign(i, '{') || r.Sign(i, '['):
		*n++
		i = r.pattern(i, end, "")
		r.rebase(from, "")
	default:
		return i
	}
	if i < end && r.Sign(i, '?') {
		i++
	}
	typ, i := r.colon(i, end)
	value := ""
	if i < end && r.Sign(i, '=') {
		k := r.expr(i+1, end, 0)
		_, value = r.origin(i+1, k)
		i = max(k, i+1)
	}
	if b.Name != "" {
		r.Out.Bindings[from].Type, r.Out.Bindings[from].Value = typ, value
		if field {
			b.Name, b.Param, b.Type, b.Value = "this."+b.Name, 0, typ, value
			r.bind(b)
		}
	}
	return i
}

// modifier reports whether a word before a member or a parameter says something
// about it.
func modifier(key scan.Key) bool {
	switch key {
	case scan.KPublic, scan.KPrivate, scan.KProtected, scan.KReadonly, scan.KOverride:
		return true
	}
	return false
}

// pattern binds the names in the pattern at token open, and returns the token
// after it. What they are assigned is path behind whatever the pattern is.
func (r *reader) pattern(open, end int, path string) int {
	stop := min(r.close(open, end), end)
	if !r.enter() {
		return r.past(open, end)
	}
	defer r.leave()
	braces := r.Sign(open, '{')
	for i := open + 1; i < stop; {
		from, at := i, path+"[]"
		if r.Sign(i, ',') {
			i++
			continue
		}
		if r.Is(i, "...") {
			at = ""
			i++
		}
		if braces && at != "" {
			at = ""
			switch {
			case r.Sign(i, '['):
				i = r.list(i, stop)
			case r.Word(i):
				at = path + "." + r.Str(i)
				fallthrough
			default:
				if r.Sign(i+1, ':') {
					i++
				}
			}
			if i < stop && r.Sign(i, ':') {
				i++
			}
		}
		switch {
		case i >= stop:
		case r.Sign(i, '{') || r.Sign(i, '['):
			i = r.pattern(i, stop, at)
		case r.Word(i):
			r.bind(corpus.Binding{Name: r.Str(i), Value: at, At: r.At(i)})
			i++
		}
		if i < stop && r.Sign(i, '=') {
			i = max(r.expr(i+1, stop, 0), i+1)
		}
		if i == from {
			i = r.stray(i, stop)
		}
	}
	return min(stop+1, end)
}

// rebase puts value before the paths that the pattern whose bindings begin at from
// has left; without a value they are unknown.
func (r *reader) rebase(from int, value string) {
	for k := from; k < len(r.Out.Bindings); k++ {
		b := &r.Out.Bindings[k]
		switch {
		case value == "" || b.Value == "":
			b.Value = ""
		case b.Value[0] == '.' || b.Value[0] == '[':
			b.Value = value + b.Value
		}
	}
}

// origin returns what tells the type of the expression from token i to token end:
// the chain that it is, and the type that it is cast to.
func (r *reader) origin(i, end int) (typ, value string) {
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
	if end == i+1 {
		switch string(r.Bytes(i)) {
		case "null", "undefined", "true", "false":
			return "", ""
		}
	}
	chain, next := r.Chain(i)
	if strings.HasPrefix(chain, scan.Unknown) {
		chain = ""
	}
	if next < end && r.ts && r.key(next) == scan.KAs {
		if typ = r.Quote(next+1, end); typ == "const" {
			return "", chain
		}
		return typ, ""
	}
	if next != end {
		return "", ""
	}
	return "", chain
}
