package ecma

import (
	"cmp"
	"strconv"

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
	wants    string // the chain of the type that is expected of it
}

func (r *reader) bind(b corpus.Binding) { r.Out.Bindings = append(r.Out.Bindings, b) }

// declare adds the declaration of t and returns its index.
func (r *reader) declare(t target) int {
	d := corpus.Decl{Kind: t.kind, Name: t.name, NameAt: t.at, Scope: t.scope, Exported: t.exported || r.ambient && r.space > 0, Traits: t.traits, Marks: t.marks}
	d.Traits.AddIf(r.inside > 0, corpus.Local)
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
	x.Body = cmp.Or(x.Body, x.Span.End)
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

// lambda reads the arrow function h, which has no name.
func (r *reader) lambda(h head, x *expression) int {
	x.value(h.start, false)
	x.closed = r.Sign(h.arrow+1, '{')
	r.wants = r.wanted(h.start)
	k := r.function(h, x.end, x.how, -1)
	r.enclose(r.At(h.params), r.End(k-1))
	return k
}

// function reads the arrow function h, declared as d.
func (r *reader) function(h head, end, how, d int) int {
	wants := r.wants
	r.wants = ""
	if !r.enter() {
		return end
	}
	defer r.leave()
	if d >= 0 && h.async {
		r.Out.Decls[d].Traits |= corpus.Async
	}
	if r.Word(h.params) {
		b := corpus.Binding{Name: r.Str(h.params), Value: of(wants, "^0"), At: r.At(h.params)}
		if d >= 0 {
			b.Param = 1
			r.Out.Decls[d].Params = []string{b.Name}
		}
		r.bind(b)
		r.local(b.Name, b.At)
	} else {
		r.params(h.params, end, d, wants)
	}
	result := ""
	if h.colon > 0 {
		if result = r.Quote(h.colon+1, h.arrow); d >= 0 {
			r.Out.Decls[d].Result = result
		}
	}
	body := h.arrow + 1
	if d >= 0 {
		r.Out.Decls[d].Body = r.At(body)
	}
	if r.Sign(body, '{') {
		return r.body(body, end, d, returned(result, wants))
	}
	defer r.within(d)()
	r.returns = returned(result, wants)
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
	named, branch, returns := r.named, r.branch, r.returns
	r.named, r.returns = d >= 0, ""
	r.inside++
	return func() {
		r.named, r.branch, r.returns = named, branch, returns
		r.inside--
	}
}

// body reads the block at token i as the body of function d; returns is the chain of
// the type that it is expected to return.
func (r *reader) body(i, end, d int, returns string) int {
	defer r.within(d)()
	r.returns = returns
	return r.bracesOf(i, end)
}

// functionValue reads the function at token i of an expression; its first token is
// start.
func (r *reader) functionValue(x *expression, start, i int) int {
	x.value(start, false)
	k := r.SkipSign(i+1, '*')
	d := -1
	if r.Word(k) {
		d = r.declare(target{name: r.Str(k), at: r.At(k), start: start, kind: corpus.Function, traits: r.manner(start, i)})
		k++
	}
	r.wants = r.wanted(start)
	from := k
	k = r.callable(k, x.end, d)
	if d < 0 && k > from {
		r.enclose(r.At(from), r.End(k-1))
	}
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
	wants := r.wants
	r.wants = ""
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
	r.params(i, end, d, wants)
	i = r.past(i, end)
	result, i := r.colon(i, end)
	if result != "" && d >= 0 {
		r.Out.Decls[d].Result = result
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
	return r.body(i, end, d, returned(result, wants))
}

// params reads the parameters in the parentheses at token open, of function d, of
// which a function of type wants is expected.
func (r *reader) params(open, end, d int, wants string) {
	defer r.into(open)()
	stop := min(r.close(open, end), end)
	n := int16(0)
	for i := open + 1; i < stop; {
		if r.Sign(i, ',') {
			i++
			continue
		}
		from := i
		i = r.param(i, stop, d, &n, wants)
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
func (r *reader) param(i, end, d int, n *int16, wants string) int {
	for r.Sign(i, '@') {
		_, k := r.decorator(i, end)
		i = max(k, i+1)
	}
	field := false
	for i+1 < end && r.ts && modifier(r.key(i)) && r.Word(i+1) {
		field = true
		i++
	}
	i = r.SkipWord(i, "...")
	from := len(r.Out.Bindings)
	b := corpus.Binding{At: r.At(i)}
	switch {
	case r.Word(i):
		b.Name = r.Str(i)
		if r.key(i) != scan.KThis {
			wants = of(wants, "^"+strconv.Itoa(int(*n)))
			*n++
			if d >= 0 {
				b.Param = *n
			}
		}
		r.bind(b)
		r.local(b.Name, b.At)
		i++
	case r.Sign(i, '{') || r.Sign(i, '['):
		wants = of(wants, "^"+strconv.Itoa(int(*n)))
		*n++
		i = r.pattern(i, end, "")
		if typ, _ := r.colon(i, end); typ != "" {
			wants = ofType(typ)
		}
		r.rebase(from, wants)
	default:
		return i
	}
	if i < end && r.Sign(i, '?') {
		i++
	}
	typ, i := r.colon(i, end)
	value := ""
	if typ == "" {
		value = wants
	}
	if i < end && r.Sign(i, '=') {
		k := r.expr(i+1, end, 0)
		if _, v := r.origin(i+1, k); v != "" && (v != object || value == "") {
			value = v
		}
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
	n := 0
	for i := open + 1; i < stop; {
		from, at := i, path+"#"+strconv.Itoa(n)
		if r.Sign(i, ',') {
			n++
			i++
			continue
		}
		if r.Is(i, "...") {
			if at = ""; !braces {
				at = path + "[:" + strconv.Itoa(n) + "]"
			}
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
			r.local(r.Str(i), r.At(i))
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
		case b.Value[0] == '.' || b.Value[0] == '#' || b.Value[0] == '[':
			b.Value = of(value, b.Value)
		}
	}
}
