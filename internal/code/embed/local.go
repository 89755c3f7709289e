package embed

import (
	"context"
	"fmt"

	"github.com/assay-dev/assay/internal/code/embed/static"
)

// A Local provider computes vectors itself, so quickly that they are made along
// with the index and never kept elsewhere.
type Local interface {
	Provider
	// Vector writes the vector of a text into dst, which has Dims elements.
	Vector(dst []float32, text []byte)
}

// table is the Local that comes with the program.
type table struct{ m *static.Model }

func openStatic(text bool) (Provider, error) {
	m, err := static.Default()
	if err != nil {
		return nil, err
	}
	if text {
		m = m.Text()
	}
	return table{m}, nil
}

func (t table) Name() string { return fmt.Sprintf("static/%08x/%d", t.m.Sum, t.m.Dims) }

func (t table) Dims() int { return t.m.Dims }

func (t table) Vector(dst []float32, text []byte) { t.m.Embed(dst, text) }

func (t table) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = make([]float32, t.m.Dims)
		t.m.Embed(out[i], []byte(s))
	}
	return out, nil
}
