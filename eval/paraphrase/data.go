package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed testdata
var testdata embed.FS

// A question has other words than the places that answer it.
type question struct {
	Ask  string   `json:"ask"`
	Kind string   `json:"kind"` // of the note, or the package
	In   []string `json:"in"`   // PATH, or PATH#HEADING; any of them answers
}

// loadQuestions reads one set: notes or docs.
func loadQuestions(set string) ([]question, error) {
	name := "testdata/" + set + ".jsonl"
	raw, err := testdata.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []question
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, fmt.Errorf("%s:%d: %v", name, n, err)
		}
		out = append(out, q)
	}
	return out, nil
}

// copyNotes writes the notes into dir, in place of what was there.
func copyNotes(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	notes, err := fs.Sub(testdata, "testdata/notes")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, notes)
}

// A target is lines of a file that answer a question.
type target struct {
	Path       string
	Start, End int // 1-based and inclusive
	Text       string
}

// find returns the place below tree that a question names, PATH or PATH#HEADING.
// Of several sections with the heading it is an error: none is meant.
func find(tree fs.FS, place string) (target, error) {
	name, heading, ok := strings.Cut(place, "#")
	raw, err := fs.ReadFile(tree, name)
	if err != nil {
		return target{}, err
	}
	lines := strings.Split(string(raw), "\n")
	if !ok {
		return target{name, 1, len(lines), string(raw)}, nil
	}
	var found []section
	for _, s := range sections(string(raw), path.Ext(name) == ".rst") {
		if s.Heading == heading {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return target{}, fmt.Errorf("%s has %d sections %q, want 1", name, len(found), heading)
	}
	s := found[0]
	return target{name, s.Start, s.End, strings.Join(lines[s.Start-1:s.End], "\n")}, nil
}

// An item is a question with its places found. Shared is the largest part of its
// content words that one of them has.
type item struct {
	question
	Targets []target
	Shared  float64
	Words   []string // the ones shared
}

// items finds the places of the questions below dir. A question that has none is
// left out and told in gone: documentation changes from version to version.
func items(dir string, qs []question) (out []item, gone []string) {
	tree := os.DirFS(filepath.Clean(dir))
	for _, q := range qs {
		it := item{question: q}
		for _, place := range q.In {
			t, err := find(tree, place)
			if err != nil {
				gone = append(gone, err.Error())
				continue
			}
			it.Targets = append(it.Targets, t)
			// The path is searched as well.
			if part, words := shared(q.Ask, strings.TrimSuffix(t.Path, path.Ext(t.Path))+"\n"+t.Text); part >= it.Shared {
				it.Shared, it.Words = part, words
			}
		}
		if len(it.Targets) > 0 {
			out = append(out, it)
		}
	}
	return out, gone
}
