package docs

import (
	"context"
	"strings"

	"github.com/assay-dev/assay/internal/docs/library"
)

// SplitPage returns the library and the page that "org/project/guide.md" names, or "org/project@VERSION/guide.md". The library
// is empty if name has no page.
func SplitPage(name string) (id, page string) {
	parts := strings.SplitN(strings.TrimPrefix(name, "/"), "/", 3)
	if len(parts) < 3 || parts[2] == "" {
		return "", name
	}
	return "/" + parts[0] + "/" + parts[1], parts[2]
}

// OfferPages returns pages, as SplitPage reads them, whose names begin with prefix, or the libraries that do.
func (f *Feature) OfferPages(ctx context.Context, prefix string, _ int) (out []string, err error) {
	prefix = strings.TrimPrefix(prefix, "/")
	for _, path := range f.asked("") {
		err := f.reading(ctx, path, func(db *library.DB) error {
			libraries, err := db.List(ctx)
			if err != nil {
				return err
			}
			for i := range libraries {
				l := &libraries[i]
				name := strings.TrimPrefix(l.ID, "/")
				if l.Version != library.Latest {
					name += "@" + l.Version
				}
				name += "/"
				if len(prefix) < len(name) {
					if strings.HasPrefix(name, prefix) {
						out = append(out, name)
					}
					continue
				}
				if !strings.HasPrefix(prefix, name) {
					continue
				}
				pages, err := db.Pages(ctx, l.ID, l.Version)
				if err != nil {
					return err
				}
				for page := range pages {
					if strings.HasPrefix(name+page, prefix) {
						out = append(out, name+page)
					}
				}
			}
			return nil
		})
		if err != nil && !missing(err, path) {
			return nil, err
		}
	}
	return out, nil
}
