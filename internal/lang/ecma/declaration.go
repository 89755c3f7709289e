package ecma

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// declaration reads the declaration at token i, with the decorators and the words
// before it; it returns i where there is none.
func (r *reader) declaration(i, end int) int {
	return r.declared(i, end, target{start: i})
}

// declared reads the declaration of t whose first word that is not read yet is
// token i.
func (r *reader) declared(i, end int, t target) int {
	ambient := r.ambient
	defer func() { r.ambient = ambient }()
	for i < end {
		n := i + 1
		switch key := r.key(i); key {
		case 0:
			if !r.Sign(i, '@') {
				return i
			}
			mark, k := r.decorator(i, end)
			if k <= i {
				return i
			}
			t.marks = append(t.marks, mark)
			i = k
			continue
		case scan.KExport:
			if len(t.marks) == 0 {
				return i
			}
			t.exported = true
			i = n
			continue
		case scan.KDefault:
			if !t.exported {
				return i
			}
			i = n
			continue
		case scan.KDeclare:
			if !r.ts || n >= end || !r.Word(n) || r.Toks[n].Line {
				return i
			}
			r.ambient = true
			i = n
			continue
		case scan.KAbstract:
			if r.key(n) != scan.KClass || r.Line(n) {
				return i
			}
			t.traits |= corpus.Abstract
			i = n
			continue
		case scan.KAsync:
			if r.key(n) != scan.KFunction || r.Line(n) {
				return i
			}
			return r.functionDecl(n, end, t)
		case scan.KFunction:
			return r.functionDecl(i, end, t)
		case scan.KClass:
			if !r.Word(n) && !r.Sign(n, '{') && !r.Sign(n, '<') {
				return i
			}
			return r.class(i, end, classValue{start: t.start, target: t})
		case scan.KConst, scan.KVar, scan.KLet, scan.KUsing:
			return r.variable(i, end, t)
		}
		if r.ts {
			return r.typeDecl(i, end, t)
		}
		return i
	}
	return i
}

// variable reads the declaration of variables, or of a const enum, at token i.
func (r *reader) variable(i, end int, t target) int {
	t.kind = corpus.Variable
	switch r.key(i) {
	case scan.KConst:
		if r.key(i+1) == scan.KEnum {
			return r.enum(i+1, end, t)
		}
		t.kind = corpus.Constant
	case scan.KLet:
		if !r.Word(i+1) && !r.Sign(i+1, '{') && !r.Sign(i+1, '[') || r.key(i+1) == scan.KIn || r.key(i+1) == scan.KInstanceof {
			return i
		}
	case scan.KUsing:
		if !r.Word(i+1) || r.Line(i+1) || !r.Sign(i+2, '=') {
			return i
		}
		t.kind = corpus.Constant
	}
	return max(r.variables(i, end, t), i+1)
}

// functionDecl reads the function at token i.
func (r *reader) functionDecl(i, end int, t target) int {
	k := r.SkipSign(i+1, '*')
	d := -1
	if k < end && r.Word(k) {
		t.name, t.at, t.kind = r.Str(k), r.At(k), corpus.Function
		t.traits |= r.manner(t.start, i)
		d = r.declare(t)
		k++
	}
	k = max(r.callable(k, end, d), i+1)
	if d >= 0 && r.Out.Decls[d].Body == 0 {
		k = r.semicolon(k, end)
	}
	r.finish(d, k)
	return k
}

// typeDecl reads what only TypeScript declares.
func (r *reader) typeDecl(i, end int, t target) int {
	n := i + 1
	if n >= end {
		return i
	}
	named := r.Word(n) && !r.Toks[n].Line
	switch r.key(i) {
	case scan.KInterface:
		if named {
			return r.interfaceDecl(n, end, t)
		}
	case scan.KType:
		if named && (r.Sign(n+1, '=') || r.Sign(n+1, '<')) {
			return r.alias(n, end, t)
		}
	case scan.KEnum:
		if named {
			return r.enum(i, end, t)
		}
	case scan.KNamespace, scan.KModule:
		if named || r.text(n) && !r.Toks[n].Line {
			return r.namespace(i, n, end, t)
		}
	case scan.KGlobal:
		if r.ambient && r.Sign(n, '{') {
			return r.namespace(i, i, end, t)
		}
	}
	return i
}

// interfaceDecl reads the interface whose name is token i.
func (r *reader) interfaceDecl(i, end int, t target) int {
	t.name, t.at, t.kind = r.Str(i), r.At(i), corpus.Interface
	d := r.declare(t)
	k := r.sure(i + 1)
	if r.key(k) == scan.KExtends {
		for k++; k < end; k++ {
			n := r.skip(k, end)
			if n > k {
				r.Out.Decls[d].Bases = append(r.Out.Decls[d].Bases, r.Quote(k, n))
			}
			if k = n; !r.Sign(k, ',') {
				break
			}
		}
	}
	if k < end && r.Sign(k, '{') {
		r.Out.Decls[d].Body = r.At(k)
		r.members(k, end)
		k = r.past(k, end)
	}
	r.finish(d, k)
	return k
}

// alias reads the type whose name is token i.
func (r *reader) alias(i, end int, t target) int {
	t.name, t.at, t.kind = r.Str(i), r.At(i), corpus.Type
	d := r.declare(t)
	k := r.sure(i + 1)
	if k < end && r.Sign(k, '=') {
		k++
		from := k
		if k = max(r.skip(k, end), k); r.Sign(from, '{') && r.past(from, end) == k {
			r.Out.Decls[d].Body = r.At(from)
			r.members(from, end)
		} else {
			r.Out.Decls[d].Result = r.Quote(from, k)
		}
	}
	k = r.semicolon(max(k, i+1), end)
	r.finish(d, k)
	return k
}

// enum reads the enum at token i.
func (r *reader) enum(i, end int, t target) int {
	n := i + 1
	if n >= end || !r.Word(n) {
		return n
	}
	t.name, t.at, t.kind = r.Str(n), r.At(n), corpus.Enum
	d := r.declare(t)
	k := n + 1
	if k < end && r.Sign(k, '{') {
		r.Out.Decls[d].Body = r.At(k)
		for _, c := range r.Choices(k) {
			r.Bind(c, t.name, "", 0)
		}
		k = r.object(k, end)
	}
	r.finish(d, k)
	return k
}

// namespace reads the namespace, module or global at token i, whose name begins
// with token n.
func (r *reader) namespace(i, n, end int, t target) int {
	k := n + 1
	t.name, t.at, t.kind = r.Str(n), r.At(n), corpus.Module
	if r.text(n) {
		t.name, t.at = r.literal(n)
	}
	for r.Sign(k, '.') && r.Word(k+1) && k+1 < end {
		k += 2
	}
	if r.Word(n) {
		t.name = string(r.Src[t.at:r.End(k-1)])
	}
	d := -1
	if t.name != "" {
		d = r.declare(t)
	}
	if k < end && r.Sign(k, '{') && r.enter() {
		defer r.leave()
		if d >= 0 {
			r.Out.Decls[d].Body = r.At(k)
		}
		stop := min(r.close(k, end), end)
		r.space++
		at := r.block(k+1, stop, !r.matched(k))
		r.space--
		k = at
		if at >= stop {
			k = min(stop+1, end)
		}
	} else {
		k = r.semicolon(k, end)
	}
	r.finish(d, k)
	return k
}
