package rust

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// word reads token i, a name.
func (f *file) word(i int) int {
	k := i + 1
	if f.Sign(k, '!') && k+1 < len(f.Toks) {
		if f.Toks[k+1].Kind == scan.Open {
			return f.invocation(i)
		}
		if f.Name(k+1) && f.Kind(k+2) == scan.Open && f.Is(i, "macro_rules") {
			return f.macro(i, k+1)
		}
	}
	if f.path(k) && f.Sign(k+1, '<') {
		after := f.angle(k + 1)
		if after == k+1 {
			return k
		}
		k = after
	}
	switch {
	case f.Opens(k, '('):
		if !f.traitCall(i) {
			f.call(i, k, false)
		}
	case f.Opens(k, '{'):
		if f.literal(k) && !f.Sign(i-1, '.') {
			f.call(i, k, true)
		}
	case f.Name(k) && k == i+1:
		switch {
		case f.Is(i, "union"):
			return f.structure(i)
		case f.Is(i, "macro") && f.Kind(k+1) == scan.Open && k+1 < len(f.Toks):
			return f.macro(i, k)
		}
	}
	return k
}

// traitCall reports whether token i is the name of a trait of functions, whose
// parentheses hold types. Macros have types that nothing announces.
func (f *file) traitCall(i int) bool {
	b := f.Bytes(i)
	return !f.path(i-1) && (f.top().macro || f.Key(i-1) == scan.KDyn || f.Key(i-1) == scan.KImpl) && len(b) >= 2 && b[0] == 'F' && b[1] == 'n' && (len(b) == 2 || string(b) == "FnMut" || string(b) == "FnOnce")
}

// invocation reads the macro that token i names.
func (f *file) invocation(i int) int {
	open := i + 2
	f.call(i, open, false)
	fr := frame{end: f.Pair(open), open: open, decl: -1, macro: true}
	switch string(f.Bytes(i)) {
	case "quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "asm", "global_asm", "naked_asm":
		return f.Past(open) // text of a program, not code
	case "matches", "assert_matches", "debug_assert_matches":
		fr.sort = tested
	}
	f.push(fr)
	return open + 1
}

// macro reads the definition of a macro from token i on, with its name.
func (f *file) macro(i, name int) int {
	open := name + 1
	d := f.declare(corpus.Macro, i, name)
	if body := f.Past(open); f.Opens(open, '(') && f.Opens(body, '{') {
		open = body // macro f($x) {…}
	}
	next := f.Past(open)
	if f.Sign(next, ';') && !f.Opens(open, '{') {
		next++
	}
	d.Body, d.Span.End = f.At(open), max(f.Closing(open), f.End(next-1))
	if !f.Closed(open) {
		d.Span.End = f.Closing(open)
	}
	for _, m := range d.Marks {
		d.Exported = d.Exported || m == "macro_export"
	}
	f.crateCalls(open+1, f.Past(open))
	return next
}

// crateCalls reads the calls of $crate::f(…) in the definition of a macro. Only their paths mean the same wherever it is used;
// how many arguments they have is not known, because some may be repeated.
func (f *file) crateCalls(from, to int) {
	for k := from; k < to; k++ {
		if !f.Sign(k, '$') || f.Key(k+1) != scan.KCrate {
			continue
		}
		for k += 2; f.path(k) && f.Name(k+1); {
			k += 2
		}
		name := k - 1
		if f.path(k) && f.Sign(k+1, '<') {
			k = f.angle(k + 1)
		}
		if f.Name(name) && (f.Sign(k, '!') || f.Opens(k, '(')) {
			f.call(name, k, false)
			f.Out.Calls[len(f.Out.Calls)-1].Args = -1
		}
	}
}

// keyword reads token i, a keyword.
func (f *file) keyword(i int) int {
	switch f.Toks[i].Key {
	case scan.KFn, scan.KStruct, scan.KEnum, scan.KTrait, scan.KImpl, scan.KMod, scan.KUse, scan.KConst, scan.KStatic, scan.KType, scan.KExtern:
		return f.itemWord(i)
	case scan.KPub:
		if f.Opens(i+1, '(') {
			switch f.Key(i + 2) {
			case scan.KCrate, scan.KSelf, scan.KSuper, scan.KIn:
				return f.Past(i + 1)
			}
		}
	case scan.KLet:
		return f.let(i)
	case scan.KIf, scan.KWhile:
		f.head(i, block)
	case scan.KMatch:
		f.head(i, arms)
		if fr := f.top(); fr.sort == head && fr.then == arms {
			fr.chain = f.value(i + 1)
		}
	case scan.KFor:
		return f.loop(i)
	case scan.KReturn:
		if f.depth > 0 {
			if v := f.value(i + 1); v != "" {
				f.BindAs("()", "", v, f.At(i+1), 0)
			}
		}
	case scan.KSelf:
		if f.Opens(i+1, '(') {
			f.call(i, i+1, false) // of a trait of functions
		}
	case scan.KAs:
		return f.cast(i + 1)
	}
	return i + 1
}

// cast skips the type after as.
func (f *file) cast(i int) int {
	for k := i; k < len(f.Toks); k++ {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Word && (t.Key == 0 && !f.Opens(k+1, '(') || t.Key == scan.KConst || t.Key == scan.KMut || t.Key == scan.KDyn || t.Key == scan.KSelfType || t.Key == scan.KCrate || t.Key == scan.KSuper):
		case t.Kind == scan.Text, f.Sign(k, '&'), f.Sign(k, '*') && k == i, f.path(k), f.Is(k, "&&") && k == i:
		case f.Sign(k, '<'):
			return max(f.angle(k), k+1)
		default:
			return max(k, i)
		}
		if t.Kind == scan.Word && t.Key != scan.KConst && t.Key != scan.KMut && t.Key != scan.KDyn && !f.path(k+1) && !f.Sign(k+1, '<') {
			return k + 1
		}
	}
	return len(f.Toks)
}

// headEnd returns the brace that begins the block after the condition or the
// value from token i on, and -1 where there is none. No struct literal stands
// there, but other blocks may.
func (f *file) headEnd(i int) int {
	need := 1
	for k := i; k < f.top().end; {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Close, f.Sign(k, ';'), need > 8:
			return -1
		case t.Key == scan.KLet:
			k = max(f.patternEnd(k+1), k+1)
			continue
		case t.Key == scan.KIf, t.Key == scan.KMatch, t.Key == scan.KWhile, t.Key == scan.KFor && !f.Sign(k+1, '<'):
			need++
		case f.path(k) && f.Sign(k+1, '<'):
			k = max(f.angle(k+1), k+2)
			continue
		case t.Kind == scan.Open && f.Src[t.At] == '{' && !f.nested(k-1, i):
			if need--; need == 0 {
				return k
			}
		}
		k = f.Past(k)
	}
	return -1
}

// nested reports whether a brace behind token i is a block in a condition that
// begins at token from.
func (f *file) nested(i, from int) bool {
	if i < from {
		return true
	}
	switch t := &f.Toks[i]; t.Kind {
	case scan.Word:
		switch t.Key {
		case scan.KUnsafe, scan.KAsync, scan.KLoop, scan.KMove, scan.KElse, scan.KConst, scan.KIf, scan.KMatch, scan.KWhile:
			return true
		}
	case scan.Punct:
		return f.Src[t.At] != '?' && f.Src[t.At] != '>' && !f.Is(i, "..")
	}
	return false
}

// head pushes the frame of what stands before a block.
func (f *file) head(i int, then sort) {
	if end := f.headEnd(i + 1); end >= 0 {
		f.push(frame{end: end, open: -1, sort: head, heads: true, then: then, decl: -1})
	}
}

// loop reads for.
func (f *file) loop(i int) int {
	in := f.patternEnd(i + 1)
	if f.Key(in) != scan.KIn {
		return i + 1
	}
	chain := ""
	if end := f.headEnd(in + 1); end >= 0 {
		f.push(frame{end: end, open: -1, sort: head, heads: true, decl: -1})
		if chain = f.value(in + 1); chain != "" {
			chain += "[]"
		}
	}
	f.pattern(i+1, in, "", chain, 0)
	return in + 1
}
