package library

import (
	"cmp"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/code/rank"
)

// The vector of a snippet is beside its text, a byte a dimension, so that a candidate is
// read at once; package index keeps the signs of all of them.

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
	m = m.Text()
	return &meaning{model: m, v: make([]float32, m.Dims), out: make([]byte, m.Dims)}, nil
}

// of returns the vector of a snippet with a summary, which is good until the next call. A declaration is asked for in the
// words of its summary: parameters and examples say what it is used with.
func (m *meaning) of(s *Snippet, said string) []int8 {
	m.text = append(append(append(m.text[:0], s.Breadcrumb...), '\n'), cmp.Or(said, s.Content)...)
	return m.embed(m.text)
}

// embed returns the vector of a text, or zeros, where the model knows no word of it. It
// is good until the next call.
func (m *meaning) embed(text []byte) []int8 {
	m.model.Embed(m.v, text)
	m.out, _ = vec.Quantise(m.out[:0], m.v)
	return vec.Signed(m.out)
}

// markNear marks the first snippet if the question is near in meaning to the first two, by the mean of their cosines: one word in
// common may make one snippet near.
func (s *search) markNear(found []ranked) {
	first := found[:min(len(found), 2)]
	if s.ranking != Hybrid || len(first) == 0 {
		return
	}
	mean := 0.
	for i := range first {
		mean += first[i].near / float64(len(first))
	}
	found[0].s.Near = mean >= rank.Docs().Constant("near in meaning")
}
