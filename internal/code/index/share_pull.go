package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/store"
)

// ErrNotShared says that nobody has shared an index there, of the format that this program reads.
var ErrNotShared = errors.New("there is no index")

// Pull makes x what was shared, in one commit: before it, what is there answers, and after it what
// was shared. Segments that are here already are not received again. What was in x and not in
// that is forgotten; the caller brings the index up to date with its tree. Where the shared index is
// another than x was, the caller is alone with x: others that have it open find ErrReplaced.
func (x *Index) Pull(ctx context.Context, from Objects, progress func(stage string, done, total int64)) (*Moved, error) {
	m, _, err := readManifest(ctx, from)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("%w of format %d", ErrNotShared, Format)
	}
	w, err := x.Lock(ctx) // nobody removes what no row names yet
	if err != nil {
		return nil, err
	}
	defer w.Close()
	out := &Moved{Epoch: m.Epoch, Segments: len(m.Segments), Bytes: m.total(), FromBefore: m.Made}
	st, err := x.state(ctx, x.db)
	if err != nil {
		return nil, err
	}
	if m.ID == hex.EncodeToString(x.id[:]) && st.Epoch == m.Epoch && m.Nonce == strconv.FormatInt(st.Nonce, 16) {
		out.Same = true
		return out, nil
	}
	p := &puller{x: x, from: from, out: out}
	name := file.TemporaryName()
	defer func() { _ = x.root.Remove(name) }() // the folder is tidied of what is left
	rows, err := x.root.Update(name, 0o600)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	progress("receiving", 0, int64(1+len(m.Segments)))
	if err := p.receive(ctx, m.Rows, rows); err != nil {
		return nil, err
	}
	for i, o := range m.Segments {
		progress("receiving", int64(1+i), int64(1+len(m.Segments)))
		if err := p.segment(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := x.segs.SyncDir("."); err != nil {
		return nil, err
	}
	return out, w.adopt(ctx, m, rows)
}

// A puller receives objects.
type puller struct {
	x    *Index
	from Objects
	out  *Moved
}

// receive writes an object to f, which is empty, and compares its checksum.
func (p *puller) receive(ctx context.Context, o Object, f *os.File) error {
	sum := sha256.New()
	n := &counted{w: io.MultiWriter(f, sum)}
	if _, err := p.from.Get(ctx, o.key(), o.Size, n); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: the object %s that it names is not there", ErrManifest, o.SHA256)
		}
		return err
	}
	if n.n != o.Size || hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
		return fmt.Errorf("%w: the object %s has another content", ErrManifest, o.SHA256)
	}
	p.out.Sent, p.out.SentBytes = p.out.Sent+1, p.out.SentBytes+o.Size
	return nil
}

type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// segment makes sure that a segment is here, under its name and on the disk.
func (p *puller) segment(ctx context.Context, o Object) error {
	f, err := p.x.segs.Open(o.Name)
	if err == nil {
		defer f.Close()
		have, err := summed(ctx, f, o.Name)
		if err == nil && have != o {
			// A row may name it, so that it is not replaced.
			err = fmt.Errorf("%w %s: here it has another content", ErrDamaged, o.Name)
		}
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := file.TemporaryName()
	if b, ok := p.from.(*beside); !ok || p.x.segs.LinkFrom(b.x.segs, o.Name, temp) != nil {
		err = p.copied(ctx, o, temp)
	} else {
		err = nil
	}
	if err == nil {
		err = p.x.segs.Rename(temp, o.Name)
	}
	if err != nil {
		_ = p.x.segs.Remove(temp) // the first error says why
	}
	return err
}

// copied receives a segment under a temporary name.
func (p *puller) copied(ctx context.Context, o Object, temp string) error {
	f, err := p.x.segs.Create(temp, 0o600)
	if err != nil {
		return err
	}
	err = p.receive(ctx, o, f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// adopt makes the rows of a shared index those of x, if they are as they were written and every
// segment that they name is.
func (w *Writer) adopt(ctx context.Context, m *Manifest, rows *os.File) error {
	x := w.x
	var id [16]byte
	if _, err := hex.Decode(id[:], []byte(m.ID)); err != nil {
		return err
	}
	if _, err := rows.Seek(0, io.SeekStart); err != nil {
		return err
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM meta; DELETE FROM seg; DELETE FROM dirs; DELETE FROM contents; DELETE FROM vectors"); err != nil {
		return store.Classify(err)
	}
	if err := readRows(ctx, tx, rows); err != nil {
		return err
	}
	st, have, err := readState(ctx, tx)
	if err != nil || string(have) != string(id[:]) || st.Epoch != m.Epoch || strconv.FormatInt(st.Nonce, 16) != m.Nonce {
		return fmt.Errorf("%w: its rows are of another index", ErrManifest)
	}
	if err := sharable(ctx, tx, st); err != nil {
		return fmt.Errorf("%w: %v", ErrManifest, err) // not as damage of what is here
	}
	if err := x.whole(ctx, tx, m, id); err != nil {
		return fmt.Errorf("%w: %v", ErrManifest, err) // not as damage of what is here
	}
	if err := tx.Commit(); err != nil {
		return store.Classify(err)
	}
	x.mu.Lock()
	x.id, x.cur = id, nil
	x.mu.Unlock()
	x.setMaps(nil)
	return nil
}

// whole returns an error unless the rows name the segments of a manifest, all of them, and those
// are what the rows say.
func (x *Index) whole(ctx context.Context, q store.Querier, m *Manifest, id [16]byte) error {
	rows, err := readSegs(ctx, q)
	if err != nil {
		return err
	}
	named := set.By(m.Segments, func(o *Object) string { return o.Name })
	if len(rows.sound) != len(named) {
		return fmt.Errorf("%d segments, of which %d are listed", len(rows.sound), len(named))
	}
	for _, r := range rows.sound {
		if !named[r.name] {
			return fmt.Errorf("the segment %.80q is not listed", r.name)
		}
		f, err := x.segs.Open(r.name)
		if err != nil {
			return err
		}
		_, err = x.framed(f, r, id)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
