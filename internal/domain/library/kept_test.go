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
