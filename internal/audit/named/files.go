package named

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// files are the paths of a project.
type files struct {
	inside  map[string][]string    // paths by their folder
	base    map[string][]string    // paths by their last element
	folders map[string][]string    // the same of folders
	exists  func(path string) bool // or may exist
}

func newFiles(p *Project) *files {
	f := &files{inside: map[string][]string{}, base: map[string][]string{}, folders: map[string][]string{}, exists: p.Exists}
	for _, at := range p.Paths {
		f.base[path.Base(at)] = append(f.base[path.Base(at)], at)
		f.inside[path.Dir(at)] = append(f.inside[path.Dir(at)], at)
	}
	for _, dir := range foldersOf(p.Paths) {
		f.folders[path.Base(dir)] = append(f.folders[path.Base(dir)], dir)
	}
	return f
}

// foldersOf returns the folders that files are in, each once.
func foldersOf(paths []string) (out []string) {
	seen := map[string]bool{".": true}
	for _, at := range paths {
		for dir := path.Dir(at); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			out = append(out, dir)
		}
	}
	return out
}

// endsPath reports whether some file has a relative path at the end of its own.
func (f *files) endsPath(file string) bool {
	rel := strings.TrimLeft(file, "./")
	return slices.ContainsFunc(f.base[path.Base(file)], func(at string) bool { return at == rel || strings.HasSuffix(at, "/"+rel) })
}

// templateEndings are those of files of which a build makes the one of the name before.
var templateEndings = []string{".tmpl", ".in", ".j2", ".erb", ".template"}

// isOfTemplate reports whether a missing file has a template.
func (f *files) isOfTemplate(at string) bool {
	return slices.ContainsFunc(templateEndings, func(ending string) bool { return f.exists(at + ending) })
}

// isMade reports whether a missing file may be one that a build makes: in a folder that is not there, of a
// site, or one that builds write to.
func (f *files) isMade(at, file string, site bool) bool {
	dir := path.Dir(at)
	if site && dir != "." && !f.exists(dir) {
		return true
	}
	for part := range strings.SplitSeq(at, "/") {
		if slices.Contains([]string{"dist", "build", "out", "target", "coverage", "node_modules", "_build", "api", "generated", "public"}, part) {
			return true
		}
	}
	return false
}

// nearPath returns the file that a missing one probably is: the only one of its name, the only one beside it with nearly its name, or "".
func (f *files) nearPath(at string) string {
	base := path.Base(at)
	if same := f.base[base]; len(same) == 1 && !isGeneric(base) {
		return same[0]
	}
	if same := f.sameStem(base); same != "" {
		return same
	}
	if same := f.folders[base]; len(same) == 1 && !isGeneric(base) && path.Ext(base) == "" {
		return same[0]
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	best, meant, isUnclear := 3, "", false
	for _, other := range f.inside[path.Dir(at)] {
		name := path.Base(other)
		d := text.DistanceWithin(strings.ToLower(base), strings.ToLower(name), best)
		if strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), stem) || strings.EqualFold(base, name) {
			d = 1
		}
		if d > best || len(stem) <= 3 || 4*d > 4+len(stem) || differsInNumber(base, name) {
			continue
		}
		isUnclear = d == best && meant != ""
		if d < best {
			best, meant = d, other
		}
	}
	if isUnclear {
		return "" // the link says not which
	}
	return meant
}

// proseEndings are the endings of documents: a page that is written anew in another form keeps its name.
var proseEndings = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"}

// sameStem returns the only document that has the name of a missing one but for its ending, or "".
func (f *files) sameStem(base string) string {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if !slices.Contains(proseEndings, path.Ext(base)) || isGeneric(base) {
		return ""
	}
	found := ""
	for _, ending := range proseEndings {
		for _, at := range f.base[stem+ending] {
			if found != "" {
				return ""
			}
			found = at
		}
	}
	return found
}

// genericStems are names that files of any project have: another file of that name is no sign of a move.
var genericStems = strings.Fields(`index readme main app config settings utils util test tests setup package license makefile dockerfile overview
	example examples server client types helpers lib mod common logo image style styles install usage contributing changelog options`)

// isGeneric reports whether files of a name are in many folders.
func isGeneric(base string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(base), ".")
	return len(stem) < 3 || slices.Contains(genericStems, stem)
}
