package index

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/base/vec"
)

// TestNearestOfMany holds that what is compared in blocks and by two is what all of it at once gives: of equals, which
// are many, those that come first.
func TestNearestOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const dims = 96
	for _, n := range []int{0, 1, signBlock - 1, signBlock + 1, 3*signBlock + 7, apart + 11} {
		signs := make([]uint64, 2*n)
		for i := range signs {
			switch i / 2 % 5 {
			case 0: // equals
			case 1:
				signs[i] = 7
			default:
				signs[i] = r.Uint64()
			}
		}
		v := make([]int8, dims)
		for i := range v {
			v[i] = int8(r.IntN(3) - 1)
		}
		far := make([]uint16, n)
		sketch := vec.SketchOf(v)
		sketch.Apart(far, signs)
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
		var room []uint16
		for _, k := range []int{0, 1, 12, 1000, n, n + 5} {
			if got, want := nearest(signs, sketch, k, &room), order[:min(k, n)]; !slices.Equal(got, want) {
				t.Fatalf("%d of %d: %v, want %v", k, n, got[:min(20, len(got))], want[:min(20, len(want))])
			}
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	signs := make([]uint64, 3<<20)
	for i := range signs {
		signs[i] = r.Uint64()
	}
	v := make([]int8, 192)
	for i := range v {
		v[i] = int8(r.IntN(256) - 128)
	}
	var room []uint16
	for b.Loop() {
		nearest(signs, vec.SketchOf(v), 12, &room)
	}
}
