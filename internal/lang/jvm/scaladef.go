package jvm

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A sign is what stands before a declaration.
type sign struct {
	start                int
	hidden, abs, implied bool
	marks                []string
}

// before walks back from token i over modifiers and annotations.
func (r *scalaReader) before(i int) sign {
	s := sign{start: i}
	for k := i - 1; k >= 0; k = s.start - 1 {
		at := k
		if r.Sign(at, ']') && r.Pair(at) > 0 && (r.Key(r.Pair(at)-1) == scan.KPrivate || r.Key(r.Pair(at)-1) == scan.KProtected) {
			at = r.Pair(at) - 1 // private[x]
		}
		if key := r.Key(at); scalaModifiers.Has(key) || r.soft(at) {
			s.hidden = s.hidden || key == scan.KPrivate || key == scan.KProtected
			s.abs = s.abs || key == scan.KAbstract
			s.implied = s.implied || key == scan.KImplicit
			s.start = at
			continue
		}
		if at = r.marked(k); at < 0 {
			break
		}
		s.marks = append(s.marks, r.Quote(at+1, k+1))
		s.start = at
	}
	for a, b := 0, len(s.marks)-1; a < b; a, b = a+1, b-1 {
		s.marks[a], s.marks[b] = s.marks[b], s.marks[a]
	}
	return s
}

// soft reports whether token i is a modifier that may be a name too.
func (r *scalaReader) soft(i int) bool {
	if !r.Name(i) {
		return false
	}
	switch string(r.Bytes(i)) {
	case "inline", "opaque", "open", "transparent", "infix":
		return !r.Sign(i-1, '.') && !r.operator(i-1, "@")
	}
	return false
}

// marked returns the sign of the annotation that ends with token k; -1 where none does.
func (r *scalaReader) marked(k int) int {
	for n := 0; n < 3 && (r.Sign(k, ')') || r.Sign(k, ']')) && r.Pair(k) > 0; n++ {
		k = r.Pair(k) - 1
	}
	for r.Name(k) {
		switch {
		case r.Sign(k-1, '@'):
			return k - 1
		case !r.Sign(k-1, '.'):
			return -1
		}
		k -= 2
	}
	return -1
}

// kind returns how a function here is called, and its traits.
func (r *scalaReader) kind() (corpus.Kind, corpus.Traits) {
	switch f := r.top(); {
	case f.place == code && f.local:
		return corpus.Function, corpus.Local
	case f.kind != 0 && f.kind != corpus.Module:
		return corpus.Method, 0
	}
	return corpus.Function, 0
}

// function reads a def: the head of it, up to its body.
func (r *scalaReader) function(i int) int {
	name := i + 1
	if !r.Word(name) && (r.Kind(name) != scan.Punct || name >= len(r.Toks)) || r.Key(name) != 0 && r.Key(name) != scan.KThis {
		r.Out.Missed++
		return i + 1
	}
	f := r.top()
	s := r.before(i)
	d := corpus.Decl{Marks: s.marks, Exported: !s.hidden && !f.local}
	d.Kind, d.Traits = r.kind()
	d.Traits.AddIf(r.Key(name) == scan.KThis, corpus.Constructor)
	d.Traits.AddIf(f.implied, corpus.Extension)
	if f.ext != "" {
		d.Traits |= corpus.Extension
		d.Scope = f.ext
	}
	column := r.Column(r.line)
	first := name + 1
	k := r.clauses(first, column, &d)
	params := k
	if r.Sign(k, ':') {
		end := r.typeEnd(k+1, false)
		d.Result = r.Quote(k+1, end)
		k = end
	}
	inner := frame{place: code, decl: -1, kind: corpus.Function, local: true}
	end, jump, value := k, k, ""
	switch {
	case r.operator(k, "=") && k < f.end:
		d.Body = r.At(k + 1)
		end = r.region(k+1, column, false)
		inner.end = end
		jump = k + 1
		if d.Result == "" && r.Key(name) == 0 {
			value = r.value(k+1, end)
		}
	case r.Sign(k, '{') && k < f.end && d.Result == "":
		d.Body = r.At(k)
		end = r.Past(k)
		inner.end = r.Pair(k)
		jump = k + 1
	default:
		d.Traits |= corpus.Abstract
	}
	inner.decl = r.declare(d, s.start, name, r.End(min(end, f.end+1)-1))
	if value != "" {
		r.BindAs("()", "", value, r.At(k+1), 0)
	}
	r.bindClauses(first, params, true)
	if inner.end > 0 {
		r.push(inner)
	}
	r.frames = append(r.frames, frame{place: code, end: min(params, f.end), jump: jump, decl: -1, local: true})
	return first
}

// value returns the chain from token i up to, without, token end; "" where it is
// none.
func (r *scalaReader) value(i, end int) string {
	return untyped(r.blocks(i, end))
}

// untyped returns a chain without its type arguments, which look like an index.
func untyped(chain string) string {
	if strings.Contains(chain, "[]") {
		return strings.ReplaceAll(chain, "[]", "")
	}
	return chain
}

// clauses reads the type parameters and the parameters from token k on, and returns
// the token after them.
func (r *scalaReader) clauses(k, column int, d *corpus.Decl) int {
	end := r.top().end
	for k < end && (r.Sign(k, '(') || r.Sign(k, '[')) && (!r.Line(k) || r.Column(k) > column) {
		if r.Sign(k, '(') {
			d.Params = append(d.Params, r.Params(k, true)...)
		}
		k = r.Past(k)
	}
	return min(k, end)
}

// bindClauses records the parameters in the brackets from token k up to end: as
// fields where they are not numbered.
func (r *scalaReader) bindClauses(k, end int, numbered bool) {
	n := -1
	if numbered {
		n = 0
	}
	for ; k < end; k = r.Past(k) {
		if r.Sign(k, '(') {
			n = r.bindParams(k, n)
		}
	}
}

// bindParams records the parameters in bracket i, the first of which gets the
// number after n; none gets one where n is negative. It returns the last number.
func (r *scalaReader) bindParams(i, n int) int {
	for _, p := range r.Split(i, ",", false) {
		k := p[0]
		for k < p[1] {
			if a := r.annotation(k); a > k {
				k = a
			} else if key := r.Key(k); key == scan.KVal || key == scan.KVar || scalaModifiers.Has(key) || r.Name(k) && r.Name(k+1) {
				k = r.SkipBracket(k+1, '[')
			} else {
				break
			}
		}
		if n >= 0 {
			n++
		}
		if k >= p[1] || !r.Name(k) || k+1 < p[1] && !r.Sign(k+1, ':') {
			continue
		}
		typ, value, end := "", "", k+1
		if r.Sign(k+1, ':') {
			end = min(r.typeEnd(k+2, false), p[1])
			typ = strings.TrimPrefix(r.Quote(k+2, end), "=> ")
		}
		if r.operator(end, "=") {
			value = r.value(end+1, p[1])
		}
		r.bind(k, typ, value, max(n, 0))
	}
	return n
}

// variable reads a val or var whose word is token i, up to its value.
func (r *scalaReader) variable(i int) int {
	f := r.top()
	if f.jump > 0 && f.place == code && r.parameter(i) {
		return i + 1
	}
	column := r.Column(r.line)
	name := i + 1
	if !r.Name(name) || !r.Sign(name+1, ':') && !r.Sign(name+1, ',') && !r.operator(name+1, "=") {
		return r.destructured(i)
	}
	names := []int{name}
	k := name + 1
	for r.Sign(k, ',') && r.Name(k+1) {
		names = append(names, k+1)
		k += 2
	}
	declared, value, end := "", "", k
	if r.Sign(k, ':') {
		end = r.typeEnd(k+1, false)
		declared = r.Quote(k+1, end)
		k = end
	}
	assigned := r.operator(k, "=") && k+1 < f.end
	lambda := false
	if assigned {
		end = r.region(k+1, column, false)
		if value = r.value(k+1, end); value == "" {
			lambda = r.lambda(k+1, end)
		}
	}
	for _, n := range names {
		r.bind(n, declared, value, 0)
	}
	kind, traits := r.kind()
	top := kind == corpus.Function && traits == 0
	if lambda || top {
		s := r.before(i)
		d := corpus.Decl{Kind: corpus.Constant, Marks: s.marks, Exported: !s.hidden && !f.local, Result: declared}
		if lambda {
			d.Kind, d.Traits = kind, traits
		} else if r.Key(i) == scan.KVar {
			d.Kind = corpus.Variable
		}
		if assigned {
			d.Body = r.At(k + 1)
		}
		r.declare(d, s.start, name, r.End(min(end, f.end)-1))
	}
	if assigned {
		return k + 1
	}
	return k
}

// parameter reports whether the val at token i stands in the parentheses of a class.
func (r *scalaReader) parameter(i int) bool {
	for k := i - 1; k >= 0 && k > i-12; k-- {
		if r.Sign(k, '(') || r.Sign(k, ',') {
			return true
		}
		if key := r.Key(k); !scalaModifiers.Has(key) {
			if !r.Sign(k, ']') && !r.Sign(k, '[') && !r.Name(k) && !r.Sign(k, ')') && !r.Sign(k, '@') {
				return false
			}
		}
	}
	return false
}

// lambda reports whether the tokens from i up to end are a function.
func (r *scalaReader) lambda(i, end int) bool {
	if r.Sign(i, '{') && r.Past(i) == end {
		if i++; r.Key(i) == scan.KCase {
			return true
		}
	}
	i = r.SkipKey(i, scan.KImplicit)
	switch {
	case r.Sign(i, '('):
		i = r.Past(i)
	case r.Name(i):
		if i++; r.Sign(i, ':') {
			i = r.typeEnd(i+1, true)
		}
	default:
		return false
	}
	return i < end && r.operator(i, "=>")
}

// destructured reads the pattern behind a val, in which nothing is called.
func (r *scalaReader) destructured(i int) int {
	end := r.top().end
	k := i + 1
	for k < end && !r.operator(k, "=") && (!r.Line(k) || k == i+1) && r.Kind(k) != scan.Close && !r.Sign(k, ';') {
		k = r.Past(k)
	}
	r.bindPattern(i+1, k)
	return max(k, i+1)
}

// bindPattern records the names that a pattern binds: those that begin with a small
// letter.
func (r *scalaReader) bindPattern(i, end int) {
	for k := i; k < end && r.budget > 0; k++ {
		r.budget--
		if !r.Name(k) || r.Sign(k-1, '.') || r.Sign(k+1, '.') || r.Sign(k+1, '(') {
			continue
		}
		if c := r.Src[r.Toks[k].At]; c >= 'A' && c <= 'Z' || c == '_' && r.Toks[k].End-r.Toks[k].At == 1 {
			continue
		}
		typ := ""
		from := k
		if r.Sign(k+1, ':') {
			after := min(r.typeEnd(k+2, true), end)
			typ = r.Quote(k+2, after)
			k = after - 1
		}
		r.bind(from, typ, "", 0)
	}
}
