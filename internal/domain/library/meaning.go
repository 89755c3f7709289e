package library

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/core/embed/static"
)

// The vector of a snippet stands beside its text, a byte a dimension. To find those
// that are alike to a question's, only their signs are looked at, a bit a dimension,
// which are kept in memory.

// A meaning makes vectors. It is for one goroutine.
type meaning struct {
	model *static.Model
	v     []float32
	text  []byte
	out   []byte
}

func newMeaning() (*meaning, error) {
	m, err := static.Default()
	if err != nil {
		return nil, err
	}
	return &meaning{model: m, v: make([]float32, m.Dims), out: make([]byte, m.Dims)}, nil
}

// of returns the vector of a snippet, which is good until the next call.
func (m *meaning) of(s *Snippet) []int8 {
	m.text = append(append(append(m.text[:0], s.Breadcrumb...), '\n'), s.Content...)
	return m.embed(m.text)
}

// embed returns the vector of a text, or zeros, where the model knows no word of it. It
// is good until the next call.
func (m *meaning) embed(text []byte) []int8 {
	m.model.Embed(m.v, text)
	m.out, _ = vec.Quantise(m.out[:0], m.v)
	return vec.Signed(m.out)
}

// alike returns how much two vectors mean the same: 0 to 1. data is one as it is
// stored; what is none is alike to nothing.
func alike(data []byte, v []int8) float64 { return max(0, vec.CosineInt8(vec.Signed(data), v)) }

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

// nearest returns the k snippets whose signs are most alike to those of v, best
// first; of equals, those that come first. signs holds them one after the other;
// room is written over, and grows as it has to.
func nearest(signs []uint64, v []int8, k int, room *[]uint16) []int {
	want := signsOf(v)
	width := len(want)
	n := len(signs) / width
	*room = slices.Grow((*room)[:0], n)
	far := (*room)[:n]
	vec.Differing(far, signs, want)
	// How many snippets differ in how many bits says how far the best k reach.
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
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	return near[:min(k, len(near))]
}
