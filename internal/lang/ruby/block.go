package ruby

import (
	"github.com/assay-dev/assay/internal/lang/scan"
)

// access reports whether token i stands between a thing and its member.
func (f *file) access(i int) bool {
	if i < 0 || i >= len(f.Toks) || f.Toks[i].Kind != scan.Punct {
		return false
	}
	t := &f.Toks[i]
	switch t.End - t.At {
	case 1:
		return f.Src[t.At] == '.'
	case 2:
		return f.Src[t.At+1] == '.' && f.Src[t.At] == '&' || f.Src[t.At] == ':' && f.Src[t.At+1] == ':'
	}
	return false
}

// label reports whether token i is a key: "name:".
func (f *file) label(i int) bool { return f.Adjacent(i) && f.Sign(i+1, ':') }

// keys makes mere words of keywords that are the names of methods and of keys.
func (f *file) keys() {
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Key == 0 {
			continue
		}
		switch {
		case i > 0 && f.access(i-1), f.label(i) && !f.ternary(i):
			t.Key = 0
		case i > 0 && f.Toks[i-1].Key == scan.KDef && (!f.access(i+1) || f.Line(i+1)):
			t.Key = 0
		case t.Key == scan.KDefined && f.Src[t.End-1] != '?':
			t.Key = 0
		}
	}
}

// ternary reports whether token i, which a colon follows, comes after ? with space
// around it.
func (f *file) ternary(i int) bool { return f.Sign(i-1, '?') }

// modifier reports whether the keyword at token i stands behind what it is about.
func (f *file) modifier(i int) bool {
	t := &f.Toks[i]
	if t.Line || i == 0 {
		return false
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Close, scan.Text, scan.Number:
		return true
	case scan.Punct:
		return f.Sign(i-2, '.') // the name of a method
	case scan.Word:
		switch p.Key {
		case 0, scan.KEnd, scan.KSelf, scan.KNil, scan.KTrue, scan.KFalse, scan.KReturn, scan.KBreak, scan.KNext, scan.KRedo, scan.KRetry, scan.KYield, scan.KSuper, scan.KFileName, scan.KLineNumber, scan.KRescue:
			return true
		}
	}
	return false
}

// continued reports whether token i, the first of its line, goes on with what came
// before.
func (f *file) continued(i int) bool {
	if i == 0 {
		return false
	}
	if f.access(i) && !f.Is(i, "::") {
		return true
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Punct:
		return !f.Sign(i-1, ';') && !f.Sign(i-1, '|') && !f.Sign(i-2, '.')
	case scan.Word:
		return p.Key == scan.KAnd || p.Key == scan.KOr || p.Key == scan.KNot
	}
	return false
}

// endless returns whether the method at token i is def f(…) = …, and the token of
// its sign.
func (f *file) endless(i int) (int, bool) {
	k := i + 1
	if f.Word(k) && f.access(k+1) && !f.Line(k+1) {
		k += 2
	} else if f.Sign(k, '(') && f.Sign(f.Pair(k)+1, '.') {
		k = f.Pair(k) + 2
	}
	if !f.Word(k) {
		// An operator.
		from := k
		for k < len(f.Toks) && k < from+4 && !f.Sign(k, '(') && !f.Word(k) && (k == from || f.Adjacent(k-1)) {
			k++
		}
	} else if k++; f.Sign(k, '=') && f.Adjacent(k-1) {
		return 0, false // a setter
	}
	if f.Sign(k, '(') && !f.Line(k) {
		k = f.Past(k)
	}
	return k, f.Sign(k, '=') && !f.Line(k)
}

// starts are the words that a line of their own begins with.
var starts = scan.KeySet("def class module")

// match pairs what opens a block with its end; see [scan.Source.Match].
func (f *file) match(repair bool) bool {
	return f.Match(repair, false, &starts, func(b *scan.Blocks, i int) {
		if n := len(b.Open); n > 0 && b.Open[n-1].Waits && (f.Line(i) || f.Sign(i, ';')) && !f.continued(i) {
			b.Open[n-1].Waits = false
		}
		switch f.Key(i) {
		case scan.KDef:
			if _, ok := f.endless(i); !ok {
				b.Begin(i, false)
			}
		case scan.KClass, scan.KModule, scan.KBegin, scan.KCase:
			b.Begin(i, false)
		case scan.KIf, scan.KUnless:
			if !f.modifier(i) {
				b.Begin(i, false)
			}
		case scan.KWhile, scan.KUntil, scan.KFor:
			if !f.modifier(i) {
				b.Begin(i, true)
			}
		case scan.KDo:
			if n := len(b.Open); n > 0 && b.Open[n-1].Waits {
				b.Open[n-1].Waits = false
				f.Toks[i].Key = scan.KThen // it opens nothing
				return
			}
			b.Begin(i, false)
		case scan.KEnd:
			b.End(i)
		}
	})
}
