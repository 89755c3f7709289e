//go:build team && !slim

package main

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/core/index"
)

// backendPatience is how long a command waits for a database to be there.
const backendPatience = 10 * time.Second

// openBackend opens the index that a database has under a name.
func openBackend(ctx context.Context, at, key, name string) (index.Backend, error) {
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "postgres" {
		return nil, fault.New(fault.Usage, "index.backend is postgres, and index.url is no address of a database").
			Or("assay config set index.url postgres://USER@HOST/DATABASE")
	}
	limited, stop := context.WithTimeout(ctx, backendPatience)
	defer stop()
	x, err := index.OpenRemote(limited, index.RemotePlace{URL: at, Key: key, Corpus: name, Whole: true})
	switch {
	case err == nil:
		return x, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, store.ErrOther):
		return nil, fault.New(fault.Unavailable, "the index %s in the database at %s is of another version of assay", name, u.Host).Because(err).
			Or("use the version that wrote it, or another database")
	}
	return nil, fault.New(fault.Unavailable, "the database of the index cannot be reached: %s", u.Redacted()).Because(err).
		Or("see that it runs and that ASSAY_INDEX_KEY has its password, or work without it: assay config set index.backend folder")
}
