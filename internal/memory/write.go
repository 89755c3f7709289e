package memory

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A StoreResult says where a note is.
type StoreResult struct {
	Path      string   `json:"path"`
	Exists    bool     `json:"exists,omitempty"`   // it was there already; nothing was written
	Redacted  int      `json:"redacted,omitempty"` // secrets that were removed
	Unindexed string   `json:"not_indexed,omitempty"`
	Linked    bool     `json:"linked,omitempty"`  // it was there already, and now says what it supersedes
	Similar   []Rival  `json:"similar,omitempty"` // older notes that seem to be about the same
	Notes     []string `json:"notes,omitempty"`
}

// A Rival is an older note that seems to be about the same matter as one that was stored.
type Rival struct {
	Path   string `json:"path"`
	Date   string `json:"date,omitempty"`
	Kind   string `json:"kind"`             // conflicts, or near-duplicate
	Differ string `json:"differ,omitempty"` // the values that differ, as "8085 → 9085"
	Says   string `json:"says"`             // its first words
}

// Store keeps a note, and returns when it is on the disk.
func (f *Feature) Store(ctx context.Context, in StoreInput) (*StoreResult, error) {
	if in.Content == "-" {
		return nil, fault.New(fault.Usage, "there is no note").Or("give its text, or pipe it in")
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	n := vault.Note{Title: in.Title, Content: in.Content, Category: in.Category, Supersedes: in.Supersedes, Source: in.source, Project: f.belongs(m, in)}
	if n.Source == "" {
		n.Source = "user"
	}
	if n.Project != "" && n.Project == f.project(m) {
		n.Code = f.pointers(in.Content)
	}
	s, err := m.Store(ctx, n)
	if err != nil {
		return nil, err
	}
	out := &StoreResult{Path: s.Path, Exists: s.Exists, Redacted: s.Redacted, Unindexed: s.Unindexed, Linked: s.Linked}
	for _, r := range s.Rivals {
		x := Rival{Path: r.Path, Kind: "conflicts", Differ: r.Differ, Says: oneLine(r.Says)}
		if r.Double {
			x.Kind = "near-duplicate"
		}
		if !r.Day.IsZero() {
			x.Date = r.Day.Format(time.DateOnly)
		}
		out.Similar = append(out.Similar, x)
	}
	if s.Redacted > 0 {
		out.Notes = append(out.Notes, text.Count(s.Redacted, "secret was", "secrets were")+" removed: memory stores none")
	}
	if s.Unindexed != "" {
		out.Notes = append(out.Notes, "the note is stored, but cannot be found yet: "+s.Unindexed)
	}
	return out, nil
}

// belongs returns the project of a note that does not say: that of the working
// directory, unless it is about a person or what a person likes.
func (f *Feature) belongs(m *vault.Memory, in StoreInput) string {
	switch {
	case in.Project == "none":
		return ""
	case in.Project != "":
		return in.Project
	case in.Category == "preferences" || in.Category == "entities":
		return ""
	}
	if _, ok := git.TopLevel(f.cfg.WorkDir); f.cfg.WorkDir == "" || !ok {
		return ""
	}
	return f.project(m)
}

// WriteText writes the path in a line.
func (r *StoreResult) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	if r.Exists {
		fmt.Fprintf(&b, "exists: %s\n", text.Line(r.Path))
	} else {
		fmt.Fprintf(&b, "stored: %s\n", text.Line(r.Path))
	}
	if r.Linked {
		b.WriteString("# it says now what it supersedes\n")
	}
	for _, s := range r.Similar {
		what := "it may contradict "
		if s.Kind == "near-duplicate" {
			what = "nearly the same as "
		}
		fmt.Fprintf(&b, "# %s%s (%s): %q", what, text.Line(s.Path), s.Date, text.Line(s.Says))
		if s.Differ != "" {
			fmt.Fprintf(&b, "; %s", text.Line(s.Differ))
		}
		b.WriteByte('\n')
	}
	if len(r.Similar) > 0 {
		b.WriteString("# if this replaces one of them, store it again and name that one: --supersedes PATH, or supersedes of memory_store\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# %s\n", text.Line(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// An EditResult says what became of a note.
type EditResult struct {
	Path     string   `json:"path"`
	Changed  bool     `json:"changed"`
	Pinned   bool     `json:"pinned"`
	Redacted int      `json:"redacted,omitempty"` // secrets that were removed
	Notes    []string `json:"notes,omitempty"`
}

// Edit changes the text of a note, or whether it is kept in front.
func (f *Feature) Edit(ctx context.Context, in EditInput) (*EditResult, error) {
	c := vault.Change{Path: in.Path, Text: in.Text, Was: in.Was}
	if in.Pin || in.Unpin {
		c.Pin = &in.Pin
	}
	if c.Text == "" && c.Pin == nil || c.Text == "-" {
		return nil, fault.New(fault.Usage, "memory edit needs a text, --pin or --unpin").Or("for example: assay memory edit decisions/database.md --pin")
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	e, err := m.Edit(ctx, c)
	if err != nil {
		return nil, err
	}
	out := &EditResult{Path: e.Path, Changed: e.Changed, Pinned: e.Pinned, Redacted: e.Redacted}
	if e.Redacted > 0 {
		out.Notes = append(out.Notes, text.Count(e.Redacted, "secret was", "secrets were")+" removed: memory stores none")
	}
	if e.Unindexed != "" {
		out.Notes = append(out.Notes, "the note is changed, but cannot be found as it is now: "+e.Unindexed)
	}
	return out, nil
}

// WriteText writes the path in a line.
func (r *EditResult) WriteText(w io.Writer, _ bool) error {
	did := "as it was"
	if r.Changed {
		did = "changed"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", did, text.Line(r.Path))
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# %s\n", text.Line(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A ForgetResult says what was forgotten, or would be.
type ForgetResult struct {
	Notes    []string `json:"notes"`
	Sessions []string `json:"sessions,omitempty"`
	DryRun   bool     `json:"dry_run,omitempty"`
}

// Forget removes notes and keeps sessions out of the index for good.
func (f *Feature) Forget(ctx context.Context, in ForgetInput) (*ForgetResult, error) {
	named := 0
	for _, s := range []string{in.Path, in.Session, in.Query} {
		if s != "" {
			named++
		}
	}
	if named != 1 {
		return nil, fault.New(fault.Usage, "memory forget takes one of PATH, --session and --query").Or("for example: assay memory forget --query \"old password policy\" --dry-run")
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	g, err := m.Forget(ctx, vault.Forgetting{Path: in.Path, Session: in.Session, Query: in.Query, DryRun: in.DryRun})
	if err != nil {
		return nil, err
	}
	return &ForgetResult{Notes: append([]string{}, g.Notes...), Sessions: g.Sessions, DryRun: in.DryRun}, nil
}

// WriteText writes a line for each.
func (r *ForgetResult) WriteText(w io.Writer, _ bool) error {
	did := "forgotten"
	if r.DryRun {
		did = "would be forgotten"
	}
	var b strings.Builder
	for _, p := range r.Notes {
		fmt.Fprintf(&b, "%s: %s\n", did, text.Line(p))
	}
	for _, p := range r.Sessions {
		fmt.Fprintf(&b, "%s: %s (the agent's own files stay)\n", did, text.Line(p))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
