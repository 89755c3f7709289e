package clang

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

func (r *reader) namespace(first, k int) int {
	k = r.attributes(k + 1)
	for r.caps(k) && r.Name(k+1) {
		k++
	}
	from := k
	for r.Name(k) && r.scoped(k+1) {
		if k += 2; r.Key(k) == scan.KInline {
			k++
		}
	}
	if r.Sign(k, '{') { // no name
		r.enter(place{sort: outside, end: r.Pair(k), decl: r.top().decl, hidden: true})
		return k + 1
	}
	if open := r.attributes(k + 1); r.Name(k) && r.Sign(open, '{') {
		at := from
		name := string(r.Src[r.At(from):r.End(k)])
		if strings.ContainsAny(name, " \n\t") {
			at, name = k, r.Str(k)
		}
		d := r.decl(head{first: first}, corpus.Module, at)
		d.Name = name
		id := r.add(d, open, r.Past(open))
		r.enter(place{sort: outside, end: r.Pair(open), decl: id, scope: join(r.top().scope, name)})
		return open + 1
	}
	if r.Name(k) && r.Sign(k+1, '=') { // another name for one
		if of, end := r.Chain(k + 2); of != "" && r.Sign(end, ';') {
			r.Bind(k, "", of, 0)
		}
	}
	for r.Word(k) || r.scoped(k) || r.Sign(k, '=') {
		k++
	}
	return k
}

// macroNamespace reads a namespace that a macro opens and another closes, as X_NAMESPACE_BEGIN(detail) and
// X_NAMESPACE_END(detail) do. The name of one that is a macro itself is not known.
func (r *reader) macroNamespace(i int) int {
	if !r.caps(i) || !r.Sign(i+1, '(') || !r.Name(i+2) || !r.Sign(i+3, ')') || r.top().sort != outside {
		return i
	}
	begin := r.Str(i)
	if !strings.Contains(begin, "NAMESPACE") || !strings.Contains(begin, "BEGIN") {
		return i
	}
	end, depth := strings.Replace(begin, "BEGIN", "END", 1), 0
	for k := i; k < r.top().end; k = r.Past(k) {
		if r.Kind(k) != scan.Word || !r.Sign(k+1, '(') {
			continue
		}
		switch r.Str(k) {
		case begin:
			depth++
		case end:
			depth--
		}
		if depth > 0 {
			continue
		}
		r.Call(i, i+1, false)
		if r.caps(i + 2) {
			r.enter(place{sort: outside, end: k, decl: r.top().decl})
			return i + 4
		}
		name := r.Str(i + 2)
		d := r.decl(head{first: i}, corpus.Module, i+2)
		id := r.add(d, i+4, k)
		r.enter(place{sort: outside, end: k, decl: id, scope: join(r.top().scope, name)})
		return i + 4
	}
	return i
}

// using reads a declaration of a name for a type; others say nothing.
func (r *reader) using(first, k int) int {
	end := k
	for end < r.top().end && !r.Sign(end, ';') && r.Kind(end) != scan.Close {
		end = r.Past(end)
	}
	if eq := r.attributes(k + 2); r.Name(k+1) && r.Sign(eq, '=') {
		d := r.decl(head{first: first}, corpus.Type, k+1)
		d.Result = r.Quote(eq+1, end)
		r.add(d, -1, end+1)
	}
	return end + 1
}

func (r *reader) concept(first, k int) int {
	end := k
	for end < r.top().end && !r.Sign(end, ';') && r.Kind(end) != scan.Close {
		end = r.Past(end)
	}
	if r.Name(k + 1) {
		d := r.decl(head{first: first}, corpus.Type, k+1)
		r.add(d, -1, end+1)
	}
	return end + 1
}

// typedef reads names for types.
func (r *reader) typedef(first int) int {
	k := first + 1
	for r.Word(k) && (qualifiers.Has(r.Key(k)) || specifiers.Has(r.Key(k))) {
		k++
	}
	if tags.Has(r.Key(k)) && r.Word(k) {
		if t := r.tag(k); t.body >= 0 {
			return r.class(head{first: first, from: first + 1}, k, t, true)
		}
	}
	end := k
	for end < r.top().end && !r.Sign(end, ';') && r.Kind(end) != scan.Close && !r.Sign(end, '{') {
		end = r.Past(end)
	}
	h := head{first: first}
	for n := 0; k < end && n < maxWords; n++ {
		at, next := r.typedefName(k, end)
		if at >= 0 {
			d := r.decl(h, corpus.Type, at)
			if n > 0 {
				d.Span.Start, d.Doc = d.NameAt, corpus.Span{}
			} else {
				d.Result = r.Quote(first+1, at)
				if cut := strings.TrimRight(d.Result, " (*^"); len(cut) < len(d.Result) && strings.Contains(d.Result[len(cut):], "(") {
					d.Result = cut + " (*)"
				}
			}
			stop := next
			if next >= end {
				stop = end + 1
			}
			r.add(d, -1, stop)
		}
		k = next + 1
	}
	return end + 1
}

// typedefName returns the name that is declared from token k on, -1 where there is
// none, and the comma or end behind it.
func (r *reader) typedefName(k, end int) (at, next int) {
	at = -1
	fixed := false
	for ; k < end && !r.Sign(k, ','); k = r.Past(k) {
		switch {
		case fixed:
		case r.cpp && r.Sign(k, '<'):
			k = max(r.angles(k)-1, k)
		case r.Name(k):
			at = k
			fixed = r.Sign(k+1, '(') && !r.Sign(k+2, '*') && !r.Sign(k+2, '^') && !r.Name(r.Past(k+1))
		case r.Sign(k, '(') && r.Kind(k) == scan.Open:
			for j := k + 1; j < min(r.Pair(k), end); j = r.Past(j) {
				if r.Name(j) {
					at, fixed = j, true
				} else if r.Kind(j) == scan.Open && fixed {
					break
				}
			}
		case wrapping.Has(r.Key(k)) && r.Word(k):
			k++
		}
	}
	return at, min(k, end)
}

// A tagged is the head of a class, struct, union or enum.
type tagged struct {
	name  int // or -1
	body  int // its brace, or -1
	colon int // before its bases, or -1
}

// tag reads the head that the keyword k begins.
func (r *reader) tag(k int) tagged {
	t := tagged{name: -1, body: -1, colon: -1}
	enum := r.Key(k) == scan.KEnum
	if k++; enum && (r.Key(k) == scan.KClass || r.Key(k) == scan.KStruct) {
		k++
	}
	k = r.attributes(k)
	for n := 0; n < 8; n++ {
		at, next := r.path(k)
		if at < 0 {
			break
		}
		t.name = at
		after := next
		if r.Sign(after, '(') && r.caps(at) && r.Name(r.Past(after)) { // a macro
			after = r.Past(after)
		}
		after = r.attributes(after)
		if r.cpp && r.Name(after) && (r.Is(after, "final") || r.caps(after) && !r.caps(at)) && !r.Name(after+1) && !r.Sign(after+1, '<') && !r.Sign(after+1, '(') && !r.scoped(after+1) {
			after++ // final, or a macro that may be that
		}
		if r.Sign(after, '{') || r.Sign(after, ':') || !r.Name(after) {
			k = after
			break
		}
		k = after
	}
	if r.Sign(k, '{') {
		t.body = k
	} else if r.Sign(k, ':') && (r.cpp || enum) {
		for j := k + 1; j < min(k+maxAngle, r.top().end); j = r.Past(j) {
			if r.Sign(j, '{') {
				t.body, t.colon = j, k
				break
			}
			if r.Sign(j, ';') || r.Sign(j, '(') && !r.cpp || r.Sign(j, '=') || r.Kind(j) == scan.Close {
				break
			}
		}
	}
	return t
}

// tagged reads a class, or a word of a type with its keyword at k.
func (r *reader) tagged(h *head, k int) (next int, done bool) {
	t := r.tag(k)
	if t.body >= 0 {
		return r.class(*h, k, t, false), true
	}
	h.types++
	h.last = -1
	j := k + 1
	if r.Key(k) == scan.KEnum && (r.Key(j) == scan.KClass || r.Key(j) == scan.KStruct) {
		j++
	}
	j = r.attributes(j)
	at, next := r.path(j)
	if at < 0 {
		return j, false
	}
	return next, false
}

var kinds = map[scan.Key]corpus.Kind{scan.KClass: corpus.Class, scan.KStruct: corpus.Struct, scan.KUnion: corpus.Struct, scan.KEnum: corpus.Enum}

// class reads a type with a body, whose keyword is k, and the names that are
// declared behind it.
func (r *reader) class(h head, k int, t tagged, typedef bool) int {
	close := min(r.Pair(t.body), len(r.Toks))
	limit := r.top().end
	end := close + 1
	for end < limit && !r.Sign(end, ';') && r.Kind(end) != scan.Close && !r.Sign(end, '{') && !(r.Line(end) && r.Key(end) != 0 && r.Key(end) != scan.KAttribute && r.Word(end)) && end < close+200 {
		end = r.Past(end)
	}
	names := r.Sign(end, ';')
	stop := min(close+1, limit)
	if names {
		stop = end + 1
	}
	at := t.name
	var behind []int
	if names && close+1 < end {
		behind = r.declarators(close+1, end)
	}
	if at < 0 && typedef && len(behind) > 0 {
		at = behind[0]
	}
	if h.first == k && r.top().sort == code && t.name < 0 && !typedef {
		at = -1
	}
	id := r.top().decl
	p := place{sort: members, end: close, decl: id}
	if r.Key(k) == scan.KEnum {
		p.sort = values
	}
	if at >= 0 {
		d := r.decl(h, kinds[r.Key(k)], at)
		d.Exported = !r.top().hidden
		if t.colon >= 0 {
			d.Bases = r.bases(t.colon+1, t.body)
		}
		if r.scoped(at - 1) {
			scope := strings.TrimPrefix(r.Receiver(at), scan.Unknown+".")
			d.Scope = join(r.top().scope, scope)
		}
		spanEnd := stop
		if at == t.name && close+1 < end {
			spanEnd = close + 1
		}
		id = r.add(d, t.body, spanEnd)
		p.decl, p.name = id, d.Name
		p.scope = join(r.top().scope, d.Name)
		p.hidden = r.Key(k) == scan.KClass
	}
	if p.sort == values {
		r.choices(h, t.body, at)
	}
	if close >= limit || len(r.Toks) == 0 {
		stop = limit
	}
	r.declareBehind(h, k, t, at, behind, typedef)
	r.enter(place{sort: code, end: stop, decl: r.top().decl})
	r.enter(p)
	return t.body + 1
}

// choices records the members of the enum in brace body, whose name is token at: of one without
// a name, outside of classes and functions, they are constants.
func (r *reader) choices(h head, body, at int) {
	of, typ := r.top().sort, "int"
	if at >= 0 {
		typ = r.Str(at)
	}
	for _, k := range r.Choices(body) {
		if r.Sign(k+1, '(') {
			continue // a macro that lists some
		}
		if at < 0 && of == outside {
			d := r.decl(head{first: k}, corpus.Constant, k)
			d.Exported = !r.top().hidden
			r.add(d, -1, k+1)
			continue
		}
		r.Bind(k, typ, "", 0)
	}
}

// declareBehind records what is declared with a type behind its body.
func (r *reader) declareBehind(h head, k int, t tagged, at int, behind []int, typedef bool) {
	typ := ""
	if at >= 0 {
		typ = r.Str(k) + " " + r.Str(at)
	} else if t.colon >= 0 && !typedef { // struct : Store {…} s;
		typ = strings.Join(r.bases(t.colon+1, t.body), "|")
	}
	for _, b := range behind {
		if typedef {
			if b == at || t.name >= 0 && r.Is(b, r.Str(t.name)) {
				continue
			}
			d := r.decl(head{first: b}, corpus.Type, b)
			d.Result = typ
			r.add(d, -1, b+1)
			continue
		}
		if r.top().sort == outside {
			d := r.decl(head{first: b, static: h.static}, corpus.Variable, b)
			d.Doc, d.Result = corpus.Span{}, typ
			d.Span.Start = d.NameAt
			r.add(d, -1, b+1)
		}
		r.Bind(b, typ, "", 0)
	}
}

// declarators returns the names that are declared between two tokens, behind a
// type.
func (r *reader) declarators(k, end int) []int {
	var out []int
	for k < end && len(out) < maxWords {
		k = r.pointers(k)
		for r.Word(k) && wrapping.Has(r.Key(k)) && r.Sign(k+1, '(') || r.caps(k) && (r.Name(k+1) || r.Sign(k+1, '*')) || r.caps(k) && r.Sign(k+1, '(') {
			k = r.SkipBracket(k+1, '(')
			k = r.pointers(k)
		}
		if r.Sign(k, '(') {
			if at, _ := r.typedefName(k, r.Past(k)); at >= 0 {
				out = append(out, at)
			}
		} else if r.Name(k) && k < end {
			out = append(out, k)
		}
		for k < end && !r.Sign(k, ',') {
			k = r.Past(k)
		}
		k++
	}
	return out
}

// bases returns the bases between two tokens, without the words before them.
func (r *reader) bases(k, end int) []string {
	var out []string
	for k < end && len(out) < maxWords {
		for key := r.Key(k); r.Word(k) && (key == scan.KPublic || key == scan.KPrivate || key == scan.KProtected || key == scan.KVirtual || key == scan.KTypename); key = r.Key(k) {
			k++
		}
		from := k
		for k < end && !r.Sign(k, ',') {
			if next := r.angles(k); next > k {
				k = next
			} else {
				k = r.Past(k)
			}
		}
		if k > from {
			out = append(out, r.Quote(from, min(k, end)))
		}
		k++
	}
	return out
}
