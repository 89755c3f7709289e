package vault

import (
	"context"
	"database/sql"
	_ "embed" // schema.sql
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/index"
)

//go:embed schema.sql
var schemaSQL string

// schema is of a file that can be thrown away: all that is in it is made of the
// vault and of the agents' transcripts.
//
// Chunks are found by package index, which has tables of its own in it; before it did,
// FTS5 found them. What the agents' transcripts and a provider over a network gave is
// kept, the rest is indexed again; table files stays until then, so that what is stored
// meanwhile is compared with what there was.
func schema() store.Schema {
	steps := store.Steps(schemaSQL)
	steps[1] += index.PartTables + index.EditTables
	return store.Schema{Name: "memory", Steps: steps, Sound: index.Sound, Layout: "020540ab7e05e6f880dc94f763f2337b9990267918f77f195c9813ba03a9baac"}
}

// forgetText has every file read again.
const forgetText = `
UPDATE files SET size = -1, mtime = 0, stamp = '', hash = x'';
DELETE FROM chunks;
DELETE FROM meta WHERE key IN ('notes', 'sessions', 'chunks', 'embedded');`

// The kinds of text, which are the parts of the index.
const (
	notes    = 0
	sessions = 1
)

// A handle is the database as it was opened, and what is known of it.
type handle struct {
	*store.DB
	index  *index.File
	memory bool        // the database is in memory
	state  os.FileInfo // of the file; nil where there is none
	opened time.Time
	why    string // the database cannot be written
}

// Close closes the database. That it fails is no matter: what was committed is there.
func (h *handle) Close() {
	_ = h.index.Close()
	_ = h.DB.Close()
}

// patient is how long a database that cannot be written, or is not on the disk, is
// used before the next attempt to open it as it should be.
const patient = 30 * time.Second

// current reports whether the handle is the best that can be had of the file at path.
func (h *handle) current(path string, now time.Time) bool {
	if h.why != "" && now.Sub(h.opened) >= patient {
		return false
	}
	st, err := os.Stat(path)
	if h.state == nil {
		return err != nil || st.Size() == 0
	}
	return err == nil && store.Same(st, h.state, h.Immutable || h.memory)
}

// A pool lends the database, and opens it again where its file was removed.
type pool struct {
	path string
	now  func() time.Time
	turn time.Duration // see store.Schema

	mu    sync.Mutex
	h     *handle
	uses  int
	old   []*handle // closed when nobody uses one
	aside string    // where a damaged database was put, until somebody is told
	gone  bool
}

// take returns the open database. give ends its use.
func (p *pool) take(ctx context.Context) (*handle, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return nil, errClosed
	}
	if p.h != nil {
		if p.h.current(p.path, p.now()) {
			p.uses++
			return p.h, nil
		}
		// It was deleted, or moved aside by another process, or can be written again.
		p.old, p.h = append(p.old, p.h), nil
	}
	h, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	p.h = h
	p.uses++
	return h, nil
}

var errClosed = errors.New("memory is closed")

func (p *pool) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uses--
	p.reap()
}

func (p *pool) reap() {
	if p.uses > 0 {
		return
	}
	for _, h := range p.old {
		h.Close()
	}
	p.old = nil
	if p.gone && p.h != nil {
		p.h.Close()
		p.h = nil
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	p.reap()
}

func (p *pool) open(ctx context.Context) (*handle, error) {
	h := &handle{opened: p.now()}
	db, err := p.writable(ctx)
	if err != nil {
		h.why = err.Error()
		var e error
		if db, e = store.OpenReadOnly(ctx, store.Named(p.path), p.schema()); e != nil {
			// Without an index that this program reads and room for one, what is small enough is
			// indexed here.
			st, absent := os.Stat(p.path)
			if absent == nil && st.Size() > 0 {
				if !errors.Is(e, store.ErrOther) {
					return nil, err
				}
				h.state = st
			}
			if !store.Unwritable(err) {
				return nil, err
			}
			if db, e = store.OpenMemory(ctx, p.schema()); e != nil {
				return nil, err
			}
			h.memory = true
		}
	}
	h.DB, h.index = db, index.NewFile(db, layout(), true)
	if h.memory {
		return h, nil
	}
	private(p.path)
	if db.Moved != "" {
		p.aside = p.keep(db.Moved, db.Other)
	}
	if h.state, err = os.Stat(p.path); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (p *pool) schema() store.Schema {
	s := schema()
	s.Turn = p.turn
	return s
}

func (p *pool) writable(ctx context.Context) (*store.DB, error) {
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	s, path := p.schema(), store.Named(p.path)
	// What a link of the user's leads to is not ours to move aside, whatever it is.
	s.Keep = path != filepath.Clean(p.path)
	return store.Open(ctx, path, s)
}

// private keeps others of the machine from reading what agents keep from them. It does
// what it can: the file may be somebody else's.
func private(path string) {
	for _, suffix := range [...]string{"", "-wal", "-shm"} {
		if st, err := os.Stat(path + suffix); err == nil && st.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(path+suffix, st.Mode().Perm()&0o700)
		}
	}
}

// What a database that was moved aside is called, by why: ofAnother is sound, and of another
// version of the program, as after an upgrade that was taken back.
const (
	ofDamaged = ".corrupt-"
	ofAnother = ".other-"
)

// OfAnother reports whether what was moved to a place was made by another version of the
// program, and not damaged.
func OfAnother(moved string) bool { return strings.Contains(filepath.Base(moved), ofAnother) }

// keep gives a database that was moved aside the name under which it stays: the next one
// must not replace it.
func (p *pool) keep(moved string, other bool) string {
	ending := ofDamaged
	if other {
		ending = ofAnother
	}
	name := p.path + ending + p.now().UTC().Format("20060102T150405Z")
	if err := os.Rename(moved, name); err != nil {
		return moved
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		_ = os.Rename(moved+suffix, name+suffix) // mostly there is none
	}
	_ = p.collect(keptAside) // next time, then
	return name
}

// keptAside is how many databases that were moved aside stay: all that is in them is made of the notes
// and the sessions.
const keptAside = 3

// collect removes the oldest of the databases that were moved aside, but the newest few.
func (p *pool) collect(keep int) error {
	dir, base := filepath.Split(p.path)
	root, err := safe.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := root.ReadDir(".")
	if err != nil {
		return err
	}
	var aside []string
	for _, e := range entries {
		for _, ending := range [...]string{ofDamaged, ofAnother} {
			if stamp, ok := strings.CutPrefix(e.Name(), base+ending); ok && e.Type().IsRegular() && len(stamp) == len("20060102T150405Z") {
				aside = append(aside, e.Name())
			}
		}
	}
	sorting.Stable(aside, func(a, b string) int { // by their times
		return strings.Compare(a[strings.LastIndexByte(a, '-'):], b[strings.LastIndexByte(b, '-'):])
	})
	var errs []error
	for _, old := range aside[:max(0, len(aside)-keep)] {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			if err := root.Remove(old + suffix); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// heal looks through a database whose use failed and moves it aside if it is
// damaged. It reports whether it was, and where it was put.
func (p *pool) heal(ctx context.Context) (moved string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.h != nil {
		p.old, p.h = append(p.old, p.h), nil
		p.reap()
	}
	if moved, err = store.Rescue(ctx, store.Named(p.path), p.schema()); moved != "" {
		moved = p.keep(moved, false)
		p.aside = moved
	}
	return moved, err
}

// told returns where a damaged database was put, once.
func (p *pool) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	aside := p.aside
	p.aside = ""
	return aside
}

// damaged reports whether an error says that the database is at fault.
func damaged(err error) bool {
	return err != nil && errors.Is(store.Classify(err), store.ErrDamaged)
}

// read runs f in a transaction that sees one state of the database.
func (h *handle) read(ctx context.Context, f func(*sql.Tx) error) error {
	if err := h.index.Prepare(ctx); err != nil {
		return store.Classify(err)
	}
	tx, err := h.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	return store.Classify(f(tx))
}

// readIndex runs f in a transaction that sees one state of the index.
func (m *Memory) readIndex(ctx context.Context, f func(*sql.Tx) error) error {
	return m.with(ctx, func(h *handle) error { return h.read(ctx, f) })
}

// errReadOnly says that the index cannot be written, which keeps nobody from
// reading it.
var errReadOnly = errors.New("the index is read-only")

// write runs f in a transaction that nobody else writes beside; it gets the number
// of the state that it makes.
func (h *handle) write(ctx context.Context, f func(tx *sql.Tx, epoch int64) error) error {
	if h.ReadOnly {
		return errReadOnly
	}
	return h.Write(ctx, func(tx *sql.Tx) error {
		epoch, err := add(ctx, tx, "epoch", 1)
		if err != nil {
			return err
		}
		return f(tx, epoch)
	})
}

// meta returns a value of table meta, "" where there is none.
func meta(ctx context.Context, q store.Querier, key string) (value string, err error) {
	err = q.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value)
	return err
}

// add adds n to a number of table meta and returns the sum.
func add(ctx context.Context, tx *sql.Tx, key string, n int64) (sum int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + ? RETURNING CAST(value AS INTEGER)`,
		key, fmt.Sprint(n), n).Scan(&sum)
	return sum, err
}
