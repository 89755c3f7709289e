package elixir

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A body is where the body of a definition is.
type body struct {
	open  int // the do of a block, or -1
	at    int // the first token of the body
	end   int // the token that it ends before
	until int // the token that the head ends before
}

// bodied finds the body of the definition whose head begins with token i.
func (f *file) bodied(i int) body {
	k := i
	for n := 0; n < 1000 && k < len(f.Toks); n++ {
		t := &f.Toks[k]
		switch {
		case k > i && t.Line && !f.continued(k), t.Kind == scan.Close, t.Key == scan.KEnd, f.Sign(k, ';'):
			return body{-1, k, k, k}
		case t.Key == scan.KDo:
			return body{k, k + 1, f.Pair(k), k}
		case f.Sign(k, ',') && f.Is(k+1, "do") && f.label(k+1):
			return body{-1, k + 3, f.Statement(k+3, f.continued), k}
		}
		k = f.Past(k)
	}
	return body{-1, k, k, k}
}

// def reads the head of the function at token i, and returns the token to go on
// with.
func (f *file) def(i int) int {
	k := i + 1
	if f.Sign(k, '(') {
		k++ // def(f(x), do: …)
	}
	b := f.bodied(k)
	name := f.named(k, b.until)
	if name < 0 {
		if f.Toks[i].Key != scan.KDefguard && b.open >= 0 {
			f.expected, f.body = b.open, frame{sort: function, decl: -1}
		}
		f.cmd = true
		return i + 1
	}
	d := corpus.Decl{Kind: corpus.Function, Name: f.Str(name), NameAt: f.At(name), Span: corpus.Span{Start: f.At(i), End: f.End(b.until - 1)}}
	switch f.Toks[i].Key {
	case scan.KDefp, scan.KDefmacrop, scan.KDefguardp:
	default:
		d.Exported = true
	}
	switch f.Toks[i].Key {
	case scan.KDefmacro, scan.KDefmacrop, scan.KDefguard, scan.KDefguardp:
		d.Kind = corpus.Macro
	}
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	if f.attrs.next == i && i > 0 {
		d.Span.Start, d.Doc, d.Marks = f.At(f.attrs.from), f.attrs.doc, f.attrs.marks
		if f.spec.name == d.Name {
			d.Result = f.spec.result
		}
	}
	d.Body = d.Span.End
	switch {
	case b.open >= 0:
		d.Span.End, d.Body = f.End(f.Last(b.open)), f.At(b.open)
	case b.end > b.at:
		d.Span.End, d.Body = f.End(b.end-1), f.At(b.at)
	case f.Toks[i].Key == scan.KDef || f.Toks[i].Key == scan.KDefmacro:
		d.Traits |= corpus.Abstract
	}
	f.Enclose(&d)
	n := len(f.Out.Decls)
	f.Out.Decls = append(f.Out.Decls, d)
	f.defined[member{f.around(), d.Name}] = true
	if f.Sign(name+1, '(') {
		f.parameters(name+1, n)
		f.params = f.Pair(name + 1)
	}
	f.spec = spec{}
	if f.Toks[i].Key == scan.KDefdelegate {
		f.delegate(name, b.until, len(f.Out.Decls[n].Params))
	}
	switch {
	case b.open >= 0:
		f.expected, f.body = b.open, frame{sort: function, decl: n}
	case b.end > b.at && b.end > name:
		f.push(frame{end: b.end, sort: function, decl: n})
		f.stmt = b.at
	}
	f.head = name
	f.cmd = true
	return k
}

// delegate adds the call that defdelegate name(…), to: M, as: :other makes.
func (f *file) delegate(name, end, args int) {
	c := corpus.Call{Callee: f.Str(name), At: f.At(name), Args: int16(args)}
	for k := name + 1; k < end; k = f.Past(k) {
		switch {
		case !f.label(k):
		case f.Is(k, "to") && f.module(k+2):
			c.Receiver = f.full(k+2, f.path(k+2))
		case f.Is(k, "as") && f.Kind(k+2) == scan.Text && f.First(k+2) == ':':
			c.Callee, c.At = strings.TrimPrefix(f.Str(k+2), ":"), f.At(k+2)+1
		}
	}
	if c.Receiver != "" {
		f.Out.Calls = append(f.Out.Calls, c)
	}
}

// named returns the token of the name that is defined from token k up to end; -1
// where it has none that is written.
func (f *file) named(k, end int) int {
	if f.Word(k) && !upper(f.First(k)) && f.Toks[k].Key != scan.KUnquote && k < end {
		next := k + 1
		if next >= end || f.Sign(next, '(') && f.Adjacent(k) || f.Toks[next].Key == scan.KWhen || f.Sign(next, ',') || f.Sign(next, ')') {
			return k
		}
	}
	// An operator.
	for n, at := 0, k; n < 40 && at < end; n++ {
		t := &f.Toks[at]
		if t.Key == scan.KWhen || f.Sign(at, ',') || f.Sign(at, ':') {
			break
		}
		if t.Kind == scan.Punct && !f.Sign(at, '%') && !f.Sign(at, '.') && !f.Sign(at, '@') && (at > k || f.unary(at)) || t.Key == scan.KAnd || t.Key == scan.KOr || t.Key == scan.KIn {
			return at
		}
		at = f.Past(at)
	}
	if f.Word(k) && !upper(f.First(k)) && f.Toks[k].Key != scan.KUnquote && k < end {
		return k // def f a, b do
	}
	return -1
}

// parameters reads the parameters in bracket open of declaration n.
func (f *file) parameters(open, n int) {
	d := &f.Out.Decls[n]
	for k, p := range f.Split(open, ",", false) {
		if k >= 100 {
			break
		}
		d.Params = append(d.Params, f.Quote(p[0], p[1]))
		b := corpus.Binding{Param: int16(k + 1)}
		if f.spec.name == d.Name && k < len(f.spec.params) {
			b.Type = f.spec.params[k]
		}
		at := p[0]
		switch {
		case f.variable(at) && (at+1 == p[1] || f.Two(at+1, '\\', '\\')):
			if at+1 < p[1] {
				if c, next := f.chain(at+2, 0); next == p[1] && c != "" && c[0] != '?' {
					b.Value = c
				}
			}
		case f.variable(at) && f.Sign(at+1, '='):
			b.Type = f.structure(at+2, b.Type)
			f.inner(at+2, p[1])
		case f.variable(p[1]-1) && f.Sign(p[1]-2, '='):
			b.Type = f.structure(at, b.Type)
			f.inner(at, p[1]-2)
			at = p[1] - 1
		default:
			f.inner(at, p[1])
			continue
		}
		b.Name, b.At = f.Str(at), f.At(at)
		f.Out.Bindings = append(f.Out.Bindings, b)
	}
}

// structure returns the type of the pattern at token i: %T{…}; else typ.
func (f *file) structure(i int, typ string) string {
	if f.Sign(i, '%') && f.module(i+1) {
		return f.Quote(i+1, f.path(i+1)+1)
	}
	return typ
}

// inner binds the names in a pattern.
func (f *file) inner(i, end int) {
	for k := i; k < end && k < i+100; k++ {
		if f.variable(k) && f.First(k) != '_' && !f.Sign(k+1, '(') && !f.Sign(k-1, '^') && !f.Sign(k-1, '@') {
			f.Bind(k, "", "", 0)
		}
	}
}

// path returns the last token of the name of a module that begins with token k.
func (f *file) path(k int) int {
	for n := 0; n < 20 && f.Sign(k+1, '.') && f.Word(k+2) && upper(f.First(k+2)); n++ {
		k += 2
	}
	return k
}

// full returns the text of a module's name without spaces.
func (f *file) full(i, k int) string {
	if i == k {
		return f.Str(i)
	}
	return string(f.Src[f.At(i):f.End(k)])
}

// defmodule reads the head of a module or a protocol.
func (f *file) defmodule(i int) int {
	k := i + 1
	if !f.Word(k) || !upper(f.First(k)) && !f.Is(k, "__MODULE__") {
		f.cmd = true
		return k
	}
	end := f.path(k)
	d := corpus.Decl{Kind: corpus.Module, Name: f.full(k, end), NameAt: f.At(k), Exported: true}
	if f.Toks[i].Key == scan.KDefprotocol {
		d.Kind = corpus.Interface
	} else if f.Out.Module == "" {
		f.Out.Module = d.Name
	}
	f.opened(d, i, end+1)
	return end + 1
}

// defimpl reads defimpl P, for: T.
func (f *file) defimpl(i int) int {
	k := i + 1
	if !f.Word(k) || !upper(f.First(k)) {
		f.cmd = true
		return k
	}
	end := f.path(k)
	protocol := f.full(k, end)
	d := corpus.Decl{Kind: corpus.Class, Name: protocol, NameAt: f.At(k), Traits: corpus.Extension, Exported: true}
	next := end + 1
	if f.Sign(next, ',') && f.Is(next+1, "for") {
		next += 3
		at := f.SkipSign(next, '[')
		if f.Word(at) && upper(f.First(at)) || f.Is(at, "__MODULE__") {
			to := f.path(at)
			d.Name, d.NameAt = f.full(at, to), f.At(at)
			d.Bases = []string{protocol}
			if next = to + 1; f.Sign(at-1, '[') {
				next = f.Past(at - 1)
			}
		}
	}
	f.opened(d, i, next)
	return next
}

// opened adds the module at token i, whose head ends before token next.
func (f *file) opened(d corpus.Decl, i, next int) {
	d.Span = corpus.Span{Start: f.At(i), End: f.End(next - 1)}
	d.Body = d.Span.End
	n := len(f.Out.Decls)
	for k := next; k < next+30; k = f.Past(k) {
		if f.Key(k) == scan.KDo {
			d.Span.End, d.Body = f.End(f.Last(k)), f.At(k)
			f.expected, f.body = k, frame{sort: module, decl: n}
			break
		}
		if k >= len(f.Toks) || f.Toks[k].Line && !f.continued(k) {
			break
		}
	}
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
	f.cmd = true
}

// fields binds the fields of a struct.
func (f *file) fields(i int) {
	end := min(f.Statement(i+1, f.continued), i+400)
	for k := i + 1; k < end; k++ {
		switch {
		case f.Word(k) && f.label(k):
			value := ""
			if c, next := f.chain(k+2, 0); c != "" && c[0] != '?' && (next >= end || f.Sign(next, ',') || f.Kind(next) == scan.Close) {
				value = c
			}
			f.Bind(k, "", value, 0)
			for k += 2; k < end && !f.Sign(k, ',') && f.Kind(k) != scan.Close; {
				k = f.Past(k)
			}
		case f.Kind(k) == scan.Text && f.First(k) == ':':
			f.BindAs(strings.TrimPrefix(f.Str(k), ":"), "", "", f.At(k)+1, 0)
		}
	}
}

// imports reads alias, import, require and use.
func (f *file) imports(i int) int {
	f.cmd = true
	k := f.SkipSign(i+1, '(')
	if !f.module(k) || f.Line(k) {
		return i + 1
	}
	end := f.path(k)
	m := corpus.Import{Path: f.full(k, end), At: f.At(k)}
	m.Kind.AddIf(f.depth > 0, corpus.Conditional)
	if f.Sign(end+1, '.') && f.Sign(end+2, '{') {
		for _, p := range f.Split(end+2, ",", false) {
			if !f.module(p[0]) {
				continue
			}
			leaf := m
			leaf.Path += "." + f.full(p[0], f.path(p[0]))
			leaf.At = f.At(p[0])
			f.Out.Imports = append(f.Out.Imports, leaf)
		}
		return f.Past(end + 2)
	}
	if f.Sign(end+1, '.') {
		return end + 1
	}
	next := end + 1
	if f.Sign(next, ',') && f.Is(next+1, "as") && f.module(next+3) {
		m.Alias = f.Str(next + 3)
	}
	if f.Sign(next, ',') && f.Is(next+1, "only") && f.Sign(next+3, '[') {
		for _, p := range f.Split(next+3, ",", false) {
			if f.Word(p[0]) && f.label(p[0]) {
				m.Names = append(m.Names, corpus.Name{Name: f.Str(p[0])})
			}
		}
	}
	if f.Is(i, "import") && m.Names == nil {
		m.Names = []corpus.Name{{Name: "*"}}
	}
	f.Out.Imports = append(f.Out.Imports, m)
	f.uses(i, k)
	return next
}
