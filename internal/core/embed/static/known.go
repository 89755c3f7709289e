package static

import "math/bits"

// The words of texts come again soon. Known remembers the numbers of those that came last,
// so that they are neither cut into parts nor looked for in the table: of runs of up to
// sixteen ASCII letters that have up to knownIDs numbers.
type known [1 << knownBits]knownRun

const (
	knownBits = 12
	knownSize = 16
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
	first, last := edges(run)
	size := uint8(len(run))
	r = &k[(first^bits.RotateLeft64(last, 29)^uint64(size))*0x9e3779b97f4a7c15>>(64-knownBits)]
	if r.first == first && r.last == last && r.size == size {
		return r, true
	}
	r.first, r.last, r.size, r.n = first, last, size, 0
	return r, false
}

func edges(run []byte) (first, last uint64) {
	switch n := len(run); {
	case n >= 8:
		return le.Uint64(run), le.Uint64(run[n-8:])
	case n >= 4:
		return uint64(le.Uint32(run)), uint64(le.Uint32(run[n-4:]))
	}
	n := len(run)
	return uint64(run[0]) | uint64(run[n/2])<<8 | uint64(run[n-1])<<16, 0
}
