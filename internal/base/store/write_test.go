package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// Writers wait in line for as long as they like, and no longer.
func TestWriteInLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	one, two := mustOpen(t, path, latest()), mustOpen(t, path, latest())
	defer one.Close()
	defer two.Close()
	insert := func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO kept(what) VALUES ('x')")
		return err
	}
	at, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- one.Write(t.Context(), func(tx *sql.Tx) error {
			close(at)
			<-goOn
			return insert(tx)
		})
	}()
	<-at
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := two.Write(gone, insert); !errors.Is(err, context.Canceled) {
		t.Errorf("Write while another writes = %v, want context.Canceled", err)
	}
	go func() { done <- two.Write(t.Context(), insert) }()
	if n := count(t, two); n != 0 {
		t.Errorf("a reader sees %d rows of a transaction that goes on", n)
	}
	close(goOn)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := count(t, one); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
	failed := errors.New("the caller's own")
	if err := one.Write(t.Context(), func(tx *sql.Tx) error { return errors.Join(insert(tx), failed) }); !errors.Is(err, failed) {
		t.Errorf("Write = %v, want %v", err, failed)
	}
	if n := count(t, two); n != 2 {
		t.Errorf("%d rows after a transaction that failed, want 2", n)
	}
}

// A lock that stays is waited for as long as a turn is, whether a writer of ours holds it or a program that
// knows nothing of the line. One that ends sooner is no error.
func TestTurn(t *testing.T) {
	s := latest()
	s.Turn = 400 * time.Millisecond
	insert := func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO kept(what) VALUES ('x')")
		return err
	}
	holders := map[string]func(t *testing.T, path string) (release func()){
		"a writer in line": func(t *testing.T, path string) func() {
			unlock, err := file.Lock(t.Context(), path+".write")
			if err != nil {
				t.Fatal(err)
			}
			return unlock
		},
		"a foreign lock": func(t *testing.T, path string) func() {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			db.SetMaxOpenConns(1)
			if _, err := db.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
				t.Fatal(err)
			}
			return func() {
				if _, err := db.ExecContext(t.Context(), "ROLLBACK"); err != nil {
					t.Error(err)
				}
			}
		},
	}
	for name, hold := range holders {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db := mustOpen(t, path, s)
			defer db.Close()
			release := hold(t, path)
			// The lock is held until release, so that to come back at all is not to wait for it.
			if err := db.Write(t.Context(), insert); !errors.Is(err, ErrBusy) || !Environmental(err) {
				t.Errorf("Write = %v, want ErrBusy", err)
			}
			time.AfterFunc(20*time.Millisecond, release)
			if err := db.Write(t.Context(), insert); err != nil {
				t.Errorf("Write after the lock ended = %v", err)
			}
		})
	}
}

// WriteFrom copies from a database that is written until the turn has come, and leaves nothing attached.
func TestWriteFrom(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, filepath.Join(dir, "x.db"), latest())
	defer db.Close()
	from := filepath.Join(dir, "y.db")
	write := func(path, what string) {
		t.Helper()
		other := mustOpen(t, path, latest())
		defer other.Close()
		if err := other.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO kept(what) VALUES (?)", what)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	write(from, "first")
	for range 2 {
		err := db.WriteFrom(t.Context(), from, "aside", func(*sql.Tx) error {
			write(from, "again")
			return nil
		}, func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO main.kept(what) SELECT what FROM aside.kept")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, db); n != 2+3 {
		t.Errorf("%d rows, want 5", n)
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO main.kept(what) SELECT what FROM aside.kept")
		return err
	}); err == nil {
		t.Error("it is still attached")
	}
}
