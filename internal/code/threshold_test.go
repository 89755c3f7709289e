package code_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// small is a tree of four files, the smallest that anybody asks about.
func small(t *testing.T) string {
	return folder(t, map[string]string{
		"src/retry.py":  "import time\n\ndef retry(fn, attempts=3, delay=0.5):\n    \"\"\"Call fn again after a failure, with a pause that doubles.\"\"\"\n    for i in range(attempts):\n        try:\n            return fn()\n        except Exception:\n            time.sleep(delay * 2 ** i)\n",
		"src/config.py": "import json\n\ndef load_settings(path):\n    \"\"\"Read settings from a JSON file.\"\"\"\n    with open(path) as f:\n        return json.load(f)\n",
		"main.py":       "from src.config import load_settings\nfrom src.retry import retry\n\ndef fetch_user(user_id):\n    s = load_settings(\"settings.json\")\n    return retry(lambda: s[\"users\"][user_id])\n",
		"README.md":     "# Demo\nA small program that fetches users.\n",
	})
}

// The threshold that the tools have where a call has none does not drop the best
// hits of a small tree; one that a call has does, and what is not there stays so.
func TestUsualThreshold(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t), Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}), code.Config{})
	semantic, hybrid := f.Thresholds()
	for _, tc := range []struct{ query, want string }{
		{"fetch_user", "main.py"}, {"retry", "retry.py"}, {"load_settings", "config.py"}, {"load settings", "config.py"}, {"read settings file", "config.py"},
		{"kubernetes deployment", ""}, {"database connection pool", ""}, {"QuantumBanana", ""},
	} {
		for mode, least := range map[string]float64{"semantic": semantic, "hybrid": hybrid} {
			in := code.ToolArgs{Query: tc.query, TopK: 20, PageSize: 10, Budget: 2000}.Input(least)
			in.Semantic = mode == "semantic"
			a, err := f.Search(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(a.Hits) > 0 {
				got = filepath.Base(a.Hits[0].Path)
			}
			if got != tc.want || len(a.Hits) != a.Pagination.Available {
				t.Errorf("%s %q finds %q, want %q: %q", mode, tc.query, got, tc.want, a.Notes)
			}
			if said := strings.Contains(strings.Join(a.Notes, "\n"), "no hit reaches the usual"); len(a.Hits) > 0 && said != (a.Hits[0].Score < least) {
				t.Errorf("%s %q: best %g, notes %q", mode, tc.query, a.Hits[0].Score, a.Notes)
			}
			in.Threshold = new(least / 2)
			if b, err := f.Search(context.Background(), in); err != nil || len(a.Hits) > 0 && a.Hits[0].Score >= least && len(b.Hits) != len(a.Hits) {
				t.Errorf("%s %q: %d hits beside the best, %d have half of the usual %g, %v", mode, tc.query, len(a.Hits), len(b.Hits), least, err)
			}
			in.Threshold = new(.99)
			if a, err = f.Search(context.Background(), in); err != nil || len(a.Hits) > 0 {
				t.Errorf("%s %q above .99: %d hits, %v", mode, tc.query, len(a.Hits), err)
			}
		}
	}
}

// Words that occur nowhere are answered with what is nearest by meaning, and the answer says
// that: hits alone would look like an answer. One of several words is enough to say nothing.
func TestUnmatched(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t), Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}), code.Config{})
	for _, tc := range []struct {
		in   code.SearchInput
		want bool
	}{
		{code.SearchInput{Query: "zzzqqq"}, true},
		{code.SearchInput{Query: "zzzqqq wwwkkk"}, true},
		{code.SearchInput{Query: "zzzqqq retry"}, false},
		{code.SearchInput{Query: "settings_zzzqqq"}, false}, // a part of it occurs
		{code.SearchInput{Query: "config.py"}, false},
		{code.SearchInput{Query: "zzzqqq", Semantic: true}, false},
		{code.SearchInput{Query: "zzzqqq", Lexical: true}, false},
		{code.SearchInput{Query: "!?"}, false},
	} {
		a, err := f.Search(t.Context(), tc.in)
		if err != nil {
			t.Fatal(err)
		}
		if said := len(a.Notes) > 0 && strings.HasPrefix(a.Notes[0], "no file has any of these words; the hits are"); a.Unmatched != tc.want || said != tc.want || tc.want && (len(a.Hits) == 0 || len(a.Untold(true)) == 0) {
			t.Errorf("%+v: %v, %d hits, notes %q", tc.in, a.Unmatched, len(a.Hits), a.Notes)
		}
	}
	semantic, hybrid := f.Thresholds()
	a, err := f.Search(t.Context(), code.ToolArgs{Query: "zzzqqq", TopK: 20}.Input(max(semantic, hybrid)))
	if err != nil || len(a.Hits) > 0 || len(a.Notes) == 0 || a.Notes[0] != "no file has any of these words" {
		t.Errorf("as a tool: %q, %v", a.Notes, err)
	}
}

// What speaks against all hits is said first of the notes: words that no file has, and that none
// has the score of an answer; never where most of the words are there.
func TestDoubt(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t), Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}), code.Config{})
	half := .5
	for _, tc := range []struct {
		in      code.SearchInput
		missing []string
		note    string
	}{
		{code.SearchInput{Query: "retry zzzqqq"}, []string{"zzzqqq"}, `no file has "zzzqqq"`},
		{code.SearchInput{Query: "how does zzzqqq wwwkkk vvvjjj retry uuuhhh yyyxxx"}, []string{"zzzqqq", "wwwkkk", "vvvjjj", "uuuhhh", "yyyxxx"}, `perhaps nothing here answers this: no hit scores 0.5, and no file has "zzzqqq" or "wwwkkk"`},
		{code.SearchInput{Query: "retry"}, nil, ""},
		{code.SearchInput{Query: "retry of config py"}, nil, ""},    // a path has the last
		{code.SearchInput{Query: "settings_zzzqqq retry"}, nil, ""}, // a part of it occurs
		{code.SearchInput{Query: "retry zzzqqq", Lexical: true}, nil, ""},
		{code.SearchInput{Query: "how does zzzqqq wwwkkk vvvjjj retry", Threshold: &half}, []string{"zzzqqq", "wwwkkk", "vvvjjj"}, `no file has "zzzqqq"`},
	} {
		a, err := f.Search(t.Context(), tc.in)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		if len(a.Notes) > 0 {
			said = a.Notes[0]
		}
		if !slices.Equal(a.Missing, tc.missing) || !strings.HasPrefix(said, tc.note) || tc.note == "" && (strings.HasPrefix(said, "perhaps") || strings.HasPrefix(said, "no file")) {
			t.Errorf("%q: missing %q, notes %q", tc.in.Query, a.Missing, a.Notes)
		}
	}
}

// Of a tree of which a part is not indexed yet nobody knows that no file has a word.
func TestUnmatchedInPart(t *testing.T) {
	files := map[string]string{"z.py": "def zzzqqq():\n    pass\n"}
	for i := range 11 {
		files[fmt.Sprintf("f%02d.py", i)] = "def retry(fn):\n    \"\"\"Call fn again after a failure.\"\"\"\n    return fn()\n"
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files), Most: 5, Now: func() time.Time { return time.Now().Add(time.Hour) },
		Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}), code.Config{})
	a, err := f.Search(t.Context(), code.SearchInput{Query: "zzzqqq"})
	if err != nil || a.Complete || len(a.Hits) == 0 || a.Unmatched || strings.Contains(strings.Join(a.Notes, "\n"), "no file has any") {
		t.Errorf("in part: complete %v, %d hits, unmatched %v, %q, %v", a.Complete, len(a.Hits), a.Unmatched, a.Notes, err)
	}
	for range 4 {
		if a, err = f.Search(t.Context(), code.SearchInput{Query: "zzzqqq"}); err != nil || a.Complete {
			break
		}
	}
	if err != nil || !a.Complete || len(a.Hits) == 0 || !strings.HasSuffix(a.Hits[0].Path, "z.py") || a.Unmatched {
		t.Errorf("whole: complete %v, %d hits, unmatched %v, %v", a.Complete, len(a.Hits), a.Unmatched, err)
	}
}
