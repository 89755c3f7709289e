package static

import "github.com/assay-dev/assay/internal/base/cache"

// The words of texts come again soon. Known remembers the numbers of those that came last,
// so that they are neither cut into parts nor looked for in the table: of runs of up to
// sixteen ASCII letters that have up to knownIDs numbers.
type known [1 << knownBits]knownRun

const (
	knownBits = 12
	knownIDs  = 5
)

// A knownRun is a run of letters. Its first and last eight, which overlap in a shorter one,
// say with its length which it is; a length of 0 that there is none.
type knownRun struct {
	first, last uint64
	ids         [knownIDs]uint32
	size, n     uint8
}

// at returns where a run of letters is remembered, and whether it is.
func (k *known) at(run []byte) (r *knownRun, has bool) {
	first, last := cache.Edges(run)
	size := uint8(len(run))
	r = &k[cache.Slot(first, last, uint64(size), knownBits)]
	if r.first == first && r.last == last && r.size == size {
		return r, true
	}
	r.first, r.last, r.size, r.n = first, last, size, 0
	return r, false
}
