package code_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// TestEndOfLineBeforeCR holds that a pattern for the end of a line finds lines that end with CR LF if there are
// no others, and says so.
func TestEndOfLineBeforeCR(t *testing.T) {
	f := tree(t, 0, map[string]string{"dos.txt": "the end\r\nend of it\r\n", "unix.txt": "a start\nstarted\r\n", "cost.txt": "five end$\n"})
	tests := []struct {
		name, pattern string
		want          []string
		noted         bool
	}{
		{"CR LF alone", "the end$", []string{"dos.txt:1"}, true},
		{"LF somewhere", "start$", []string{"unix.txt:1"}, false},
		{"nowhere", "absent$", nil, false},
		{"not at the end", "end of$", nil, false},
		{"a sign", `end\$`, []string{"cost.txt:1"}, false},
		{"asked for", `end\r$`, []string{"dos.txt:1"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Search(t.Context(), code.SearchInput{Query: tt.pattern, Regex: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range a.Hits {
				got = append(got, fmt.Sprintf("%s:%d", h.Shown(), h.Span.LineStart))
			}
			if noted := strings.Contains(strings.Join(a.Notes, "\n"), "CR LF"); !slices.Equal(got, tt.want) || noted != tt.noted {
				t.Errorf("%q, noted %v; want %q, %v", got, noted, tt.want, tt.noted)
			}
		})
	}
}

// TestOnlyStops holds that the hits of stop words alone are said to say little, before them.
func TestOnlyStops(t *testing.T) {
	f := tree(t, 0, map[string]string{"a.go": "package a\n\n// The end of a thing, if it is there.\nfunc End() {}\n"})
	for query, want := range map[string]bool{"the of a": true, "if it is": true, "the end of a": false, "if": false} {
		a, err := f.Search(t.Context(), code.SearchInput{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if said, _ := forms(t, a); strings.HasPrefix(said, "# the query has only words that are everywhere") != want {
			t.Errorf("%s: %s", query, said)
		}
	}
}

// TestNearestIsNotThere holds that the hits of words that no file has come behind the line that says so, and
// that none of their paths is printed as if it had them.
func TestNearestIsNotThere(t *testing.T) {
	static := func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t), Embedder: static}), code.Config{})
	a, err := f.Search(t.Context(), code.SearchInput{Query: "zzzqqq"})
	if err != nil {
		t.Fatal(err)
	}
	const note = "# no file has any of these words; the hits are the nearest by meaning\n"
	if said, _ := forms(t, a); len(a.Hits) == 0 || !strings.HasPrefix(said, note) || strings.Count(said, "no file has") != 1 {
		t.Errorf("it says:\n%s", said)
	}
	a, err = f.Search(t.Context(), code.SearchInput{Query: "zzzqqq", Files: true})
	if err != nil {
		t.Fatal(err)
	}
	if said, _ := forms(t, a); said != "" || len(a.Untold(false)) == 0 {
		t.Errorf("files without the words: %q, and %q", said, a.Notes)
	}
	a, err = f.Search(t.Context(), code.SearchInput{Query: "zzzqqq retry", Files: true})
	if err != nil {
		t.Fatal(err)
	}
	if said, _ := forms(t, a); said == "" {
		t.Errorf("no file of a word that is there: %q", a.Notes)
	}
}
