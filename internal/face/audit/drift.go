package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/file"
	"github.com/assay-dev/assay/internal/report"
	"github.com/assay-dev/assay/internal/trajectory"
)

// A DriftInput asks for the report on documents and code to be brought up to date.
type DriftInput struct {
	Out    string `json:"out,omitempty" flag:"out" help:"folder of the report (default: reality/ of the grimoire, else .assay/reports)"`
	Format string `json:"format,omitempty" flag:"format" enum:"assay|loa" default:"assay" help:"which tables"`
	HTML   bool   `json:"html,omitempty" flag:"html" help:"write drift-report.html too: one page, with the dependency graph drawn"`
	Track  bool   `json:"track,omitempty" flag:"track" help:"open and close tickets, where br or bd is installed"`
	Scope
}

// Drift is a report and where it was written.
type Drift struct {
	*audit.Report
	File string `json:"file"`
	HTML string `json:"html_file,omitempty"`
}

// A RideInput asks for all of a project's reality in one run.
type RideInput struct{ DriftInput }

// Ride is where programs begin, what they stand on, and the drift report.
type Ride struct {
	Entries      []audit.Entry       `json:"entry_points"`
	Abstractions []audit.Abstraction `json:"abstractions"`
	Drift        *Drift              `json:"drift"`
}

// Drift compares documents and code, and writes what differs to a report that an
// earlier run may have begun.
func (f *Face) Drift(ctx context.Context, in DriftInput) (*Drift, error) {
	var out *Drift
	err := f.audited(ctx, in.Scope, "drift", func(a *audit.Auditor) (n int, err error) {
		out, n, err = f.drift(ctx, a, in)
		return n, err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Ride finds entry points and abstractions, and then does what Drift does.
func (f *Face) Ride(ctx context.Context, in RideInput) (*Ride, error) {
	out := &Ride{}
	err := f.audited(ctx, in.Scope, "ride", func(a *audit.Auditor) (n int, err error) {
		report.Of(ctx).Progress("Searching for entry points…", 0, 0)
		if out.Entries, err = a.Entries(ctx); err != nil {
			return 0, err
		}
		if out.Abstractions, err = a.Abstractions(ctx); err != nil {
			return 0, err
		}
		out.Drift, n, err = f.drift(ctx, a, in.DriftInput)
		return n, err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// reportFolder returns where the report of a project lies.
func (f *Face) reportFolder(root, out string) string {
	if out != "" {
		return f.abs(out)
	}
	for _, g := range []string{"grimoires/loa", "loa-grimoire"} {
		if st, err := os.Stat(filepath.Join(root, filepath.FromSlash(g))); err == nil && st.IsDir() {
			return filepath.Join(root, filepath.FromSlash(g), "reality")
		}
	}
	return filepath.Join(root, ".assay", "reports")
}

// inside refuses a report that a link of the project leads elsewhere: what stands there
// would be read into it, or written over.
func inside(root, name string) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer dir.Close()
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return fault.New(fault.Unavailable, "open %s", name).Because(err)
	}
	st, err := dir.Lstat(rel)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && !st.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return fault.New(fault.Unavailable, "write %s", name).Because(err).Or("take the link away, or name a folder with --out")
	}
	return nil
}

func (f *Face) drift(ctx context.Context, a *audit.Auditor, in DriftInput) (*Drift, int, error) {
	dir := f.reportFolder(a.Tree.Root, in.Out)
	name := filepath.Join(dir, "drift-report.md")
	if in.Out == "" {
		for _, path := range []string{name, filepath.Join(dir, "drift-report.html")} {
			if err := inside(a.Tree.Root, path); err != nil {
				return nil, 0, err
			}
		}
	}
	old := ""
	if _, err := os.Stat(name); err == nil {
		if old, _, err = f.document(name); err != nil {
			return nil, 0, err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, 0, fault.New(fault.Unavailable, "open %s", name).Because(err)
	}
	r, err := a.Drift(ctx, audit.ParseReport(old), f.cfg.Now(), func(stage string) { report.Of(ctx).Progress(stage, 0, 0) })
	if err != nil {
		return nil, 0, err
	}
	if in.Track {
		f.track(ctx, a.Tree.Root, r)
	}
	out := &Drift{Report: r, File: name}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, 0, fault.New(fault.Unavailable, "make %s", dir).Because(err)
	}
	if err := file.Write(name, []byte(r.Markdown(old, in.Format)), 0o644); err != nil {
		return nil, 0, fault.New(fault.Unavailable, "write %s", name).Because(err)
	}
	if in.HTML {
		if r.Graph, err = a.Folders(ctx); err != nil {
			return nil, 0, err
		}
		out.HTML = filepath.Join(dir, "drift-report.html")
		if err := file.Write(out.HTML, []byte(r.HTML(in.Format)), 0o644); err != nil {
			return nil, 0, fault.New(fault.Unavailable, "write %s", out.HTML).Because(err)
		}
	}
	for i := range r.Ghosts {
		none := 0
		f.record(ctx, a.Tree.Root, trajectory.Record{Phase: "zero_results", Action: "audit", Query: r.Ghosts[i].Feature, Path: a.Tree.Root, Reason: r.Ghosts[i].Class, Results: &none})
	}
	return out, len(r.Ghosts) + len(r.Shadows), nil
}

// track opens a ticket for each ghost and orphan without one, and closes those of
// what is mended. A ticket that cannot be made is no reason to have no report.
func (f *Face) track(ctx context.Context, root string, r *audit.Report) {
	t, ok := f.cfg.Tracker(root)
	if !ok {
		report.Of(ctx).Note("no ticket was made: neither br nor bd is installed")
		return
	}
	var err error
	for i := range r.Ghosts {
		if g := &r.Ghosts[i]; g.Ticket == "" && err == nil && strings.HasPrefix(g.Class, string(audit.Confirmed)) {
			g.Ticket, err = t.Ghost(ctx, g.Feature)
		}
	}
	for i := range r.Shadows {
		if s := &r.Shadows[i]; s.Ticket == "" && err == nil && s.Shade == audit.Orphaned {
			s.Ticket, err = t.Shadow(ctx, s.Module, s.Shade)
		}
	}
	for _, x := range r.Resolved {
		if x.Ticket != "" && err == nil {
			err = t.Close(ctx, x.Ticket, x.Type+", "+x.Evidence)
		}
	}
	if err != nil {
		report.Of(ctx).Note("tickets are not up to date: %v", err)
	}
}

// WriteText writes what matters of a report, and where all of it is.
func (r *Drift) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Drift score: %s\n", r.Scored())
	for i := range r.Ghosts {
		fmt.Fprintf(&b, "ghost: %s [%s] %s\n", r.Ghosts[i].Feature, r.Ghosts[i].Source, r.Ghosts[i].Class)
	}
	shades := map[audit.Shade]int{}
	for i := range r.Shadows {
		shades[r.Shadows[i].Shade]++
		if s := &r.Shadows[i]; s.Shade == audit.Drifted {
			fmt.Fprintf(&b, "drifted: %s [%s] %s: %s\n", s.Module, s.Location, s.Doc, s.Difference)
		}
	}
	for _, x := range r.Resolved[len(r.Resolved)-r.New:] {
		fmt.Fprintf(&b, "resolved: %s (%s) %s\n", x.Item, x.Type, x.Evidence)
	}
	fmt.Fprintf(&b, "%d features: %d ghosts, %d verified; %d declarations: %d orphaned, %d drifted, %d partial; %d newly resolved\n%s\n", r.Features, len(r.Ghosts), len(r.Verified), r.Declared,
		shades[audit.Orphaned], shades[audit.Drifted], shades[audit.Partial], r.New, r.File)
	if r.HTML != "" {
		fmt.Fprintln(&b, r.HTML)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes the phases one after the other.
func (r *Ride) WriteText(w io.Writer, colour bool) error {
	var b strings.Builder
	b.WriteString("Entry points\n")
	for _, e := range r.Entries {
		fmt.Fprintf(&b, "  %s: %s\n", e.Place, e.Text)
	}
	none := func(n int, what string) {
		if n == 0 {
			b.WriteString(what)
		}
	}
	none(len(r.Entries), "  none: no program and no exported function was found\n")
	b.WriteString("Abstractions\n")
	for _, x := range r.Abstractions {
		fmt.Fprintf(&b, "  %s: %s %s", x.Place, x.Kind, x.Name)
		if x.Uses > 0 {
			fmt.Fprintf(&b, ", used by %d other files", x.Uses)
		}
		b.WriteByte('\n')
	}
	none(len(r.Abstractions), "  none: the code exports no type\n")
	b.WriteString("Documents and code\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Drift.WriteText(w, colour)
}
