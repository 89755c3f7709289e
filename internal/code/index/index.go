// Package index owns what a corpus is found by: documents, chunks, words, trigrams
// and vectors.
//
// SQLite's commit is the only commit point. A segment exists for readers only if
// a row names it; a named file is never written again. Whatever moment a process
// is killed at, the next one to open the index finds the last committed state
// whole.
package index

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
)

// An Index is an open index. It is safe for concurrent use, by several
// processes too.
type Index struct {
	dir   string
	root  *safe.Root // dir, and the folder of segments in it; nil for one in memory
	segs  *safe.Root
	db    *store.DB // nil for one in memory
	id    [16]byte
	moved string
	other bool

	far Backend // nil: the index is here

	mu   sync.Mutex
	cur  *Snapshot
	seen map[string]Dir // of a shared index: the folders as this machine last saw them

	// A writer in a transaction needs the maps while a reader with mu waits for
	// the database, so they have a lock of their own, held for moments.
	mapsMu sync.Mutex
	maps   map[string]*Segment // by file name, those of cur
}

// ErrReplaced says that the database is not the one that was opened any more:
// another process found it damaged, or somebody deleted the index.
var ErrReplaced = errors.New("the index was rebuilt from scratch: open it again")

// State is what changes with each commit.
type State struct {
	Epoch    int64
	Nonce    int64 // epochs can repeat after a power loss; a nonce does not
	Embedder string
	NextDoc  uint32
	Left     int64 // files that the tree had and the index had not when it was written
	next     int64 // chunk
	segSum   setSum
	dirSum   setSum
	quiet    bool // of a commit: it changes no answer
}

// Open opens the index in dir, creating it if it is not there. With readOnly
// nothing is created or written, and os.ErrNotExist says that there is none.
func Open(ctx context.Context, dir string, readOnly bool) (*Index, error) {
	x := &Index{dir: dir, maps: map[string]*Segment{}}
	open := store.Open
	if readOnly {
		open = store.OpenReadOnly
	}
	if err := x.folders(readOnly); err != nil {
		x.leave()
		return nil, err
	}
	s := schema()
	s.Ready = x.identify
	db, err := open(ctx, filepath.Join(dir, database), s)
	if err != nil {
		x.leave()
		return nil, err
	}
	x.db, x.moved, x.other = db, db.Moved, db.Other
	return x, nil
}

const database = "index.db"

// Rescue looks through the database of the closed index in dir and moves it aside
// if it is damaged; the next Open begins a new index. It is for damage that Open
// did not see.
func Rescue(ctx context.Context, dir string) (moved string, err error) {
	return store.Rescue(ctx, filepath.Join(dir, database), schema())
}

// In reports whether an index is in a folder, or something that has its names.
func In(dir *safe.Root) bool {
	for _, name := range append(store.Files(database), "seg", "lock", sightFile, historyFile, safe.Mark) {
		if _, err := dir.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// Delete removes the index in dir: the files that this package puts there and, once they
// are empty, its folders. What else is there stays, and is the error.
func Delete(dir string) error {
	x := &Index{dir: dir}
	err := x.folders(true)
	defer x.leave()
	if errors.Is(err, fs.ErrNotExist) && x.root == nil {
		return nil
	}
	var errs []error
	if x.segs != nil {
		list, err := x.segs.ReadDir(".")
		errs = append(errs, err)
		for _, e := range list {
			if ourName(e.Name()) || strings.HasPrefix(e.Name(), file.Temporary) {
				errs = append(errs, x.segs.Remove(e.Name()))
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range append(store.Files(database), "lock", sightFile, historyFile, ".gitignore", safe.Mark) {
		if err := x.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if x.segs != nil {
		errs = append(errs, x.root.RemoveDir("seg"))
	}
	up, err := safe.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	defer up.Close()
	return errors.Join(append(errs, up.RemoveDir(filepath.Base(dir)))...)
}

// Memory returns an empty index that nothing can be written to: what a View lays
// over it is all it ever holds.
func Memory(id [16]byte) *Index {
	return &Index{id: id, maps: map[string]*Segment{}}
}

// folders opens the index's folders, through no link, and unless readOnly makes them
// and has git ignore them.
func (x *Index) folders(readOnly bool) (err error) {
	if !readOnly {
		if err := os.MkdirAll(x.dir, 0o700); err != nil {
			return err
		}
	}
	if x.root, err = safe.OpenRoot(x.dir); err != nil {
		return err
	}
	if !readOnly {
		if err := x.root.MkdirAll("seg", 0o700); err != nil {
			return err
		}
		if _, err := x.root.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) {
			if err := x.root.Write(".gitignore", []byte("*\n"), 0o600); err != nil {
				return err
			}
		}
	}
	x.segs, err = x.root.Sub("seg")
	return err
}

// leave closes the folders.
func (x *Index) leave() {
	for _, r := range []*safe.Root{x.root, x.segs} {
		if r != nil {
			r.Close()
		}
	}
}

// identify reads the index's id, or gives a new index one.
func (x *Index) identify(ctx context.Context, db *store.DB) error {
	const query = "SELECT id, format FROM meta"
	var id []byte
	var have int
	err := db.QueryRowContext(ctx, query).Scan(&id, &have)
	if errors.Is(err, sql.ErrNoRows) {
		if db.ReadOnly {
			return fmt.Errorf("an index that was never finished: %w", fs.ErrNotExist)
		}
		rand.Read(x.id[:])
		st := State{Nonce: nonce(), NextDoc: 1, Left: 1, next: 1} // nobody has looked at the tree yet
		if _, err = db.ExecContext(ctx, "INSERT OR IGNORE INTO meta VALUES (1, ?, ?, '', 0, ?, 1, 1, 0, 0, ?, 1)", x.id[:], Format, st.Nonce, st.sum(x.id[:])); err != nil {
			return store.Classify(err)
		}
		err = db.QueryRowContext(ctx, query).Scan(&id, &have)
	}
	if err != nil {
		return store.Classify(err)
	}
	if have != Format {
		return fmt.Errorf("%w: an index of format %d, this program reads %d", store.ErrOther, have, Format)
	}
	if len(id) != len(x.id) {
		return fmt.Errorf("%w: an id of %d bytes", store.ErrDamaged, len(id))
	}
	copy(x.id[:], id)
	return fault.Only(x.state(ctx, db))
}

func nonce() int64 {
	var b [8]byte
	rand.Read(b[:])
	return int64(le.Uint64(b[:]) >> 1)
}

// ID identifies the index: 16 random bytes given when it was created.
func (x *Index) ID() [16]byte { return x.id }

// Moved returns where a predecessor was put that could not be used, or "".
func (x *Index) Moved() string { return x.moved }

// Other reports whether that one was not damaged but of another version.
func (x *Index) Other() bool { return x.other }

// ReadOnly reports whether the index was opened for reading only.
func (x *Index) ReadOnly() bool { return x.db == nil || x.db.ReadOnly }

// Stored reports whether there is an index that outlives the process.
func (x *Index) Stored() bool { return x.db != nil || x.far != nil }

// Close closes the index. Snapshots that are in use stay usable.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cur = nil
	x.setMaps(nil)
	if x.far != nil {
		x.far.Close()
	}
	if x.db == nil {
		return nil
	}
	x.leave()
	return x.db.Close()
}

// state reads the state, and makes sure that it is of this index: a connection
// made after another process replaced the file leads into another one.
func (x *Index) state(ctx context.Context, q store.Querier) (s State, err error) {
	s, id, err := readState(ctx, q)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !bytes.Equal(id, x.id[:]) {
		err = ErrReplaced
	}
	return s, err
}

func readState(ctx context.Context, q store.Querier) (s State, id []byte, err error) {
	var segs, dirs, sum int64
	err = q.QueryRowContext(ctx, "SELECT id, epoch, nonce, embedder, next_doc, next_chunk, seg_sum, dir_sum, files_left, row_sum FROM meta").
		Scan(&id, &s.Epoch, &s.Nonce, &s.Embedder, &s.NextDoc, &s.next, &segs, &dirs, &s.Left, &sum)
	if err != nil {
		return s, nil, store.Classify(err)
	}
	s.segSum, s.dirSum = setSum(segs), setSum(dirs)
	if s.sum(id) != sum {
		return s, nil, fmt.Errorf("%w: its state fails its checksum", store.ErrDamaged)
	}
	return s, id, nil
}

// Snapshot returns the last committed state. It reads one row if nothing was
// committed since the last call.
func (x *Index) Snapshot(ctx context.Context) (*Snapshot, error) {
	if x.far != nil {
		return x.far.Current(ctx)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db == nil {
		return &Snapshot{id: x.id, State: State{NextDoc: 1, next: 1}}, nil
	}
	if x.cur != nil {
		st, err := x.state(ctx, x.db)
		if err != nil {
			return nil, err
		}
		if st.Epoch == x.cur.Epoch && st.Nonce == x.cur.Nonce {
			return x.cur, nil
		}
	}
	p, err := x.load(ctx)
	// A file can vanish between the row and the map when another process merges;
	// the rows read next do not name it. If they are the same rows it is damage.
	for range 20 {
		if err != nil {
			return nil, err
		}
		if len(p.damaged) == 0 {
			break
		}
		before := p.State
		if p, err = x.load(ctx); err == nil && p.State == before {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	x.cur = p
	keep := map[string]*Segment{}
	for _, s := range p.segs {
		keep[s.Name] = s.Segment
	}
	for _, v := range p.vecs {
		if v != nil {
			keep[v.Name] = v.Segment
		}
	}
	x.setMaps(keep)
	return p, nil
}

func (x *Index) load(ctx context.Context) (*Snapshot, error) {
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, store.Classify(err)
	}
	defer tx.Rollback()
	p := &Snapshot{id: x.id}
	if p.State, err = x.state(ctx, tx); err != nil {
		return nil, err
	}
	rows, err := readSegs(ctx, tx)
	if err != nil {
		return nil, err
	}
	return p, x.assemble(p, rows)
}

func (x *Index) assemble(p *Snapshot, rows tableRows[segRow]) error {
	p.damaged = rows.bad
	if rows.set != p.segSum && len(rows.bad) == 0 {
		p.damaged = append(p.damaged, "a row of the segments is missing or not ours")
	}
	for _, r := range rows.sound {
		if r.kind != kindWords {
			continue
		}
		s, err := x.mapped(r)
		if err != nil && !lost(err) {
			return err
		}
		if err != nil || !r.fits(s) {
			p.damaged = append(p.damaged, r.name)
			continue
		}
		seg := &segment{Segment: s, dead: r.dead, lo: r.lo, total: r.words}
		_ = safely(seg.mourn) // what ails it is noted in it
		p.add(seg)
	}
	x.loadVectors(p, rows.sound)
	return nil
}

// fits reports whether a row says of a segment what that says of itself.
func (r *segRow) fits(s *Segment) bool {
	return r.docs == int64(s.Docs) && r.hi-r.lo == int64(s.Chunks) && r.lo > 0 && r.dead.last() < int(s.Docs)
}

// lost reports whether an error of mapped says that the segment is gone for good,
// not that this process or the machine is short of something.
func lost(err error) bool {
	passing := []error{fs.ErrPermission, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM}
	return !slices.ContainsFunc(passing, func(cause error) bool { return errors.Is(err, cause) })
}

// unread says what to do where a segment is there and cannot be read.
func (x *Index) unread(err error) error {
	if lost(err) {
		return err
	}
	return fault.New(fault.Unavailable, "the index in %s cannot be read", x.dir).Because(err).
		Or("check who may read that folder and how many files a program may open; what is deleted there is rebuilt")
}

// mapped returns the open segment of a row, opening it if it is not.
func (x *Index) mapped(r segRow) (*Segment, error) {
	x.mapsMu.Lock()
	s := x.maps[r.name]
	x.mapsMu.Unlock()
	if s != nil && s.size == r.bytes && s.sum == r.sum {
		return s, nil
	}
	if !ourName(r.name) {
		return nil, fmt.Errorf("%w: named %q", ErrDamaged, r.name)
	}
	f, err := x.segs.Open(r.name)
	if err != nil {
		return nil, x.unread(err)
	}
	data, unmap, err := file.MapFile(f)
	f.Close()
	if err != nil {
		return nil, x.unread(err)
	}
	var openErr error
	err = cmp.Or(safely(func() { s, openErr = openSegment(r.name, data, x.id) }), openErr)
	if err == nil && (s.size != r.bytes || s.sum != r.sum) {
		err = fmt.Errorf("%w %s: not the one that was committed", ErrDamaged, r.name)
	}
	if err != nil {
		unmap()
		return nil, err
	}
	// Queries keep their snapshot alive, so the map goes when no query needs it.
	runtime.AddCleanup(s, func(unmap func()) { unmap() }, unmap)
	x.mapsMu.Lock()
	x.maps[r.name] = s
	x.mapsMu.Unlock()
	return s, nil
}

func (x *Index) setMaps(maps map[string]*Segment) {
	if maps == nil {
		maps = map[string]*Segment{}
	}
	x.mapsMu.Lock()
	x.maps = maps
	x.mapsMu.Unlock()
}

// A segRow is a row of the table seg.
type segRow struct {
	name, kind, of string
	bytes          int64
	sum            uint32
	lo, hi         int64 // chunk ids
	docs           int64
	words          int64
	dead           bitmap // by document number
}

const (
	kindWords   = "bm"
	kindVectors = "vec"
)

func decodeBits(b []byte) bitmap {
	var out bitmap
	for ; len(b) >= 8; b = b[8:] {
		out = append(out, le.Uint64(b))
	}
	return out
}

func encodeBits(b bitmap) []byte {
	out := make([]byte, 0, 8*len(b))
	for _, w := range b {
		out = le.AppendUint64(out, w)
	}
	return out
}

// Reset moves the database aside if it is damaged, and begins an empty one. It is
// for a database that opens and turns out to be damaged later.
func (x *Index) Reset(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.db.Close()
	x.cur, x.maps = nil, map[string]*Segment{}
	moved, err := Rescue(ctx, x.dir)
	if err != nil {
		return err
	}
	fresh, err := Open(ctx, x.dir, false)
	if err != nil {
		return err
	}
	x.leave()
	x.root, x.segs = fresh.root, fresh.segs
	x.db, x.id, x.moved, x.other = fresh.db, fresh.id, moved, false
	return nil
}
