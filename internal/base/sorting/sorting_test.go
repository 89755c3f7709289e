package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type pair struct{ key, at int }

func byKey(a, b pair) int { return cmp.Compare(a.key, b.key) }

// Any elements come out as the standard library's stable sort leaves them.
func TestStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 200).Draw(t, "keys")
		var got []pair
		for i, k := range keys {
			got = append(got, pair{k, i})
		}
		want := slices.Clone(got)
		slices.SortStableFunc(want, byKey)
		if Stable(got, byKey); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// What is in order already takes one comparison an element and no memory.
func TestSorted(t *testing.T) {
	s := make([]pair, 1000)
	for i := range s {
		s[i] = pair{i / 3, i}
	}
	asked := 0
	if n := testing.AllocsPerRun(1, func() {
		asked = 0
		Stable(s, func(a, b pair) int { asked++; return byKey(a, b) })
	}); n > 1 || asked != len(s)-1 {
		t.Errorf("%v allocations, %d comparisons", n, asked)
	}
}

func benchmark(b *testing.B, sort func([]pair)) {
	r := rand.New(rand.NewPCG(1, 2))
	s, work := make([]pair, 2000), make([]pair, 2000)
	for i := range s {
		s[i] = pair{r.IntN(1000), i}
	}
	for b.Loop() {
		copy(work, s)
		sort(work)
	}
}

func BenchmarkStable(b *testing.B) { benchmark(b, func(s []pair) { Stable(s, byKey) }) }
func BenchmarkSlicesStable(b *testing.B) {
	benchmark(b, func(s []pair) { slices.SortStableFunc(s, byKey) })
}
func BenchmarkSlices(b *testing.B) { benchmark(b, func(s []pair) { slices.SortFunc(s, byKey) }) }
