package embed

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-dev/assay/internal/code/embed/model2vec"
)

// directory is a Model2Vec model on the disk. It is no Local: its files are the
// user's, and may go wrong while they are in use.
type directory struct{ m *model2vec.Model }

func openDirectory(cfg Config) (Provider, error) {
	if cfg.Model == "" {
		return nil, errors.New("model2vec wants a model, and there is none: set embed.model to the folder of one")
	}
	if cfg.Dims < 0 {
		return nil, fmt.Errorf("%d dimensions: set embed.dims to 0 or more", cfg.Dims)
	}
	m, err := model2vec.Open(cfg.Model, cfg.Dims)
	if err != nil {
		return nil, err
	}
	return directory{m}, nil
}

func (d directory) Name() string { return fmt.Sprintf("model2vec/%s/%d", d.m.Name(), d.m.Dims()) }

func (d directory) Dims() int { return d.m.Dims() }

func (d directory) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = make([]float32, d.m.Dims())
		if err := d.m.Embed(out[i], s); err != nil {
			return nil, err
		}
	}
	return out, nil
}
