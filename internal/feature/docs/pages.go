package docs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/domain/library"
	"github.com/assay-dev/assay/internal/domain/source"
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

// literal returns the folders that a glob names before its first wildcard.
func literal(g string) string {
	base, _ := doublestar.SplitPattern(g)
	return base
}

// Pages of a tree, and what was omitted.
type found struct {
	paths []string
	large []string
	deep  int // folders below source.MaxDepth, which nobody looked into
}

// leftOut says what a person should know was omitted.
func (f *found) leftOut() (notes []string) {
	if n := len(f.large); n > 0 {
		notes = append(notes, fmt.Sprintf("%s omitted: over %d MB", text.Count(n, "page", "pages"), maxPage>>20))
	}
	if f.deep > 0 {
		notes = append(notes, fmt.Sprintf("%s omitted: more than %d levels deep", text.Count(f.deep, "folder", "folders"), source.MaxDepth))
	}
	return notes
}

// pages lists the pages of a tree in order.
func (s *selection) pages(ctx context.Context, t *source.Tree) (found, error) {
	fsys := t.FS()
	if only := t.Only(); only != nil {
		return found{paths: only}, nil
	}
	var out, html found
	looked := 0
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == ".":
			return err
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds no pages
		}
		if looked++; looked > maxWalk {
			return fmt.Errorf("more than %d files and folders", maxWalk)
		}
		if d.IsDir() {
			switch {
			case p == ".":
			case s.pruned(p):
				return fs.SkipDir
			// Every file is opened from the root, a folder at a time, so that no link leads
			// out of it: what that takes grows as the square of the depth.
			case strings.Count(p, "/") >= source.MaxDepth:
				out.deep++
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !s.wanted(p) {
			return nil
		}
		to := &out
		switch s.kind(fsys, p) {
		case "":
			return nil
		case library.HTML:
			if len(s.include) == 0 || s.wide {
				to = &html
			}
		}
		if info, err := d.Info(); err == nil && info.Size() > maxPage {
			to.large = append(to.large, p)
			return nil
		}
		to.paths = append(to.paths, p)
		if len(out.paths)+len(html.paths) > maxPages {
			return fmt.Errorf("more than %d pages", maxPages)
		}
		return nil
	})
	if err != nil {
		if ctx.Err() != nil {
			return out, fault.New(fault.Interrupted, "stopped while the pages were looked for")
		}
		return out, fault.New(fault.Usage, "look for pages").Because(err).Or("narrow it with --docs-path")
	}
	return prefer(out, html), nil
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
	for _, p := range paths {
		switch library.FormatOf(p, nil) {
		case "", library.HTML: // HTML may stand beside what it was made from
			continue
		}
		if !strings.HasSuffix(strings.ToLower(p), ".txt") && sel.wanted(p) {
			n++
		}
	}
	if n > maxPages {
		return fault.New(fault.Usage, "look for pages").Because(fmt.Errorf("%d of its files are pages, more than %d", n, maxPages)).Or("narrow it with --docs-path")
	}
	return nil
}

// prefer takes the pages that a generator made only where there is next to nothing
// that they were made from: HTML beside its sources says everything twice.
func prefer(out, html found) found {
	sources, copied := 0, 0
	for _, p := range out.paths {
		switch {
		case strings.Contains("/"+p, "/_sources/"):
			copied++
		case !strings.HasPrefix(strings.ToLower(path.Base(p)), "readme"):
			sources++
		}
	}
	if len(html.paths) == 0 || sources > len(html.paths)/4 {
		return out
	}
	if copied > 0 { // Sphinx puts the text of each page beside its HTML, which has more in it
		out.paths = slices.DeleteFunc(out.paths, func(p string) bool { return strings.Contains("/"+p, "/_sources/") })
	}
	out.paths = append(out.paths, html.paths...)
	out.large = append(out.large, html.large...)
	slices.Sort(out.paths)
	return out
}

// wanted reports whether a file is chosen by its path.
func (s *selection) wanted(p string) bool {
	for _, g := range s.exclude {
		if within(g, p) {
			return false
		}
	}
	if len(s.include) == 0 {
		return !leftOut(p, "")
	}
	for _, g := range s.include {
		if !within(g, p) {
			continue
		}
		// What a glob names outright is wanted, whatever it is called.
		if base := literal(g); g == p || !leftOut(p, base) {
			return true
		}
	}
	return s.wide && !strings.Contains(p, "/") && !leftOut(p, "")
}

// pruned reports whether nothing below a folder can be wanted.
func (s *selection) pruned(dir string) bool {
	for _, g := range s.exclude {
		if within(g, dir) {
			return true
		}
	}
	if len(s.include) == 0 {
		return leftOutDir(dir, "")
	}
	for _, g := range s.include {
		base := literal(g)
		if base == "." || base == dir || strings.HasPrefix(base, dir+"/") || strings.HasPrefix(dir, base+"/") {
			if base == "." {
				base = ""
			}
			if base == dir || strings.HasPrefix(base, dir+"/") || !leftOutDir(dir, base) {
				return false
			}
		}
	}
	return true
}

// kind returns what a page is written in, "" where it is none. A text or an HTML
// page that nobody asked for by name has to look like documentation.
func (s *selection) kind(fsys fs.FS, p string) library.Format {
	format := library.FormatOf(p, nil)
	lower := strings.ToLower(p)
	asked := len(s.include) > 0 && !s.wide
	switch {
	case format == "":
		return ""
	case format == library.HTML && !asked && generated(lower):
		return ""
	case strings.HasSuffix(lower, ".txt") && !asked:
		if !inDocs(lower) || plainText(path.Base(lower)) || !marked(fsys, p) {
			return ""
		}
	}
	return format
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
	for _, mark := range []string{"\n.. ", "\n====", "\n----", "\n# ", "\n## ", "\n== ", "``"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// readPage reads a file of a tree, as UTF-8.
func readPage(fsys fs.FS, p string, most int64) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it is larger than %d MB", most>>20)
	}
	said, _ := text.Decode(data)
	return said, err
}
