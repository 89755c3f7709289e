package vault

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// Notes of other projects, however many and however much better they match, do not crowd
// out those of the project that is asked for, nor the note that says the same already.
func TestProjectIsFound(t *testing.T) {
	m := fresh(t, nil)
	for i := range 120 {
		write(t, m, fmt.Sprintf("big/n%d.md", i), fmt.Sprintf("---\nproject: github.com/a/big\n---\n# Valve pressure %d\n\nThe valve pressure of line %d.\n", i, i))
	}
	write(t, m, "small.md", "---\nproject: github.com/a/small\n---\n# Plumbing\n\nAmong many other things that are written about the house, its doors and its windows, there is also a valve.\n")
	write(t, m, "none.md", "# Heating\n\nAmong many other things that are written about the house, its stairs and its cellar, there is also a valve.\n")
	sync1(t, m)
	for _, mode := range []Mode{Hybrid, Words, Meaning} {
		if got := paths(t, m, Query{Text: "valve pressure", Project: "small", Mode: mode}); !slices.Equal(got, []string{"small.md"}) {
			t.Errorf("mode %d: %q", mode, got)
		}
		got := paths(t, m, Query{Text: "valve pressure", Own: "github.com/a/small", Mode: mode})
		if slices.Sort(got); !slices.Equal(got, []string{"none.md", "small.md"}) {
			t.Errorf("mode %d: %q", mode, got)
		}
	}

	const said = "The valve pressure is limited to six bars by the regulator, which is set once a year."
	for i := range 20 {
		keep(t, m, Note{Title: "Valve pressure", Content: fmt.Sprintf("%s Line %d.", said, i), Project: "github.com/a/big"})
	}
	old := keep(t, m, Note{Title: "Limits", Content: said, Project: "github.com/a/small"})
	if s := keep(t, m, Note{Title: "Limits again", Content: "The valve pressure is limited to six bars by the regulator which is set once a year", Project: "github.com/a/small"}); !s.Exists || s.Path != old.Path {
		t.Errorf("%+v, want %s", s, old.Path)
	}
}

// A hit whose score is lower than the one that is set is neither shown nor recalled.
func TestMinScore(t *testing.T) {
	scores := func(least float64) (out []float64) {
		m := fresh(t, func(c *Config) { c.MinScore = least })
		write(t, m, "valve.md", "# Valve pressure\n\nThe valve pressure is six bars.\n")
		write(t, m, "house.md", "# House\n\nOf the house, its doors and windows much can be said; somewhere there is a valve.\n")
		sync1(t, m)
		a, err := m.Search(t.Context(), Query{Text: "valve pressure"})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			out = append(out, h.Score)
		}
		return out
	}
	all := scores(0)
	if len(all) != 2 || all[0] <= all[1] {
		t.Fatalf("%v, want two scores in order", all)
	}
	if got := scores((all[0] + all[1]) / 2); !slices.Equal(got, all[:1]) {
		t.Errorf("%v, want %v", got, all[:1])
	}
	if got := scores(1); len(got) != 0 {
		t.Errorf("%v, want none", got)
	}
}

// Another process that writes, and may never end, keeps nobody from an answer: it says how much
// the index lacks.
func TestSearchDoesNotWaitForWriters(t *testing.T) {
	for _, name := range []string{".sync", ".write", ".embed"} {
		m := fresh(t, func(c *Config) { c.Turn = 1 }) // no time at all: what is free needs none
		write(t, m, "valve.md", "# Valve\n\nThe valve pressure is six bars.\n")
		sync1(t, m)
		write(t, m, "pump.md", "# Pump\n\nThe pump has a valve too.\n")
		unlock, err := file.Lock(t.Context(), m.cfg.DB+name)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Search(t.Context(), Query{Text: "valve", Wait: true})
		stale := 1
		if name == ".embed" {
			stale = 0 // the texts are indexed, and their vectors come with them
		}
		if err != nil || len(a.Hits) != 2-stale || a.Stale != stale {
			t.Errorf("%s is held: %d hits, stale %d, %v", name, len(a.Hits), a.Stale, err)
		}
		unlock()
		m.cfg.Turn = time.Hour
		if a, err := m.Search(t.Context(), Query{Text: "valve", Wait: true}); err != nil || len(a.Hits) != 2 || a.Stale != 0 {
			t.Errorf("%s was held: %d hits, stale %d, %v", name, len(a.Hits), a.Stale, err)
		}
	}
}
