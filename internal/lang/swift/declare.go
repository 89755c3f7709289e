package swift

import (
	"bytes"

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

// maxWords bounds how many modifiers and attributes stand before a declaration.
const maxWords = 64

// heading reads attributes and modifiers at i, and returns the token after them:
// a word that declares, or false.
func (r *reader) heading(i int) (h head, next int, ok bool) {
	h = head{first: i}
	k := i
	for n := 0; ; n++ {
		switch key := r.Key(k); {
		case n >= maxWords:
			return h, k, false
		case r.Sign(k, '@') && r.Kind(k+1) == scan.Word:
			end := r.typedName(k + 1)
			if r.Opens(end, '(') && r.End(end-1) == r.At(end) {
				if !r.Sign(r.Pair(end), ')') { // never closed
					return h, end, false
				}
				end = r.Past(end)
			}
			h.marks = append(h.marks, r.Quote(k+1, end))
			k = end
			continue
		case key == scan.KClass && !modifiers.Has(r.Key(k+1)) && !declares.Has(r.Key(k+1)) || !modifiers.Has(key) && key != 0 || key == 0:
			h.finish()
			return h, k, declares.Has(key) || (key == scan.KActor || key == scan.KMacro) && r.Name(k+1) && !r.Line(k+1)
		default:
			h.has.Add(key)
			k++
			if r.Opens(k, '(') && !r.Line(k) { // private(set)
				if r.Past(k) != k+3 {
					return h, k, false
				}
				k = r.Past(k)
			}
		}
	}
}

// typedName returns the token after the name of an attribute.
func (r *reader) typedName(k int) int {
	for {
		k = r.angles(k + 1)
		if !r.Sign(k, '.') || r.Kind(k+1) != scan.Word {
			return k
		}
		k++
	}
}

func (h *head) finish() {
	h.traits = 0
	h.traits.AddIf(h.has.Has(scan.KStatic) || h.has.Has(scan.KClass), corpus.Static)
	h.shown = h.has.Has(scan.KPublic) || h.has.Has(scan.KOpen)
}

// hidden reports whether modifiers keep a member of something public to itself.
func (h *head) hidden() bool {
	return h.has.Has(scan.KPrivate) || h.has.Has(scan.KFileprivate) || h.has.Has(scan.KInternal) || h.has.Has(scan.KPackage)
}

// decl begins a declaration that is named by token at.
func (r *reader) decl(h head, kind corpus.Kind, at int) corpus.Decl {
	d := r.Declare(kind, h.first, at, r.floor())
	d.Traits, d.Exported, d.Marks = h.traits, h.shown || r.top().api && !h.hidden(), h.marks
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

// add records a declaration with its body from one token, -1 where it has none, to
// before another, and returns its number.
func (r *reader) add(d corpus.Decl, body, end int) int {
	end = min(end, r.top().end)
	if limit := r.End(r.top().end - 1); d.NameAt+len(d.Name) > limit {
		return -1 // something before it is broken
	}
	d.Span.End = max(r.End(end-1), d.NameAt+len(d.Name))
	d.Body = d.Span.End
	if body >= 0 && body < end {
		d.Body = r.At(body)
	}
	r.Out.Decls = append(r.Out.Decls, d)
	return len(r.Out.Decls) - 1
}

// declare reads the declaration whose word is token k. It returns where to go on,
// or k where it is none.
func (r *reader) declare(h head, k int) int {
	in := r.top().sort
	switch r.Key(k) {
	case scan.KFunc:
		return r.function(h, k)
	case scan.KInit:
		if in != members && !h.has.Has(scan.KConvenience) && !h.shown {
			return k
		}
		return r.initializer(h, k)
	case scan.KDeinit:
		if r.Opens(k+1, '{') {
			return r.method(h, k, r.End(k), -1, k+1, corpus.Method)
		}
	case scan.KSubscript:
		if p := r.angles(k + 1); r.Opens(p, '(') && in == members {
			return r.subscripted(h, k, p)
		}
	case scan.KStruct, scan.KEnum, scan.KClass, scan.KProtocol, scan.KExtension, scan.KActor:
		return r.class(h, k)
	case scan.KVar, scan.KLet:
		return r.variable(h, k)
	case scan.KImport:
		return r.imports(h, k)
	case scan.KTypealias:
		if r.Name(k + 1) {
			d := r.decl(h, corpus.Type, k+1)
			end := r.stops(k)
			if r.Sign(k+2, '=') {
				d.Result = r.Quote(k+3, end)
			}
			r.add(d, -1, end)
			return end
		}
	case scan.KAssociatedtype:
		return r.stops(k)
	case scan.KOperator:
		if end := r.stops(k); !r.member(k) {
			return end
		}
	case scan.KPrecedencegroup:
		if r.Opens(k+2, '{') {
			return r.Past(k + 2)
		}
	case scan.KMacro:
		if p := r.angles(k + 2); r.Opens(p, '(') {
			d := r.decl(h, corpus.Macro, k+1)
			d.Params = r.Params(p, true)
			r.add(d, -1, r.stops(k))
			return r.stops(k)
		}
	case scan.KCase:
		if r.top().enum {
			return r.entry(k)
		}
	}
	return k
}

// entry reads cases of an enum, and returns where to go on: at the first value
// that is given, or behind all.
func (r *reader) entry(k int) int {
	end := r.stops(k)
	if of := r.top().decl; of >= 0 {
		for c := k + 1; c < end && r.Kind(c) == scan.Word; c++ {
			r.Bind(c, r.Out.Decls[of].Name, "", 0)
			for c++; c < end && !r.Sign(c, ','); c = r.Past(c) {
			}
		}
	}
	if p := k + 2; r.Opens(p, '(') && r.Sign(r.Pair(p), ')') && bytes.IndexByte(r.Src[r.At(p):r.At(r.Pair(p))], '=') >= 0 {
		r.enter(place{sort: leading, end: r.Pair(p), next: end, decl: r.top().decl})
		return p + 1
	}
	return end
}

func (r *reader) imports(h head, k int) int {
	from := k + 1
	var m corpus.Import
	switch r.Key(from) {
	case scan.KStruct, scan.KClass, scan.KEnum, scan.KProtocol, scan.KTypealias, scan.KFunc, scan.KLet, scan.KVar:
		m.Kind |= corpus.Member
		from++
	}
	if r.Kind(from) != scan.Word || r.Line(from) {
		return k
	}
	end := from + 1
	for r.Sign(end, '.') && (r.Kind(end+1) == scan.Word || r.Kind(end+1) == scan.Punct) {
		end += 2
	}
	m.Path, m.At = r.Quote(from, end), r.At(from)
	for _, mark := range h.marks {
		m.Kind.AddIf(mark == "_exported", corpus.Reexport)
	}
	m.Kind.AddIf(h.has.Has(scan.KPublic), corpus.Reexport)
	m.Kind.AddIf(r.chosen(m.At), corpus.Conditional)
	r.Out.Imports = append(r.Out.Imports, m)
	return end
}

// class reads a type, or an extension of one.
func (r *reader) class(h head, k int) int {
	at := k + 1
	if r.Key(k) == scan.KExtension && r.Opens(at, '[') { // of arrays: there is no name
		if body, _ := r.braces(r.Past(at)); body >= 0 {
			r.enter(place{sort: members, end: r.Pair(body), decl: r.top().decl, api: h.shown})
			return body + 1
		}
	}
	if r.Kind(at) != scan.Word || r.Key(k) == scan.KClass && (modifiers.Has(r.Key(at)) || declares.Has(r.Key(at))) && !r.Name(at) {
		return k
	}
	kind := corpus.Class
	api := false
	p := r.angles(at + 1)
	switch r.Key(k) {
	case scan.KStruct:
		kind = corpus.Struct
	case scan.KEnum:
		kind = corpus.Enum
	case scan.KProtocol:
		kind = corpus.Interface
		api = h.shown
	case scan.KExtension:
		h.traits |= corpus.Extension
		api = h.shown
		for r.Sign(p, '.') && r.Name(p+1) {
			at = p + 1
			p = r.angles(at + 1)
		}
		for r.Sign(p, '?') {
			p++
		}
	}
	d := r.decl(h, kind, at)
	if at > k+1 {
		d.Scope = r.scope(k+1, at-1)
	}
	if r.Sign(p, ':') {
		for {
			end := r.typed(p + 1)
			if end == p+1 {
				break
			}
			d.Bases = append(d.Bases, r.Quote(p+1, end))
			if p = end; !r.Sign(p, ',') {
				break
			}
		}
	}
	body, end := r.braces(p)
	if body < 0 {
		end = max(p, at+1)
		r.add(d, body, end)
		return end
	}
	id := r.add(d, body, end)
	r.enter(place{sort: members, end: r.Pair(body), decl: id, enum: kind == corpus.Enum || kind == corpus.Class && h.traits&corpus.Extension != 0, api: api})
	return body + 1
}

// scope returns the names between two tokens.
func (r *reader) scope(from, end int) string {
	var b []byte
	for k := from; k < end; k++ {
		k = r.angles(k)
		if r.Name(k) {
			if len(b) > 0 {
				b = append(b, '.')
			}
			b = append(b, r.Bytes(k)...)
		}
	}
	return string(b)
}

// braces returns the brace that begins a body, not far from token k, or -1, and
// the token after its end.
func (r *reader) braces(k int) (body, end int) {
	stop := r.top().end
	for ; k < stop; k = r.Past(k) {
		switch {
		case r.Opens(k, '{'):
			return k, min(r.Past(k), stop)
		case r.Kind(k) == scan.Close, r.Sign(k, ';'), r.Sign(k, '='), r.Line(k) && (declares.Has(r.Key(k)) || r.Sign(k, '@') || modifiers.Has(r.Key(k)) && !r.Sign(k-1, ',') && r.Key(k-1) != scan.KWhere):
			return -1, k
		}
	}
	return -1, stop
}

// operators are the signs that names of operators are made of.
var operators = []byte("+-*/%=<>!&|^~?.")

// function reads a func.
func (r *reader) function(h head, k int) int {
	at := k + 1
	kind := corpus.Function
	if r.top().sort == members {
		kind = corpus.Method
	} else if r.local() {
		h.traits |= corpus.Local
	}
	if r.Kind(at) == scan.Word {
		return r.method(h, at, r.End(at), r.angles(at+1), -1, kind)
	}
	if r.Kind(at) != scan.Punct || at >= len(r.Toks) {
		return k
	}
	start := r.At(at)
	end := start
	for end < len(r.Src) && (bytes.IndexByte(operators, r.Src[end]) >= 0 || r.Src[end] >= 0x80) {
		end++
	}
	// A < behind an operator begins the parameters for types.
	if end-start > 1 && r.Src[end-1] == '<' && end < len(r.Src) && r.Src[end] != ' ' && r.Src[end] != '(' {
		end--
	}
	p := at
	for p < len(r.Toks) && r.At(p) < end {
		p++
	}
	if end == start {
		return k
	}
	return r.method(h, at, end, r.angles(p), -1, kind)
}

// local reports whether the place is in a function.
func (r *reader) local() bool {
	for k := len(r.places) - 1; k >= 0; k-- {
		if id := r.places[k].decl; id >= 0 {
			d := r.Out.Decls[id]
			return d.Kind == corpus.Function || d.Kind == corpus.Method
		}
	}
	return false
}

func (r *reader) initializer(h head, k int) int {
	p := k + 1
	for r.Sign(p, '?') || r.Sign(p, '!') {
		p++
	}
	p = r.angles(p)
	if !r.Opens(p, '(') {
		return k
	}
	h.traits |= corpus.Constructor
	return r.method(h, k, r.End(k), p, -1, corpus.Method)
}
