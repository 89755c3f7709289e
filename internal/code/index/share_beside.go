package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
)

// errBeside is of writing to an index that is only read.
var errBeside = errors.New("an index that is taken over is not written")

// A beside is the last committed state of an index on the same machine, as objects to be pulled.
type beside struct {
	x        *Index
	e        *export
	manifest []byte
}

// Beside makes x what the index in another folder is, as Pull does. Segments are given a second
// name where both are on one file system, since they are written once: they take room once, for
// as many trees as have them. Nothing is written to the other folder.
func (x *Index) Beside(ctx context.Context, dir string, progress func(stage string, done, total int64)) (*Moved, error) {
	other, err := Open(ctx, dir, true)
	if err != nil {
		return nil, err
	}
	defer func() { _ = other.Close() }() // it was read
	e, err := other.export(ctx, x.root)
	if err != nil {
		return nil, err
	}
	defer e.close()
	b := &beside{x: other, e: e}
	if b.manifest, err = json.Marshal(e.manifest); err != nil {
		return nil, err
	}
	return x.Pull(ctx, b, progress)
}

// Get is Objects'.
func (b *beside) Get(_ context.Context, key string, limit int64, w io.Writer) (string, error) {
	var body io.Reader = bytes.NewReader(b.manifest)
	if key != manifestKey() {
		body = nil
		for i, o := range append([]Object{b.e.manifest.Rows}, b.e.manifest.Segments...) {
			if o.key() == key && o.Size <= limit {
				body = io.NewSectionReader(b.e.files[i], 0, o.Size)
			}
		}
		if body == nil {
			return "", fs.ErrNotExist
		}
	}
	_, err := io.Copy(w, body)
	return "", err
}

// Has is Objects'.
func (b *beside) Has(context.Context, string, int64) (bool, error) { return false, errBeside }

// Put is Objects'.
func (b *beside) Put(context.Context, string, io.ReaderAt, int64, [32]byte) error { return errBeside }

// Replace is Objects'.
func (b *beside) Replace(context.Context, string, []byte, [32]byte, string, bool) (bool, error) {
	return false, errBeside
}
