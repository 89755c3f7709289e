package zig

import "github.com/assay-dev/assay/internal/lang/scan"

// Where brackets are missing, those that are there pair with wrong ones. Functions
// stand in containers only, and what begins at the left margin in the file's.

// unclosed reports whether bracket i ends without a Close of its own.
func (r *reader) unclosed(i int) bool {
	p := r.Pair(i)
	return p >= len(r.Toks) || r.Toks[p].Kind != scan.Close || int(r.Toks[p].Pair) != i
}

// unbalanced reports whether a bracket of the text has no partner.
func (r *reader) unbalanced() bool {
	for i := range r.Toks {
		switch t := &r.Toks[i]; t.Kind {
		case scan.Close:
			if t.Pair < 0 {
				return true
			}
		case scan.Open:
			if r.unclosed(i) {
				return true
			}
		}
	}
	return false
}

// margin ends what is open before the declaration that begins at token i, if one
// begins there, at the left margin.
func (r *reader) margin(i int) {
	if at := r.At(i); at > 0 && r.Src[at-1] != '\n' || !r.item(i) {
		return
	}
	for k := 1; k < len(r.frames); k++ {
		if r.unclosed(r.frames[k].open) {
			r.recover(i, func(fr *frame) bool { return fr == &r.frames[k-1] })
			return
		}
	}
}

// recover ends what is open before token i, up to a frame that keep says may go on.
func (r *reader) recover(i int, keep func(*frame) bool) {
	n := len(r.frames)
	for n > 1 && !keep(&r.frames[n-1]) {
		n--
	}
	if n == len(r.frames) {
		return
	}
	start, _, _ := r.start(i)
	end := r.End(start - 1)
	from := r.frames[n].made
	if d := r.frames[n].decl; d >= 0 {
		from = min(from, d)
	}
	for k := from; k < len(r.Out.Decls); k++ {
		d := &r.Out.Decls[k]
		d.Span.End = max(min(d.Span.End, end), d.NameAt+len(d.Name))
		d.Body = min(d.Body, d.Span.End)
	}
	for len(r.frames) > n {
		r.pop()
	}
	r.parens = 0
	r.Out.Missed++
}
