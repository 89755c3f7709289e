package ecma

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A classValue is what is known of a class from what stands before it.
type classValue struct {
	start  int // the token where its declaration begins
	target     // what it is assigned to, if that has a name
}

// classAs reads the class at token i as the declaration of t.
func (r *reader) classAs(i, end int, t target) (d, next int) {
	d = len(r.Out.Decls)
	if next = r.class(i, end, classValue{start: t.start, target: t}); d == len(r.Out.Decls) {
		return -1, i
	}
	return d, next
}

// class reads the class at token i and returns the token after it.
func (r *reader) class(i, end int, v classValue) int {
	k := i + 1
	if !r.enter() {
		return k
	}
	defer r.leave()
	t := v.target
	t.start, t.kind = v.start, corpus.Class
	if k < end && r.Word(k) && r.key(k) != scan.KExtends && (r.key(k) != scan.KImplements || r.Sign(k+1, '{')) {
		if t.name == "" {
			t.name, t.at = r.Str(k), r.At(k)
		}
		k++
	}
	if r.ts {
		k = r.sure(k)
	}
	d := -1
	if t.name != "" {
		d = r.declare(t)
	}
	var bases []string
	for k < end {
		from := k + 1
		switch r.key(k) {
		case scan.KExtends:
			k = max(r.expr(from, end, heritage), from)
			bases = append(bases, r.Quote(from, k))
			continue
		case scan.KImplements:
			for k = from; k < end; {
				n := r.skip(k, end)
				if n > k {
					bases = append(bases, r.Quote(k, n))
				}
				if k = n; !r.Sign(k, ',') {
					break
				}
				k++
			}
			continue
		}
		break
	}
	if d >= 0 {
		r.Out.Decls[d].Bases = bases
	}
	if k >= end || !r.Sign(k, '{') {
		r.finish(d, k)
		return max(k, i+1)
	}
	if d >= 0 {
		r.Out.Decls[d].Body = r.At(k)
	}
	next := r.classBody(k, end)
	r.finish(d, next)
	return next
}

// classBody reads the members in the braces at token open.
func (r *reader) classBody(open, end int) int {
	stop := min(r.close(open, end), end)
	if !r.enter() {
		return r.past(open, end)
	}
	defer r.leave()
	named := r.named
	r.named = false
	defer func() { r.named = named }()
	whole := r.matched(open)
	for i := open + 1; i < stop; {
		if r.Sign(i, ';') || r.Sign(i, ',') {
			i++
			continue
		}
		if !whole && r.outside(i) {
			return i
		}
		next := r.classMember(i, stop)
		if next <= i {
			r.Out.Missed++
			next = max(r.stray(i, stop), i+1)
		}
		i = next
	}
	return min(stop+1, end)
}

// classMember reads the member of a class at token i.
func (r *reader) classMember(i, end int) int {
	t := target{start: i, kind: corpus.Method, exported: true}
	for i < end {
		switch {
		case r.Sign(i, '@'):
			mark, k := r.decorator(i, end)
			if k <= i {
				return i
			}
			t.marks = append(t.marks, mark)
			i = k
			continue
		case r.Sign(i, '*'):
			t.traits |= corpus.Generator
			i++
			continue
		case r.key(i) == scan.KStatic && r.Sign(i+1, '{'):
			defer r.within(-1)()
			return r.braces(i+1, end)
		}
		k := r.key(i)
		if !memberWord(k) || i+1 >= end || !r.names(i+1) || k == scan.KAsync && r.Toks[i+1].Line {
			break
		}
		if r.Toks[i+1].Line && r.field(i) {
			break
		}
		t.says(k)
		i++
	}
	if i >= end || !r.names(i) {
		return i
	}
	return r.memberNamed(i, end, t)
}

// memberNamed reads the member t of a class whose name is token i.
func (r *reader) memberNamed(i, end int, t target) int {
	t.name, t.at = r.memberName(i)
	if r.Src[r.At(i)] == '#' {
		t.exported = false
	}
	k := i + 1
	if r.Sign(i, '[') {
		k = r.list(i, end)
	}
	if k < end && (r.Sign(k, '?') || r.Sign(k, '!')) {
		k++
	}
	if k < end && (r.Sign(k, '(') || r.ts && r.Sign(k, '<')) {
		t.traits.AddIf(t.name == "constructor" && t.traits&corpus.Static == 0, corpus.Constructor)
		return r.method(k, end, t)
	}
	return r.classField(i, k, end, t)
}

// says notes what a word before a member says of it.
func (t *target) says(k scan.Key) {
	switch k {
	case scan.KStatic:
		t.traits |= corpus.Static
	case scan.KAsync:
		t.traits |= corpus.Async
	case scan.KGet, scan.KSet:
		t.traits |= corpus.Accessor
	case scan.KPrivate, scan.KProtected:
		t.exported = false
	}
}

func memberWord(key scan.Key) bool {
	switch key {
	case scan.KStatic, scan.KAsync, scan.KGet, scan.KSet, scan.KAbstract, scan.KDeclare, scan.KAccessor:
		return true
	}
	return modifier(key)
}

// classField reads the type and the value of the field at token i; k is the token
// after its name.
func (r *reader) classField(i, k, end int, t target) int {
	typ, k := r.colon(k, end)
	if k >= end || !r.Sign(k, '=') {
		if t.name != "" {
			r.bind(corpus.Binding{Name: t.name, Type: typ, At: t.at})
		}
		return max(k, i+1)
	}
	if t.name == "" {
		return max(r.expr(k+1, end, 0), k+1)
	}
	t.wants = ofType(typ)
	if d, next := r.given(k+1, end, t); d >= 0 {
		return next
	}
	at := len(r.Out.Bindings)
	r.bind(corpus.Binding{Name: t.name, Type: typ, At: t.at})
	next := r.assigned(k+1, end, literal{wants: t.wants, fields: true})
	cast, value := r.held(k+1, next)
	b := &r.Out.Bindings[at]
	if b.Value = value; b.Type == "" {
		b.Type = cast
	}
	return next
}

// decorator reads the decorator at token i and returns its text.
func (r *reader) decorator(i, end int) (string, int) {
	k := i + 1
	if k < end && r.Sign(k, '(') {
		k = r.list(k, end)
		return r.Quote(i+1, k), k
	}
	x := expression{end: end}
	for k < end && r.Word(k) {
		r.called(&x, k)
		k++
		if k >= end || !r.Sign(k, '.') || !r.Word(k+1) {
			break
		}
		k++
	}
	if r.ts && k < end && r.Sign(k, '<') {
		k = r.sure(k)
	}
	if k < end && r.Sign(k, '(') && r.Kind(k) == scan.Open && !r.Sign(k-1, '@') {
		k = r.list(k, end)
	}
	return r.Quote(i+1, k), k
}
