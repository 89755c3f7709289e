package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// highest keeps what a stable sort would have first, in that order; and what is no more than that as it is.
func TestHighest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		accs := make([]acc, rng.IntN(40))
		chunks := make([]uint32, len(accs))
		for i := range accs {
			accs[i].score, chunks[i] = float32(rng.IntN(6)), uint32(i)
		}
		n := 1 + rng.IntN(9)
		want := slices.Clone(chunks)
		if len(want) > n {
			slices.SortStableFunc(want, func(x, y uint32) int { return int(accs[y].score - accs[x].score) })
			want = want[:n]
		}
		if got := highest(chunks, accs, n); !slices.Equal(got, want) {
			t.Fatalf("the highest %d of %v are %v, want %v", n, accs, got, want)
		}
	}
}
