package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

// once is a file with parts that are written once, as a library's versions are.
type onceFile struct {
	db *store.DB
	x  *File
}

func newOnce(t *testing.T) *onceFile {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), store.Schema{Name: "test", Steps: []string{PartTables}})
	must(t, err)
	f := &onceFile{db, NewFile(db, fileLayout(), false)}
	t.Cleanup(func() { f.x.Close(); db.Close() })
	return f
}

// write writes a part of texts, in blocks of so many, with vectors of which model made the signs.
func (f *onceFile) write(t *testing.T, part int64, texts []string, perBlock int, model uint32, vectors [][]int8) {
	t.Helper()
	must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error {
		w := f.x.Write(t.Context(), tx, part, model)
		for i, s := range texts {
			w.Text(s, 0)
			w.Inside(strings.ToLower(s))
			var v []int8
			if vectors != nil {
				v = vectors[i]
			}
			w.End(v)
			if (i+1)%perBlock == 0 {
				if err := w.Flush(); err != nil {
					return err
				}
			}
		}
		return w.Flush()
	}))
}

func (f *onceFile) read(t *testing.T, p Part, ask func(r *PartReader) error) error {
	t.Helper()
	must(t, f.x.Prepare(t.Context()))
	tx, err := f.db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	must(t, err)
	defer tx.Rollback()
	r, err := f.x.Part(t.Context(), tx, p)
	if err != nil {
		return err
	}
	defer r.Close()
	return ask(r)
}

// In how many blocks a part was written changes no answer, and what was read of it is kept only
// as long as its stamp.
func TestPartInBlocks(t *testing.T) {
	f := newOnce(t)
	m := newMaker(81)
	var texts []string
	for range 200 {
		var words []string
		for range 1 + m.Intn(20) {
			words = append(words, m.word())
		}
		texts = append(texts, strings.Join(words, " "))
	}
	f.write(t, 1, texts, 1000, 0, nil)
	f.write(t, 2, texts, 7, 0, nil)
	answers := func(part int64, stamp string, query []corpus.Term, also []uint32) (out string) {
		t.Helper()
		must(t, f.read(t, Part{Number: part, Chunks: 200, Stamp: stamp, Name: "a part"}, func(r *PartReader) error {
			df, n, err := r.DF(query)
			if err != nil {
				return err
			}
			found, err := r.Lexical(context.Background(), query, 20, 20, nil)
			if err != nil {
				return err
			}
			with, err := r.LexicalWith(query, 3, also)
			if err != nil {
				return err
			}
			out = fmt.Sprintf("%v of %d %v\n", df, n, r.Chunks())
			for _, c := range append(found, with...) {
				out += fmt.Sprintf("%d %.6f\n", c.Chunk, c.Score)
			}
			return nil
		}))
		return out
	}
	for range 30 {
		query := m.query(3)
		also := []uint32{0, 6, 7, 100, 199}
		want := answers(1, "a", query, also)
		for _, stamp := range []string{"a", "a", "b", ""} {
			if got := answers(2, stamp, query, also); got != want {
				t.Fatalf("%v, stamp %q: in blocks\n%s\nat once\n%s", query, stamp, got, want)
			}
		}
		// The best of all are found, with those that were asked for besides.
		lines := strings.Split(strings.TrimSpace(want), "\n")
		for _, c := range also {
			if len(lines) > 4 && !slices.ContainsFunc(lines[1:], func(l string) bool { return strings.HasPrefix(l, fmt.Sprint(c, " ")) }) {
				t.Errorf("%v: chunk %d was asked for and is not among %q", query, c, lines)
			}
		}
	}
	// Another part takes the number: with another stamp, it is read.
	must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error { return f.x.DropPart(t.Context(), tx, 2) }))
	f.write(t, 2, append([]string{"zzyzx"}, texts[1:]...), 50, 0, nil)
	if got := answers(2, "c", terms("zzyzx"), nil); !strings.HasPrefix(got, "[1] of 200 200\n0 ") {
		t.Errorf("the part that took its number answers %q", got)
	}
	if err := f.read(t, Part{Number: 2, Chunks: 199, Stamp: "d", Name: "a part"}, func(*PartReader) error { return nil }); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a part with a chunk too many: %v", err)
	}
	if err := f.read(t, Part{Number: 2, Chunks: 201, Stamp: "d", Name: "a part"}, func(*PartReader) error { return nil }); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a part with a chunk too few: %v", err)
	}
}

// Signs find what is alike where the same model made them; damaged ones are said to be.
func TestPartSigns(t *testing.T) {
	f := newOnce(t)
	r := rand.New(rand.NewPCG(5, 6))
	const dims = 70 // not a multiple of 64
	var texts []string
	var vectors [][]int8
	for i := range 60 {
		v := make([]int8, dims)
		for j := range v {
			v[j] = int8(r.IntN(255) - 127)
		}
		texts, vectors = append(texts, fmt.Sprint("text ", i)), append(vectors, v)
	}
	f.write(t, 1, texts, 25, 7, vectors)
	f.write(t, 2, texts, 25, 0, nil)
	part := Part{Number: 1, Chunks: 60, Stamp: "s", Name: "a part", Model: 7, Dims: dims}
	var all []uint64
	for _, v := range vectors {
		all = append(all, vec.Words(vec.AppendSigns(nil, v))...)
	}
	// With what was read without signs kept, they are read when they are asked for.
	must(t, f.read(t, Part{Number: 1, Chunks: 60, Stamp: "s", Name: "a part"}, func(r *PartReader) error {
		if _, ok := r.Alike(vectors[0], 3); ok {
			t.Error("signs that nobody asked for are compared")
		}
		return nil
	}))
	must(t, f.read(t, part, func(r *PartReader) error {
		if got, ok := r.Alike(make([]int8, dims), 5); !ok || len(got) != 0 {
			t.Errorf("alike to nothing are %v, %v", got, ok)
		}
		for _, v := range vectors[:10] {
			got, ok := r.Alike(v, 5)
			var room []uint16
			var want []uint32
			for _, at := range nearest(all, vec.SketchOf(v), 5, &room) {
				want = append(want, uint32(at))
			}
			slices.Sort(want)
			if !ok || !slices.Equal(got, want) {
				t.Errorf("alike are %v, %v, want %v", got, ok, want)
			}
		}
		return nil
	}))
	for name, p := range map[string]Part{"of another model": {Number: 1, Chunks: 60, Stamp: "t", Name: "a part", Model: 8, Dims: dims}, "without any": {Number: 2, Chunks: 60, Stamp: "s", Name: "a part", Model: 7, Dims: dims}} {
		must(t, f.read(t, p, func(r *PartReader) error {
			if got, ok := r.Alike(vectors[0], 5); ok {
				t.Errorf("signs %s: %v", name, got)
			}
			return nil
		}))
	}
	tx, err := f.db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	must(t, err)
	unlike, err := f.x.Unlike(t.Context(), tx, 7)
	tx.Rollback()
	if err != nil || len(unlike) != 1 || !unlike[2] {
		t.Errorf("parts of another model are %v, %v; want 2", unlike, err)
	}
	for name, change := range map[string]string{
		"cut":        "UPDATE lengths SET signs = substr(signs, 1, length(signs) - 8) WHERE library = 1 AND block = 25",
		"an odd cut": "UPDATE lengths SET signs = substr(signs, 1, length(signs) - 3) WHERE library = 1 AND block = 0",
		"too many":   "UPDATE lengths SET signs = signs || signs || signs WHERE library = 1 AND block = 25",
	} {
		must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error {
			if err := f.x.DropPart(t.Context(), tx, 1); err != nil {
				return err
			}
			return nil
		}))
		f.write(t, 1, texts, 25, 7, vectors)
		_, err := f.db.Exec(change)
		must(t, err)
		part.Stamp = name
		if err := f.read(t, part, func(*PartReader) error { return nil }); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("signs that are %s: %v", name, err)
		}
	}
}

// Parts of words are found within words alone, and only where all characters are of one.
func TestInsideWords(t *testing.T) {
	f := newOnce(t)
	f.write(t, 1, []string{"ab-cde", "abcde", "a bcd e", "a1b2 x", "über größe", "az09", "yz89"}, 3, 0, nil)
	must(t, f.read(t, Part{Number: 1, Chunks: 7, Name: "a part"}, func(r *PartReader) error {
		for gram, want := range map[string]int{"abc": 1, "bcd": 2, "cde": 2, "-cd": 0, "a1b": 1, "1b2": 1, "b2x": 0, "übe": 1, "röß": 1, "az0": 1, "z09": 1, "yz8": 1, "z89": 1, "a b": 0} {
			var n int
			if err := r.tx.QueryRow("SELECT coalesce(sum(n), 0) FROM postings WHERE library = 1 AND term = ?", string(gramMark)+gram).Scan(&n); err != nil {
				return err
			}
			if n != want {
				t.Errorf("%q is in %d chunks, want %d", gram, n, want)
			}
		}
		return nil
	}))
}

// What no Edit left is said to be damage by questions and by Sound.
func TestDamagedPart(t *testing.T) {
	for name, change := range map[string]string{
		"a length is missing":          "UPDATE lengths SET data = substr(data, 1, length(data) - 1) WHERE library IN (SELECT segment FROM segments WHERE part = 3)",
		"lengths are missing":          "DELETE FROM lengths",
		"a posting is cut":             "UPDATE postings SET data = substr(data, 1, length(data) - 1) || x'ff' WHERE term = 'valu'",
		"postings of another block":    "UPDATE postings SET block = 77 WHERE term = 'valu'",
		"a document is missing":        "DELETE FROM documents WHERE part = 3 AND path = 'b.txt'",
		"chunks are counted otherwise": "UPDATE parts SET chunks = chunks + 1 WHERE part = 3",
		"a segment is missing":         "DELETE FROM segments WHERE part = 3",
		"live chunks are others":       "UPDATE segments SET live = live + 1 WHERE part = 3",
		"a vector is cut":              "UPDATE vectors SET data = substr(data, 1, length(data) - 1)",
		"a vector has no dimensions":   "UPDATE vectors SET data = substr(data, 1, 4 * length(ids) / 8)",
		"the numbers are cut":          "UPDATE vectors SET ids = substr(ids, 1, length(ids) - 1)",
	} {
		t.Run(name, func(t *testing.T) {
			db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), store.Schema{Name: "test", Steps: []string{PartTables + ";" + EditTables}})
			must(t, err)
			defer db.Close()
			f := &aFile{db, NewFile(db, fileLayout(), true)}
			defer f.x.Close()
			docs := []*Doc{text1("a.txt", "value one\n"), text1("b.txt", "value two\n"), text1("c.txt", "value three\n")}
			for _, d := range docs {
				d.Embedder, d.Vectors = "own", []float32{.6, .8}
			}
			f.change(t, docs)
			must(t, Sound(t.Context(), db))
			_, err = db.Exec(change)
			must(t, err)
			if err := Sound(t.Context(), db); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("Sound = %v", err)
			}
			ask := func() error {
				must(t, f.x.Prepare(t.Context()))
				tx, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
				must(t, err)
				defer tx.Rollback()
				r, err := f.x.Open(t.Context(), tx, thePart)
				if err != nil {
					return err
				}
				defer r.Close()
				_, err = r.Lexical(t.Context(), terms("valu"), 10, 1, func(DocInfo) bool { return true })
				_, nearErr := r.Nearest(t.Context(), "own", []float32{.6, .8}, 10, func(DocInfo) bool { return true })
				return errors.Join(err, nearErr)
			}
			if err := ask(); strings.HasPrefix(name, "live chunks") {
				return // a question counts them itself
			} else if !errors.Is(err, store.ErrDamaged) {
				t.Errorf("a question: %v", err)
			}
		})
	}
}
