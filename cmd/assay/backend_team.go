//go:build team && !slim

package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/index"
)

// backendTimeout bounds the time of connecting to a database.
const backendPatience = 10 * time.Second

// engines are the kinds of servers that can store an index.
var engines = map[string]struct {
	schemes string // the allowed schemes of index.url
	example string
	open    func(context.Context, index.RemotePlace) (index.Backend, error)
}{
	"postgres": {"postgres", "postgres://USER@HOST/DATABASE", func(ctx context.Context, at index.RemotePlace) (index.Backend, error) {
		return index.OpenRemote(ctx, at)
	}},
	"weaviate": {"http https", "https://HOST:PORT", func(ctx context.Context, at index.RemotePlace) (index.Backend, error) {
		return index.OpenWeaviate(ctx, at)
	}},
}

// openBackend opens the index of that name on a server.
func openBackend(ctx context.Context, backend, at, key, name string) (index.Backend, error) {
	e := engines[backend]
	scheme, host, _ := strings.Cut(at, "://")
	if e.open == nil || host == "" || !slices.Contains(strings.Fields(e.schemes), scheme) {
		return nil, fault.New(fault.Usage, "index.backend is %s, but index.url is not the address of such a server", backend).
			Or("assay config set index.url %s", e.example)
	}
	if _, server, found := strings.Cut(host, "@"); found {
		host = server // without a user name or password
	}
	host, _, _ = strings.Cut(host, "/")
	limited, stop := context.WithTimeout(ctx, backendPatience)
	defer stop()
	x, err := e.open(limited, index.RemotePlace{URL: at, Key: key, Corpus: name, Whole: true})
	switch {
	case err == nil:
		return x, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, store.ErrOther):
		return nil, fault.New(fault.Unavailable, "the index %s on the server at %s was written by another version", name, host).Because(err).
			Or("use the version that wrote it, or another server")
	}
	return nil, fault.New(fault.Unavailable, "cannot reach the index server %s", host).Because(err).
		Or("check that it runs and that ASSAY_INDEX_KEY is its password or key, or work without it: assay config set index.backend folder")
}
