package docs

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/docs/charset"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/markup/man"
	"github.com/assay-dev/assay/internal/docs/openapi"
	"github.com/assay-dev/assay/internal/docs/source"
)

const (
	maxPage  = 16 << 20 // bytes; larger files are no pages
	maxPages = 100_000
	maxWalk  = 2_000_000 // files and folders looked at
)

// A selection says which files of a tree are pages.
type selection struct {
	include, exclude []string // globs; include empty: everything that is documentation
	wide             bool     // include is what the source says of itself: it names folders to look in, not pages
	lift             bool     // the rules exclude nothing
	sources          bool     // program text is read too, for its public declarations
	packed           bool     // it is a package as its registry has it
	everywhere       bool     // wherever it is: include names pages, and nobody asked for them alone
}

// newSelection checks globs. One without a wildcard names a file or a folder.
func newSelection(include, exclude []string) (selection, error) {
	var s selection
	for _, l := range []struct {
		from []string
		to   *[]string
	}{{include, &s.include}, {exclude, &s.exclude}} {
		for _, g := range l.from {
			g = strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(g, `\`, "/"), "./"), "/")
			if g == "" || g == "." {
				g = "**"
			}
			if !doublestar.ValidatePattern(g) || strings.HasPrefix(g, "/") || slices.Contains(strings.Split(g, "/"), "..") {
				return s, fault.New(fault.Usage, "%q is not a glob below the root of the source", g).Or("for example --docs-path 'docs/**/*.md'")
			}
			*l.to = append(*l.to, g)
		}
	}
	return s, nil
}

// within reports whether p matches g or lies below what g names.
func within(g, p string) bool {
	for {
		if doublestar.MatchUnvalidated(g, p) {
			return true
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return false
		}
		p = p[:i]
	}
}

// literal returns the folders that a glob names before its first wildcard; without one it
// is the folder itself.
func literal(g string) string {
	if !strings.ContainsAny(g, "*?[{\\") {
		return g
	}
	base, _ := doublestar.SplitPattern(g)
	return base
}

// Pages of a tree, and what was excluded.
type found struct {
	paths    []string
	sources  []string       // program text
	others   map[string]int // files that are no pages, by the end of their names
	excluded []Excluded
	more     bool // there were more files in excluded folders than were looked at
}

// maxKinds is how many kinds of files are named where there is no page.
const maxKinds = 6

// meet counts a file that is no page.
func (f *found) meet(p string) {
	if f.others == nil {
		f.others = map[string]int{}
	}
	kind := strings.ToLower(path.Ext(p))
	if kind == "" || len(kind) > 12 {
		kind = "without an ending"
	}
	f.others[kind]++
}

// met says which files there are that are no pages: "12 .lua, 3 .png", "" for none.
func (f *found) met() string {
	kinds := slices.SortedFunc(maps.Keys(f.others), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.others[b], f.others[a]), strings.Compare(a, b))
	})
	var out []string
	for i, kind := range kinds {
		if i == maxKinds {
			out = append(out, text.Count(len(kinds)-i, "kind more", "kinds more"))
			break
		}
		out = append(out, fmt.Sprintf("%d %s", f.others[kind], kind))
	}
	return strings.Join(out, ", ")
}

// A candidate is a file that is written as pages are.
type candidate struct {
	path   string
	large  bool
	source bool // it is program text
}

// maxAside is how many files and folders are looked at to count what excluded folders hold.
const maxAside = 200_000

// pages lists the pages of a tree in order.
func (s *selection) pages(ctx context.Context, t *source.Tree) (found, error) {
	if only := t.Only(); only != nil {
		return found{paths: only}, nil
	}
	var out found
	all, err := s.candidates(ctx, t.FS(), &out)
	if err != nil {
		if ctx.Err() != nil {
			return out, fault.New(fault.Interrupted, "stopped while the pages were looked for")
		}
		return out, fault.New(fault.Usage, "look for pages").Because(err).Or("narrow it with --docs-path")
	}
	return s.choose(t.FS(), all, out)
}

// candidates lists the files that may be pages.
func (s *selection) candidates(ctx context.Context, fsys fs.FS, out *found) (all []candidate, err error) {
	looked, aside := 0, 0
	around := "" // the excluded folder that is looked into
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == ".":
			return err
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds no pages
		}
		if around != "" && !strings.HasPrefix(p, around+"/") {
			around = ""
		}
		if around != "" {
			if aside++; aside > maxAside {
				out.more = true
				return fs.SkipDir
			}
		} else if looked++; looked > maxWalk {
			return fmt.Errorf("more than %d files and folders", maxWalk)
		}
		if d.IsDir() {
			switch {
			case p == ".":
			case history(d.Name()):
				return fs.SkipDir
			// Every file is opened from the root, a folder at a time, so that no link leads
			// out of it: what that takes grows as the square of the depth.
			case strings.Count(p, "/") >= source.MaxDepth:
				out.exclude(tooDeep, p)
				return fs.SkipDir
			case around == "" && shut(p) && s.pruned(p):
				around = p
			}
			return nil
		}
		c := candidate{path: p, source: library.FormatOf(p, nil) == ""}
		isShut := c.source && (around != "" || !s.sources)
		if !d.Type().IsRegular() || isShut || c.source && !s.isCode(p) {
			out.meet(p)
			return nil
		}
		if info, err := d.Info(); err == nil {
			c.large = info.Size() > maxPage
		}
		all = append(all, c)
		return nil
	})
	return all, err
}

// isCode reports whether a file is program text that is read, for its declarations or as an example.
func (s *selection) isCode(p string) bool { return s.language(p) != "" || apidoc.IsExample(p) }

// language returns the language of program text that is read for its declarations. What a glob
// names outright may be an OpenAPI file, whatever it is called.
func (s *selection) language(p string) string {
	lang := apidoc.Language(p, s.packed)
	if lang == "" && openapi.Written(p) && slices.Contains(s.include, p) {
		lang = apidoc.OpenAPI
	}
	return lang
}

// choose takes the pages out of the files that may be.
func (s *selection) choose(fsys fs.FS, all []candidate, out found) (found, error) {
	var paths []string
	for _, c := range all {
		if !c.source {
			paths = append(paths, c.path)
		}
	}
	around := look(fsys, paths)
	examples := 0
	var html found
	for _, c := range all {
		if c.source {
			isRead := !c.large && s.source(around, c.path)
			switch {
			case isRead && !apidoc.IsExample(c.path):
				out.sources = append(out.sources, c.path)
			case isRead && examples < maxExamples:
				examples++
				out.paths = append(out.paths, c.path)
			}
			continue
		}
		why := s.excludes(around, c.path)
		format := library.FormatOf(c.path, nil)
		if why == "" {
			if why, format = s.kind(fsys, c.path); format == "" {
				continue
			}
		}
		switch {
		case why != "" && !(s.lift && why.lifted()):
			// A text outside of documentation was never a page.
			if !strings.HasSuffix(strings.ToLower(c.path), ".txt") || inDocs(c.path) {
				out.exclude(why, c.path)
			}
		case c.large:
			out.exclude(tooLarge, c.path)
		case (format == library.HTML || format == library.Man) && (len(s.include) == 0 || s.wide):
			html.paths = append(html.paths, c.path)
		default:
			out.paths = append(out.paths, c.path)
		}
		if len(out.paths)+len(html.paths) > maxPages {
			return out, fault.New(fault.Usage, "look for pages").Because(fmt.Errorf("more than %d pages", maxPages)).Or("narrow it with --docs-path")
		}
	}
	out = s.prefer(out, html.paths)
	out.sources = apidoc.WithoutHeaders(out.sources)
	out.sources = apidoc.OfferedHeaders(apidoc.OneTarget(declared(fsys, out.sources)))
	sortExcluded(out.excluded)
	for i := range out.excluded {
		out.excluded[i].AtLeast = out.more && out.excluded[i].Reason == dependency
	}
	return out, nil
}

// wanted says which pages of a website are to be fetched: nil where all are, or the globs are none,
// which is said when its pages are chosen.
func wanted(in Where) func(path string) bool {
	sel, err := newSelection(in.Include, in.Exclude)
	if err != nil || len(sel.include)+len(sel.exclude) == 0 {
		return nil
	}
	return func(path string) bool {
		in := func(globs []string) bool {
			return slices.ContainsFunc(globs, func(g string) bool { return within(g, path) })
		}
		return (len(sel.include) == 0 || in(sel.include)) && !in(sel.exclude)
	}
}

// tooMany refuses a list of files more of which are pages than are read, as far as their
// names tell. A source that says itself which folders are its documentation is looked at
// once it is there.
func tooMany(in Where, paths []string) error {
	if len(paths) <= maxPages || len(in.Include) == 0 && slices.Contains(paths, "context7.json") {
		return nil
	}
	sel, err := newSelection(in.Include, in.Exclude)
	if err != nil {
		return err
	}
	n := 0
	around := look(nil, paths)
	for _, p := range paths {
		switch library.FormatOf(p, nil) {
		case "", library.HTML: // HTML may be beside its sources
			continue
		}
		if why := sel.excludes(around, p); !strings.HasSuffix(strings.ToLower(p), ".txt") && (why == "" || in.IncludeExcluded && why.lifted()) {
			n++
		}
	}
	if n > maxPages {
		return fault.New(fault.Usage, "look for pages").Because(fmt.Errorf("%d of its files are pages, more than %d", n, maxPages)).Or("narrow it with --docs-path")
	}
	return nil
}

// source reports whether program text is of the library itself.
func (s *selection) source(around *survey, p string) bool {
	if slices.ContainsFunc(s.exclude, func(g string) bool { return within(g, p) }) {
		return false
	}
	if len(s.include) > 0 && !s.everywhere && !slices.ContainsFunc(s.include, func(g string) bool { return within(g, p) }) {
		return false
	}
	switch around.folder(path.Dir(p), "") {
	case "", changelog: // a package may be called "history"
		return true
	}
	return false
}

// maxExamples is how many sources of examples are read.
const maxExamples = 200

// maxSources is how many files of program text are read.
const maxSources = 20_000

// prefer takes the pages that a generator made only where there is next to nothing
// that they were made from: HTML beside its sources says everything twice, and so do the
// manual pages of most projects.
func (s *selection) prefer(out found, html []string) found {
	written, copied := 0, 0
	isCopy := func(p string) bool { return strings.Contains("/"+p, "/_sources/") }
	for _, p := range out.paths {
		switch {
		case isCopy(p):
			copied++
		case !strings.HasPrefix(strings.ToLower(path.Base(p)), "readme"):
			written++
		}
	}
	if len(html) > 0 && !s.lift && written > len(html)/4 {
		for _, p := range html {
			if library.FormatOf(p, nil) == library.Man {
				out.exclude(manuals, p)
			} else {
				out.exclude(sources, p)
			}
		}
		return out
	}
	if copied > 0 && len(html) > 0 && !s.lift { // Sphinx puts the text of each page beside its HTML, which has more in it
		kept := out.paths[:0]
		for _, p := range out.paths {
			if isCopy(p) {
				out.exclude(sources, p)
			} else {
				kept = append(kept, p)
			}
		}
		out.paths = kept
	}
	out.paths = append(out.paths, html...)
	slices.Sort(out.paths)
	return out
}

// excludes returns why a file is not chosen by its path, "" where it is.
func (s *selection) excludes(around *survey, p string) Reason {
	if slices.ContainsFunc(s.exclude, func(g string) bool { return within(g, p) }) {
		return globbed
	}
	if len(s.include) == 0 {
		return around.reason(p, "")
	}
	why := unselected
	for _, g := range s.include {
		if !within(g, p) {
			continue
		}
		// What a glob names outright is wanted, whatever it is called.
		base := literal(g)
		if g == p {
			return ""
		}
		if why = around.reason(p, base); why == "" {
			return ""
		}
	}
	if s.wide && !strings.Contains(p, "/") {
		return around.reason(p, "")
	}
	return why
}

// pruned reports whether nothing below a shut folder can be wanted.
func (s *selection) pruned(dir string) bool {
	for _, g := range s.include {
		base := literal(g)
		if base == dir || strings.HasPrefix(base, dir+"/") || strings.HasPrefix(dir, base+"/") {
			return false
		}
	}
	return true
}

// kind returns what a page is written in, "" where it is none, and why it is not wanted
// all the same. A text or an HTML page that nobody asked for by name has to look like
// documentation.
func (s *selection) kind(fsys fs.FS, p string) (why Reason, format library.Format) {
	format = library.FormatOf(p, nil)
	lower := strings.ToLower(p)
	asked := len(s.include) > 0 && !s.wide
	if format == library.Man { // whatever else is called so
		if data, err := readPage(fsys, p, maxPage); err != nil || !man.Is(data) {
			return "", ""
		}
	}
	switch {
	case asked:
	case format == library.HTML && generated(lower):
		why = indexes
	case strings.HasSuffix(lower, ".txt"):
		if !inDocs(lower) || plainText(path.Base(lower)) {
			return "", ""
		}
		if !marked(fsys, p) {
			why = plainTexts
		}
	}
	return why, format
}

// marked reports whether a .txt is written in a markup rather than plain.
func marked(fsys fs.FS, p string) bool {
	f, err := fsys.Open(p)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	head, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return false
	}
	said, _ := text.Decode(head)
	s := "\n" + string(said)
	marks := []string{"\n.. ", "\n====", "\n----", "\n# ", "\n## ", "\n== ", "``"}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(s, mark) })
}

// readPage reads a file of a tree, as UTF-8 where it is text.
func readPage(fsys fs.FS, p string, most int64) ([]byte, error) {
	data, _, err := readText(fsys, p, most)
	return data, err
}

// readText is readPage, and says in which encoding the file was.
func readText(fsys fs.FS, p string, most int64) (data []byte, of charset.Reading, err error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, of, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, of, errors.New("it is not a regular file")
	}
	var in io.Reader = f
	if strings.HasSuffix(p, ".gz") { // a manual page
		if in, err = gzip.NewReader(f); err != nil {
			return nil, of, err
		}
	}
	data, err = file.ReadUpTo(in, most)
	if library.FormatOf(p, nil) != library.Office {
		data, of = charset.Decode(data, "")
	}
	return data, of, err
}
