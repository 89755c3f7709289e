package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// A succession is a question, and two notes: in a set of pairs the later one is in the place
// of the older; in a set of related notes they are about two things, and the older, unless
// it does not answer, is asked for.
type succession struct{ ask, old, later string }

// successions reads a set, and adds its notes, as memory_store writes them, to those of a
// corpus.
func successions(name string, c *corpus) (out []succession, err error) {
	b, err := data.ReadFile("testdata/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = os.ReadFile(name) // kept elsewhere
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(b)) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mark == "Q" {
			out = append(out, succession{ask: rest})
			continue
		}
		head, text, _ := strings.Cut(rest, " | ")
		day, category, _ := strings.Cut(head, " ")
		category, project, _ := strings.Cut(category, " ")
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, line, err)
		}
		path := fmt.Sprintf("%s/%s-%03d.md", category, slug(text), len(c.notes))
		note := storedNote(path, category, project, text, at)
		if c.plain {
			note = plainNote(len(c.notes), text, at)
		}
		c.notes = append(c.notes, note)
		p := &out[len(out)-1]
		if p.later = note.name; mark == "-" {
			p.old = note.name
		}
	}
	return out, nil
}

// pairsOf reads a set of either form.
func pairsOf(ctx context.Context, name, mirrors string, c *corpus) ([]succession, error) {
	if filepath.Ext(name) == ".jsonl" {
		return revisions(ctx, name, mirrors, c)
	}
	return successions(name, c)
}

// slug is the name of a note as memory_store makes it, of its title or its first words.
func slug(text string) string {
	title, _, _ := strings.Cut(text, " :: ")
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words[:min(len(words), 8)], "-")
}

// storedNote is a note of a line: TITLE :: TEXT, or TEXT.
func storedNote(path, category, project, text string, at time.Time) file {
	title := ""
	if a, b, ok := strings.Cut(text, " :: "); ok {
		title, text = a, b
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: memory\n")
	if title != "" {
		fmt.Fprintf(&b, "title: %q\n", title)
	}
	if project != "" {
		fmt.Fprintf(&b, "project: %q\n", project)
	}
	fmt.Fprintf(&b, "category: %s\ncreated_at: %s\nsource: agent\n---\n\n", category, at.Add(9*time.Hour).Format(time.RFC3339))
	if title != "" {
		fmt.Fprintf(&b, "# %s\n\n", title)
	}
	b.WriteString(text + "\n")
	return file{path, b.String()}
}

// plainNote is the same as a person keeps it, in a folder of no kind: the day is in the front
// matter or in the name, by turns.
func plainNote(n int, text string, at time.Time) file {
	title, said, ok := strings.Cut(text, " :: ")
	if !ok {
		title, said = "", text
	}
	if title != "" {
		said = "# " + title + "\n\n" + said
	}
	day := at.Format(time.DateOnly)
	if n/2%2 == 0 {
		return file{fmt.Sprintf("wiki/%s-%03d.md", slug(text), n), "---\ndate: " + day + "\n---\n\n" + said + "\n"}
	}
	return file{fmt.Sprintf("log/%s %s %03d.md", day, slug(text), n), said + "\n"}
}

// elsewhere measures the same for a set of pairs that is kept elsewhere, in the form of those
// in testdata or, as JSON lines, of revisions.
func elsewhere(ctx context.Context, w io.Writer, name, mirrors string, plain, verbose bool) error {
	c, err := own()
	if err != nil {
		return err
	}
	c.plain = plain
	mixed := c.questions
	pairs, err := pairsOf(ctx, name, mirrors, &c)
	if err != nil {
		return err
	}
	return succeeds(ctx, w, filepath.Base(name), c, pairs, nil, mixed, verbose)
}

// current measures whether the newest note about a matter is first, and whether the older
// one says that it is not.
func current(ctx context.Context, w io.Writer, plain, verbose bool) error {
	for _, half := range []string{"dev", "test"} {
		c, err := own()
		if err != nil {
			return err
		}
		c.plain = plain
		mixed := c.questions
		pairs, err := successions("pairs."+half+".txt", &c)
		if err != nil {
			return err
		}
		related, err := successions("related."+half+".txt", &c)
		if err != nil {
			return err
		}
		if err := succeeds(ctx, w, half, c, pairs, related, mixed, verbose); err != nil {
			return err
		}
	}
	return nil
}

func succeeds(ctx context.Context, w io.Writer, half string, c corpus, pairs, related []succession, mixed []question, verbose bool) error {
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return err
	}
	defer remove()
	ask := func(q string) (hits []vault.Piece, err error) {
		a, err := m.Search(ctx, vault.Query{Text: q, Max: depth})
		return a.Hits, err
	}
	at := func(hits []vault.Piece, path string) int {
		return slices.IndexFunc(hits, func(h vault.Piece) bool { return h.Path == path })
	}
	first, before, shown, marked := 0, 0, 0, 0
	for _, p := range pairs {
		hits, err := ask(p.ask)
		if err != nil {
			return err
		}
		old, later := at(hits, p.old), at(hits, p.later)
		if later == 0 {
			first++
		} else if verbose && len(hits) > 0 {
			fmt.Fprintf(w, "  not first %q: later %d, older %d, after %q (%.2f)\n", p.ask, later+1, old+1, hits[0].Text, hits[0].Score)
		}
		if later >= 0 && (old < 0 || later < old) {
			before++
		} else if verbose {
			fmt.Fprintf(w, "  not before %q: later %d, older %d\n", p.ask, later+1, old+1)
		}
		if old >= 0 {
			if shown++; hits[old].Superseded == p.later {
				marked++
			} else if verbose {
				fmt.Fprintf(w, "  not marked %q: later %d, older %d, by %q\n", p.ask, later+1, old+1, hits[old].Superseded)
			}
		}
	}
	fmt.Fprintf(w, "%s: %d pairs among %d notes: the later note is first for %d, before the older for %d; the older is shown for %d and marked for %d\n",
		half, len(pairs), len(c.notes), first, before, shown, marked)
	kept, wrong := 0, 0
	for _, p := range related {
		hits, err := ask(p.ask)
		if err != nil {
			return err
		}
		if at(hits, p.old) == 0 || at(hits, p.old) > 0 && hits[0].Path != p.later {
			kept++
		}
		if i := at(hits, p.old); i >= 0 && hits[i].Superseded != "" {
			wrong++
			if verbose {
				fmt.Fprintf(w, "  wrongly marked %q: by %q, at %d\n", p.ask, hits[i].Superseded, i+1)
			}
		}
	}
	fmt.Fprintf(w, "%s: %d pairs of two things: the one asked for is not behind the other for %d; it is marked wrongly for %d\n", half, len(related), kept, wrong)
	marks := 0
	for _, q := range mixed {
		hits, err := ask(q.Ask)
		if err != nil {
			return err
		}
		for _, h := range hits[:min(len(hits), 6)] {
			if h.Superseded != "" && slices.Contains(q.In, h.Path) {
				marks++
				if verbose {
					fmt.Fprintf(w, "  right answer marked %q: %s by %s\n", q.Ask, h.Path, h.Superseded)
				}
			}
		}
	}
	fmt.Fprintf(w, "%s: of %d other questions, %d right answers are marked as superseded\n", half, len(mixed), marks)
	return nil
}
