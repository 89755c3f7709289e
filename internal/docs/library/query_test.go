package library

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// manual is a small library with what makes answers hard: words that are
// everywhere, names inside names, and titles that say little.
func manual(t testing.TB) *DB {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	mustPut(t, db, Library{ID: "/web/app", Version: "v1"}, some(
		"start.md: Installation: Install the app package with npm install app, then import the app.",
		"routing.md: Routing: A route maps a path of the app to a handler. Routes are matched in order.",
		"middleware.md: Middleware: Middleware runs before the handler of a route. Call next to go on. The error handling middleware takes four arguments.",
		"errors.md: Error handling: Throw in a handler and the app answers with status 500.",
		"api.md: res.sendFile(path): Sends the file of the app at the given path. See also res.send.",
		"send.md: res.send(body): Sends the response of the app.",
		"hooks.md: useEffect: useEffect runs an effect after rendering the app. Return a cleanup function.",
		"layout.md: useLayoutEffect: Like useEffect, but before the browser paints the app.",
		"cli.md: Command line: Run app --watch to restart on changes, or app serve.",
		"watch.md: Watching: You can watch files of the app with a watcher and watch them again.",
		"config.md: Options: Set port to 3000 in app.config.js; max_retries defaults to 3.",
		"words.md: Internals: the of and with naïve Straße résumé 検索エンジン.",
	))
	return db
}

func TestQuery(t *testing.T) {
	db := manual(t)
	for _, c := range []struct{ query, first string }{
		{"How do I install it?", "Installation"},
		{"routes", "Routing"},
		{"how does routing work in the app", "Routing"},
		{"error handling middleware", "Middleware"},
		{"handle errors", "Error handling"},
		{"res.sendFile", "res.sendFile(path)"},
		{"sendfile", "res.sendFile(path)"},
		{"what does `res.send` do", "res.send(body)"},
		{"useEffect cleanup", "useEffect"},
		{"useLayoutEffect", "useLayoutEffect"},
		{"--watch", "Command line"},
		{"max_retries", "Options"},
		{"maxRetries default", "Options"},
		{"app.config.js", "Options"},
		{"naive", "Internals"},
		{"resume", "Internals"},
		{"検索", "Internals"},
		{"of and", "Internals"},
		{"kubernetes or naïve", "Internals"},
	} {
		for _, how := range []Ranking{Lexical, Hybrid} {
			if got, _, _ := strings.Cut(titlesBy(t, db, "/web/app", c.query, how), ", "); got != c.first {
				t.Errorf("Query(%q) answers %q by %s, want %q first", c.query, got, how, c.first)
			}
		}
	}
	if got := titlesBy(t, db, "/web/app", "kubernetes", Hybrid); got != "" {
		t.Errorf("a word that does not occur finds %q", got)
	}
	if got := titles(t, db, "/web/app", " ?! "); !strings.HasPrefix(got, "Installation, Routing, ") {
		t.Errorf("no question finds %q, want how the manual begins", got)
	}
	for _, query := range []string{`"`, `""" OR x`, "NEAR(a b)", "title:install", "a* AND", "NOT", "{x y}: z", "^install", "install -app", "--", "'", "(", "\x00", "\xff"} {
		if _, err := db.Query(context.Background(), "/web/app", query, 0); err != nil {
			t.Errorf("Query(%q) = %v: a question is never syntax", query, err)
		}
	}
}

func TestBudget(t *testing.T) {
	db := manual(t)
	var before []string
	for _, tokens := range []int{1, 60, 120, 240, 10_000} {
		a, err := db.QueryWith(context.Background(), "/web/app", "app", Options{Tokens: tokens, Ranking: Lexical})
		if err != nil || len(a.Snippets) == 0 {
			t.Fatalf("Query of %d tokens = %v, %v", tokens, a, err)
		}
		if a.Tokens > tokens && len(a.Snippets) > 1 || a.More+len(a.Snippets) != 10 {
			t.Errorf("a budget of %d gives %d tokens in %d snippets and leaves out %d of 10", tokens, a.Tokens, len(a.Snippets), a.More)
		}
		var now []string
		for _, s := range a.Snippets {
			now = append(now, s.Title)
		}
		if len(now) < len(before) || !slices.Equal(now[:len(before)], before) {
			t.Errorf("a larger budget answers %q, a smaller one %q", now, before)
		}
		before = now
	}
}

func TestHybrid(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	// What is asked for has no word of the question; all others have one.
	lines := []string{"delete.md: Deleting: Deletes a file from the disk. Deletion cannot be undone.", "start.md: Getting started: How to begin a tutorial, and whom to ask."}
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("x%d.md: Topic %d: The weather is fine in number %d today.", i, i, i))
	}
	mustPut(t, db, Library{ID: "/a/b"}, some(lines...))
	check := func(db *DB, query string, how, want Ranking, found bool) {
		t.Helper()
		a, err := db.QueryWith(ctx, "/a/b", query, Options{Tokens: 1 << 20, Ranking: how})
		if err != nil || len(a.Snippets) == 0 || a.Ranking != want {
			t.Fatalf("%s: %d snippets by %s, %v, want some by %s", how, len(a.Snippets), a.Ranking, err, want)
		}
		if got := slices.ContainsFunc(a.Snippets, func(s Snippet) bool { return s.Title == "Deleting" }); got != found {
			t.Errorf("%q finds it by %s: %v, want %v", query, how, got, found)
		}
	}
	const question = "erase or remove a document, today"
	check(db, question, Lexical, Lexical, false)
	check(db, question, Hybrid, Hybrid, true)
	check(db, question, "", DefaultRanking, DefaultRanking == Hybrid)
	check(db, "`tutorial`", Hybrid, Lexical, false)
	if _, err := db.QueryWith(ctx, "/a/b", "x", Options{Ranking: "alphabetical"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("an unknown ranking = %v, want a fault", err)
	}
	// It is so after a journey, and goes by words where another model was at work.
	out := filepath.Join(t.TempDir(), "lib.db")
	if _, err := db.Export(ctx, "/a/b", out); err != nil {
		t.Fatal(err)
	}
	other := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	if _, err := other.Import(ctx, out, nil); err != nil {
		t.Fatal(err)
	}
	check(mustRead(t, out), question, Hybrid, Hybrid, true)
	check(other, question, Hybrid, Hybrid, true)
	if _, err := other.db.Exec("UPDATE lengths SET model = model + 1"); err != nil {
		t.Fatal(err)
	}
	check(mustRead(t, other.Path()), question, Hybrid, Lexical, false)
	for db, want := range map[*DB]bool{mustRead(t, out): false, mustRead(t, other.Path()): true} {
		if all, err := db.List(ctx); err != nil || len(all) != 1 || all[0].ByWords != want {
			t.Errorf("%v, %v: want one that goes by words alone: %v", all, err, want)
		}
	}
}

// FTS5 is the oracle: what it finds when any word may match is found, for every
// single word of a snippet and for its first words together.
func TestFindsWhatFTS5Finds(t *testing.T) {
	db := manual(t)
	words := "generalizations oscillators connections relativity happiness rationally universities flies dying skies agreement callousness hopping " +
		"configuration configure caches cached caching validated validation deploys deployment routers indices running queries classes"
	mustPut(t, db, Library{ID: "/w/w"}, some("w.md: Words: "+words))
	for _, id := range []string{"/web/app", "/w/w"} {
		all, err := db.Query(context.Background(), id, "", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.Snippets {
			for _, word := range strings.FieldsFunc(s.Title+" "+s.Content, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				for _, form := range []string{word, strings.ToUpper(word), word + "s", strings.TrimSuffix(word, "s"), word + "ing"} {
					var n int
					if err := db.db.QueryRow(`SELECT count(*) FROM snippets_fts JOIN snippets ON id = snippets_fts.rowid WHERE snippets_fts MATCH ? AND library_id = ?`,
						quoted([]string{form}), id).Scan(&n); err != nil {
						t.Fatal(err)
					}
					if got := titles(t, db, id, "zyx "+form); n > 0 && got == "" {
						t.Errorf("FTS5 finds %q in %d snippets of %s, Query finds nothing", form, n, id)
					}
				}
			}
		}
	}
}

// Whatever is asked: no error, the answer is within the library, once each, and
// not empty if a word of the question is in it.
func FuzzQuery(f *testing.F) {
	db := manual(f)
	mustPut(f, db, Library{ID: "/else/where"}, some("x.md: Elsewhere: install route app error"))
	for _, s := range []string{"", "how to install", `"install" OR *`, "res.sendFile(", "--watch", "a:b", "NEAR/2", "検索エンジン", "\xff\x00", "useEffect_", strings.Repeat("route ", 3000), "_", "İ", "e\u0301"} {
		f.Add(s)
	}
	all, err := db.Query(context.Background(), "/web/app", "", 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	var everything strings.Builder
	for _, s := range all.Snippets {
		everything.WriteString(strings.ToLower(s.Title + " " + s.Content + " "))
	}
	present := strings.FieldsFunc(everything.String(), func(r rune) bool { return !unicode.IsLetter(r) })
	f.Fuzz(func(t *testing.T, query string) {
		a, err := db.Query(context.Background(), "/web/app", query, 1<<20)
		if err != nil {
			t.Fatalf("Query(%q) = %v", query, err)
		}
		seen := map[string]bool{}
		for _, s := range a.Snippets {
			if s.Title == "Elsewhere" || seen[s.Title] {
				t.Fatalf("Query(%q) has %q twice, or of another library", query, s.Title)
			}
			seen[s.Title] = true
		}
		if len(a.Snippets) > 0 || len(query) > maxQuery {
			return
		}
		for _, w := range strings.Fields(query)[:min(len(strings.Fields(query)), 2*maxTerms)] {
			if utf8.ValidString(w) && slices.Contains(present, strings.ToLower(w)) {
				t.Fatalf("Query(%q) is empty, though %q occurs", query, w)
			}
		}
	})
}

func FuzzPartsOf(f *testing.F) {
	for _, s := range []string{"useEffect", "HTTPServer2", "__init__", "ÀÉ", "x", "İ", "ǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		prose, code := partsOf(&Snippet{Content: s})
		if len(prose) > len(s) || len(code) > len(s) {
			t.Fatalf("partsOf(%q) = %q, %q", s, prose, code)
		}
		if text.DistanceWithin(squeeze(s), squeeze(s), 2) != 0 && len(s) < 200 {
			t.Fatalf("%q differs from itself", s)
		}
	})
}

// What a question names is a candidate although it says so much that its words are thin.
func TestNamedDeclaration(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	pages := []Page{{Path: "long.go", Snippets: []Snippet{{Title: "Mux.Serve", Breadcrumb: "mux > Mux > Mux.Serve", URL: "long.go#L1", Content: strings.Repeat("It waits for others to call and says so at length. ", 40)}}}}
	for i := range 4 * candidates {
		pages = append(pages, Page{Path: fmt.Sprintf("mux%d.go", i), Snippets: []Snippet{{Title: fmt.Sprintf("Mux.Other%d", i), Breadcrumb: "mux", URL: "x", Content: fmt.Sprintf("It serves %d, of which the mux says nothing more than the others do.", i)}}})
	}
	mustPut(t, db, Library{ID: "/a/mux"}, func(yield func(Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	})
	// Only candidates are read to be ranked, and have a score.
	a, err := db.Query(t.Context(), "/a/mux", "Mux.Serve signature", 30_000)
	if err != nil || !slices.ContainsFunc(a.Snippets, func(s Snippet) bool { return s.Title == "Mux.Serve" && s.Score > 0 }) {
		t.Errorf("the declaration is no candidate: %v", err)
	}
	if a.Unsure() {
		t.Errorf("unsure of the declaration that is named, with %.3f", a.Snippets[0].Score)
	}
}

// The mark that a name of Ruby ends with tells it from the one without, and what stands before the name of a declaration may be
// no part of its title.
func TestNamedAsWritten(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	var pages []Page
	for i, title := range []string{"Timer#interval", "Timer#interval=", "Timer#empty?", "pipe"} {
		pages = append(pages, Page{Path: fmt.Sprintf("lib/%d.rb", i), Snippets: []Snippet{{Title: title, Breadcrumb: "timer > " + title, URL: "x", Content: "```ruby\ndef x\n```\n\nOf the timer."}}})
	}
	for i := range 2 * beside {
		pages = append(pages, Page{Path: fmt.Sprintf("docs/%d.md", i), Snippets: []Snippet{{Title: fmt.Sprintf("Guide %d", i), Breadcrumb: "docs", URL: "x", Content: fmt.Sprintf("```js\nv.pipe(v.string(), v.pipe(%d))\n```", i)}}})
	}
	mustPut(t, db, Library{ID: "/a/timer"}, func(yield func(Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	})
	for ask, want := range map[string]string{"Timer#interval": "Timer#interval", "Timer#interval=": "Timer#interval=", "Timer#empty?": "Timer#empty?", "Timer#empty": "Timer#empty?"} {
		if a, err := db.Query(t.Context(), "/a/timer", ask, 0); err != nil || a.Snippets[0].Title != want || !a.Snippets[0].Named {
			t.Errorf("%s: %v %q, want %s, which it names", ask, err, a.Snippets[0].Title, want)
		}
	}
	if a, err := db.Query(t.Context(), "/a/timer", "v.pipe", 30_000); err != nil || !slices.ContainsFunc(a.Snippets, func(s Snippet) bool { return s.Title == "pipe" && s.Named }) {
		t.Errorf("v.pipe: the declaration is no candidate: %v", err)
	}
}
