package php

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// function reads the head of the function whose keyword is token i and whose
// modifiers begin at token from, and returns the token to go on with.
func (f *file) function(from, i int, m modifiers) int {
	k := f.SkipSign(i+1, '&')
	d := corpus.Decl{Kind: corpus.Function, Exported: !m.hidden}
	switch {
	case f.Word(k) && f.Sign(k+1, '('):
		d.Name, d.NameAt = f.Str(k), f.At(k)
		k++
	case f.Sign(k, '('):
		from = f.assigned(from, &d)
	default:
		return i + 1
	}
	closing := f.Pair(k)
	if !f.Sign(closing, ')') {
		closing = k
		f.Out.Missed++
	}
	f.params = max(f.params, closing)
	body := closing + 1
	if closing > k && f.Key(body) == scan.KUse && f.Sign(body+1, '(') {
		body = f.Past(body + 1)
	}
	if f.Sign(body, ':') {
		at := body + 1
		for body = at; body < at+maxParts && (f.Word(body) || f.Sign(body, '?') || f.Sign(body, '|') || f.Sign(body, '&') || f.Sign(body, '(')); {
			body = f.Past(body)
		}
		d.Result = f.Quote(at, body)
	}
	decl := -1
	if d.Name != "" {
		decl = len(f.Out.Decls)
		f.declare(&d, from, i, body, m)
	}
	d.Params = f.parameters(k, d)
	if decl >= 0 {
		f.Out.Decls = append(f.Out.Decls, d)
	}
	f.begin(i, body, decl)
	return k
}

// begin puts the body of a function, which begins with token body, on the stack.
func (f *file) begin(i, body, decl int) {
	switch {
	case f.Sign(body, '{'):
		f.body, f.expected = frame{sort: function, decl: decl}, body
	case f.Key(i) == scan.KFn && f.Is(body, "=>"):
		if decl >= 0 {
			f.push(frame{sort: arrow, decl: decl, end: f.expression(body + 1)})
			f.result(body+1, "()")
		}
	}
}

// assigned names the closure that begins at token from by what it is assigned to,
// and returns the token that this begins with.
func (f *file) assigned(from int, d *corpus.Decl) int {
	if from > 0 && f.attr.next == from {
		from = f.attr.from
	}
	if !f.Sign(from-1, '=') || !f.Name(from-2) || f.top() == class || from < f.params {
		return from
	}
	start := f.start(from - 2)
	if start == from-2 && !f.access(from-3) && !f.variable(start) {
		return from
	}
	d.Name, d.NameAt = f.Str(from-2), f.At(from-2)
	return start
}

// declare fills in where the function is.
func (f *file) declare(d *corpus.Decl, from, i, body int, m modifiers) {
	start, marks := f.attributed(from)
	d.Marks = marks
	d.Span.Start = f.At(start)
	last := body
	closure := d.NameAt < f.At(i)
	switch {
	case f.Sign(body, '{'):
		last = f.Last(body)
	case f.Is(body, "=>"):
		last = f.expression(body+1) - 1
		body++
	default:
		d.Traits |= corpus.Abstract
		if !f.Sign(body, ';') {
			last--
		}
		body = last + 1
	}
	if closure && f.Sign(last+1, ';') {
		last++
	}
	d.Span.End = f.End(last)
	d.Body = f.At(body)
	d.Traits.AddIf(m.static, corpus.Static)
	d.Traits.AddIf(f.depth > 0 && f.top() != class, corpus.Local)
	if f.top() == class || m.any {
		d.Kind = corpus.Method
		d.Traits.AddIf(strings.EqualFold(d.Name, "__construct"), corpus.Constructor)
	}
	f.Enclose(d)
	if d.Result == "" {
		d.Result = f.tagged(d.Doc, "@return", "")
	}
}

// expression returns the token that the expression from token i on ends before.
func (f *file) expression(i int) int {
	k := i
	for n := 0; n < 500 && k < len(f.Toks); n++ {
		if t := &f.Toks[k]; t.Kind == scan.Close || f.Sign(k, ';') || f.Sign(k, ',') || t.Kind == scan.Punct && f.Is(k, "?>") {
			break
		}
		k = f.Past(k)
	}
	return k
}

// parameters reads the parameters in bracket open, of a function that is declared
// if it has a name.
func (f *file) parameters(open int, d corpus.Decl) []string {
	var out []string
	if !f.Sign(f.Pair(open), ')') {
		return nil
	}
	for n, p := range f.Split(open, ",", false) {
		k := p[0]
		for f.Kind(k) == scan.Open && f.Src[f.At(k)] == '#' {
			k = f.Past(k)
		}
		promoted := false
		for ; k < p[1] && (f.Key(k) == scan.KPublic || f.Key(k) == scan.KPrivate || f.Key(k) == scan.KProtected || f.Key(k) == scan.KReadonly || f.Key(k) == scan.KFinal); k++ {
			promoted = true
			if f.Sign(k+1, '(') {
				k = f.Pair(k + 1)
			}
		}
		typ := k
		for k < p[1] && !f.variable(k) {
			k = f.Past(k)
		}
		if k >= p[1] {
			continue
		}
		name := k
		to := name
		for to > typ && (f.Is(to-1, "...") || f.Sign(to-1, '&')) {
			to--
		}
		b := corpus.Binding{Name: f.Str(name), Type: f.Quote(typ, to), At: f.At(name)}
		if d.Name != "" {
			b.Param = int16(min(n+1, 1000))
			out = append(out, f.Quote(p[0], p[1]))
			if says := f.tagged(d.Doc, "@param", b.Name); says != "" && (b.Type == "" || b.Type == "array" || b.Type == "iterable") {
				b.Type = says
			}
		}
		f.Out.Bindings = append(f.Out.Bindings, b)
		if promoted {
			f.BindAs("$this."+b.Name[1:], b.Type, b.Name, b.At, 0)
		}
	}
	return out
}

// class reads the head of a class, an interface, a trait or an enum, whose keyword
// is token i and whose modifiers begin at token from.
func (f *file) class(from, i int, m modifiers) int {
	if f.Key(i-1) == scan.KNew || f.Key(i) == scan.KClass && (!f.Word(i+1) || f.Key(i+1) == scan.KExtends || f.Key(i+1) == scan.KImplements) {
		return f.anonymous(i)
	}
	k := i + 1
	if !f.Name(k) && f.Key(k) != scan.KEnum {
		return k
	}
	start, marks := f.attributed(from)
	d := corpus.Decl{Kind: corpus.Class, Name: f.Str(k), NameAt: f.At(k), Exported: true, Marks: marks}
	switch f.Key(i) {
	case scan.KInterface:
		d.Kind = corpus.Interface
	case scan.KTrait:
		d.Kind = corpus.Trait
	case scan.KEnum:
		d.Kind = corpus.Enum
	}
	d.Traits.AddIf(m.abstract, corpus.Abstract)
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	d.Span.Start = f.At(start)
	k = f.bases(k+1, &d.Bases)
	d.Span.End = f.End(k - 1)
	d.Body = d.Span.End
	if f.Sign(k, '{') {
		d.Body = f.At(k)
		d.Span.End = f.End(f.Last(k))
		f.body, f.expected = frame{sort: class, decl: len(f.Out.Decls)}, k
	}
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
	return k
}

// bases reads what stands between the name of a class and its body.
func (f *file) bases(k int, out *[]string) int {
	enum := f.Sign(k, ':')
	for ; f.Word(k) || f.Sign(k, ',') || f.Sign(k, ':'); k++ {
		switch {
		case f.Key(k) == scan.KImplements || f.Key(k) == scan.KExtends:
			enum = false
		case f.Word(k) && !enum:
			*out = append(*out, f.Str(k))
		}
	}
	return k
}

// anonymous reads the head of a class without a name.
func (f *file) anonymous(i int) int {
	k := f.SkipBracket(i+1, '(')
	var bases []string
	if k = f.bases(k, &bases); f.Sign(k, '{') {
		f.body, f.expected = frame{sort: class, decl: -1}, k
	}
	if f.Sign(i+1, '(') {
		return i + 1
	}
	return k
}

// constants reads const A = 1, B = 2;
func (f *file) constants(from, i int, m modifiers) int {
	if f.depth > 0 && f.top() != class {
		return i + 1
	}
	k := i + 1
	for f.Word(k) && !f.Sign(k+1, '=') { // its type
		k++
	}
	if !f.Word(k) {
		return i + 1
	}
	start, marks := f.attributed(from)
	d := corpus.Decl{Kind: corpus.Constant, Name: f.Str(k), NameAt: f.At(k), Exported: !m.hidden, Marks: marks, Result: f.Quote(i+1, k)}
	d.Span = corpus.Span{Start: f.At(start), End: f.End(k)}
	if end := f.expression(k + 1); f.Sign(end, ';') {
		d.Span.End = f.End(end)
	}
	d.Body = d.Span.End
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
	return k + 1
}

// tagged returns the type that a tag in a comment gives, for a name if there is
// one: @param T $x.
func (f *file) tagged(doc corpus.Span, tag, name string) string {
	text := f.Src[doc.Start:doc.End]
	for range 100 {
		n := bytes.Index(text, []byte(tag))
		if n < 0 {
			return ""
		}
		text = text[n+len(tag):]
		line := text
		line = line[:scan.LineEnd(line)]
		typ, rest := first(line)
		if typ != "" && (name == "" || strings.HasPrefix(strings.TrimLeft(rest, "&."), name) && !more(strings.TrimLeft(rest, "&."), len(name))) {
			return typ
		}
	}
	return ""
}

func more(s string, n int) bool { return n < len(s) && scan.Letter(s[n]) }

// first splits a type from what comes after it; brackets hold it together.
func first(line []byte) (typ, rest string) {
	s := strings.TrimLeft(string(line), " \t")
	if len(s) == len(line) {
		return "", ""
	}
	depth := 0
	end := len(s)
	for i := range len(s) {
		c := s[i]
		if strings.IndexByte("<({[", c) >= 0 {
			depth++
		} else if strings.IndexByte(">)}]", c) >= 0 {
			depth--
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '*') && depth <= 0 {
			end = i
			break
		}
	}
	typ, rest = s[:end], strings.TrimLeft(s[end:], " \t")
	if strings.HasPrefix(typ, "$") || slices.Contains([]string{"", "@inheritDoc"}, typ) {
		return "", ""
	}
	return typ, rest
}
