package csharp

import (
	"cmp"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// using reads an import at i; it returns i where it is a statement.
func (r *reader) using(i int) int {
	k := r.SkipKey(i, scan.KGlobal)
	k++
	var m corpus.Import
	for ; r.Key(k) == scan.KStatic || r.Key(k) == scan.KUnsafe; k++ {
		m.Kind.AddIf(r.Key(k) == scan.KStatic, corpus.Member)
	}
	if r.Name(k) && r.Sign(k+1, '=') {
		m.Alias = r.Str(k)
		k += 2
	}
	end := r.typed(k)
	if end == k || !r.Sign(end, ';') {
		return i
	}
	m.Path, m.At = r.Quote(k, end), r.At(k)
	after := sort.Search(len(r.chosen), func(n int) bool { return r.chosen[n].End > m.At })
	m.Kind.AddIf(after < len(r.chosen) && r.chosen[after].Start <= m.At, corpus.Conditional)
	r.Out.Imports = append(r.Out.Imports, m)
	return end + 1
}

func (r *reader) namespace(h head, k int) int {
	from := k + 1
	end := r.typed(from)
	if end == from {
		return k + 1
	}
	name := r.Quote(from, end)
	r.Out.Module = cmp.Or(r.Out.Module, strings.ReplaceAll(name, " ", ""))
	at := from
	if r.At(from)+len(name) != r.End(end-1) || strings.Contains(name, " ") {
		at, name = end-1, r.Str(end-1)
	}
	d := r.decl(h, corpus.Module, at)
	d.Name, d.Exported = name, true
	switch {
	case r.Sign(end, '{'):
		id := r.add(d, end, r.Past(end))
		r.enter(place{sort: outside, end: r.Pair(end), decl: id})
	case r.Sign(end, ';'):
		id := r.add(d, end+1, len(r.Toks))
		r.enter(place{sort: outside, end: len(r.Toks), decl: id})
	}
	return end + 1
}

// class reads a type whose name should be token at, after the keyword k.
func (r *reader) class(h head, k, at int) int {
	if !r.Name(at) {
		r.Out.Missed++
		return k + 1
	}
	inner := place{sort: members, name: r.Str(at)}
	kind := corpus.Class
	switch r.Key(k) {
	case scan.KStruct:
		kind = corpus.Struct
	case scan.KInterface:
		kind = corpus.Interface
		inner.api = true
	case scan.KEnum:
		kind = corpus.Enum
		inner.sort = values
	}
	h.shown = h.shown || r.top().api && !h.has.Has(scan.KPrivate) && !h.has.Has(scan.KProtected) && !h.has.Has(scan.KInternal)
	d := r.decl(h, kind, at)
	p := r.angles(at + 1)
	primary := -1
	if r.Sign(p, '(') {
		primary = p
		d.Params = r.Params(p, true)
		p = r.Past(p)
	}
	var parents []int
	if r.Sign(p, ':') {
		d.Bases, parents, p = r.bases(p + 1)
	}
	stop := r.top().end
	body, end := -1, stop
	for ; p < stop; p = r.Past(p) {
		if r.Sign(p, '{') {
			body, end = p, r.Past(p)
			break
		}
		if r.Sign(p, ';') || r.Kind(p) == scan.Close {
			end = p + 1
			break
		}
	}
	id := r.add(d, body, end)
	if primary >= 0 {
		r.bindParams(primary)
	}
	for _, b := range parents { // a parent that is given arguments
		open := r.angles(b + 1)
		r.Call(b, open, true)
		r.within(open, id)
	}
	if body < 0 {
		return end
	}
	if kind == corpus.Enum {
		for _, k := range r.Choices(body) {
			r.Bind(k, inner.name, "", 0)
		}
	}
	inner.decl, inner.end = id, r.Pair(body)
	r.enter(inner)
	return body + 1
}

// within reads the code in bracket p.
func (r *reader) within(p, decl int) {
	n := len(r.places)
	r.enter(place{sort: code, end: r.Pair(p), decl: decl})
	for i := p + 1; i < r.Pair(p) && i < len(r.Toks); {
		for len(r.places) > n+1 && r.top().end <= i {
			r.places = r.places[:len(r.places)-1]
		}
		i = max(r.code(i), i+1)
	}
	r.places = r.places[:n]
}

// bases reads what a type extends from token k on: also the names of those that
// are given arguments, and the token after all.
func (r *reader) bases(k int) (bases []string, parents []int, next int) {
	for {
		end := r.typed(k)
		if end == k {
			return bases, parents, k
		}
		bases = append(bases, r.Quote(k, end))
		if r.Sign(end, '(') {
			at := end - 1
			if r.Sign(at, '>') {
				at = r.AngleBack(at) - 1
			}
			if r.Name(at) {
				parents = append(parents, at)
			}
			end = r.Past(end)
		}
		if r.Sign(end, ',') {
			end++
		} else if !r.Sign(end-1, ',') && (!r.Name(end) || r.Key(end) == scan.KWhere) { // of another branch, a comma may be missing
			return bases, parents, end
		}
		k = end
	}
}

// delegate reads the name of a type of functions; its result begins at k.
func (r *reader) delegate(h head, k int) int {
	at := r.typed(k)
	p := r.angles(at + 1)
	if at == k || !r.Name(at) || !r.Sign(p, '(') {
		return k
	}
	d := r.decl(h, corpus.Type, at)
	d.Result, d.Params = r.Quote(k, at), r.Params(p, true)
	end := r.ends(r.Past(p), false) + 1
	r.add(d, -1, end)
	return min(end, r.top().end)
}
