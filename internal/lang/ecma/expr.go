package ecma

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// How an expression may end.
const (
	comma    = 1 << iota // a comma is part of it
	heritage             // a { ends it behind an operand: class A extends f() {
	header               // in and of end it: for (x of y)
)

// An expression is read in one loop; only brackets, functions and classes in it are
// read by others.
type expression struct {
	end, how  int
	operand   bool // the token before ends an operand
	closed    bool // it ends in the block of an arrow function, which nothing can follow
	ternaries int  // question marks that wait for their colon
	construct bool // new stands before
	assigns   bool // what was read so far may be assigned to
	head      int  // where the operand that is read began
	dotted    bool // it is only names and dots so far
}

// expr reads an expression from token i and returns the token after it; i where
// none begins. It ends before a bracket that closes, a semicolon, a colon or comma
// that is not its own, and with a line where the language ends a statement there.
func (r *reader) expr(i, end, how int) int {
	x := expression{end: end, how: how, assigns: true, head: i}
	for i < end {
		k := i
		switch t := &r.Toks[i]; t.Kind {
		case scan.Open:
			k = r.open(&x, i)
		case scan.Text, scan.Number:
			if x.operand && (x.closed || !r.template(i)) {
				return i
			}
			x.value(i, false)
			k = i + 1
		case scan.Word:
			k = r.term(&x, i)
		case scan.Punct:
			k = r.sign(&x, i)
		}
		if k == i {
			return i
		}
		i = min(k, end)
	}
	return i
}

// value notes that an operand ends, or goes on, with what begins at token i.
func (x *expression) value(i int, dotted bool) {
	if !x.operand {
		x.head, x.dotted = i, dotted
	} else {
		x.dotted = x.dotted && dotted
	}
	x.operand, x.construct = true, false
}

// operator notes that an operator stands there.
func (x *expression) operator() { x.operand, x.assigns, x.construct = false, false, false }

// open reads the bracket at token i of an expression.
func (r *reader) open(x *expression, i int) int {
	first := r.Src[r.Toks[i].At]
	if x.operand {
		if x.closed || first == '{' && r.Toks[i].End-r.Toks[i].At == 1 || first == '<' {
			return i
		}
		x.dotted = false
		switch {
		case first == '(' && r.Kind(i-1) == scan.Close && !r.quoted(i-3):
			r.unnamed(x.head, i)
		case first == '[' && r.quoted(i):
			r.keyed(x.head, i)
		}
		return r.list(i, x.end)
	}
	if first == '(' {
		if a := r.arrow(i, x); a.arrow > 0 {
			return r.lambda(a, x)
		}
	}
	x.value(i, false)
	switch first {
	case '{':
		r.wants = r.wanted(i)
		r.fields = r.key(i-1) == scan.KReturn || r.Sign(i-1, '(') && r.Two(i-2, '=', '>')
		return r.object(i, x.end)
	case '<':
		return r.markup(i, x.end)
	}
	return r.list(i, x.end)
}

// unnamed records that what begins with token from is called by bracket i, and has no name of its own: f()().
func (r *reader) unnamed(from, i int) {
	of := r.Before(from, i)
	if of == "" || strings.HasPrefix(of, "import()") || strings.HasPrefix(of, "require()") {
		return
	}
	r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: corpus.Unnamed, Receiver: of, Given: r.Given(i, r.Value), At: r.At(i), Args: -1})
}

// list reads the expressions in bracket i and returns the token after it.
func (r *reader) list(i, end int) int {
	stop := min(r.close(i, end), end)
	if !r.enter() {
		return min(r.past(i, end), end)
	}
	defer r.leave()
	defer r.into(i)()
	if k := r.exprs(i+1, stop, i); k < stop {
		return k
	}
	return min(stop+1, end)
}

// exprs reads expressions from token i to end, inside bracket open. It stops early
// where that one proves not to be closed.
func (r *reader) exprs(i, end, open int) int {
	for i < end {
		k := r.expr(i, end, comma)
		switch {
		case k >= end:
			return end
		case r.broken(k, open):
			return k
		case k == i || r.Sign(k, ';') || r.Sign(k, ':'):
			k = r.stray(k, end)
		case r.key(k) == scan.KOf:
			k++ // for (x of y)
		}
		i = k
	}
	return end
}

// stray skips an unexpected token.
func (r *reader) stray(i, end int) int {
	if r.Kind(i) == scan.Open {
		if r.Sign(i, '{') {
			return r.braces(i, end)
		}
		return r.list(i, end)
	}
	return i + 1
}

// markup reads the expressions in the JSX element at token i.
func (r *reader) markup(i, end int) int {
	stop := min(r.close(i, end), end)
	if !r.enter() {
		return r.past(i, end)
	}
	defer r.leave()
	for k := i + 1; k < stop; {
		if r.Toks[k].Kind == scan.Open {
			k = max(r.list(k, stop), k+1)
		} else {
			k++
		}
	}
	return min(stop+1, end)
}

// sign reads the operator at token i of an expression; it returns i where the
// expression ends there.
func (r *reader) sign(x *expression, i int) int {
	t := &r.Toks[i]
	if t.End-t.At > 1 {
		return r.longSign(x, i)
	}
	switch r.Src[t.At] {
	case '.':
		return r.member(x, i)
	case ';':
		return i
	case ',':
		if x.how&comma == 0 {
			return i
		}
		x.operator()
		x.assigns, x.ternaries = true, 0
		r.site.args++
	case '?':
		x.ternaries++
		x.operator()
		x.assigns = true
	case ':':
		if x.ternaries == 0 {
			return i
		}
		x.ternaries--
		x.operator()
		x.assigns = true
	case '=':
		if x.operand && x.assigns && (x.dotted || r.Word(i-1) && r.Sign(i-2, '.')) {
			return r.assign(x, i)
		}
		if x.operand && x.assigns && r.Sign(i-1, ']') {
			if k := r.put(x, i); k > i {
				return k
			}
		}
		was := x.assigns && x.operand
		x.operator()
		x.assigns = was
	case '!':
		if x.operand {
			if t.Line {
				return i
			}
			return i + 1
		}
		x.assigns = false
	case '~':
		if x.operand && t.Line {
			return i
		}
		x.operator()
	case '@':
		if x.operand {
			return i
		}
		_, k := r.decorator(i, x.end)
		return max(k, i+1)
	case '<':
		if r.ts {
			return r.less(x, i)
		}
		x.operator()
	default:
		x.operator()
	}
	return i + 1
}

// longSign is sign for an operator of several bytes.
func (r *reader) longSign(x *expression, i int) int {
	switch {
	case r.Two(i, '?', '.'):
		return r.optional(x, i)
	case r.Two(i, '+', '+'), r.Two(i, '-', '-'):
		if x.operand && r.Toks[i].Line {
			return i
		}
		x.dotted = false
		return i + 1
	}
	x.operator()
	return i + 1
}

// less reads the < at token i: type arguments, type parameters of a function, a
// cast, or a comparison.
func (r *reader) less(x *expression, i int) int {
	if x.operand {
		if k := r.arguments(i, x.how&heritage != 0); k > i {
			return k
		}
		x.operator()
		return i + 1
	}
	k := r.angle(i)
	if k == i {
		x.operator()
		return i + 1
	}
	if r.Sign(k, '(') {
		if a := r.arrow(i, x); a.arrow > 0 {
			return r.lambda(a, x)
		}
	}
	return k
}

// optional reads the ?. at token i.
func (r *reader) optional(x *expression, i int) int {
	if r.Word(i + 1) {
		return r.member(x, i)
	}
	if x.dotted = false; r.ts && r.Sign(i+1, '<') {
		return max(r.angle(i+1), i+1)
	}
	return i + 1
}

// member reads the dot at token i and the name behind it.
func (r *reader) member(x *expression, i int) int {
	if !r.Word(i + 1) {
		x.operand, x.dotted = true, false
		return i + 1
	}
	if i+1 >= x.end {
		return i + 1
	}
	if x.operand {
		x.dotted = x.dotted && r.Sign(i, '.')
	} else {
		x.value(i+1, false)
	}
	r.called(x, i+1)
	return i + 2
}

// called records a call of the name at token i, if it is one.
func (r *reader) called(x *expression, i int) {
	construct := x.construct
	k := i + 1
	for r.ts && k < x.end && r.Sign(k, '!') && !r.Toks[k].Line {
		k++
	}
	if k >= x.end {
		if construct {
			r.Call(i, -1, true)
		}
		x.construct = false
		return
	}
	direct := k
	if r.Two(k, '?', '.') && (r.Sign(k+1, '(') || r.ts && r.Sign(k+1, '<')) {
		k++
	}
	if r.ts && r.Sign(k, '<') && r.Toks[k].Kind == scan.Punct {
		k = max(k, r.arguments(k, x.how&heritage != 0))
	}
	switch {
	case k < x.end && r.Sign(k, '('):
		r.Call(i, k, construct)
		r.Out.Calls[len(r.Out.Calls)-1].Given = r.Given(k, r.Value)
		r.latest = site{open: k, call: len(r.Out.Calls)}
		if c := &r.Out.Calls[len(r.Out.Calls)-1]; strings.Contains(c.Receiver, "import()") || strings.Contains(c.Receiver, "require()") {
			c.Receiver = r.loading(x.head, c.Receiver)
		}
		x.construct = false
	case construct && r.template(k):
		x.construct = false
	case construct && (r.Sign(direct, '.') || r.Sign(direct, '[')):
		// The name goes on, or what is constructed has none.
		x.construct = r.Sign(direct, '.')
	case construct:
		r.Call(i, -1, true)
		x.construct = false
	}
}

// term reads the word at token i of an expression; it returns i where the
// expression ends there.
func (r *reader) term(x *expression, i int) int {
	if x.operand {
		return r.behind(x, i)
	}
	t := &r.Toks[i]
	if statements.Has(t.Key) {
		return i
	}
	switch t.Key {
	case scan.KFunction:
		return r.functionValue(x, i, i)
	case scan.KClass:
		if !r.Sign(i+1, ':') && !r.Sign(i+1, '.') {
			x.value(i, false)
			return r.class(i, x.end, classValue{start: i})
		}
	case scan.KAsync:
		if r.key(i+1) == scan.KFunction && !r.Toks[i+1].Line {
			return r.functionValue(x, i, i+1)
		}
		if a := r.arrow(i, x); a.arrow > 0 {
			return r.lambda(a, x)
		}
	case scan.KNew:
		if r.Sign(i+1, '.') {
			x.value(i, false) // new.target
			return i + 3
		}
		x.construct = true
		x.assigns = false
		return i + 1
	case scan.KTypeof, scan.KVoid, scan.KDelete, scan.KThrow:
		x.operator()
		return i + 1
	case scan.KAwait:
		if r.prefix(i+1, x.end) {
			x.operator()
			return i + 1
		}
	case scan.KYield:
		return r.yield(x, i)
	case scan.KImport:
		if r.Sign(i+1, '(') {
			x.value(i, false)
			r.dynamic(i, x.end)
			return i + 1
		}
	}
	if r.Two(i+1, '=', '>') && i+1 < x.end {
		return r.lambda(r.arrow(i, x), x)
	}
	if t.Key == scan.KRequire && r.Sign(i+1, '(') {
		r.dynamic(i, x.end)
	}
	x.construct = x.construct && !x.operand
	construct := x.construct
	x.value(i, true)
	x.construct = construct
	r.called(x, i)
	return i + 1
}

// statements are the words that begin no operand: an expression ends before them.
var statements = scan.KeySet("return if for while do switch case try catch finally const var export break continue debugger else with enum extends")

// behind reads the word at token i of an expression, behind an operand.
func (r *reader) behind(x *expression, i int) int {
	switch t := &r.Toks[i]; t.Key {
	case scan.KIn, scan.KInstanceof:
		if x.how&header != 0 && t.Key == scan.KIn {
			return i
		}
		x.operator()
		return i + 1
	case scan.KAs, scan.KSatisfies:
		if r.ts && !t.Line {
			x.dotted = false
			return max(r.skip(i+1, x.end), i+1)
		}
	}
	return i
}

// yield reads the yield at token i.
func (r *reader) yield(x *expression, i int) int {
	if !r.Sign(i+1, '*') && !r.prefix(i+1, x.end) {
		x.value(i, false)
		return i + 1
	}
	if r.Toks[i+1].Line {
		x.value(i, false)
		return i + 1
	}
	if !r.enter() {
		x.operator()
		return i + 1
	}
	defer r.leave()
	from, suffix := i+1, ""
	if r.Sign(from, '*') {
		from, suffix = from+1, "[]"
	}
	at := len(r.Out.Bindings)
	if r.named {
		r.bind(corpus.Binding{Name: "[]", At: r.At(i + 1)})
	}
	k := r.expr(from, x.end, x.how)
	if r.named {
		if v := r.valued(from, k); v != "" {
			r.Out.Bindings[at].Value = of(v, suffix)
		}
	}
	x.value(i, false)
	return k
}
