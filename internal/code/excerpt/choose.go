package excerpt

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Fold returns which lines of a range to show within so many bytes: all of them if they fit; else
// without the bodies of what is declared inside, longest first; if those that are left are still too
// many, the first lines and the names of what is declared; and else the first lines alone. of is the
// declaration that the range is, or -1.
func (f *File) Fold(whole corpus.Range, of, budget int) []corpus.Range {
	kept := []corpus.Range{whole}
	if f.Cost(whole, kept) <= budget {
		return kept
	}
	bodies := f.bodies(whole, of)
	for n := 1; n <= len(bodies); n++ {
		kept = Gaps(whole, Join(bodies[:n], 0))
		if f.Cost(whole, kept) <= budget {
			return kept
		}
	}
	if out := f.outline(whole, of, budget); out != nil {
		return out
	}
	return f.Cut(whole, []corpus.Range{whole}, budget)
}

// outline returns the first lines of a range and the line of each name that is declared in it, or of
// each that is at its top; nil if that does not fit or there are none.
func (f *File) outline(whole corpus.Range, of, budget int) []corpus.Range {
	head := f.Cut(whole, []corpus.Range{whole}, budget/4)
	for _, deep := range []bool{true, false} {
		kept, names := slices.Clone(head), 0
		for i := range f.Decls {
			d := &f.Decls[i]
			n := f.LineAt(d.NameAt)
			outside := n < whole.First || n > whole.Last
			if i == of || outside || f.IsLocal(d) {
				continue
			}
			if !deep && int(d.Parent) != of {
				continue
			}
			kept = append(kept, corpus.Range{First: n, Last: n})
			names++
		}
		if kept = Join(kept, 0); names > 1 && f.Cost(whole, kept) <= budget {
			return kept
		}
	}
	return nil
}

// bodies returns the lines of the bodies inside a range, longest first: what is between the head of a
// declaration and its last line.
func (f *File) bodies(whole corpus.Range, of int) (out []corpus.Range) {
	for i := range f.Decls {
		d := &f.Decls[i]
		if i == of || !IsCallable(d.Kind) || f.IsLocal(d) {
			continue
		}
		r := f.Lines(d.Span)
		if r.First < whole.First || r.Last > whole.Last {
			continue
		}
		body := corpus.Range{First: f.Head(d).Last + 1, Last: r.Last - 1}
		if line := f.Line(r.Last); len(line) > 0 && body.Last >= body.First && !closes(line) {
			body.Last = r.Last
		}
		if body.Last-body.First >= 2 {
			out = append(out, body)
		}
	}
	slices.SortStableFunc(out, func(a, b corpus.Range) int { return (b.Last - b.First) - (a.Last - a.First) })
	return out
}

// closes reports whether a line only ends a block.
func closes(line []byte) bool {
	for _, c := range line {
		switch c {
		case ' ', '\t', '}', ')', ']', ';', ',', 'e', 'n', 'd':
		default:
			return false
		}
	}
	return true
}

// Cut returns the first lines of those that are kept, as many as fit; one in any case.
func (f *File) Cut(whole corpus.Range, kept []corpus.Range, budget int) (out []corpus.Range) {
	left := budget - gapBytes*2
	for _, r := range kept {
		last := r.First - 1
		for n := r.First; n <= r.Last; n++ {
			cost := f.Cost(corpus.Range{First: n, Last: n}, []corpus.Range{{First: n, Last: n}})
			if cost > left && (n > r.First || len(out) > 0) {
				break
			}
			left -= cost
			last = n
		}
		if last >= r.First {
			out = append(out, corpus.Range{First: r.First, Last: last})
		}
		if last < r.Last {
			return out
		}
		left -= gapBytes
	}
	return out
}

// Relevant returns which lines of a declaration to show within so many bytes: all of them if they
// fit; else its head, and of the rest those around which most of the weight is.
func (f *File) Relevant(whole corpus.Range, of, budget int, weigh func(line []byte) float64) []corpus.Range {
	if all := []corpus.Range{whole}; f.Cost(whole, all) <= budget {
		return all
	}
	kept := []corpus.Range{f.headIn(whole, of)}
	weights := f.smoothed(whole, weigh)
	for {
		best, most := 0, 0.0
		for n := whole.First; n <= whole.Last; n++ {
			if w := weights[n-whole.First]; w > most && !inside(kept, n) {
				best, most = n, w
			}
		}
		if best == 0 {
			return kept
		}
		next := Join(append(slices.Clone(kept), corpus.Range{First: max(whole.First, best-reach), Last: min(whole.Last, best+reach)}), maxHole)
		if f.Cost(whole, next) > budget {
			return kept
		}
		kept = next
	}
}

const (
	reach = 5 // lines before and after a relevant one that are shown with it
	// maxHole is the most lines between two shown ones that are shown too: who reads a function with holes opens
	// its file after all.
	maxHole = 8
)

// headIn returns the head of the declaration of a range, or its first lines where it is none.
func (f *File) headIn(whole corpus.Range, of int) corpus.Range {
	if of < 0 {
		return corpus.Range{First: whole.First, Last: whole.First}
	}
	h := f.Head(&f.Decls[of])
	return corpus.Range{First: max(whole.First, min(h.First, whole.Last)), Last: min(h.Last, whole.Last)}
}

// smoothed returns the weights of lines, each with a part of those beside it: a statement of several
// lines counts for all that it says.
func (f *File) smoothed(whole corpus.Range, weigh func(line []byte) float64) []float64 {
	own := make([]float64, whole.Last-whole.First+1)
	for i := range own {
		own[i] = weigh(f.Line(whole.First + i))
	}
	out := make([]float64, len(own))
	for i := range own {
		out[i] = own[i]
		for d := 1; d <= reach; d++ {
			if i >= d {
				out[i] += own[i-d] / float64(2*d)
			}
			if i+d < len(own) {
				out[i] += own[i+d] / float64(2*d)
			}
		}
	}
	return out
}

func inside(ranges []corpus.Range, n int) bool {
	return slices.ContainsFunc(ranges, func(r corpus.Range) bool { return r.First <= n && n <= r.Last })
}
