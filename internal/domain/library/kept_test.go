package library

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is counted by marks is what is counted in the text.
func TestPairsOfMarks(t *testing.T) {
	words := newVocabulary()
	var by marker
	vocabulary := []string{"route", "Routes", "routing", "middleware", "the", "is", "getUser", "user", "café", "policies", "policy", "x", "42", "設定"}
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, most).Draw(t, name), " ")
		}
		q, content := readQuestion(some("question", 8)), some("content", 40)
		var stems []uint32
		for _, s := range q.stems {
			stems = append(stems, mark(s))
		}
		if got, want := pairsOf(by.of(content), stems), q.pairs(content, words); got != want {
			t.Errorf("pairs of %v in %q: %d, want %d", q.stems, content, got, want)
		}
	})
}

// An answer of heads that were kept is the answer of those that were read.
func TestKeptHeads(t *testing.T) {
	db := manual(t)
	for _, query := range []string{"how does error handling middleware of the app work", "route middleware", "res.sendFile", "max_retries of the app"} {
		for _, o := range []Options{{}, {Tokens: 40}, {Explain: true}, {Tokens: 100_000}, {Ranking: Lexical, Across: true}} {
			ask := func() DocsAnswer {
				t.Helper()
				db.answers = newAnswers()
				a, err := db.QueryWith(context.Background(), "/web/app", query, o)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			db.heads = newHeads()
			read := ask()
			again := ask()
			if !reflect.DeepEqual(read, again) {
				t.Errorf("%q with %+v\nof what was kept  %+v\nof what was read %+v", query, o, again, read)
			}
			for _, s := range again.Snippets {
				if s.Content == "" {
					t.Errorf("%q: %s has no content", query, fmt.Sprint(s))
				}
			}
		}
	}
}

// What is kept stays below its bound, and is what was put.
func TestHeadsBound(t *testing.T) {
	h := newHeads()
	h.most = 10_000
	s := Snippet{Title: "Título", Breadcrumb: "A > Título", Path: "docs/a.md", Line: 7, Content: "the route of the middleware"}
	var by marker
	marks, vector := by.of(s.Content), []byte{1, 2, 255}
	for at := range 1000 {
		k := headOf(&s, vector, marks)
		h.put("sum", at, k)
		h.put("sum", at, k)
		total := 0
		for _, k := range h.known {
			total += inMap + len(k)
		}
		if total != h.bytes || total > h.most {
			t.Fatalf("%d bytes are kept, counted as %d, of %d", total, h.bytes, h.most)
		}
	}
	if len(h.known) < 50 {
		t.Errorf("only %d are kept", len(h.known))
	}
	h = newHeads()
	found := 0
	h.put("sum", 999, headOf(&s, vector, marks))
	h.get("sum", []hit{{at: 999, score: 2}}, func(_ int, k head) {
		found++
		got := k.candidate(hit{at: 999, score: 2})
		want := ranked{hit: hit{at: 999, score: 2}, s: Snippet{Title: s.Title, Breadcrumb: s.Breadcrumb, Path: s.Path, Line: 7}, vector: vector, marks: marks, size: sizeOf(&s)}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("kept %+v, want %+v", got, want)
		}
	})
	h.get("other", []hit{{at: 999}}, func(int, head) { found += 10 })
	if found != 1 {
		t.Errorf("found %d", found)
	}
	long := s
	long.Title = strings.Repeat("x", 1<<16)
	if k := headOf(&long, vector, marks); k != "" {
		t.Errorf("a title of %d bytes is kept", len(long.Title))
	}
}
