package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/store"
)

// A Writer is the one process that may change an index at the moment.
type Writer struct {
	x       *Index
	unlock  func()
	unnamed []string // segments that rows named until this writer committed others
}

// Lock waits until this process is the writer.
func (x *Index) Lock(ctx context.Context) (*Writer, error) {
	return x.writer(func(path string) (func(), error) { return file.Lock(ctx, path) })
}

// TryLock makes this process the writer, or returns file.ErrLocked at once.
func (x *Index) TryLock() (*Writer, error) { return x.writer(file.TryLock) }

func (x *Index) writer(lock func(path string) (func(), error)) (*Writer, error) {
	if x.ReadOnly() {
		return nil, fmt.Errorf("the index in %s is open read-only", x.dir)
	}
	path, err := x.root.Path("lock")
	if err != nil {
		return nil, err
	}
	unlock, err := lock(path)
	if err != nil {
		return nil, err
	}
	return &Writer{x: x, unlock: unlock}, nil
}

// Close lets other processes write.
func (w *Writer) Close() { w.unlock() }

// A Built is a segment that lies on the disk and that no row names yet.
type Built struct {
	name string
	row  segRow
}

// Words returns the number of words in the chunks of b.
func (b *Builder) Words() (n int64) {
	for i := 0; i < len(b.lens); i += 2 {
		n += int64(le.Uint16(b.lens[i:]))
	}
	return n
}

// segment returns what b holds as a segment in memory.
func (b *Builder) segment(id [16]byte) (*Segment, error) {
	var buf bytes.Buffer
	if _, _, err := b.WriteTo(&buf, id); err != nil {
		return nil, err
	}
	return openSegment("", buf.Bytes(), id)
}

func (x *Index) newName(kind string) string {
	var r [12]byte
	rand.Read(r[:])
	return hex.EncodeToString(r[:]) + "." + kind
}

// ourName reports whether a name is of the form that newName makes: nothing else in the
// folder of segments is opened or removed.
func ourName(name string) bool {
	digits, kind, _ := strings.Cut(name, ".")
	if len(digits) != 24 || kind != kindWords && kind != kindVectors {
		return false
	}
	return strings.Trim(digits, "0123456789abcdef") == ""
}

// create writes a segment file under a fresh name and syncs it.
func (x *Index) create(kind string, write func(io.Writer) (int64, uint32, error)) (name string, size int64, sum uint32, err error) {
	name = x.newName(kind)
	f, err := x.segs.Create(name, 0o600)
	if err != nil {
		return "", 0, 0, err
	}
	size, sum, err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = x.segs.Remove(name) // no row names it, and Collect finds it otherwise
		if _, named := errors.AsType[*fs.PathError](err); !named {
			err = fmt.Errorf("write %s: %w", filepath.Join(x.segs.Name(), name), err)
		}
		return "", 0, 0, err
	}
	return name, size, sum, nil
}

// Build writes what b holds to the disk. The caller publishes it.
func (x *Index) Build(b *Builder) (*Built, error) {
	name, size, sum, err := x.create(kindWords, func(w io.Writer) (int64, uint32, error) { return b.WriteTo(w, x.id) })
	if err != nil {
		return nil, err
	}
	return &Built{name, segRow{name: name, kind: kindWords, bytes: size, sum: sum,
		hi: int64(b.nChunks), docs: int64(b.nDocs), words: b.Words()}}, nil
}

// A Batch is one change of an index.
type Batch struct {
	Segments []*Built
	Dead     []uint32       // documents that are gone or replaced
	Dirs     map[string]Dir // the folders whose entries changed; without entries: gone
	Contents []Content
	NextDoc  uint32
	Left     int // files that are to follow in further batches, or are left for another time
}

// A Content is what was made of one text, kept for when the text comes back.
type Content struct {
	Hash   [16]byte
	Chunks []byte // see package engine
}

// Publish commits a batch. Nothing of it is seen before, all of it after.
func (w *Writer) Publish(ctx context.Context, b Batch) error {
	if err := w.keep(b.Segments...); err != nil {
		return err
	}
	return w.commit(ctx, func(tx *sql.Tx, st *State) error {
		for _, s := range b.Segments {
			row := s.row // which may be published again if this fails
			row.lo, row.hi = st.next, st.next+row.hi
			st.next = row.hi
			if err := st.putSeg(ctx, tx, row); err != nil {
				return err
			}
		}
		st.NextDoc, st.Left = max(st.NextDoc, b.NextDoc), int64(b.Left)
		// What was seen of the tree is no part of an answer: cursors stay good.
		st.quiet = len(b.Segments)+len(b.Dead) == 0
		if err := w.bury(ctx, tx, st, b.Dead); err != nil {
			return err
		}
		if err := st.putDirs(ctx, tx, b.Dirs); err != nil {
			return err
		}
		return putContents(ctx, tx, st.Epoch, b.Contents)
	})
}

// keep makes sure that segments about to be named are there for good: under the
// lock nobody collects them, and their names are on the disk.
func (w *Writer) keep(built ...*Built) error {
	if len(built) == 0 {
		return nil
	}
	for _, b := range built {
		if _, err := w.x.segs.Lstat(b.name); err != nil {
			return err
		}
	}
	return w.x.segs.SyncDir(".")
}

// commit runs f in a transaction that ends with a new epoch.
func (w *Writer) commit(ctx context.Context, f func(*sql.Tx, *State) error) error {
	tx, err := w.x.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	st, err := w.x.state(ctx, tx)
	if err != nil {
		return err
	}
	st.Epoch++
	if err := f(tx, &st); err != nil {
		return store.Classify(err)
	}
	if st.quiet {
		st.Epoch--
	} else {
		st.Nonce = nonce()
	}
	if _, err := tx.ExecContext(ctx, "UPDATE meta SET epoch = ?, nonce = ?, embedder = ?, next_doc = ?, next_chunk = ?, seg_sum = ?, dir_sum = ?, files_left = ?, row_sum = ?",
		st.Epoch, st.Nonce, st.Embedder, st.NextDoc, st.next, int64(st.segSum), int64(st.dirSum), st.Left, st.sum(w.x.id[:])); err != nil {
		return store.Classify(err)
	}
	return store.Classify(tx.Commit())
}

// bury sets the dead bits of documents in the rows of their segments.
func (w *Writer) bury(ctx context.Context, tx *sql.Tx, st *State, dead []uint32) error {
	if len(dead) == 0 {
		return nil
	}
	gone := set.Of(dead)
	rows, err := readSegs(ctx, tx)
	if err != nil {
		return err
	}
	for _, r := range rows.sound {
		if r.kind != kindWords {
			continue
		}
		s, err := w.x.mapped(r)
		if err != nil && !lost(err) {
			return err
		}
		if err != nil {
			continue // it holds nothing any more; Repair drops it
		}
		seg := &segment{Segment: s, dead: slices.Clone(r.dead)}
		var changed bool
		if safely(func() { changed = seg.bury(gone) }) != nil {
			s.broken.Store(true)
			continue
		}
		if changed {
			if err := st.bury(ctx, tx, r, seg.dead); err != nil {
				return err
			}
		}
	}
	return nil
}

func putContents(ctx context.Context, tx *sql.Tx, epoch int64, contents []Content) error {
	if len(contents) == 0 {
		return nil
	}
	st, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer st.Close()
	for _, c := range contents {
		if _, err := st.ExecContext(ctx, c.Hash[:], epoch, c.Chunks, contentSum(c.Hash[:], c.Chunks)); err != nil {
			return err
		}
	}
	return nil
}

// Content returns what was kept for a text, or nil.
func (x *Index) Content(ctx context.Context, hash [16]byte) ([]byte, error) {
	if x.db == nil {
		return nil, nil
	}
	var b []byte
	var sum int64
	err := x.db.QueryRowContext(ctx, "SELECT chunks, row_sum FROM contents WHERE hash = ?", hash[:]).Scan(&b, &sum)
	if errors.Is(err, sql.ErrNoRows) || err == nil && sum != contentSum(hash[:], b) {
		return nil, nil
	}
	return b, store.Classify(err)
}

// collectAge is how old a file must be that this writer knows nothing of before it is removed.
const collectAge = time.Minute

// Collect removes the segments that no row names, and what killed writers left; nothing
// else, whatever is in the folders. now is the time. What this writer has merged or cleared
// away goes at once, because else an index would take its room twice until it is next written: a
// reader that has read the rows and not yet the files reads the rows again.
func (w *Writer) Collect(ctx context.Context, now time.Time) error {
	return w.collect(ctx, now, collectAge)
}

// CollectAll is Collect that removes all segments that no row names, however new: while this
// process has the lock nobody else is to name them.
func (w *Writer) CollectAll(ctx context.Context, now time.Time) error {
	return w.collect(ctx, now, 0)
}

func (w *Writer) collect(ctx context.Context, now time.Time, age time.Duration) error {
	// Until the log is in the database, a power loss may bring back the rows of
	// an earlier epoch, which name the files that were merged away since.
	var busy, log, done int
	if err := w.x.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &log, &done); err != nil {
		return store.Classify(err)
	}
	if busy != 0 || log != done {
		return nil
	}
	rows, err := readSegs(ctx, w.x.db)
	if err != nil || len(rows.bad) > 0 { // who knows what those name
		return err
	}
	named := set.By(rows.sound, func(r *segRow) string { return r.name })
	old := func(st fs.FileInfo) bool { return now.Sub(st.ModTime()) >= collectAge }
	for _, r := range []*safe.Root{w.x.root, w.x.segs} {
		if err := r.RemoveIfOld(".", old); err != nil {
			return err
		}
	}
	entries, err := w.x.segs.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !ourName(e.Name()) || named[e.Name()] {
			continue
		}
		ours := age == 0 || slices.Contains(w.unnamed, e.Name())
		if st, err := w.x.segs.Lstat(e.Name()); err == nil && st.Mode().IsRegular() && (ours || old(st)) {
			_ = w.x.segs.Remove(e.Name()) // fails where a process still maps it; next time then
		}
	}
	return nil
}

// Clear forgets everything but the vectors that were paid for.
func (w *Writer) Clear(ctx context.Context) error {
	var cleared []string
	err := w.commit(ctx, func(tx *sql.Tx, st *State) error {
		rows, err := readSegs(ctx, tx)
		if err != nil {
			return err
		}
		for _, r := range rows.sound {
			cleared = append(cleared, r.name)
		}
		st.segSum, st.dirSum = 0, 0
		_, err = tx.ExecContext(ctx, "DELETE FROM seg; DELETE FROM dirs; DELETE FROM contents")
		return err
	})
	if err == nil {
		w.unnamed = append(w.unnamed, cleared...)
	}
	return err
}
