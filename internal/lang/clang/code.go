package clang

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// code reads a token of statements and expressions, and returns where to go on.
func (r *reader) code(i int) int {
	if i >= len(r.Toks) {
		return i
	}
	t := r.Toks[i]
	switch t.Kind {
	case scan.Word:
		if r.starts(i) {
			if next := r.begin(i); next > i {
				return next
			}
		}
		return r.expression(i)
	case scan.Open:
		if r.Src[t.At] == '[' {
			return r.square(i)
		}
	case scan.Punct:
		if r.objc && r.Sign(i, '^') && r.Kind(i-1) != scan.Close && !r.Name(i-1) {
			if f, ok := r.lambda(i); ok {
				return r.anonymous(f)
			}
		}
		if r.objc && (r.Sign(i, '-') || r.Sign(i, '+')) && t.Line && r.starts(i) && r.Sign(i+1, '(') && r.methodHere(i) {
			return r.objcMethod(i)
		}
		if r.scoped(i) && r.starts(i) {
			if next := r.begin(i); next > i {
				return next
			}
		}
	}
	return i + 1
}

// starts reports whether a statement may begin at token i.
func (r *reader) starts(i int) bool {
	if i == 0 {
		return true
	}
	switch t := r.Toks[i-1]; t.Kind {
	case scan.Punct:
		return r.Sign(i-1, ';') || r.Sign(i-1, ':')
	case scan.Open:
		return r.Sign(i-1, '{') || r.Sign(i-1, '(') && heads.Has(r.Key(i-2))
	case scan.Close:
		switch r.Src[t.At] {
		case ')': // behind a cast an expression goes on
			return t.Pair >= 0 && heads.Has(r.Key(int(t.Pair)-1)) || r.Line(i)
		case ']':
			return r.Sign(i-2, ']')
		}
		return true
	case scan.Word:
		key := t.Key
		return key == scan.KElse || key == scan.KDo
	}
	return false
}

// heads are the words whose parentheses may declare.
var heads = scan.KeySet("if for while switch catch @catch")

// begin reads a declaration at the beginning of a statement; it returns i where
// there is none.
func (r *reader) begin(i int) int {
	key := r.Key(i)
	switch {
	case key == 0:
		switch next := i + 1; {
		case r.Sign(next, '(') && (r.Sign(next+1, '*') || r.Sign(next+1, '^')) && r.Name(next+2) && r.Sign(r.Past(next), '(') && !r.Sign(i-1, '('):
		case r.Sign(next, '('), r.Sign(next, ';'), r.Sign(next, '.'), r.Two(next, '-', '>'), r.Sign(next, '['), r.Sign(next, ':'):
			return i
		case r.Sign(next, '='):
			if value, as := r.assigned(i + 2); value != "" || as != "" {
				r.Bind(i, as, value, 0)
			}
			return i
		}
	case key == scan.KReturn || key == scan.KCoReturn || key == scan.KCoYield:
		r.returns(i)
		return i
	case key == scan.KThis:
		if r.Two(i+1, '-', '>') && r.Name(i+2) && r.Sign(i+3, '=') {
			value, as := r.assigned(i + 4)
			r.BindAs("this."+r.Str(i+2), as, value, r.At(i), 0)
		}
		return i
	case key == scan.KTypedef:
		return r.typedef(i)
	case key == scan.KUsing:
		return r.using(i, i)
	case key == scan.KNamespace:
		return r.namespace(i, i)
	case key == scan.KTemplate:
		return r.lostTemplate(i)
	case tags.Has(key):
		if t := r.tag(i); t.body >= 0 {
			return r.class(head{first: i, from: i, last: -1}, i, t, false)
		}
	case atTop(key) && r.top().sort == code && r.Line(i):
		return r.objcTop(i)
	case key == scan.KStaticAssert:
		return i + 1
	case statements.Has(key):
		return i
	}
	return r.local(i)
}

// lostTemplate reads a template where a statement should be: a bracket is missing.
func (r *reader) lostTemplate(i int) int {
	k := r.templates(i)
	if next := r.begin(k); k > i && next > k {
		return next
	}
	return max(k, i)
}

// local reads the declaration of variables at i, or of a function that stands where
// none should; it returns i where there is none.
func (r *reader) local(i int) int {
	at := r.typed(i)
	if at == i {
		return i
	}
	inHead := r.Sign(i-1, '(')
	switch {
	case r.Sign(at, '[') && strings.HasPrefix(r.Quote(i, at), "auto") || r.Sign(at, '[') && r.Key(i) == scan.KConst && r.Key(i+1) == scan.KAuto:
		for k := at + 1; k < min(r.Pair(at), len(r.Toks)); k++ { // structured
			if r.Name(k) {
				r.Bind(k, "", "", 0)
			}
		}
		return r.Past(at)
	case r.Sign(at, '(') && !inHead && at > i:
		return r.localPointer(i, at)
	case !r.Name(at):
		if r.Key(at) == scan.KOperator || r.scoped(at) {
			if h := r.heading(i, at); r.scoped(at) {
				return i
			} else if next := r.operatorHere(h, at); next > at {
				return next
			}
		}
		return i
	}
	typ := r.Quote(i, at)
	switch p := at + 1; {
	case r.Sign(p, '=') || r.Sign(p, ';') || r.Sign(p, ',') || r.Sign(p, '['):
		r.bindVariables(at, r.ends(p), strip(typ))
		return at
	case r.Sign(p, ')') && inHead && r.Key(i-2) != scan.KIf && r.Key(i-2) != scan.KWhile && r.Key(i-2) != scan.KSwitch:
		r.bindVariables(at, p, strip(typ))
		return p
	case r.Sign(p, ':') && inHead || r.objc && inHead && r.Is(p, "in"):
		r.loop(at, p, strip(typ))
		return p
	case r.Sign(p, '{') && r.cpp && !inHead:
		r.bindVariables(at, p, strip(typ))
		return p
	case inHead && r.Key(i-2) != scan.KFor:
	case r.Sign(p, '(') || r.scoped(p) || r.Sign(p, '<'):
		return r.localFunction(i, at, typ)
	case r.Word(p) && r.typed(i) > i && r.caps(i) && r.Name(p):
		if n := r.local(i + 1); n > i+1 { // a macro before
			return n
		}
	}
	return i
}

// heading is the head of a declaration from one token to before another.
func (r *reader) heading(first, at int) head {
	h := head{first: first, from: first, types: 1}
	for k := first; k < at; k++ {
		h.static = h.static || r.Key(k) == scan.KStatic
		if r.Word(k) && specifiers.Has(r.Key(k)) && h.from == k {
			h.from++
		}
	}
	return h
}

// operatorHere reads an operator with a body where a statement should be.
func (r *reader) operatorHere(h head, k int) int {
	for p := k + 1; p < k+6; p++ {
		if r.Sign(p, '(') && !r.Sign(p+1, ')') && r.Sign(r.tail(r.Past(p), true), '{') {
			return r.operator(h, k, -1)
		}
	}
	return k
}

// localFunction reads what has a type before the name at: a function with a body,
// or a variable that is constructed.
func (r *reader) localFunction(i, at int, typ string) int {
	name, p := r.path(at)
	if name < 0 || !r.Sign(p, '(') {
		return i
	}
	after := r.Past(p)
	sign := r.tail(after, true)
	if body := r.oldStyle(p, after); body >= 0 {
		sign = body
	}
	if r.Sign(sign, '{') && r.Kind(sign) == scan.Open && !r.Sign(i-1, '(') && (r.Line(i) || r.Line(at)) {
		return r.functionWith(r.heading(i, at), name, p, r.End(name), corpus.Function, sign)
	}
	if name != at || !r.closed(after) && !r.Sign(sign, ';') {
		return i
	}
	end := p
	if r.Sign(after, ',') {
		end = r.ends(p)
	}
	r.bindVariables(at, max(end, at+1), strip(typ))
	return p
}

// localPointer reads a variable that is a pointer to a function, with its type
// before token at.
func (r *reader) localPointer(i, at int) int {
	if !r.Sign(at+1, '*') && !r.Sign(at+1, '^') || r.caps(i) && at == i+1 {
		return i
	}
	name, _ := r.typedefName(at, r.Past(at))
	if name < 0 || !r.Sign(r.Past(at), '(') && !r.Sign(r.Past(at), '[') {
		return i
	}
	after := r.Past(r.Past(at))
	r.Bind(name, strip(r.Quote(i, at))+" (*)", "", 0)
	if r.Sign(after, '=') {
		if l, ok := r.lambda(after + 1); ok {
			return r.assignLambda(name, after+1, l)
		}
	}
	return after
}

// strip returns a type without the words that say where its value lives.
func strip(typ string) string {
	for {
		word, rest, ok := strings.Cut(typ, " ")
		if !ok || word != "static" && word != "register" && word != "extern" && word != "constexpr" && word != "inline" && word != "thread_local" && word != "__block" {
			return typ
		}
		typ = rest
	}
}

// loop binds the variable of a loop over what stands behind the sign p.
func (r *reader) loop(at, p int, typ string) {
	if strings.HasPrefix(typ, "auto") || strings.HasPrefix(typ, "const auto") {
		typ = ""
	}
	b := corpus.Binding{Name: r.Str(at), Type: typ, At: r.At(at)}
	if chain, next := r.Chain(p + 1); chain != "" && chain[0] != '?' && r.Sign(next, ')') {
		b.Value = chain + "[]"
	}
	r.Out.Bindings = append(r.Out.Bindings, b)
}

// returns binds what is returned or yielded.
func (r *reader) returns(i int) {
	if r.top().inner {
		return
	}
	value, as := r.assigned(i + 1)
	if value == "" && as == "" {
		return
	}
	b := corpus.Binding{Name: "()", Type: as, Value: value, At: r.At(i)}
	if r.Key(i) == scan.KCoYield {
		b.Name = "[]"
	}
	r.Out.Bindings = append(r.Out.Bindings, b)
}
