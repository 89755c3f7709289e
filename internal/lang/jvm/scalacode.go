package jvm

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// keyword reads what begins with a keyword.
func (r *scalaReader) keyword(i int) int {
	if r.Sign(i-1, '.') && r.Toks[i].Key != scan.KThis {
		return i + 1 // x.type
	}
	switch r.Toks[i].Key {
	case scan.KPackage:
		return r.space(i)
	case scan.KImport:
		return r.imported(i, 0)
	case scan.KClass, scan.KObject, scan.KTrait:
		return r.class(i)
	case scan.KDef:
		return r.function(i)
	case scan.KVal, scan.KVar:
		return r.variable(i)
	case scan.KType:
		return r.alias(i)
	case scan.KCase:
		return r.branch(i)
	case scan.KNew:
		return r.construction(i)
	case scan.KThis:
		if r.Sign(i+1, '(') && !r.Sign(i-1, '.') {
			r.Call(i, i+1, false)
		}
	}
	return i + 1
}

// used reads what begins with a name.
func (r *scalaReader) used(i int) int {
	f := r.top()
	t := &r.Toks[i]
	if f.place == members || t.Line {
		switch string(r.Bytes(i)) {
		case "enum":
			if r.Name(i+1) && !r.Line(i+1) && (r.Kind(i+2) == scan.Open || r.Sign(i+2, ':') || r.Key(i+2) == scan.KExtends) {
				return r.class(i)
			}
		case "given":
			return r.given(i)
		case "extension":
			if k := r.extension(i); k > 0 {
				return k
			}
		case "export":
			if r.Name(i+1) && !r.Line(i+1) {
				return r.imported(i, corpus.Reexport)
			}
		case "end":
			if r.Word(i+1) && !r.Line(i+1) && r.Line(i+2) {
				return i + 2
			}
		}
	}
	if i < r.pattern {
		return i + 1
	}
	open := r.SkipBracket(i+1, '[')
	switch {
	case open >= f.end || r.Toks[open].Line:
		if r.selects(i, open) {
			r.selected(i)
		}
	case r.Toks[open].Kind == scan.Open && !r.Sign(open, '['):
		args := open
		if r.Sign(open, '{') {
			args = -1
		}
		if !r.infix(i) && !r.callless(i, args) {
			r.call(i, args, false)
		}
	case r.Sign(open, ':') && open == i+1 && r.Adjacent(i) && r.colon(open) && !r.infix(i):
		r.call(i, -1, false)
	case open == i+1 && (r.operator(open, "=>") || r.operator(open, "?=>")):
		if !r.Sign(i-1, '.') && !r.Sign(i-1, ':') {
			r.bind(i, "", "", 0)
		}
	case open == i+1 && r.infix(i) && r.Kind(open) != scan.Punct && r.Toks[open].Key == 0: // disk put 1
		if of := r.Operand(i); of != "" {
			r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: r.Str(i), Receiver: of, At: r.At(i), Args: 1})
		}
	case r.selects(i, open):
		r.selected(i)
	}
	return i + 1
}

// selects reports whether token i may call a function that takes nothing, where no bracket opens at token open behind it.
func (r *scalaReader) selects(i, open int) bool {
	if c := r.Src[r.Toks[i].At]; c < 'a' || c > 'z' || !r.Sign(i-1, '.') && (open == i+1 || r.infix(i)) {
		return false
	}
	if r.Sign(open, '.') && r.Name(open+1) { // a package, before what is in it
		c := r.Src[r.Toks[open+1].At]
		return c < 'A' || c > 'Z'
	}
	return !r.operator(open, "=")
}

// selected records that token i is named without brackets behind it.
func (r *scalaReader) selected(i int) {
	r.Call(i, -1, false)
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	r.own(c, i)
	c.Receiver, c.Args = untyped(c.Receiver), corpus.Selected
}

// colon reports whether the colon at token i begins an argument: a block indented
// below, or a function.
func (r *scalaReader) colon(i int) bool {
	k := i + 1
	switch {
	case k >= r.top().end:
		return false
	case r.Line(k):
		return r.Column(k) > r.Column(r.line)
	case r.Sign(k, '('):
		k = r.Past(k)
	case r.Name(k):
		k++
	}
	return (r.operator(k, "=>") || r.operator(k, "?=>")) && r.Line(k+1)
}

// callless reports whether token i, before a bracket, is no name that is called.
func (r *scalaReader) callless(i, args int) bool {
	switch t := &r.Toks[i]; t.End - t.At {
	case 1:
		return r.Sign(i, '_') || r.Sign(i, '$')
	case 6:
		if r.Is(i, "inline") {
			return true
		}
	}
	if args >= 0 {
		return false
	}
	// A class body follows the last type.
	for r.Sign(i-1, '.') && r.Name(i-2) {
		i -= 2
	}
	return r.Key(i-1) == scan.KWith || r.Key(i-1) == scan.KExtends
}

// applied reads an operator that is called like a function: x.+(y), should ===(y).
func (r *scalaReader) applied(i int) {
	open := r.SkipBracket(i+1, '[')
	if !r.Sign(open, '(') || i < r.pattern {
		return
	}
	if r.Sign(i-1, '.') || r.Name(i-1) && !r.Sign(i-2, '.') && r.infix(i-1) || r.operator(i, "::") && (r.Kind(i-1) == scan.Open || r.operator(i-1, "=>")) {
		r.call(i, open, false)
	}
}

// call records that token i is called with the arguments in bracket open; with one
// block where that is -1.
func (r *scalaReader) call(i, open int, constructs bool) {
	r.Call(i, open, constructs)
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	r.own(c, i)
	c.Receiver = untyped(c.Receiver)
	if open >= 0 && c.Args > 0 {
		c.Given = r.Given(open, r.said)
	}
	if open < 0 {
		c.Args = 1
		if constructs {
			c.Args = 0
		}
	}
}

// said returns an argument, the tokens from i up to end, as a chain; "" for a named one and for what is no chain.
func (r *scalaReader) said(i, end int) string {
	if r.operator(i+1, "=") {
		return ""
	}
	return r.value(i, end)
}

// branch reads a case: a pattern, in which nothing is called, or one of an enum.
func (r *scalaReader) branch(i int) int {
	switch r.Key(i + 1) {
	case scan.KClass, scan.KObject:
		return i + 1
	}
	f := r.top()
	if f.place == members && f.kind == corpus.Enum {
		k := i + 1
		for ; r.Name(k); k += 2 {
			r.bind(k, f.name, "", 0)
			if !r.Sign(k+1, ',') {
				return k + 1
			}
		}
		return k
	}
	k := i + 1
	for k < f.end && !r.operator(k, "=>") && !r.operator(k, "<-") && r.Kind(k) != scan.Close {
		if key := r.Key(k); key == scan.KIf || key == scan.KCase || key == scan.KDef || key == scan.KVal || key == scan.KClass {
			break
		}
		if r.budget--; r.budget < 0 {
			break
		}
		k = r.Past(k)
	}
	r.pattern = max(r.pattern, k)
	r.bindPattern(i+1, k)
	return i + 1
}

// generator reads x <- xs: what stands before the sign is a pattern, in which
// nothing was called.
func (r *scalaReader) generator(i int) {
	from := i
	for n := 0; n < 100 && from > 0 && !r.Line(from); n++ {
		p := from - 1
		if r.Sign(p, ';') || r.Kind(p) == scan.Open || r.Key(p) == scan.KFor || r.Key(p) == scan.KCase {
			break
		}
		if from = p; r.Kind(p) == scan.Close && r.Pair(p) >= 0 {
			from = r.Pair(p)
		}
	}
	calls := r.Out.Calls
	for len(calls) > 0 && calls[len(calls)-1].At >= r.At(from) {
		calls = calls[:len(calls)-1]
	}
	r.Out.Calls = calls
	if !r.Name(from) || from+1 != i && !r.Sign(from+1, ':') {
		r.bindPattern(from, i)
		return
	}
	typ, value := "", ""
	if from+1 < i {
		typ = r.Quote(from+2, i)
	}
	if chain, next := r.Chain(i + 1); chain != "" && chain[0] != '?' && (r.Line(next) || r.Sign(next, ';') || r.Kind(next) == scan.Close || r.Key(next) == scan.KIf || r.Key(next) == scan.KDo || r.Key(next) == scan.KYield) {
		value = untyped(chain) + "[]"
	}
	r.bind(from, typ, value, 0)
}

// construction reads new, the type behind it, and whether it has a body.
func (r *scalaReader) construction(i int) int {
	k := i + 1
	for r.annotation(k) > k {
		k = r.annotation(k)
	}
	f := r.top()
	if r.Sign(k, '{') {
		r.bodies = append(r.bodies, k)
		return k
	}
	if !r.Name(k) {
		return i + 1
	}
	for r.Sign(k+1, '.') && r.Name(k+2) || r.operator(k+1, "#") && r.Name(k+2) {
		k += 2
	}
	open := r.SkipBracket(k+1, '[')
	args := -1
	at := open
	if r.Sign(open, '(') && !r.Line(open) {
		args = open
		for r.Sign(at, '(') && !r.Line(at) {
			at = r.Past(at)
		}
	}
	r.call(k, args, true)
	for r.Key(at) == scan.KWith && r.Name(at+1) && at < f.end {
		_, at = r.path(at + 1)
		for r.Sign(at, '[') || r.Sign(at, '(') {
			at = r.Past(at)
		}
	}
	if at < f.end && (r.Sign(at, '{') && !r.Line(at) || r.Sign(at, ':') && r.Line(at+1) && r.Column(at+1) > r.Column(r.line)) {
		r.bodies = append(r.bodies, at)
	}
	return k + 1
}

// imported reads an import, one for each leaf of it.
func (r *scalaReader) imported(i int, kind corpus.ImportKind) int {
	if r.top().local {
		kind |= corpus.Conditional
	}
	k := i + 1
	for r.Name(k) || r.Key(k) == scan.KThis || r.Key(k) == scan.KSuper {
		path, last := r.Str(k), k
		for k++; r.Sign(k, '.'); k++ {
			next := k + 1
			if r.Sign(next, '{') {
				r.selectors(next, path, kind)
				last = -1
				k = r.Past(next) - 1
				continue
			}
			if !r.Word(next) && !r.operator(next, "*") && r.Kind(next) != scan.Punct {
				break
			}
			path, last = path+"."+r.Str(next), next
			k = next
		}
		alias := ""
		if last >= 0 && r.Name(k) && !r.Line(k) && r.Is(k, "as") {
			alias = r.Str(k + 1)
			k += 2
		}
		if last >= 0 {
			r.Out.Imports = append(r.Out.Imports, corpus.Import{Path: path, Alias: alias, Kind: kind, At: r.At(last)})
		}
		if !r.Sign(k, ',') {
			break
		}
		k++
	}
	return max(k, i+1)
}

// selectors reads {a, b => c, d as e, _} behind the path.
func (r *scalaReader) selectors(i int, path string, kind corpus.ImportKind) {
	for _, p := range r.Split(i, ",", false) {
		m := corpus.Import{Path: path + "." + r.Str(p[0]), Kind: kind, At: r.At(p[0])}
		if p[1] >= p[0]+3 && (r.operator(p[0]+1, "=>") || r.Is(p[0]+1, "as")) {
			if m.Alias = r.Str(p[0] + 2); m.Alias == "_" {
				continue
			}
		} else if p[1] > p[0]+1 {
			m.Path = path + "." + r.Quote(p[0], p[1])
		}
		r.Out.Imports = append(r.Out.Imports, m)
	}
}
