package ruby

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// def reads the head of the method at token i, and returns the token to go on with.
func (f *file) def(i int) int {
	k := i + 1
	receiver := ""
	if f.Word(k) && f.access(k+1) && !f.Line(k+1) {
		receiver = f.Str(k)
		k += 2
	} else if f.Sign(k, '(') && f.Sign(f.Pair(k)+1, '.') { // def (a.b).c
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
	case f.Sign(next, '(') && !f.Line(next):
		from, to = next+1, min(f.Pair(next), len(f.Toks))
		body = f.Past(next)
	case !endless && !f.Line(next) && !f.Sign(next, ';'):
		from = next
		for to = next; to < len(f.Toks) && to < next+400 && !(f.Toks[to].Line && !f.continued(to)) && !f.Sign(to, ';'); {
			to = f.Past(to)
		}
		body = to
	}
	var end int
	if endless {
		body = eq + 1
		end = f.Statement(body, f.continued)
		d.Span.End = f.End(end - 1)
	} else {
		end = f.Pair(i)
		d.Span.End = f.End(f.Last(i))
	}
	if f.Sign(body, ';') && body < end {
		body++
	}
	d.Body = f.At(body)
	signed := f.sig.next > 0 && f.sig.next == f.from(i)
	if signed {
		d.Span.Start = f.At(f.sig.from)
	}
	f.Enclose(&d)
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
	for i > 0 && !f.Toks[i].Line && f.Name(i-1) && !f.access(i-2) && !upper(f.First(i-1)) {
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
	case f.Word(k):
		if f.Sign(next, '=') && f.Adjacent(k) {
			next++
		}
	case f.Toks[k].Kind == scan.Punct || f.Toks[k].Kind == scan.Open && f.Src[f.Toks[k].At] == '[':
		for next < k+4 && f.Adjacent(next-1) && !f.Sign(next, '(') && !f.Sign(next, ';') && (!f.Word(next) || f.Is(next, "@")) && next < len(f.Toks) {
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
		d.Traits.AddIf(fr.static || fr.sort == singleton, corpus.Static)
		d.Traits.AddIf(d.Name == "initialize" && receiver == "", corpus.Constructor)
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
	for k := i; k > 0 && !f.Toks[k].Line && f.Name(k-1); k-- {
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
		for next < end && !f.Sign(next, ',') && !f.Sign(next, ';') {
			next = f.Past(next)
		}
		next = min(next, end)
		k := i
		for k < next && (f.Sign(k, '*') || f.Sign(k, '&') || f.Is(k, "**")) {
			k++
		}
		switch {
		case f.Name(k) && k < next:
			b := corpus.Binding{Name: f.Str(k), At: f.At(k)}
			if says != nil {
				b.Param = int16(min(n, 1000))
				b.Type = scan.AliasOf(says.params, b.Name)
			}
			if f.Sign(k+1, '=') || f.label(k) {
				if c, after := f.chain(k+2, 0); after == next && c != "" && c[0] != '?' {
					b.Value = c
				}
			}
			f.mark(k)
			f.Out.Bindings = append(f.Out.Bindings, b)
		case f.Sign(k, '('):
			for j := k + 1; j < next; j++ {
				if f.Name(j) {
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
	for end < len(f.Toks) && end < i+100 && !f.Sign(end, '|') {
		if t := &f.Toks[end]; t.Kind == scan.Close {
			return
		}
		end = f.Past(end)
	}
	if f.Sign(end, '|') {
		f.parameters(i+1, end, nil)
		f.params = max(f.params, end)
	}
}

// lambda reads the parameters behind ->, and returns the token to go on with.
func (f *file) lambda(i int) int {
	k := i + 1
	end := k
	if f.Sign(k, '(') {
		k, end = k+1, min(f.Pair(k), len(f.Toks))
	} else {
		// The last parameter is not called with the block.
		for end < len(f.Toks) && end < i+60 && !f.Sign(end, '{') && f.Toks[end].Key != scan.KDo && !f.Toks[end].Line && f.Kind(end) != scan.Close {
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
	if f.Sign(body, '<') {
		end := f.Statement(body+1, f.continued)
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
	k = f.SkipWord(k, "::")
	if !f.Name(k) || !upper(f.First(k)) && f.First(k) < 0x80 {
		return -1
	}
	for n := 0; n < 20 && f.Is(k+1, "::") && f.Name(k+2); n++ {
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
	d.Span = corpus.Span{Start: f.At(i), End: f.End(f.Last(i))}
	body = f.SkipSign(body, ';')
	d.Body = f.At(body)
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	f.Enclose(&d)
	f.push(frame{end: f.Pair(i), sort: class, decl: len(f.Out.Decls)})
	f.Out.Decls = append(f.Out.Decls, d)
}

// Types are what a comment or a signature says of a method.
type types struct {
	params []corpus.Name // and the type of each
	result string
}

// A signature is sig { params(a: A).returns(B) } above a method.
type signature struct {
	types
	from, next int // its first token, and the one behind it
}

// signed reads the signature at token i.
func (f *file) signed(i int) {
	s := signature{from: i, next: f.Past(i + 1)}
	end := min(f.Pair(i+1), i+400)
	for k := i + 2; k < end; k++ {
		if !f.Name(k) || !f.Sign(k+1, '(') {
			continue
		}
		switch string(f.Bytes(k)) {
		case "params":
			for _, p := range f.Split(k+1, ",", false) {
				if f.Word(p[0]) && f.label(p[0]) {
					s.params = append(s.params, corpus.Name{Name: f.Str(p[0]), Alias: f.Quote(p[0]+2, p[1])})
				}
			}
			k = f.Pair(k + 1)
		case "returns":
			s.result = f.Quote(k+2, f.Pair(k+1))
			k = f.Pair(k + 1)
		}
	}
	f.sig = s
}

// documented reads @param name [Type] and @return [Type] of a comment.
func (f *file) documented(doc corpus.Span) (t types) {
	text := f.Src[doc.Start:doc.End]
	for n := 0; n < 100; n++ {
		at := bytes.IndexByte(text, '@')
		if at < 0 {
			break
		}
		line := text[at:]
		line = line[:scan.LineEnd(line)]
		text = text[at+1:]
		tag, rest, _ := strings.Cut(string(line), " ")
		if tag != "@param" && tag != "@return" {
			continue
		}
		before, typ, ok := strings.Cut(rest, "[")
		if !ok {
			continue
		}
		typ, after, ok := strings.Cut(typ, "]")
		if !ok {
			continue
		}
		name := strings.TrimSpace(before)
		switch {
		case tag == "@return" && name == "" && t.result == "":
			t.result = typ
		case tag == "@param" && name != "":
			t.params = append(t.params, corpus.Name{Name: name, Alias: typ})
		case tag == "@param": // @param [Type] name
			name, _, _ = strings.Cut(strings.TrimSpace(after), " ")
			t.params = append(t.params, corpus.Name{Name: name, Alias: typ})
		}
	}
	return t
}
