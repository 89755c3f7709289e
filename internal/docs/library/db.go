package library

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed" // schema.sql
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

//go:embed schema.sql
var tables string

// schema is of a file that others read too: the first three tables and their
// columns, in their order, are what such files have been agreed to hold; what is
// ours alone follows.
func schema() store.Schema {
	return store.Schema{Name: "documentation", Keep: true, Steps: []string{tables + index.PartTables}, Layout: "2828c062f7d8ceaf857441afbb65ddf8f389e2a7a01ba329f708e48e4bb504b2"}
}

// A DB is an open file of documentation. It is safe for concurrent use, by
// several processes too.
type DB struct {
	path string
	// now tells the time of an ingest.
	now      func() time.Time
	prepared preparer
	answers  *answers
	heads    *pieces // of a candidate each, see head
	shown    *pieces // of what answers show, see body
	codes    *pieces // of the names in the code of sections, see codes
	gists    *gists  // of candidates that were compared word by word, see worded
	spoken   spoken  // the vectors of words, see worded
	marker   marker

	mu    sync.RWMutex // db is in use; or being changed for another
	db    *store.DB
	index *index.File // in db
	state os.FileInfo // of the file when db was opened
}

// Open opens the file at path for reading and writing, and creates it if there is
// none. Readers go on meanwhile. A file that is no documentation is left as it is.
func Open(ctx context.Context, path string) (*DB, error) { return open(ctx, path, store.Open) }

// OpenReadOnly opens the file at path, which must exist, for reading only. What
// other processes write is seen by the next question, a file put in its place too.
func OpenReadOnly(ctx context.Context, path string) (*DB, error) {
	return open(ctx, path, store.OpenReadOnly)
}

func open(ctx context.Context, path string, with func(context.Context, string, store.Schema) (*store.DB, error)) (*DB, error) {
	d := &DB{path: path, now: time.Now, answers: newAnswers(), heads: newPieces(keepHeads), shown: newPieces(keepShown), codes: newPieces(keepCodes), gists: newGists()}
	db, err := with(ctx, store.Named(path), schema())
	if err == nil {
		if d.state, err = os.Stat(path); err != nil {
			db.Close()
		}
	}
	d.db = db
	switch {
	case err == nil:
		d.index = index.NewFile(db, layout(), false)
		return d, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.NotFound, "no documentation in %s", path).Or("add a library with assay docs ingest")
	case errors.Is(err, store.ErrNewer):
		return nil, fault.New(fault.Unavailable, "%s cannot be used", path).Because(err).Or("use the assay that wrote it, or a newer one")
	case errors.Is(err, store.ErrDamaged):
		return nil, fault.New(fault.Unavailable, "%s cannot be used", path).Because(err).Or("put a copy in its place, or move it away and ingest again")
	}
	return nil, fault.New(fault.Unavailable, "open %s", path).Because(err)
}

// Path returns where the file is.
func (d *DB) Path() string { return d.path }

// Close closes the file. After writing it holds everything: no log lies beside it,
// and it can be copied, or opened on a medium that cannot be written.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.index.Close()
	if d.db.ReadOnly {
		return errors.Join(err, d.db.Close())
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if err := d.db.Settle(ctx); err != nil {
		// A log that stays beside the file holds what was committed; the next use settles it.
		return fault.New(fault.Unavailable, "%s cannot be compacted into one file", d.path).Because(err).Or("check its disk, then list its libraries with docs list")
	}
	return nil
}

// read runs f in a transaction that sees one state of the file.
func (d *DB) read(ctx context.Context, f func(*sql.Tx) error) error {
	return d.follows(ctx, func() error { return d.transact(ctx, f) })
}

// follows runs f while the file stays open that lies there now.
func (d *DB) follows(ctx context.Context, f func() error) error {
	if err := d.follow(ctx); err != nil {
		return err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	err := f()
	// A connection that has read from the log holds the file until it is closed, and
	// would keep the writer from ending with one whole file.
	if d.db.ReadOnly {
		if _, e := os.Lstat(store.Named(d.path) + "-wal"); e == nil {
			d.db.Release()
		}
	}
	if err = store.Classify(err); errors.Is(err, store.ErrDamaged) {
		return fault.New(fault.Unavailable, "read %s", d.path).Because(err)
	}
	return err
}

func (d *DB) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return f(tx)
}

// follow opens the file again where another was put in its place, or where it had
// to be opened as it lay and has changed.
func (d *DB) follow(ctx context.Context) error {
	same := func() bool {
		st, err := os.Stat(d.path)
		if !d.db.ReadOnly || err != nil {
			return true // there is nothing better than what we have
		}
		return store.Same(st, d.state, d.db.Immutable)
	}
	d.mu.RLock()
	ok := same()
	d.mu.RUnlock()
	if ok {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if same() {
		return nil
	}
	n, err := OpenReadOnly(ctx, d.path)
	if err != nil {
		return err
	}
	_ = d.index.Close() // its statements go with the file
	d.db.Close()
	d.db, d.index, d.state, d.answers, d.heads, d.shown, d.codes, d.gists = n.db, n.index, n.state, n.answers, n.heads, n.shown, n.codes, n.gists
	return nil
}

const selectLibrary = `SELECT id, version, title, coalesce(description, ''), source_repo, total_snippets, trust_score, benchmark_score,
	ingested_at, git_ref, git_commit, commit_date, aliases, rules, recipe, pages, tokens, checksum, first_snippet, last_snippet FROM libraries`

// sameID selects the versions of a library. IDs that differ by case only are of one: addresses of repositories are written
// either way. The first SELECT reads the index of IDs alone.
const sameID = " WHERE id IN (SELECT id FROM libraries WHERE id = ? COLLATE NOCASE)"

// A row is a Library and which snippets are its own.
type row struct {
	Library
	first, last int64
}

func scanLibrary(from interface{ Scan(...any) error }) (r row, err error) {
	var ingested, date, aliases, rules string
	err = from.Scan(&r.ID, &r.Version, &r.Title, &r.Description, &r.Source, &r.Snippets, &r.Trust, &r.Benchmark,
		&ingested, &r.Ref, &r.Commit, &date, &aliases, &rules, &r.Recipe, &r.Pages, &r.Tokens, &r.Checksum, &r.first, &r.last)
	if err != nil {
		return r, err
	}
	r.Trust = max(r.Trust, 0)
	r.Ingested, r.Date = readTime(ingested), readTime(date)
	for _, l := range []struct {
		text string
		to   *[]string
	}{{aliases, &r.Aliases}, {rules, &r.Rules}} {
		if err := json.Unmarshal([]byte(l.text), l.to); err != nil {
			return r, fmt.Errorf("%w: a list of %s is none", store.ErrDamaged, r.ID)
		}
	}
	return r, nil
}

const timeForm = "2006-01-02 15:04:05" // as SQLite's datetime

func readTime(s string) time.Time {
	t, err := time.Parse(timeForm, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

func writeTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeForm)
}

// libraries returns the versions that a condition selects, by ID and newest first.
func libraries(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]row, error) {
	return scanLibraries(tx.QueryContext(ctx, selectLibrary+where, args...))
}

func scanLibraries(rows *sql.Rows, err error) ([]row, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []row
	for rows.Next() {
		r, err := scanLibrary(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	sortRows(out)
	return out, rows.Err()
}

// List returns every version of every library, by ID and newest first.
func (d *DB) List(ctx context.Context) (out []Library, err error) {
	err = d.read(ctx, func(tx *sql.Tx) error {
		m, err := newMeaning()
		if err != nil {
			return err
		}
		rows, err := libraries(ctx, tx, "")
		if err != nil {
			return err
		}
		unlike, err := d.index.Unlike(ctx, tx, m.model.Sum)
		for _, r := range rows {
			r.ByWords = unlike[r.first]
			out = append(out, r.Library)
		}
		return err
	})
	return out, err
}

// Source returns what a version was read from: "" where there is no such version.
func (d *DB) Source(ctx context.Context, id, version string) (out string, err error) {
	err = d.read(ctx, func(tx *sql.Tx) error {
		rows, err := libraries(ctx, tx, sameID+" AND version = ?", id, orLatest(version))
		for _, r := range rows {
			out = r.Source
		}
		return err
	})
	return out, err
}

// Pages returns the hash of each page of a version by its path: empty where there
// is no such version.
func (d *DB) Pages(ctx context.Context, id, version string) (map[string]string, error) {
	out := map[string]string{}
	err := d.read(ctx, func(tx *sql.Tx) error {
		var path, hash string
		return store.Each(ctx, tx, []any{&path, &hash}, func() error {
			out[path] = hash
			return nil
		}, `SELECT p.path, p.hash FROM pages p JOIN libraries l ON l.first_snippet = p.library
			WHERE l.id = ? COLLATE NOCASE AND l.version = ?`, id, orLatest(version))
	})
	return out, err
}

// Page returns the snippets of one page of a library in their order, as many as fit into a budget of tokens, and at least one.
func (d *DB) Page(ctx context.Context, id, path string, tokens int) (a DocsAnswer, err error) {
	err = d.ask(ctx, func(of asking) error {
		r, note, err := find(ctx, of, id)
		if err != nil {
			return err
		}
		all, err := snippets(ctx, of.tx, ` JOIN pages ON library = ? AND path = ?
			WHERE id BETWEEN first AND first + pages.snippets - 1 ORDER BY id`, r.first, path)
		if err == nil && len(all) == 0 {
			err = fault.New(fault.NotFound, "%s %s has no page %q", r.ID, r.Version, path).
				Or("give the path of a page below the source of the library, such as guide/routing.md")
		}
		a = DocsAnswer{Library: r.Library, Note: note}
		for i := range all {
			cost := text.Tokens(len(all[i].Text()) + len(Separator))
			if a.More = len(all) - i; i > 0 && a.Tokens+cost > tokens {
				return err
			}
			a.Tokens += cost
			a.Snippets, a.More = append(a.Snippets, all[i]), 0
		}
		return err
	})
	return a, err
}

func orLatest(version string) string {
	return cmp.Or(version, Latest)
}
