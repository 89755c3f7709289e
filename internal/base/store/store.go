// Package store opens SQLite databases and keeps their schemas current. It knows
// no table: each package brings the steps that make its own.
//
// A file that is damaged, newer, or of another schema than its owner's is moved
// aside and a new one begun; Open says so in DB.Moved. Any number of processes may
// open one path at once, whatever lies there.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A Schema is a database's history: Steps[i] takes it from version i to i+1. A
// step is one statement or several, and never changes once released. Packages
// that share a file add their steps to one list, each new step at its end.
type Schema struct {
	Name  string
	Steps []string
	// Ready, if set, is asked of every database before it is handed out. It may
	// fill what a new one lacks; an ErrDamaged from it counts like any other.
	Ready func(context.Context, *DB) error
	// Sound, if set, is asked of a database that Rescue checks: SQLite's own check
	// does not know what the rows ought to say.
	Sound func(context.Context, *DB) error
	// Layout is DB.Layout of a database that the steps make: one that has it is of this schema,
	// and nothing needs to be made to compare it with. Empty, or of other steps, it says nothing.
	Layout string
	// Keep says that the file is the only copy of what it holds: Open returns the
	// error and leaves it where it is.
	Keep bool
	// Turn is how long Open and Write wait for others, because one that is stopped, or a program that
	// keeps the file locked, would be waited for until it ends. The error is then ErrBusy. 0: no limit.
	Turn time.Duration
}

// A DB is an open database.
type DB struct {
	*sql.DB
	ReadOnly  bool
	Immutable bool   // opened as it lies: what others write meanwhile is not seen
	Moved     string // where a predecessor was put that could not be used; empty normally
	Other     bool   // it was whole, but of another version
	Layout    string // a digest of its tables, indexes and triggers as their statements word them

	path, dsn string
	idle      int           // connections that are kept for the next use
	turn      time.Duration // see Schema.Turn
}

var (
	// ErrDamaged says that a file is not a sound database of this schema.
	ErrDamaged = errors.New("damaged database")
	// ErrNewer says that a file has more steps behind it than this program knows.
	ErrNewer = errors.New("written by a newer version")
	// ErrOther says that a file is sound, and laid out as another version does.
	ErrOther = errors.New("made by another version")
	// ErrBusy says that others kept the file locked for as long as Schema.Turn allows.
	ErrBusy = errors.New("it stays locked")
)

func unusable(err error) bool { return errors.Is(err, ErrDamaged) || other(err) }
func other(err error) bool    { return errors.Is(err, ErrNewer) || errors.Is(err, ErrOther) }

// Open opens the database at path for reading and writing, creates it if there
// is none, and brings it to the schema's last step. What cannot be used is moved
// to path + ".damaged", or ".other" for another version's; the last one is kept.
//
// The way to path's folder is the caller's. In it, neither the database nor what lies
// beside it may be a link, a pipe or a folder: the error then wraps safe.ErrLink or
// safe.ErrNotFile, and nothing was touched.
func Open(ctx context.Context, path string, s Schema) (*DB, error) {
	dir, err := guard(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	// SQLite lets processes share a database, but not its first moments: while one
	// is begun, given its log or moved, others meet every error there is.
	unlock, err := lockFor(ctx, path+".lock", s.Turn)
	if err != nil {
		return nil, err
	}
	defer unlock()
	db, err := create(ctx, dir, path, s)
	if err == nil || !unusable(err) || s.Keep {
		return db, err
	}
	why := err
	aside, err := moveAside(dir, path, why)
	if err != nil {
		return nil, err
	}
	if db, err = create(ctx, dir, path, s); err != nil {
		return nil, err
	}
	db.Moved, db.Other = aside, other(why)
	return db, nil
}

// beside are the endings of what a database consists of, and of the locks of Open and Write.
var beside = [...]string{"", "-wal", "-shm", "-journal", ".lock", ".write"}

// locks is how many of them are locks, which stay where they are when a database moves.
const locks = 2

// Files returns the names of all that may be left in a folder of a database of that name.
func Files(name string) []string {
	var out []string
	for _, ending := range []string{"", ".damaged", ".other"} {
		for _, suffix := range beside {
			out = append(out, name+ending+suffix)
		}
	}
	return out
}

// guard opens the folder of a database, once nothing in it would lead SQLite, which
// follows links and waits for pipes, to a file that is somebody else's.
func guard(path string) (*safe.Root, error) {
	dir, err := safe.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, suffix := range beside {
		if _, err := dir.Path(filepath.Base(path) + suffix); err != nil {
			dir.Close()
			return nil, err
		}
	}
	return dir, nil
}

// Named returns where the database is that a user named: what a link leads to is what
// they mean, and what SQLite puts beside it has to lie there.
func Named(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// create opens the database at path, or an empty file that it puts there, for its owner alone. SQLite
// does not get to do that: connections are made when they are needed, and one made
// after somebody deleted the file would begin another database beside the first.
func create(ctx context.Context, dir *safe.Root, path string, s Schema) (*DB, error) {
	f, err := dir.Create(filepath.Base(path), 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		// A folder that cannot be written may hold a database that can.
		if _, e := dir.Lstat(filepath.Base(path)); e != nil {
			return nil, err
		}
	}
	return open(ctx, path, s)
}

// Rescue looks through the closed database at path and moves it aside if it is
// damaged; the next Open starts an empty one. It is for damage that shows only in use.
func Rescue(ctx context.Context, path string, s Schema) (moved string, err error) {
	dir, err := guard(path)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	unlock, err := lockFor(ctx, path+".lock", s.Turn)
	if err != nil {
		return "", err
	}
	defer unlock()
	db, err := open(ctx, path, s)
	if err == nil {
		if err = db.Check(ctx); err == nil && s.Sound != nil {
			err = s.Sound(ctx, db)
		}
		db.Close()
	}
	if !unusable(err) || s.Keep {
		return "", err
	}
	return moveAside(dir, path, err)
}

// moveAside moves a closed database out of the way, for why, and returns where to. The
// file goes first: a log that is left without one belongs to nothing and SQLite
// drops it, but a file without its log would pass for an older state.
func moveAside(dir *safe.Root, path string, why error) (string, error) {
	ending := ".damaged"
	if other(why) {
		ending = ".other"
	}
	name := filepath.Base(path)
	for _, suffix := range beside[:len(beside)-locks] {
		_ = dir.Remove(name + ending + suffix) // mostly there is none; what is no file stays, and the next line says so
		if err := dir.Rename(name+suffix, name+ending+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("move %s aside: %w", path, err)
		}
	}
	return path + ending, nil
}

// OpenReadOnly opens the database at path, which must exist and have the schema's
// last step, without writing anything beside it.
//
// Even a reader of a database in WAL mode needs shared memory, a file. Where none can
// be made, on a full disk or a read-only one, a database without a log is opened as it
// lies (immutable); one that a crash left with a log is read into memory with it.
//
// A database whose first writer was interrupted before it committed anything is one that
// does not exist: the error wraps os.ErrNotExist.
func OpenReadOnly(ctx context.Context, path string, s Schema) (*DB, error) {
	return reading(ctx, path, s.Turn, func(db *DB) error {
		err := begun(ctx, db, path)
		if err == nil {
			db.Layout, err = check(ctx, db, s)
		}
		if err != nil {
			db.Close()
			return err
		}
		return s.ready(ctx, db)
	})
}

// reading is OpenReadOnly of a database that first looks at; it closes what it refuses.
func reading(ctx context.Context, path string, turn time.Duration, first func(*DB) error) (*DB, error) {
	dir, err := guard(path)
	if err != nil {
		return nil, err
	}
	dir.Close()
	if err := plausible(path); err != nil {
		return nil, err
	}
	as := func(db *DB, err error) (*DB, error) {
		if err != nil {
			return nil, err
		}
		db.ReadOnly = true
		if err := first(db); err != nil {
			return nil, err
		}
		return db, nil
	}
	db, err := as(connect(path, "mode=ro&_pragma=query_only(1)", turn))
	if c := code(err); c != cantOpen && !Unwritable(err) {
		return db, err
	}
	// Opened as it lies, a database with a log shows what it held before the log.
	if st, e := os.Lstat(path + "-wal"); e == nil && st.Size() > 0 {
		return as(openImage(ctx, path))
	}
	if db, err = as(connect(path, "mode=ro&immutable=1&_pragma=query_only(1)", turn)); err != nil {
		return nil, err
	}
	db.Immutable = true
	return db, nil
}

// Same reports whether a file of a database is still the one that was opened; lying says that it was opened as
// it lies, so that nothing of it may have changed.
func Same(now, opened os.FileInfo, lying bool) bool {
	return os.SameFile(now, opened) && (!lying || now.ModTime().Equal(opened.ModTime()) && now.Size() == opened.Size())
}

// Release closes the connections that nobody uses at the moment, and with them what
// they hold of the file.
func (db *DB) Release() {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(db.idle)
}

// OpenMemory opens an empty database of this process's own, which takes no disk.
func OpenMemory(ctx context.Context, s Schema) (*DB, error) {
	db, err := sql.Open("sqlite", "file::memory:?_txlock=immediate&_defensive=1&_dqs=0&_pragma=trusted_schema(0)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another connection would be another database
	db.SetMaxIdleConns(1)
	d := &DB{DB: db, idle: 1}
	if err := migrate(ctx, d, s); err != nil {
		db.Close()
		return nil, err
	}
	return d, s.ready(ctx, d)
}

// ready asks s.Ready, and closes db where the answer is an error.
func (s Schema) ready(ctx context.Context, db *DB) error {
	if s.Ready == nil {
		return nil
	}
	err := s.Ready(ctx, db)
	if err != nil {
		db.Close()
	}
	return err
}

// busyTimeout is how long SQLite itself waits for a lock, in milliseconds. It heeds no context meanwhile, so
// that it must end some time before the turn does.
func busyTimeout(turn time.Duration) int64 {
	if turn > 0 {
		return max(1, (turn / 4).Milliseconds())
	}
	return 10_000
}

func connect(path, query string, turn time.Duration) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") {
		abs = "/" + abs // C:/x becomes file:///C:/x
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: query +
		"&_txlock=immediate&_defensive=1&_dqs=0&_pragma=busy_timeout(" + strconv.FormatInt(busyTimeout(turn), 10) + ")&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	return &DB{DB: db, path: path, dsn: u.String(), idle: 4, turn: turn}, nil
}

// plausible refuses what SQLite would not: it takes a file of less than the
// smallest page for an empty database and writes over it. It does not open the
// file, for closing it again would end the locks that SQLite has on it for other
// connections of this process.
func plausible(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("open %s: not a file", path)
	}
	_, err = os.Stat(path + "-journal")
	if size := st.Size(); size > 0 && size < 512 && errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %s is not a database", ErrDamaged, path)
	}
	return nil
}

func open(ctx context.Context, path string, s Schema) (*DB, error) {
	if err := plausible(path); err != nil {
		return nil, err
	}
	db, err := connect(path, "mode=rw&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)", s.Turn)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db, s); err != nil {
		db.Close()
		return nil, err
	}
	if err := s.ready(ctx, db); err != nil {
		return nil, err
	}
	return db, nil
}

func migrate(ctx context.Context, db *DB, s Schema) error {
	version, err := versionOf(ctx, db)
	if err == nil && version < len(s.Steps) {
		err = upgrade(ctx, db, s)
	}
	if err != nil {
		return err
	}
	db.Layout, err = check(ctx, db, s)
	return err
}

func upgrade(ctx context.Context, db *DB, s Schema) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return Classify(err)
	}
	defer tx.Rollback()
	// Another process may have upgraded while this one waited.
	version, err := versionOf(ctx, tx)
	if err != nil || version >= len(s.Steps) {
		return err
	}
	// A step must not set off a trigger that somebody else put there.
	if _, err := check(ctx, tx, Schema{Name: s.Name, Steps: s.Steps[:version]}); err != nil {
		return err
	}
	for ; version < len(s.Steps); version++ {
		if _, err := tx.ExecContext(ctx, s.Steps[version]); err != nil {
			return fmt.Errorf("step %d of %s: %w", version+1, s.Name, Classify(err))
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return Classify(err)
	}
	return Classify(tx.Commit())
}

// Check runs SQLite's own check of the whole file, through a connection of its own:
// FTS5 keeps in one that is not new what others have changed since, and its check
// finds the file at fault for it.
func (db *DB) Check(ctx context.Context) error {
	fresh := db.DB
	if db.dsn != "" { // what is in memory has one connection
		var err error
		if fresh, err = sql.Open("sqlite", db.dsn); err != nil {
			return err
		}
		defer fresh.Close()
	}
	var verdict string
	if err := fresh.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return Classify(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}
