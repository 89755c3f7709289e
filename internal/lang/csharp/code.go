package csharp

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// code reads a token of statements and expressions, and returns where to go on.
func (r *reader) code(i int) int {
	if i >= len(r.Toks) {
		return i
	}
	t := r.Toks[i]
	switch {
	case t.Kind == scan.Word:
		if r.begins(i) {
			if next := r.begin(i); next > i {
				return next
			}
		}
		return r.word(i)
	case t.Kind == scan.Open:
		if r.Sign(i, '(') && r.begins(i) && r.Sign(r.Past(i)-1, ')') && r.Name(r.Past(i)) {
			return max(r.begin(i), i+1) // a tuple as a type
		}
		if r.Sign(i, '[') && r.begins(i) && (r.Kind(r.Past(i)) == scan.Word || r.Sign(r.Past(i), '[')) && !r.Sign(i-1, ',') && !r.Sign(i-1, ':') {
			return r.Past(i) // an attribute
		}
		if r.Sign(i, '{') && r.Key(i-1) == scan.KSwitch {
			r.arms = append(r.arms, r.Pair(i))
			r.arm(i + 1)
		}
	case r.Sign(i, ','):
		if n := len(r.arms); n > 0 && r.armed(i) {
			r.arm(i + 1)
		}
	}
	return i + 1
}

// armed reports whether the comma i may stand between arms: what follows has an
// arrow before the next comma.
func (r *reader) armed(i int) bool {
	return !r.Sign(i+1, '}') && r.pattern <= i
}

// arm says that up to the arrow or the condition there is a pattern.
func (r *reader) arm(i int) {
	r.declared(i)
	end := min(r.arms[len(r.arms)-1], len(r.Toks))
	for k := i; k < end && k < i+200; k = r.Past(k) {
		switch {
		case r.arrow(k):
			if r.pattern < i {
				r.pattern = k
			}
			r.guarded = k
			return
		case r.Key(k) == scan.KWhen && r.pattern < i:
			r.pattern = k
		case r.Sign(k, ','), r.Sign(k, ';'), r.Kind(k) == scan.Close:
			return
		}
	}
}

// declared binds the name of a pattern: Type name.
func (r *reader) declared(k int) {
	at := r.typed(k)
	if at > k && r.Name(at) && (!r.Soft(r.Key(at)) || !r.binary(at)) && (r.arrow(at+1) || r.Key(at+1) == scan.KWhen || r.Sign(at+1, ':')) {
		r.bind(at, r.Quote(k, at), "")
	}
}

// begins reports whether a statement may begin at token i.
func (r *reader) begins(i int) bool {
	if i == 0 {
		return true
	}
	switch t := r.Toks[i-1]; t.Kind {
	case scan.Punct:
		return r.Sign(i-1, ';') || r.Sign(i-1, ':')
	case scan.Open:
		return r.Sign(i-1, '{') || r.Sign(i-1, '(') && heads.Has(r.Key(i-2))
	case scan.Close:
		return !r.Sign(i-1, ']') || !r.Name(r.Pair(i-1)-1)
	case scan.Word:
		return t.Key == scan.KElse || t.Key == scan.KDo
	}
	return false
}

// heads are the words whose parentheses may declare.
var heads = scan.KeySet("for foreach using fixed catch")

// leads are words that are hardly the name of a type.
var leads = scan.KeySet("await from join let select where orderby on by into not and or when equals yield")

// begin reads a declaration at the beginning of a statement; it returns i where
// there is none.
func (r *reader) begin(i int) int {
	key := r.Key(i)
	switch {
	case key == scan.KReturn:
		r.returns(i+1, "()")
		return i
	case key == scan.KYield && r.Key(i+1) == scan.KReturn:
		r.generates()
		r.returns(i+2, "[]")
		return i + 2
	case key == scan.KYield && r.Key(i+1) == scan.KBreak:
		r.generates()
		return i + 2
	case key == scan.KThis && r.Sign(i+1, '.') && r.Name(i+2) && r.Sign(i+3, '='):
		value, _ := r.assigned(i + 4)
		r.BindAs("this."+r.Str(i+2), "", value, r.At(i), 0)
		return i
	case key == scan.KCase:
		r.cases(i + 1)
		return i
	case access.Has(key):
		return r.lost(i)
	}
	k := i
	for key := r.Key(k); k < i+maxWords && (key == scan.KConst || key == scan.KUsing || key == scan.KStatic || key == scan.KUnsafe || key == scan.KExtern ||
		key == scan.KAsync && r.Kind(k+1) == scan.Word || key == scan.KAwait && r.Key(k+1) == scan.KUsing); key = r.Key(k) {
		k++
	}
	if !r.mayDeclare(k) || r.Key(k-1) == scan.KUsing && r.Sign(k, '(') {
		return i
	}
	at := r.typed(k)
	if at == k || !r.Name(at) || r.Soft(r.Key(at)) && r.binary(at) {
		return i
	}
	typ := r.Quote(k, at)
	switch p := r.angles(at + 1); {
	case r.Sign(p, '(') && r.Kind(p) == scan.Open:
		if after := r.Past(p); r.function(p) || r.Sign(after, ';') && (r.Key(i) == scan.KExtern || r.Key(i) == scan.KStatic) {
			h, _ := r.heading(i)
			h.traits |= corpus.Local
			return r.method(h, at, p, corpus.Function, typ)
		}
	case r.Sign(p, '='), r.Sign(p, ';'), r.Sign(p, ',') && !r.inCase(i):
		r.declarators(at, r.ends(at, false), typ)
		return at
	case r.Key(p) == scan.KIn:
		r.loop(at, p, typ)
		return at
	case r.Sign(p, ')') && r.Key(i-2) == scan.KCatch:
		r.bind(at, typ, "")
		return at
	}
	return i
}

func (r *reader) inCase(i int) bool { return r.Key(i-1) == scan.KCase }

// binary reports whether the word at may join two expressions instead of being a
// name that is declared.
func (r *reader) binary(at int) bool {
	switch r.Key(at) {
	case scan.KAnd, scan.KOr, scan.KNot, scan.KWhen, scan.KWhere, scan.KSelect, scan.KOrderby, scan.KJoin, scan.KOn, scan.KEquals, scan.KInto, scan.KBy, scan.KLet, scan.KFrom:
		return !(r.Sign(at+1, '=') || r.Sign(at+1, ';'))
	}
	return false
}

// mayDeclare is a quick look whether a type and a name begin at k.
func (r *reader) mayDeclare(k int) bool {
	if r.Sign(k, '(') {
		return true
	}
	if key := r.Key(k); key == scan.KVoid || key == scan.KRef || key == scan.KScoped || key == scan.KVar {
		return true
	}
	return r.Name(k) && !leads.Has(r.Key(k)) && !r.Sign(k+1, '(') && !r.Sign(k+1, '=') && !r.Sign(k+1, ';')
}

// lost reads a member where a statement should be: a bracket is missing before.
func (r *reader) lost(i int) int {
	h, k := r.heading(i)
	at := r.typed(k)
	if at == k || !r.Name(at) {
		return i
	}
	if p := r.angles(at + 1); r.Sign(p, '(') && r.function(p) {
		return r.method(h, at, p, corpus.Method, r.Quote(k, at))
	}
	return i
}

// cases says that the label of a case is a pattern.
func (r *reader) cases(k int) {
	r.declared(k)
	for end := min(k+200, len(r.Toks)); k < end; k = r.Past(k) {
		if r.Sign(k, ':') || r.Key(k) == scan.KWhen || r.Sign(k, ';') || r.Kind(k) == scan.Close {
			r.pattern = k
			return
		}
	}
}

// generates marks the function around as one that yields.
func (r *reader) generates() {
	if d := r.top().decl; d >= 0 && r.top().sort == code {
		r.Out.Decls[d].Traits |= corpus.Generator
	}
}

// returns binds what is returned or yielded.
func (r *reader) returns(k int, name string) {
	if chain, next := r.Chain(k); chain != "" && chain[0] != '?' && r.Sign(next, ';') {
		r.BindAs(name, "", chain, r.At(k), 0)
	}
}

// loop binds the variable of a foreach.
func (r *reader) loop(at, in int, typ string) {
	value := ""
	if chain, next := r.Chain(in + 1); chain != "" && chain[0] != '?' && r.Sign(next, ')') {
		value = chain + "[]"
	}
	r.bind(at, typ, value)
}

func (r *reader) bind(at int, typ, value string) {
	if typ == "var" {
		typ = ""
	}
	r.Bind(at, typ, value, 0)
}

// declarators binds the names from token at on, up to end, that are declared with
// one type.
func (r *reader) declarators(at, end int, typ string) {
	for r.Name(at) {
		v := r.SkipBracket(at+1, '[')
		next := v
		value, as := "", ""
		if r.Sign(v, '=') {
			value, as = r.assigned(v + 1)
			next = r.ends(v+1, true)
			r.targetTyped(v+1, typ)
			if r.lambda(v+1) >= 0 {
				// What is known of it belongs to what is around, not to the function.
				b := corpus.Binding{Name: r.Str(at), Type: typ, At: r.At(at - 1)}
				if typ == "var" {
					b.Type = ""
				}
				r.Out.Bindings = append(r.Out.Bindings, b)
				if next >= end || !r.Sign(next, ',') {
					return
				}
				at = next + 1
				continue
			}
		}
		if as != "" && (typ == "var" || typ == "") {
			r.bind(at, as, "")
		} else {
			r.bind(at, typ, value)
		}
		if next >= end || !r.Sign(next, ',') {
			return
		}
		at = next + 1
	}
}

// assigned returns the chain from k on, where that is all up to the end of the
// expression, or the type that a cast says it has.
func (r *reader) assigned(k int) (chain, as string) {
	if r.Sign(k, '(') && r.Kind(k) == scan.Open { // a cast
		if end := r.Pair(k); r.typed(k+1) == end && end < len(r.Toks) && (r.Name(end+1) || r.Sign(end+1, '(') || r.Key(end+1) == scan.KNew || r.Key(end+1) == scan.KThis) {
			return "", r.Quote(k+1, end)
		}
	}
	if r.Key(k) == scan.KNew && (r.Sign(k+1, '(') || r.Sign(k+1, '{') || r.Sign(k+1, '[')) {
		return "", ""
	}
	if key := r.Key(k); key != 0 && !r.Soft(key) && key != scan.KNew && key != scan.KThis && key != scan.KBase && key != scan.KRef {
		return "", ""
	}
	chain, next := r.Chain(k)
	if chain == "" || chain[0] == '?' {
		return "", ""
	}
	if r.Key(k) == scan.KNew {
		if chain[len(chain)-1] == ']' {
			return "", "" // an array
		}
		if r.Sign(next, '{') { // with an initializer
			if chain[len(chain)-1] != ')' {
				chain += "()"
			}
			next = r.Past(next)
		}
	}
	switch {
	case r.Sign(next, ';'), r.Sign(next, ','), r.Sign(next, ')'):
		return chain, ""
	case r.Key(next) == scan.KAs:
		if end := r.typed(next + 1); r.Sign(end, ';') {
			return "", r.Quote(next+1, end)
		}
	}
	return "", ""
}

// targetTyped records a `new()` at k as a construction of the declared type.
func (r *reader) targetTyped(k int, typ string) {
	if r.Key(k) != scan.KNew || !r.Sign(k+1, '(') || typ == "" || typ == "var" || r.Kind(k+1) != scan.Open {
		return
	}
	if name := lastName(typ); name != "" {
		r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: name, At: r.At(k), Args: int16(min(len(r.Split(k+1, ",", false)), 1000)), New: true})
	}
}

// lastName returns the last name of a type as written: "List" of "A.List<int>?".
func lastName(typ string) string {
	depth, end, start := 0, 0, 0
	for i := 0; i < len(typ); i++ {
		switch c := typ[i]; {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth > 0:
		case c == '[' || c == '(' || c == '*':
			return ""
		case c == '.' || c == ':' || c == ' ':
			start, end = i+1, i+1
		case c == '?':
		default:
			end = i + 1
		}
	}
	if end < start {
		return ""
	}
	return typ[start:end]
}
