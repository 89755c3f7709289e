package python

import (
	"bytes"
	"cmp"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// decorator keeps the decorator at token i for the declaration that follows.
func (f *file) decorator(i, end int) {
	if i+1 >= end {
		f.Out.Missed++
		return
	}
	f.decorated = cmp.Or(f.decorated, i+1)
	mark := f.quote(i+1, end)
	f.marks = append(f.marks, mark)
	name := i + 1
	for f.Name(name) && f.Sign(name+1, '.') && name+2 < end {
		name += 2
	}
	switch string(f.Bytes(name)) {
	case "staticmethod", "classmethod":
		f.traits |= corpus.Static
	case "abstractmethod", "overload":
		f.traits |= corpus.Abstract
	case "abstractproperty":
		f.traits |= corpus.Abstract | corpus.Accessor
	case "property", "cached_property", "setter", "getter", "deleter":
		f.traits |= corpus.Accessor
	}
	f.walk(i+1, end)
	if name+1 == end && f.Name(name) && !native[string(f.Bytes(name))] {
		// It is called all the same, with what it stands above.
		f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(name), Receiver: f.receiver(name, i+1), Given: f.decoratedName(end), At: f.At(name), Args: -1})
	} else if f.Kind(end-1) == scan.Close && f.Sign(f.Pair(end-1), '(') {
		// What the call gives is called too.
		if of := f.value(i+1, end); of != "" {
			f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: corpus.Unnamed, Receiver: of, Given: f.decoratedName(end), At: f.At(f.Pair(end - 1)), Args: -1})
		}
	}
}

// native are decorators that only say what kind a function is of.
var native = map[string]bool{"staticmethod": true, "classmethod": true, "property": true, "setter": true, "getter": true, "deleter": true, "overload": true,
	"override": true, "final": true, "abstractmethod": true}

// decoratedName returns the name of what is declared after the decorators of which
// the next begins at token i.
func (f *file) decoratedName(i int) string {
	for range 100 {
		switch {
		case f.Key(i) == scan.KAsync:
			i++
		case f.Key(i) == scan.KDef, f.Key(i) == scan.KClass:
			return f.Str(i + 1)
		case f.Sign(i, '@'):
			for i++; i < len(f.Toks) && !f.Toks[i].Line; {
				i = f.past(i)
			}
		default:
			return ""
		}
	}
	return ""
}

// declare adds a declaration with what is above it. It begins with token i and
// its name is token name.
func (f *file) declare(kind corpus.Kind, i, name int) *corpus.Decl {
	start := f.At(i)
	switch {
	case f.decorated == 0:
	case f.Column(f.decorated-1) == f.indented:
		start = f.At(f.decorated - 1)
	default: // they were for something else
		f.marks, f.traits = nil, 0
	}
	d := corpus.Decl{Kind: kind, Name: f.Str(name), NameAt: f.At(name), Span: corpus.Span{Start: start, End: f.End(name)}, Body: f.End(name)}
	if f.Toks[i].Line {
		if doc := f.Doc(start); doc.End > doc.Start && f.indentation(doc.Start) == f.indentation(start) {
			d.Doc = doc
			d.Span.Start = doc.Start
		}
	}
	d.Marks, f.marks = f.marks, nil
	d.Traits, f.traits = f.traits, 0
	f.decorated = 0
	d.Traits.AddIf(f.function >= 0, corpus.Local)
	d.Exported = !f.local && exported(d.Name)
	f.Out.Decls = append(f.Out.Decls, d)
	return &f.Out.Decls[len(f.Out.Decls)-1]
}

func (f *file) indentation(at int) int {
	return at - (bytes.LastIndexByte(f.Src[:at], '\n') + 1)
}

func exported(name string) bool {
	return name[0] != '_' || len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__"
}

// body finishes the head of the last declaration, whose colon is given, and opens
// its block.
func (f *file) body(colon, end int) int {
	n := len(f.Out.Decls) - 1
	d := &f.Out.Decls[n]
	first := colon + 1
	if !f.Sign(colon, ':') {
		first = colon // it is missing: what follows the head is the body
	}
	d.Span.End = f.End(min(colon, end-1))
	d.Body = d.Span.End
	if first < end || first < len(f.Toks) && f.Toks[first].Line && f.Column(first) > f.indented {
		d.Body = f.At(first)
		if doc := f.Doc(d.Body); doc.End > d.Span.End && doc.Start > d.Span.End {
			d.Body = doc.Start // what is declared first begins there
		}
		if first < len(f.Toks) && f.Toks[first].Kind == scan.Text {
			if doc := f.docstring(first); doc.End > doc.Start {
				d.Doc = doc
			}
		}
	}
	imports := corpus.ImportKind(0)
	if d.Kind != corpus.Class {
		imports = corpus.Conditional
	}
	f.indent(colon, n, imports)
	return min(first, end)
}

// docstring returns the span of the string that token i begins, if that is a
// statement for itself.
func (f *file) docstring(i int) corpus.Span {
	switch c := f.Src[f.At(i)]; c {
	case '"', '\'', 'r', 'R', 'u', 'U':
	default:
		return corpus.Span{}
	}
	k := i + 1
	for k < len(f.Toks) && f.Toks[k].Kind == scan.Text && !f.Toks[k].Line {
		k++
	}
	if !f.Line(k) && !f.Sign(k, ';') {
		return corpus.Span{}
	}
	return corpus.Span{Start: f.At(i), End: f.End(k - 1)}
}

// def reads the head of a function: it begins with token i, def is token k.
func (f *file) def(i, k, end int) int {
	name := k + 1
	if f.Kind(name) != scan.Word || name >= end {
		f.Out.Missed++
		return k + 1
	}
	kind := corpus.Function
	if f.within >= 0 && f.Out.Decls[f.within].Kind == corpus.Class {
		kind = corpus.Method
	}
	d := f.declare(kind, i, name)
	d.Traits.AddIf(k > i, corpus.Async)
	d.Traits.AddIf(kind == corpus.Method && (d.Name == "__init__" || d.Name == "__new__"), corpus.Constructor)
	open := name + 1
	if f.Is(open, "[") { // type parameters
		open = f.past(open)
	}
	after := open
	if open < end && f.Is(open, "(") {
		f.parameters(d, open+1, min(f.Pair(open), end))
		after = f.past(open)
	}
	colon := f.colon(after, end)
	if f.Is(after, "->") && after < colon {
		d.Result = f.quote(after+1, colon)
	}
	next := f.body(colon, end)
	f.walk(name+1, colon)
	return next
}

// parameters reads the parameters from token i up to end: what they are as
// written, and what is known of their types.
func (f *file) parameters(d *corpus.Decl, i, end int) {
	n := int16(0)
	for from := i; from < end; {
		to, colon, eq := from, 0, 0
		for ; to < end && !f.Sign(to, ','); to = f.past(to) {
			if f.Toks[to].Key == scan.KLambda { // its commas are its own
				to = min(f.colon(to+1, end), end-1)
				continue
			}
			if colon == 0 && eq == 0 && f.Sign(to, ':') {
				colon = to
			} else if eq == 0 && f.Sign(to, '=') {
				eq = to
			}
		}
		if to == from {
			from = to + 1
			continue
		}
		d.Params = append(d.Params, f.quote(from, to))
		name := from
		if f.Sign(name, '*') || f.Is(name, "**") {
			name++
		}
		if f.Name(name) && name < to {
			n++
			typ, value := "", ""
			if colon > 0 {
				typ = f.quote(colon+1, cmp.Or(eq, to))
			}
			if eq > 0 {
				value = f.value(eq+1, to)
			}
			f.Bind(name, typ, value, int(n))
		} else if f.Is(name, "(") {
			n++ // Python 2 takes tuples apart
			for k := name + 1; k < f.Pair(name) && k < to; k++ {
				if f.Name(k) {
					f.Bind(k, "", "", 0)
				}
			}
		}
		from = to + 1
	}
}

// class reads the head of a class.
func (f *file) class(i, end int) int {
	name := i + 1
	if f.Kind(name) != scan.Word || name >= end {
		f.Out.Missed++
		return i + 1
	}
	d := f.declare(corpus.Class, i, name)
	open := name + 1
	if f.Is(open, "[") {
		open = f.past(open)
	}
	if open < end && f.Is(open, "(") {
		stop := min(f.Pair(open), len(f.Toks))
		for from := open + 1; from < stop; {
			to := from
			for to < stop && !f.Sign(to, ',') {
				to = f.past(to)
			}
			if to > from && !(f.Name(from) && f.Sign(from+1, '=')) {
				d.Bases = append(d.Bases, f.quote(from, to))
			}
			from = to + 1
		}
	}
	colon := f.colon(open, end)
	next := f.body(colon, end)
	f.walk(name+1, colon)
	return next
}

// alias reads a type statement.
func (f *file) alias(i, stop, end int) int {
	d := f.declare(corpus.Type, i, i+1)
	d.Span.End = f.End(stop - 1)
	k := i + 2
	if f.Is(k, "[") {
		k = f.past(k)
	}
	if k < stop && f.Sign(k, '=') && k+1 < stop {
		d.Body = f.At(k + 1)
		d.Result = f.quote(k+1, stop)
	} else {
		d.Body = d.Span.End
	}
	f.walk(i+2, stop)
	return min(stop+1, end)
}

// quote returns the text of the tokens from i up to end on one line.
func (f *file) quote(i, end int) string {
	if i >= end {
		return ""
	}
	from, to := f.At(i), f.End(end-1)
	if b := f.Src[from:to]; len(b) <= 400 && bytes.IndexByte(b, '\n') < 0 {
		return string(b)
	}
	return f.Quote(i, end)
}
