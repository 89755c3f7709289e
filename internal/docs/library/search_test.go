package library

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

// within runs f in a transaction on the newest version of a library.
func within(t *testing.T, db *DB, id, query string, f func(s *search, x *index.PartReader, stats []stat) error) {
	t.Helper()
	ctx := context.Background()
	err := db.ask(ctx, func(of asking) error {
		r, _, err := find(ctx, of, id)
		if err != nil {
			return err
		}
		s := &search{d: db, ctx: ctx, asking: of, r: r, q: readQuestion(query), n: candidates, ranking: Lexical}
		x, err := db.part(ctx, of.tx, r, false)
		if err != nil {
			return err
		}
		defer x.Close()
		stats, err := s.stats(x, s.q.terms.List)
		if err != nil {
			return err
		}
		return f(s, x, stats)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The obvious way is the oracle: count the terms of each snippet, and add up what they are
// worth.
func TestLexicalIsBM25(t *testing.T) {
	db := manual(t)
	within(t, db, "/web/app", "how does error handling middleware of the app route max_retries", func(s *search, x *index.PartReader, stats []stat) error {
		hits, err := s.lexical(x, stats, []uint32{0, 11}, s.n)
		if err != nil {
			return err
		}
		all, err := snippets(s.ctx, s.tx, " WHERE id BETWEEN ? AND ? ORDER BY id", s.r.first, s.r.last)
		if err != nil {
			return err
		}
		words, found := newVocabulary(), 0
		for at, snippet := range all {
			counts := map[string]byte{}
			fieldsOf(&snippet, summary(&snippet), func(in string, field int) {
				f := layout().Fields[field]
				text.Words(bytesIn(in), func(w []byte) {
					terms := words.ResultFor(w)
					for _, term := range terms {
						if counts[term]&f.Mask != f.Mask {
							counts[term] += f.Unit
						}
					}
				})
			})
			want := 0.0
			for _, st := range stats {
				want += float64(x.Worth(uint32(at), st.worth(), counts[st.Text]))
			}
			for _, h := range hits {
				if h.at != at {
					continue
				}
				found++
				if math.Abs(want-float64(h.score)) > 1e-4 {
					t.Errorf("%s is worth %v, want %v", snippet.Title, h.score, want)
				}
			}
		}
		if found != len(hits) || found != 12 {
			t.Errorf("%d of %d hits are snippets, want all 12", found, len(hits))
		}
		return nil
	})
}

// What is omitted from the postings is made up for from the text.
func TestUnread(t *testing.T) {
	db := manual(t)
	within(t, db, "/web/app", "error handling middleware useLayoutEffect app", func(s *search, x *index.PartReader, stats []stat) error {
		want := map[int]float32{}
		hits, err := s.lexical(x, stats, nil, s.n)
		if err != nil {
			return err
		}
		for _, h := range hits {
			want[h.at] = h.score
		}
		for i := range stats {
			if i > 0 {
				stats[i].skipped = true
			}
		}
		if hits, err = s.lexical(x, stats, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, s.n); err != nil {
			return err
		}
		got := make([]ranked, len(hits))
		err = s.read(got, hits, true)
		if err != nil {
			return err
		}
		words := newVocabulary()
		for _, c := range got {
			c.unread(x, stats, words)
			if w := want[c.at]; math.Abs(float64(w-c.hit.score)) > 1e-4 {
				t.Errorf("%s is worth %v, want %v", c.s.Title, c.hit.score, w)
			}
		}
		if len(got) != 12 || len(want) < 8 {
			t.Errorf("%d snippets with %d hits", len(got), len(want))
		}
		return nil
	})
}

func TestSkip(t *testing.T) {
	for _, c := range []struct {
		n    int
		df   []int
		want string
	}{
		{1000, []int{1, 900, 1000}, "[1 900 1000]"},
		{10_000_000, []int{900_000}, "[900000]"},
		{1_000_000, []int{10, 50_000, 100_000, 400_000, 900_000}, "[10 50000 100000]"},
		{1_000_000, []int{400_000, 500_000}, "[400000]"},
		{100_000_000, []int{200_000, 200_000, 1_900_000, 2_100_000}, "[200000 200000 1900000]"}, // rare ones are all read
	} {
		var all []stat
		for _, df := range c.df {
			all = append(all, stat{df: df})
		}
		skip(all, c.n)
		var read []int
		for _, s := range all {
			if !s.skipped {
				read = append(read, s.df)
			}
		}
		if got := fmt.Sprint(read); got != c.want {
			t.Errorf("of %d, %v are read %s, want %s", c.n, c.df, got, c.want)
		}
	}
}

// A file whose index is not that of its text says so, and what it is imported into
// makes its own.
func TestDamagedIndex(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		harm  string
		fault bool // of every question
	}{
		{"UPDATE postings SET data = x'00'", true},
		{"UPDATE postings SET data = x'ffffffffffffffffffff01'", true},
		{"UPDATE postings SET data = x'0200'", true},
		{"UPDATE postings SET block = 1", true},
		{"UPDATE postings SET n = 1000000", false},
		{"UPDATE postings SET n = -1", false},
		{"DELETE FROM postings", false},
		{"DELETE FROM lengths", true},
		{"UPDATE lengths SET data = x'000000'", true},
		{"UPDATE lengths SET data = zeroblob(1000000)", true},
		{"UPDATE lengths SET signs = x'0000'", true},
		{"UPDATE lengths SET signs = zeroblob(1000000)", true},
		{"UPDATE lengths SET model = 1", false},
		{"UPDATE lengths SET model = 'x'", true},
		{"UPDATE snippets SET vector = NULL", false},
		{"UPDATE snippets SET vector = 'text'", false},
		{"UPDATE snippets SET vector = zeroblob(256)", false},
		{"DROP TABLE snippets_fts", true},
	} {
		path := filepath.Join(t.TempDir(), "docs.db")
		db := mustOpen(t, path)
		mustPut(t, db, Library{ID: "/a/b"}, some("x.md: One: word", "y.md: Two: second word"))
		if _, err := db.db.Exec(c.harm); err != nil {
			t.Fatalf("%s: %v", c.harm, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		reader, err := OpenReadOnly(ctx, path)
		if err == nil {
			_, err = reader.QueryWith(ctx, "/a/b", "the second word", Options{Ranking: Hybrid})
			reader.Close()
		}
		if (err != nil) != c.fault || err != nil && fault.KindOf(err) != fault.Unavailable {
			t.Errorf("after %s: %v, want a fault: %v", c.harm, err, c.fault)
		}
		into := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
		if _, err := into.Import(ctx, path, nil); err != nil {
			continue
		}
		if got := titlesBy(t, into, "/a/b", "the second word", Hybrid); got != "Two, One" {
			t.Errorf("imported after %s: %q", c.harm, got)
		}
	}
}
