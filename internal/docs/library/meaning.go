package library

import (
	"cmp"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
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
