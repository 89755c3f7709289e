package lua

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// function reads the head of the function at token i, and returns the token that
// its body begins with.
func (f *file) function(i int) int {
	end := f.Pair(i)
	t, colon, open := target{}, false, i+1
	if p, ok := f.take(i); ok && !f.Name(i+1) {
		t = p.target
	} else if f.Name(i + 1) {
		t.start, t.local = f.At(i), f.Key(i-1) == scan.KLocal
		if t.local {
			t.start = f.At(i - 1)
		}
		from := i + 1
		for open = i + 2; f.member(open) && f.Name(open+1); open += 2 {
			colon = f.Sign(open, ':')
		}
		t.name, t.at = f.Str(open-1), f.At(open-1)
		if open-1 > from {
			t.scope = strings.ReplaceAll(f.Quote(from, open-2), ":", ".")
		}
	}
	params, body := f.parameters(open, end)
	var e emmy
	if t.name != "" {
		e = f.declare(t, colon, params, i, body, end)
	}
	f.push(frame{end: end, function: true})
	if colon {
		f.bind(target{name: "self", at: t.at + len(t.name)}, t.scope, "", 0)
	}
	for k, p := range params {
		if p.name != "..." {
			f.bind(p, cmp.Or(p.typ, scan.AliasOf(e.params, p.name)), "", int16(min(k+1, 1000)))
		}
	}
	return body
}

// parameters reads the parameters in bracket open of a function that ends with
// token end, and returns the token after them.
func (f *file) parameters(open, end int) (params []target, body int) {
	if !f.Is(open, "(") {
		return nil, open
	}
	closing := f.Pair(open)
	if !f.Sign(closing, ')') || closing >= end {
		closing = -1
	}
	for body = open + 1; f.Name(body) || f.Is(body, "..."); body++ {
		p := target{name: f.Str(body), at: f.At(body)}
		if body++; closing > 0 && f.Sign(body, ':') { // as dialects with types have it
			from := body + 1
			for body < closing && !f.Sign(body, ',') {
				body = f.Past(body)
			}
			p.typ = f.Quote(from, body)
		}
		params = append(params, p)
		if !f.Sign(body, ',') {
			break
		}
	}
	if closing > 0 {
		body = closing + 1
	}
	return params, body
}

// declare adds the function at token i and returns what its comment says of types.
func (f *file) declare(t target, colon bool, params []target, i, body, end int) emmy {
	d := corpus.Decl{Kind: corpus.Function, Name: t.name, NameAt: t.at, Exported: !t.local, Scope: t.scope,
		Span: corpus.Span{Start: t.start, End: f.End(min(end, len(f.Toks)-1))}}
	if end < len(f.Toks) && f.Toks[end].Key != scan.KEnd { // it ends before that token
		d.Span.End = f.End(end - 1)
	}
	if f.Sign(end+1, ';') && !f.inTable() {
		d.Span.End = f.End(end + 1)
	}
	if d.Body = f.At(body); body >= end {
		d.Body = f.At(end)
	}
	d.Body = min(max(d.Body, t.at+len(t.name)), d.Span.End)
	for _, p := range params {
		d.Params = append(d.Params, p.name)
	}
	if colon || len(params) > 0 && params[0].name == "self" {
		d.Kind = corpus.Method
	}
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	f.doc(&d)
	e := f.annotations(d.Doc)
	d.Result = e.result
	if tb := f.tables[t.scope]; tb != nil {
		if d.Kind == corpus.Method {
			tb.methods = true
		}
		tb.members = true
	}
	f.Out.Decls = append(f.Out.Decls, d)
	return e
}

// An emmy is what the annotations in a comment say.
type emmy struct {
	params []corpus.Name // and the type of each
	result string
	class  string // what the class extends
	typ    string
}

// annotations reads ---@param, ---@return, ---@class and ---@type.
func (f *file) annotations(doc corpus.Span) emmy {
	var e emmy
	if doc.End <= doc.Start {
		return e
	}
	for line := range bytes.Lines(f.Src[doc.Start:doc.End]) {
		_, text, ok := bytes.Cut(line, []byte("--- @"))
		if !ok {
			if _, text, ok = bytes.Cut(line, []byte("---@")); !ok {
				continue
			}
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "param":
			name, typ, _ := strings.Cut(rest, " ")
			e.params = append(e.params, corpus.Name{Name: strings.TrimSuffix(name, "?"), Alias: first(typ)})
		case "return":
			if e.result == "" {
				e.result = first(rest)
			}
		case "class":
			_, bases, _ := strings.Cut(rest, ":")
			e.class = strings.TrimSpace(bases)
		case "type":
			e.typ = first(rest)
		}
	}
	return e
}

// first returns the type that a text begins with: up to a space outside of
// brackets.
func first(s string) string {
	s = strings.TrimSpace(s)
	depth := 0
	for i, c := range []byte(s) {
		switch c {
		case '(', '<', '{', '[':
			depth++
		case ')', '>', '}', ']':
			depth--
		case ' ', '\t', '#':
			if depth <= 0 && !strings.HasSuffix(s[:i], "|") && !strings.HasSuffix(s[:i], ":") {
				return strings.TrimSuffix(s[:i], ",")
			}
		}
	}
	return s
}

// declared returns the type that the comment above an offset says.
func (f *file) declared(at int) string {
	if !f.annotated {
		return ""
	}
	return f.annotations(f.Doc(at)).typ
}

// extended returns what the comment of a table says that it extends.
func (f *file) extended(doc corpus.Span) []string {
	if !f.annotated {
		return nil
	}
	var out []string
	for b := range strings.SplitSeq(f.annotations(doc).class, ",") {
		if b = first(b); b != "" {
			out = append(out, b)
		}
	}
	return out
}
