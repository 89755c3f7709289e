package index

import (
	"cmp"
	"slices"
	"sync"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/vec"
)

// To find the chunks of a part that are alike to a question, only the signs of their
// vectors are compared, a bit a dimension, which are kept in memory. The vectors
// themselves may be beside the texts, for those to be compared that are read.

// Alike returns the cosine of two vectors of int8, 0 where it is negative. data is one
// as it is stored; one of another length has nothing in common with v.
func Alike(data []byte, v []int8) float64 { return max(0, vec.CosineInt8(vec.Signed(data), v)) }

// signsOf returns the signs of v as they are compared.
func signsOf(v []int8) []uint64 {
	return vec.Words(vec.AppendSigns(make([]byte, 0, vec.SignBytes(len(v))), v))
}

// What is compared at a time stays in the processor's own memory; what is more than apart is compared by two.
const (
	signBlock = 1 << 13 // chunks
	apart     = 1 << 17
)

// nearest returns the k chunks whose signs are most alike to those of v, best
// first; of equals, those that come first. signs holds them one after the other;
// room is written over, and grows as it has to.
func nearest(signs []uint64, v []int8, k int, room *[]uint16) []int {
	want := signsOf(v)
	n := len(signs) / len(want)
	*room = slices.Grow((*room)[:0], 2*signBlock)
	first, second := (*room)[:signBlock], (*room)[signBlock:2*signBlock]
	var near []alike
	if n < apart {
		near = nearestOf(signs, 0, n, want, k, first)
	} else {
		var others []alike
		var group sync.WaitGroup
		group.Go(func() { others = nearestOf(signs, n/2, n, want, k, second) })
		near = nearestOf(signs, 0, n/2, want, k, first)
		group.Wait()
		near = append(near, others...)
	}
	sorting.Stable(near, func(a, b alike) int { return cmp.Compare(a.bits, b.bits) })
	out := make([]int, min(k, len(near)))
	for i := range out {
		out[i] = int(near[i].at)
	}
	return out
}

// An alike is a chunk and in how many bits its signs differ from those of a question.
type alike struct {
	at   uint32
	bits uint16
}

// nearestOf returns the k best of the chunks from one to another, and those that are as good as the last, in their order.
func nearestOf(signs []uint64, from, to int, want []uint64, k int, room []uint16) (near []alike) {
	width := len(want)
	// How many of those that are held differ in how many bits says how far the best k reach.
	counts := make([]int, 64*width+1)
	reach, held := len(counts), 0
	for ; from < to && k > 0; from += signBlock {
		far := room[:min(signBlock, to-from)]
		vec.Differing(far, signs[from*width:(from+len(far))*width], want)
		for i, d := range far {
			if int(d) >= reach {
				continue
			}
			near = append(near, alike{uint32(from + i), d})
			counts[d]++
			for held++; held-counts[reach-1] >= k; reach-- {
				held -= counts[reach-1]
			}
		}
		if len(near) > 2*held+signBlock {
			near = within(near, reach)
		}
	}
	return within(near, reach)
}

// within leaves out those that differ in reach bits or more.
func within(near []alike, reach int) []alike {
	return slices.DeleteFunc(near, func(a alike) bool { return int(a.bits) >= reach })
}
