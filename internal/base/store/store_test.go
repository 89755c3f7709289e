package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

const first = "CREATE TABLE kept(n INTEGER PRIMARY KEY, what TEXT NOT NULL) STRICT;\nCREATE INDEX kept_what ON kept(what)"

func schemas() []Schema {
	steps := []string{
		first,
		"ALTER TABLE kept ADD COLUMN more TEXT NOT NULL DEFAULT 'none'",
		"CREATE VIRTUAL TABLE words USING fts5(body, content='', contentless_delete=1)",
	}
	var out []Schema
	for n := range len(steps) + 1 {
		out = append(out, Schema{Name: "test", Steps: steps[:n]})
	}
	return out
}

func latest() Schema { s := schemas(); return s[len(s)-1] }

func mustOpen(t *testing.T, path string, s Schema) *DB {
	t.Helper()
	db, err := Open(context.Background(), path, s)
	if err != nil {
		t.Fatalf("Open(%s) = %v", path, err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t *testing.T, db *DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func count(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM kept").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// dump closes db so that its file holds everything, and returns the file.
func dump(t *testing.T, db *DB, path string) []byte {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMigrate(t *testing.T) {
	all := schemas()
	for from := 1; from < len(all); from++ {
		for to := from; to < len(all); to++ {
			path := filepath.Join(t.TempDir(), "x.db")
			db := mustOpen(t, path, all[from])
			run(t, db, "INSERT INTO kept(what) VALUES ('a'), ('b')")
			db.Close()
			db = mustOpen(t, path, all[to])
			if n := count(t, db); n != 2 || db.Moved != "" {
				t.Errorf("from %d to %d: %d rows, moved %q; want 2 rows where they were", from, to, n, db.Moved)
			}
			if v, _ := versionOf(context.Background(), db); v != to {
				t.Errorf("from %d to %d: version %d", from, to, v)
			}
			db.Close()
			ro, err := OpenReadOnly(context.Background(), path, all[to])
			if err != nil {
				t.Errorf("from %d to %d: OpenReadOnly = %v", from, to, err)
				continue
			}
			if n := count(t, ro); n != 2 {
				t.Errorf("from %d to %d: read-only sees %d rows, want 2", from, to, n)
			}
			if _, err := ro.Exec("INSERT INTO kept(what) VALUES ('c')"); err == nil {
				t.Errorf("from %d to %d: a read-only database was written", from, to)
			}
			ro.Close()
		}
	}
}

// A step that fails leaves the database as it was.
func TestStepFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, schemas()[1])
	run(t, db, "INSERT INTO kept(what) VALUES ('a')")
	db.Close()
	bad := Schema{Name: "test", Steps: []string{first, "CREATE TABLE half(n); CREATE TABLE half(n)"}}
	if db, err := Open(context.Background(), path, bad); err == nil {
		db.Close()
		t.Fatal("Open took a step that fails")
	}
	if db = mustOpen(t, path, schemas()[1]); count(t, db) != 1 || db.Moved != "" {
		t.Errorf("after a failed step: %d rows, moved %q", count(t, db), db.Moved)
	}
}

// strangers are files that are not databases of latest(), and what OpenReadOnly
// says of them.
func strangers(t *testing.T) map[string]struct {
	file []byte
	err  error
} {
	type stranger = struct {
		file []byte
		err  error
	}
	out := map[string]stranger{}
	add := func(name string, err error, s Schema, change ...string) {
		path := filepath.Join(t.TempDir(), "x.db")
		db := mustOpen(t, path, s)
		run(t, db, change...)
		out[name] = stranger{dump(t, db, path), err}
	}
	add("newer", ErrNewer, latest(), "PRAGMA user_version = 4")
	add("negative version", ErrDamaged, latest(), "PRAGMA user_version = -1")
	add("foreign", ErrDamaged, Schema{}, "CREATE TABLE secrets(x)")
	add("foreign of our version", ErrDamaged, Schema{}, "CREATE TABLE secrets(x)", "PRAGMA user_version = 3")
	add("nothing but a version", ErrDamaged, Schema{}, "PRAGMA user_version = 3")
	add("trigger", ErrDamaged, latest(), "CREATE TRIGGER t AFTER INSERT ON kept BEGIN DELETE FROM kept; END")
	add("trigger named like a table", ErrDamaged, latest(), "CREATE TRIGGER kept AFTER INSERT ON kept BEGIN DELETE FROM kept; END")
	add("trigger in an old version", ErrDamaged, schemas()[1], "CREATE TRIGGER t AFTER INSERT ON kept BEGIN DELETE FROM kept; END")
	add("view", ErrDamaged, latest(), "CREATE VIEW v AS SELECT * FROM kept")
	add("view for a table", ErrDamaged, latest(), "DROP TABLE kept", "CREATE VIEW kept AS SELECT 1 n, 'x' what, 'y' more")
	add("extra table", ErrDamaged, latest(), "CREATE TABLE extra(x)")
	add("missing table", ErrDamaged, latest(), "DROP TABLE kept")
	add("missing index", ErrDamaged, latest(), "DROP INDEX kept_what")
	add("other column", ErrDamaged, latest(), "ALTER TABLE kept ADD COLUMN other TEXT")
	add("other tokenizer", ErrDamaged, schemas()[2], "CREATE VIRTUAL TABLE words USING fts5(body, tokenize=trigram)", "PRAGMA user_version = 3")
	out["garbage"] = stranger{bytes.Repeat([]byte("not a database. "), 1000), ErrDamaged}
	out["short garbage"] = stranger{[]byte("x"), ErrDamaged}
	add("corrupt schema page", ErrDamaged, latest())
	corrupt := out["corrupt schema page"].file
	for i := 100; i < 4096; i++ {
		corrupt[i] ^= 0xff
	}
	add("unknown schema format", ErrDamaged, latest())
	out["unknown schema format"].file[47] = 9
	return out
}

// A database that has the layout is taken without a look at what the steps would make; they
// would fail here.
func TestLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	layout := db.Layout
	db.Close()
	unmade := latest()
	for i := range unmade.Steps {
		unmade.Steps[i] = "no statement"
	}
	if db, err := OpenReadOnly(t.Context(), path, unmade); err == nil {
		db.Close()
		t.Error("a database of other steps was taken")
	}
	unmade.Layout = layout
	db, err := OpenReadOnly(t.Context(), path, unmade)
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
}

func TestStrangersMoveAside(t *testing.T) {
	ctx := context.Background()
	known := latest()
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), known)
	known.Layout = db.Layout
	db.Close()
	for name, s := range strangers(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, s.file, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, schema := range []Schema{latest(), known} {
				if db, err := OpenReadOnly(ctx, path, schema); !errors.Is(err, s.err) {
					t.Errorf("OpenReadOnly = %v, %v; want %v", db, err, s.err)
				}
			}
			kept := known
			kept.Keep = true
			if db, err := Open(ctx, path, kept); !errors.Is(err, s.err) {
				t.Errorf("Open of one to keep = %v, %v; want %v", db, err, s.err)
			}
			// Only the header's counters may have changed.
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got[min(100, len(got)):], s.file[min(100, len(s.file)):]) {
				t.Errorf("one to keep was not left as it was: %v", err)
			}
			db := mustOpen(t, path, latest())
			newer := errors.Is(s.err, ErrNewer)
			aside := path + ".damaged"
			if newer {
				aside = path + ".other"
			}
			if db.Moved != aside || db.Other != newer {
				t.Errorf("Moved = %q, of another version %v; want %q, %v", db.Moved, db.Other, aside, newer)
			}
			if got, err := os.ReadFile(db.Moved); err != nil || len(got) < len(s.file) {
				t.Errorf("the file moved aside has %d bytes, %v; want %d", len(got), err, len(s.file))
			}
			run(t, db, "INSERT INTO kept(what) VALUES ('new')")
			if n := count(t, db); n != 1 {
				t.Errorf("%d rows in the new database, want 1", n)
			}
			db.Close()
			if db = mustOpen(t, path, latest()); db.Moved != "" || count(t, db) != 1 {
				t.Errorf("opened again: moved %q, %d rows", db.Moved, count(t, db))
			}
		})
	}
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if db := mustOpen(t, path, latest()); db.Moved != "" {
		t.Errorf("an empty file was moved to %q", db.Moved)
	}
}

func TestStatisticsAreNoStrangers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	run(t, db, "INSERT INTO kept(what) VALUES ('a')", "ANALYZE")
	db.Close()
	if db = mustOpen(t, path, latest()); db.Moved != "" {
		t.Error("a database was refused for the statistics of ANALYZE")
	}
}

// However short a file was cut, it opens, and what Open does not see Rescue does.
func TestTruncated(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	for i := range 100 {
		run(t, db, fmt.Sprintf("INSERT INTO kept(what) VALUES ('%0100d')", i))
	}
	whole := dump(t, db, path)
	step := 997
	if testing.Short() {
		step = 5003
	}
	for n := 0; n < len(whole); n += step {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		db := mustOpen(t, path, latest())
		var sum int
		err := Classify(db.QueryRow("SELECT count(length(what)) FROM kept NOT INDEXED").Scan(&sum))
		sound := err == nil && (sum == 0 || sum == 100)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d of %d: %v, want ErrDamaged", n, len(whole), err)
		}
		db.Close()
		moved, err := Rescue(ctx, path, latest())
		if err != nil || moved == "" && !sound {
			t.Errorf("cut to %d of %d: Rescue = %q, %v though the file is unsound", n, len(whole), moved, err)
		}
		db = mustOpen(t, path, latest())
		if err := db.Check(ctx); err != nil {
			t.Errorf("cut to %d of %d: after Rescue, Check = %v", n, len(whole), err)
		}
		run(t, db, "INSERT INTO kept(what) VALUES ('new')")
		db.Close()
	}
	if moved, err := Rescue(ctx, path, latest()); moved != "" || err != nil {
		t.Errorf("Rescue of a sound database = %q, %v", moved, err)
	}
}

// A process may end between the moves of a database and of its log.
func TestLogWithoutDatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	db := mustOpen(t, path, latest())
	run(t, db, "INSERT INTO kept(what) VALUES ('old')")
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("no log to test with: %v", err)
	}
	db.Close()
	os.Remove(path)
	if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
		t.Fatal(err)
	}
	db = mustOpen(t, path, latest())
	if n := count(t, db); n != 0 {
		t.Errorf("%d rows of a database that was moved away came back", n)
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "100%41", "q?mode=ro", "h#h", "ü日本", "semi;colon", "quo'te", `back\slash`} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name+".db")
		db := mustOpen(t, path, latest())
		run(t, db, "INSERT INTO kept(what) VALUES ('a')")
		db.Close()
		if _, err := os.Stat(path); err != nil {
			t.Errorf("Open(%q) made another file: %v", path, err)
		}
		ro, err := OpenReadOnly(context.Background(), path, latest())
		if err != nil {
			t.Errorf("OpenReadOnly(%q) = %v", path, err)
			continue
		}
		ro.Close()
	}
}

func TestAbsent(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	if _, err := OpenReadOnly(ctx, path, latest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenReadOnly of nothing = %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("OpenReadOnly made a file")
	}
	// What an interrupted first Open leaves is none either: an empty file, or one that
	// has been given its log and holds nothing.
	begun := filepath.Join(t.TempDir(), "begun.db")
	if err := os.WriteFile(begun, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(ctx, begun, latest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenReadOnly of an empty file = %v, want fs.ErrNotExist", err)
	}
	mustOpen(t, begun, Schema{Name: "nothing"}).Close()
	if st, err := os.Stat(begun); err != nil || st.Size() == 0 {
		t.Fatalf("it is still empty: %v", err)
	}
	if _, err := OpenReadOnly(ctx, begun, latest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenReadOnly of one without tables = %v, want fs.ErrNotExist", err)
	}
	if _, err := Open(ctx, filepath.Join(path, "y.db"), latest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open in no folder = %v, want fs.ErrNotExist", err)
	}
	if db, err := Open(ctx, t.TempDir(), latest()); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("Open of a folder = %v, %v; want an error other than damage", db, err)
	}
}

// A connection refuses what could damage the file on purpose.
func TestDefensive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	run(t, db, "PRAGMA writable_schema = ON")
	if _, err := db.Exec("UPDATE sqlite_schema SET sql = 'x'"); err == nil {
		t.Error("sqlite_schema could be written")
	}
	if _, err := db.Exec("INSERT INTO words_data VALUES (77, 'x')"); err == nil {
		t.Error("a shadow table could be written")
	}
	var trusted int
	if err := db.QueryRow("PRAGMA trusted_schema").Scan(&trusted); err != nil || trusted != 0 {
		t.Errorf("trusted_schema = %d, %v; want 0", trusted, err)
	}
}

func TestReady(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	run(t, db, "INSERT INTO kept(what) VALUES ('old')")
	db.Close()
	s := latest()
	s.Ready = func(ctx context.Context, db *DB) error {
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM kept WHERE what = 'old'").Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: old", ErrDamaged)
		}
		if db.ReadOnly {
			return nil
		}
		_, err := db.ExecContext(ctx, "INSERT OR IGNORE INTO kept VALUES (1, 'made', '')")
		return err
	}
	if _, err := OpenReadOnly(ctx, path, s); !errors.Is(err, ErrDamaged) {
		t.Errorf("OpenReadOnly = %v, want what Ready says", err)
	}
	if db = mustOpen(t, path, s); db.Moved == "" || count(t, db) != 1 {
		t.Errorf("Open: moved %q, %d rows; want what Ready refuses moved, and what it fills", db.Moved, count(t, db))
	}
}

func TestClassify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path, latest())
	run(t, db, "INSERT INTO kept(what) VALUES ('word')")
	var n int
	scan := db.QueryRow("SELECT what FROM kept").Scan(&n)
	absent := db.QueryRow("SELECT * FROM absent").Scan(&n)
	for _, c := range []struct {
		err     error
		damaged bool
	}{
		{nil, false},
		{context.Canceled, false},
		{scan, true},
		{absent, false},
		{fmt.Errorf("read: %w", fs.ErrPermission), false},
	} {
		if got := Classify(c.err); errors.Is(got, ErrDamaged) != c.damaged || (got == nil) != (c.err == nil) {
			t.Errorf("Classify(%v) = %v, want damage: %v", c.err, got, c.damaged)
		}
	}
}

func TestSettleBesideOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, other := mustOpen(t, path, latest()), mustOpen(t, path, latest())
	run(t, other, "INSERT INTO kept(n, what) VALUES (1, 'other')")
	run(t, db, "INSERT INTO kept(n, what) VALUES (2, 'mine')")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := db.Settle(ctx); !errors.Is(err, ErrShared) {
		t.Errorf("Settle beside another = %v, want ErrShared", err)
	}
	if err := other.Settle(context.Background()); err != nil {
		t.Errorf("Settle by the last = %v", err)
	}
	if n := count(t, mustOpen(t, path, latest())); n != 2 {
		t.Errorf("%d rows are kept, want both", n)
	}
}

// Who waits for others to settle a database has nothing open between two tries: several that settle it at once would wait
// for each other.
func TestSettleAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, other := mustOpen(t, path, latest()), mustOpen(t, path, latest())
	run(t, other, "INSERT INTO kept(n, what) VALUES (1, 'mine')")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if done, err := db.single(t.Context()); done || err != nil {
		t.Fatalf("settled beside another: %v, %v", done, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop() // it tries once
	if err := other.Settle(ctx); err != nil {
		t.Error(err)
	}
}

// A database that may not grow tells of the disk, as one does that is full.
func TestUnwritable(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "a.db"), latest())
	db.SetMaxOpenConns(1)
	run(t, db, "PRAGMA max_page_count = 1")
	_, err := db.Exec("INSERT INTO kept(what) VALUES (hex(randomblob(100000)))")
	if err == nil || !Unwritable(fmt.Errorf("insert: %w", err)) {
		t.Errorf("a full database: %v, want an error of the disk", err)
	}
	if Unwritable(nil) || Unwritable(ErrDamaged) {
		t.Error("no error, and damage, are taken for the disk's")
	}
	_, wrong := db.Exec("SELECT none FROM kept")
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {ErrDamaged, false}, {wrong, false}, {errors.New("x"), false},
		{err, true}, {fmt.Errorf("insert: %w", Classify(err)), true},
		{fmt.Errorf("lock: %w", &fs.PathError{Op: "open", Path: "x", Err: syscall.EIO}), true},
	} {
		if got := Environmental(tt.err); got != tt.want {
			t.Errorf("Environmental(%v) = %v", tt.err, got)
		}
	}
}
