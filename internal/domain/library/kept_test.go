package library

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/text"
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

// pairs, by which pairsOf is judged, counts which neighbours of the question are neighbours in s too, stop
// words omitted.
func (q *question) pairs(s string, words *vocabulary) (n int) {
	var seen [2 * maxTerms]bool
	last := "" // the term before, if it is one of the question
	text.Words(bytesIn(s), func(w []byte) {
		if !q.begins.May(w) {
			if last != "" && !text.Prose().Stop(w) {
				last = ""
			}
			return
		}
		if text.Prose().Stop(w) {
			return
		}
		now := words.Of(w)[0]
		if last != "" {
			for i := range min(len(q.stems)-1, len(seen)) {
				if !seen[i] && q.stems[i] == last && q.stems[i+1] == now {
					seen[i] = true
					n++
				}
			}
		}
		if last = ""; slices.Contains(q.stems, now) {
			last = now
		}
	})
	return n
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
			db.heads, db.shown = newPieces(keepHeads), newPieces(keepShown)
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
func TestPieces(t *testing.T) {
	p := newPieces(3 * slabBytes)
	piece := func(at int) string { return strings.Repeat(fmt.Sprint(at, " "), 1+at%2000) }
	views := map[int]string{}
	for at := range 5000 {
		p.put("sum", at, piece(at))
		p.put("sum", at, "what is there stays")
		p.get("sum", []hit{{at: at}}, func(_ int, s string) { views[at] = s })
	}
	taken, held := 0, 0
	for _, b := range p.slabs {
		if taken += cap(b); cap(b) > slabBytes {
			t.Errorf("a slab of %d bytes", cap(b))
		}
	}
	for at := range 5000 {
		p.get("sum", []hit{{at: at}}, func(_ int, s string) {
			if held++; s != piece(at) {
				t.Errorf("%d is %.20q", at, s)
			}
		})
		if views[at] != piece(at) {
			t.Fatalf("what was returned of %d became %.20q", at, views[at])
		}
	}
	if taken > 3*slabBytes || held < 20 || held != len(p.known) {
		t.Errorf("%d bytes and %d pieces are kept, %d known", taken, held, len(p.known))
	}
	p.put("sum", 5000, strings.Repeat("x", slabBytes))
	p.put("sum", 5001, "")
	p.get("sum", []hit{{at: 5000}, {at: 5001}}, func(int, string) { t.Error("kept what is too long, or nothing") })
	p.get("other", []hit{{at: 4999}}, func(int, string) { t.Error("of another version") })
}

// A candidate that was kept is what was read.
func TestHead(t *testing.T) {
	s := Snippet{Title: "Título", Breadcrumb: "A > Título", Path: "docs/a.md", Line: 7, Content: "the route of the middleware", URL: "https://example.org/a", Language: "go", Tokens: 9}
	h := hit{at: 999, score: 2}
	want := new(marker).ranked(h, s, []byte{1, 2, 255})
	got := headOf(&want).candidate(h)
	want.s, want.whole = Snippet{Title: s.Title, Breadcrumb: s.Breadcrumb, Path: s.Path, Line: 7}, false
	if !reflect.DeepEqual(got, want) {
		t.Errorf("kept %+v, want %+v", got, want)
	}
	bodyOf(&s).complete(&got)
	if want.s, want.whole = s, true; !reflect.DeepEqual(got, want) {
		t.Errorf("complete it is %+v, want %+v", got, want)
	}
	want.s.Title = strings.Repeat("x", 1<<16)
	if k := headOf(&want); k != "" {
		t.Errorf("a title of %d bytes is kept", len(want.s.Title))
	}
	s.URL = want.s.Title
	if k := bodyOf(&s); k != "" {
		t.Errorf("an address of %d bytes is kept", len(s.URL))
	}
}
