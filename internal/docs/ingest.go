package docs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// reading is the age of the programs that read pages: a refresh keeps no page that
// another has read.
const reading = "5:"

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
		work.FromContext(ctx).Note("this project has no documentation of its own; what it depends on is read")
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
		return nil, fault.New(fault.Usage, "no source is named").Or("give a git URL, a folder, an archive, the URL of an llms.txt, a sitemap.xml or an objects.inv, npm:NAME, devdocs:NAME, or --preset NAME")
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
			work.FromContext(ctx).Note("preset %s: %v", all[i].Name, err)
		default:
			out.Libraries = append(out.Libraries, done)
			work.FromContext(ctx).Note("preset %s: %s", all[i].Name, done.line())
		}
	}
	if len(out.Failed) > 0 {
		names := slice.Map(out.Failed, func(l Failed) string { return l.Preset })
		return nil, fault.New(fault.Negative, "%d of %d presets could not be read: %s", len(names), len(all), strings.Join(names, ", ")).
			Or("try each with assay docs ingest --preset NAME; the others are kept")
	}
	return out, nil
}

// ingest reads one library into the file that into lends.
func (f *Feature) ingest(ctx context.Context, j *job, into func(func(*library.DB) error) error) (Done, error) {
	say := reporter(ctx, j.in.Quiet)
	options, err := f.options(j.in.Where, say)
	if err != nil {
		return Done{}, err
	}
	t, err := source.Open(ctx, j.in.Source, options)
	if err != nil {
		return Done{}, err
	}
	defer func() { _ = t.Close() }() // what it leaves behind is removed by a later run
	p, err := f.plan(ctx, t, j)
	if err != nil {
		return Done{}, err
	}
	var lib library.Library
	err = into(func(db *library.DB) error {
		before, err := db.Source(ctx, p.lib.ID, p.lib.Version)
		if err != nil {
			return err
		}
		if lib, err = db.Put(ctx, p.lib, p.read(ctx, say)); err == nil && before != "" && before != lib.Source && !j.installed {
			p.notes = append(p.notes, fmt.Sprintf("%s was read from %s before, which it replaces; --id or --version keeps both", join(lib.ID, lib.Version), before))
		}
		return err
	})
	if err != nil {
		return Done{}, p.explain(ctx, err)
	}
	p.notes = append(append(p.notes, p.unfilledNote()...), p.encodings.notes()...)
	p.tell(ctx)
	return Done{Library: libraryOf(&lib), Kept: p.kept, Read: p.fresh, Sources: p.api, Excluded: p.excluded, MS: f.cfg.Now().Sub(j.started).Milliseconds()}, nil
}
