package rust

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// structure reads struct, enum and union.
func (f *file) structure(i int) int {
	if !f.Name(i + 1) {
		return i + 1
	}
	kind, then := corpus.Struct, types
	if f.Key(i) == scan.KEnum {
		kind, then = corpus.Enum, variants
	}
	end, _ := f.headTo(i + 2)
	if f.Key(i) == 0 && !f.Opens(end, '{') {
		return i + 1 // union is a name as well
	}
	d := f.declare(kind, i, i+1)
	at := len(f.Out.Decls) - 1
	d.Span.End = f.End(end - 1)
	switch {
	case f.Opens(end, '{'):
		d.Body, d.Span.End = f.At(end), f.Closing(end)
		if kind == corpus.Struct {
			f.fields(end)
		} else {
			for _, k := range f.Choices(end) {
				f.BindAs(f.Str(k), d.Name, "", f.At(k), 0)
			}
		}
	case f.Sign(end, ';'):
		d.Span.End = f.End(end)
		k := f.angle(i + 2)
		d.Body = d.Span.End
		if f.Opens(k, '(') {
			d.Body = f.At(k)
			f.elements(k)
		}
	default:
		d.Body = d.Span.End
	}
	f.within(end, then, at, false)
	return i + 2
}

// fields binds the fields in bracket i.
func (f *file) fields(i int) {
	for k := i + 1; k < f.Pair(i) && k < len(f.Toks); {
		switch {
		case f.Sign(k, '#') && f.Opens(k+1, '['):
			k = f.Past(k + 1)
		case f.Kind(k) == scan.Word && f.Sign(k+1, ':'):
			end := f.typeEnd(k + 2)
			f.BindAs(f.Str(k), f.text(k+2, end), "", f.At(k), 0)
			k = max(end, k+2)
		default:
			k = f.Past(k)
		}
	}
}

// elements binds the fields in bracket i, which have numbers.
func (f *file) elements(i int) {
	for n, p := range f.Split(i, ",", true) {
		k := p[0]
		for f.Sign(k, '#') && f.Opens(k+1, '[') {
			k = f.Past(k + 1)
		}
		if f.public(k) {
			if k++; f.Opens(k, '(') && (f.Key(k+1) == scan.KCrate || f.Key(k+1) == scan.KSuper || f.Key(k+1) == scan.KSelf || f.Key(k+1) == scan.KIn) {
				k = f.Past(k)
			}
		}
		if k < p[1] {
			f.BindAs(decimal(n), f.text(k, p[1]), "", f.At(k), 0)
		}
	}
}

func decimal(n int) string {
	if n < 10 {
		return "0123456789"[n : n+1]
	}
	return decimal(n/10) + decimal(n%10)
}

// trait reads trait.
func (f *file) trait(i int) int {
	if !f.Name(i + 1) {
		return i + 1
	}
	end, where := f.headTo(i + 2)
	d := f.declare(corpus.Trait, i, i+1)
	at := len(f.Out.Decls) - 1
	k := f.angle(i + 2)
	if f.Sign(k, ':') || f.Sign(k, '=') {
		d.Bases = f.sums(k+1, where)
	}
	d.Span.End = f.End(end - 1)
	if f.Opens(end, '{') {
		d.Body, d.Span.End = f.At(end), f.Closing(end)
	} else {
		if f.Sign(end, ';') {
			d.Span.End = f.End(end)
		}
		d.Body = d.Span.End
	}
	f.within(end, class, at, d.Exported)
	return i + 2
}

// impl reads impl, where it is no type.
func (f *file) impl(i int) int {
	start, _ := f.start(i)
	if k := start - 1; k >= 0 && f.attrs.next != start {
		switch t := &f.Toks[k]; {
		case t.Kind == scan.Close && f.Src[t.At] != ']', f.Sign(k, ';'), t.Kind == scan.Open && f.Src[t.At] == '{':
		default:
			return i + 1
		}
	}
	k := f.angle(i + 1)
	end, where := f.headTo(k)
	if !f.Opens(end, '{') {
		return i + 1
	}
	of := k // the type
	for j := k; j < where; j = f.Past(j) {
		if f.Key(j) == scan.KFor && !f.Sign(j+1, '<') {
			of = j + 1
			break
		}
	}
	name := f.typeName(of, where)
	if name < 0 {
		f.within(end, class, -1, of > k)
		return k
	}
	d := f.declare(corpus.Class, i, name)
	at := len(f.Out.Decls) - 1
	d.Traits |= corpus.Extension
	d.Exported = false
	if of > k {
		d.Bases = []string{strings.TrimPrefix(f.text(k, of-1), "const ")}
	}
	d.Body, d.Span.End = f.At(end), f.Closing(end)
	f.within(end, class, at, of > k)
	return k
}
