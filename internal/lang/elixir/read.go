package elixir

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames []frame
	depth  int  // of functions
	cmd    bool // a call without parentheses is under way, in the bracket around
	loop   bool // the last comprehension was a for, not a with
	head   int  // the name of the function whose head is under way
	params int  // the token that its parameters end with
	binary int  // how many << are open
	attrs  attributes
	spec   spec
	// The block at token expected is the body of a declaration.
	expected int
	body     frame
	stmt     int             // the last statement's first token
	asked    map[int]member  // the callbacks, by where their names are
	defined  map[member]bool // functions and macros
}

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
	f.asked, f.defined = map[int]member{}, map[member]bool{}
	for i := 0; i < len(f.Toks); {
		for n := len(f.frames); n > 0 && f.frames[n-1].end <= i; n-- {
			f.pop()
		}
		t := &f.Toks[i]
		if t.Kind == scan.Close || t.Key == scan.KEnd {
			// It ends what is under way.
		} else if t.Line && !f.continued(i) || f.Sign(i-1, ';') {
			f.cmd = false
			f.stmt = i
		} else if i > 0 && (f.Toks[i-1].Key == scan.KDo || f.Two(i-1, '-', '>')) {
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
	f.called()
}

// punct reads what begins with a sign, and returns the token to go on with.
func (f *file) punct(i int) int {
	switch {
	case f.Sign(i, '='):
		f.assignment(i)
	case f.Two(i, '-', '>'):
		f.cmd = false
	case f.Two(i, '<', '-'):
		f.generator(i)
	case f.Two(i, '<', '<'):
		f.binary++
	case f.Two(i, '>', '>'):
		f.binary = max(f.binary-1, 0)
	case f.Two(i, ':', ':') && f.binary > 0:
		return f.segment(i)
	case f.Sign(i, '@') && f.Adjacent(i) && f.Word(i+1):
		return f.attribute(i)
	}
	return i + 1
}

// segment skips the type of a part of a binary: names, but for size(…).
func (f *file) segment(i int) int {
	k := i + 1
	for f.Word(k) || f.Sign(k, '-') || f.Kind(k) == scan.Number && k < len(f.Toks) || f.Sign(k, '*') {
		k++
		if f.Sign(k, '(') {
			return k
		}
	}
	return k
}

// attribute reads @name, and returns the token to go on with.
func (f *file) attribute(i int) int {
	name := f.Bytes(i + 1)
	if f.Line(i+2) || f.Sign(i+2, '.') {
		return i + 2
	}
	switch string(name) {
	case "spec", "type", "typep", "opaque", "callback", "macrocallback":
		end := f.Statement(i+2, f.continued)
		switch string(name) {
		case "spec":
			f.waits(i, end)
			f.specified(i+2, end)
		case "callback", "macrocallback":
			f.callback(i, end)
		default:
			f.typed(i, end)
		}
		return max(end, i+2)
	case "doc":
		f.waits(i, f.Statement(i+2, f.continued))
		if f.Kind(i+2) == scan.Text {
			end := i + 2
			for !f.Line(end+1) && f.Kind(end) != scan.Punct {
				end++
			}
			f.attrs.doc = corpus.Span{Start: f.At(i), End: f.End(min(end, f.Statement(i+2, f.continued)-1))}
		}
	case "moduledoc":
		f.moduledoc(i)
	case "behaviour":
		if d := f.behaving(); d != nil && f.module(i+2) {
			d.Bases = append(d.Bases, f.full(i+2, f.path(i+2)))
		}
	case "impl", "deprecated", "tag", "describetag", "since", "dialyzer":
		end := f.Statement(i+2, f.continued)
		f.waits(i, end)
		f.attrs.marks = append(f.attrs.marks, f.Quote(i+1, end))
	default:
		if f.module(i+2) && f.ends(f.path(i+2)+1) { // @store Disk
			f.BindAs("@"+string(name), "", f.full(i+2, f.path(i+2)), f.At(i), 0)
		}
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
	for k := f.Statement(i+2, f.continued); end+1 < k; {
		end++
	}
	f.Out.Decls[f.frames[n-1].decl].Doc = corpus.Span{Start: f.At(i), End: f.End(end)}
}

// specified reads name(types) :: result.
func (f *file) specified(i, end int) {
	if !f.Word(i) || f.spec.name != "" {
		return
	}
	s := spec{name: f.Str(i)}
	k := i + 1
	if f.Sign(k, '(') {
		for _, p := range f.Split(k, ",", false) {
			s.params = append(s.params, f.Quote(p[0], p[1]))
		}
		k = f.Past(k)
	}
	if f.Two(k, ':', ':') {
		to := k + 1
		for to < end && f.Toks[to].Key != scan.KWhen {
			to = f.Past(to)
		}
		s.result = f.Quote(k+1, to)
	}
	f.spec = s
}

// typed declares the type that the attribute from token i up to end defines.
func (f *file) typed(i, end int) {
	k := i + 2
	if !f.Word(k) {
		return
	}
	d := corpus.Decl{Kind: corpus.Type, Name: f.Str(k), NameAt: f.At(k), Exported: !f.Is(i+1, "typep"), Span: corpus.Span{Start: f.At(i), End: f.End(end - 1)}}
	at := f.SkipBracket(k+1, '(')
	if f.Two(at, ':', ':') {
		d.Result = f.Quote(at+1, end)
	}
	d.Body = d.Span.End
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
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
	for n := 0; n < 40 && k < len(f.Toks) && !f.Two(k, '-', '>') && !f.Line(k+1); n++ {
		if f.variable(k) && !f.Sign(k+1, '(') && f.First(k) != '_' {
			f.Bind(k, "", "", 0)
		}
		k++
	}
}

// result binds what a function gives to its last statement.
func (f *file) result(i int) {
	if c := f.value(i); c != "" && f.Key(i) == 0 {
		f.BindAs("()", "", c, f.At(i), 0)
	}
}

// assignment binds what stands before the sign at token i.
func (f *file) assignment(i int) {
	k := i - 1
	if i < f.params {
		return
	}
	if f.variable(k) && (f.Toks[k].Line || k == 0 || !f.patterns(k-1)) {
		if f.Key(i+1) == scan.KFn && f.ends(f.Past(i+1)) {
			f.closure(k, i+1)
		}
		f.Bind(k, "", f.value(i+1), 0)
		return
	}
	f.destructured(k)
}

// patterns reports whether token k goes on with a pattern.
func (f *file) patterns(k int) bool { return f.Sign(k, '@') || f.Sign(k, '&') }

// destructured binds the names in the pattern that ends with token k.
func (f *file) destructured(k int) {
	if f.Kind(k) != scan.Close || f.Pair(k) < 0 || k-f.Pair(k) > 100 || k < 0 {
		return
	}
	for n := f.Pair(k) + 1; n < k; n++ {
		if f.variable(n) && f.First(n) != '_' && !f.Sign(n+1, '(') && !f.Sign(n-1, '^') {
			f.Bind(n, "", "", 0)
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
	f.Bind(k, "", value, 0)
}

// closure declares the function without a name that begins with token fn and is
// assigned to the name at token k.
func (f *file) closure(k, fn int) {
	d := corpus.Decl{Kind: corpus.Function, Name: f.Str(k), NameAt: f.At(k), Exported: f.depth == 0}
	d.Span = corpus.Span{Start: f.At(k), End: f.End(f.Last(fn))}
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	body := fn + 1
	for n := 0; n < 100 && body < len(f.Toks) && !f.Two(body, '-', '>') && body < f.Pair(fn); n++ {
		body = f.Past(body)
	}
	d.Body = f.At(body + 1)
	if body > fn+1 && f.Two(body, '-', '>') {
		d.Params = append(d.Params, f.list(fn+1, body)...)
	}
	f.Enclose(&d)
	f.expected, f.body = fn, frame{sort: function, decl: len(f.Out.Decls)}
	f.Out.Decls = append(f.Out.Decls, d)
}

// list returns what stands between commas from token i up to end.
func (f *file) list(i, end int) []string {
	var out []string
	from := i
	for k := i; k < end; k = f.Past(k) {
		if f.Sign(k, ',') {
			out = append(out, strings.TrimSpace(f.Quote(from, k)))
			from = k + 1
		}
	}
	return append(out, f.Quote(from, end))
}
