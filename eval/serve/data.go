package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/docs/library"
)

const (
	seed       = 1
	vocabulary = 40_000
	pageSize   = 20    // snippets of a page
	pool       = 5_000 // different questions
)

// A writer invents documentation: words by rank, the first as common as those of
// any manual.
type writer struct {
	rnd   *rand.Rand
	rank  *rand.Zipf
	words []string
}

func newWriter() *writer {
	w := &writer{rnd: rand.New(rand.NewPCG(seed, seed))}
	w.rank = rand.NewZipf(w.rnd, 1.07, 8, vocabulary-1)
	w.words = append(w.words, strings.Fields("the of to a is in and for with you it on be as that this function value option example request file type "+
		"return object default method server set name list call string error path data user module configuration event component state client")...)
	syllables := strings.Fields("ba ne lo ri tu ka mi sor den fal gi hup jal kem lir mon nex opt pri quo ras sti tor vel wix yar zem cha pro con")
	seen := map[string]bool{}
	for len(w.words) < vocabulary {
		var b strings.Builder
		for range 2 + w.rnd.IntN(3) {
			b.WriteString(syllables[w.rnd.IntN(len(syllables))])
		}
		if !seen[b.String()] {
			seen[b.String()] = true
			w.words = append(w.words, b.String())
		}
	}
	return w
}

func (w *writer) word() string { return w.words[w.rank.Uint64()] }

func (w *writer) sentence(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = w.word()
	}
	return strings.Join(words, " ")
}

// snippet is the nth of a library: prose, and code in two of five.
func (w *writer) snippet(page string, n int) library.Snippet {
	var b strings.Builder
	for range 2 + w.rnd.IntN(4) {
		b.WriteString(w.sentence(8+w.rnd.IntN(16)) + ". ")
	}
	s := library.Snippet{Title: w.sentence(2 + w.rnd.IntN(3)), Path: page, URL: fmt.Sprintf("https://example.org/%s#L%d", page, 10*n), Line: 10 * n}
	s.Breadcrumb = "Guide > " + s.Title
	if w.rnd.IntN(5) < 2 {
		s.Language = "js"
		fmt.Fprintf(&b, "\n\n```js\nconst %s = %s.%s(%q);\n%s(%s);\n```", w.word(), w.word(), w.word(), w.word(), w.word(), w.word())
	}
	s.Content = strings.TrimSpace(b.String())
	s.Tokens = len(s.Content) / 4
	return s
}

// generate makes a database. The libraries differ in size as libraries do: the
// first has as many snippets as the next two together.
func generate(ctx context.Context, path string, snippets, libraries int) error {
	db, err := library.Open(ctx, path)
	if err != nil {
		return err
	}
	w := newWriter()
	rest := snippets
	for i := range libraries {
		n := max(1, rest/2)
		if i >= 4 {
			n = max(1, rest/(libraries-i))
		}
		if i == libraries-1 {
			n = rest
		}
		rest -= n
		lib := library.Library{ID: fmt.Sprintf("/example/library-%d", i+1), Version: library.Latest, Title: w.sentence(2), Source: "invented"}
		if _, err := db.Put(ctx, lib, w.pages(n)); err != nil {
			return errors.Join(err, db.Close())
		}
	}
	return db.Close()
}

func (w *writer) pages(snippets int) iter.Seq2[library.Page, error] {
	return func(yield func(library.Page, error) bool) {
		for i := 0; i < snippets; i += pageSize {
			p := library.Page{Path: fmt.Sprintf("guide/page-%d.md", i/pageSize)}
			for n := range min(pageSize, snippets-i) {
				p.Snippets = append(p.Snippets, w.snippet(p.Path, n))
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// questions returns the bodies of requests: a few words of a snippet that the
// database holds, asked of its library.
func questions(ctx context.Context, path string, to io.Writer) (out [][]byte, err error) {
	db, err := library.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	libs, err := db.List(ctx)
	if err != nil {
		return nil, err
	}
	if err := describe(path, libs, to); err != nil {
		return nil, err
	}
	rnd := rand.New(rand.NewPCG(seed, 2))
	type source struct {
		id    string
		words []string
	}
	var sources []source
	weights := []int{} // so that a library is asked as often as it is large
	for i := range libs {
		id := libs[i].ID + "/" + libs[i].Version
		if libs[i].Version == library.Latest {
			id = libs[i].ID
		}
		for _, common := range []string{"function example", "value option", "default configuration", "server request", "method of an object", "file path", "error type", "state of a component"} {
			a, err := db.Query(ctx, id, common, 10_000)
			if err != nil {
				return nil, err
			}
			for _, s := range a.Snippets {
				if words := ask(s.Title + " " + s.Content); len(words) > 8 {
					sources = append(sources, source{id, words})
					weights = append(weights, libs[i].Snippets/max(1, len(a.Snippets)))
				}
			}
		}
	}
	if len(sources) == 0 {
		return nil, errors.New("nothing to ask for was found in the database")
	}
	for i := 1; i < len(weights); i++ {
		weights[i] += weights[i-1]
	}
	for range pool {
		at, _ := slices.BinarySearch(weights, rnd.IntN(max(1, weights[len(weights)-1]))+1)
		s := sources[min(at, len(sources)-1)]
		words := make([]string, 3+rnd.IntN(5))
		for i := range words {
			words[i] = s.words[rnd.IntN(len(s.words))]
		}
		body, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": "query-docs", "arguments": map[string]string{"libraryId": s.id, "query": strings.Join(words, " ")}},
		})
		if err != nil {
			return nil, err
		}
		out = append(out, body)
	}
	return out, nil
}

// ask returns the words of a text that could be asked for.
func ask(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}
