package jvm

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// receiver reads the type, if there is one, and the name from token k on: of
// String.f and <T> List<T>.f. It returns the type's first token, or -1, and the name.
func (r *kotlinReader) receiver(k int) (typ, name int) {
	k = max(k, r.typeArguments(k))
	for r.annotation(k) > k {
		k = r.annotation(k)
	}
	typ, name = k, -1
	for {
		switch {
		case r.Sign(k, '(') && name < 0:
			k = r.Past(k)
		case r.Name(k):
			name = k
			k++
			if after := r.typeArguments(k); after > k {
				k = after
				if !r.Sign(k, '.') && !r.Sign(k, '?') && !r.Two(k, '?', '.') {
					return -1, -1
				}
			}
		default:
			return -1, -1
		}
		for r.Sign(k, '?') {
			k++
		}
		if !r.Sign(k, '.') && !r.Two(k, '?', '.') {
			break
		}
		k++
	}
	if name == typ {
		typ = -1
	}
	return typ, name
}

// simple returns a type without arguments and question marks.
func simple(typ string) string {
	if k := strings.IndexAny(typ, "<?("); k >= 0 {
		typ = typ[:k]
	}
	return typ
}

// function reads a function whose word is token i: the head of it, up to its body.
func (r *kotlinReader) function(i int) int {
	if r.Key(i+1) == scan.KInterface {
		return i + 1
	}
	typ, name := r.receiver(i + 1)
	f := r.top()
	p := r.before(i)
	d := corpus.Decl{Kind: corpus.Function, Marks: p.marks, Exported: !p.hidden && !f.local}
	anonymous := name < 0 || !r.Sign(name+1, '(')
	params := name + 1
	if anonymous {
		if params = i + 1; r.Sign(params, '<') {
			params = max(r.typeArguments(params), params)
		}
		for k := params; k < min(i+40, f.end) && !r.Line(k); k++ {
			if r.Sign(k, '(') && !r.Sign(r.Past(k), '.') {
				params = k
				break
			}
		}
		if !r.Sign(params, '(') {
			r.Out.Missed++
			return i + 1
		}
	} else if f.place != code && f.kind != 0 {
		d.Kind = corpus.Method
	} else if f.local {
		d.Traits |= corpus.Local
	}
	if typ >= 0 && !anonymous {
		d.Traits |= corpus.Extension
		d.Scope = simple(r.Quote(typ, name-1))
	}
	d.Traits.AddIf(p.suspend, corpus.Async)
	if !r.Closed(params) {
		r.Out.Missed++
		return params + 1
	}
	d.Params = r.Params(params, true)
	return r.body(d, p.start, name, params, anonymous)
}

// body reads on behind the parameters of a function: the result and where the body
// is. The parameters are read as code.
func (r *kotlinReader) body(d corpus.Decl, start, name, params int, anonymous bool) int {
	f := r.top()
	k := r.Past(params)
	if r.Sign(k, ':') && k < f.end {
		end := r.typeEnd(k + 1)
		d.Result = r.Quote(k+1, end)
		k = end
	}
	if r.Name(k) && r.Is(k, "where") {
		k = r.supertypes(&corpus.Decl{}, k)
		for k < f.end && r.Line(k) && r.Sign(k-1, ',') {
			k = r.typeEnd(k)
		}
	}
	inner := frame{place: code, decl: -1, kind: corpus.Function, local: true}
	end, jump := k, k
	value := ""
	switch {
	case r.Sign(k, '{') && k < f.end:
		d.Body = r.At(k)
		inner.end = r.Pair(k)
		end = r.Past(k)
		jump = k + 1
	case r.Sign(k, '=') && k+1 < f.end:
		d.Body = r.At(k + 1)
		end = r.expressionEnd(k + 1)
		inner.end = end
		jump = k + 1
		if d.Result == "" {
			value = r.blocks(k+1, end)
		}
	default:
		d.Traits |= corpus.Abstract
	}
	if !anonymous {
		inner.decl = r.declare(d, start, name, r.End(min(end, f.end+1)-1))
	}
	if value != "" {
		r.BindAs("()", "", value, r.At(k+1), 0)
	}
	if r.Sign(params, '(') {
		r.bindParams(params, true)
	}
	if inner.end > 0 {
		r.push(inner)
	}
	if r.Sign(params, '(') {
		r.frames = append(r.frames, frame{place: code, end: min(r.Pair(params), f.end), jump: jump, decl: -1, local: true})
		return params + 1
	}
	return jump
}

// constructor reads a secondary constructor.
func (r *kotlinReader) constructor(i int) int {
	p := r.before(i)
	d := corpus.Decl{Kind: corpus.Method, Marks: p.marks, Exported: !p.hidden, Traits: corpus.Constructor, Params: r.Params(i+1, true)}
	f := r.top()
	k := r.Past(i + 1)
	end := k
	if r.Sign(k, ':') && (r.Key(k+1) == scan.KThis || r.Key(k+1) == scan.KSuper) && r.Sign(k+2, '(') {
		k = r.Past(k + 2)
		end = k
	}
	body := r.Sign(k, '{') && k < f.end
	if body {
		d.Body = r.At(k)
		end = r.Past(k)
	}
	at := r.declare(d, p.start, i, r.End(min(end, f.end+1)-1))
	r.bindParams(i+1, true)
	if body {
		r.push(frame{place: code, end: r.Pair(k), decl: at, kind: corpus.Function, local: true})
		end = k + 1
	}
	r.frames = append(r.frames, frame{place: code, end: min(k, f.end), jump: end, decl: -1, local: true})
	return i + 2
}

// property reads a property or variable whose word is token i, up to its value.
func (r *kotlinReader) property(i int) int {
	f := r.top()
	if r.Sign(i+1, '(') { // val (a, b) = …
		for _, p := range r.Split(i+1, ",", true) {
			k := p[0]
			for r.annotation(k) > k {
				k = r.annotation(k)
			}
			if r.Name(k) {
				r.bind(k, r.declaredType(k+1), "", 0)
			}
		}
		return r.Past(i + 1)
	}
	typ, name := r.receiver(i + 1)
	if name < 0 {
		return i + 1
	}
	k := name + 1
	declared := r.declaredType(k)
	if declared != "" {
		k = r.typeEnd(k + 1)
	}
	value, end := "", k
	assigned := r.Sign(k, '=') && k+1 < f.end
	by := r.Name(k) && r.Is(k, "by") && k+1 < f.end
	var lambda bool
	if assigned || by {
		end = r.expressionEnd(k + 1)
		value = r.blocks(k+1, end)
		if lambda = assigned && r.Sign(k+1, '{') && r.Past(k+1) == end || r.Key(k+1) == scan.KFun; lambda {
			value = ""
		}
		if r.Key(k+1) == scan.KObject && r.Sign(k+2, ':') { // object : Store {…}
			if typ := r.typeEnd(k + 3); typ > k+3 {
				value = "{" + r.Quote(k+3, typ) + "}"
			}
		}
		if open := end - 1; by && r.Sign(open, '}') {
			value = r.blocks(r.Pair(open)+1, open) // by lazy { … }
		} else if by {
			value = ""
		}
	}
	at := r.At(name)
	accessor := false
	if f.place != code {
		end, accessor = r.accessors(end)
	}
	r.bind(name, declared, value, 0)
	r.Out.Bindings[len(r.Out.Bindings)-1].At = at
	return r.declareProperty(i, typ, name, k, end, lambda, accessor, declared)
}

// declareProperty declares the property with token name as its name, where it is
// one that others know or a function.
func (r *kotlinReader) declareProperty(i, typ, name, k, end int, lambda, accessor bool, declared string) int {
	f := r.top()
	if accessor {
		f.until = end
	}
	file := len(r.frames) == 1
	if file || lambda || accessor {
		p := r.before(i)
		d := corpus.Decl{Kind: corpus.Variable, Marks: p.marks, Exported: !p.hidden && !f.local, Result: declared}
		switch {
		case lambda || accessor:
			if d.Kind = corpus.Function; f.place != code && f.kind != 0 {
				d.Kind = corpus.Method
			} else if f.local {
				d.Traits |= corpus.Local
			}
			d.Traits.AddIf(accessor, corpus.Accessor)
		case r.Key(i) == scan.KVal:
			d.Kind = corpus.Constant
		}
		if typ >= 0 {
			d.Traits |= corpus.Extension
			d.Scope = simple(r.Quote(typ, name-1))
		}
		if k+1 < end {
			d.Body = r.At(k + 1)
		}
		r.declare(d, p.start, name, r.End(min(end, f.end)-1))
	}
	if r.Sign(k, '=') || end > k && r.Name(k) && r.Is(k, "by") {
		return k + 1
	}
	return k
}

// declaredType returns the type behind the colon at token k.
func (r *kotlinReader) declaredType(k int) string {
	if !r.Sign(k, ':') {
		return ""
	}
	return r.Quote(k+1, r.typeEnd(k+1))
}

// accessors returns the token after the get and set that begin at token k, and
// whether one of them has code.
func (r *kotlinReader) accessors(k int) (int, bool) {
	found := false
	end := r.top().end
	for n := 0; n < 2; n++ {
		from := k
		k = r.SkipSign(k, ';')
		for k < end {
			if a := r.annotation(k); a > k {
				k = a
			} else if r.Name(k) && modifier(r.Bytes(k)) {
				k++
			} else {
				break
			}
		}
		if !r.Name(k) || k >= end || !r.Is(k, "get") && !r.Is(k, "set") {
			return from, found
		}
		next := k + 1
		switch {
		case r.Sign(next, '(') && !r.Line(next):
			next = r.Past(next)
			if r.Sign(next, ':') {
				next = r.typeEnd(next + 1)
			}
			if r.Sign(next, '{') {
				next = r.Past(next)
			} else if r.Sign(next, '=') {
				next = r.expressionEnd(next + 1)
			} else {
				return from, found
			}
			found = true
		case !r.Line(next) && r.Kind(next) != scan.Close && !r.Sign(next, ';'):
			return from, found
		}
		k = min(next, end)
	}
	return k, found
}

// accessor reads the get or set at token i, up to its code.
func (r *kotlinReader) accessor(i int) int {
	k := r.Past(i + 1)
	if r.Is(i, "set") && r.Name(i+2) {
		r.bind(i+2, "", "", 0)
	}
	if r.Sign(k, ':') {
		k = r.typeEnd(k + 1)
	}
	inner := frame{place: code, decl: -1, local: true}
	if r.Sign(k, '{') {
		inner.end = r.Pair(k)
	} else if r.Sign(k, '=') {
		inner.end = r.expressionEnd(k + 1)
	} else {
		return i + 1
	}
	r.push(inner)
	return k + 1
}
