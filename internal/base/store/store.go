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
	// Ready, if set, is called with every database before Open returns it. It may add missing rows to a new one; if it returns
	// ErrDamaged, the database is treated as damaged.
	Ready func(context.Context, *DB) error
	// Sound, if set, is called with a database that Rescue checks, because SQLite's own check cannot know whether the rows make
	// sense.
	Sound func(context.Context, *DB) error
	// Layout is DB.Layout of a database that the steps make: one that has it is of this schema,
	// and nothing needs to be made to compare it with. Empty, or of other steps, it says nothing.
	Layout string
	// Keep says that the file is the only copy of its data: if it is damaged, Open returns the error and leaves the file in its
	// place.
	Keep bool
	// Turn is how long Open and Write wait for others, because one that is stopped, or a program that
	// keeps the file locked, would be waited for until it ends. The error is then ErrBusy. 0: no limit.
	Turn time.Duration
}

// Steps returns the steps of a history that is written in one text of SQL, with "-- step" on a line between two.
func Steps(history string) []string { return strings.Split(history, "-- step\n") }

// A DB is an open database.
type DB struct {
	*sql.DB
	ReadOnly  bool
	Immutable bool   // opened as immutable: writes of others are not seen
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
	ErrOther = errors.New("written by another version")
	// ErrBusy says that others kept the file locked for as long as Schema.Turn allows.
	ErrBusy = errors.New("another process keeps it locked")
)

func isUnusable(err error) bool     { return errors.Is(err, ErrDamaged) || isOtherVersion(err) }
func isOtherVersion(err error) bool { return errors.Is(err, ErrNewer) || errors.Is(err, ErrOther) }

// Open opens the database at path for reading and writing, creates it if it does not exist, and migrates it to the schema's
// last step. An unusable file is moved to path + ".damaged", or ".other" if another version wrote it; only the last such
// file is kept.
//
// The caller is responsible for the path of the folder. Inside it, neither the database nor the files beside it may be a
// link, a pipe or a folder: otherwise the error wraps safe.ErrLink or safe.ErrNotFile, and nothing was touched.
func Open(ctx context.Context, path string, s Schema) (*DB, error) {
	dir, err := openFolder(path)
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
	if err == nil || !isUnusable(err) || s.Keep {
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
	db.Moved, db.Other = aside, isOtherVersion(why)
	return db, nil
}

// beside are the endings of the files of a database, and of the locks of Open and Write.
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

// openFolder opens the folder of a database. It first checks the files of the database, because SQLite would follow a link to
// somebody else's file, and wait for a pipe.
func openFolder(path string) (*safe.Root, error) {
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

// Named returns the path of a database that a user named, with links resolved, because SQLite must create its files beside
// the target.
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
	dir, err := openFolder(path)
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
	if !isUnusable(err) || s.Keep {
		return "", err
	}
	return moveAside(dir, path, err)
}

// moveAside moves a closed database out of the way, for why, and returns where to. The
// file goes first: a log that is left without one belongs to nothing and SQLite
// drops it, but a file without its log would pass for an older state.
func moveAside(dir *safe.Root, path string, why error) (string, error) {
	ending := ".damaged"
	if isOtherVersion(why) {
		ending = ".other"
	}
	name := filepath.Base(path)
	for _, suffix := range beside[:len(beside)-locks] {
		_ = dir.Remove(name + ending + suffix) // usually there is none; if it is not a file, the next line fails
		if err := dir.Rename(name+suffix, name+ending+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("move %s aside: %w", path, err)
		}
	}
	return path + ending, nil
}

// OpenReadOnly opens the database at path, which must exist and have the schema's last step, without writing anything beside
// it.
//
// Even a reader of a database in WAL mode needs a file for shared memory. If that cannot be created, on a full or read-only
// disk, a database without a log is opened as immutable, and one with a log from a crash is read into memory.
//
// A database whose first writer was interrupted before its first commit is treated as missing: the error wraps
// os.ErrNotExist.
func OpenReadOnly(ctx context.Context, path string, s Schema) (*DB, error) {
	return openReading(ctx, path, s.Turn, func(db *DB) error {
		err := checkNotEmpty(ctx, db, path)
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

// openReading opens a database read-only and calls first with it; if first fails, it closes the database.
func openReading(ctx context.Context, path string, turn time.Duration, first func(*DB) error) (*DB, error) {
	dir, err := openFolder(path)
	if err != nil {
		return nil, err
	}
	dir.Close()
	if err := checkSize(path); err != nil {
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
	// Opened as immutable, a database with a log would show its content from before the log.
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

// Release closes the idle connections, and frees the memory and locks that they hold.
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

// checkSize returns an error for a file smaller than the smallest page, because SQLite would take it for an empty database
// and overwrite it. It must not open the file, because closing it would release the locks that SQLite holds on it for other
// connections of this process.
func checkSize(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("open %s: it is not a regular file", path)
	}
	_, err = os.Stat(path + "-journal")
	if size := st.Size(); size > 0 && size < 512 && errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %s is not a database", ErrDamaged, path)
	}
	return nil
}

func open(ctx context.Context, path string, s Schema) (*DB, error) {
	if err := checkSize(path); err != nil {
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

// Check runs SQLite's own check of the whole file. It must use a new connection, because FTS5 caches data in an old one, and
// its check would then report changes of other connections as damage.
func (db *DB) Check(ctx context.Context) error {
	fresh := db.DB
	if db.dsn != "" { // a database in memory has only one connection
		var err error
		if fresh, err = sql.Open("sqlite", db.dsn); err != nil {
			return err
		}
		defer fresh.Close()
	}
	return quickCheck(ctx, fresh)
}

// quickCheck returns ErrDamaged where SQLite finds fault with a database.
func quickCheck(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return Classify(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}
