package memory

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// Timeline returns notes and sessions by day, the newest first.
func (f *Feature) Timeline(ctx context.Context, in TimelineInput) (*ListResult, error) {
	m, r, err := f.current(ctx, vault.SyncOptions{})
	if err != nil {
		return nil, err
	}
	all, err := m.Timeline(ctx, vault.Listing{Source: in.Source, Project: in.Project, Tag: in.Tag}, in.Since, in.Before)
	if err != nil {
		return nil, err
	}
	out := listed(all, in.Max)
	out.Notes = f.lacks(r)
	return out, nil
}

// A LinksResult is what hangs together with a note.
type LinksResult struct {
	Path   string            `json:"path,omitempty"` // "" for all notes
	Title  string            `json:"title,omitempty"`
	Tags   []string          `json:"tags,omitempty"`
	Links  []vault.Link      `json:"links"`
	Titles map[string]string `json:"titles,omitempty"` // of all notes by their paths, where all are asked for
	Notes  remarks           `json:"notes,omitempty"`
}

// Links says what a note links to and what links to it, or all links that there are.
func (f *Feature) Links(ctx context.Context, in LinksInput) (*LinksResult, error) {
	m, r, err := f.current(ctx, vault.SyncOptions{NotesOnly: true})
	if err != nil {
		return nil, err
	}
	if in.Path == "" {
		links, titles, err := m.Web(ctx)
		if err != nil {
			return nil, err
		}
		return &LinksResult{Links: append([]vault.Link{}, links...), Titles: titles, Notes: f.lacks(r)}, nil
	}
	a, err := m.Links(ctx, in.Path, in.Depth)
	if err != nil {
		return nil, err
	}
	return &LinksResult{Path: a.Path, Title: a.Title, Tags: a.Tags, Links: append([]vault.Link{}, a.Links...), Notes: f.lacks(r)}, nil
}

// WriteText writes a link a line: those from the note, those to it, and those further away.
func (r *LinksResult) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	if r.Path != "" {
		fmt.Fprintf(&b, "%s  %s\n", text.Painted(colour, bold+cyan, text.Line(r.Path)), text.Line(oneLine(r.Title)))
	}
	if len(r.Tags) > 0 {
		fmt.Fprintf(&b, "tags: #%s\n", text.Line(strings.Join(r.Tags, " #")))
	}
	for _, l := range r.Links {
		b.WriteString(strings.Repeat("  ", l.Depth))
		switch {
		case l.From == r.Path:
			fmt.Fprintf(&b, "%s %s", text.Line(l.Kind), text.Line(l.To))
		case l.To == r.Path && l.Kind == "links to":
			fmt.Fprintf(&b, "linked from %s", text.Line(l.From))
		default:
			fmt.Fprintf(&b, "%s %s %s", text.Line(l.From), text.Line(l.Kind), text.Line(l.To))
		}
		if l.Line > 0 {
			fmt.Fprintf(&b, "  (line %d)", l.Line)
		}
		if l.Broken {
			b.WriteString(text.Painted(colour, faint, "  there is no such note"))
		}
		b.WriteByte('\n')
	}
	if len(r.Links) == 0 {
		b.WriteString("# no links\n")
	}
	b.Notes(r.Notes)
	return b.End()
}
