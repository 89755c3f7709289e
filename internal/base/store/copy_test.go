package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

var copied = Schema{Name: "copied", Steps: []string{"CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER)"}}

// both adds a number to two tables at once.
func added(t testing.TB, db *DB, n int) {
	t.Helper()
	if err := db.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO a VALUES (?)", n)
		if err == nil {
			_, err = tx.Exec("INSERT INTO b VALUES (?)", n)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func counted(t testing.TB, path string) (a, b int) {
	t.Helper()
	db, err := OpenReadOnly(t.Context(), path, copied)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b)").Scan(&a, &b); err != nil {
		t.Fatal(err)
	}
	return a, b
}

// A copy is the database at one moment, with what is in its log, while somebody writes.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from.db")
	db, err := Open(t.Context(), from, copied)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	added(t, db, 0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			default:
				added(t, db, n)
			}
		}
	}()
	last := 0
	for i := range 10 {
		to := filepath.Join(dir, "to"+string(rune('0'+i))+".db")
		if err := Copy(t.Context(), from, to); err != nil {
			t.Fatal(err)
		}
		a, b := counted(t, to)
		if a != b || a < max(1, last) {
			t.Fatalf("copy %d holds %d and %d, after %d", i, a, b, last)
		}
		last = a
	}
	close(stop)
	<-done
}

// What is no database, or not a sound one, is not copied.
func TestCopyDamaged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string][]byte{"text": make([]byte, 4096), "short": []byte("x")} {
		path := filepath.Join(dir, name)
		if name == "text" {
			copy(text, "this is not a database at all")
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Copy(t.Context(), path, path+".copy"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Copy(t.Context(), filepath.Join(dir, "none"), filepath.Join(dir, "x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// A database that others use is not replaced; else it is, and the log of the one before is
// not taken for its own.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, other, aside := filepath.Join(dir, "x.db"), filepath.Join(dir, "other.db"), filepath.Join(dir, "aside.db")
	make := func(path string, rows int) *DB {
		db, err := Open(t.Context(), path, copied)
		if err != nil {
			t.Fatal(err)
		}
		for n := range rows {
			added(t, db, n)
		}
		return db
	}
	db := make(path, 3)
	if err := Copy(t.Context(), path, filepath.Join(dir, "three.db")); err != nil {
		t.Fatal(err)
	}
	made := make(other, 5)
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, other, aside); !errors.Is(err, ErrShared) {
		t.Fatalf("in use: %v", err)
	}
	if a, _ := counted(t, path); a != 3 {
		t.Fatalf("it holds %d", a)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-wal", []byte("what a process left"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, other, aside); err != nil {
		t.Fatal(err)
	}
	if a, b := counted(t, path); a != 5 || b != 5 {
		t.Errorf("it holds %d and %d", a, b)
	}
	if a, _ := counted(t, aside); a != 3 {
		t.Errorf("what was there holds %d", a)
	}
	if _, err := os.Lstat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the source is still there: %v", err)
	}
	if err := Replace(t.Context(), filepath.Join(dir, "new.db"), filepath.Join(dir, "three.db"), aside); err != nil {
		t.Fatal(err)
	}
}
