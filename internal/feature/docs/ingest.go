package docs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/domain/apidoc"
	"github.com/assay-dev/assay/internal/domain/library"
	"github.com/assay-dev/assay/internal/domain/openapi"
	"github.com/assay-dev/assay/internal/domain/pydoc"
	"github.com/assay-dev/assay/internal/domain/source"
	"github.com/assay-dev/assay/internal/markup"
	"github.com/assay-dev/assay/internal/markup/office"
)

// reading is the age of the programs that read pages: a refresh keeps no page that
// another has read.
const reading = "3:"

// maxInclude bounds a file that a page includes.
const maxInclude = 1 << 20

// A recipe says how a library was read: what a refresh needs.
type recipe struct {
	Address string         `json:"address"`
	Preset  string         `json:"preset,omitempty"`
	Version string         `json:"version,omitempty"` // as it was asked for
	Ref     string         `json:"ref,omitempty"`
	Include []string       `json:"include,omitempty"`
	Exclude []string       `json:"exclude,omitempty"`
	Lift    bool           `json:"include_excluded,omitempty"`
	NoAPI   bool           `json:"no_api,omitempty"`
	Packed  bool           `json:"packed,omitempty"` // it was read as a package that is installed
	Most    int            `json:"max_pages,omitempty"`
	Format  library.Format `json:"format,omitempty"`
	// Here says that a person here named the address. What does not say so was written by somebody else, or may have been.
	Here bool `json:"here,omitempty"`
}

func (r recipe) String() string {
	b, err := json.Marshal(r)
	if err != nil {
		return "" // strings always marshal
	}
	return string(b)
}

// A job is one library to be read.
type job struct {
	in      IngestInput
	preset  *Preset
	known   map[string]string // the hashes of the pages that are there, of a refresh: those that are as they were are not read
	stored  map[string]string // the same, also where all are read
	notes   []string
	started time.Time

	installed bool // it is a package as its registry has it
}

// Ingest reads documentation and keeps it in place of what was there of the same ID
// and version.
func (f *Feature) Ingest(ctx context.Context, in IngestInput) (*Ingested, error) {
	if in.PresetAll {
		return f.ingestAll(ctx, in)
	}
	if in.Installed {
		return f.ingestInstalled(ctx, in)
	}
	j, err := f.newJob(in)
	if err != nil {
		return nil, err
	}
	done, err := f.ingest(ctx, j, f.into(ctx, in.DB))
	if fault.KindOf(err) == fault.NotFound && f.depends(ctx, in) {
		progress.Of(ctx).Note("this project has no documentation of its own; what it depends on is read")
		return f.ingestInstalled(ctx, in)
	}
	if err != nil {
		return nil, err
	}
	f.offer(ctx, in)
	return &Ingested{Libraries: []Done{done}}, nil
}

// into lends the file that a call names, made where it is not there, once the pages
// are at hand.
func (f *Feature) into(ctx context.Context, db string) func(func(*library.DB) error) error {
	return func(put func(*library.DB) error) error { return f.writing(ctx, db, true, put) }
}

func (f *Feature) newJob(in IngestInput) (*job, error) {
	j := &job{in: in, started: f.cfg.Now()}
	switch {
	case in.Preset != "":
		p, err := presetOf(in.Preset)
		if err != nil {
			return nil, err
		}
		j.preset = p
		j.notes = p.apply(&j.in.Where)
		j.in.Description = cmp.Or(in.Description, p.Description)
	case in.Source == "":
		return nil, fault.New(fault.Usage, "no source").Or("give a git URL, a folder, an archive, the URL of an llms.txt or a sitemap.xml, npm:NAME, devdocs:NAME, or --preset NAME")
	}
	return j, nil
}

// ingestAll reads every preset, past those that cannot be.
func (f *Feature) ingestAll(ctx context.Context, in IngestInput) (*Ingested, error) {
	if in.Source != "" || in.Preset != "" || in.ID != "" || in.Version != "" || in.Ref != "" {
		return nil, fault.New(fault.Usage, "--preset-all takes no source, preset, ID or version").Or("assay docs ingest --preset-all [--db FILE]")
	}
	all, err := presets()
	if err != nil {
		return nil, err
	}
	out := &Ingested{}
	for i := range all {
		one := in
		one.PresetAll, one.Preset = false, all[i].Name
		j, err := f.newJob(one)
		if err != nil {
			return nil, err
		}
		done, err := f.ingest(ctx, j, f.into(ctx, in.DB))
		switch {
		case ctx.Err() != nil:
			return nil, fault.New(fault.Interrupted, "stopped at preset %s; those before it are kept", all[i].Name)
		case err != nil:
			out.Failed = append(out.Failed, Failed{Preset: all[i].Name, Error: err.Error()})
			progress.Of(ctx).Note("preset %s: %v", all[i].Name, err)
		default:
			out.Libraries = append(out.Libraries, done)
			progress.Of(ctx).Note("preset %s: %s", all[i].Name, done.line())
		}
	}
	if len(out.Failed) > 0 {
		names := make([]string, len(out.Failed))
		for i, l := range out.Failed {
			names[i] = l.Preset
		}
		return nil, fault.New(fault.Negative, "%d of %d presets could not be read: %s", len(names), len(all), strings.Join(names, ", ")).
			Or("try each with assay docs ingest --preset NAME; the others are kept")
	}
	return out, nil
}

// ingest reads one library into the file that into lends.
func (f *Feature) ingest(ctx context.Context, j *job, into func(func(*library.DB) error) error) (Done, error) {
	say := reporter(ctx, j.in.Quiet)
	t, err := source.Open(ctx, j.in.Source, f.options(j.in.Where, say))
	if err != nil {
		return Done{}, err
	}
	defer func() { _ = t.Close() }() // what it leaves behind is removed by a later run
	p, err := f.plan(ctx, t, j)
	if err != nil {
		return Done{}, err
	}
	var lib library.Library
	err = into(func(db *library.DB) (err error) {
		lib, err = db.Put(ctx, p.lib, p.read(ctx, say))
		return err
	})
	if err != nil {
		return Done{}, p.explain(ctx, err)
	}
	p.notes = append(p.notes, p.unfilledNote()...)
	p.tell(ctx)
	return Done{Library: libraryOf(&lib), Kept: p.kept, Read: p.fresh, Sources: p.api, Excluded: p.excluded, MS: f.cfg.Now().Sub(j.started).Milliseconds()}, nil
}

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
		if len(j.in.Include) > 0 {
			return nil, e.Or("no file matches %s and is .md, .mdx, .rst, .txt, .adoc, .html or .ipynb", strings.Join(j.in.Include, ", "))
		}
		return nil, e.Or("pages are .md, .mdx, .rst, .adoc, .ipynb and .html files and manual pages; name others, or excluded folders, with --docs-path GLOB")
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
	if l.Title == "" {
		l.Title = path.Base(l.ID)
	}
	l.Recipe = r.String()
	seen := map[string]bool{}
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
			if library.FormatOf(name, nil) == "" {
				page.Format, page.Language, page.Names = library.Source, apidoc.Language(name, true), p.names
				if page.Language == "" && openapi.Written(name) { // it was named
					page.Language = apidoc.OpenAPI
				}
			}
			if p.format != "" && library.FormatOf(name, nil) == library.Markdown {
				page.Format = p.format
			}
			data, err := readPage(p.fsys, name, maxPage)
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
	come := map[string]bool{}
	for _, name := range p.paths {
		come[name] = true
	}
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
	note := progress.Of(ctx).Note
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
	return progress.Of(ctx).Progress
}
