package jvm

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// class reads a class, interface or object whose word is token i: the head of it,
// up to its body.
func (r *kotlinReader) class(i int) int {
	f := r.top()
	p := r.before(i)
	d := corpus.Decl{Kind: corpus.Class, Marks: p.marks, Exported: !p.hidden && !f.local}
	switch {
	case r.Key(i) == scan.KInterface:
		d.Kind = corpus.Interface
		if r.Key(i-1) == scan.KFun {
			p = r.before(i - 1)
			p.start = min(p.start, i-1)
			d.Marks, d.Exported = p.marks, !p.hidden && !f.local
		}
	case p.enum:
		d.Kind = corpus.Enum
	}
	d.Traits.AddIf(p.abs, corpus.Abstract)
	d.Traits.AddIf(f.local, corpus.Local)
	name, k := i+1, i+2
	named := r.Name(name) && !(r.Key(i) == scan.KObject && (r.Line(name) || r.expressed(i)))
	if !named {
		if r.Key(i) != scan.KObject {
			r.Out.Missed++
			return i + 1
		}
		name, k = -1, i+1
	}
	k = max(k, r.typeArguments(k))
	params := -1
	if named && r.Key(i) != scan.KObject {
		params = r.primary(k)
	}
	args := k
	if params >= 0 {
		d.Params = r.Params(params, true)
		args = params
		k = r.Past(params)
	}
	k = r.supertypes(&d, k)
	open := -1
	end := r.End(min(k, f.end) - 1)
	if r.Sign(k, '{') && k < f.end {
		open = k
		d.Body = r.At(k)
		end = r.End(min(r.Pair(k), f.end))
	}
	inner := frame{place: members, decl: -1, kind: corpus.Class, local: true}
	if named {
		at := r.declare(d, p.start, name, end)
		inner = frame{place: members, decl: at, name: r.Str(name), kind: d.Kind, local: false}
		if params >= 0 {
			r.bindParams(params, false)
		}
	} else if p.companion {
		inner = frame{place: members, decl: f.decl, name: f.name, kind: corpus.Class}
	}
	if d.Kind == corpus.Enum {
		inner.place = constants
	}
	jump := k
	if open >= 0 {
		inner.end = r.Pair(open)
		r.push(inner)
		jump = open + 1
	}
	// Arguments and default values in the head are code.
	r.frames = append(r.frames, frame{place: code, end: min(k, f.end), jump: jump, decl: -1, local: true})
	return args
}

// expressed reports whether the object at token i is an expression.
func (r *kotlinReader) expressed(i int) bool {
	if r.Sign(i-1, '=') || r.Sign(i-1, '(') || r.Sign(i-1, ',') {
		return true
	}
	return r.Key(i-1) == scan.KReturn
}

// primary returns the parentheses of the primary constructor, where the class has
// one: with words before them from token k on, or alone.
func (r *kotlinReader) primary(k int) int {
	if r.Sign(k, '(') {
		return k
	}
	for {
		switch a := r.annotation(k); {
		case a > k:
			k = a
		case r.Name(k) && r.Is(k, "constructor"):
			if r.Sign(k+1, '(') {
				return k + 1
			}
			return -1
		case r.Name(k) && modifier(r.Bytes(k)):
			k++
		default:
			return -1
		}
	}
}

// supertypes reads what is behind the colon at token k, and returns the token that
// the class's body may begin with.
func (r *kotlinReader) supertypes(d *corpus.Decl, k int) int {
	end := r.top().end
	if r.Sign(k, ':') {
		for k++; k < end; k++ {
			after := r.typeEnd(k)
			if after == k {
				break
			}
			from := k
			for r.annotation(from) > from {
				from = r.annotation(from)
			}
			// The parentheses behind a class are arguments, those of a function type are not.
			d.Bases = append(d.Bases, r.Quote(from, after))
			k = after
			if r.Sign(k, '(') && !r.Line(k) {
				k = r.Past(k)
			}
			if r.Name(k) && r.Is(k, "by") {
				k = r.delegate(k + 1)
			}
			if !r.Sign(k, ',') {
				break
			}
		}
	}
	if r.Name(k) && r.Is(k, "where") {
		for k++; k < end && r.budget > 0 && !r.Sign(k, '{') && !(r.Line(k) && !r.Sign(k-1, ',') && !r.Sign(k-1, ':') && !r.Is(k-1, "where")) && r.Kind(k) != scan.Close; r.budget-- {
			k = r.Past(k)
		}
	}
	return min(k, end)
}

// delegate returns the token after the expression that a supertype is delegated to.
func (r *kotlinReader) delegate(k int) int {
	for from := k; k < r.top().end; k = r.Past(k) {
		if r.budget--; r.budget < 0 || r.Sign(k, ',') || r.Sign(k, ';') || r.Sign(k, '{') || r.Kind(k) == scan.Close || r.Line(k) && k > from && !r.goesOn(k) {
			break
		}
	}
	return k
}

// alias reads a typealias.
func (r *kotlinReader) alias(i int) int {
	if !r.Name(i + 1) {
		return i + 1
	}
	p := r.before(i)
	k := i + 2
	k = max(k, r.typeArguments(k))
	end := k
	d := corpus.Decl{Kind: corpus.Type, Marks: p.marks, Exported: !p.hidden}
	if r.Sign(k, '=') {
		end = r.typeEnd(k + 1)
		if end > k+1 {
			d.Result = r.Quote(k+1, end)
		}
		d.Body = r.At(k + 1)
	}
	r.declare(d, p.start, i+1, r.End(min(end, r.top().end)-1))
	return end
}

// bindParams records the parameters in bracket i; as fields where they are not
// numbered.
func (r *kotlinReader) bindParams(i int, numbered bool) {
	for n, p := range r.Split(i, ",", true) {
		k := p[0]
		for k < p[1] {
			if a := r.annotation(k); a > k {
				k = a
			} else if r.Key(k) == scan.KVal || r.Key(k) == scan.KVar || r.Name(k) && !r.Sign(k+1, ':') && modifier(r.Bytes(k)) {
				k++
			} else {
				break
			}
		}
		if k >= p[1] || !r.Name(k) {
			continue
		}
		n++
		if !numbered {
			n = 0
		}
		typ, value, end := "", "", k+1
		if r.Sign(k+1, ':') {
			end = min(r.typeEnd(k+2), p[1])
			typ = r.Quote(k+2, end)
		}
		if r.Sign(end, '=') {
			value = r.blocks(end+1, p[1])
		}
		r.bind(k, typ, value, n)
	}
}
