// Package file has atomic writes, locks between processes and read-only memory maps, which the standard library does not have.
package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes data to path atomically: a reader, or the disk after a power loss, has either the old or the new content. The
// folder must exist. If anything but a file is at path, it stays and the error is ErrNotFile.
func Write(path string, data []byte, perm os.FileMode) error {
	if err := Replaceable(path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	tmp := filepath.Join(filepath.Dir(path), TemporaryName())
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = Settled(f, len(data))
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
		return fmt.Errorf("write %s: %w", path, Bare(err))
	}
	return SyncDir(filepath.Dir(path))
}

// Settled syncs a written file to the disk and checks its size. It must be called before the file replaces another, because
// some network and overlay file systems lose written bytes.
func Settled(f *os.File, size int) error {
	if err := f.Sync(); err != nil {
		return err
	}
	st, err := f.Stat()
	if err == nil && st.Size() != int64(size) {
		err = fmt.Errorf("%d of %d bytes were stored", st.Size(), size)
	}
	return err
}

// ErrNotFile says that a folder, a device or a pipe is where a file is to be.
var ErrNotFile = errors.New("it is not a file but a folder, device or pipe")

// Replaceable returns ErrNotFile if path is, or links to, anything but a file, because renaming over /dev/stdout or /dev/null
// would remove it for the whole machine.
func Replaceable(path string) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return ErrNotFile
	}
	return nil
}

// Create puts data at path, which must not exist, and returns when it is on the
// disk. The caller syncs the folder once for all the files it creates there.
func Create(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = Settled(f, len(data))
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path)
		return fmt.Errorf("write %s: %w", path, Bare(err))
	}
	return nil
}

// Bare is an error without the path that it names, for one that names it already or
// means a file that nobody knows of.
func Bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// Until returns a reader of r that fails when ctx ends, because a large file would otherwise be read to its end.
func Until(ctx context.Context, r io.Reader) io.Reader { return until{ctx, r} }

type until struct {
	ctx context.Context
	r   io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
