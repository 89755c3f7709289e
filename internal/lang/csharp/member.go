package csharp

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A head is what stands before what a declaration is.
type head struct {
	first  int // its first token
	marks  []string
	has    scan.Keys // the modifiers
	traits corpus.Traits
	shown  bool
}

// maxWords bounds how many modifiers stand before a declaration.
const maxWords = 64

// heading reads attributes and modifiers at i, and returns the token after them.
func (r *reader) heading(i int) (head, int) {
	h := head{first: i}
	for k, n := i, 0; ; n++ {
		switch key := r.Key(k); {
		case n >= maxWords:
			h.finish()
			return h, k
		case r.Sign(k, '[') && r.Sign(r.Pair(k), ']'):
			h.marks = append(h.marks, r.marks(k)...)
			k = r.Past(k)
		case modifiers.Has(key) && r.Kind(k) == scan.Word && (!r.Soft(key) || r.prefix(k)):
			if key == scan.KRef && r.Key(k+1) != scan.KStruct && r.Key(k+1) != scan.KPartial {
				h.finish()
				return h, k // ref returns belong to the type
			}
			h.has.Add(key)
			k++
		default:
			h.finish()
			return h, k
		}
	}
}

// prefix reports whether the word at k, which may be a name too, is a modifier.
func (r *reader) prefix(k int) bool {
	return r.Kind(k+1) == scan.Word && k+1 < len(r.Toks) || r.Sign(k+1, '(') && r.Key(k) == scan.KAsync
}

func (h *head) finish() {
	h.traits.AddIf(h.has.Has(scan.KStatic), corpus.Static)
	h.traits.AddIf(h.has.Has(scan.KAsync), corpus.Async)
	h.traits.AddIf(h.has.Has(scan.KPartial), corpus.Extension)
	h.traits.AddIf(h.has.Has(scan.KAbstract), corpus.Abstract)
	h.shown = h.has.Has(scan.KPublic)
}

// marks returns the attributes in bracket i.
func (r *reader) marks(i int) []string {
	var out []string
	for _, p := range r.Split(i, ",", false) {
		from := p[0]
		if r.Sign(from+1, ':') {
			from += 2 // a target
		}
		out = append(out, r.Quote(from, p[1]))
	}
	return out
}

// decl begins a declaration that is named by token at; its span ends where the
// next one or its body says.
func (r *reader) decl(h head, kind corpus.Kind, at int) corpus.Decl {
	d := r.Declare(kind, h.first, at, r.floor())
	d.Traits, d.Exported, d.Marks = h.traits, h.shown, h.marks
	return d
}

// floor is where the declaration around begins to have room for others.
func (r *reader) floor() int {
	for k := len(r.places) - 1; k >= 0; k-- {
		if d := r.places[k].decl; d >= 0 {
			return r.Out.Decls[d].NameAt + len(r.Out.Decls[d].Name)
		}
	}
	return 0
}

// add records a declaration with its body from one token to before another, and
// returns its number.
func (r *reader) add(d corpus.Decl, body, end int) int {
	end = min(end, r.top().end)
	if limit := r.End(r.top().end - 1); d.NameAt+len(d.Name) > limit {
		return -1 // something before it is broken
	}
	d.Span.End = r.End(end - 1)
	if end > len(r.Toks) {
		d.Span.End = len(r.Src)
	}
	d.Body = d.Span.End
	if body >= 0 && body < end {
		d.Body = r.At(body)
	}
	r.Out.Decls = append(r.Out.Decls, d)
	return len(r.Out.Decls) - 1
}

// member reads a declaration of a type, a namespace or a file that begins at i,
// and returns where to go on.
func (r *reader) member(i int) int {
	if r.Sign(i, ';') || r.Kind(i) == scan.Close {
		return i + 1
	}
	if r.Key(i) == scan.KUsing || r.Key(i) == scan.KGlobal && r.Key(i+1) == scan.KUsing {
		if next := r.using(i); next > i {
			return next
		}
	}
	if r.Key(i) == scan.KExtern && r.Is(i+1, "alias") && r.Sign(i+3, ';') {
		return i + 4
	}
	h, k := r.heading(i)
	switch key := r.Key(k); {
	case key == scan.KNamespace:
		return r.namespace(h, k)
	case key == scan.KClass, key == scan.KStruct, key == scan.KInterface, key == scan.KEnum:
		return r.class(h, k, k+1)
	case key == scan.KRecord && (r.Key(k+1) == scan.KClass || r.Key(k+1) == scan.KStruct):
		return r.class(h, k+1, k+2)
	case key == scan.KRecord && r.Name(k+1) && !r.Sign(k+2, '=') && !r.Sign(k+2, ';') && !r.arrow(k+2):
		return r.class(h, k, k+1)
	case key == scan.KDelegate && !r.Sign(k+1, '*'):
		return r.delegate(h, k+1)
	case key == scan.KEvent:
		return r.event(h, k+1)
	case key == scan.KExtension && (r.Sign(k+1, '(') || r.Sign(k+1, '<')):
		if p := r.angles(k + 1); r.Sign(p, '(') {
			if open := r.constrained(r.Past(p)); r.Sign(open, '{') {
				r.enter(place{sort: members, end: r.Pair(open), decl: r.top().decl, name: r.top().name, on: p})
				return open + 1
			}
		}
	case r.Sign(k, '~') && r.Name(k+1) && r.Sign(k+2, '('):
		return r.method(h, k, k+2, kindOf(r.top().sort), "")
	}
	if r.top().sort == members && r.Name(k) && r.Sign(k+1, '(') && !r.called(k) {
		h.traits |= corpus.Constructor
		return r.method(h, k, k+1, corpus.Method, "")
	}
	if next := r.typedMember(h, k); next > i {
		return next
	}
	if r.top().sort == outside {
		if k > i && r.Sign(i, '[') {
			return k // attributes of the assembly
		}
		return r.statement(i)
	}
	r.Out.Missed++
	return r.code(i)
}

// called reports whether the parenthesis after the name k is not one of parameters
// of a constructor: a return type follows, or a name.
func (r *reader) called(k int) bool {
	after := r.behind(k + 1)
	return !(r.Sign(after, '{') || r.arrow(after) || r.Sign(after, ';') || r.Sign(after, ':'))
}

// statement reads code outside of types.
func (r *reader) statement(i int) int {
	r.enter(place{sort: code, end: r.stops(i), decl: -1})
	return r.code(i)
}

// stops returns the token after the statement that begins at i.
func (r *reader) stops(i int) int {
	end := r.top().end
	for k := i; k < end; k = r.Past(k) {
		switch {
		case r.Sign(k, ';'), r.Kind(k) == scan.Close:
			return k + 1
		case r.Sign(k, '{'):
			next := r.Past(k)
			if key := r.Key(next); r.Line(next) && (r.Kind(next) == scan.Word || r.Sign(next, '[')) && key != scan.KElse && key != scan.KCatch && key != scan.KFinally && key != scan.KWhile {
				return next
			}
		}
	}
	return end
}

func kindOf(s holds) corpus.Kind {
	if s == members {
		return corpus.Method
	}
	return corpus.Function
}

// typedMember reads a member that begins with its type at k; it returns k, or
// less, where there is none.
func (r *reader) typedMember(h head, k int) int {
	if h.has.Has(scan.KImplicit) || h.has.Has(scan.KExplicit) {
		return r.conversion(h, k)
	}
	at := r.typed(k)
	if at == k {
		return -1
	}
	result := r.Quote(k, at)
	// An explicit member of an interface names that: I<T>.Name.
	owned := false
	for r.Name(at) {
		if p := r.angles(at + 1); r.Sign(p, '.') && (r.Name(p+1) || r.Key(p+1) == scan.KThis || r.Key(p+1) == scan.KOperator) {
			at, owned = p+1, true
			continue
		}
		break
	}
	if owned {
		h.shown = false
	} else if r.top().api {
		h.shown = h.shown || !h.has.Has(scan.KPrivate) && !h.has.Has(scan.KProtected) && !h.has.Has(scan.KInternal)
	}
	switch {
	case r.Key(at) == scan.KThis && r.Sign(at+1, '['):
		return r.property(h, k, at, r.Past(at+1), result)
	case r.Key(at) == scan.KOperator:
		return r.operator(h, at, result)
	case !r.Name(at):
		return -1
	}
	switch p := r.angles(at + 1); {
	case r.Sign(p, '(') && r.Kind(p) == scan.Open:
		if r.top().sort == outside && !r.function(p) {
			return -1
		}
		return r.method(h, at, p, kindOf(r.top().sort), result)
	case p > at+1:
		return -1
	case r.Sign(p, '{') && r.top().sort == members, r.arrow(p) && r.top().sort == members:
		return r.property(h, k, at, p, result)
	case r.top().sort == outside && r.Sign(p, '{'):
		return -1
	case r.Sign(p, '='), r.Sign(p, ';'), r.Sign(p, ','), r.Sign(p, '[') && h.has.Has(scan.KFixed):
		if r.top().sort == outside {
			return r.statement(h.first)
		}
		r.fields(at, result)
		return at
	}
	return -1
}

// function reports whether a body follows the parameters in bracket p.
func (r *reader) function(p int) bool {
	after := r.behind(p)
	return r.Sign(after, '{') || r.arrow(after) || r.Key(after) == scan.KWhere
}

func (r *reader) conversion(h head, k int) int {
	for r.Name(k) && r.Sign(r.angles(k+1), '.') { // of an interface
		k = r.angles(k+1) + 1
	}
	if r.Key(k) != scan.KOperator {
		return -1
	}
	from := r.SkipKey(k+1, scan.KChecked)
	p := r.typed(from)
	if p == from || !r.Sign(p, '(') {
		return -1
	}
	return r.methodNamed(h, k, r.End(p-1), p, corpus.Method, r.Quote(from, p))
}

func (r *reader) operator(h head, k int, result string) int {
	p := k + 1
	for p < k+5 && !r.Sign(p, '(') {
		p++
	}
	if !r.Sign(p, '(') || p == k+1 {
		return -1
	}
	return r.methodNamed(h, k, r.End(p-1), p, corpus.Method, result)
}

// fields reads the names that are declared with one type, from token at on.
func (r *reader) fields(at int, typ string) {
	end := r.ends(at, false)
	r.declarators(at, end, typ)
	r.enter(place{sort: code, end: end + 1, decl: -1})
}
