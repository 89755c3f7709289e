package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A filter says which files an answer is about.
type filter struct {
	globs     discover.Globs
	some      bool // there are globs
	languages map[string]bool
	tests     bool
	noTests   bool
}

func newFilter(in Filter) (filter, error) {
	f := filter{tests: in.Tests, noTests: in.NoTests}
	var globs []string
	for _, g := range in.Paths {
		if g = strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/"); g != "" && g != "." {
			// A path is meant from the root: src is not every folder of that name.
			if !strings.HasPrefix(g, "**") && !strings.HasPrefix(g, "/") && (strings.Contains(g, "/") || !glob(g)) {
				g = "/" + g
			}
			globs = append(globs, g)
		}
	}
	var err error
	if f.globs, err = discover.NewGlobs(globs); err != nil {
		return f, err
	}
	f.some = len(globs) > 0
	f.languages, err = syntax.Languages(in.Languages)
	return f, err
}

// words reads a list of words that may be separated by commas, each one of some.
func words(flag string, lists, of []string) (map[string]bool, error) {
	var out map[string]bool
	for _, list := range lists {
		for w := range strings.SplitSeq(list, ",") {
			if w = strings.TrimSpace(w); w == "" {
				continue
			}
			if !slices.Contains(of, w) {
				return nil, fault.New(fault.Usage, "%s: %q is not one of %s", flag, w, strings.Join(of, ", ")).Or("repeat the flag for more than one")
			}
			if out == nil {
				out = map[string]bool{}
			}
			out[w] = true
		}
	}
	return out, nil
}

// narrows reports whether files may fail to pass.
func (f *filter) narrows() bool {
	return f.some || len(f.languages) > 0 || f.tests || f.noTests
}

// doc reports whether a file passes.
func (f *filter) doc(d *facts.Doc) bool { return f.kind(test(d)) && f.path(d) }

// kind reports whether tests pass, or other code.
func (f *filter) kind(isTest bool) bool { return !(f.tests && !isTest || f.noTests && isTest) }

func (f *filter) path(d *facts.Doc) bool {
	if f.languages != nil && !f.languages[d.Language] {
		return false
	}
	return !f.some || f.globs.Match(d.Path)
}

// passes reports whether a place in a declaration passes. A test may stand beside the code.
func (s *session) passes(r facts.Ref) bool {
	return s.filter.path(&s.p.Docs[r.Doc]) && (!s.filter.tests && !s.filter.noTests || s.filter.kind(s.p.InTest(r)))
}

// glob reports whether a pattern is one rather than a path or a word.
func glob(pattern string) bool { return strings.ContainsAny(pattern, "*?[{") }

// below reports whether a path is a folder or is in it.
func below(p, folder string) bool {
	return folder == "." || p == folder || strings.HasPrefix(p, folder) && p[len(folder)] == '/'
}

// alternatives returns the parts of a pattern such as Open|Close; one where it is none, as an operator is.
func alternatives(pattern string) []string {
	parts := strings.Split(pattern, "|")
	if slices.Contains(parts, "") || strings.ContainsAny(pattern, "{[(") {
		return []string{pattern}
	}
	return parts
}

// paths returns whether a path matches a pattern: a path below the root that is
// there, a glob, or a part of a path.
func (s *session) paths(pattern string) (func(string) bool, error) {
	if parts := alternatives(pattern); len(parts) > 1 && s.within == "" {
		var any []func(string) bool
		for _, part := range parts {
			match, err := s.paths(part)
			if err != nil {
				return nil, err
			}
			any = append(any, match)
		}
		return func(p string) bool {
			return slices.ContainsFunc(any, func(match func(string) bool) bool { return match(p) })
		}, nil
	}
	switch {
	case pattern == "", s.within == ".":
		return everything, nil
	case s.within != "":
		return func(p string) bool { return below(p, s.within) }, nil
	case glob(pattern):
		pattern = strings.TrimPrefix(pattern, "./")
		if strings.Contains(pattern, "/") && !strings.HasPrefix(pattern, "**") {
			pattern = "/" + strings.TrimPrefix(pattern, "/")
		}
		g, err := discover.NewGlobs([]string{pattern})
		return g.Match, err
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	// From the root, where the working directory is a folder below it.
	for i := range s.p.Docs {
		if below(s.p.Docs[i].Path, pattern) {
			return func(p string) bool { return below(p, pattern) }, nil
		}
	}
	return contains(pattern), nil
}

// scope is paths for a pattern that need not be a glob: a name may look like a bad one.
func (s *session) scope(pattern string) func(string) bool {
	if match, err := s.paths(pattern); err == nil {
		return match
	}
	return contains(pattern)
}

// contains matches what has a part, without regard to case unless the part has
// capitals.
func contains(part string) func(string) bool {
	if parts := alternatives(part); len(parts) > 1 {
		return func(s string) bool {
			return slices.ContainsFunc(parts, func(p string) bool { return contains(p)(s) })
		}
	}
	if part != strings.ToLower(part) {
		return func(s string) bool { return strings.Contains(s, part) }
	}
	return func(s string) bool { return strings.Contains(strings.ToLower(s), part) }
}

// modules returns the files that a name means: a path, the end of one with or
// without its extension, or a module as its own text or an import calls it.
func (s *session) modules(name string) []int {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	pick := func(ok func(d *facts.Doc) bool) (out []int) {
		for i := range s.p.Docs {
			if d := &s.p.Docs[i]; syntax.Source(d.Language) && ok(d) {
				out = append(out, i)
			}
		}
		return out
	}
	if s.within != "" {
		return pick(func(d *facts.Doc) bool { return below(d.Path, s.within) })
	}
	if glob(name) {
		if match, err := s.paths(name); err == nil { // else it is a module of an odd name
			return pick(func(d *facts.Doc) bool { return match(d.Path) })
		}
	}
	if out := pick(func(d *facts.Doc) bool { return below(d.Path, name) }); len(out) > 0 {
		return out
	}
	if out := s.imported(name); len(out) > 0 {
		return out
	}
	if out := pick(func(d *facts.Doc) bool { return ends(d.Path, name) }); len(out) > 0 {
		return out
	}
	if dotted := strings.NewReplacer("::", "/", ".", "/", `\`, "/").Replace(name); dotted != name {
		if out := pick(func(d *facts.Doc) bool { return ends(d.Path, dotted) }); len(out) > 0 {
			return out
		}
	}
	// A folder somewhere below.
	return pick(func(d *facts.Doc) bool { return strings.Contains("/"+path.Dir(d.Path)+"/", "/"+name+"/") })
}

// ends reports whether a path ends in a name, with or without its extension.
func ends(p, name string) bool {
	stem := strings.TrimSuffix(p, path.Ext(p))
	return strings.HasSuffix("/"+p, "/"+name) || strings.HasSuffix("/"+stem, "/"+name)
}

// imported returns the files that say they are of a module, or that an import of
// that path leads to.
func (s *session) imported(name string) (out []int) {
	seen := map[int]bool{}
	add := func(d int) {
		if !seen[d] && syntax.Source(s.p.Docs[d].Language) {
			seen[d] = true
			out = append(out, d)
		}
	}
	for i := range s.p.Docs {
		h := s.p.Head(i)
		if h.Module == name && s.p.Docs[i].Language != "go" && syntax.Source(s.p.Docs[i].Language) {
			add(i)
		}
		for k := range h.Imports {
			if h.Imports[k].Path == name {
				for _, d := range s.leads(i, &h.Imports[k]).Docs {
					add(d)
				}
			}
		}
	}
	return out
}
