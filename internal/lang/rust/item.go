package rust

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Attributes are those that wait for their item: tokens.
type attributes struct{ from, next int }

// attribute reads #[…] or #![…]; that is no code.
func (f *file) attribute(i int) int {
	open := i + 1
	inner := f.Sign(open, '!')
	if inner {
		open++
	}
	next := f.Past(open)
	if !inner {
		if f.attrs.next != i {
			f.attrs.from = i
		}
		f.attrs.next = next
	}
	return next
}

// start returns the token that an item begins with, but for its attributes, whose
// own word is token i, and the modifiers between.
func (f *file) start(i int) (start int, traits corpus.Traits) {
	for k := i - 1; k >= 0; k-- {
		t := &f.Toks[k]
		switch {
		case t.Key == scan.KAsync:
			traits |= corpus.Async
		case t.Key == scan.KPub, t.Key == scan.KConst, t.Key == scan.KUnsafe, t.Key == scan.KExtern:
		case t.Kind == scan.Text && f.Key(k-1) == scan.KExtern:
		case t.Kind == scan.Word && t.Key == 0 && (f.Is(k, "default") || f.Is(k, "safe") || f.Is(k, "auto")):
		case t.Kind == scan.Close && t.Pair > 0 && f.Src[t.At] == ')' && f.Key(int(t.Pair)-1) == scan.KPub:
			k = int(t.Pair)
		default:
			return k + 1, traits
		}
	}
	return 0, traits
}

// public reports whether token i begins a visibility.
func (f *file) public(i int) bool { return f.Key(i) == scan.KPub }

// declare adds a declaration: token i is its word, or its modifiers', and name
// its name. The span ends with the name; the caller knows better.
func (f *file) declare(kind corpus.Kind, i, name int) *corpus.Decl {
	start, traits := f.start(i)
	end := f.End(name)
	d := corpus.Decl{Kind: kind, Name: f.Str(name), NameAt: f.At(name), Traits: traits, Exported: f.public(start), Body: end}
	first := start
	if start > 0 && f.attrs.next == start {
		first = f.attrs.from
		d.Marks = f.marks(first, start)
	}
	d.Doc = f.OuterDoc(f.At(first))
	if d.Doc.Len() == 0 && first < start {
		d.Doc = f.OuterDoc(f.At(start))
	}
	d.Span = corpus.Span{Start: f.At(first), End: end}
	if d.Doc.Len() > 0 {
		d.Span.Start = min(d.Span.Start, d.Doc.Start)
	}
	d.Traits.AddIf(f.depth > 0, corpus.Local)
	switch f.top().item {
	case class:
		d.Exported = d.Exported || f.around().shown
	}
	f.Out.Decls = append(f.Out.Decls, d)
	return &f.Out.Decls[len(f.Out.Decls)-1]
}

// around returns the innermost frame with items in it.
func (f *file) around() *frame {
	for k := len(f.frames) - 1; k > 0; k-- {
		switch f.frames[k].sort {
		case module, foreign, class, body:
			return &f.frames[k]
		}
	}
	return &f.frames[0]
}

// marks returns the attributes from token i up to j.
func (f *file) marks(i, j int) []string {
	var out []string
	for k := i; k < j && f.Opens(k+1, '['); k = f.Past(k + 1) {
		out = append(out, f.text(k+2, min(f.Pair(k+1), len(f.Toks))))
	}
	return out
}

// conditional reports whether the attributes before token i make it depend on how
// the program is built.
func (f *file) conditional(i int) bool {
	if i == 0 || f.attrs.next != i {
		return false
	}
	for k := f.attrs.from; k < i && f.Opens(k+1, '['); k = f.Past(k + 1) {
		if f.Is(k+2, "cfg") {
			return true
		}
	}
	return false
}

// within pushes the frame of an item's head, from token i up to the brace of its
// body or whatever ends it.
func (f *file) within(end int, then sort, decl int, shown bool) {
	f.push(frame{end: end, open: -1, sort: types, decl: -1})
	if fr := f.top(); fr.sort == types && fr.end == end && f.Opens(end, '{') {
		fr.heads, fr.then, fr.decl, fr.shown = true, then, int32(decl), shown
	}
}

// itemWord reads an item from its word on, token i.
func (f *file) itemWord(i int) int {
	switch f.Toks[i].Key {
	case scan.KFn:
		return f.function(i)
	case scan.KStruct, scan.KEnum:
		return f.structure(i)
	case scan.KTrait:
		return f.trait(i)
	case scan.KImpl:
		return f.impl(i)
	case scan.KMod:
		return f.module(i)
	case scan.KUse:
		return f.use(i)
	case scan.KConst, scan.KStatic:
		return f.constant(i)
	case scan.KType:
		return f.alias(i)
	}
	return f.external(i)
}

// headTo returns the token that ends the head of an item that goes on at i: a
// brace, a semicolon or what ends the bracket around. Also returned is where its
// conditions begin.
func (f *file) headTo(i int) (end, where int) {
	where = -1
	k := i
	for k < min(f.top().end, i+maxHead) {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Close, t.Key == scan.KFn && f.Name(k+1), f.Sign(k, ';'), f.Opens(k, '{'), stops(t.Key):
			if where < 0 {
				where = k
			}
			return k, where
		case t.Key == scan.KWhere && where < 0:
			where = k
		case f.Sign(k, '<'):
			if after := f.angle(k); after > k {
				k = after
				continue
			}
		}
		k = f.Past(k)
	}
	if where < 0 {
		where = k
	}
	return k, where
}

// function reads fn.
func (f *file) function(i int) int {
	open := f.angle(i + 2)
	if !f.Name(i+1) || !f.Opens(open, '(') {
		return i + 1
	}
	kind := corpus.Function
	around := f.top().item
	if around == class {
		kind = corpus.Method
	}
	d := f.declare(kind, i, i+1)
	at := len(f.Out.Decls) - 1
	end, where := f.headTo(f.Past(open))
	if f.Is(f.Past(open), "->") {
		d.Result = f.text(f.Past(open)+1, where)
	}
	receives := false
	for n, p := range f.Split(open, ",", true) {
		d.Params = append(d.Params, f.text(p[0], p[1]))
		if n == 0 && f.receives(p[0], p[1]) {
			receives = true
			continue
		}
		f.parameter(p[0], p[1], n+1)
	}
	if kind == corpus.Method && !receives {
		d.Traits |= corpus.Static
		d.Traits.AddIf(d.Result == "Self", corpus.Constructor)
	}
	switch {
	case f.Opens(end, '{'):
		d.Body, d.Span.End = f.At(end), f.Closing(end)
	case f.Sign(end, ';'):
		d.Traits |= corpus.Abstract
		d.Span.End = f.End(end)
		d.Body = d.Span.End
	default:
		d.Span.End = f.End(end - 1)
		d.Body = d.Span.End
		f.Out.Missed++
	}
	d.Traits.AddIf(around == foreign, corpus.Abstract)
	f.within(end, body, at, false)
	return i + 2
}

// receives reports whether a method's first parameter, from token i up to j, is
// what it is called on, and binds that.
func (f *file) receives(i, j int) bool {
	for k := i; k < j; k++ {
		switch {
		case f.Key(k) == scan.KSelf:
			f.BindAs("self", "", "", f.At(k), 1)
			return true
		case f.Sign(k, '&'), f.Is(k, "&&"), f.Key(k) == scan.KMut, f.Kind(k) == scan.Text:
		case f.Sign(k, '#') && f.Opens(k+1, '['):
			k = f.Past(k+1) - 1
		default:
			return false
		}
	}
	return false
}

// module reads mod.
func (f *file) module(i int) int {
	if !f.Name(i + 1) {
		return i + 1
	}
	switch {
	case f.Opens(i+2, '{'):
		d := f.declare(corpus.Module, i, i+1)
		d.Body, d.Span.End = f.At(i+2), f.Closing(i+2)
		f.push(frame{end: f.Pair(i + 2), open: i + 2, sort: module, decl: int32(len(f.Out.Decls) - 1)})
		return i + 3
	case f.Sign(i+2, ';'):
		m := corpus.Import{Path: f.Str(i + 1), At: f.At(i + 1), Kind: corpus.Relative}
		if file := f.pathOf(i); file != "" {
			m.Path, m.Alias = file, m.Path
		}
		f.importing(i, m)
		return i + 3
	}
	return i + 2
}

// pathOf returns the file that #[path = "…"] names for the module whose word is token i, "" for none.
func (f *file) pathOf(i int) string {
	start, _ := f.start(i)
	if start == 0 || f.attrs.next != start {
		return ""
	}
	for _, mark := range f.marks(f.attrs.from, start) {
		name, value, _ := strings.Cut(mark, "=")
		if value = strings.TrimSpace(value); strings.TrimSpace(name) == "path" && len(value) > 2 && value[0] == '"' && value[len(value)-1] == '"' {
			return value[1 : len(value)-1]
		}
	}
	return ""
}

// constant reads const and static.
func (f *file) constant(i int) int {
	name := i + 1
	kind := corpus.Constant
	if f.Key(i) == scan.KStatic {
		kind = corpus.Variable
		if f.Key(name) == scan.KMut || f.Key(name) == scan.KRef {
			name++
		}
	}
	if !f.Name(name) || !f.Sign(name+1, ':') && !f.Sign(name+1, '=') || f.Sign(i-1, '*') {
		return i + 1
	}
	end := f.semicolon(name)
	to := name + 1
	typ, chain := "", ""
	if f.Sign(to, ':') {
		to = f.typeEnd(name + 2)
		typ = f.text(name+2, to)
	}
	if f.Sign(to, '=') {
		chain = f.value(to + 1)
	}
	if !f.Is(name, "_") {
		f.BindAs(f.Str(name), typ, chain, f.At(name), 0)
		d := f.declare(kind, i, name)
		d.Result = typ
		d.Span.End = max(f.End(end-1), f.End(name))
		if f.Sign(end, ';') {
			d.Span.End = f.End(end)
		}
		d.Body = d.Span.End
		if f.Sign(to, '=') {
			d.Body = min(f.At(to+1), d.Span.End)
		} else if f.top().item == class || f.top().item == foreign {
			d.Traits |= corpus.Abstract
		}
	}
	if to > name+2 {
		f.push(frame{end: to, open: -1, sort: types, decl: -1})
	}
	return name + 2
}

// alias reads type.
func (f *file) alias(i int) int {
	if !f.Name(i + 1) {
		return i + 1
	}
	k := f.angle(i + 2)
	if !f.Sign(k, '=') && !f.Sign(k, ':') && !f.Sign(k, ';') && f.Key(k) != scan.KWhere {
		return i + 1
	}
	end := f.semicolon(k)
	d := f.declare(corpus.Type, i, i+1)
	d.Body = f.End(i + 1)
	d.Span.End = max(f.End(end-1), d.Body)
	if f.Sign(end, ';') {
		d.Span.End = f.End(end)
	}
	d.Body = d.Span.End
	for j := k; j < end; j = f.Past(j) {
		if f.Sign(j, '<') {
			j = max(f.angle(j)-1, j)
		} else if f.Sign(j, '=') {
			to := f.typeEnd(j + 1)
			d.Result = f.text(j+1, min(to, end))
			d.Body = f.At(j + 1)
			break
		}
	}
	d.Traits.AddIf(d.Result == "" && f.top().item != module, corpus.Abstract)
	f.push(frame{end: end, open: -1, sort: types, decl: -1})
	return k
}

// external reads extern.
func (f *file) external(i int) int {
	k := i + 1
	if f.Key(k) == scan.KCrate && f.Kind(k+1) == scan.Word {
		m := corpus.Import{Path: f.Str(k + 1), At: f.At(k + 1)}
		if f.Key(k+2) == scan.KAs && f.Kind(k+3) == scan.Word {
			m.Alias = f.Str(k + 3)
			k += 2
		}
		f.importing(i, m)
		return k + 2
	}
	if f.Kind(k) == scan.Text {
		k++
	}
	if f.Opens(k, '{') {
		f.push(frame{end: f.Pair(k), open: k, sort: foreign, decl: -1})
		return k + 1
	}
	return k
}

const (
	maxTree   = 200  // braces in each other
	maxPrefix = 2000 // bytes before a brace
)

// importing adds an import by the statement whose word is token i.
func (f *file) importing(i int, m corpus.Import) {
	start, _ := f.start(i)
	m.Kind.AddIf(f.public(start) && m.Kind&corpus.Relative == 0, corpus.Reexport)
	m.Kind.AddIf(f.depth > 0 || f.top().macro || f.conditional(start), corpus.Conditional)
	f.Out.Imports = append(f.Out.Imports, m)
}

// use reads use.
func (f *file) use(i int) int {
	if k := i + 1; f.Kind(k) != scan.Word && !f.path(k) && !f.Opens(k, '{') && !f.Sign(k, '*') || k >= len(f.Toks) {
		return i + 1
	}
	k := f.SkipSign(f.tree(i, i+1, "", 0), ';')
	return max(k, i+1)
}

// tree reads the tree of paths at token k, behind a prefix, and returns the token
// after it.
func (f *file) tree(i, k int, prefix string, depth int) int {
	from := k
	for k < len(f.Toks) {
		t := &f.Toks[k]
		switch {
		case f.path(k):
			k++
		case f.part(k):
			if k > from && !f.path(k-1) {
				f.Out.Missed++
				return k
			}
			k++
		case f.Sign(k, '*'):
			f.importing(i, corpus.Import{Path: f.joint(prefix, from, k+1), At: f.At(k)})
			return k + 1
		case t.Kind == scan.Open && f.Src[t.At] == '{':
			f.branches(i, k, f.joint(prefix, from, k), depth+1)
			return f.Past(k)
		default:
			return f.leaf(i, from, k, prefix)
		}
	}
	return f.leaf(i, from, k, prefix)
}

// branches reads the trees in brace i behind a prefix.
func (f *file) branches(i, open int, prefix string, depth int) {
	if depth > maxTree || len(prefix) > maxPrefix {
		f.Out.Missed++
		return
	}
	end := min(f.Pair(open), len(f.Toks))
	for k := open + 1; k < end; k++ {
		for k = f.tree(i, k, prefix, depth); k < end && !f.Sign(k, ','); k = f.Past(k) {
			f.Out.Missed++
		}
	}
}

// joint returns a path: the tokens from i up to j behind a prefix.
func (f *file) joint(prefix string, i, j int) string {
	var b strings.Builder
	b.WriteString(prefix)
	for ; i < j; i++ {
		b.Write(f.Bytes(i))
	}
	return b.String()
}

// leaf adds the path from token i up to, without, token k.
func (f *file) leaf(i, from, k int, prefix string) int {
	last := k - 1
	if last < from || !f.part(last) {
		return k
	}
	m := corpus.Import{Path: f.joint(prefix, from, k), At: f.At(last)}
	if f.Key(last) == scan.KSelf && from == last && len(prefix) > 2 {
		m.Path = prefix[:len(prefix)-2] // a::{self} is a
	}
	if f.Key(k) == scan.KAs && f.Kind(k+1) == scan.Word && k+1 < len(f.Toks) {
		m.Alias = f.Str(k + 1)
		k += 2
	}
	f.importing(i, m)
	return k
}
