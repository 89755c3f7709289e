package elixir

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames []frame
	around []inside // the declarations around, innermost last
	depth  int      // of functions
	cmd    bool     // a call without parentheses is under way, in the bracket around
	loop   bool     // the last comprehension was a for, not a with
	head   int      // the name of the function whose head is under way
	params int      // the token that its parameters end with
	binary int      // how many << are open
	attrs  attributes
	spec   spec
	// The block at token expected is the body of a declaration.
	expected int
	body     frame
	stmt     int // the last statement's first token
}

// What a declaration is inside of: the body that begins and ends there.
type inside struct{ body, end int }

type sort uint8

const (
	bracket sort = iota
	block
	function
	module
)

// A frame is a bracket or a block under way.
type frame struct {
	end  int // the token that it ends before
	sort sort
	decl int // or -1
	cmd  bool
	stmt int
}

// Attributes are those that wait for their function.
type attributes struct {
	from  int // the first one's token
	next  int // the token behind the last one
	doc   corpus.Span
	marks []string
}

// A spec is what @spec says of the function that comes.
type spec struct {
	name, result string
	params       []string
}

const maxFrames = 2000

// push puts a frame on the stack. Frames nest: one that its text leaves open ends
// with the one around it.
func (f *file) push(fr frame) {
	n := len(f.frames)
	if n == maxFrames {
		f.Out.Missed++
		return
	}
	if n > 0 {
		fr.end = min(fr.end, f.frames[n-1].end)
	}
	fr.cmd, fr.stmt = f.cmd, f.stmt
	f.cmd, f.stmt = false, -1
	if fr.sort == function {
		f.depth++
	}
	f.frames = append(f.frames, fr)
}

func (f *file) pop() {
	fr := &f.frames[len(f.frames)-1]
	if fr.sort == function {
		f.depth--
		if fr.decl >= 0 && f.stmt >= 0 {
			f.result(f.stmt)
		}
	}
	f.cmd, f.stmt = fr.cmd, fr.stmt
	if fr.sort != bracket {
		f.cmd = false
	}
	f.frames = f.frames[:len(f.frames)-1]
}

func (f *file) read() {
	f.head, f.expected, f.stmt = -1, -1, -1
	for i := 0; i < len(f.Toks); {
		for n := len(f.frames); n > 0 && f.frames[n-1].end <= i; n-- {
			f.pop()
		}
		t := &f.Toks[i]
		if t.Kind == scan.Close || t.Key == scan.KEnd {
			// It ends what is under way.
		} else if t.Line && !f.continued(i) || f.sign(i-1, ';') {
			f.cmd = false
			f.stmt = i
		} else if i > 0 && (f.Toks[i-1].Key == scan.KDo || f.op(i-1, '-', '>')) {
			f.stmt = i
		}
		switch t.Kind {
		case scan.Word:
			if t.Key == 0 {
				f.used(i)
				i++
			} else {
				i = f.keyword(i)
			}
		case scan.Open:
			f.push(frame{end: f.Pair(i), decl: -1})
			i++
		case scan.Punct:
			i = f.punct(i)
		default:
			i++
		}
	}
	for len(f.frames) > 0 {
		f.pop()
	}
	order := func(a, b corpus.Binding) int { return cmp.Compare(a.At, b.At) }
	if !slices.IsSortedFunc(f.Out.Bindings, order) {
		slices.SortStableFunc(f.Out.Bindings, order)
	}
}

// punct reads what begins with a sign, and returns the token to go on with.
func (f *file) punct(i int) int {
	switch {
	case f.sign(i, '='):
		f.assignment(i)
	case f.op(i, '-', '>'):
		f.cmd = false
	case f.op(i, '<', '-'):
		f.generator(i)
	case f.op(i, '<', '<'):
		f.binary++
	case f.op(i, '>', '>'):
		f.binary = max(f.binary-1, 0)
	case f.op(i, ':', ':') && f.binary > 0:
		return f.segment(i)
	case f.sign(i, '@') && f.Adjacent(i) && f.word(i+1):
		return f.attribute(i)
	}
	return i + 1
}

// segment skips the type of a part of a binary: names, but for size(…).
func (f *file) segment(i int) int {
	k := i + 1
	for f.word(k) || f.sign(k, '-') || f.Kind(k) == scan.Number && k < len(f.Toks) || f.sign(k, '*') {
		k++
		if f.sign(k, '(') {
			return k
		}
	}
	return k
}

// statement returns the token that the statement of token i ends before.
func (f *file) statement(i int) int {
	k := i
	for n := 0; n < 2000 && k < len(f.Toks); n++ {
		t := &f.Toks[k]
		if k > i && t.Line && !f.continued(k) || t.Kind == scan.Close || t.Key == scan.KEnd || f.sign(k, ';') {
			break
		}
		k = f.past(k)
	}
	return k
}

// attribute reads @name, and returns the token to go on with.
func (f *file) attribute(i int) int {
	name := f.Bytes(i + 1)
	if f.Line(i+2) || f.sign(i+2, '.') {
		return i + 2
	}
	switch string(name) {
	case "spec", "type", "typep", "opaque", "callback", "macrocallback":
		end := f.statement(i + 2)
		switch string(name) {
		case "spec":
			f.waits(i, end)
			f.specified(i+2, end)
		case "callback", "macrocallback":
		default:
			f.typed(i, end)
		}
		return max(end, i+2)
	case "doc":
		f.waits(i, f.statement(i+2))
		if f.Kind(i+2) == scan.Text {
			end := i + 2
			for !f.Line(end+1) && f.Kind(end) != scan.Punct {
				end++
			}
			f.attrs.doc = corpus.Span{Start: f.At(i), End: f.End(min(end, f.statement(i+2)-1))}
		}
	case "moduledoc":
		f.moduledoc(i)
	case "behaviour":
		if n := len(f.frames); n > 0 && f.frames[n-1].sort == module && f.frames[n-1].decl >= 0 && f.module(i+2) {
			d := &f.Out.Decls[f.frames[n-1].decl]
			d.Bases = append(d.Bases, f.full(i+2, f.path(i+2)))
		}
	case "impl", "deprecated", "tag", "describetag", "since", "dialyzer":
		end := f.statement(i + 2)
		f.waits(i, end)
		f.attrs.marks = append(f.attrs.marks, f.Quote(i+1, end))
	}
	return i + 2
}

// waits lets the attribute from token i up to end wait for its function.
func (f *file) waits(i, end int) {
	if f.attrs.next != i || i == 0 {
		f.attrs = attributes{from: i}
		f.spec = spec{}
	}
	f.attrs.next = end
}

// moduledoc makes a text that of the module around.
func (f *file) moduledoc(i int) {
	n := len(f.frames)
	if n == 0 || f.frames[n-1].sort != module || f.frames[n-1].decl < 0 || f.Kind(i+2) != scan.Text {
		return
	}
	end := i + 2
	for k := f.statement(i + 2); end+1 < k; {
		end++
	}
	f.Out.Decls[f.frames[n-1].decl].Doc = corpus.Span{Start: f.At(i), End: f.End(end)}
}

// specified reads name(types) :: result.
func (f *file) specified(i, end int) {
	if !f.word(i) || f.spec.name != "" {
		return
	}
	s := spec{name: f.Str(i)}
	k := i + 1
	if f.sign(k, '(') {
		for _, p := range f.Split(k, ",", false) {
			s.params = append(s.params, f.Quote(p[0], p[1]))
		}
		k = f.past(k)
	}
	if f.op(k, ':', ':') {
		to := k + 1
		for to < end && f.Toks[to].Key != scan.KWhen {
			to = f.past(to)
		}
		s.result = f.Quote(k+1, to)
	}
	f.spec = s
}

// typed declares the type that the attribute from token i up to end defines.
func (f *file) typed(i, end int) {
	k := i + 2
	if !f.word(k) {
		return
	}
	d := corpus.Decl{Kind: corpus.Type, Name: f.Str(k), NameAt: f.At(k), Exported: !f.Is(i+1, "typep"), Span: corpus.Span{Start: f.At(i), End: f.End(end - 1)}}
	at := k + 1
	if f.sign(at, '(') {
		at = f.past(at)
	}
	if f.op(at, ':', ':') {
		d.Result = f.Quote(at+1, end)
	}
	d.Body = d.Span.End
	f.finish(&d)
	f.Out.Decls = append(f.Out.Decls, d)
}

// finish keeps a declaration in the one around it, and makes the comment above it
// part of it.
func (f *file) finish(d *corpus.Decl) {
	n := len(f.around)
	// What ends before the name is not around it, even where an attribute of this
	// declaration begins in it.
	free := 0
	for n > 0 && f.around[n-1].end <= d.NameAt {
		n--
		free = max(free, f.around[n].end)
	}
	d.Span.Start = max(d.Span.Start, free)
	in := inside{end: len(f.Src)}
	if n > 0 {
		in = f.around[n-1]
	}
	d.Span.End = max(min(d.Span.End, in.end), d.NameAt+len(d.Name))
	d.Body = max(min(d.Body, d.Span.End), d.NameAt+len(d.Name))
	if doc := f.Doc(d.Span.Start); doc.End > 0 && doc.Start >= max(in.body, free) {
		if d.Doc.End == 0 {
			d.Doc = doc
		}
		d.Span.Start = doc.Start
	}
	f.around = append(f.around[:n], inside{d.Body, d.Span.End})
}

// keyword reads what begins with a keyword, and returns the token to go on with.
func (f *file) keyword(i int) int {
	switch f.Toks[i].Key {
	case scan.KDef, scan.KDefp, scan.KDefmacro, scan.KDefmacrop, scan.KDefguard, scan.KDefguardp, scan.KDefdelegate:
		return f.def(i)
	case scan.KDefmodule, scan.KDefprotocol:
		return f.defmodule(i)
	case scan.KDefimpl:
		return f.defimpl(i)
	case scan.KDefstruct, scan.KDefexception:
		f.fields(i)
		f.cmd = true
	case scan.KAlias, scan.KImport, scan.KRequire, scan.KUse:
		return f.imports(i)
	case scan.KDo, scan.KFn:
		fr := frame{end: f.Pair(i), sort: block, decl: -1}
		if i == f.expected {
			fr = f.body
			fr.end = f.Pair(i)
		}
		if f.Toks[i].Key == scan.KDo {
			f.cmd = false
		}
		f.push(fr)
		if f.Toks[i].Key == scan.KFn {
			f.clause(i + 1)
		}
	case scan.KFor, scan.KWith:
		f.loop = f.Toks[i].Key == scan.KFor
		f.cmd = true
	case scan.KIf, scan.KUnless, scan.KCase, scan.KTry, scan.KCond, scan.KReceive, scan.KQuote:
		f.cmd = true
	case scan.KElse, scan.KAfter, scan.KCatch, scan.KRescue:
		f.cmd = false
	}
	return i + 1
}

// clause binds the parameters of a function without a name.
func (f *file) clause(i int) {
	k := i
	for n := 0; n < 40 && k < len(f.Toks) && !f.op(k, '-', '>') && !f.Line(k+1); n++ {
		if f.variable(k) && !f.sign(k+1, '(') && f.first(k) != '_' {
			f.bind(f.Str(k), "", "", k)
		}
		k++
	}
}

func (f *file) bind(name, typ, value string, i int) {
	f.Out.Bindings = append(f.Out.Bindings, corpus.Binding{Name: name, Type: typ, Value: value, At: f.At(i)})
}

// result binds what a function gives to its last statement.
func (f *file) result(i int) {
	if c := f.value(i); c != "" && f.Key(i) == 0 {
		f.bind("()", "", c, i)
	}
}

// assignment binds what stands before the sign at token i.
func (f *file) assignment(i int) {
	k := i - 1
	if i < f.params {
		return
	}
	if f.variable(k) && (f.Toks[k].Line || k == 0 || !f.patterns(k-1)) {
		if f.Key(i+1) == scan.KFn && f.ends(f.past(i+1)) {
			f.closure(k, i+1)
		}
		f.bind(f.Str(k), "", f.value(i+1), k)
		return
	}
	f.destructured(k)
}

// patterns reports whether token k goes on with a pattern.
func (f *file) patterns(k int) bool { return f.sign(k, '@') || f.sign(k, '&') }

// destructured binds the names in the pattern that ends with token k.
func (f *file) destructured(k int) {
	if f.Kind(k) != scan.Close || f.Pair(k) < 0 || k-f.Pair(k) > 100 || k < 0 {
		return
	}
	for n := f.Pair(k) + 1; n < k; n++ {
		if f.variable(n) && f.first(n) != '_' && !f.sign(n+1, '(') && !f.sign(n-1, '^') {
			f.bind(f.Str(n), "", "", n)
		}
	}
}

// generator binds what stands before <-.
func (f *file) generator(i int) {
	k := i - 1
	if !f.variable(k) {
		f.destructured(k)
		return
	}
	value := ""
	if c, _ := f.chain(i+1, 0); c != "" && c[0] != '?' {
		if value = c; f.loop {
			value += "[]"
		}
	}
	f.bind(f.Str(k), "", value, k)
}

// closure declares the function without a name that begins with token fn and is
// assigned to the name at token k.
func (f *file) closure(k, fn int) {
	d := corpus.Decl{Kind: corpus.Function, Name: f.Str(k), NameAt: f.At(k), Exported: f.depth == 0}
	d.Span = corpus.Span{Start: f.At(k), End: f.End(f.closes(fn))}
	if f.depth > 0 {
		d.Traits |= corpus.Local
	}
	body := fn + 1
	for n := 0; n < 100 && body < len(f.Toks) && !f.op(body, '-', '>') && body < f.Pair(fn); n++ {
		body = f.past(body)
	}
	d.Body = f.At(body + 1)
	if body > fn+1 && f.op(body, '-', '>') {
		d.Params = append(d.Params, f.list(fn+1, body)...)
	}
	f.finish(&d)
	f.expected, f.body = fn, frame{sort: function, decl: len(f.Out.Decls)}
	f.Out.Decls = append(f.Out.Decls, d)
}

// list returns what stands between commas from token i up to end.
func (f *file) list(i, end int) []string {
	var out []string
	from := i
	for k := i; k < end; k = f.past(k) {
		if f.sign(k, ',') {
			out = append(out, strings.TrimSpace(f.Quote(from, k)))
			from = k + 1
		}
	}
	return append(out, f.Quote(from, end))
}
