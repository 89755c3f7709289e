package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// times measures whether questions about a time find what was written then: the notes are
// about a few things, each several times, so that nothing but the time tells them apart. The
// rules grew with the first set; the second was written when they were done, and led to more of
// them; the third was written after those.
func times(ctx context.Context, w io.Writer, verbose bool) error {
	for _, set := range []string{"times", "times.blind", "times.proof"} {
		if err := timesOf(ctx, w, set, verbose); err != nil {
			return err
		}
	}
	return nil
}

func timesOf(ctx context.Context, w io.Writer, set string, verbose bool) error {
	c, err := own()
	if err != nil {
		return err
	}
	b, err := data.ReadFile("testdata/" + set + ".txt")
	if err != nil {
		return err
	}
	type timed struct{ want, ask string }
	var asked []timed
	for line := range strings.Lines(string(b)) {
		head, text, _ := strings.Cut(strings.TrimSpace(line), " | ")
		name, day, _ := strings.Cut(head, " ")
		if name == "Q" {
			asked = append(asked, timed{"other/" + day + ".md", text})
			continue
		}
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return err
		}
		c.notes = append(c.notes, storedNote("other/"+name+".md", "other", "", text, at))
	}
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return err
	}
	defer remove()
	first := 0
	for _, q := range asked {
		a, err := m.Search(ctx, vault.Query{Text: q.ask, Max: depth})
		if err != nil {
			return err
		}
		found := ""
		if len(a.Hits) > 0 {
			found = a.Hits[0].Path
		}
		if found == q.want {
			first++
		} else if verbose {
			fmt.Fprintf(w, "  %q: want %s, found %s\n", q.ask, q.want, found)
		}
	}
	fmt.Fprintf(w, "%s: %d questions among %d notes, the right one is first for %d (%.2f)\n", set, len(asked), len(c.notes), first, float64(first)/float64(len(asked)))
	return nil
}
