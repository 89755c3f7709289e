package index

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// What was counted of chunks is read as it was written, in whatever blocks, is found by no word, and goes with its part.
func TestMarks(t *testing.T) {
	f := newOnce(t)
	counts := []byte{0, 3, 0, 0, 1, 255, 0}
	write := func(part int64, perBlock int) {
		must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error {
			w := f.x.Write(t.Context(), tx, part, 0)
			for i := range counts {
				w.Text("word", 0)
				w.End(nil)
				if i == 0 && w.Mark("m", counts[:1]) == nil {
					t.Error("marked before it was flushed")
				}
				if (i+1)%perBlock == 0 {
					must(t, w.Flush())
				}
			}
			must(t, w.Flush())
			return errors.Join(w.Mark("m", counts), w.Mark("none", make([]byte, len(counts))))
		}))
	}
	marks := func(part int64, name, stamp string) (got string, err error) {
		err = f.read(t, Part{Number: part, Chunks: len(counts), Stamp: stamp, Name: "a part"}, func(r *PartReader) error {
			df, _, err := r.DF([]corpus.Term{{Text: markTerm(name)}})
			if err != nil || df[0] != 0 {
				return fmt.Errorf("a word finds marks: %v %w", df, err)
			}
			return r.Marks(name, func(chunk int, count byte) { got += fmt.Sprint(chunk, ":", count, " ") })
		})
		return got, err
	}
	for part, perBlock := range map[int64]int{1: 100, 2: 2, 3: 1} {
		write(part, perBlock)
		for range 2 { // the second time from memory
			for name, want := range map[string]string{"m": "1:3 4:1 5:255 ", "none": "", "other": ""} {
				if got, err := marks(part, name, "s"); err != nil || got != want {
					t.Errorf("part %d, %s: %q %v, want %q", part, name, got, err, want)
				}
			}
		}
	}
	must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE postings SET data = x'ff7f' WHERE library = 1 AND term = ?", markTerm("m"))
		return err
	}))
	if _, err := marks(1, "m", "other stamp"); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("marks beyond the part: %v", err)
	}
	must(t, f.db.Write(t.Context(), func(tx *sql.Tx) error { return f.x.DropPart(t.Context(), tx, 2) }))
	var left int
	must(t, f.db.QueryRow("SELECT count(*) FROM postings WHERE library = 2").Scan(&left))
	if left != 0 {
		t.Errorf("%d rows left of a part that was dropped", left)
	}
}
