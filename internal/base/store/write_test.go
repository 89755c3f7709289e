package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
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
