package code

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/index"
	"github.com/assay-dev/assay/internal/syntax"
)

// A filter says which files a search is about.
type filter struct {
	within    []string
	languages map[string]bool
	globs     []gitignore.Pattern // any must match; a leading ! excludes
	excludes  []gitignore.Pattern // none may match
	noTests   bool
}

func newFilter(in *SearchInput, within []string) (*filter, error) {
	f := &filter{within: within, noTests: in.NoTests}
	for _, list := range in.Languages {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			lang, ok := syntax.Canonical(name)
			if !ok {
				return nil, fault.New(fault.Usage, "unknown language %q", name).Or("names are like go, python, typescript; extensions work too")
			}
			if f.languages == nil {
				f.languages = map[string]bool{}
			}
			f.languages[lang] = true
		}
	}
	for _, g := range in.Globs {
		if rest, ok := strings.CutPrefix(g, "!"); ok {
			f.excludes = append(f.excludes, gitignore.ParsePattern(rest, nil))
		} else {
			f.globs = append(f.globs, gitignore.ParsePattern(g, nil))
		}
	}
	for _, g := range in.Excludes {
		f.excludes = append(f.excludes, gitignore.ParsePattern(g, nil))
	}
	return f, nil
}

// all reports whether every file passes.
func (f *filter) all() bool {
	return len(f.within) == 0 && f.languages == nil && len(f.globs) == 0 && len(f.excludes) == 0 && !f.noTests
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
	if len(f.globs) == 0 && len(f.excludes) == 0 {
		return true
	}
	parts := strings.Split(path, "/")
	return (len(f.globs) == 0 || matches(f.globs, parts)) && !matches(f.excludes, parts)
}

func matches(ps []gitignore.Pattern, parts []string) bool {
	for _, p := range ps {
		if p.Match(parts, false) == gitignore.Exclude {
			return true
		}
	}
	return false
}

// index returns f for package index; nil where it lets everything pass.
func (f *filter) index() index.Filter {
	if f.all() {
		return nil
	}
	return f.doc
}
