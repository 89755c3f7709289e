package rust

import (
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// patternEnd returns the token that ends the pattern that begins at i.
func (f *file) patternEnd(i int) int {
	k := i
	for k < len(f.Toks) {
		t := &f.Toks[k]
		switch t.Kind {
		case scan.Close:
			return k
		case scan.Open:
			if f.Src[t.At] == '{' && (k == i || f.Toks[k-1].Kind != scan.Word && !f.Sign(k-1, '>')) {
				return k
			}
		case scan.Word:
			switch t.Key {
			case 0, scan.KMut, scan.KRef, scan.KSelf, scan.KSelfType, scan.KCrate, scan.KSuper, scan.KTrue, scan.KFalse, scan.KConst:
			default:
				return k
			}
		case scan.Punct:
			switch f.Src[t.At] {
			case ':':
				if t.End-t.At == 1 {
					return k
				}
			case '=', ';', ',', '?', '>', '+', '*':
				return k
			case '<':
				after := f.angle(k)
				if after == k {
					return k
				}
				k = after
				continue
			}
		}
		k = f.Past(k)
	}
	return k
}

// pattern binds the names of the pattern from token i up to j. What it is matched
// with has the type, or the value: a chain.
func (f *file) pattern(i, j int, typ, value string, param int) {
	k := i
	for k < j && (f.Sign(k, '&') || f.Is(k, "&&") || f.Key(k) == scan.KMut || f.Key(k) == scan.KRef) {
		k++
	}
	if f.Name(k) && (k+1 == j || f.Sign(k+1, '@')) {
		if f.binds(k) || f.Key(i) == scan.KMut {
			f.BindAs(f.Str(k), typ, value, f.At(k), param)
		}
		k++
	} else if p, end := f.wrapped(k, j); p >= 0 {
		if value != "" {
			value += "[]"
		}
		f.BindAs(f.Str(p), "", value, f.At(p), param)
		k = end
	}
	for ; k < j; k++ {
		switch {
		case f.Name(k) && f.binds(k) && !f.path(k-1) && !f.Sign(k-1, '.'):
			if f.path(k+1) || f.Sign(k+1, ':') || f.Sign(k+1, '!') || k+1 < len(f.Toks) && f.Toks[k+1].Kind == scan.Open {
				continue
			}
			f.BindAs(f.Str(k), "", "", f.At(k), param)
		case f.Sign(k, '<'):
			k = max(f.angle(k)-1, k)
		}
	}
}

// wrapped returns the one name in the pattern Path(name) from token i up to j,
// and the pattern's end; -1 where it is another one.
func (f *file) wrapped(i, j int) (name, end int) {
	k := i
	for f.part(k) && f.path(k+1) {
		k += 2
	}
	if !f.part(k) || !f.Opens(k+1, '(') || f.Past(k+1) > j {
		return -1, i
	}
	end = f.Past(k + 1)
	k += 2
	for f.Sign(k, '&') || f.Key(k) == scan.KMut || f.Key(k) == scan.KRef {
		k++
	}
	if f.Name(k) && f.binds(k) && (k+2 == end || f.Sign(k+1, ',') && k+3 == end) {
		return k, end
	}
	return -1, i
}

// binds reports whether name i, alone, is bound by a pattern: one with a capital
// is that of a constant.
func (f *file) binds(i int) bool {
	b := f.Bytes(i)
	return len(b) > 0 && (b[0] < 'A' || b[0] > 'Z') && !(len(b) == 1 && b[0] == '_')
}

// let reads let, of a statement or in a condition.
func (f *file) let(i int) int {
	to := f.patternEnd(i + 1)
	next := to
	typ, chain := "", ""
	if f.Sign(to, ':') {
		next = f.typeEnd(to + 1)
		typ = f.text(to+1, next)
	}
	if f.Sign(next, '=') {
		if f.Name(to-1) && (to-1 == i+1 || to-1 == i+2 && f.Key(i+1) == scan.KMut) {
			if open := f.closureAt(next + 1); open >= 0 {
				return f.bound(i, to-1, open)
			}
		}
		chain = f.value(next + 1)
	}
	f.pattern(i+1, to, typ, chain, 0)
	if next > to+1 {
		f.push(frame{end: next, open: -1, sort: types, decl: -1})
		return to + 1
	}
	return max(to, i+1)
}

// closureAt returns the | that begins the parameters of the closure at token i,
// and -1 where there is none.
func (f *file) closureAt(i int) int {
	for f.Key(i) == scan.KMove || f.Key(i) == scan.KAsync || f.Key(i) == scan.KStatic || f.Key(i) == scan.KConst {
		i++
	}
	if f.Sign(i, '|') || f.Is(i, "||") {
		return i
	}
	return -1
}

// bound declares the closure that let, token i, gives a name.
func (f *file) bound(i, name, open int) int {
	end := f.semicolon(open)
	d := f.declare(corpus.Function, i, name)
	d.Traits |= corpus.Local
	d.Exported = false
	// Before its let the name means something else.
	f.BindAs(corpus.BlockMark+d.Name, "", strconv.Itoa(f.At(f.top().end)-f.At(i)+1), max(f.At(i)-1, 0), 0)
	if f.Key(open-1) == scan.KAsync || f.Key(open-1) == scan.KMove && f.Key(open-2) == scan.KAsync {
		d.Traits |= corpus.Async
	}
	end = f.SkipSign(end, ';')
	d.Span.End = max(f.End(end-1), d.NameAt+len(d.Name))
	d.Body = d.Span.End
	if f.Sign(open, '|') {
		to, params := f.parameters(open)
		if to < 0 {
			return open + 1
		}
		for n, p := range params {
			d.Params = append(d.Params, f.text(p[0], p[1]))
			f.parameter(p[0], p[1], n+1)
		}
		open = to
	}
	next := open + 1
	if f.Is(next, "->") {
		to := f.typeEnd(next + 1)
		d.Result = f.text(next+1, to)
		next = to
	}
	if next < end {
		d.Body = f.At(next)
		last := end
		if f.Sign(end-1, ';') {
			last--
		}
		f.result(next, last)
	}
	return next
}

// closure reads the parameters of a closure from its first | on.
func (f *file) closure(i int, bind bool) int {
	to, params := f.parameters(i)
	if to < 0 {
		return i + 1
	}
	if bind {
		for _, p := range params {
			f.parameter(p[0], p[1], 0)
		}
	}
	return to + 1
}

// parameters returns the ranges of a closure's parameters, and the | that ends
// them; -1 where there is none.
func (f *file) parameters(i int) (end int, params [][2]int) {
	depth, from := 0, i+1
	for k := i + 1; k < f.top().end; k = f.Past(k) {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Close || t.Key == scan.KLet:
			return -1, nil
		case t.Kind != scan.Punct:
		case f.Src[t.At] == ';' || f.Is(k, "=>"):
			return -1, nil
		case f.Src[t.At] == '<':
			depth++
		case f.Src[t.At] == '>':
			depth--
		case f.Sign(k, ',') && depth <= 0, f.Sign(k, '|'):
			if k > from {
				params = append(params, [2]int{from, k})
			}
			from = k + 1
			if f.Sign(k, '|') {
				return k, params
			}
		}
	}
	return -1, nil
}

// parameter binds the names of a parameter.
func (f *file) parameter(i, j, n int) {
	for f.Sign(i, '#') && f.Opens(i+1, '[') && i < j {
		i = f.Past(i + 1)
	}
	to := min(f.patternEnd(i), j)
	typ := ""
	if f.Sign(to, ':') {
		typ = f.text(to+1, j)
	}
	f.pattern(i, to, typ, "", n)
}

// arm reads the pattern of an arm that begins at token i.
func (f *file) arm(i int) int {
	fr := f.top()
	if fr.sort != arms || fr.state == broken {
		return i
	}
	for f.Sign(i, '#') && f.Opens(i+1, '[') {
		i = f.Past(i + 1)
	}
	k := i
	for k < fr.end && f.Toks[k].Key != scan.KIf && !f.Is(k, "=>") && !f.Sign(k, ';') && f.Toks[k].Kind != scan.Close {
		k = f.Past(k)
	}
	fr.state = guard
	switch {
	case f.Key(k) == scan.KIf:
		f.pattern(i, k, "", fr.chain, 0)
		return k + 1
	case f.Is(k, "=>"):
		f.pattern(i, k, "", fr.chain, 0)
		return f.arrow(k + 1)
	}
	fr.state = broken
	if i < fr.end {
		f.Out.Missed++
	}
	return i
}

// arrow begins the expression of an arm at token i.
func (f *file) arrow(i int) int {
	fr := f.top()
	fr.state = value
	switch f.Key(i) {
	case scan.KIf, scan.KMatch, scan.KWhile, scan.KFor, scan.KLoop, scan.KUnsafe:
		fr.block = true
	default:
		fr.block = f.Opens(i, '{') || f.Kind(i) == scan.Text && f.Sign(i+1, ':')
	}
	return i
}

// testedPattern reads the pattern of matches! from token i on.
func (f *file) testedPattern(i int) int {
	fr := f.top()
	k := i
	for k < fr.end && f.Toks[k].Key != scan.KIf && !f.Sign(k, ',') {
		k = f.Past(k)
	}
	chain, next := f.chain(fr.open+1, 0)
	if next != i-1 || strings.HasPrefix(chain, scan.Unknown) {
		chain = ""
	}
	f.pattern(i, k, "", chain, 0)
	return k
}
