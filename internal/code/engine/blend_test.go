package engine

import (
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Several vectors count by their weights, and are one of length 1.
func TestBlend(t *testing.T) {
	by := []rank.Meaning{{Weight: 4}, {Weight: 3}}
	for _, c := range []struct{ vecs, want [][]float32 }{
		{[][]float32{{1, 0}}, [][]float32{{1, 0}}},
		{[][]float32{{1, 0}, {0, 1}}, [][]float32{{.8, .6}}},
		{[][]float32{{1, 0}, {-1, 0}}, [][]float32{{1, 0}}},
		{[][]float32{{0, 0}, {0, 0}}, [][]float32{{0, 0}}},
		{[][]float32{{1, 0}, {1}}, [][]float32{{1, 0}}}, // a service that answers nonsense
	} {
		if got := blend(c.vecs, by); !slices.EqualFunc(got, c.want[0], func(a, b float32) bool { return a-b < 1e-6 && b-a < 1e-6 }) {
			t.Errorf("%v: %v, want %v", c.vecs, got, c.want[0])
		}
	}
}
