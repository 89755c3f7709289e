package clang

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// variables reads variables outside of code; the first one's name is the last name
// of the head, before the sign at k.
func (r *reader) variables(h head, k int) int {
	end := r.ends(k)
	at := h.last
	if at < 0 || h.types < 2 || r.Kind(end) == scan.Open {
		if at >= 0 && h.types == 1 && at == h.first && !r.Sign(k, ';') {
			return r.statement(h.first)
		}
		return r.rest(k, end)
	}
	start := at
	for r.scoped(start-1) && start > h.from {
		start--
		if r.Sign(start-1, '>') {
			start = r.AngleBack(start - 1)
		}
		if r.Name(start - 1) {
			start--
		}
	}
	typ := r.Quote(h.from, start)
	if r.top().sort == outside {
		kind := corpus.Variable
		if h.constant {
			kind = corpus.Constant
		}
		r.declareVariables(h, kind, at, end, typ)
	}
	r.bindVariables(at, end, typ)
	if r.Sign(k, '(') || r.Sign(k, '{') {
		at = k
	}
	return r.rest(at, end)
}

// rest reads what is left of a declaration, up to its end, as code.
func (r *reader) rest(k, end int) int {
	if k < end {
		r.enter(place{sort: code, end: end, decl: r.top().decl})
	}
	if r.Sign(end, ';') && k >= end {
		return end + 1
	}
	return k
}

// ends returns the semicolon that ends a declaration from k on, or what else does.
func (r *reader) ends(k int) int {
	end := r.top().end
	for ; k < end; k = r.Past(k) {
		if r.Sign(k, ';') || r.Kind(k) == scan.Close {
			return k
		}
	}
	return end
}

// declareVariables declares the names from token at on, up to end.
func (r *reader) declareVariables(h head, kind corpus.Kind, at, end int, typ string) {
	for n := 0; at < end && r.Name(at); n++ {
		next := r.comma(at+1, end)
		d := r.decl(h, kind, at)
		d.Result = typ
		if n > 0 {
			d.Span.Start, d.Doc = d.NameAt, corpus.Span{}
		}
		if r.scoped(at-1) && n == 0 {
			d.Scope = join(r.top().scope, strings.TrimPrefix(r.Receiver(at), scan.Unknown+"."))
		}
		d.Traits.AddIf(h.outer && !r.Sign(at+1, '='), corpus.Abstract)
		stop := next
		if next >= end && r.Sign(end, ';') {
			stop = end + 1
		}
		body := -1
		if r.Sign(at+1, '=') {
			body = at + 1
		}
		r.add(d, body, stop)
		at = r.pointers(next + 1)
	}
}

// comma returns the comma from k on that separates two declarations, or end.
func (r *reader) comma(k, end int) int {
	for k < end {
		if r.Sign(k, ',') {
			return k
		}
		if r.cpp && r.Sign(k, '<') {
			k = max(r.angles(k), k+1)
		} else {
			k = r.Past(k)
		}
	}
	return end
}

// bindVariables binds the names from token at on, up to end, that are declared with
// one type.
func (r *reader) bindVariables(at, end int, typ string) {
	if strings.HasPrefix(typ, "auto") || strings.HasPrefix(typ, "const auto") || typ == "__auto_type" {
		typ = ""
	}
	first := at
	var built []int
	for at < end && r.Name(at) {
		b := corpus.Binding{Name: r.Str(at), Type: typ, At: r.At(at)}
		v := at + 1
		if at > first && r.cpp && (r.Sign(v, '(') || r.Sign(v, '{')) {
			built = append(built, at)
		}
		for r.Sign(v, '[') && v < end {
			v = r.Past(v)
		}
		if r.Sign(v, '=') && typ == "" {
			b.Value, b.Type = r.assigned(v + 1)
		} else if r.Sign(v, '=') {
			b.Value, _ = r.assigned(v + 1)
		}
		r.Out.Bindings = append(r.Out.Bindings, b)
		next := r.comma(v, end)
		at = r.pointers(next + 1)
	}
	for n := len(built) - 1; n >= 0; n-- {
		r.inits = append(r.inits, built[n])
	}
}

// wrapped reads a declarator that begins with the parenthesis k.
func (r *reader) wrapped(h head, k int) int {
	j := k + 1
	pointer := false
	for j < r.Pair(k) {
		switch {
		case r.Sign(j, '*'), r.Sign(j, '&'), r.Sign(j, '^'), r.scoped(j), r.Two(j, '&', '&'):
			pointer = true
		case r.Word(j) && qualifiers.Has(r.Key(j)), r.Name(j) && (r.Name(j+1) || r.Sign(j+1, '*') || r.scoped(j+1) || r.Sign(j+1, '^')):
		case r.Word(j) && wrapping.Has(r.Key(j)):
			j = r.Past(j+1) - 1
		default:
			goto named
		}
		j++
	}
named:
	h.upto = k
	after := r.Past(k)
	if !r.Name(j) || h.types == 0 && !h.pointer || after >= r.top().end {
		return r.lost(h.first, k)
	}
	switch {
	case r.Sign(j+1, ')') && !pointer:
		if r.Sign(after, '(') {
			return r.function(h, j, after, r.End(j), corpus.Function)
		}
		return r.lost(h.first, k)
	case r.Sign(j+1, '(') && pointer: // it returns a pointer to a function
		after = r.SkipBracket(after, '(')
		sign := r.tail(after, true)
		return r.functionWith(h, j, j+1, r.End(j), corpus.Function, sign)
	case r.Sign(j+1, ')'), r.Sign(j+1, '['):
		end := r.ends(after)
		typ := r.Quote(h.from, k) + " (*)"
		if r.top().sort == outside {
			r.declareVariables(h, corpus.Variable, j, end, typ)
		}
		r.Bind(j, typ, "", 0)
		return r.rest(r.Past(after-1), end)
	}
	return r.lost(h.first, k)
}

// assigned returns the chain from k on, where that is all up to the end of the
// expression, or the type that a cast or a construction says it has.
func (r *reader) assigned(k int) (chain, as string) {
	for r.Sign(k, '&') || r.Sign(k, '*') {
		k++
	}
	switch key := r.Key(k); {
	case r.objc && r.Sign(k, '['):
		if r.closed(r.Past(k)) {
			return r.messageChain(k, 0), ""
		}
		return "", ""
	case r.Sign(k, '(') && r.Kind(k) == scan.Open: // a cast
		end := r.Pair(k)
		if r.typed(k+1) == end && (r.Name(end+1) || r.Sign(end+1, '(') || r.Sign(end+1, '[') || r.Sign(end+1, '&')) {
			return "", r.Quote(k+1, end)
		}
		return "", ""
	case key == scan.KCast:
		if next := r.angles(k + 1); r.Sign(next, '(') && r.closed(r.Past(next)) {
			return "", r.Quote(k+2, next-1)
		}
		return "", ""
	case key == scan.KNew:
		if r.Sign(k+1, '(') {
			k = r.Past(k+1) - 1
		}
		end := r.typed(k + 1)
		if end > k+1 && r.Sign(end, '[') {
			return "", r.Quote(k+1, end) + " *"
		}
	case key != 0 && key != scan.KThis && key != scan.KCoAwait:
		return "", ""
	}
	if typ := r.made(k); typ != "" {
		return "", typ
	}
	chain, next := r.Chain(k)
	if chain == "" || strings.HasPrefix(chain, scan.Unknown) || chain == "NULL" || chain == "nil" || chain[0] == '@' {
		return "", ""
	}
	if r.cpp && r.Sign(next, '{') && !strings.HasSuffix(chain, ")") {
		next = r.Past(next)
		chain += "()"
	}
	if r.closed(next) {
		return chain, ""
	}
	return "", ""
}

// closed reports whether an expression ends before token k.
func (r *reader) closed(k int) bool {
	return r.Sign(k, ';') || r.Sign(k, ',') || r.Sign(k, ')') || r.Sign(k, '}') || k >= len(r.Toks)
}

// made returns the type that a maker such as std::make_unique<T>(…) at k gives.
func (r *reader) made(k int) string {
	if !r.cpp || !r.Name(k) {
		return ""
	}
	if r.Is(k, "std") || r.Is(k, "absl") {
		k += 2
	}
	var pointer string
	switch string(r.Bytes(k)) {
	case "make_unique":
		pointer = "std::unique_ptr<"
	case "make_shared":
		pointer = "std::shared_ptr<"
	default:
		return ""
	}
	if end := r.angles(k + 1); end > k+1 && r.Sign(end, '(') && r.closed(r.Past(end)) {
		return pointer + r.Quote(k+2, end-1) + ">"
	}
	return ""
}
