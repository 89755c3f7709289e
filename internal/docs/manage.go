package docs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// List returns every version of every library, or the presets.
func (f *Feature) List(ctx context.Context, in ListInput) (*Listed, error) {
	if in.Presets {
		all, err := presets()
		return &Listed{Presets: all, html: in.HTML}, err
	}
	out := &Listed{Libraries: []Library{}, html: in.HTML}
	for _, path := range f.asked(in.DB) {
		err := f.reading(ctx, path, func(db *library.DB) error {
			libs, err := db.List(ctx)
			for i := range libs {
				out.Libraries = append(out.Libraries, libraryOf(&libs[i]))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if n := out.ByWords(); n > 0 {
		work.FromContext(ctx).Note("%s read by an assay with another embedding model: words alone find what is in there%s", text.Count(n, "library was", "libraries were"),
			work.FromContext(ctx).Try("; to read it again: ", "docs refresh", fault.Arg{Name: "all", Value: true}))
	}
	return out, nil
}

// ByWords is how many libraries have vectors of another embedding model than this program's.
func (r *Listed) ByWords() (n int) {
	for i := range r.Libraries {
		if r.Libraries[i].ByWords {
			n++
		}
	}
	return n
}

// Remove removes a library, or one version of it.
func (f *Feature) Remove(ctx context.Context, in RemoveInput) (*Removed, error) {
	out := &Removed{ID: in.ID, Version: in.Version}
	err := f.writing(ctx, in.DB, false, func(db *library.DB) (err error) {
		out.Versions, err = db.Remove(ctx, in.ID, in.Version)
		return resolvable(in.ID, err)
	})
	return out, err
}

// Export writes a library to a file of its own.
func (f *Feature) Export(ctx context.Context, in ExportInput) (*Copied, error) {
	out := &Copied{}
	to := in.Out
	if !filepath.IsAbs(to) {
		to = filepath.Join(f.cfg.WorkDir, to)
	}
	if err := safe.CheckOutput(to); err != nil {
		return nil, fault.New(fault.Usage, "%s cannot be replaced", in.Out).Because(err).Or("name a file; an existing one is overwritten")
	}
	err := f.reading(ctx, f.path(in.DB), func(db *library.DB) error {
		if same(db.Path(), to) {
			return fault.New(fault.Usage, "%s is the file that is exported from", in.Out).Or("name another file")
		}
		libs, err := db.Export(ctx, in.ID, to)
		for i := range libs {
			out.Libraries = append(out.Libraries, libraryOf(&libs[i]))
		}
		return resolvable(in.ID, err)
	})
	out.Path, out.Verb = to, "exported to"
	if err == nil {
		out.SHA256, err = sumOf(to)
	}
	return out, err
}

// sumOf is the SHA-256 of a file, in hex.
func sumOf(name string) (string, error) {
	sum := sha256.New()
	f, err := safe.OpenNamed(name)
	if err == nil {
		defer f.Close()
		_, err = io.Copy(sum, f)
	}
	if err != nil {
		return "", fault.New(fault.Unavailable, "read %s, which was written", name).Because(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func same(a, b string) bool {
	ra, err := filepath.EvalSymlinks(a)
	if err != nil {
		return false
	}
	rb, err := filepath.EvalSymlinks(b)
	return err == nil && ra == rb
}

// Import puts an exported library beside the others.
func (f *Feature) Import(ctx context.Context, in ImportInput) (*Copied, error) {
	from := in.Path
	if !filepath.IsAbs(from) {
		from = filepath.Join(f.cfg.WorkDir, from)
	}
	out := &Copied{Path: f.path(in.DB), Verb: "imported into"}
	err := f.writing(ctx, in.DB, true, func(db *library.DB) error {
		libs, err := db.Import(ctx, from, carried)
		for i := range libs {
			out.Libraries = append(out.Libraries, libraryOf(&libs[i]))
		}
		return err
	})
	return out, err
}

// Preview returns what an ingest would keep, and keeps nothing.
func (f *Feature) Preview(ctx context.Context, in PreviewInput) (*Previewed, error) {
	j, err := f.newJob(IngestInput{Where: in.Where, Quiet: in.Quiet})
	if err != nil {
		return nil, err
	}
	say := reporter(ctx, in.Quiet)
	options, err := f.options(j.in.Where, say)
	if err != nil {
		return nil, err
	}
	t, err := source.Open(ctx, j.in.Source, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // what it leaves behind is removed by a later run
	p, err := f.plan(ctx, t, j)
	if err != nil {
		return nil, err
	}
	out := &Previewed{Library: libraryOf(&p.lib), Shown: []Snippet{}}
	limit := cmp.Or(in.Limit, 20)
	once := library.Once{}
	for page, err := range p.read(ctx, say) {
		if err != nil {
			return nil, p.explain(ctx, err)
		}
		once.Drop(&page)
		out.Library.Pages++
		out.Sources = p.api
		out.Library.Snippets += len(page.Snippets)
		for i := range page.Snippets {
			s := &page.Snippets[i]
			out.Library.Tokens += s.Tokens
			if len(out.Shown) < limit {
				out.Shown, out.texts = append(out.Shown, snippetOf(s)), append(out.texts, s.Text())
			}
		}
	}
	out.Excluded = p.excluded
	p.notes = append(p.notes, p.encodings.notes()...)
	p.tell(ctx)
	return out, nil
}

// Refresh reads the versions of a library again where their sources changed.
func (f *Feature) Refresh(ctx context.Context, in RefreshInput) (*Refreshed, error) {
	out := &Refreshed{Libraries: []Done{}}
	if in.All == (in.ID != "") {
		return nil, fault.New(fault.Usage, "name a library, or all of them with --all").Or("assay docs refresh ID, or assay docs refresh --all")
	}
	err := f.writing(ctx, in.DB, false, func(db *library.DB) error {
		all, err := db.List(ctx)
		if err != nil {
			return err
		}
		var versions []library.Library
		for _, l := range all {
			if (in.All || strings.EqualFold(l.ID, in.ID)) && (in.Version == "" || l.Version == in.Version) {
				versions = append(versions, l)
			}
		}
		if len(versions) == 0 && !in.All {
			return fault.New(fault.NotFound, "no library %s in %s", join(in.ID, in.Version), db.Path()).
				Try("docs resolve", fault.Arg{Name: "name", Value: filepath.Base(in.ID)})
		}
		for i := range versions {
			done, err := f.refresh(ctx, db, &versions[i], in)
			if errors.Is(err, errImported) && in.All {
				out.Skipped = append(out.Skipped, Failed{Library: join(versions[i].ID, versions[i].Version), Error: err.Error()})
				work.FromContext(ctx).Note("%v; %s", err, fault.HintOf(err))
				continue
			}
			if err != nil && in.All && ctx.Err() == nil {
				name := join(versions[i].ID, versions[i].Version)
				out.Failed = append(out.Failed, Failed{Library: name, Error: err.Error()})
				work.FromContext(ctx).Note("%s: %v", name, err)
				continue
			}
			if err != nil {
				return err
			}
			out.Libraries = append(out.Libraries, done)
		}
		return nil
	})
	return out, err
}

func join(id, version string) string {
	if version == "" {
		return id
	}
	return id + "/" + version
}

// refresh reads one version again.
func (f *Feature) refresh(ctx context.Context, db *library.DB, l *library.Library, in RefreshInput) (Done, error) {
	var r recipe
	err := json.Unmarshal([]byte(l.Recipe), &r)
	if err == nil && !r.Here && !registered(r.Address) {
		return Done{}, again(l, &r)
	}
	if err != nil || r.Address == "" {
		return Done{}, fault.New(fault.Usage, "%s does not say how it was read", join(l.ID, l.Version)).
			Or("ingest it again: assay docs ingest SOURCE --id %s", l.ID)
	}
	j := &job{started: f.cfg.Now(), installed: r.Packed, in: IngestInput{Quiet: in.Quiet, Title: l.Title, Description: l.Description, Aliases: l.Aliases,
		Where: Where{Source: r.Address, Version: r.Version, Ref: r.Ref, Include: r.Include, Exclude: r.Exclude, IncludeExcluded: r.Lift, NoAPI: r.NoAPI, ID: l.ID, MaxPages: r.Most}}}
	if r.Preset != "" {
		p, err := presetOf(r.Preset)
		if err != nil {
			return Done{}, err
		}
		j.preset = p
		j.in.Where = Where{Source: r.Address, ID: l.ID, Version: r.Version, IncludeExcluded: r.Lift, NoAPI: r.NoAPI}
		p.apply(&j.in.Where)
	}
	if !in.Full {
		if same, err := f.unchanged(ctx, l, j); err != nil || same {
			return Done{Library: libraryOf(l), Unchanged: true, Kept: l.Pages, MS: f.cfg.Now().Sub(j.started).Milliseconds()}, err
		}
	}
	if j.stored, err = db.Pages(ctx, l.ID, l.Version); err != nil {
		return Done{}, err
	}
	if !in.Full {
		j.known = j.stored
	}
	done, err := f.ingest(ctx, j, func(put func(*library.DB) error) error { return put(db) })
	if err != nil {
		return done, err
	}
	if done.Version == l.Version && done.Checksum == l.Checksum {
		done.Unchanged = true
	}
	if done.Version != l.Version {
		work.FromContext(ctx).Note("%s is at version %s now; %s is kept beside it", l.ID, done.Version, l.Version)
	}
	return done, nil
}

// unchanged reports whether the repository that a version was read from stands where
// it stood. Of other sources only reading them tells; and what has vectors of another model
// is to be read again though nothing moved.
func (f *Feature) unchanged(ctx context.Context, l *library.Library, j *job) (bool, error) {
	if l.ByWords || l.Commit == "" || l.Ref == "" || !source.IsGit(j.in.Source, f.cfg.WorkDir) {
		return false, nil
	}
	reporter(ctx, j.in.Quiet)("Looking for changes of "+j.in.Source, 0, 0)
	at, err := source.Head(ctx, j.in.Source, l.Ref)
	return err == nil && at == l.Commit, err
}
