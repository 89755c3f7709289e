package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// All that opening, writing, moving aside and settling a database may leave beside it is
// among its files: who removes those leaves nothing.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	for _, steps := range []int{3, 2, 3} { // the second finds a newer one, and moves it aside
		db := mustOpen(t, path, schemas()[steps])
		run(t, db, "INSERT INTO kept(what) VALUES ('a')")
		if err := db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec("DELETE FROM kept"); return err }); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("no database", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if db := mustOpen(t, path, latest()); db.Moved != path+".damaged" {
		t.Errorf("moved to %q", db.Moved)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	known := Files("x.db")
	for _, e := range list {
		if !slices.Contains(known, e.Name()) {
			t.Errorf("%s is none of the files of x.db", e.Name())
		}
	}
}

// A link that a user named is the database behind it, beside which SQLite puts its files.
func TestNamed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "real.db"), filepath.Join(dir, "link.db")
	if err := os.Symlink("real.db", link); err != nil {
		t.Fatal(err)
	}
	if got := Named(link); got != link { // to nothing: Open refuses it
		t.Errorf("Named of a dangling link = %s", got)
	}
	mustOpen(t, real, latest())
	for _, path := range []string{link, real} {
		if got := Named(path); got != real {
			t.Errorf("Named(%s) = %s", path, got)
		}
	}
	if got := Named(filepath.Join(dir, "new.db")); got != filepath.Join(dir, "new.db") {
		t.Errorf("Named of what is not there = %s", got)
	}
}

// A database in memory is one, whoever asks and however often; it has its schema, and a
// refusal of its owner is told.
func TestOpenMemory(t *testing.T) {
	db, err := OpenMemory(t.Context(), latest())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run(t, db, "INSERT INTO kept(what) VALUES ('a')")
	if err := db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec("INSERT INTO kept(what) VALUES ('b')"); return err }); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
	mine := errors.New("mine")
	s := latest()
	s.Ready = readyWith(mine)
	if _, err := OpenMemory(t.Context(), s); !errors.Is(err, mine) {
		t.Errorf("its owner's refusal: %v", err)
	}
	if _, err := OpenMemory(t.Context(), Schema{Name: "test", Steps: []string{"no SQL"}}); err == nil {
		t.Error("a step that is no SQL was taken")
	}
}

// Connections that nobody uses are closed, and the database is as usable as before.
func TestRelease(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), latest())
	count(t, db)
	if n := db.Stats().Idle; n == 0 {
		t.Fatal("no connection is kept")
	}
	db.Release()
	if n := db.Stats().OpenConnections; n != 0 {
		t.Errorf("%d connections are open", n)
	}
	if count(t, db); db.Stats().Idle != 1 {
		t.Errorf("%d connections are kept after that, want 1", db.Stats().Idle)
	}
}

// Statements of unknown origin get so much memory and no more, for tables, for temporary
// ones and for a value; what was there before stays.
func TestOpenBounded(t *testing.T) {
	const limit = 1 << 20
	fill := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d) INSERT INTO %s SELECT zeroblob(1000) FROM n"
	db, err := OpenBounded(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"main.t", "temp.u"} {
		if _, err := db.Exec("CREATE TABLE " + table + "(x)"); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(fmt.Sprintf(fill, 500, table)); err != nil {
			t.Errorf("half of what may be, in %s: %v", table, err)
		}
		if _, err := db.Exec(fmt.Sprintf(fill, 700, table)); code(err) != full {
			t.Errorf("more than may be, in %s: %v", table, err)
		}
		var n int
		if err := db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); n != 500 || err != nil {
			t.Errorf("%s has %d rows after that, %v", table, n, err)
		}
	}
	if _, err := db.Exec("SELECT length(zeroblob(?))", limit/2+1); code(err) != sqlite3.SQLITE_TOOBIG {
		t.Errorf("a value that is too large: %v", err)
	}
	var n int
	if err := db.QueryRow("SELECT length(zeroblob(?))", limit/2).Scan(&n); n != limit/2 || err != nil {
		t.Errorf("one that is not: %d, %v", n, err)
	}
	// A limit below what an empty database takes is that.
	small, err := OpenBounded(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	if _, err := small.Exec("CREATE TABLE t(x); INSERT INTO t VALUES (1)"); err != nil {
		t.Errorf("nothing fits: %v", err)
	}
	if _, err := small.Exec("INSERT INTO t VALUES (zeroblob(100000))"); err == nil {
		t.Error("a value of 100 kB fit")
	}
}

// Each failure that is the file's, its disk's or another program's is told in words; of
// what was asked wrongly SQLite says more.
func TestPlainCodes(t *testing.T) {
	for want, codes := range map[string][]int{
		"its folder is not writable":                          {sqlite3.SQLITE_READONLY_DIRECTORY},
		"the file was moved or deleted while it was open":     {sqlite3.SQLITE_READONLY_DBMOVED},
		"it is read-only":                                     {readOnly, sqlite3.SQLITE_READONLY_RECOVERY},
		"there is not enough memory":                          {sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR_NOMEM, sqlite3.SQLITE_IOERR_SHMMAP},
		"the disk cannot be read":                             {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_SEEK},
		"its file system cannot lock files":                   {sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_SHMLOCK},
		"its file system is corrupt":                          {sqlite3.SQLITE_IOERR_CORRUPTFS},
		"its disk is full or failing":                         {ioErr, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC},
		"its disk is full":                                    {full},
		"it is a folder":                                      {sqlite3.SQLITE_CANTOPEN_ISDIR},
		"it is a link":                                        {sqlite3.SQLITE_CANTOPEN_SYMLINK},
		"it, or a file of it, cannot be opened":               {cantOpen, sqlite3.SQLITE_CANTOPEN_FULLPATH},
		"another program is using it":                         {busy, locked, sqlite3.SQLITE_BUSY_RECOVERY, sqlite3.SQLITE_PROTOCOL},
		"permission denied":                                   {sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH},
		"it is corrupt":                                       {corrupt, sqlite3.SQLITE_CORRUPT_VTAB},
		"it is not a database":                                {notADB},
		"it was interrupted":                                  {sqlite3.SQLITE_INTERRUPT},
		"a value is too large":                                {sqlite3.SQLITE_TOOBIG},
		"its file system does not support files of this size": {sqlite3.SQLITE_NOLFS},
		"": {generic, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_MISMATCH},
	} {
		for _, code := range codes {
			if got := describeCode(code); got != want {
				t.Errorf("plain(%d) = %q, want %q", code, got, want)
			}
		}
	}
}

func readyWith(err error) func(context.Context, *DB) error {
	return func(context.Context, *DB) error { return err }
}
