package code

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A filter says which files a search is about.
type filter struct {
	within    []string
	languages map[string]bool
	some      bool
	globs     discover.Globs // one must match, if there are some
	excludes  discover.Globs // none may match
	none      bool           // there are none of the latter
	noTests   bool
}

func newFilter(in *SearchInput, within []string) (*filter, error) {
	f := &filter{within: within, noTests: in.NoTests}
	var err error
	if f.languages, err = syntax.Languages(in.Languages); err != nil {
		return nil, err
	}
	excludes := slices.Clone(in.Excludes)
	var globs []string
	for _, g := range in.Globs {
		if rest, ok := strings.CutPrefix(g, "!"); ok {
			excludes = append(excludes, rest)
		} else {
			globs = append(globs, g)
		}
	}
	f.some, f.none = len(globs) > 0, len(excludes) == 0
	if f.globs, err = discover.NewGlobs(globs); err != nil {
		return nil, err
	}
	f.excludes, err = discover.NewGlobs(excludes)
	return f, err
}

// all reports whether every file passes.
func (f *filter) all() bool {
	return len(f.within) == 0 && f.languages == nil && !f.some && f.none && !f.noTests
}

// doc reports whether a document passes.
func (f *filter) doc(d index.DocInfo) bool {
	if f.noTests && d.Flags&corpus.Test != 0 {
		return false
	}
	if f.languages != nil && !f.languages[d.Language] {
		return false
	}
	return f.path(d.Path)
}

// path reports whether a path passes, whatever is in the file.
func (f *filter) path(path string) bool {
	if len(f.within) > 0 {
		inside := false
		for _, w := range f.within {
			inside = inside || path == w || strings.HasPrefix(path, w) && path[len(w)] == '/'
		}
		if !inside {
			return false
		}
	}
	return (!f.some || f.globs.Match(path)) && (f.none || !f.excludes.Match(path))
}

// index returns f for package index; nil where it lets everything pass.
func (f *filter) index() index.Filter {
	if f.all() {
		return nil
	}
	return f.doc
}
