package index

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/store"
)

// A file that adopts another has what that has, numbers its chunks on, and says another epoch; numbers that
// it has given itself meanwhile are no other chunk's.
func TestAdopt(t *testing.T) {
	for _, tt := range []struct {
		name  string
		write int // chunks that the file gets while the other is built
		want  error
	}{{"nothing is written meanwhile", 0, nil}, {"less than was reserved", 9, nil}, {"more than was reserved", 11, ErrNumbers}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			layout := Layout{Params: bm25.Default(), Fields: []Field{{Unit: 1, Mask: 0x0f, Weight: 1}}, Terms: func(w string) []string { return []string{w} }}
			open := func(name string) (*store.DB, *File) {
				db, err := store.Open(t.Context(), filepath.Join(dir, name), store.Schema{Name: "x", Steps: []string{PartTables + ";" + EditTables}})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { db.Close() })
				return db, NewFile(db, layout, true)
			}
			put := func(db *store.DB, f *File, path string, chunks int) {
				t.Helper()
				if err := db.Write(t.Context(), func(tx *sql.Tx) error {
					e := f.Edit(t.Context(), tx, "x")
					entries := make([]Findable, chunks)
					for i := range entries {
						entries[i] = Findable{Texts: []string{path}, Inside: path}
					}
					if _, err := e.Put(0, path, entries); err != nil {
						return err
					}
					return e.Close()
				}); err != nil {
					t.Fatal(err)
				}
			}
			state := func(db *store.DB) (epoch, next int64, chunks int) {
				if err := db.QueryRow("SELECT epoch, next, chunks FROM parts").Scan(&epoch, &next, &chunks); err != nil {
					t.Fatal(err)
				}
				return epoch, next, chunks
			}
			live, f := open("live.db")
			put(live, f, "old", 5)
			aside, g := open("aside.db")
			next, err := Next(t.Context(), live)
			if err != nil {
				t.Fatal(err)
			}
			if err := aside.Write(t.Context(), func(tx *sql.Tx) error { return Reserve(t.Context(), tx, next, 10) }); err != nil {
				t.Fatal(err)
			}
			put(aside, g, "new", 3)
			if tt.write > 0 {
				put(live, f, "meanwhile", tt.write)
			}
			epoch, last, _ := state(live)
			err = live.WriteFrom(t.Context(), filepath.Join(dir, "aside.db"), "aside", func(*sql.Tx) error { return nil }, func(tx *sql.Tx) error {
				return Adopt(t.Context(), tx, "aside")
			})
			if !errors.Is(err, tt.want) {
				t.Fatalf("Adopt = %v, want %v", err, tt.want)
			}
			if err := Sound(t.Context(), live); err != nil {
				t.Error(err)
			}
			e, n, chunks := state(live)
			if tt.want == nil && (e <= epoch || n < last || n != 6+10+3 || chunks != 3) {
				t.Errorf("epoch %d after %d, next %d after %d, %d chunks", e, epoch, n, last, chunks)
			}
			if tt.want != nil && (e != epoch || chunks != 5+tt.write) {
				t.Errorf("it has changed: epoch %d after %d, %d chunks", e, epoch, chunks)
			}
		})
	}
}
