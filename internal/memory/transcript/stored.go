package transcript

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/assay-dev/assay/internal/base/store" // brings the driver
	"github.com/assay-dev/assay/internal/base/work"
)

// A stored is a SQLite database of an agent, which is read as it is and never written.
type stored struct {
	path   string
	agent  string
	tables []string // it has at least these, and nothing else of these names
}

// A recorder is an agent that keeps its sessions in one database.
type recorder struct {
	stored
	list    func(context.Context, *sql.Tx) (refs []Ref, skipped int, err error)
	session func(ctx context.Context, tx *sql.Tx, id string) (*Session, error) // nil: there is none
}

func (r *recorder) Agent() string { return strings.ToLower(r.agent) }

// Watch returns the database and its log, because between checkpoints only the log changes.
func (r *recorder) Watch() []string {
	if r.path == "" {
		return nil
	}
	return []string{r.path, r.path + "-wal"}
}

func (r *recorder) List(ctx context.Context) (refs []Ref, skipped int, err error) {
	err = r.ask(ctx, func(tx *sql.Tx) (err error) {
		refs, skipped, err = r.list(ctx, tx)
		return err
	})
	if ctx.Err() != nil {
		return nil, skipped, ctx.Err()
	}
	if err != nil {
		work.FromContext(ctx).Note("%s's database cannot be read: %v", r.agent, err)
		return nil, skipped + 1, nil
	}
	newestFirst(refs)
	return refs, skipped, nil
}

func (r *recorder) Read(ctx context.Context, ref Ref) (s *Session, err error) {
	if !valid(ref.ID) {
		return nil, missing(r.Agent(), ref.ID)
	}
	err = r.ask(ctx, func(tx *sql.Tx) error {
		s, err = r.session(ctx, tx, ref.ID)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, unreadable(r.Agent(), ref.ID, err)
	case s == nil:
		return nil, missing(r.Agent(), ref.ID)
	}
	return s, nil
}

var errMoved = errors.New("it changed while it was read")

var errForeign = errors.New("it lacks tables that the agent's database has")

// ask asks the database in one transaction; where there is none, nothing.
func (o *stored) ask(ctx context.Context, ask func(*sql.Tx) error) error {
	if o.path == "" {
		return nil
	}
	// A writer may begin or end, and its log come or go, between two looks at it.
	// Someone who keeps it to himself is not waited for: it is asked again later.
	const tries, patience = 4, 200 * time.Millisecond
	for begun, n := time.Now(), 1; ; n++ {
		err := o.attempt(ctx, ask)
		final := err == nil || ctx.Err() != nil || errors.Is(err, errForeign)
		if final || n == tries || time.Since(begun) > patience {
			return err
		}
		if err := work.Sleep(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

func (o *stored) attempt(ctx context.Context, ask func(*sql.Tx) error) error {
	before, err := os.Stat(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !before.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", o.path)
	}
	if o.hasLog() {
		// SQLite keeps the memory that readers of a log share in a file beside it, and
		// would make it; so it may only be read, as it lies there.
		err := o.open(ctx, "mode=ro&readonly_shm=1", ask)
		if _, e := os.Lstat(o.path + "-shm"); err != nil && errors.Is(e, fs.ErrNotExist) && ctx.Err() == nil {
			// A copy without it has no other way of being read.
			err = o.open(ctx, "mode=ro", ask)
		}
		return err
	}
	// Without a log the file is all there is, and nobody writes to it. Opened as
	// usual it would be given an empty log. What was read counts if it was still so
	// afterwards: to write, a writer makes a log first.
	if err := o.open(ctx, "mode=ro&immutable=1", ask); err != nil {
		return err
	}
	after, err := os.Stat(o.path)
	if err != nil || o.hasLog() || !os.SameFile(before, after) || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return errMoved
	}
	return nil
}

// hasLog reports whether a log lies beside the database, of either kind.
func (o *stored) hasLog() bool {
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(o.path + suffix); err == nil {
			return true
		}
	}
	return false
}

// open opens the database and asks it in one transaction. It is closed again at
// once: a reader that stays keeps the log from being taken in.
func (o *stored) open(ctx context.Context, query string, ask func(*sql.Tx) error) error {
	abs, err := filepath.Abs(o.path)
	if err != nil {
		return err
	}
	if abs = filepath.ToSlash(abs); !strings.HasPrefix(abs, "/") {
		abs = "/" + abs // C:/x becomes file:///C:/x
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: query +
		"&_defensive=1&_dqs=0&_pragma=busy_timeout(100)&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// A view or a virtual table could show what we must not read.
	for _, name := range o.tables {
		is, err := isTable(ctx, tx, name)
		if err != nil {
			return err
		}
		if !is {
			return errForeign
		}
	}
	return ask(tx)
}

// isTable reports whether there is a table of that name, and not a view or a virtual one.
func isTable(ctx context.Context, tx *sql.Tx, name string) (is bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE%'", name).Scan(&is)
	return is, err
}

// has reports whether a table has a column.
func has(ctx context.Context, tx *sql.Tx, table, column string) (is bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", table, column).Scan(&is)
	return is, err
}
