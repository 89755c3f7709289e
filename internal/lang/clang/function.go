package clang

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// decl begins a declaration that is named by token at; its span ends where add
// says.
func (r *reader) decl(h head, kind corpus.Kind, at int) corpus.Decl {
	d := r.Declare(kind, h.first, at, r.floor())
	d.Marks, d.Exported = h.marks, !h.static && !r.top().hidden
	return d
}

// floor is where the declaration around begins to have room for others.
func (r *reader) floor() int {
	for k := len(r.places) - 1; k >= 0; k-- {
		if d := r.places[k].decl; d >= 0 {
			d := &r.Out.Decls[d]
			return min(d.NameAt+len(d.Name), d.Body)
		}
	}
	return 0
}

// add records a declaration with its body from one token to before another, and
// returns its number.
func (r *reader) add(d corpus.Decl, body, end int) int {
	end = min(end, r.top().end)
	d.Span.End = r.End(end - 1)
	if d.NameAt+len(d.Name) > d.Span.End || d.NameAt < d.Span.Start || d.Name == "" {
		return r.top().decl // something before it is broken
	}
	d.Body = d.Span.End
	if body >= 0 && body < end {
		d.Body = max(r.At(body), d.NameAt+len(d.Name))
	}
	r.Out.Decls = append(r.Out.Decls, d)
	return len(r.Out.Decls) - 1
}

// function reads a function named from token at on, with its parameters in bracket
// p.
func (r *reader) function(h head, at, p, nameEnd int, kind corpus.Kind) int {
	return r.functionWith(h, at, p, nameEnd, kind, r.tail(r.Past(p), true))
}

// functionWith is function where the head is known to end with a sign.
func (r *reader) functionWith(h head, at, p, nameEnd int, kind corpus.Kind, sign int) int {
	d := r.decl(h, kind, at)
	d.Name = string(r.Src[d.NameAt:nameEnd])
	inClass := r.top().sort == members
	scope := ""
	if r.scoped(at - 1) {
		scope = strings.TrimPrefix(r.Receiver(at), scan.Unknown+".")
	}
	if scope != "" && scope != scan.Unknown {
		d.Kind, d.Scope = corpus.Method, join(r.top().scope, scope)
	} else if inClass && !h.friend {
		d.Kind = corpus.Method
		if h.static {
			d.Traits |= corpus.Static
			d.Exported = !r.top().hidden
		}
	}
	if !h.made {
		d.Params = r.params(p)
	}
	if from := h.from; from < at {
		d.Result = r.result(h, at)
	}
	if r.Sign(sign-1, '>') || r.arrow(p) >= 0 {
		if a := r.arrow(p); a >= 0 {
			d.Result = r.Quote(a+1, r.typed(a+1))
		}
	}
	if d.Result == "" && d.Kind == corpus.Method && d.Name[0] != '~' && r.cpp && !strings.HasPrefix(d.Name, "operator") {
		if own := r.top().name; inClass && d.Name == own || scope == d.Name || strings.HasSuffix(scope, "."+d.Name) {
			d.Traits |= corpus.Constructor
		}
	}
	d.Traits.AddIf(r.top().sort == code && r.top().decl >= 0, corpus.Local)
	body, end := sign, sign+1
	switch {
	case r.Sign(sign, ':'):
		if body, end = r.initialisers(sign); body >= 0 {
			break
		}
		fallthrough
	case !r.Sign(sign, '{'):
		d.Traits |= corpus.Abstract
		body = -1
		if r.Sign(sign, '=') {
			for k := sign; k < min(r.top().end, sign+8); k++ {
				if end = k; r.Sign(k, ';') {
					end++
					break
				}
			}
		} else if !r.Sign(sign, ';') {
			end = sign
		}
	default:
		end = r.Past(sign)
	}
	id := r.add(d, body, end)
	if !h.made {
		r.bindParams(p, id)
	}
	if !r.cpp && r.Sign(sign, '{') && r.Sign(sign-1, ';') {
		r.bindOld(p, sign)
	}
	if body < 0 {
		return max(end, p+1)
	}
	r.enter(place{sort: code, end: end, decl: id})
	return sign + 1
}

// join returns a name in a scope; the name may begin with that already.
func join(scope, name string) string {
	if scope == "" || strings.HasPrefix(name, scope+".") {
		return name
	}
	return scope + "." + name
}

// result returns the type before the name at.
func (r *reader) result(h head, at int) string {
	k := at
	if h.upto > 0 {
		k = h.upto
	}
	for r.scoped(k - 1) { // the scope of the name
		k -= 2
		if r.Sign(k, '>') {
			k = r.AngleBack(k) - 1
		}
	}
	if k <= h.from {
		return ""
	}
	for from := h.from; from < k; from++ {
		key := r.Key(from)
		switch {
		case r.Word(from) && specifiers.Has(key):
		case r.Word(from) && (key == scan.KAttribute || key == scan.KDeclspec || key == scan.KAlignas) && r.Sign(from+1, '('):
			from = r.Past(from+1) - 1
		case r.Sign(from, '[') && r.Sign(from+1, '['):
			from = r.Past(from) - 1
		case r.caps(from) && from+1 < k && (r.Word(from+1) || r.Sign(from+1, '(')) && !qualifiers.Has(r.Key(from+1)):
			if r.Sign(from+1, '(') {
				if r.Past(from+1) >= k { // a macro with the type in it
					return r.Quote(from+2, r.Pair(from+1))
				}
				from = r.Past(from+1) - 1
			}
		default:
			return r.Quote(from, k)
		}
	}
	return ""
}

// arrow returns the token -> behind the parameters in bracket p, or -1.
func (r *reader) arrow(p int) int {
	for k := r.Past(p); k < r.Past(p)+6; k++ {
		if r.Two(k, '-', '>') {
			return k
		}
		if !r.Word(k) && !r.Sign(k, '&') {
			break
		}
	}
	return -1
}

// tail returns the token that ends the head of a function whose parameters end
// before k: the sign of its body, or another. With sure, macros may stand before.
func (r *reader) tail(k int, sure bool) int {
	for end := min(r.top().end, k+maxTail); k < end; {
		key := r.Key(k)
		switch {
		case r.Two(k, '-', '>'):
			next := r.typed(k + 1)
			if next == k+1 {
				return k
			}
			k = next
		case r.Sign(k, '&'), r.Two(k, '&', '&'):
			k++
		case r.Sign(k, '[') && r.Sign(k+1, '['):
			k = r.Past(k)
		case !r.Word(k):
			return k
		case qualifiers.Has(key), key == scan.KTry, key == scan.KMutable, key == scan.KConstexpr:
			k++
		case key == scan.KRequires:
			k = r.constraint(k + 1)
		case wrapping.Has(key):
			k = r.SkipBracket(k+1, '(')
			if r.Sign(k-1, ')') && r.Sign(k, '(') {
				return k
			}
		case r.Name(k) && (r.cpp && (r.Is(k, "override") || r.Is(k, "final")) || sure && r.trailing(k)):
			k = r.SkipBracket(k+1, '(')
		default:
			return k
		}
	}
	return k
}

// trailing reports whether the name k may be a macro behind parameters.
func (r *reader) trailing(k int) bool {
	b := r.Bytes(k)
	return r.caps(k) || len(b) > 2 && b[0] == '_' && b[1] == '_'
}

// oldStyle returns the body of a function whose parameters in bracket p are only
// names, declared from token k on; -1 where it is none.
func (r *reader) oldStyle(p, k int) int {
	if r.cpp || !r.Word(k) || r.Sign(p+1, ')') || r.top().sort == members || !r.Name(p+1) {
		return -1
	}
	for j := p + 1; j < min(r.Pair(p), p+100); j++ {
		if !r.Name(j) && !r.Sign(j, ',') || r.Name(j) && r.Name(j+1) {
			return -1
		}
	}
	for end := min(len(r.Toks), k+200); k < end; k = r.Past(k) {
		switch {
		case r.Sign(k, '{') && r.Kind(k) == scan.Open:
			if r.Sign(k-1, ';') {
				return k
			}
			return -1
		case r.Sign(k, '='), r.Kind(k) == scan.Close, r.Kind(k) == scan.Text, statements.Has(r.Key(k)) && r.Word(k), r.Key(k) == scan.KTypedef, r.Key(k) == scan.KStatic, r.Key(k) == scan.KExtern:
			return -1
		}
	}
	return -1
}

// initialisers reads what stands between the colon of a constructor and its body:
// the names that are initialised are not called. It returns the body, -1 where
// there is none, and the token after it.
func (r *reader) initialisers(colon int) (body, end int) {
	var names []int
	k := colon + 1
	for k < r.top().end {
		at, next := r.path(k)
		if at < 0 || !r.Sign(next, '(') && !r.Sign(next, '{') {
			break
		}
		names = append(names, at)
		if k = r.Past(next); r.Is(k, "...") {
			k++
		}
		if !r.Sign(k, ',') {
			break
		}
		k++
	}
	if !r.Sign(k, '{') {
		return -1, k
	}
	for n := len(names) - 1; n >= 0; n-- {
		r.inits = append(r.inits, names[n])
	}
	return k, r.Past(k)
}

// params returns the parameters in bracket p as they are written.
func (r *reader) params(p int) []string {
	out := []string{}
	for _, x := range r.Split(p, ",", r.cpp) {
		if len(out) == maxParams {
			break
		}
		if x[1] == x[0]+1 && r.Key(x[0]) == scan.KVoid {
			continue
		}
		out = append(out, r.Quote(x[0], x[1]))
	}
	return out
}

// maxParams bounds how many parameters are kept.
const maxParams = 200

// bindParams binds the parameters in bracket p of declaration id.
func (r *reader) bindParams(p, id int) {
	for n, x := range r.Split(p, ",", r.cpp) {
		if n == maxParams {
			return
		}
		from, end := x[0], x[1]
		for k := from; r.cpp && k < end; k = r.Past(k) {
			if r.Sign(k, '=') {
				r.within(k+1, end, id)
				end = k
			}
		}
		at := r.typed(from)
		typ := r.Quote(from, at)
		switch {
		case r.Is(at, "..."):
			at++
		case at < end && r.Sign(at, '('): // a pointer to a function
			for at++; at < end && !r.Name(at); at++ {
			}
			typ += " (*)"
		case at > from && at >= end && r.Name(end-1) && end-1 > from && !r.Sign(end-2, ':') && !r.scoped(end-2):
			continue
		case at == from && r.Name(from) && end == from+1: // of old style
			at, typ = from, ""
		}
		if at < end && r.Name(at) {
			r.Bind(at, typ, "", n+1)
		}
	}
}

// bindOld binds the parameters in bracket p whose types are declared behind it, up
// to the body.
func (r *reader) bindOld(p, body int) {
	for k := r.Past(p); k < body; k++ {
		at := r.typed(k)
		end := at
		for end < body && !r.Sign(end, ';') {
			end = r.Past(end)
		}
		typ := r.Quote(k, at)
		for _, name := range r.declarators(at, end) {
			for j, n := p+1, int16(1); j < r.Pair(p) && n <= maxParams; j++ {
				if r.Sign(j, ',') {
					n++
				} else if r.Is(j, r.Str(name)) {
					r.Bind(name, typ, "", int(n))
				}
			}
		}
		k = end
	}
}

// within reads the code between two tokens.
func (r *reader) within(i, end, decl int) {
	n := len(r.places)
	if n >= maxPlaces {
		return
	}
	r.enter(place{sort: code, end: end, decl: decl})
	for i < end && i < len(r.Toks) {
		for len(r.places) > n+1 && r.top().end <= i {
			r.places = r.places[:len(r.places)-1]
		}
		i = max(r.step(i), i+1)
	}
	r.places = r.places[:n]
}

// operator reads a function that is named by the keyword at k and what follows;
// where that has a scope, it begins at token from.
func (r *reader) operator(h head, k, from int) int {
	p := k + 1
	if r.Sign(p, '(') && r.Sign(p+1, ')') {
		p += 2
	} else {
		for ; p < k+20 && !r.Sign(p, '('); p++ {
			if r.Sign(p, ';') || r.Sign(p, '{') || p >= r.top().end {
				return p
			}
		}
	}
	if !r.Sign(p, '(') || p == k+1 {
		return k + 1
	}
	if h.types == 0 && from >= 0 {
		h.from = from
	}
	return r.function(h, k, p, r.End(p-1), corpus.Function)
}
