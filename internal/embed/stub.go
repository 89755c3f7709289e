// Package embed stub.
package embed

import "context"

type Provider interface {
	Name() string
	Dims() int
	Embed(ctx context.Context, t []string) ([][]float32, error)
}

type Config struct {
	Provider, Model, URL, Key string
	Dims                      int
}

func Open(Config) (Provider, error) { return nil, nil }
