package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/docs/library"
)

// TestQuestions sees that the same database is made and asked the same each time,
// and that what is asked is there.
func TestQuestions(t *testing.T) {
	var first [][]byte
	for range 2 {
		path := filepath.Join(t.TempDir(), "docs.db")
		if err := generate(t.Context(), path, 500, 3); err != nil {
			t.Fatal(err)
		}
		asked, err := questions(t.Context(), path, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = asked
		}
		if len(asked) != pool || string(asked[7]) != string(first[7]) {
			t.Errorf("%d questions, %s and %s", len(asked), asked[7], first[7])
		}
		db, err := library.OpenReadOnly(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		libs, err := db.List(t.Context())
		if err != nil || len(libs) != 3 || libs[0].Snippets+libs[1].Snippets+libs[2].Snippets != 500 {
			t.Errorf("libraries %+v, %v", libs, err)
		}
		for _, raw := range asked[:50] {
			var body struct {
				Params struct {
					Arguments struct{ LibraryID, Query string }
				}
			}
			if err := json.Unmarshal(raw, &body); err != nil {
				t.Fatal(err)
			}
			a, err := db.Query(t.Context(), body.Params.Arguments.LibraryID, body.Params.Arguments.Query, 0)
			if err != nil || len(a.Snippets) == 0 {
				t.Errorf("%s: %d snippets, %v", raw, len(a.Snippets), err)
			}
		}
	}
}

func TestAt(t *testing.T) {
	r := report{}
	if r.at(.99) != 0 {
		t.Error("a latency of nothing")
	}
	for i := range 100 {
		r.took = append(r.took, time.Duration(i+1)*time.Millisecond)
	}
	for part, want := range map[float64]time.Duration{.5: 51, .99: 100, 1: 100, 0: 1} {
		if got := r.at(part); got != want*time.Millisecond {
			t.Errorf("at %v: %v, want %v", part, got, want*time.Millisecond)
		}
	}
}
