package rust

import "github.com/assay-dev/assay/internal/lang/scan"

// Where brackets are missing, those that are there pair with wrong ones. Items at
// the left margin show where the next one begins.

// unbalanced reports whether a bracket of the text has no partner.
func (f *file) unbalanced() bool {
	for i := range f.Toks {
		switch t := &f.Toks[i]; t.Kind {
		case scan.Close:
			if t.Pair < 0 {
				return true
			}
		case scan.Open:
			if f.unclosed(i) {
				return true
			}
		}
	}
	return false
}

// item reports whether token i, the first of its line, is at the left margin and
// begins an item.
func (f *file) item(i int) bool {
	if at := f.At(i); at > 0 && f.Src[at-1] != '\n' {
		return false
	}
	switch f.Toks[i].Key {
	case scan.KFn, scan.KStruct, scan.KEnum, scan.KTrait, scan.KImpl, scan.KMod, scan.KUse, scan.KConst, scan.KStatic, scan.KType, scan.KExtern, scan.KPub:
		return true
	case scan.KUnsafe, scan.KAsync:
		return !f.opens(i+1, '{') && f.Key(i+1) != scan.KMove
	}
	return f.sign(i, '#') && f.opens(i+1, '[')
}

// recover ends what is open before the item at token i: all but modules and
// macros that have a closing bracket.
func (f *file) recover(i int) {
	n := len(f.frames)
	for k := 1; k < len(f.frames); k++ {
		fr := &f.frames[k]
		if f.unclosed(fr.open) || !fr.macro && fr.sort != module && fr.sort != foreign {
			n = k
			break
		}
	}
	if n == len(f.frames) {
		return
	}
	from := f.frames[n].made
	if from > 0 && !f.holds(n, from-1) {
		from-- // its own
	}
	end := f.End(i - 1)
	for k := from; k < len(f.Out.Decls); k++ {
		d := &f.Out.Decls[k]
		d.Span.End = max(min(d.Span.End, end), d.NameAt+len(d.Name))
		d.Body = min(d.Body, d.Span.End)
	}
	for len(f.frames) > n {
		f.top().from = len(f.Toks) // it has no result
		f.pop()
	}
	f.ended = frame{}
	f.Out.Missed++
}

// holds reports whether one of the first n frames is the body of a declaration.
func (f *file) holds(n, decl int) bool {
	for k := range f.frames[:n] {
		if int(f.frames[k].decl) == decl {
			return true
		}
	}
	return false
}
