package swift

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// method reads a function whose name is the text from token at to an offset, with
// its parameters in bracket p; where it has none the body is given.
func (r *reader) method(h head, at, nameEnd, p, body int, kind corpus.Kind) int {
	if body < 0 && !r.Opens(p, '(') {
		return at
	}
	d := r.decl(h, kind, at)
	d.Name = string(r.Src[d.NameAt:nameEnd])
	var after, end int
	if body >= 0 {
		after, end = body, r.Past(body)
	} else {
		if after = r.Past(p); r.Sign(r.Pair(p), ')') {
			d.Params = r.Params(p, true)
		} else { // never closed
			for after = p + 1; after < min(len(r.Toks), p+100) && !r.Opens(after, '{'); {
				after++
			}
			if !r.Opens(after, '{') {
				after = r.Past(p)
			}
		}
		body, end = r.signature(&d, after)
	}
	d.Traits.AddIf(body < 0, corpus.Abstract)
	id := r.add(d, body, end)
	if d.Params != nil {
		r.bindParams(p)
	}
	r.enter(place{sort: code, end: end, decl: id})
	if body < 0 {
		r.enter(place{sort: leading, end: min(after, end), next: end, decl: id})
		return p + 1
	}
	if d.Result != "" {
		r.returned(body)
	}
	if p < 0 {
		return body + 1
	}
	r.enter(place{sort: leading, end: after, next: body + 1, decl: id})
	return p + 1
}

// signature reads what stands between parameters and a body; k is behind the
// parameters. It returns the body, or -1, and the token after the end.
func (r *reader) signature(d *corpus.Decl, k int) (body, end int) {
	for {
		switch r.Key(k) {
		case scan.KAsync, scan.KReasync:
			d.Traits |= corpus.Async
			k++
			continue
		case scan.KThrows, scan.KRethrows:
			if k++; r.Opens(k, '(') {
				k = r.Past(k)
			}
			continue
		}
		break
	}
	if r.Is(k, "->") {
		t := r.typed(k + 1)
		d.Result = r.Quote(k+1, t)
		k = t
	}
	if r.Key(k) == scan.KWhere {
		return r.braces(k)
	}
	if r.Opens(k, '{') && k < r.top().end {
		return k, min(r.Past(k), r.top().end)
	}
	return -1, min(k, r.top().end)
}

// returned binds the result of a function whose body is one chain.
func (r *reader) returned(body int) {
	end := r.Pair(body)
	if from := body + 1; from < end && r.Key(from) != scan.KReturn {
		if v, next := r.value(from); v != "" && next == end {
			r.BindAs("()", "", v, r.At(from), 0)
		}
	}
}

// bindParams binds the parameters in bracket p: [label] name: type [= value].
func (r *reader) bindParams(p int) {
	for n, x := range r.Split(p, ",", true) {
		at := x[0]
		for r.Sign(at, '@') {
			if at += 2; r.Opens(at, '(') {
				at = r.Past(at)
			}
		}
		for at+1 < x[1] && r.Kind(at+1) == scan.Word {
			at++
		}
		if r.Kind(at) != scan.Word || at >= x[1] || !r.Sign(at+1, ':') {
			continue
		}
		end := at + 2
		for end < x[1] && !r.Sign(end, '=') {
			end = r.Past(end)
		}
		r.Bind(at, r.Quote(at+2, min(end, x[1])), "", n+1)
	}
}

func (r *reader) subscripted(h head, k, p int) int {
	d := r.decl(h, corpus.Method, k)
	d.Traits |= corpus.Accessor
	d.Params = r.Params(p, true)
	body, end := r.signature(&d, r.Past(p))
	abstract := body < 0 || r.required(body)
	d.Traits.AddIf(abstract, corpus.Abstract)
	id := r.add(d, body, end)
	r.bindParams(p)
	r.enter(place{sort: code, end: end, decl: id})
	if body < 0 {
		r.enter(place{sort: leading, end: min(r.Past(p), end), next: end, decl: id})
		return p + 1
	}
	r.block(body, id)
	r.enter(place{sort: leading, end: r.Past(p), next: body + 1, decl: id})
	return p + 1
}

// block enters the braces of a computed property.
func (r *reader) block(body, id int) {
	s := code
	if r.accessor(body + 1) {
		s = access
	} else {
		r.returned(body)
	}
	r.enter(place{sort: s, end: r.Pair(body), decl: id})
}

// accessor reports whether a getter or another accessor begins at k.
func (r *reader) accessor(k int) bool {
	for range 8 {
		if r.Sign(k, '@') {
			k = r.typedName(k + 1)
			if r.Opens(k, '(') {
				k = r.Past(k)
			}
			continue
		}
		if key := r.Key(k); key == scan.KMutating || key == scan.KNonmutating || key == scan.KBorrowing || key == scan.KConsuming {
			k++
			continue
		}
		break
	}
	if !accessors.Has(r.Key(k)) {
		return false
	}
	switch next := k + 1; {
	case r.Opens(next, '{'), r.Key(next) == scan.KAsync, r.Key(next) == scan.KThrows, r.Sign(next, '}'), accessors.Has(r.Key(next)), r.Key(next) == scan.KMutating, r.Key(next) == scan.KNonmutating:
		return true
	case r.Opens(next, '('):
		return r.Opens(r.Past(next), '{') && r.Past(next) == next+3
	}
	return r.Line(k + 1)
}

// required reports whether the braces hold get and set without bodies.
func (r *reader) required(body int) bool {
	if !r.accessor(body + 1) {
		return false
	}
	end := min(r.Pair(body), len(r.Toks))
	for k := body + 1; k < end; k = r.Past(k) {
		if r.Opens(k, '{') {
			return false
		}
	}
	return true
}
