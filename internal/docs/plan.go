package docs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/office"
	"github.com/assay-dev/assay/internal/docs/openapi"
	"github.com/assay-dev/assay/internal/docs/pydoc"
	"github.com/assay-dev/assay/internal/docs/source"
)

// A plan is a library and the pages that it will be read from.
type plan struct {
	tree   *source.Tree
	lib    library.Library
	paths  []string // pages, then sources
	format library.Format
	known  map[string]string
	stored map[string]string
	notes  []string

	excluded []Excluded
	sources  []string // program text
	names    *apidoc.Names
	fsys     fs.FS
	py       *pydoc.Docs

	kept  int // pages that were as they were
	fresh int // pages that were read
	api   int // files of program text that declare something for others
	mu    sync.Mutex
	open  map[string]bool // pages that took something from another file
	bad   []string        // files that could not be read

	encodings encodings
}

// plan decides what a tree is called and which of its files are pages.
func (f *Feature) plan(ctx context.Context, t *source.Tree, j *job) (*plan, error) {
	c7, note := readContext7(t.FS())
	p := &plan{tree: t, fsys: t.FS(), known: j.known, stored: j.stored, open: map[string]bool{}, notes: append(j.notes, t.Notes...)}
	if t.Lost > 0 && len(j.stored) > 0 {
		p.notes = append(p.notes, "the source did not give all that it may have: the pages that are stored and did not come stay as they are")
	}
	if note != "" {
		p.notes = append(p.notes, note)
	}
	include, exclude := j.in.Include, append([]string{}, j.in.Exclude...)
	own := len(include) == 0
	if own {
		include, exclude = c7.include(), append(exclude, c7.exclude()...)
	}
	sel, err := newSelection(include, exclude)
	if err != nil {
		return nil, err
	}
	sel.wide, sel.lift = own && len(include) > 0, j.in.IncludeExcluded
	sel.sources, sel.everywhere = !j.in.NoAPI, sel.wide || j.preset != nil
	sel.packed = j.installed || t.Kind == source.NPM
	if j.preset != nil {
		p.format = j.preset.Format
	}
	say := reporter(ctx, j.in.Quiet)
	say("Looking for pages", 0, 0)
	got, err := sel.pages(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(got.sources) > maxSources {
		p.notes = append(p.notes, fmt.Sprintf("no API reference: %d files of program text are too many; --docs-path narrows it", len(got.sources)))
		got.sources = nil
	}
	p.paths, p.sources = append(got.paths, got.sources...), got.sources
	p.excluded = append(got.excluded, omitted(t.Omitted)...)
	if !j.installed { // of many packages, the notes would be more than the answer; it has the counts
		p.notes = append(p.notes, leftOut(got.excluded)...)
	}
	if len(p.paths) == 0 {
		p.tell(ctx)
		e := fault.New(fault.NotFound, "no documentation in %s", j.in.Source)
		if met := got.met(); met != "" {
			e = fault.New(fault.NotFound, "no documentation in %s, which has other files: %s", j.in.Source, met)
		}
		if len(j.in.Include) > 0 {
			return nil, e.Or("no file matches %s and is .md, .mdx, .rst, .rdoc, .txt, .adoc, .html or .ipynb", strings.Join(j.in.Include, ", "))
		}
		return nil, e.Or("pages are .md, .mdx, .qmd, .rst, .rdoc, .adoc, .ipynb and .html files and manual pages; name others, or excluded folders, with --docs-path GLOB")
	}
	p.py = pydoc.New(p.fsys)
	p.names = apidoc.NamesOf(p.sources, func(name string) ([]byte, error) { return readPage(p.fsys, name, maxInclude) })
	p.lib = f.library(t, j, &c7)
	return p, nil
}

// library describes what will be kept.
func (f *Feature) library(t *source.Tree, j *job, c7 *context7) library.Library {
	in := j.in
	r := recipe{Address: t.Address, Version: in.Version, Ref: in.Ref, Include: in.Include, Exclude: in.Exclude, Lift: in.IncludeExcluded, NoAPI: in.NoAPI, Packed: j.installed, Here: true}
	if t.Kind == source.Site || t.Kind == source.LLMs {
		r.Most = in.MaxPages
	}
	l := library.Library{
		ID:          cmp.Or(in.ID, t.ID),
		Version:     cmp.Or(in.Version, t.Version, library.Latest),
		Ref:         t.Ref,
		Title:       cmp.Or(in.Title, c7.Title, t.Title),
		Description: cmp.Or(in.Description, c7.Description, t.Description),
		Rules:       c7.Rules,
		Source:      t.Address,
		Commit:      t.Commit,
		Date:        t.Date,
		Ingested:    f.cfg.Now().UTC().Truncate(time.Second),
	}
	if t.Kind == source.NPM || t.Meant {
		l.Version = t.Version
	}
	if known := presetFor(l.ID); known != nil {
		l.Title, l.Description, l.Trust = cmp.Or(in.Title, c7.Title, known.Title), cmp.Or(l.Description, known.Description), known.Trust
		in.Aliases = append(append([]string{known.Name}, known.Aliases...), in.Aliases...)
	}
	if j.preset != nil {
		r = recipe{Address: t.Address, Preset: j.preset.Name, Version: in.Version, Format: j.preset.Format, Lift: in.IncludeExcluded, NoAPI: in.NoAPI, Packed: j.installed, Here: true}
		if len(j.preset.Paths) > 0 {
			l.Version = cmp.Or(in.Version, j.preset.Current)
		}
	}
	if !strings.HasPrefix(l.ID, "/") {
		l.ID = "/" + l.ID
	}
	l.Title = cmp.Or(l.Title, path.Base(l.ID))
	l.Recipe = r.String()
	seen := map[string]bool{}
	if j.installed {
		t.Aliases = nil // what is asked for as one package may say that it is another
	}
	for _, a := range append(append([]string{}, in.Aliases...), t.Aliases...) {
		if a = strings.TrimSpace(a); a != "" && !seen[a] {
			seen[a] = true
			l.Aliases = append(l.Aliases, a)
		}
	}
	return l
}

// unfill counts the sections of a page that were left out.
func (p *plan) unfill(page *library.Page) {
	if page.Unfilled == 0 {
		return
	}
	i := slices.IndexFunc(p.excluded, func(e Excluded) bool { return e.Reason == unfilled })
	if i < 0 {
		i = len(p.excluded)
		p.excluded = append(p.excluded, Excluded{Reason: unfilled})
	}
	e := &p.excluded[i]
	e.Sections += page.Unfilled
	if len(e.Examples) < examples {
		e.Examples = append(e.Examples, page.Path)
	}
}

// unfilledNote says how many sections were left out while pages were read.
func (p *plan) unfilledNote() []string {
	i := slices.IndexFunc(p.excluded, func(e Excluded) bool { return e.Reason == unfilled })
	if i < 0 {
		return nil
	}
	e := &p.excluded[i]
	return []string{fmt.Sprintf("%s left out: %s (%s)", text.Count(e.Sections, "section", "sections"), e.Reason, e.Examples[0])}
}

// read yields the pages of a plan.
func (p *plan) read(ctx context.Context, say func(string, int64, int64)) iter.Seq2[library.Page, error] {
	return func(yield func(library.Page, error) bool) {
		done := int64(0)
		for page, err := range library.Read(ctx, 0, p.files()) {
			if err != nil {
				yield(page, err)
				return
			}
			if page.Keep {
				p.kept++
			} else {
				p.mu.Lock()
				if p.open[page.Path] {
					page.Hash += "+"
				}
				p.mu.Unlock()
			}
			p.unfill(&page)
			done++
			if library.FormatOf(page.Path, nil) == "" {
				// Most program text declares nothing for others, and is no page then.
				if !page.Keep && len(page.Snippets) == 0 {
					continue
				}
				p.api++
			}
			if !page.Keep {
				p.fresh++
			}
			say("Indexing pages", done, int64(len(p.paths)))
			if !yield(page, nil) {
				return
			}
		}
	}
}

// files yields what is to be read. A page that is as it was, and took nothing from
// another file, is kept.
func (p *plan) files() iter.Seq2[library.File, error] {
	return func(yield func(library.File, error) bool) {
		for _, name := range p.paths {
			page := library.File{Path: name, URL: p.tree.URL(name), Options: markup.Options{
				Path:    name,
				Include: func(to string) ([]byte, error) { return p.included(name, to) },
				Doc:     func(kind, of string) (string, bool) { return p.documented(name, kind, of) },
			}}
			if apidoc.IsExample(name) {
				page.Format = library.Example
			} else if library.FormatOf(name, nil) == "" {
				page.Format, page.Language, page.Names = library.Source, apidoc.Language(name, true), p.names
				if page.Language == "" && openapi.Written(name) { // it was named
					page.Language = apidoc.OpenAPI
				}
			}
			if p.format != "" && library.FormatOf(name, nil) == library.Markdown {
				page.Format = p.format
			}
			data, encoding, err := readText(p.fsys, name, maxPage)
			p.encodings.add(name, encoding)
			if err != nil {
				// One file that cannot be read is not the end of the others, nor of what is stored of it.
				p.bad = append(p.bad, fmt.Sprintf("%s: %v", name, file.Bare(err)))
				if hash, ok := p.stored[name]; ok && !errors.Is(err, fs.ErrNotExist) && !yield(library.File{Path: name, Hash: hash, Keep: true}, nil) {
					return
				}
				continue
			}
			if page.Language == apidoc.OpenAPI && openapi.Is(data) {
				if _, err := openapi.Read(data); err != nil {
					p.bad = append(p.bad, fmt.Sprintf("%s: %v", name, err))
					continue
				}
			}
			if library.FormatOf(name, nil) == library.Office && !office.Is(data) {
				p.bad = append(p.bad, name+": it is empty, damaged, larger than is read or needs a password")
				continue
			}
			if library.IsChangelog(name) {
				data = library.NewestChanges(data)
			}
			sum := sha256.Sum256(data)
			page.Hash = reading + hex.EncodeToString(sum[:])
			page.Keep = p.known[name] == page.Hash
			page.Data = func() ([]byte, error) { return data, nil }
			if !yield(page, nil) {
				return
			}
		}
		p.stay(yield)
	}
}

// stay yields the pages that are stored and that a site may still have, though it did not give them now.
func (p *plan) stay(yield func(library.File, error) bool) {
	if p.tree.Lost == 0 {
		return
	}
	come := set.Of(p.paths)
	for _, name := range slices.Sorted(maps.Keys(p.stored)) {
		if !come[name] && !yield(library.File{Path: name, Hash: p.stored[name], Keep: true}, nil) {
			return
		}
	}
}

// included returns a file that a page takes text from: by a path from its own folder,
// or from the root where it begins with "/".
func (p *plan) included(page, to string) ([]byte, error) {
	name, rooted := strings.CutPrefix(to, "/")
	if !rooted {
		name = path.Join(path.Dir(page), to)
	}
	name = path.Clean(name)
	if !fs.ValidPath(name) || name == "." {
		return nil, fs.ErrNotExist
	}
	data, err := readPage(p.fsys, name, maxInclude)
	if err == nil {
		p.taken(page)
	}
	return data, err
}

func (p *plan) documented(page, kind, name string) (string, bool) {
	text, ok := p.py.Of(kind, name)
	if ok {
		p.taken(page)
	}
	return text, ok
}

func (p *plan) taken(page string) {
	p.mu.Lock()
	p.open[page] = true
	p.mu.Unlock()
}

// tell says what a person should know of what was read.
func (p *plan) tell(ctx context.Context) {
	note := work.FromContext(ctx).Note
	for _, n := range p.notes {
		note("%s", n)
	}
	if n := len(p.bad); n > 0 {
		note("%s omitted: %s", text.Count(n, "page that cannot be read", "pages that cannot be read"), strings.Join(p.bad[:min(n, 5)], "; "))
	}
}

// explain says what an error of reading means.
func (p *plan) explain(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fault.New(fault.Interrupted, "stopped; what %s held before still answers", p.lib.ID)
	case fault.KindOf(err) == fault.NotFound && len(p.bad) == len(p.paths):
		return fault.New(fault.NotFound, "nothing in %s can be read: %s", p.tree.Address, strings.Join(p.bad[:min(len(p.bad), 5)], "; "))
	case fault.KindOf(err) == fault.NotFound:
		return fault.New(fault.NotFound, "%s in %s, and not a sentence in them", text.Count(len(p.paths), "page", "pages"), p.tree.Address).
			Or("name the folder of the documentation with --docs-path GLOB")
	}
	return err
}

// reporter returns where a call says how far it is.
func reporter(ctx context.Context, quiet bool) func(string, int64, int64) {
	if quiet {
		return func(string, int64, int64) {}
	}
	return work.FromContext(ctx).Progress
}
