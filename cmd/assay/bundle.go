//go:build !slim

package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"

	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/install/bundle"
	"github.com/assay-dev/assay/internal/script"
)

// bundles returns the feature that moves documentation, modules, models and the program to machines without a network.
func (s *surroundings) bundles() *bundle.Feature {
	return bundle.New(bundle.Config{
		WorkDir: s.trees.WorkDir, Version: version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Key: s.cfg.BundleKey,
		Modules: script.New(s.modules(nil, nil)).Folder(), Models: filepath.Join(dataHome(), "assay", "models"), Temp: filepath.Join(cacheHome(), "assay", "bundle"),
		Export: func(ctx context.Context, id, to string) (err error) {
			d := docs.New(s.docs)
			defer func() { err = errors.Join(err, d.Close()) }()
			_, err = d.Export(ctx, docs.ExportInput{ID: id, Out: to})
			return err
		},
		Import: func(ctx context.Context, from string) (names []string, err error) {
			d := docs.New(s.docs)
			defer func() { err = errors.Join(err, d.Close()) }()
			got, err := d.Import(ctx, docs.ImportInput{Path: from})
			if err != nil {
				return nil, err
			}
			for _, l := range got.Libraries {
				names = append(names, l.ID)
			}
			return names, nil
		},
	})
}
