package library

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Guesses of the caller find a page that has none of the question's words. Wrong ones leave the page first
// that has them, and what the library does not have changes nothing.
func TestGuesses(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	lines := []string{"unlink.md: unlinkSync: Calls unlink on a path and throws ENOENT.", "start.md: Getting started: How to begin a tutorial, and whom to ask."}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("x%d.md: Topic %d: The weather is fine in number %d today.", i, i, i))
	}
	mustPut(t, db, Library{ID: "/a/b"}, some(lines...))
	titles := func(how Ranking, query, words string) (out []string, first Snippet) {
		t.Helper()
		a, err := db.QueryWith(t.Context(), "/a/b", query, Options{Tokens: 1 << 20, Ranking: how, Explain: true, Words: words})
		if err != nil || len(a.Snippets) == 0 {
			t.Fatalf("%q with %q: %d snippets, %v", query, words, len(a.Snippets), err)
		}
		for _, s := range a.Snippets {
			out = append(out, s.Title)
		}
		return out, a.Snippets[0]
	}
	const question = "which number does a removed file have"
	if got, _ := titles(Lexical, question, ""); got[0] == "unlinkSync" {
		t.Fatalf("the question alone finds %q first: it proves nothing", got[0])
	}
	got, first := titles(Lexical, question, "unlink unlinkSync ENOENT")
	if got[0] != "unlinkSync" {
		t.Errorf("with right guesses %q is first, want unlinkSync", got[0])
	}
	if !slices.ContainsFunc(first.Breakdown, func(s rank.Signal) bool { return s.Name == "guessed words" }) {
		t.Errorf("the breakdown is %v, without the guesses", first.Breakdown)
	}
	if got, _ := titles(Hybrid, "how to begin a tutorial", "unlinkSync"); got[0] != "Getting started" {
		t.Errorf("with a wrong guess %q is first, want Getting started", got[0])
	}
	alone, _ := titles(Lexical, question, "")
	if got, _ := titles(Lexical, question, "zygote quux"); !slices.Equal(got, alone) {
		t.Errorf("with guesses that no page has %q, without %q", got, alone)
	}
}
