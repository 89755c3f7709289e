package haskell

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// token reads token i in the innermost context, and returns the one after what it
// has read.
func (r *reader) token(i int) int {
	t := &r.Toks[i]
	switch t.Kind {
	case scan.Word:
		if t.Key != 0 {
			return r.keyword(i)
		}
		if last := r.qualified(i); last > i {
			if r.Toks[last].Key == scan.KDo || r.Toks[last].Key == scan.KMdo { // M.do
				return r.keyword(last)
			}
			r.atom(last, r.variable(last))
			return last + 1
		}
		switch {
		case r.ofModule(i + 1):
		case r.arrows && r.Is(i, "proc"):
			r.lambda()
		case r.static && r.Is(i, "static"):
		default:
			r.atom(i, r.variable(i))
		}
	case scan.Number, scan.Text:
		r.atom(i, false)
	case scan.Open:
		if r.Is(i, "(") && r.Pair(i) == i+2 && r.symbolic(i+1) { // (+) a b
			r.atom(i+1, !ofPrelude.Has(r.Str(i+1)) && r.First(i+1) != ':')
			return i + 3
		}
		r.bracket(i)
	case scan.Close:
		r.close(i)
	default:
		return r.sign(i)
	}
	return i + 1
}

// atom reads one word of an application.
func (r *reader) atom(i int, variable bool) {
	c := r.top()
	if c.mode != expr {
		return
	}
	switch {
	case c.skips:
		c.skips = false
	case c.fresh:
		c.fresh, c.head, c.args = false, -1, 0
		c.started = c.start
		if variable {
			c.head = i
		}
	default:
		c.args++
	}
	c.start = false
}

// ends ends an application; last says that nothing follows it in its item.
func (r *reader) ends(last bool) {
	c := r.top()
	if c.head >= 0 && !c.fresh {
		run := last && c.started && c.kind == stmts
		if c.args > 0 || run {
			r.call(c.head, c.args)
		}
		if c.name >= 0 && run {
			r.Bind(c.name, "", r.chain(c.head)+"()", 0)
			c.name = -1
		}
	}
	if last && c.name >= 0 {
		r.Bind(c.name, "", "", 0)
		c.name = -1
	}
	c.fresh, c.head, c.args, c.start, c.started, c.before, c.skips = true, -1, 0, false, false, 0, false
}

// receiver returns the module that the name at token i is written with.
func (r *reader) receiver(i int) string {
	from := i
	for r.Is(from-1, ".") && r.Adjacent(from-1) && r.Adjacent(from-2) && r.constructor(from-2) {
		from -= 2
	}
	if from == i {
		return ""
	}
	return string(r.Src[r.At(from):r.End(i-2)])
}

func (r *reader) chain(i int) string {
	if m := r.receiver(i); m != "" {
		return m + "." + r.Str(i)
	}
	return r.Str(i)
}

func (r *reader) call(i, args int) {
	r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: r.Str(i), Receiver: r.receiver(i), At: r.At(i), Args: int16(min(args, 1000))})
}

// block reads what begins with a word and may be the last argument: f x do …
func (r *reader) block() {
	if c := r.top(); c.mode == expr && !c.fresh {
		c.args++
	}
	r.ends(false)
}

func (r *reader) keyword(i int) int {
	switch r.Toks[i].Key {
	case scan.KIf:
		r.block()
		if !r.Is(i+1, "|") {
			r.top().ifs++
		}
	case scan.KThen:
		r.until(func(c *context) bool { return c.ifs > 0 }, i)
		r.ends(false)
	case scan.KElse:
		r.until(func(c *context) bool { return c.ifs > 0 }, i)
		r.ends(false)
		if c := r.top(); c.ifs > 0 {
			c.ifs--
		}
	case scan.KCase:
		r.block()
		if r.Is(i-1, "\\") { // \case
			r.top().mode, r.top().lambda = expr, false
			r.begins(alts)
		} else {
			r.top().cases++
		}
	case scan.KOf:
		r.until(func(c *context) bool { return c.cases > 0 }, i)
		r.ends(false)
		if c := r.top(); c.cases > 0 {
			c.cases--
		}
		r.begins(alts)
	case scan.KDo, scan.KMdo:
		r.block()
		r.begins(stmts)
	case scan.KLet:
		r.block()
		if r.variable(i + 1) { // later names of a block are not known as local
			r.bindWithin(i, i+1, r.scopeEnd(i))
		}
		r.top().lets++
		r.begins(binds)
	case scan.KIn:
		r.until(func(c *context) bool { return c.lets > 0 }, i)
		r.ends(false)
		if c := r.top(); c.lets > 0 {
			c.lets--
		}
	case scan.KWhere:
		r.where(i)
	case scan.KDeriving:
		r.ends(false)
		r.top().mode = skip
	default:
		r.ends(false)
	}
	return i + 1
}

// until ends blocks until one that wants what comes, if there is one.
func (r *reader) until(wants func(*context) bool, i int) {
	for k := len(r.stack) - 1; k > 0; k-- {
		if c := &r.stack[k]; wants(c) {
			for len(r.stack) > k+1 {
				r.pop(i)
			}
			return
		} else if c.kind == paren || c.kind == brace || c.column == 0 {
			return
		}
	}
}

func (r *reader) where(i int) {
	r.ends(true)
	column := 0
	if r.Toks[i].Line {
		column = r.column(i)
	}
	for len(r.stack) > 2 && r.top().column > 0 && (r.top().kind == stmts || r.top().kind == alts && column > 0 && column <= r.top().column) {
		r.pop(i)
	}
	k := r.top().where
	if r.top().kind == paren || r.top().kind == brace {
		k = binds
	}
	r.begins(k)
}

// bracket reads token i, which opens something.
func (r *reader) bracket(i int) {
	c := r.top()
	n := context{kind: paren, mode: c.mode, base: c.mode, fresh: true, head: -1, name: -1, from: i + 1}
	if n.mode == expr && c.skips {
		n.mode, n.base = skip, skip
	}
	if r.Is(i, "{") {
		n.kind = brace
		if !c.fresh && c.args == 0 {
			c.head = -1 // a record is changed
		}
	} else {
		r.atom(i, false)
	}
	r.push(n)
}

// close reads token i, which closes something.
func (r *reader) close(i int) {
	if r.Pair(i) < 0 {
		return
	}
	braces := r.Is(i, "}")
	for k := len(r.stack) - 1; k > 0; k-- {
		c := &r.stack[k]
		if braces && (c.kind == brace || c.kind != paren && c.column == 0) || !braces && c.kind == paren {
			for len(r.stack) > k {
				r.pop(i)
			}
			return
		}
		if !braces && (c.kind == brace || c.column == 0) {
			return
		}
	}
}

// sign reads token i, which is an operator or another sign.
func (r *reader) sign(i int) int {
	c := r.top()
	t := &r.Toks[i]
	b := r.Src[t.At:t.End]
	if len(b) == 1 {
		switch b[0] {
		case ',', ';':
			r.separator(i, b[0])
			return i + 1
		case '`':
			return r.infix(i)
		case '=':
			r.ends(false)
			if c.base == head && c.kind != paren && c.kind != brace {
				c.mode = expr
			}
			c.guard = false
			return i + 1
		case '|':
			r.ends(false)
			if c.base == head && c.kind != paren && c.kind != brace || c.base == expr {
				c.mode = expr
			}
			c.guard = true
			return i + 1
		case '\\':
			for k, end := i+1, r.scopeEnd(i); k < i+maxPatterns && r.Key(k) == 0 && !r.Is(k, "->"); k++ {
				if r.variable(k) {
					r.bindWithin(i, k, end)
				}
			}
			r.lambda()
			return i + 1
		case '@':
			if r.Adjacent(i - 1) { // x@(…)
				if c.head = -1; !c.fresh {
					c.args--
				}
				return i + 1
			} else if r.Adjacent(i) { // a type
				c.skips = c.mode == expr
				return i + 1
			}
		}
	}
	switch string(b) {
	case "->":
		r.ends(false)
		if c.lambda {
			c.mode, c.lambda = expr, false
		} else if c.kind == paren && c.base == head {
			r.view(c.from, i)
		}
		c.guard = false
	case "::":
		r.ends(false)
		c.mode = skip
	case "<-":
		if c.kind == stmts && c.started && c.head >= 0 && c.args == 0 && c.mode == expr {
			c.name = c.head
		}
		c.head = -1
		r.leaves()
	case "$", "$!":
		if c.head >= 0 && c.args == 0 && !c.fresh && c.before != 'o' && c.mode == expr && r.Kind(i+1) != scan.Close {
			c.args = 1
		}
		r.ends(false)
		c.before = '$'
	case "..":
		r.ends(false)
		if c.mode == skip {
			c.mode = c.base
		}
	default:
		r.ends(false)
		c.before = 'o'
		r.operator(i)
	}
	return i + 1
}

// ofPrelude are the operators that every module has: their calls are no news, and are in every line.
var ofPrelude = lazy.Words("+ - * / ^ ^^ ** == /= < <= > >= && || . $ $! <$> <$ <*> *> <* >>= >> =<< <> ++ !!")

// operator records the call of the operator at token i.
func (r *reader) operator(i int) {
	name, at, receiver := r.Str(i), r.At(i), ""
	if r.ofModule(i) {
		name, at, receiver = name[1:], at+1, r.chain(i-1)
	}
	switch {
	case r.top().mode != expr || !symbol[name[0]] || name[0] == ':' || receiver == "" && (!r.symbolic(i) || ofPrelude.Has(name)):
	case (name == "#" || name == "!" || name == "~" || name == ".") && r.Adjacent(i) && !r.Adjacent(i-1):
		// a label, or a sign of a pattern
	default:
		r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: name, Receiver: receiver, At: at, Args: 2})
	}
}

// leaves reads <-, behind which what runs begins.
func (r *reader) leaves() {
	c := r.top()
	name := c.name
	c.name = -1
	r.ends(false)
	c.name = name
	c.start = true
	if c.mode == skip && c.base == expr {
		c.mode = expr
	}
}

// view reads the application from token i up to, without, token end in a pattern:
// (f x -> y).
func (r *reader) view(i, end int) {
	f := r.qualified(i)
	if !r.variable(f) {
		return
	}
	args := 0
	for k := f + 1; k < end; k = r.Past(r.qualified(k)) {
		if r.Is(k, "@") {
			k++
		} else if r.Kind(k) == scan.Punct {
			return
		} else {
			args++
		}
	}
	if args > 0 {
		r.call(f, args)
	}
}

// separator reads a comma or a semicolon.
func (r *reader) separator(i int, sign byte) {
	for sign == ',' && len(r.stack) > 2 {
		c := r.top()
		if c.kind == paren || c.kind == brace || c.column == 0 || c.guard || c.mode != expr {
			break
		}
		r.pop(i) // [do a, b]: what layout has begun ends here
	}
	c := r.top()
	if sign == ';' && c.kind != paren && c.kind != brace {
		r.item(i + 1)
		return
	}
	r.ends(false)
	c.mode, c.lambda, c.from = c.base, false, i+1
	if c.kind != paren && c.kind != brace && c.base == head { // the guards of a binding
		c.mode = expr
		if !c.guard {
			c.mode = head
		}
	}
}

// lambda reads \, behind which patterns come.
func (r *reader) lambda() {
	r.block()
	if c := r.top(); c.mode == expr {
		c.mode, c.lambda = skip, true
	}
}

// infix reads `f`.
func (r *reader) infix(i int) int {
	last := r.qualified(i + 1)
	if !r.Is(last+1, "`") {
		r.ends(false)
		return i + 1
	}
	c := r.top()
	r.ends(false)
	c.before = 'o'
	if c.mode == expr && r.variable(last) {
		r.call(last, 2)
	}
	return last + 2
}
