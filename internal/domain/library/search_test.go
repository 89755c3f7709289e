package library

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
)

// within runs f in a transaction on the newest version of a library.
func within(t *testing.T, db *DB, id, query string, f func(s *search, x *index, stats []stat) error) {
	t.Helper()
	ctx := context.Background()
	err := db.ask(ctx, func(of asking) error {
		r, _, err := find(ctx, of, id)
		if err != nil {
			return err
		}
		s := &search{d: db, ctx: ctx, asking: of, r: r, q: readQuestion(query), n: candidates, ranking: Lexical}
		x, err := db.index(ctx, of.tx, r, false)
		if err != nil {
			return err
		}
		stats, err := s.stats(s.q.terms, len(x.codes))
		if err != nil {
			return err
		}
		return f(s, x, stats)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The obvious way is the oracle: count the terms of each snippet, and add up BM25.
func TestLexicalIsBM25(t *testing.T) {
	db := manual(t)
	within(t, db, "/web/app", "how does error handling middleware of the app route max_retries", func(s *search, x *index, stats []stat) error {
		hits, err := s.lexical(&scores{}, x, stats, []int{0, 11})
		if err != nil {
			return err
		}
		all, err := snippets(s.ctx, s.tx, " WHERE id BETWEEN ? AND ? ORDER BY id", s.r.first, s.r.last)
		if err != nil {
			return err
		}
		words, found := newVocabulary(), 0
		for at, snippet := range all {
			counts, length := map[string]byte{}, 0
			fieldsOf(&snippet, func(in string, unit, bits byte) {
				text.Words(bytesIn(in), func(w []byte) {
					terms := words.Of(w)
					length++
					for _, term := range terms {
						if counts[term]&bits != bits {
							counts[term] += unit
						}
					}
				})
			})
			want := 0.0
			for _, st := range stats {
				f := float64(weights()[counts[st.term]])
				want += st.worth() * (params().K1 + 1) * f / (f + float64(x.norms[lengthCode(length)]))
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

// What is left out of the postings is made up for from the text.
func TestUnread(t *testing.T) {
	db := manual(t)
	within(t, db, "/web/app", "error handling middleware useLayoutEffect app", func(s *search, x *index, stats []stat) error {
		want := map[int]float32{}
		hits, err := s.lexical(&scores{}, x, stats, nil)
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
		if hits, err = s.lexical(&scores{}, x, stats, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}); err != nil {
			return err
		}
		got, err := s.read(hits)
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

// A file whose postings are not what Put writes is a fault, never a crash.
func FuzzPostings(f *testing.F) {
	x := &index{codes: make([]byte, 1000), starts: []int{0, 400}}
	for i := range x.norms {
		x.norms[i] = 1
	}
	f.Add(binary.AppendUvarint(nil, 3), []byte{2, 1, 4, 5})
	f.Add(binary.AppendUvarint(nil, 1<<63), []byte{0xff, 0xff})
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		s := &scores{k: 10, also: []int{3, 999}, weights: weights()}
		stats := []stat{{qterm: qterm{"a", 1}, df: 1, idf: 1}, {qterm: qterm{"b", 1}, df: 1, idf: 2}}
		s.arena = append(append(s.arena, first...), second...)
		a, b := span{0, len(first)}, span{len(first), len(first) + len(second)}
		s.lists = [][]span{{a, b}, {b, a}}
		for i := range x.starts {
			if err := s.block(x, i, stats); err != nil {
				if !errors.Is(err, store.ErrDamaged) {
					t.Fatalf("block = %v, want damage", err)
				}
				return
			}
		}
		seen := map[int]bool{}
		for _, h := range s.top {
			if h.at < 0 || h.at >= len(x.codes) || seen[h.at] || h.score <= 0 {
				t.Fatalf("hits %v", s.top)
			}
			seen[h.at] = true
		}
		if len(s.others) != 2 || len(s.found) != 0 {
			t.Fatalf("%d others, %d left", len(s.others), len(s.found))
		}
	})
}

func TestKeeper(t *testing.T) {
	var k keeper
	big := func() *index { return &index{codes: make([]byte, maxKept/3)} }
	for i := range 5 {
		k.put(keptKey{int64(i), "sum"}, big())
		k.get(keptKey{0, "sum"})
	}
	for i, want := range []bool{true, false, false, false, true} {
		if got := k.get(keptKey{int64(i), "sum"}) != nil; got != want {
			t.Errorf("index %d is kept: %v, want %v", i, got, want)
		}
	}
	if k.size > maxKept {
		t.Errorf("%d bytes are kept, at most %d", k.size, maxKept)
	}
	k.put(keptKey{9, "sum"}, &index{codes: make([]byte, maxKept+1)})
	if k.get(keptKey{9, "sum"}) != nil || k.get(keptKey{0, "other"}) != nil {
		t.Error("what is too large or another's is kept")
	}
	k.clear()
	if k.get(keptKey{0, "sum"}) != nil || k.size != 0 {
		t.Error("cleared and still there")
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
		if _, err := into.Import(ctx, path); err != nil {
			continue
		}
		if got := titlesBy(t, into, "/a/b", "the second word", Hybrid); got != "Two, One" {
			t.Errorf("imported after %s: %q", c.harm, got)
		}
	}
}
