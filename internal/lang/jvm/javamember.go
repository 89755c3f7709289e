package jvm

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// member reads what stands directly in a class or file, from token i on.
func (j *javaReader) member(i int) int {
	switch {
	case j.Sign(i, ';'), j.Kind(i) == scan.Close:
		return i + 1
	case j.Sign(i, ',') && j.Name(i+1) && j.top().typEnd > 0:
		return j.field(j.top().typ, j.top().typEnd, i+1)
	case j.Sign(i, '{'):
		j.push(frame{place: code, end: j.Pair(i), decl: -1, local: true})
		return i + 1
	}
	h, k := j.head(i, true)
	switch {
	case j.Sign(k, '{'): // static
		j.push(frame{place: code, end: j.Pair(k), decl: -1, local: true})
		return k + 1
	case j.Key(k) == scan.KPackage:
		j.Out.Module, k = j.path(k + 1)
		return k
	case j.Key(k) == scan.KImport && len(j.frames) == 1:
		return j.imported(k)
	case j.classWord(k):
		return j.class(h, k)
	case len(j.frames) == 1 && j.module(k):
		return j.Past(j.open(k))
	}
	return j.function(h, k)
}

// classWord reports whether token k is the word before a class's name.
func (j *javaReader) classWord(k int) bool {
	switch j.Key(k) {
	case scan.KClass, scan.KInterface, scan.KEnum:
		return j.Name(k + 1)
	case 0:
		return j.Sign(k, '@') && j.Key(k+1) == scan.KInterface && j.Name(k+2) ||
			j.Name(k) && j.Name(k+1) && (j.Sign(k+2, '(') || j.Sign(k+2, '<')) && j.Is(k, "record") && j.recordHead(k)
	}
	return false
}

// recordHead tells a record from a method whose type has that name.
func (j *javaReader) recordHead(k int) bool {
	at := j.Angle(k + 2)
	if !j.Sign(at, '(') {
		return false
	}
	at = j.Past(at)
	return j.Sign(at, '{') || j.Key(at) == scan.KImplements
}

// module reads the head of a module-info.
func (j *javaReader) module(k int) bool {
	if j.Is(k, "open") && j.Is(k+1, "module") {
		k++
	}
	if !j.Is(k, "module") || !j.Name(k+1) {
		return false
	}
	name, end := j.path(k + 1)
	if !j.Sign(end, '{') {
		return false
	}
	j.Out.Module = name
	return true
}

// open returns the first opening bracket from token k on.
func (j *javaReader) open(k int) int {
	for k < len(j.Toks) && j.Toks[k].Kind != scan.Open {
		k++
	}
	return k
}

func (j *javaReader) imported(k int) int {
	m := corpus.Import{}
	if k++; j.Key(k) == scan.KStatic {
		m.Kind = corpus.Member
		k++
	}
	if j.Is(k, "module") && j.Name(k+1) {
		k++
	}
	if !j.Name(k) {
		j.Out.Missed++
		return k
	}
	m.At = j.At(k)
	m.Path, k = j.path(k)
	if j.Sign(k, '.') && j.Sign(k+1, '*') {
		m.Path += ".*"
		k += 2
	}
	j.Out.Imports = append(j.Out.Imports, m)
	return k
}

// class reads a class whose word is token k: the head of it, up to its body.
func (j *javaReader) class(h head, k int) int {
	f := j.top()
	d := corpus.Decl{Kind: corpus.Class, Marks: h.marks, Exported: h.words.Has(scan.KPublic) || f.kind == corpus.Interface && !h.words.Has(scan.KPrivate)}
	switch j.Key(k) {
	case scan.KInterface:
		d.Kind = corpus.Interface
	case scan.KEnum:
		d.Kind = corpus.Enum
	}
	if j.Sign(k, '@') {
		d.Kind = corpus.Interface
		k++
	}
	d.Traits.AddIf(h.words.Has(scan.KStatic), corpus.Static)
	d.Traits.AddIf(h.words.Has(scan.KAbstract), corpus.Abstract)
	d.Traits.AddIf(f.local, corpus.Local)
	record := j.Key(k) == 0
	name := k + 1
	k = name + 1
	k = max(k, j.Angle(k))
	components := -1
	if record && j.Sign(k, '(') {
		components = k
		d.Params = j.Params(k, true)
		k = j.Past(k)
	}
	for k < f.end && !j.Sign(k, '{') {
		switch key := j.Key(k); {
		case key == scan.KExtends, key == scan.KImplements:
			k = j.bases(&d, k+1)
		case j.Sign(k, ';') || j.Kind(k) == scan.Close || j.Line(k) && modifiers.Has(key):
			j.Out.Missed++
			j.declare(d, h.start, name, j.End(k-1))
			return k
		default:
			k = j.Past(k)
		}
	}
	if k >= f.end {
		j.Out.Missed++
		j.declare(d, h.start, name, j.End(f.end-1))
		return f.end
	}
	d.Body = j.At(k)
	at := j.declare(d, h.start, name, j.End(min(j.Pair(k), f.end)))
	if components >= 0 {
		j.bindParams(components, false)
	}
	place := members
	if d.Kind == corpus.Enum {
		place = constants
	}
	j.push(frame{place: place, end: j.Pair(k), decl: at, name: j.Str(name), kind: d.Kind})
	return k + 1
}

// bases reads types with commas between them.
func (j *javaReader) bases(d *corpus.Decl, k int) int {
	for {
		after := j.typeEnd(k)
		if after == k {
			return k
		}
		d.Bases = append(d.Bases, j.Quote(k, after))
		if !j.Sign(after, ',') {
			return after
		}
		k = after + 1
	}
}

// constant reads the constants of an enum.
func (j *javaReader) constant(i int) int {
	f := j.top()
	switch {
	case j.Sign(i, '@'):
		return max(j.annotation(i), i+1)
	case j.Sign(i, ','):
		return i + 1
	case j.Name(i):
		j.bind(i, f.name, "", 0)
		if j.Sign(i+1, '(') {
			if k := j.Past(i + 1); j.Sign(k, '{') {
				j.anonymous = append(j.anonymous, k)
			}
			j.push(frame{place: code, end: j.Pair(i + 1), decl: -1, local: true})
			return i + 2
		}
		return i + 1
	case j.Sign(i, '{'):
		j.push(frame{place: members, end: j.Pair(i), decl: -1, local: true})
		return i + 1
	case j.Sign(i, ';'):
		f.place = members
		return i + 1
	case j.Kind(i) == scan.Close:
		return i + 1
	}
	// Without the ; between: what follows is members all the same.
	f.place = members
	return j.member(i)
}

// function reads a method, a constructor or fields, whose modifiers end before token k.
func (j *javaReader) function(h head, k int) int {
	from := k
	if j.Sign(k, '<') {
		k = j.annotations(j.Angle(k))
	}
	if j.Name(k) && (j.Sign(k+1, '(') || j.Sign(k+1, '{') && j.Is(k, j.top().name)) {
		return j.method(h, k, "", true)
	}
	end := j.typeEnd(k)
	if end > k && j.Name(end) {
		if j.Sign(end+1, '(') {
			return j.method(h, end, j.Quote(k, end), false)
		}
		return j.field(k, end, end)
	}
	// What this is nobody knows; the next member begins behind it.
	j.Out.Missed++
	for k = max(from, h.start+1); k < j.top().end; k = j.Past(k) {
		if j.Sign(k, ';') || j.Sign(k, '{') || j.Line(k) && j.resumes(k) {
			break
		}
	}
	return k
}

// resumes reports whether a member seems to begin at token k.
func (j *javaReader) resumes(k int) bool {
	if key := j.Key(k); modifiers.Has(key) || j.classWord(k) || j.Sign(k, '@') {
		return true
	}
	end := j.typeEnd(k)
	return end > k && j.Name(end) && (j.Sign(end+1, '(') || j.Sign(end+1, ';') || j.Sign(end+1, '='))
}

func (j *javaReader) method(h head, name int, result string, constructor bool) int {
	f := j.top()
	d := corpus.Decl{Kind: corpus.Method, Result: result, Marks: h.marks}
	d.Exported = h.words.Has(scan.KPublic) || f.kind == corpus.Interface && !h.words.Has(scan.KPrivate)
	d.Traits.AddIf(constructor, corpus.Constructor)
	d.Traits.AddIf(h.words.Has(scan.KStatic), corpus.Static)
	d.Traits.AddIf(h.words.Has(scan.KPrivate), corpus.Private)
	if len(j.frames) == 1 {
		d.Kind = corpus.Function
	}
	params := name + 1
	k := params
	listed := j.Sign(params, '(') && j.Closed(params)
	if listed {
		d.Params = j.Params(params, true)
		k = j.Past(params)
	} else if !j.Sign(params, '{') {
		j.Out.Missed++
		k++
	}
	for ; k < f.end && !j.Sign(k, '{') && !j.Sign(k, ';'); k = j.Past(k) {
		if key := j.Key(k); j.Kind(k) == scan.Close || j.Line(k) && (modifiers.Has(key) && key != scan.KDefault || j.Sign(k, '@')) {
			j.Out.Missed++
			k--
			break
		}
		if j.Key(k) == scan.KDefault {
			for k < f.end && !j.Sign(k, ';') {
				k = j.Past(k)
			}
			break
		}
	}
	body := j.Sign(k, '{')
	end := j.End(min(k, f.end-1))
	if body {
		d.Body = j.At(k)
		end = j.End(min(j.Pair(k), f.end))
	} else {
		d.Traits |= corpus.Abstract
	}
	at := j.declare(d, h.start, name, end)
	if listed {
		j.bindParams(params, true)
	}
	if body {
		j.push(frame{place: code, end: j.Pair(k), decl: at, kind: corpus.Method, local: true})
	}
	return k + 1
}

// bindParams records the parameters in bracket i; as fields where they are not
// numbered.
func (j *javaReader) bindParams(i int, numbered bool) {
	for n, p := range j.Split(i, ",", true) {
		_, from := j.head(p[0], false)
		end := j.typeEnd(from)
		if end == from || end >= p[1] || !j.Word(end) {
			continue
		}
		n++
		if !numbered {
			n = 0
		}
		j.bind(end, j.typed(from, end, end+1), "", n)
	}
}

// typed returns the type from token i on, without end; brackets at token k, behind
// the name, belong to it.
func (j *javaReader) typed(i, end, k int) string {
	i = j.annotations(i)
	t := j.Quote(i, end)
	if t == "var" {
		t = ""
	}
	for j.Sign(k, '[') && j.Sign(k+1, ']') {
		t += "[]"
		k += 2
	}
	return t
}

// field reads a field whose type begins at token typ, up to its value.
func (j *javaReader) field(typ, typeEnd, name int) int {
	f := j.top()
	f.typ, f.typEnd = typ, typeEnd
	from := j.dimensions(name + 1)
	value := ""
	k := from
	if j.Sign(from, '=') {
		k++
		if chain, next := j.reference(j.Chain(k)); j.Sign(next, ';') || j.Sign(next, ',') {
			value = chain
		}
	}
	j.bind(name, j.typed(typ, typeEnd, name+1), value, 0)
	for ; k < f.end && !j.Sign(k, ';') && !j.Sign(k, ','); k = j.Past(k) {
		if key := j.Key(k); j.Line(k) && modifiers.Has(key) && key != scan.KDefault && key != scan.KSynchronized {
			j.Out.Missed++
			break
		}
		if a := j.Angle(k); a > k {
			k = a - 1
		}
	}
	if j.Sign(from, '=') {
		j.push(frame{place: code, end: k, decl: -1, local: true})
		return from + 1
	}
	return k
}
