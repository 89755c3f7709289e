package memory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/foreign"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// An ImportReport says what was taken over from another program.
type ImportReport struct {
	Format    string         `json:"format"`
	DryRun    bool           `json:"dry_run,omitempty"`
	Notes     []ImportedNote `json:"notes"`
	Same      int            `json:"already_there"`
	Forgotten int            `json:"forgotten,omitempty"`
	Redacted  int            `json:"redacted,omitempty"` // secrets that were removed
	Skipped   map[string]int `json:"skipped,omitempty"`
}

// An ImportedNote is a note that is new in the vault, or would be.
type ImportedNote struct {
	Path       string `json:"path,omitempty"`
	Title      string `json:"title"`
	Date       string `json:"date"`
	Supersedes string `json:"supersedes,omitempty"`
}

// Import stores the notes of another program, and brings the index up to date with the
// vault and the sessions.
func (f *Feature) Import(ctx context.Context, in ImportInput) (*SyncResult, error) {
	if in.Path == "" {
		if in != (ImportInput{}) {
			return nil, fault.New(fault.Usage, "nothing to import is named").Or("name an export, a folder of notes, CLAUDE.md or AGENTS.md; without any flag, memory import indexes what is new")
		}
		return f.sync(ctx, vault.SyncOptions{})
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	at := file.From(f.cfg.WorkDir, in.Path)
	if m.Within(at) {
		return nil, fault.New(fault.Usage, "%s is the vault, or in it", in.Path).Or("its notes are found already: assay memory list shows them")
	}
	e, err := foreign.Read(ctx, at, in.From)
	if err != nil {
		return nil, err
	}
	got, err := m.Import(ctx, vault.Importing{Notes: e.Notes, Project: in.Project, Category: in.Category, DryRun: in.DryRun})
	if err != nil {
		return nil, err
	}
	r := &ImportReport{Format: e.Format, DryRun: in.DryRun, Notes: []ImportedNote{}, Same: got.Same, Forgotten: got.Forgotten, Redacted: got.Redacted, Skipped: e.Skipped}
	if got.Empty > 0 {
		r.Skipped["empty without what is private or secret"] = got.Empty
	}
	for _, n := range got.Notes {
		r.Notes = append(r.Notes, ImportedNote{Path: n.Path, Title: n.Title, Date: n.Created.Format(time.DateOnly), Supersedes: n.Supersedes})
	}
	out := &SyncResult{Vault: f.cfg.Vault, Index: f.cfg.DB}
	if !in.DryRun {
		if out, err = f.sync(ctx, vault.SyncOptions{}); err != nil {
			return nil, fault.New(fault.KindOf(err), "%d notes are imported, but cannot be found yet", len(got.Notes)).Because(err).Try("memory rebuild")
		}
	}
	out.Import = r
	return out, nil
}

// most is how many of a list a person is shown.
const most = 20

func (r *ImportReport) write(b *render.Answer) {
	did := "imported"
	if r.DryRun {
		did = "would be imported"
	}
	for i, n := range r.Notes {
		if i == most {
			b.Note("%d more", len(r.Notes)-most)
			break
		}
		where := cmp.Or(n.Path, n.Title)
		fmt.Fprintf(b, "%s  %s", n.Date, text.Line(oneLine(where)))
		if n.Supersedes != "" {
			fmt.Fprintf(b, "  supersedes %s", text.Line(n.Supersedes))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s: %s from %s; %d were there already", did, text.Count(len(r.Notes), "note", "notes"), r.Format, r.Same)
	if r.Forgotten > 0 {
		fmt.Fprintf(b, ", %d were forgotten and stay so", r.Forgotten)
	}
	if r.Redacted > 0 {
		fmt.Fprintf(b, "; %s removed", text.Count(r.Redacted, "secret was", "secrets were"))
	}
	b.WriteByte('\n')
	leftOut(b, r.Skipped)
}

// leftOut writes what was not taken, by reason.
func leftOut(b *render.Answer, skipped map[string]int) {
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		b.Note("left out: %d, %s", skipped[why], text.Line(why))
	}
}
