package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/vec"
)

// To find the chunks of a part that are alike to a question, only the signs of their
// vectors are compared, a bit a dimension, which are kept in memory. The vectors
// themselves may be beside the texts, for those to be compared that are read.

// Alike returns the cosine of two vectors of int8, 0 where it is negative. data is one
// as it is stored; one of another length has nothing in common with v.
func Alike(data []byte, v []int8) float64 { return max(0, vec.CosineInt8(vec.Signed(data), v)) }

// appendSigns appends a bit for each element of v: whether it is positive.
func appendSigns(to []byte, v []int8) []byte {
	for _, w := range signsOf(v) {
		to = binary.LittleEndian.AppendUint64(to, w)
	}
	return to
}

func signsOf(v []int8) []uint64 {
	out := make([]uint64, (len(v)+63)/64)
	for i, x := range v {
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// nearest returns the k chunks whose signs are most alike to those of v, best
// first; of equals, those that come first. signs holds them one after the other;
// room is written over, and grows as it has to.
func nearest(signs []uint64, v []int8, k int, room *[]uint16) []int {
	want := signsOf(v)
	width := len(want)
	n := len(signs) / width
	*room = slices.Grow((*room)[:0], n)
	far := (*room)[:n]
	vec.Differing(far, signs, want)
	// How many chunks differ in how many bits says how far the best k reach.
	counts := make([]int, 64*width+1)
	for _, d := range far {
		counts[d]++
	}
	reach := 0
	n = 0
	for ; reach < len(counts) && n < k; reach++ {
		n += counts[reach]
	}
	near := make([]int, 0, n)
	for i, d := range far {
		if int(d) < reach {
			near = append(near, i)
		}
	}
	sorting.Stable(near, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	return near[:min(k, len(near))]
}
