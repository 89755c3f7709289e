//go:build unix

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

var _ = also("full", childFull)

// childFull reads a database, and then tries to write it, where no file can grow or
// be written: what a full disk does to a process, and one that a test can have.
func childFull(args []string) error {
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 0, Max: 0}); err != nil {
		return err
	}
	ctx := context.Background()
	db, err := OpenReadOnly(ctx, args[0], latest())
	if err != nil {
		return err
	}
	for range 3 {
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM kept").Scan(&n); err != nil {
			return err
		}
		fmt.Println("rows", n)
	}
	if err := db.Close(); err != nil {
		return err
	}
	if db, err = Open(ctx, args[0], latest()); err == nil {
		err = db.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO kept(what) VALUES ('new')")
			return err
		})
		db.Close()
	}
	if !Unwritable(err) {
		return fmt.Errorf("written on a full disk: %w", err)
	}
	fmt.Println("refused:", err)
	return nil
}

// A database is read whether or not anything can be written beside it, also one that
// a crash left with a log, and by several processes; nothing of it is lost.
func TestReadOnFullDisk(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), latest())
	path := db.path
	run(t, db, "INSERT INTO kept(what) VALUES ('checkpointed')")
	left := crashed(t, db) // without shared memory, as after a restart
	if st, err := os.Stat(left + "-wal"); err != nil || st.Size() == 0 {
		t.Fatalf("there is no log: %v", err)
	}
	db.Close()
	for name, path := range map[string]string{"closed": path, "crashed": left} {
		t.Run(name, func(t *testing.T) {
			var cmds []*exec.Cmd
			outs := make([]bytes.Buffer, 3)
			for i := range outs {
				cmd := child("full", path)
				cmd.Stdout, cmd.Stderr = &both{w: &outs[i]}, io.Discard
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				cmds = append(cmds, cmd)
			}
			for i, cmd := range cmds {
				err := cmd.Wait()
				out := outs[i].String()
				if err != nil || strings.Count(out, "rows 1\n") != 3 {
					t.Errorf("%v\n%s", err, out)
				}
				if !strings.Contains(out, "disk is full") || strings.Contains(out, "disk I/O error") {
					t.Errorf("a write is refused with %q, want plain words", out)
				}
			}
			// With room again, all of it is there and can be written.
			db := mustOpen(t, path, latest())
			defer db.Close()
			run(t, db, "INSERT INTO kept(what) VALUES ('later')")
			if n := count(t, db); n != 2 || db.Moved != "" {
				t.Errorf("%d rows, moved to %q; want 2 and not moved", n, db.Moved)
			}
		})
	}
}

// both makes exec copy through a pipe: a file could not be written either.
type both struct{ w io.Writer }

func (b *both) Write(p []byte) (int, error) { return b.w.Write(p) }

// No result code of SQLite reaches a person as it is.
func TestPlain(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), latest())
	defer db.Close()
	run(t, db, "PRAGMA max_page_count = 1")
	_, raw := db.ExecContext(ctx, "INSERT INTO kept(what) VALUES (hex(zeroblob(100000)))")
	err := Classify(fmt.Errorf("put it there: %w", raw))
	if want := "put it there: its disk is full (SQLite error 13)"; err == nil || err.Error() != want || !Unwritable(err) {
		t.Errorf("Classify = %v, want %q", err, want)
	}
	if again := Classify(err); again != err {
		t.Errorf("Classify of what is classified = %v", again)
	}
	// The codes of which nothing but a statement can be at fault keep their words.
	own := map[int]bool{1: true, 2: true, 4: true, 12: true, 16: true, 17: true, 19: true, 20: true, 21: true, 24: true, 25: true}
	for c := 1; c <= 26; c++ {
		for _, extended := range []int{c, c | 19<<8, c | 255<<8} {
			if says := describeCode(extended); (says == "") != own[c] {
				t.Errorf("error %d is told as %q", extended, says)
			}
		}
	}
	if got := describeCode(4874); strings.ContainsAny(got, "0123456789") || !strings.Contains(got, "full") {
		t.Errorf("error 4874 is told as %q", got)
	}
	if err := Classify(io.EOF); !errors.Is(err, io.EOF) || Classify(nil) != nil {
		t.Errorf("Classify(io.EOF) = %v", err)
	}
}
