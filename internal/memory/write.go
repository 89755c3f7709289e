package memory

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A StoreResult says where a note is.
type StoreResult struct {
	Path      string              `json:"path"`
	Exists    bool                `json:"exists,omitempty"`   // it was there already; nothing was written
	Redacted  int                 `json:"redacted,omitempty"` // secrets that were removed
	Unindexed string              `json:"not_indexed,omitempty"`
	Linked    bool                `json:"linked,omitempty"`   // it was there already, and now says its topic or what it supersedes
	Replaces  []string            `json:"replaces,omitempty"` // notes of the same topic or title that it is in the place of
	Similar   []vault.SimilarNote `json:"similar,omitempty"`  // notes about the same subject, which it may replace
	Notes     remarks             `json:"notes,omitempty"`
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
	n := vault.Note{Title: in.Title, Content: in.Content, Category: in.Category, Topic: in.Topic, Supersedes: in.Supersedes, Source: in.source,
		Wording: vault.Wording{Asked: in.Asked, Keywords: in.Keywords}, Project: f.belongs(m, in)}
	n.Source = cmp.Or(n.Source, "user")
	if n.Project != "" && n.Project == f.project(m) {
		n.Code = f.pointers(in.Content)
	}
	s, err := m.Store(ctx, n)
	if err != nil {
		return nil, err
	}
	return newStoreResult(s), nil
}

// newStoreResult returns the answer about a note that was stored.
func newStoreResult(s vault.Stored) *StoreResult {
	out := &StoreResult{Path: s.Path, Exists: s.Exists, Redacted: s.Redacted, Unindexed: s.Unindexed, Linked: s.Linked, Replaces: s.Replaces, Similar: s.Similar}
	out.Notes.add(s.Redacted > 0, "%s removed: memory stores none", text.Count(s.Redacted, "secret was", "secrets were"))
	out.Notes.add(s.Unindexed != "", "the note is stored, but cannot be found yet: %s", s.Unindexed)
	return out
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
	b := render.Answer{To: w}
	if r.Exists {
		fmt.Fprintf(&b, "exists: %s\n", text.Line(r.Path))
	} else {
		fmt.Fprintf(&b, "stored: %s\n", text.Line(r.Path))
	}
	if r.Linked {
		b.Note("it now has the topic, the questions or the note that it supersedes")
	}
	for _, old := range r.Replaces {
		b.Note("it replaces %s: same topic or title. If it is about something else, forget it and store it under another title", text.Line(old))
	}
	if n := len(r.Similar); n > 0 {
		b.Note("%s about the same subject:", text.Count(n, "note", "notes"))
	}
	for _, s := range r.Similar {
		b.Note("  %s: %q (%s)", text.Line(s.Path), text.Line(s.Title), s.Date)
	}
	if len(r.Similar) > 0 {
		b.Note("does this replace one of them? Then store it again with supersedes: --supersedes PATH, or supersedes of memory_store")
	}
	b.Notes(r.Notes)
	return b.End()
}

// An EditResult says what became of a note.
type EditResult struct {
	Path     string  `json:"path"`
	Changed  bool    `json:"changed"`
	Pinned   bool    `json:"pinned"`
	Redacted int     `json:"redacted,omitempty"` // secrets that were removed
	Notes    remarks `json:"notes,omitempty"`
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
	out.Notes.add(e.Redacted > 0, "%s removed: memory stores none", text.Count(e.Redacted, "secret was", "secrets were"))
	out.Notes.add(e.Unindexed != "", "the note is changed, but cannot be found as it is now: %s", e.Unindexed)
	return out, nil
}

// WriteText writes the path in a line.
func (r *EditResult) WriteText(w io.Writer, _ bool) error {
	did := "as it was"
	if r.Changed {
		did = "changed"
	}
	b := render.Answer{To: w}
	fmt.Fprintf(&b, "%s: %s\n", did, text.Line(r.Path))
	b.Notes(r.Notes)
	return b.End()
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
	b := render.Answer{To: w}
	for _, p := range r.Notes {
		fmt.Fprintf(&b, "%s: %s\n", did, text.Line(p))
	}
	for _, p := range r.Sessions {
		fmt.Fprintf(&b, "%s: %s (the agent's own files stay)\n", did, text.Line(p))
	}
	return b.End()
}
