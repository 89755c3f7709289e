package library

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
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
		now := words.ResultFor(w)[0]
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
		for _, o := range []Options{{}, {Tokens: 40}, {Explain: true}, {Tokens: 100_000}, {Ranking: Lexical}} {
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

// What is kept of the snippets of a version is not taken for those of another, which have the same places.
func TestKeptOfAVersion(t *testing.T) {
	version := func(used, said string) (Library, func(yield func(Page, error) bool)) {
		return Library{ID: "/o/tries"}, func(yield func(Page, error) bool) {
			declared := func(name, says string, line int) Snippet {
				return Snippet{Title: name, Breadcrumb: "tries > " + name, Content: "```python\ndef " + name + "(f)\n```\n\n" + says, Line: line}
			}
			yield(Page{Path: "guide.md", Snippets: []Snippet{{Title: "Whether to go on", Breadcrumb: "Guide > Whether to go on", Content: "Go on while a function returns a certain value with `" + used + "`.", Line: 1}}}, nil)
			yield(Page{Path: "src/tries.py", Snippets: []Snippet{declared("on_error", "Goes on if it raises.", 1), declared("on_result", said, 9)}}, nil)
		}
	}
	ask := func(db *DB) DocsAnswer {
		t.Helper()
		a, err := db.QueryWith(t.Context(), "/o/tries", "go on while a function returns a certain value", Options{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	path := t.TempDir()
	all := mustOpen(t, path+"/docs.db")
	var before DocsAnswer
	for i, v := range [][2]string{{"on_result", "Goes on if a predicate holds."}, {"on_error", "Goes on if a predicate holds."}, {"on_error", "Hears the bells."}} {
		mustPut(t, all, Library{ID: "/o/other"}, some("a.md: A: Text.")) // numbers go on, places in a version begin at 0
		lib, pages := version(v[0], v[1])
		mustPut(t, all, lib, pages)
		one := mustOpen(t, fmt.Sprint(path, "/", i, ".db"))
		mustPut(t, one, lib, pages)
		got, want := ask(all), ask(one)
		if !reflect.DeepEqual(got.Snippets, want.Snippets) {
			t.Errorf("after %d versions:\n%+v\nwant %+v", i, got.Snippets, want.Snippets)
		}
		if reflect.DeepEqual(got.Snippets, before.Snippets) {
			t.Errorf("version %d answers as the one before: the test tells nothing", i)
		}
		before = got
	}
}

// What is kept of candidates takes as much memory as was said, whatever they were read from.
func TestGistsBound(t *testing.T) {
	m, err := newMeaning()
	if err != nil {
		t.Fatal(err)
	}
	const held = 3 * keepGists / 1000
	inUse := func() int {
		var now runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&now)
		return int(now.HeapAlloc)
	}
	w := &wording{marker: new(marker), model: m.model, known: map[string][]float32{}, spoken: &spoken{}}
	candidate := func(i int) *ranked {
		text := "List" + strings.Repeat("Of", i%8) + " gives it." + strings.Repeat(" ", 4000) // one piece of memory
		name, says, _ := strings.Cut(text, " ")
		return &ranked{declares: i%2 == 0, s: Snippet{Title: name, Path: "a.go", Content: "```go\nfunc f()\n```\n\n" + says}}
	}
	w.gist(candidate(7))
	kept := newGists()
	before := inUse()
	for i := range held {
		g := w.gist(candidate(i))
		kept.Put(gistKey{"sum", i}, g, g.bytes())
	}
	after := inUse()
	if taken := after - before; taken > keepGists || taken < keepGists/3 {
		t.Errorf("%d bytes are taken of %d", taken, keepGists)
	}
	if _, there := kept.Get(gistKey{"sum", held - 1}); !there {
		t.Error("the last is not kept")
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

// A set of marks has all that were put into it, and hardly another.
func TestMarkSet(t *testing.T) {
	var s markSet
	for m := range uint32(100) {
		s.add(m * 7919)
	}
	others := 0
	for m := range uint32(100 * 7919) {
		switch {
		case m%7919 == 0 && !s.has(m):
			t.Errorf("%d is missing", m)
		case m%7919 != 0 && s.has(m):
			others++
		}
	}
	if others > 100*7919/30 {
		t.Errorf("%d others are in it", others)
	}
}
