package ruby

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// finish keeps a declaration in the one around it, and makes the comment above it
// part of it.
func (f *file) finish(d *corpus.Decl) {
	n := len(f.around)
	for n > 0 && f.around[n-1].end <= d.Span.Start {
		n--
	}
	in := inside{end: len(f.Src)}
	if n > 0 {
		in = f.around[n-1]
	}
	d.Span.End = max(min(d.Span.End, in.end), d.NameAt+len(d.Name))
	d.Body = max(min(d.Body, d.Span.End), d.NameAt+len(d.Name))
	if doc := f.Doc(d.Span.Start); doc.End > 0 && doc.Start >= in.body {
		d.Doc = doc
		d.Span.Start = doc.Start
	}
	f.around = append(f.around[:n], inside{d.Body, d.Span.End})
}

// def reads the head of the method at token i, and returns the token to go on with.
func (f *file) def(i int) int {
	k := i + 1
	receiver := ""
	if f.word(k) && f.access(k+1) && !f.Line(k+1) {
		receiver = f.Str(k)
		k += 2
	} else if f.sign(k, '(') && f.sign(f.Pair(k)+1, '.') { // def (a.b).c
		receiver = scan.Unknown
		k = f.Pair(k) + 2
	}
	eq, endless := f.endless(i)
	name, next := f.methodName(k)
	if name == "" {
		return k
	}
	d := corpus.Decl{Kind: corpus.Function, Name: name, NameAt: f.At(k), Exported: true, Span: corpus.Span{Start: f.At(f.from(i))}}
	f.belongs(&d, i, receiver)
	var from, to int // of the parameters
	body := next
	switch {
	case f.sign(next, '(') && !f.Line(next):
		from, to = next+1, min(f.Pair(next), len(f.Toks))
		body = f.Past(next)
	case !endless && !f.Line(next) && !f.sign(next, ';'):
		from = next
		for to = next; to < len(f.Toks) && to < next+400 && !(f.Toks[to].Line && !f.continued(to)) && !f.sign(to, ';'); {
			to = f.Past(to)
		}
		body = to
	}
	var end int
	if endless {
		body = eq + 1
		end = f.statement(body)
		d.Span.End = f.End(end - 1)
	} else {
		end = f.Pair(i)
		d.Span.End = f.End(f.closes(i))
	}
	if f.sign(body, ';') && body < end {
		body++
	}
	d.Body = f.At(body)
	signed := f.sig.next > 0 && f.sig.next == f.from(i)
	if signed {
		d.Span.Start = f.At(f.sig.from)
	}
	f.finish(&d)
	var says types
	if signed {
		says = f.sig.types
	} else if d.Doc.End > d.Doc.Start {
		says = f.documented(d.Doc)
	}
	d.Result = says.result
	n := len(f.Out.Decls)
	f.Out.Decls = append(f.Out.Decls, d)
	f.push(frame{end: end, sort: method, decl: n})
	if endless && len(f.frames) > 0 {
		f.frames[len(f.frames)-1].stmt = body
	}
	if from < to {
		f.Out.Decls[n].Params = f.parameters(from, to, &says)
	}
	f.params = max(f.params, to)
	return next
}

// from returns the token that the declaration begins with whose keyword is token
// i: private def …
func (f *file) from(i int) int {
	for i > 0 && !f.Toks[i].Line && f.name(i-1) && !f.access(i-2) && !upper(f.first(i-1)) {
		i--
	}
	return i
}

// methodName returns the name of a method, which begins with token k, and the
// token behind it.
func (f *file) methodName(k int) (string, int) {
	if k >= len(f.Toks) {
		return "", k
	}
	next := k + 1
	switch {
	case f.word(k):
		if f.sign(next, '=') && f.Adjacent(k) {
			next++
		}
	case f.Toks[k].Kind == scan.Punct || f.Toks[k].Kind == scan.Open && f.Src[f.Toks[k].At] == '[':
		for next < k+4 && f.Adjacent(next-1) && !f.sign(next, '(') && !f.sign(next, ';') && (!f.word(next) || f.Is(next, "@")) && next < len(f.Toks) {
			next++
		}
	case f.Toks[k].Kind == scan.Text && f.Src[f.Toks[k].At] == '`':
	default:
		return "", k + 1
	}
	name := string(f.Src[f.At(k):f.End(next-1)])
	return name, next
}

// belongs says what the method at token i is of.
func (f *file) belongs(d *corpus.Decl, i int, receiver string) {
	fr := f.home()
	switch {
	case fr == nil:
		if receiver != "" {
			d.Kind = corpus.Method
		}
	case fr.sort == method:
		d.Traits |= corpus.Local
	default:
		d.Kind = corpus.Method
		d.Exported = !fr.hidden
		if fr.static || fr.sort == singleton {
			d.Traits |= corpus.Static
		}
		if d.Name == "initialize" && receiver == "" {
			d.Traits |= corpus.Constructor
		}
	}
	switch receiver {
	case "":
	case "self":
		d.Traits |= corpus.Static
		d.Exported = true
	default:
		d.Traits |= corpus.Static
		d.Exported = true
		if k := f.owner(); k < 0 || f.Out.Decls[k].Name != receiver {
			d.Scope = receiver
		}
	}
	for k := i; k > 0 && !f.Toks[k].Line && f.name(k-1); k-- {
		switch string(f.Bytes(k - 1)) {
		case "private", "protected", "private_class_method":
			d.Exported = false
		case "public":
			d.Exported = true
		case "module_function":
			d.Traits |= corpus.Static
		}
	}
}

// parameters reads the parameters from token i up to end; those of methods, of which
// something may be said, have numbers.
func (f *file) parameters(i, end int, says *types) []string {
	var out []string
	for n := 1; i < end; n++ {
		next := i
		for next < end && !f.sign(next, ',') && !f.sign(next, ';') {
			next = f.Past(next)
		}
		next = min(next, end)
		k := i
		for k < next && (f.sign(k, '*') || f.sign(k, '&') || f.Is(k, "**")) {
			k++
		}
		switch {
		case f.name(k) && k < next:
			b := corpus.Binding{Name: f.Str(k), At: f.At(k)}
			if says != nil {
				b.Param = int16(min(n, 1000))
				b.Type = says.param(b.Name)
			}
			if f.sign(k+1, '=') || f.label(k) {
				if c, after := f.chain(k+2, 0); after == next && c != "" && c[0] != '?' {
					b.Value = c
				}
			}
			f.mark(k)
			f.Out.Bindings = append(f.Out.Bindings, b)
		case f.sign(k, '('):
			for j := k + 1; j < next; j++ {
				if f.name(j) {
					f.mark(j)
				}
			}
		}
		if next > i {
			out = append(out, f.Quote(i, next))
		}
		i = next + 1
	}
	return out
}

// blockParams reads |a, b| at token i.
func (f *file) blockParams(i int) {
	end := i + 1
	for end < len(f.Toks) && end < i+100 && !f.sign(end, '|') {
		if t := &f.Toks[end]; t.Kind == scan.Close {
			return
		}
		end = f.Past(end)
	}
	if f.sign(end, '|') {
		f.parameters(i+1, end, nil)
		f.params = max(f.params, end)
	}
}

// lambda reads the parameters behind ->, and returns the token to go on with.
func (f *file) lambda(i int) int {
	k := i + 1
	end := k
	if f.sign(k, '(') {
		k, end = k+1, min(f.Pair(k), len(f.Toks))
	} else {
		// The last parameter is not called with the block.
		for end < len(f.Toks) && end < i+60 && !f.sign(end, '{') && f.Toks[end].Key != scan.KDo && !f.Toks[end].Line && f.Kind(end) != scan.Close {
			end = f.Past(end)
		}
	}
	if k < end {
		f.parameters(k, end, nil)
	}
	f.params = max(f.params, end)
	f.bare = f.params
	return i + 1
}

// class reads the head of a class at token i.
func (f *file) class(i int) int {
	if f.Is(i+1, "<<") {
		f.push(frame{end: f.Pair(i), sort: singleton, decl: -1})
		return i + 2
	}
	k := f.path(i + 1)
	if k < 0 {
		return i + 1
	}
	d := corpus.Decl{Kind: corpus.Class, Name: f.Str(k), NameAt: f.At(k), Exported: true}
	body := k + 1
	if f.sign(body, '<') {
		end := f.statement(body + 1)
		d.Bases = []string{strings.TrimPrefix(f.Quote(body+1, end), "::")}
		f.scoped(&d, i+1, k)
		f.opened(d, i, end)
		return body + 1
	}
	f.scoped(&d, i+1, k)
	f.opened(d, i, body)
	return body
}

func (f *file) module(i int) int {
	k := f.path(i + 1)
	if k < 0 {
		return i + 1
	}
	d := corpus.Decl{Kind: corpus.Module, Name: f.Str(k), NameAt: f.At(k), Exported: true}
	f.scoped(&d, i+1, k)
	f.opened(d, i, k+1)
	return k + 1
}

// path returns the last token of the path A::B that begins with token k; -1 where
// none does.
func (f *file) path(k int) int {
	if f.Is(k, "::") {
		k++
	}
	if !f.name(k) || !upper(f.first(k)) && f.first(k) < 0x80 {
		return -1
	}
	for n := 0; n < 20 && f.Is(k+1, "::") && f.name(k+2); n++ {
		k += 2
	}
	return k
}

// scoped says what the text names as the scope of a class: class A::B.
func (f *file) scoped(d *corpus.Decl, from, k int) {
	if k <= from {
		return
	}
	scope := strings.ReplaceAll(f.Quote(from, k-1), "::", ".")
	if scope == "" || scope[0] == '.' {
		d.Scope = strings.TrimPrefix(scope, ".")
		return
	}
	for n := len(f.frames) - 1; n >= 0; n-- {
		if at := f.frames[n].decl; at >= 0 {
			o := &f.Out.Decls[at]
			scope = o.Qualified() + "." + scope
			if o.Scope != "" || len(scope) > 400 {
				break
			}
		}
	}
	d.Scope = scope
}

// opened adds the class or module at token i, whose body begins with token body.
func (f *file) opened(d corpus.Decl, i, body int) {
	d.Span = corpus.Span{Start: f.At(i), End: f.End(f.closes(i))}
	if f.sign(body, ';') {
		body++
	}
	d.Body = f.At(body)
	if f.depth > 0 {
		d.Traits |= corpus.Local
	}
	f.finish(&d)
	f.push(frame{end: f.Pair(i), sort: class, decl: len(f.Out.Decls)})
	f.Out.Decls = append(f.Out.Decls, d)
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
