package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/source"
)

// A DriftInput asks for the report on documents and code to be brought up to date.
type DriftInput struct {
	Out    string `json:"out,omitempty" flag:"out" out:"folder" help:"folder to write the report to (default: reality/ in the grimoire, else .assay/reports)"`
	Format string `json:"format,omitempty" flag:"format" enum:"assay|loa" default:"assay" help:"which tables to include"`
	HTML   bool   `json:"html,omitempty" flag:"html" help:"also write drift-report.html, a single page with the dependency graph"`
	Tracking
	Scope
}

// Drift is a report and where it was written.
type Drift struct {
	*claims.Report
	File string `json:"file"`
	covering
	Tracked
	HTML string `json:"html_file,omitempty"`
}

// A RideInput asks for all of a project's reality in one run.
type RideInput struct{ DriftInput }

// Ride is where programs begin, what they stand on, and the drift report.
type Ride struct {
	Entries      []claims.Entry       `json:"entry_points"`
	Abstractions []claims.Abstraction `json:"abstractions"`
	Drift        *Drift               `json:"drift"`
}

// Drift compares documents and code, and writes what differs to a report that an
// earlier run may have begun.
func (f *Feature) Drift(ctx context.Context, in DriftInput) (*Drift, error) {
	var out *Drift
	err := f.audited(ctx, in.Scope, "drift", func(a *claims.Auditor) (n int, err error) {
		out, n, err = f.drift(ctx, a, in)
		return n, err
	})
	return out, err
}

// Ride finds entry points and abstractions, and then does what Drift does.
func (f *Feature) Ride(ctx context.Context, in RideInput) (*Ride, error) {
	out := &Ride{}
	err := f.audited(ctx, in.Scope, "ride", func(a *claims.Auditor) (n int, err error) {
		work.FromContext(ctx).Progress("Searching for entry points…", 0, 0)
		if out.Entries, err = a.Entries(ctx); err != nil {
			return 0, err
		}
		if out.Abstractions, err = a.Abstractions(ctx); err != nil {
			return 0, err
		}
		out.Drift, n, err = f.drift(ctx, a, in.DriftInput)
		return n, err
	})
	return out, err
}

// reportFolder returns where the report of a project lies.
func (f *Feature) reportFolder(root, out string) string {
	if out != "" {
		return f.abs(out)
	}
	for _, g := range []string{"grimoires/loa", "loa-grimoire"} {
		if st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(g))); err == nil && st.IsDir() {
			return filepath.Join(root, filepath.FromSlash(g), "reality")
		}
	}
	return filepath.Join(root, ".assay", "reports")
}

// reports opens the folder of the report, and makes it. One that was not named lies below
// the project, where no link may lead the report elsewhere: what stands there would be
// read into it, or written over.
func (f *Feature) reports(root, dir string, named bool) (*safe.Root, error) {
	if named {
		at, err := safe.OutputFolder(dir, 0o755)
		if err != nil {
			return nil, fault.New(fault.Unavailable, "make %s", dir).Because(err).Or("name another folder with --out")
		}
		return at, nil
	}
	at, err := safe.OpenRoot(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer at.Close()
	rel, err := filepath.Rel(root, dir)
	if err == nil {
		err = at.MkdirAll(rel, 0o755)
	}
	var sub *safe.Root
	if err == nil {
		sub, err = at.Sub(rel)
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "make %s", dir).Because(err).Or("remove the link, or name a folder with --out")
	}
	return sub, nil
}

// The files of the report.
const (
	reportMarkdown = "drift-report.md"
	reportHTML     = "drift-report.html"
)

// earlier returns the report that is there, or nothing. None that cannot be written
// again is asked for: the audit would be for nothing.
func earlier(at *safe.Root, html bool) (string, error) {
	for _, name := range []string{reportMarkdown, reportHTML} {
		if _, err := at.Path(name); err != nil && (html || name == reportMarkdown) {
			return "", fault.New(fault.Unavailable, "write %s", filepath.Join(at.Name(), name)).Because(err).Or("remove what is in the way, or name a folder with --out")
		}
	}
	old, err := at.ReadFile(reportMarkdown, maxDocument)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fault.New(fault.Unavailable, "open %s", filepath.Join(at.Name(), reportMarkdown)).Because(err)
	}
	return string(old), nil
}

func (f *Feature) drift(ctx context.Context, a *claims.Auditor, in DriftInput) (*Drift, int, error) {
	dir := f.reportFolder(a.Tree.Root, in.Out)
	at, err := f.reports(a.Tree.Root, dir, in.Out != "")
	if err != nil {
		return nil, 0, err
	}
	defer at.Close()
	old, err := earlier(at, in.HTML)
	if err != nil {
		return nil, 0, err
	}
	names, _, err := namedBy(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	r, err := a.Drift(ctx, claims.ParseReport(old), f.cfg.Now(), func(stage string) { work.FromContext(ctx).Progress(stage, 0, 0) })
	if err != nil {
		return nil, 0, err
	}
	out := &Drift{Report: r, File: filepath.Join(dir, reportMarkdown), covering: names}
	f.track(ctx, a.Tree.Root, r, in.Tracking, &out.Tracked)
	if err := at.Write(reportMarkdown, []byte(r.Markdown(old, in.Format)), 0o644); err != nil {
		return nil, 0, fault.New(fault.Unavailable, "write %s", out.File).Because(err)
	}
	if in.HTML {
		if r.Graph, err = a.Imports(ctx); err != nil {
			return nil, 0, err
		}
		r.Forge = forge(ctx, a.Tree.Root)
		out.HTML = filepath.Join(dir, reportHTML)
		if err := at.Write(reportHTML, []byte(r.HTML()), 0o644); err != nil {
			return nil, 0, fault.New(fault.Unavailable, "write %s", out.HTML).Because(err)
		}
	}
	for i := range r.Ghosts {
		none := 0
		f.record(ctx, a.Tree.Root, trajectory.Record{Phase: "zero_results", Action: "audit", Agent: in.Agent, Query: r.Ghosts[i].Feature, Path: a.Tree.Root, Reason: r.Ghosts[i].Class, Results: &none})
	}
	return out, len(r.Ghosts) + len(r.Shadows), nil
}

// forge returns how the forge that a project was cloned from shows a file of the commit
// that is checked out, or nil.
func forge(ctx context.Context, root string) func(path string) string {
	top, inside := git.TopLevel(root)
	commit, ok := git.Head(ctx, root)
	origin := git.Origin(ctx, root)
	if !inside || !ok || origin == "" {
		return nil
	}
	below, err := filepath.Rel(top, root)
	if err != nil {
		return nil
	}
	tree := source.Tree{Kind: source.Git, Address: origin, Commit: commit}
	return func(file string) string { return tree.URL(path.Join(filepath.ToSlash(below), file)) }
}

// track opens a ticket for each ghost, and for each module with orphans that has none, and
// closes those of what is fixed: one of a module when nothing of it is left.
func (f *Feature) track(ctx context.Context, root string, r *claims.Report, in Tracking, out *Tracked) {
	k := f.tracker(ctx, root, in, out)
	if k == nil {
		return
	}
	open := map[string]bool{}
	for i := range r.Shadows {
		if s := &r.Shadows[i]; s.Ticket != "" {
			open[s.Ticket] = true
			k.remember(claims.Module(s.Path()), s.Ticket)
		}
	}
	for i := range r.Ghosts {
		g := &r.Ghosts[i]
		if g.Ticket == "" && strings.HasPrefix(g.Class, string(claims.Confirmed)) {
			g.Ticket = k.ghost(ctx, g.Feature)
		}
		open[g.Ticket] = true
	}
	for i := range r.Shadows {
		if s := &r.Shadows[i]; s.Ticket == "" && s.Shade == claims.Orphaned && s.Unread == 0 {
			s.Ticket = k.shadow(ctx, claims.Module(s.Path()), s.Shade)
			open[s.Ticket] = true
		}
	}
	for _, x := range r.Resolved {
		if x.Ticket != "" && !open[x.Ticket] {
			open[x.Ticket] = true // once
			k.close(ctx, x.Ticket, x.Type+", "+x.Evidence)
		}
	}
	k.done(ctx)
}

// WriteText writes what matters of a report, and where all of it is.
func (r *Drift) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Drift score: %s\n", r.Scored())
	for i := range r.Ghosts {
		writeLine(&b, "ghost: %s [%s] %s", r.Ghosts[i].Feature, r.Ghosts[i].Source, r.Ghosts[i].Class)
	}
	shades := map[claims.Shade]int{}
	for i := range r.Shadows {
		s := &r.Shadows[i]
		for k := range s.Members {
			shades[s.Members[k].Shade]++
		}
		if s.Shade == claims.Drifted {
			shades[s.Shade]++
			writeLine(&b, "drifted: %s [%s] %s: %s", s.Module, s.Location, s.Doc, s.Difference)
		}
	}
	for _, l := range r.Links {
		writeLine(&b, "broken link: %s [%s] %s", l.Target, l.Place, l.Reason())
	}
	for _, x := range r.Resolved[len(r.Resolved)-r.New:] {
		writeLine(&b, "resolved: %s (%s) %s", x.Item, x.Type, x.Evidence)
	}
	b.WriteString(text.Counted("%d feature{s}, %d link{ or name|s and names}: %d ghost{s}, %d broken link{s}, %d verified\n",
		r.Features, r.Named, len(r.Ghosts), len(r.Links), len(r.Verified)))
	b.WriteString(text.Counted("%d declaration{s}: %d orphaned, %d drifted, %d partial; %d newly resolved\n%s\n", r.Declared,
		shades[claims.Orphaned], shades[claims.Drifted], shades[claims.Partial], r.New, r.File))
	r.Tracked.write(&b)
	if r.HTML != "" {
		fmt.Fprintln(&b, r.HTML)
	}
	r.covering.write(&b, render.Columns(w))
	return fault.Only(io.WriteString(w, b.String()))
}

// WriteText writes the phases one after the other.
func (r *Ride) WriteText(w io.Writer, colour bool) error {
	var b strings.Builder
	b.WriteString("Entry points\n")
	for _, e := range r.Entries {
		writeLine(&b, "  %s: %s", e.Place, e.Text)
	}
	none := func(n int, what string) {
		if n == 0 {
			b.WriteString(what)
		}
	}
	none(len(r.Entries), "  none: no program and no exported function was found\n")
	b.WriteString("Abstractions\n")
	for _, x := range r.Abstractions {
		used := ""
		if x.Uses > 0 {
			used = text.Counted(", used by %d other file{s}", x.Uses)
		}
		writeLine(&b, "  %s: %s %s%s", x.Place, x.Kind, x.Name, used)
	}
	none(len(r.Abstractions), "  none: the code exports no type\n")
	b.WriteString("Documents and code\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Drift.WriteText(w, colour)
}
