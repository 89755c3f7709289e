package ecma

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// braces reads the block at token i.
func (r *reader) braces(i, end int) int {
	r.enclose(r.At(i), r.At(min(r.close(i, end), end-1)))
	return r.bracesOf(i, end)
}

// bracesOf reads the block at token i as the body of a function.
func (r *reader) bracesOf(i, end int) int {
	if !r.enter() {
		return r.past(i, end)
	}
	defer r.leave()
	defer r.into(i)()
	stop := min(r.close(i, end), end)
	r.branch++
	k := r.block(i+1, stop, !r.matched(i))
	r.branch--
	if k < stop {
		return k
	}
	return min(stop+1, end)
}

// block reads statements from token i to end. Where the bracket around them is
// unclosed it stops early, at what cannot belong to them.
func (r *reader) block(i, end int, unclosed bool) int {
	for i < end {
		if unclosed && r.outside(i) {
			return i
		}
		i = min(max(r.statement(i, end), i+1), end)
	}
	return end
}

// statement reads one statement, or the beginning of one, from token i.
func (r *reader) statement(i, end int) int {
	switch t := &r.Toks[i]; t.Kind {
	case scan.Close:
		r.Out.Missed++
		return i + 1
	case scan.Open:
		if r.Sign(i, '{') {
			return r.braces(i, end)
		}
	case scan.Punct:
		switch r.Src[t.At] {
		case ';':
			return i + 1
		case '@':
			return r.declaration(i, end)
		}
	case scan.Word:
		if r.Sign(i+1, ':') && i+1 < end {
			return i + 2 // a label, or default
		}
		if t.Key != 0 {
			if k := r.keyword(i, end, t.Key); k > i {
				return k
			}
		}
	}
	k := r.expr(i, end, comma)
	if k == i {
		k = r.stray(i, end)
		r.Out.Missed++
	}
	return r.semicolon(k, end)
}

// semicolon returns the token after the semicolon at token i, or i.
func (r *reader) semicolon(i, end int) int {
	if i < end && r.Sign(i, ';') {
		return i + 1
	}
	return i
}

// keyword reads the statement that the keyword at token i begins; it returns i
// where that is no statement.
func (r *reader) keyword(i, end int, key scan.Key) int {
	switch key {
	case scan.KImport:
		if r.Sign(i+1, '(') || r.Sign(i+1, '.') {
			return i
		}
		return r.imported(i, end, 0)
	case scan.KExport:
		return r.exported(i, end)
	case scan.KFunction, scan.KClass, scan.KConst, scan.KVar, scan.KLet, scan.KAsync, scan.KAbstract, scan.KDeclare, scan.KInterface, scan.KType, scan.KEnum, scan.KNamespace, scan.KModule, scan.KGlobal, scan.KUsing:
		return r.declaration(i, end)
	case scan.KAwait:
		if r.key(i+1) == scan.KUsing && r.Word(i+2) {
			return r.variables(i+1, end, target{start: i, kind: corpus.Constant})
		}
	case scan.KReturn:
		return r.result(i, end)
	case scan.KIf, scan.KWhile, scan.KWith:
		return r.conditionally(i, end)
	case scan.KFor:
		return r.loop(i, end)
	case scan.KElse:
		return r.dependent(i+1, end)
	case scan.KSwitch:
		if r.Sign(i+1, '(') {
			return r.list(i+1, end)
		}
	case scan.KCase:
		k := max(r.expr(i+1, end, comma), i+1)
		if k < end && r.Sign(k, ':') {
			k++
		}
		return k
	case scan.KDo, scan.KTry, scan.KFinally:
		return i + 1
	case scan.KCatch:
		return r.catch(i, end)
	case scan.KBreak, scan.KContinue:
		if i+1 < end && r.Word(i+1) && !r.Toks[i+1].Line {
			return r.semicolon(i+2, end)
		}
		return r.semicolon(i+1, end)
	}
	return i
}

// result reads the return at token i.
func (r *reader) result(i, end int) int {
	if i+1 >= end || r.Toks[i+1].Line || r.Sign(i+1, ';') {
		return r.semicolon(i+1, end)
	}
	at := len(r.Out.Bindings)
	if r.named {
		r.bind(corpus.Binding{Name: "()", At: r.At(i + 1)})
	}
	k := r.expr(i+1, end, comma)
	if r.named {
		b := &r.Out.Bindings[at]
		b.Type, b.Value = r.origin(i+1, k)
	}
	return r.semicolon(max(k, i+1), end)
}

// conditionally reads the if, while or with at token i and what depends on it.
func (r *reader) conditionally(i, end int) int {
	if !r.Sign(i+1, '(') {
		return i + 1
	}
	return r.dependent(r.list(i+1, end), end)
}

// dependent reads the statement at token i as one of a branch.
func (r *reader) dependent(i, end int) int {
	if i >= end || !r.enter() {
		return i
	}
	r.branch++
	k := r.statement(i, end)
	r.branch--
	r.leave()
	return k
}

// loop reads the for at token i and what it repeats.
func (r *reader) loop(i, end int) int {
	k := i + 1
	if r.key(k) == scan.KAwait {
		k++
	}
	if !r.Sign(k, '(') || k >= end {
		return k
	}
	stop := min(r.close(k, end), end)
	if !r.enter() {
		return r.past(k, end)
	}
	open := k
	k++
	switch r.key(k) {
	case scan.KConst, scan.KLet, scan.KVar, scan.KUsing, scan.KAwait:
		for r.key(k) == scan.KAwait || r.key(k) == scan.KUsing && r.key(k+1) != scan.KOf && r.Word(k+1) {
			k++
		}
		if r.key(k) == scan.KConst || r.key(k) == scan.KLet || r.key(k) == scan.KVar {
			k++
		}
		k = r.header(k, stop)
	default:
		if k = r.expr(k, stop, comma|header); r.key(k) == scan.KIn || r.key(k) == scan.KOf {
			k++
		}
	}
	k = r.exprs(k, stop, open)
	r.leave()
	if k < stop {
		return k
	}
	k = r.dependent(min(stop+1, end), end)
	r.enclose(r.At(i), r.End(k-1))
	return k
}

// header reads the variables of a for and what they run over.
func (r *reader) header(i, end int) int {
	from := len(r.Out.Bindings)
	k := i
	switch {
	case r.Sign(i, '{') || r.Sign(i, '['):
		k = r.pattern(i, end, "")
	case r.Word(i):
		r.bind(corpus.Binding{Name: r.Str(i), At: r.At(i)})
		r.local(r.Str(i), r.At(i))
		k = i + 1
	}
	to := len(r.Out.Bindings)
	if typ, n := r.colon(k, end); n > k {
		if k = n; r.Word(i) {
			r.Out.Bindings[from].Type = typ
		}
	}
	if key := r.key(k); k < end && (key == scan.KOf || key == scan.KIn) {
		n := r.expr(k+1, end, comma)
		value := ""
		if v := r.valued(k+1, n); v != "" && key == scan.KOf {
			value = of(v, "[]")
		}
		r.complete(from, to, r.Word(i), value)
		return max(n, k+1)
	}
	r.Out.Bindings = r.Out.Bindings[:from]
	return r.declarators(i, end, target{kind: corpus.Variable, start: i}, true)
}

// complete gives the bindings from..to, of one name or of a pattern, their value.
func (r *reader) complete(from, to int, name bool, value string) {
	rest := r.Out.Bindings
	r.Out.Bindings = rest[:to]
	if !name {
		r.rebase(from, value)
	} else if from < to {
		rest[from].Value = value
	}
	r.Out.Bindings = rest
}

// catch reads the catch at token i with its parameter.
func (r *reader) catch(i, end int) int {
	if !r.Sign(i+1, '(') || i+1 >= end {
		return i + 1
	}
	r.params(i+1, end, -1, "")
	k := r.past(i+1, end)
	if k < end && r.Sign(k, '{') {
		r.enclose(r.At(i), r.At(min(r.close(k, end), end-1)))
	}
	return k
}

// variables reads the declaration whose const, let, var or using is token i.
func (r *reader) variables(i, end int, t target) int {
	return r.semicolon(r.declarators(i+1, end, t, false), end)
}

// declarators reads name = value, … from token i on.
func (r *reader) declarators(i, end int, t target, local bool) int {
	for i < end {
		k := r.declarator(i, end, t, local)
		if k == i {
			return i
		}
		if i = k; i >= end || !r.Sign(i, ',') {
			return i
		}
		i++
		t.start = i
	}
	return i
}

// declarator reads one name, or pattern, with its type and value.
func (r *reader) declarator(i, end int, t target, local bool) int {
	from := len(r.Out.Bindings)
	var k int
	switch {
	case r.Sign(i, '{') || r.Sign(i, '['):
		k = r.pattern(i, end, "")
	case r.Word(i):
		k = i + 1
	default:
		return i
	}
	name := r.Word(i)
	if k < end && r.Sign(k, '!') {
		k++
	}
	typ, k := r.colon(k, end)
	assigned := k < end && r.Sign(k, '=')
	if t.at = r.At(i); name {
		t.name = r.Str(i)
		r.local(t.name, t.at)
		if assigned {
			f := t
			f.kind = corpus.Function
			f.wants = ofType(typ)
			if d, next := r.given(k+1, end, f); d >= 0 {
				r.finish(d, r.semicolon(next, end))
				return next
			}
		}
		r.bind(corpus.Binding{Name: t.name, Type: typ, At: t.at})
	}
	d := -1
	if name && r.inside == 0 && !local && r.branch == 0 {
		d = r.declare(t)
		r.Out.Decls[d].Result = typ
	}
	to := len(r.Out.Bindings)
	if assigned {
		v := k + 1
		k = r.assigned(v, end, literal{ofType(typ), t.exported, name})
		cast, value := r.held(v, k)
		r.complete(from, to, name, value)
		if name && typ == "" && from < to {
			r.Out.Bindings[from].Type = cast
		}
		if name {
			r.required(v, k, t.name)
		} else {
			r.picked(v, k, i)
		}
	} else {
		r.complete(from, to, name, "")
	}
	r.finish(d, r.semicolon(k, end))
	return k
}

// rest goes on with the expression that begins with the object at token v and goes
// on behind it, at token k.
func (r *reader) rest(v, k, end int) int {
	x := expression{end: end, operand: true, head: v}
	for k < end {
		n := k
		switch r.Toks[k].Kind {
		case scan.Open:
			n = r.open(&x, k)
		case scan.Word:
			n = r.term(&x, k)
		case scan.Punct:
			n = r.sign(&x, k)
		}
		if n == k {
			return k
		}
		if k = min(n, end); !x.operand {
			return r.expr(k, end, 0)
		}
	}
	return k
}
