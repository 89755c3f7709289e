package csharp

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// word reads a word in an expression: what is called or constructed, what a
// function is assigned to, and what a pattern declares.
func (r *reader) word(i int) int {
	key := r.Key(i)
	switch key {
	case scan.KNew:
		return r.construct(i)
	case scan.KBase, scan.KThis:
		if r.Sign(i+1, '(') && r.Sign(i-1, ':') {
			r.Call(i, i+1, false)
		}
		return i + 1
	case scan.KIs:
		r.is(i + 1)
		return i + 1
	case scan.KOut:
		if at := r.typed(i + 1); at > i+1 && r.Name(at) && (r.Sign(at+1, ',') || r.Sign(at+1, ')')) {
			r.bind(at, r.Quote(i+1, at), "")
		}
		return i + 1
	case scan.KFrom, scan.KJoin:
		r.query(i)
	}
	if key == scan.KLet && r.Name(i+1) && r.Sign(i+2, '=') {
		value, next := r.Chain(i + 3)
		if r.Kind(next) != scan.Word || value != "" && value[0] == '?' {
			value = ""
		}
		r.bind(i+1, "", value)
	}
	if key == scan.KVar && r.Sign(i+1, '(') {
		for _, x := range r.Split(i+1, ",", false) {
			if r.Name(x[0]) && x[1] == x[0]+1 {
				r.bind(x[0], "", "")
			}
		}
	}
	if key != 0 && !r.Soft(key) {
		return i + 1
	}
	open := r.angles(i + 1)
	switch {
	case r.Sign(open, '(') && r.Kind(open) == scan.Open:
		if r.calls(i, open) {
			r.Call(i, open, false)
		}
	case open == i+1 && r.Sign(open, '=') && r.Kind(open) == scan.Punct:
		if body := r.lambda(i + 2); body >= 0 {
			r.assignLambda(i, body)
		}
	}
	return i + 1
}

// calls reports whether the name i is called with the arguments in bracket open.
func (r *reader) calls(i, open int) bool {
	after := r.Past(open)
	if r.arrow(after) && after != r.guarded {
		return false // parameters
	}
	if member := r.Sign(i-1, '.') || r.Is(i-1, "?.") || r.Is(i-1, "->"); member {
		return r.pattern <= i
	}
	if uncalled.Has(r.Key(i)) && r.keyword(i) {
		return false
	}
	return r.pattern <= i || r.Is(i, "nameof")
}

// keyword reports whether a word that may be a name is a keyword at i.
func (r *reader) keyword(i int) bool {
	switch r.Key(i) {
	case scan.KAwait, scan.KVar, scan.KScoped, scan.KNot, scan.KFrom, scan.KYield:
		return true
	}
	// Words of queries and patterns stand behind an expression.
	switch r.Kind(i - 1) {
	case scan.Word:
		return r.Key(i-1) != scan.KReturn && r.Key(i-1) != scan.KAwait && r.Key(i-1) != scan.KElse && r.Key(i-1) != scan.KIn
	case scan.Close, scan.Number, scan.Text:
		return !r.Sign(i-1, '}')
	}
	return false
}

// construct reads what follows new.
func (r *reader) construct(i int) int {
	k := i + 1
	if !r.Name(k) {
		return k
	}
	for {
		next := r.angles(k + 1)
		if (r.Sign(next, '.') || r.Is(next, "::")) && r.Name(next+1) {
			k = next + 1
			continue
		}
		if r.Sign(next, '?') && (r.Sign(next+1, '(') || r.Sign(next+1, '{')) {
			next++
		}
		switch {
		case r.Sign(next, '('):
			r.Call(k, next, true)
		case r.Sign(next, '{'):
			r.Call(k, -1, true)
			r.Out.Calls[len(r.Out.Calls)-1].Args = 0
		}
		return max(next, k+1)
	}
}

// is reads a pattern behind is.
func (r *reader) is(k int) {
	k = r.SkipKey(k, scan.KNot)
	at := r.typed(k)
	if at > k && r.Sign(at-1, '?') { // of a condition: patterns are never nullable
		return
	}
	if at == k {
		return
	}
	if r.Sign(k, '(') {
		r.pattern = max(r.pattern, at)
		return
	}
	if r.Sign(at, '(') {
		r.pattern = max(r.pattern, r.Past(at))
	}
	if r.Name(at) && !(r.Soft(r.Key(at)) && r.binary(at)) {
		r.bind(at, r.Quote(k, at), "")
	}
}

// query binds the variable of a query: from [T] x in …, join [T] x in …
func (r *reader) query(i int) {
	at := i + 1
	typ := ""
	if r.Key(at+1) != scan.KIn {
		at = r.typed(i + 1)
		typ = r.Quote(i+1, at)
	}
	if !r.Name(at) || r.Key(at+1) != scan.KIn {
		return
	}
	value := ""
	if chain, next := r.Chain(at + 2); chain != "" && chain[0] != '?' && r.Kind(next) == scan.Word {
		value = chain + "[]"
	}
	r.bind(at, typ, value)
}

// lambda returns the token after the parameters of the function that begins at k,
// -1 where none does.
func (r *reader) lambda(k int) int {
	for r.Key(k) == scan.KAsync || r.Key(k) == scan.KStatic {
		k++
	}
	switch {
	case r.Key(k) == scan.KDelegate:
		k = r.SkipBracket(k+1, '(')
		if r.Sign(k, '{') {
			return k
		}
	case r.Name(k) && r.arrow(k+1):
		return k + 2
	case r.Sign(k, '(') && r.arrow(r.Past(k)):
		return r.Past(k) + 1
	case r.Name(k) || r.Key(k) == scan.KVoid: // with its result written
		if p := r.typed(k); p > k && r.Sign(p, '(') && r.arrow(r.Past(p)) {
			return r.Past(p) + 1
		}
	}
	return -1
}

// assignLambda records the function with a body at some token that is assigned to
// the name i.
func (r *reader) assignLambda(i, body int) {
	if len(r.places) > maxPlaces {
		return
	}
	h := head{first: i}
	kind := corpus.Function
	h.traits.AddIf(r.top().decl >= 0 && r.top().sort == code && r.local(), corpus.Local)
	for k := i + 2; k < body && k < i+4; k++ {
		h.traits.AddIf(r.Key(k) == scan.KAsync, corpus.Async)
	}
	d := r.decl(h, kind, i)
	d.Doc = corpus.Span{}
	d.Span.Start = r.At(i)
	end := r.Past(body)
	if !r.Sign(body, '{') {
		end = r.ends(body, true)
	}
	p := i + 2
	for p < body && !r.Sign(p, '(') && !r.arrow(p) {
		p++
	}
	if r.Sign(p, '(') {
		d.Params = r.Params(p, true)
	} else if r.arrow(p) {
		d.Params = []string{r.Str(p - 1)}
	}
	id := r.add(d, body, end)
	if r.Sign(p, '(') {
		r.bindParams(p)
	} else if r.arrow(p) {
		r.Bind(p-1, "", "", 1)
	}
	if !r.Sign(body, '{') {
		r.result(body, end)
	}
	r.enter(place{sort: code, end: end, decl: id})
}

// local reports whether the place is in a function.
func (r *reader) local() bool {
	d := r.Out.Decls[r.top().decl]
	return d.Kind == corpus.Function || d.Kind == corpus.Method
}
