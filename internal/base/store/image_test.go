package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// crashed copies a database in use, log and all, as a crash would leave it.
func crashed(t testing.TB, db *DB) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crashed.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(db.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// Read into memory, a database holds what SQLite itself finds in it and its log,
// wherever the log is cut: all of a transaction or nothing.
func TestImage(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), latest())
	defer db.Close()
	for i := range 5 {
		run(t, db, fmt.Sprintf("INSERT INTO kept(what) SELECT hex(randomblob(700)) || value FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < %d) SELECT value FROM n)", 10*(i+1)))
		if i == 2 {
			run(t, db, "PRAGMA wal_checkpoint(PASSIVE)", "DELETE FROM kept WHERE rowid > 20")
		}
	}
	path := crashed(t, db)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if len(log) < 50_000 {
		t.Fatalf("the log has only %d bytes", len(log))
	}
	for cut := len(log); cut >= 0; cut -= 1 + len(log)/23 {
		if err := os.WriteFile(path+"-wal", log[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		twin := filepath.Join(t.TempDir(), "twin.db") // which SQLite recovers and changes
		for _, suffix := range []string{"", "-wal"} {
			data, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(twin+suffix, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want := mustOpen(t, twin, latest())
		got, err := openImage(ctx, path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if a, b := rows(t, got), rows(t, want); a != b {
			t.Errorf("cut at %d: %d bytes of rows, SQLite reads %d", cut, len(a), len(b))
		}
		if err := got.Check(ctx); err != nil {
			t.Errorf("cut at %d: %v", cut, err)
		}
		if _, err := got.Exec("DELETE FROM kept"); err == nil {
			t.Error("the copy can be written")
		}
		got.Close()
		want.Close()
	}
}

func rows(t *testing.T, db *DB) (all string) {
	t.Helper()
	if err := db.QueryRow("SELECT coalesce(group_concat(rowid || what), '') FROM (SELECT rowid, what FROM kept ORDER BY rowid)").Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// FuzzReplay holds that a log can be of anybody: at worst it changes nothing.
func FuzzReplay(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(make([]byte, 1024), append([]byte{0x37, 0x7f, 6, 0x82, 0, 0x2d, 0xe2, 0x18, 0, 0, 2}, make([]byte, 2000)...))
	f.Fuzz(func(t *testing.T, image, log []byte) {
		before := bytes.Clone(image)
		after := replay(image, log)
		if len(log) < 32+24+512 && !bytes.Equal(after, before) {
			t.Error("a log without a page changed the database")
		}
		if len(after) > maxImage {
			t.Errorf("%d bytes", len(after))
		}
	})
}
