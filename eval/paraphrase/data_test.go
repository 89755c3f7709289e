package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	minNotes, minNoteQuestions = 110, 120
	minPackages, minQuestions  = 4, 90
	minLines, maxLines         = 3, 15
)

// Every question's note exists and shares few words with it, every note is asked
// for, and nothing is asked twice.
func TestNotes(t *testing.T) {
	notes, err := fs.Sub(testdata, "testdata/notes")
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(notes, "*")
	if err != nil || len(names) < minNotes {
		t.Errorf("%d notes (%v), want %d at least", len(names), err, minNotes)
	}
	for _, name := range names {
		raw, err := fs.ReadFile(notes, name)
		if n := strings.Count(string(raw), "\n"); err != nil || n < minLines || n > maxLines {
			t.Errorf("%s has %d lines (%v), want %d to %d", name, n, err, minLines, maxLines)
		}
		if path.Ext(name) != ".md" {
			t.Errorf("%s is not Markdown", name)
		}
	}
	qs := questions(t, "notes", minNoteQuestions)
	dir := t.TempDir() + "/notes"
	if err := copyNotes(dir); err != nil {
		t.Fatal(err)
	}
	found, gone := items(dir, qs)
	for _, g := range gone {
		t.Error(g)
	}
	for _, it := range found {
		if it.Shared > maxShared {
			t.Errorf("%q shares %.2f of its words with %s: %v", it.Ask, it.Shared, it.In, it.Words)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(it.In, name) })
	}
	if len(names) > 0 {
		t.Errorf("nobody asks for %v", names)
	}
}

// The documentation is not kept here: its questions are checked for their form,
// and by each run for the rest.
func TestDocs(t *testing.T) {
	var used []string
	for _, q := range questions(t, "docs", minQuestions) {
		if !slices.Contains(used, q.Kind) {
			used = append(used, q.Kind)
		}
		for _, place := range q.In {
			name, heading, _ := strings.Cut(place, "#")
			if !strings.HasPrefix(name, q.Kind+"/") || !fs.ValidPath(name) || heading == "" {
				t.Errorf("%q: %q is no heading in a file of %s", q.Ask, place, q.Kind)
			}
		}
	}
	if len(used) < minPackages {
		t.Errorf("questions about %d packages, want %d at least", len(used), minPackages)
	}
	for _, name := range used {
		if !slices.ContainsFunc(packages, func(p pack) bool { return p.Name == name }) {
			t.Errorf("no package %s is fetched", name)
		}
	}
}

// questions reads a set and fails where one is asked twice or lacks a part.
func questions(t *testing.T, set string, atLeast int) []question {
	t.Helper()
	qs, err := loadQuestions(set)
	if err != nil {
		t.Fatal(err)
	}
	if len(qs) < atLeast {
		t.Errorf("%s: %d questions, want %d at least", set, len(qs), atLeast)
	}
	asked := map[string]string{}
	for _, q := range qs {
		words := contentWords(q.Ask)
		slices.Sort(words)
		key := strings.Join(words, " ")
		if before, ok := asked[key]; ok {
			t.Errorf("%s: %q asks as %q does", set, q.Ask, before)
		}
		asked[key] = q.Ask
		if len(words) < 2 || q.Kind == "" || len(q.In) == 0 {
			t.Errorf("%s: %+v lacks words, a kind or an answer", set, q)
		}
	}
	return qs
}

// No package asked about is among those that the embedding model learns from.
func TestNotLearnt(t *testing.T) {
	lists, err := filepath.Glob("../embedding/packages/*.txt")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists of packages (%v)", err)
	}
	for _, list := range lists {
		raw, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			name, _, _ := strings.Cut(line, "#")
			name = strings.TrimSpace(name)
			if slices.ContainsFunc(packages, func(p pack) bool { return p.Name == name || strings.HasSuffix(name, "/"+p.Name) }) {
				t.Errorf("%s: the model learns from %s", filepath.Base(list), name)
			}
		}
	}
}
