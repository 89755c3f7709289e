package jvm

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// class reads a class, object, trait or enum whose word is token i: the head of it,
// up to its body.
func (r *scalaReader) class(i int) int {
	name := i + 1
	if !r.Name(name) {
		r.Out.Missed++
		return i + 1
	}
	f := r.top()
	s := r.before(i)
	d := corpus.Decl{Kind: corpus.Class, Marks: s.marks, Exported: !s.hidden && !f.local}
	switch {
	case r.Key(i) == scan.KTrait:
		d.Kind = corpus.Trait
	case r.Key(i) == 0:
		d.Kind = corpus.Enum
	case r.Key(i-1) == scan.KPackage:
		d.Kind = corpus.Module
		s.start = min(s.start, i-1)
	case r.Key(i) == scan.KObject:
		d.Traits |= corpus.Static
	}
	d.Traits.AddIf(s.abs, corpus.Abstract)
	d.Traits.AddIf(f.local, corpus.Local)
	around := len(r.frames)
	k := r.template(d, s.start, name, r.head(name+1, &d))
	if n := len(r.frames); s.implied && d.Kind == corpus.Class && n == around+2 && r.frames[n-2].place == members {
		r.frames[n-2].implied = true
	}
	return k
}

// head returns the token after the parameters of a class.
func (r *scalaReader) head(k int, d *corpus.Decl) int {
	column := r.Column(r.line)
	for {
		switch key := r.Key(k); {
		case key == scan.KPrivate || key == scan.KProtected:
			k = r.SkipBracket(k+1, '[')
		case r.annotation(k) > k && !r.Line(k):
			k = r.annotation(k)
		default:
			after := r.clauses(k, column, d)
			if after <= k { // before it: what precedes is beyond the end of what is read
				return after
			}
			k = after
		}
	}
}

// template reads on behind the parameters of a class: what it extends, and where
// its body is. Everything up to the body is read as code.
func (r *scalaReader) template(d corpus.Decl, start, name, k int) int {
	f := r.top()
	column := r.Column(r.line)
	first := name + 1
	params := k
	k = r.parents(&d, k)
	inner := frame{place: members, decl: -1, kind: d.Kind}
	end, jump := k, k
	switch {
	case k >= f.end:
	case r.Sign(k, '{'):
		inner.end = r.Pair(k)
		end, jump = r.Past(k), k+1
		d.Body = r.At(k)
	case (r.Sign(k, ':') || r.Key(k) == scan.KWith) && r.Line(k+1) && k+1 < f.end && r.Column(k+1) > column:
		end = r.region(k+1, column, true)
		inner.end, jump = end, k+1
		d.Body = r.At(k)
	}
	if r.Name(name) {
		inner.decl = r.declare(d, start, name, r.End(min(end, f.end+1)-1))
		inner.name = r.Str(name)
	}
	r.bindClauses(first, params, false)
	if jump > k {
		jump = r.self(jump)
	}
	if inner.end > 0 {
		r.push(inner)
	}
	r.frames = append(r.frames, frame{place: code, end: min(k, f.end), jump: jump, decl: -1, local: true})
	return first
}

// self reads the name that a class gives itself: { self: T =>.
func (r *scalaReader) self(k int) int {
	if !r.Word(k) {
		return k
	}
	end, typ := k+1, ""
	if r.Sign(end, ':') {
		end = r.typeEnd(end+1, true)
		typ = r.Quote(k+2, end)
	}
	if !r.operator(end, "=>") {
		return k
	}
	r.bind(k, typ, "", 0)
	return end + 1
}

// parents reads extends … with … and derives …, and returns the token after them.
func (r *scalaReader) parents(d *corpus.Decl, k int) int {
	end := r.top().end
	if r.Key(k) == scan.KExtends {
		for k < end && (r.Key(k) == scan.KExtends || r.Key(k) == scan.KWith && !r.Sign(k+1, '{') && !r.Line(k+1) || r.Sign(k, ',')) {
			k++
			if r.Sign(k, '{') && r.Key(r.Past(k)) == scan.KWith { // early definitions
				k = r.Past(k)
				continue
			}
			from := k
			for k < end && !r.Sign(k, '{') && !r.Sign(k, ':') && !r.Sign(k, ',') && r.Key(k) != scan.KWith && r.Kind(k) != scan.Close && !r.Sign(k, ';') && (!r.Line(k) || k == from) && r.budget > 0 {
				r.budget--
				if k > from && r.Name(k) && r.Is(k, "derives") {
					break
				}
				k = r.Past(k)
			}
			after := from
			for after < k && !(r.Sign(after, '(') && after > from) {
				after = r.Past(after)
			}
			if after > from {
				d.Bases = append(d.Bases, r.Quote(from, after))
			}
		}
	}
	if r.Name(k) && r.Is(k, "derives") {
		for k++; k < end && (r.Name(k) || r.Sign(k, '.') || r.Sign(k, ',')) && !(r.Line(k) && !r.Sign(k-1, ',')); {
			k++
		}
	}
	return min(k, end)
}

// given reads a given of Scala 3; i+1 where the word is a name.
func (r *scalaReader) given(i int) int {
	f := r.top()
	k := i + 1
	if !r.Name(k) && !r.Sign(k, '[') && !r.Sign(k, '(') || r.Line(k) || r.Sign(i-1, '.') {
		return i + 1
	}
	name := -1
	if r.Name(k) {
		after := k + 1
		for r.Sign(after, '[') || r.Sign(after, '(') {
			after = r.Past(after)
		}
		if r.Sign(after, ':') || r.operator(after, "=") && after == k+1 {
			r.bindClauses(k+1, after, false)
			name, k = k, after
		}
	}
	for name < 0 && (r.Sign(k, '[') || r.Sign(k, '(')) {
		k = r.Past(k)
	}
	if r.Sign(k, ':') || r.operator(k, "=>") {
		k++
	}
	s := r.before(i)
	column := r.Column(r.line)
	d := corpus.Decl{Kind: corpus.Class, Marks: s.marks, Exported: !s.hidden && !f.local}
	if !r.operator(k, "=") {
		end := r.typeEnd(k, false)
		if end == k {
			return i + 1
		}
		d.Bases = []string{r.Quote(k, end)}
		for k = end; r.Sign(k, '('); {
			k = r.Past(k)
		}
	}
	inner := frame{place: members, decl: -1, kind: corpus.Class, ext: f.ext}
	end, jump := k, k
	switch {
	case r.operator(k, "=") && k < f.end:
		d.Kind, d.Bases, d.Result = corpus.Constant, nil, strings.Join(d.Bases, "")
		end, jump = r.region(k+1, column, false), k+1
		inner = frame{place: code, decl: -1, local: true, end: end}
	case r.Key(k) == scan.KWith && r.Sign(k+1, '{'):
		end, jump, inner.end = r.Past(k+1), k+2, r.Pair(k+1)
	case r.Sign(k, '{'):
		end, jump, inner.end = r.Past(k), k+1, r.Pair(k)
	case r.Key(k) == scan.KWith || r.Sign(k, ':') && r.Line(k+1):
		end = r.region(k+1, column, true)
		jump, inner.end = k+1, end
	}
	d.Body = r.At(jump)
	if name >= 0 {
		r.bind(name, d.Result+strings.Join(d.Bases, ""), "", 0)
		inner.decl = r.declare(d, s.start, name, r.End(min(end, f.end+1)-1))
	}
	if inner.end > 0 {
		r.push(inner)
	}
	return jump
}

// extension reads an extension of Scala 3; 0 where the word is a name.
func (r *scalaReader) extension(i int) int {
	k := r.SkipBracket(i+1, '[')
	if !r.Sign(k, '(') || r.Sign(i-1, '.') || r.infix(i) {
		return 0
	}
	typ := ""
	column := r.Column(r.line)
	for r.Sign(k, '(') {
		n := len(r.Out.Bindings)
		r.bindParams(k, -1)
		if b := r.Out.Bindings; len(b) > n && typ == "" && r.Key(k+1) == 0 && !r.Is(k+1, "using") {
			typ = b[n].Type
		}
		k = r.Past(k)
	}
	if cut := strings.IndexAny(typ, "[ ("); cut > 0 {
		typ = typ[:cut]
	}
	f := r.top()
	inner := frame{place: members, decl: -1, kind: f.kind, local: f.local, ext: typ}
	switch {
	case r.Sign(k, '{'):
		inner.end = r.Pair(k)
		k++
	case r.Sign(k, ':') && r.Line(k+1):
		k++
		fallthrough
	case r.Line(k) && r.Column(k) > column, r.Key(k) == scan.KDef, r.soft(k), r.Sign(k, '@'), scalaModifiers.Has(r.Key(k)):
		inner.end = r.region(k, column, true)
	default:
		return 0
	}
	r.push(inner)
	return k
}

// alias reads a type.
func (r *scalaReader) alias(i int) int {
	name := i + 1
	if !r.Name(name) || r.Sign(i-1, '.') {
		return i + 1
	}
	f := r.top()
	s := r.before(i)
	d := corpus.Decl{Kind: corpus.Type, Marks: s.marks, Exported: !s.hidden && !f.local}
	k := r.SkipBracket(name+1, '[')
	for r.operator(k, "<:") || r.operator(k, ">:") || r.operator(k, ":") {
		k = max(r.typeEnd(k+1, false), k+1)
	}
	end := k
	if r.operator(k, "=") && k < f.end {
		end = r.typeEnd(k+1, false)
		d.Result = r.Quote(k+1, end)
		d.Body = r.At(k + 1)
	} else {
		d.Traits |= corpus.Abstract
	}
	r.declare(d, s.start, name, r.End(min(end, f.end)-1))
	return end
}

// space reads package a.b, package a.b { … } and package object.
func (r *scalaReader) space(i int) int {
	if r.Key(i+1) == scan.KObject || !r.Name(i+1) {
		return i + 1
	}
	path, k := r.path(i + 1)
	column := r.Column(r.line)
	if braces := r.Sign(k, '{'); braces || r.Sign(k, ':') && r.Line(k+1) {
		inner := frame{place: members, decl: -1, kind: corpus.Module, end: r.Pair(k)}
		end := r.Past(k)
		if !braces {
			end = r.region(k+1, column, true)
			inner.end = end
		}
		last := k - 1
		scope := strings.TrimSuffix(strings.TrimSuffix(path, r.Str(last)), ".")
		inner.decl = r.declare(corpus.Decl{Kind: corpus.Module, Exported: true, Scope: scope, Body: r.At(k)}, i, last, r.End(min(end, r.top().end+1)-1))
		r.push(inner)
		return k + 1
	}
	if r.Out.Module != "" {
		path = r.Out.Module + "." + path
	}
	r.Out.Module = path
	return k
}
