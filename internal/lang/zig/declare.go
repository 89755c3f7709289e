package zig

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// start returns the first of the modifiers before token i.
func (r *reader) start(i int) (start int, exported, external bool) {
	for k := i - 1; k >= 0; k-- {
		switch t := &r.Toks[k]; {
		case t.Key == scan.KPub, t.Key == scan.KExport:
			exported = true
		case t.Key == scan.KExtern:
			external = true
		case t.Key == scan.KInline, t.Key == scan.KNoinline, t.Key == scan.KThreadlocal, t.Key == scan.KComptime:
		case t.Kind == scan.Text && r.Key(k-1) == scan.KExtern:
		default:
			return k + 1, exported, external
		}
	}
	return 0, exported, external
}

// declare adds a declaration that begins with token start and is named by token
// name, and returns its number. It ends with the name: the caller knows better.
func (r *reader) declare(kind corpus.Kind, start, name int, exported bool) int {
	end := r.End(name)
	d := corpus.Decl{Kind: kind, Name: r.Str(name), NameAt: r.At(name), Body: end, Exported: exported, Span: corpus.Span{Start: r.At(start), End: end}}
	if d.Doc = r.OuterDoc(d.Span.Start); d.Doc.Len() > 0 {
		d.Span.Start = d.Doc.Start
	}
	d.Traits.AddIf(r.depth > 0 && !r.returned(), corpus.Local)
	r.Out.Decls = append(r.Out.Decls, d)
	return len(r.Out.Decls) - 1
}

// returned reports whether what is around belongs to a type that a function makes.
func (r *reader) returned() bool {
	for k := len(r.frames) - 1; k > 0; k-- {
		switch fr := &r.frames[k]; fr.sort {
		case function:
			return k < len(r.frames)-1 && fr.decl >= 0 && r.Out.Decls[fr.decl].Result == "type"
		case code:
			return false
		}
	}
	return true
}

// ends says that declaration d goes up to, without, token end, its body from an
// offset on.
func (r *reader) ends(d, end, body int) {
	x := &r.Out.Decls[d]
	x.Span.End = max(r.End(min(end, r.top().end)-1), x.NameAt+len(x.Name))
	x.Body = min(max(body, x.NameAt+len(x.Name)), x.Span.End)
}

// function reads fn.
func (r *reader) function(i int) int {
	name, open := i+1, i+2
	if r.Kind(name) != scan.Word || name >= len(r.Toks) || !r.Opens(open, '(') || r.Key(name) != 0 {
		return i + 1
	}
	if sort := r.top().sort; sort == code || sort == function {
		r.recover(i, func(fr *frame) bool { return fr.sort == container || fr.sort == choices })
	}
	start, exported, external := r.start(i)
	kind := corpus.Function
	if len(r.frames) > 1 {
		kind = corpus.Method
	}
	n := r.declare(kind, start, name, exported)
	own := r.parameters(n, open)
	from, end := r.headEnd(r.Past(open))
	d := &r.Out.Decls[n]
	d.Result = r.Quote(from, end)
	if kind == corpus.Method && !own {
		d.Traits |= corpus.Static
		d.Traits.AddIf(r.mine(d.Result), corpus.Constructor)
	}
	switch {
	case r.Opens(end, '{'):
		r.ends(n, r.closing(end), r.At(end))
		r.announce(end, function, n)
	case r.Sign(end, ';'):
		r.ends(n, end+1, len(r.Src))
		d.Traits |= corpus.Abstract
	default:
		r.ends(n, end, len(r.Src))
		r.Out.Missed++
	}
	d.Traits.AddIf(external, corpus.Abstract)
	return open
}

// closing returns the token after brace i, or what it has of an end.
func (r *reader) closing(i int) int {
	if !r.Closed(i) {
		return min(r.Pair(i), len(r.Toks))
	}
	return r.Past(i)
}

// parameters reads those in bracket open, for declaration n, and reports whether
// the first one is what a method is called on.
func (r *reader) parameters(n, open int) (own bool) {
	end := min(r.Pair(open), len(r.Toks))
	count := 0
	for from := open + 1; from < end; {
		to := from
		for to < end && !r.Sign(to, ',') {
			to = r.Past(to)
		}
		if to = min(to, end); to > from {
			count++
			r.Out.Decls[n].Params = append(r.Out.Decls[n].Params, r.Quote(from, to))
			at := from
			for r.Key(at) == scan.KComptime || r.Key(at) == scan.KNoalias {
				at++
			}
			if r.Name(at) && r.Sign(at+1, ':') {
				typ := r.Quote(at+2, to)
				r.bind(at, typ, "", count)
				own = own || count == 1 && (r.Is(at, "self") || r.mine(typ))
			}
		}
		from = to + 1
	}
	return own
}

// mine reports whether a type, or what it points to, may be that of the container
// around.
func (r *reader) mine(typ string) bool {
	if k := strings.LastIndexByte(typ, '!'); k >= 0 {
		typ = typ[k+1:]
	}
	typ = strings.TrimPrefix(strings.TrimLeft(typ, "*? "), "const ")
	return typ == "Self" || typ == "@This()" || typ != "" && typ == r.self()
}

// headEnd returns where the type of a function's result begins, what stands before
// it read from token k on, and the token that ends it: a brace, a semicolon or what
// ends the bracket around.
func (r *reader) headEnd(k int) (from, end int) {
	for key := r.Key(k); (key == scan.KAlign || key == scan.KAddrspace || key == scan.KLinksection || key == scan.KCallconv) && r.Opens(k+1, '('); key = r.Key(k) {
		k = r.Past(k + 1)
	}
	from = k
	for limit := min(r.top().end, k+maxHead); k < limit; k = r.Past(k) {
		switch t := &r.Toks[k]; t.Key {
		case 0:
			if t.Kind == scan.Close || r.Opens(k, '{') || r.Sign(k, ';') || r.Sign(k, ',') || r.Sign(k, '=') {
				return from, k
			}
		case scan.KError:
			if r.Opens(k+1, '{') {
				k++
			}
		case scan.KStruct, scan.KEnum, scan.KUnion, scan.KOpaque, scan.KSwitch:
			if p := r.brackets(k + 1); r.Opens(p, '{') {
				k = p
			}
		case scan.KPub, scan.KConst, scan.KVar, scan.KTest, scan.KExport, scan.KFn:
			if t.Line {
				return from, k
			}
		}
	}
	return from, min(k, len(r.Toks))
}

const maxHead = 1000 // tokens

// test reads test.
func (r *reader) test(i int) int {
	name := i + 1
	if r.Opens(name, '{') {
		r.announce(name, code, -1)
		return name
	}
	if !r.Opens(name+1, '{') {
		return name
	}
	var n int
	switch r.Kind(name) {
	case scan.Word:
		n = r.declare(corpus.TestCase, i, name, false)
	case scan.Text:
		if r.End(name)-r.At(name) < 3 || r.Src[r.At(name)] != '"' {
			r.announce(name+1, code, -1)
			return name + 1
		}
		n = r.declare(corpus.TestCase, i, name, false)
		d := &r.Out.Decls[n]
		d.Name = d.Name[1 : len(d.Name)-1]
		d.NameAt++
	default:
		return name
	}
	r.ends(n, r.closing(name+1), r.At(name+1))
	r.announce(name+1, code, n)
	return name + 1
}

// variable reads const or var.
func (r *reader) variable(i int) int {
	at := i + 1
	if !r.Name(at) || !r.Sign(at+1, '=') && !r.Sign(at+1, ':') && !r.Sign(at+1, ',') {
		return at
	}
	start, exported, external := r.start(i)
	inside := r.top().sort == code || r.top().sort == function
	listed := inside && r.Sign(start-1, ',') // a, const b = …
	if start > 0 && !listed && !r.begins(start) && !(r.Line(start) && r.item(start)) {
		return at // of a type
	}
	p, typ := at+1, ""
	if r.Sign(p, ':') {
		p = r.typeEnd(at + 2)
		typ = r.Quote(at+2, r.unaligned(at+2, p))
	}
	value := -1
	if r.Sign(p, '=') {
		value = p + 1
	}
	r.constant, r.value = at, value
	if value >= 0 && !listed && r.typeOf(start, at, value, exported) || r.imported(value) >= 0 {
		return at + 1
	}
	chain := ""
	if value >= 0 && !listed {
		chain = r.assigned(value)
	}
	r.bind(at, typ, chain, 0)
	if inside || at < r.parens || r.Is(at, "_") {
		return at + 1
	}
	kind := corpus.Constant
	if r.Key(i) == scan.KVar {
		kind = corpus.Variable
	}
	n := r.declare(kind, start, at, exported)
	end := r.SkipSign(r.semicolon(at), ';')
	r.Out.Decls[n].Result = typ
	if external {
		r.Out.Decls[n].Traits |= corpus.Abstract
	}
	body := len(r.Src)
	if value >= 0 {
		body = r.At(value)
	}
	r.ends(n, end, body)
	return at + 1
}

// typeOf declares the type that is assigned to the name at, and reports whether
// it is one that is written there.
func (r *reader) typeOf(start, at, value int, exported bool) bool {
	k := value
	for r.Key(k) == scan.KExtern || r.Key(k) == scan.KPacked {
		k++
	}
	kind, sort := corpus.Struct, container
	switch r.Key(k) {
	case scan.KStruct, scan.KUnion, scan.KOpaque:
	case scan.KEnum, scan.KError:
		kind, sort = corpus.Enum, choices
	default:
		return false
	}
	open := r.brackets(k + 1)
	if !r.Opens(open, '{') {
		return false
	}
	if after := r.Past(open); r.Closed(open) && !r.Sign(after, ';') && (r.Sign(after, '.') || r.Opens(after, '{') || r.Is(after, "||")) {
		return false // something of it
	}
	n := r.declare(kind, start, at, exported)
	end := r.SkipSign(r.closing(open), ';')
	r.ends(n, end, r.At(open))
	if r.Key(k) != scan.KError {
		r.announce(open, sort, n)
	}
	if kind == corpus.Enum || r.Key(k) == scan.KUnion {
		for _, c := range r.Choices(open) {
			if r.Sign(c+1, ',') || r.Sign(c+1, '=') || c+1 == r.Pair(open) {
				r.bind(c, r.Str(at), "", 0)
			}
		}
	}
	return true
}

// typeEnd returns the token after the type that begins at token k.
func (r *reader) typeEnd(k int) int {
	for limit := min(r.top().end, k+maxHead); k < limit; k = r.Past(k) {
		if t := &r.Toks[k]; t.Kind == scan.Close || r.Sign(k, '=') || r.Sign(k, ';') || r.Sign(k, ',') || t.Line && r.item(k) {
			break
		}
	}
	return min(k, r.top().end)
}

// unaligned returns the token after the type from token k up to end, less what
// says where in the memory the thing is.
func (r *reader) unaligned(k, end int) int {
	for end > k && r.Kind(end-1) == scan.Close && r.Pair(end-1) > k {
		switch p := r.Pair(end - 1); r.Key(p - 1) {
		case scan.KAlign, scan.KLinksection, scan.KAddrspace:
			end = p - 1
		default:
			return end
		}
	}
	return end
}

// semicolon returns the token that ends the statement that token i is of.
func (r *reader) semicolon(i int) int {
	fr := r.top()
	if fr.semi[0] <= i && i < fr.semi[1] {
		return fr.semi[1]
	}
	k := i
	for k < fr.end {
		if t := &r.Toks[k]; t.Kind == scan.Close || r.Sign(k, ';') || k > i && t.Line && r.item(k) {
			break
		}
		k = r.Past(k)
	}
	k = min(k, fr.end)
	fr.semi = [2]int{i, k}
	return k
}

// item reports whether token k, the first of its line, begins a declaration that
// nothing else begins with.
func (r *reader) item(k int) bool {
	switch r.Key(k) {
	case scan.KPub, scan.KExport, scan.KUsingnamespace, scan.KThreadlocal:
		return true
	case scan.KConst, scan.KVar:
		return r.Name(k+1) && (r.Sign(k+2, '=') || r.Sign(k+2, ':')) && !r.Sign(k-1, '*') && r.Kind(k-1) != scan.Close
	case scan.KFn:
		return r.Name(k + 1)
	case scan.KTest:
		return r.Kind(k+1) == scan.Text || r.Opens(k+1, '{') || r.Name(k+1)
	case scan.KInline, scan.KNoinline, scan.KExtern:
		return r.Key(k+1) == scan.KFn && r.Name(k+2) || r.Kind(k+1) == scan.Text
	}
	return false
}
