package memory

import (
	"context"
	"os"
	"strings"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// OfferNotes returns the paths of notes that begin with prefix, as the index has them: it neither makes nor updates one.
func (f *Feature) OfferNotes(ctx context.Context, prefix string, _ int) (out []string, err error) {
	if st, _ := os.Stat(f.cfg.DB); st == nil {
		return nil, nil // nothing was ever stored
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	all, err := m.List(ctx, vault.Listing{Source: "memory"})
	for i := range all {
		if strings.HasPrefix(all[i].Path, prefix) {
			out = append(out, all[i].Path)
		}
	}
	return out, err
}
