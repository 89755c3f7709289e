package audit

import (
	"context"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/audit/integrity"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
)

// A PreflightInput asks whether the files of an agent framework are as delivered.
type PreflightInput struct{ Project }

// A Preflight is what was found.
type Preflight struct {
	integrity.Report
	Root  string `json:"root"`
	Index Index  `json:"index"`
}

// An Index is the state of a project's index after a preflight.
type Index struct {
	Ready   bool   `json:"ready"`             // it has all of the tree
	Rebuilt bool   `json:"rebuilt"`           // something had to be indexed for that
	Lack    string `json:"unready,omitempty"` // why it is not ready
}

// index builds what an index lacks, in silence: state that can be rebuilt is no concern
// of whoever works here, and no reason to stop.
func (f *Feature) index(ctx context.Context, root string) (out Index) {
	if f.cfg.Ask == nil {
		return Index{Lack: "this program indexes nothing"}
	}
	err := f.cfg.Ask(ctx, root, "", "", true, func(_ *engine.Engine, v *engine.View, _ string) error {
		out = Index{Ready: v.Extent().Complete && v.Written == "", Rebuilt: !v.Hit(), Lack: v.Written}
		return nil
	})
	if err != nil {
		return Index{Lack: err.Error()}
	}
	return out
}

// Preflight compares a project with the checksums and pins that it carries, and brings its
// index up to date.
func (f *Feature) Preflight(ctx context.Context, in PreflightInput) (*Preflight, error) {
	out, err := f.Integrity(ctx, in)
	if err != nil {
		return nil, err
	}
	if !out.Stops() {
		out.Index = f.index(ctx, out.Root)
	} else {
		out.Index.Lack = "the integrity of the project is lost"
	}
	return out, nil
}

// Integrity compares a project with the checksums and pins that it carries, and changes
// nothing.
func (f *Feature) Integrity(ctx context.Context, in PreflightInput) (*Preflight, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	r, err := integrity.Check(root, integrity.Options{Version: f.cfg.Version, CK: f.cfg.CK, Binary: f.cfg.Binary})
	if err != nil {
		return nil, fault.New(fault.Usage, "the integrity of %s cannot be checked", root).Because(err).Or("fix the file named above")
	}
	if r.Mode != integrity.Disabled {
		n := len(r.Findings)
		f.record(ctx, root, trajectory.Record{Phase: "preflight", Action: "preflight", Mode: string(r.Mode), Path: root, Results: &n})
	}
	return &Preflight{Report: *r, Root: root}, nil
}

// WriteText writes what was found, and nothing where all is well.
func (r *Preflight) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, f := range r.Findings {
		writeLine(&b.Builder, "%s: %s: %s", f.Path, f.What, f.Why)
	}
	b.Note("%s", text.Counted("integrity_enforcement %s: %d file{s} compared, %d finding{s}", r.Mode, r.Files, len(r.Findings)))
	return b.End()
}

// Verdict returns an error where the findings are to stop whoever builds on them.
func (r *Preflight) Verdict() error {
	if !r.Stops() {
		return nil
	}
	return drifted(&r.Report)
}

func drifted(r *integrity.Report) error {
	names := slice.Map(r.Findings[:min(3, len(r.Findings))], func(f integrity.Finding) string { return f.Path })
	differ := text.Counted("%d file{ is|s are} not as delivered", len(r.Findings))
	return fault.New(fault.Negative, "%s (%s), and integrity_enforcement is strict", differ, strings.Join(names, ", ")).
		Or("assay preflight lists them; restore them or update the framework, or set integrity_enforcement to warn in .loa.config.yaml")
}

// NewGate returns what stops those who build on a project that enforces its integrity
// strictly and has lost it. Without such a setting it is silent, and reads one small
// file; with it a file is hashed again only when its size or its time has changed.
func NewGate() func(root string) error {
	known := &integrity.Sums{}
	return func(root string) error {
		mode, set, err := integrity.ModeOf(root)
		if err != nil || !set || mode != integrity.Strict {
			return nil //nolint:nilerr // a configuration that cannot be read enforces nothing; preflight says so
		}
		r, err := integrity.Check(root, integrity.Options{Known: known})
		if err != nil || !r.Stops() {
			return nil //nolint:nilerr // the same
		}
		return drifted(r)
	}
}
