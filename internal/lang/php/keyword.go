package php

import (
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// keyword reads what begins with a keyword, and returns the token to go on with.
func (f *file) keyword(i int) int {
	switch f.Toks[i].Key {
	case scan.KPublic, scan.KProtected, scan.KPrivate, scan.KAbstract, scan.KFinal, scan.KVar, scan.KReadonly, scan.KStatic:
		return f.modified(i)
	case scan.KFunction, scan.KFn:
		return f.function(i, i, modifiers{})
	case scan.KClass, scan.KInterface, scan.KTrait, scan.KEnum:
		return f.class(i, i, modifiers{})
	case scan.KConst:
		return f.constants(i, i, modifiers{})
	case scan.KNamespace:
		return f.namespace(i)
	case scan.KUse:
		return f.use(i)
	case scan.KInclude, scan.KIncludeOnce, scan.KRequire, scan.KRequireOnce:
		f.include(i)
	case scan.KNew:
		f.constructed(i)
	case scan.KReturn:
		f.returned(i)
	case scan.KYield:
		f.yielded(i)
	case scan.KForeach:
		f.foreach(i)
	case scan.KCatch:
		f.catch(i)
	case scan.KList:
		if f.Sign(i+1, '(') {
			f.destructured(i + 1)
		}
	case scan.KCase:
		if f.top() == class && f.Word(i+1) { // of an enum
			f.Bind(i+1, "self", "", 0)
			return i + 2
		}
	case scan.KGoto:
		return i + 2
	}
	return i + 1
}

// Modifiers are the words before a declaration.
type modifiers struct {
	hidden, static, abstract bool
	any                      bool // some that only members have
}

// modified reads modifiers and what they stand before.
func (f *file) modified(i int) int {
	var m modifiers
	k := i
	for ; ; k++ {
		switch f.Key(k) {
		case scan.KPrivate, scan.KProtected:
			m.hidden, m.any = true, true
		case scan.KPublic, scan.KVar:
			m.any = true
		case scan.KStatic:
			m.static = true
		case scan.KAbstract:
			m.abstract = true
		case scan.KFinal, scan.KReadonly:
		default:
			return f.member(i, k, m)
		}
		if f.Sign(k+1, '(') && f.Is(k+2, "set") && f.Sign(k+3, ')') {
			k += 3
		}
		if f.access(k + 1) { // static::f()
			return k + 1
		}
	}
}

// member reads what stands behind the modifiers that token from begins, at token i.
func (f *file) member(from, i int, m modifiers) int {
	switch f.Key(i) {
	case scan.KFunction, scan.KFn:
		if m.any {
			f.repair(from)
		}
		return f.function(from, i, m)
	case scan.KClass:
		return f.class(from, i, m)
	case scan.KConst:
		return f.constants(from, i, m)
	}
	// A property, with its type.
	k := i
	for k < i+maxParts && !f.variable(k) && (f.Word(k) || f.Sign(k, '?') || f.Sign(k, '|') || f.Sign(k, '&') || f.Sign(k, '(')) {
		k = f.Past(k)
	}
	if !f.variable(k) {
		return i
	}
	if f.top() == class {
		f.prop = property{f.Quote(i, k), m.static}
		if f.prop.typ == "" {
			f.prop.typ = f.tagged(f.Doc(f.At(from)), "@var", "")
		}
	}
	return k
}

// repair ends the functions that were left open where a member of the class around
// them begins.
func (f *file) repair(i int) {
	n := len(f.frames) - 1
	for n >= 0 && f.frames[n].sort != class {
		n--
	}
	if n < 0 || n == len(f.frames)-1 {
		return
	}
	end := f.End(i - 1)
	if a := f.attr; i > 0 && a.next == i {
		end = f.End(a.from - 1)
	}
	for len(f.frames)-1 > n {
		if fr := f.pop(); fr.decl >= 0 {
			d := &f.Out.Decls[fr.decl]
			d.Span.End = max(end, d.Body)
		}
	}
	f.Out.Missed++
}

// namespace reads namespace A\B; and namespace A\B { … }.
func (f *file) namespace(i int) int {
	k := i + 1
	name := ""
	if f.Word(k) {
		name = f.Str(k)
		k++
	}
	f.Out.Module = cmp.Or(f.Out.Module, name)
	if f.Sign(k, '{') {
		f.body, f.expected = frame{sort: space, decl: -1}, k
		if name != "" {
			f.body.decl = len(f.Out.Decls)
			f.Out.Decls = append(f.Out.Decls, corpus.Decl{Kind: corpus.Module, Name: name, NameAt: f.At(i + 1), Exported: true,
				Span: corpus.Span{Start: f.At(i), End: f.End(f.Last(k))}, Body: f.At(k)})
		}
	}
	return k
}

// use reads what is taken from other namespaces, and the traits of a class.
func (f *file) use(i int) int {
	if f.top() == class {
		return f.traits(i)
	}
	k := i + 1
	if !f.Word(k) { // of a closure
		return k
	}
	kind := f.imports(&k)
	for f.Word(k) {
		m := corpus.Import{Path: f.Str(k), At: f.At(k), Kind: kind}
		k++
		if f.Sign(k, '{') {
			f.leaves(m, k)
			k = f.Past(k)
		} else {
			k = f.alias(&m, k)
			f.Out.Imports = append(f.Out.Imports, m)
		}
		if !f.Sign(k, ',') {
			break
		}
		k++
	}
	return k
}

// imports reads the word function or const at token k, and moves past it.
func (f *file) imports(k *int) corpus.ImportKind {
	if f.Key(*k) == scan.KFunction || f.Key(*k) == scan.KConst {
		*k++
		return corpus.Member
	}
	return 0
}

func (f *file) alias(m *corpus.Import, k int) int {
	if f.Key(k) == scan.KAs && f.Word(k+1) {
		m.Alias = f.Str(k + 1)
		return k + 2
	}
	return k
}

// leaves reads the names in bracket open, which all begin with the path of m.
func (f *file) leaves(m corpus.Import, open int) {
	for _, p := range f.Split(open, ",", false) {
		leaf := m
		k := p[0]
		leaf.Kind |= f.imports(&k)
		if !f.Word(k) {
			continue
		}
		leaf.Path += f.Str(k)
		leaf.At = f.At(k)
		f.alias(&leaf, k+1)
		f.Out.Imports = append(f.Out.Imports, leaf)
	}
}

func (f *file) traits(i int) int {
	var d *corpus.Decl
	if n := f.frames[len(f.frames)-1].decl; n >= 0 {
		d = &f.Out.Decls[n]
	}
	k := i + 1
	for f.Word(k) {
		if d != nil {
			d.Bases = append(d.Bases, f.Str(k))
		}
		if k++; !f.Sign(k, ',') {
			break
		}
		k++
	}
	if f.Sign(k, '{') {
		return f.Past(k)
	}
	return k
}

// include reads include "x", require __DIR__ . "/x", for example.
func (f *file) include(i int) {
	k := f.SkipSign(i+1, '(')
	if f.Is(k, "__DIR__") && f.Sign(k+1, '.') {
		k += 2
	} else if f.Is(k, "dirname") && f.Sign(k+1, '(') && f.Is(k+2, "__FILE__") && f.Sign(k+3, ')') && f.Sign(k+4, '.') {
		k += 5
	}
	if f.Kind(k) != scan.Text || !f.ends(k+1) {
		return
	}
	b := f.Str(k)
	if len(b) < 3 || b[0] != '\'' && b[0] != '"' || b[len(b)-1] != b[0] || strings.ContainsAny(b, "\\\n") || b[0] == '"' && strings.Contains(b, "$") {
		return
	}
	m := corpus.Import{Path: b[1 : len(b)-1], At: f.At(k) + 1, Kind: corpus.Dynamic | corpus.Relative}
	if n := len(f.frames); n > 0 && f.top() != space {
		m.Kind |= corpus.Conditional
	}
	f.Out.Imports = append(f.Out.Imports, m)
}

// ends reports whether an expression ends before token k.
func (f *file) ends(k int) bool {
	if k >= len(f.Toks) {
		return true
	}
	switch t := &f.Toks[k]; t.Kind {
	case scan.Close:
		return true
	case scan.Punct:
		c := f.Src[t.At]
		return t.End-t.At == 1 && (c == ';' || c == ',') || f.Is(k, "?>") || f.Is(k, "??")
	}
	return false
}
