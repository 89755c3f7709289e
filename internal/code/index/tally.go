package index

import (
	"cmp"
	"slices"
	"sync"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/vec"
)

// A tally counts rows by how far apart their signs are from a query's, as far as the nearest
// so many of them reach. It is how both forms of an index tell which rows may be near.
type tally struct {
	want   int
	counts []int // by distance, of all that is below reach
	reach  int   // the least distance below which there are so many, else more than any
	held   int   // below reach
}

func newTally(s vec.Sketch, want int) tally {
	n := s.Most() + 1
	return tally{want: want, counts: make([]int, n), reach: n}
}

// add counts a row, if it is nearer than reach.
func (t *tally) add(apart uint16) {
	if int(apart) >= t.reach {
		return
	}
	t.counts[apart]++
	t.held++
	t.narrow()
}

func (t *tally) narrow() {
	for t.reach > 0 && t.held-t.counts[t.reach-1] >= t.want {
		t.reach--
		t.held -= t.counts[t.reach]
	}
}

// join counts what another of the same kind has counted.
func (t *tally) join(o *tally) {
	t.reach, t.held = min(t.reach, o.reach), 0
	for d := range t.reach {
		t.counts[d] += o.counts[d]
		t.held += t.counts[d]
	}
	t.narrow()
}

// within returns what reach would be if n were wanted, fewer than are.
func (t tally) within(n int) int {
	t.want = n
	t.narrow()
	return t.reach
}

// What is measured at a time stays in the processor's own memory; more rows than apart are divided in two.
const (
	signBlock = 1 << 13
	apart     = 1 << 17
)

// nearest returns the k rows whose signs are nearest to a query, nearest first; of equals, those that
// come first. signs holds them one after the other; room is written over, and grows as it has to.
func nearest(signs []uint64, s vec.Sketch, k int, room *[]uint16) []int {
	n := len(signs) / s.Width()
	*room = slices.Grow((*room)[:0], workers*signBlock)
	var near [workers][]sighted
	var of [workers]tally
	find := func(who, from, to int) {
		of[who] = newTally(s, k)
		near[who] = nearestOf(signs, s, from, to, &of[who], (*room)[who*signBlock:(who+1)*signBlock])
	}
	if n < apart {
		find(0, 0, n)
	} else {
		var group sync.WaitGroup
		group.Go(func() { find(1, n/2, n) })
		find(0, 0, n/2)
		group.Wait()
	}
	all := append(near[0], near[1]...)
	sorting.Stable(all, func(a, b sighted) int { return cmp.Compare(a.apart, b.apart) })
	out := make([]int, min(k, len(all)))
	for i := range out {
		out[i] = int(all[i].at)
	}
	return out
}

// A sighted is a row and how far its signs are from a query's.
type sighted struct {
	at    uint32
	apart uint16
}

// nearestOf returns the rows from one to another that are within what t reaches in the end, in their order.
func nearestOf(signs []uint64, s vec.Sketch, from, to int, t *tally, room []uint16) (near []sighted) {
	width := s.Width()
	if t.want <= 0 {
		return nil
	}
	within := func(near []sighted) []sighted {
		return slices.DeleteFunc(near, func(r sighted) bool { return int(r.apart) >= t.reach })
	}
	for ; from < to; from += signBlock {
		far := room[:min(signBlock, to-from)]
		s.Apart(far, signs[from*width:(from+len(far))*width])
		for i, d := range far {
			if int(d) < t.reach {
				near = append(near, sighted{uint32(from + i), d})
				t.add(d)
			}
		}
		if len(near) > 2*t.held+signBlock {
			near = within(near)
		}
	}
	return within(near)
}
