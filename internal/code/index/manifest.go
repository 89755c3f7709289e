package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// A Why says why a file is in the tree and not in the ranking.
type Why uint8

// The reasons, in the order status prints them. They are stored: append only.
const (
	Indexed Why = iota
	Binary
	Oversize
	Minified
	Generated
	Vendored
	Lock
	Data
	Secret
	Unreadable
	Empty
	whys
)

var whyNames = [...]string{"indexed", "binary", "oversize", "minified", "generated", "vendored", "lock", "data", "secret", "unreadable", "empty"}

func (w Why) String() string {
	if w < whys {
		return whyNames[w]
	}
	return "unknown"
}

// ParseWhy returns the reason of that name; Data for one it does not know.
func ParseWhy(name string) Why {
	for i, n := range whyNames {
		if n == name {
			return Why(i)
		}
	}
	return Data
}

// An Entry is what the index remembers of one file of the tree.
type Entry struct {
	Name         string
	Size         int64
	Mtime, Ctime int64
	Inode        uint64
	Doc          uint32 // its document; 0 where it has none
	Why          Why
	Hash         corpus.Hash
}

// A Dir is one folder of the tree as it was last seen.
type Dir struct {
	Seen    int64  // when, in ns
	Entries []byte // see AppendEntry and Each
}

// AppendEntry appends an entry to the packed entries of a folder. Entries come in
// ascending order of names.
func AppendEntry(dst []byte, e *Entry) []byte {
	dst = binary.AppendUvarint(codec.AppendPacked(dst, e.Name), uint64(e.Size))
	dst = le.AppendUint64(dst, uint64(e.Mtime))
	dst = le.AppendUint64(dst, uint64(e.Ctime))
	dst = binary.AppendUvarint(dst, e.Inode)
	dst = binary.AppendUvarint(dst, uint64(e.Doc))
	dst = append(dst, byte(e.Why))
	return append(dst, e.Hash[:]...)
}

// An entryReader reads packed entries one by one.
type entryReader struct{ r codec.PackedReader }

// Read returns a reader over the entries of d.
func (d Dir) Read() entryReader { return entryReader{codec.PackedReader{Rest: d.Entries}} }

// Next reads the next entry into e, whose Name shares no memory; false at the end
// or where the entries are corrupt, which makes the rest of the folder look new.
func (n *entryReader) Next(e *Entry) bool {
	r := &n.r
	if len(r.Rest) == 0 {
		return false
	}
	e.Name, e.Size = r.Str(), int64(r.Uint())
	if times := r.Take(16); times != nil {
		e.Mtime, e.Ctime = int64(le.Uint64(times)), int64(le.Uint64(times[8:]))
	}
	e.Inode, e.Doc, e.Why = r.Uint(), uint32(r.Uint()), Why(r.Byte())
	copy(e.Hash[:], r.Take(len(e.Hash)))
	return !r.Bad
}

// Corrupt reports whether Next ended within an entry, not behind the last one.
func (n *entryReader) Corrupt() bool { return n.r.Bad }

// Manifest returns the folders of the tree as the index last saw them, by path, or
// ErrDamaged: a folder that is missing from them would make its files look new while
// their documents live.
func (x *Index) Manifest(ctx context.Context) (map[string]Dir, error) {
	if x.far != nil {
		_, dirs, err := x.current(ctx)
		return dirs, err
	}
	dirs, _, err := x.manifest(ctx)
	return dirs, err
}

// Current returns the last committed state and the folders of the tree as that state
// has them. Two calls would not do: what is committed between them is in the one and
// not in the other, and a file that the folders have and the state lacks is found by
// nobody.
func (x *Index) Current(ctx context.Context) (*Snapshot, map[string]Dir, error) {
	if x.far != nil {
		return x.current(ctx)
	}
	for {
		p, err := x.Snapshot(ctx)
		if err != nil {
			return nil, nil, err
		}
		dirs, st, err := x.manifest(ctx)
		if err != nil || st.Epoch == p.Epoch && st.Nonce == p.Nonce {
			return p, dirs, err
		}
	}
}

// manifest returns the folders, and the state that they are of.
func (x *Index) manifest(ctx context.Context) (dirs map[string]Dir, st State, err error) {
	dirs = map[string]Dir{}
	if x.db == nil {
		return dirs, st, nil
	}
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, st, store.Classify(err)
	}
	defer tx.Rollback()
	if st, err = x.state(ctx, tx); err != nil {
		return nil, st, err
	}
	rows, err := readDirs(ctx, tx)
	if err != nil {
		return nil, st, err
	}
	if rows.set != st.dirSum || len(rows.bad) > 0 {
		return nil, st, fmt.Errorf("%w: %d rows of folders fail their checksums, or some are missing", ErrDamaged, len(rows.bad))
	}
	for _, r := range rows.sound {
		dirs[r.path] = r.Dir
	}
	return dirs, st, nil
}
