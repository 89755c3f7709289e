package memory

import (
	"context"
	"encoding/json"
	"io"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// An EnrichResult has the notes without questions, for an agent to fill in and give back.
type EnrichResult struct {
	Do      string       `json:"do,omitempty"` // the task
	Changed []string     `json:"changed,omitempty"`
	Failed  []string     `json:"failed,omitempty"` // answers that could not be written, and why
	Left    int          `json:"left"`             // notes without questions
	Notes   []EnrichNote `json:"notes"`
}

// An EnrichNote is a note with the fields to be filled in.
type EnrichNote struct {
	Path     string   `json:"path"`
	Title    string   `json:"title,omitempty"`
	Text     string   `json:"text,omitempty"`
	Asked    []string `json:"asked"`
	Keywords []string `json:"keywords"`
}

const (
	enrichNotes = 10
	enrichText  = 2000 // bytes of a note that are shown
	enrichTask  = "For each note write into asked three questions that it answers, as somebody asks who has the problem and not its words, " +
		"and into keywords six words that it lacks. Then run: assay memory enrich - with this JSON on standard input; it prints the next notes."
)

// Enrich writes the questions and keywords that it is given into their notes, and returns the next notes without.
func (f *Feature) Enrich(ctx context.Context, in EnrichInput) (*EnrichResult, error) {
	var given struct{ Notes []EnrichNote }
	if in.Answers != "" && in.Answers != "-" {
		if err := json.Unmarshal([]byte(in.Answers), &given); err != nil || len(given.Notes) == 0 {
			return nil, fault.New(fault.Usage, "the answers are not the JSON that memory enrich prints").
				Or(`give it back with asked and keywords filled in: {"notes":[{"path":…,"asked":[…],"keywords":[…]}]}`)
		}
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	out := &EnrichResult{Notes: []EnrichNote{}}
	for _, n := range given.Notes {
		if len(n.Asked) == 0 && len(n.Keywords) == 0 {
			continue
		}
		changed, err := m.Reword(ctx, n.Path, vault.Wording{Asked: n.Asked, Keywords: n.Keywords})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // the other answers must not be lost for it
			out.Failed = append(out.Failed, err.Error())
		}
		if changed {
			out.Changed = append(out.Changed, n.Path)
		}
	}
	next, left, err := m.Unasked(ctx, enrichNotes)
	if err != nil {
		return nil, err
	}
	if out.Left = left; left > 0 {
		out.Do = enrichTask
	}
	for _, n := range next {
		said := text.Short(n.Text, enrichText)
		out.Notes = append(out.Notes, EnrichNote{Path: n.Path, Title: n.Title, Text: said, Asked: []string{}, Keywords: []string{}})
	}
	return out, nil
}

// WriteText writes the JSON that is to be filled in.
func (r *EnrichResult) WriteText(w io.Writer, _ bool) error { return codec.WriteJSON(w, r) }
