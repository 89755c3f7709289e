package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/memory/foreign"
)

func bringIn(t *testing.T, m *Memory, in Importing) Brought {
	t.Helper()
	out, err := m.Import(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readNotes(t *testing.T, m *Memory) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(m.cfg.Vault, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(m.cfg.Vault, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is imported is found with its own date, holds no secret, and is imported once; what
// says something else later is in the place of what it said.
func TestImport(t *testing.T) {
	m := fresh(t, nil)
	day := time.Date(2025, 3, 14, 9, 0, 0, 0, time.UTC)
	all := []foreign.Note{
		{Key: "engram:1", Title: "Queue", Text: "We chose Redis streams for the queue.", Category: "decisions", Project: "shop", Tags: []string{"infra"}, Created: day},
		{Key: "mem0:2", Text: "The deploy key is ghp_abcdefghijklmnopqrstuvwxyz0123456789 for now", Created: day},
		{Key: "mem0:3", Text: "<private>all of it</private>"},
	}
	if out := bringIn(t, m, Importing{Notes: all, DryRun: true}); len(out.Notes) != 2 || out.Redacted != 1 {
		t.Fatalf("a dry run: %+v", out)
	}
	if n := readNotes(t, m); len(n) != 0 {
		t.Fatalf("a dry run wrote %v", n)
	}
	out := bringIn(t, m, Importing{Notes: all, Category: "facts"})
	if len(out.Notes) != 2 || out.Empty != 1 || out.Redacted != 1 || out.Notes[0].Path != "decisions/queue-20250314-090000.md" || !strings.HasPrefix(out.Notes[1].Path, "facts/") {
		t.Fatalf("%+v", out)
	}
	for rel, text := range readNotes(t, m) {
		if strings.Contains(text, "ghp_") || strings.Contains(text, "all of it") {
			t.Errorf("%s holds a secret:\n%s", rel, text)
		}
	}
	sync1(t, m)
	a, err := m.Search(context.Background(), Query{Text: "which queue did we choose tag:infra", Project: "shop"})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Path != out.Notes[0].Path || a.Hits[0].Day.Format(time.DateOnly) != "2025-03-14" || a.Hits[0].Category != "decisions" {
		t.Errorf("%+v, %v", a.Hits, err)
	}

	before := readNotes(t, m)
	if out := bringIn(t, m, Importing{Notes: all}); len(out.Notes) != 0 || out.Same != 2 {
		t.Errorf("the second time: %+v", out)
	}
	// Nor is what a person has moved and rewritten since.
	if err := os.Rename(filepath.Join(m.cfg.Vault, "decisions/queue-20250314-090000.md"), filepath.Join(m.cfg.Vault, "queue.md")); err != nil {
		t.Fatal(err)
	}
	write(t, m, "queue.md", strings.Replace(before["decisions/queue-20250314-090000.md"], "Redis streams", "Redis streams, finally", 1))
	if out := bringIn(t, m, Importing{Notes: all}); len(out.Notes) != 0 || out.Same != 2 {
		t.Errorf("after an edit: %+v", out)
	}
	all[0].Text, all[0].Created = "We chose NATS for the queue.", day.AddDate(0, 2, 0)
	out = bringIn(t, m, Importing{Notes: all})
	if len(out.Notes) != 1 || out.Notes[0].Supersedes != "queue.md" {
		t.Fatalf("after a change at the source: %+v", out)
	}
	sync1(t, m)
	a, err = m.Search(context.Background(), Query{Text: "which queue did we choose"})
	if err != nil || len(a.Hits) < 2 || a.Hits[0].Path != out.Notes[0].Path || a.Hits[1].Superseded != out.Notes[0].Path {
		t.Errorf("%+v, %v", a.Hits, err)
	}
	if out := bringIn(t, m, Importing{Notes: all}); len(out.Notes) != 0 {
		t.Errorf("after that: %+v", out)
	}

	// What was forgotten does not come back.
	if _, err := m.Forget(context.Background(), Forgetting{Path: out.Notes[0].Path}); err != nil {
		t.Fatal(err)
	}
	if out := bringIn(t, m, Importing{Notes: all}); len(out.Notes) != 0 || out.Forgotten != 1 {
		t.Errorf("after forgetting: %+v", out)
	}
	if h, err := m.Check(context.Background()); err != nil || h.Forgotten != 0 {
		t.Errorf("%d sessions are forgotten, %v", h.Forgotten, err)
	}
}

// Files keep their front matter and their names, so that links between them lead
// somewhere.
func TestImportFiles(t *testing.T) {
	m := fresh(t, nil)
	written := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	out := bringIn(t, m, Importing{Notes: []foreign.Note{
		{Key: "folder:/x/a.md", Text: "---\ntitle: A page\ntags: [infra]\nimportance: high\n---\n# A page\n\n- relates_to [[B page]]", Created: written, File: "deep/a.md"},
		{Key: "folder:/x/B page.md", Text: "It has no front matter.", Created: written, File: "deep/B page.md"},
		{Key: "folder:/x/2023-04-05 day.md", Text: "A day.", Created: written, File: "2023-04-05 day.md"},
	}})
	sync1(t, m)
	r, err := m.Links(context.Background(), "imported/deep/a.md", 1)
	if err != nil || r.Title != "A page" || strings.Join(r.Tags, " ") != "infra" || len(r.Links) != 1 || r.Links[0].To != "imported/deep/B page.md" {
		t.Errorf("%+v, %v", r, err)
	}
	var days []string
	for _, n := range out.Notes {
		days = append(days, n.Created.Format(time.DateOnly))
	}
	if got := strings.Join(days, " "); got != "2024-05-06 2024-05-06 2023-04-05" {
		t.Errorf("days: %s", got)
	}
	for rel, text := range readNotes(t, m) {
		if strings.Count(text, "\n---\n") != 1 || !strings.HasPrefix(text, "---\n") {
			t.Errorf("%s has no front matter of its own:\n%s", rel, text)
		}
	}
}

// Whoever is stopped loses nothing of what was imported, and imports the rest later.
func TestImportStopped(t *testing.T) {
	m := fresh(t, nil)
	var all []foreign.Note
	for i := range 20 {
		all = append(all, foreign.Note{Key: fmt.Sprint("mem0:", i), Text: fmt.Sprintf("Fact number %d about service s%d.", i, i), Created: time.Unix(1.7e9, 0)})
	}
	ctx, stop := context.WithCancel(context.Background())
	n := 0
	m.cfg.Now = func() time.Time { // asked of once a note that has no date
		if n++; n == 8 {
			stop()
		}
		return time.Unix(1.8e9, 0)
	}
	for i := range all {
		all[i].Created = time.Time{}
	}
	if _, err := m.Import(ctx, Importing{Notes: all}); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	had := len(readNotes(t, m))
	out := bringIn(t, m, Importing{Notes: all})
	if had == 0 || had == len(all) || len(out.Notes)+had != len(all) || out.Same != had {
		t.Errorf("%d before, then %+v", had, out)
	}
}
