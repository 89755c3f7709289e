package safe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/file"
)

// Replace is file.Write for a file of the user's own place, such as settings, the way to whose
// folder may lead through links. It replaces none itself, and tidies the folder.
func Replace(name string, data []byte, perm fs.FileMode) error {
	if st, err := os.Lstat(name); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return &LinkError{name, linkTarget(name)}
	}
	defer tidyBeside(name)
	return file.Write(name, data, perm)
}

func tidyBeside(name string) {
	if r, err := OpenRoot(filepath.Dir(name)); err == nil {
		r.Tidy(".")
		r.Close()
	}
}

// Write writes data to rel atomically: a reader, or the disk after a power loss, has either the old or the new content. It
// never replaces anything but a regular file. It also tidies the folder.
func (r *Root) Write(rel string, data []byte, perm fs.FileMode) error {
	return r.WriteIf(rel, data, perm, func() error { return nil })
}

// WriteIf is Write where may, which is asked when only the name is still to be given, returns nil; its error
// is returned as it is.
func (r *Root) WriteIf(rel string, data []byte, perm fs.FileMode, may func() error) error {
	st, err := r.Lstat(rel)
	if err == nil {
		err = checkRegular(st.Mode())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail("write", r.join(rel), err)
	}
	tmp, err := r.temporary(rel, data, perm)
	if err == nil {
		if no := may(); no != nil {
			_ = r.unlink(tmp)
			return no
		}
		err = r.Rename(tmp, rel)
	}
	if err != nil {
		_ = r.unlink(tmp) // it may not be there
		return fmt.Errorf("write %s: %w", r.join(rel), file.Bare(err))
	}
	r.Tidy(path.Dir(filepath.ToSlash(rel)))
	return r.SyncDir(path.Dir(filepath.ToSlash(rel)))
}

// WriteLazily is Write without waiting for the disk: after a power loss the file has the old content, the new one or none.
func (r *Root) WriteLazily(rel string, data []byte, perm fs.FileMode) error {
	if _, err := r.Path(rel); err != nil {
		return err
	}
	tmp := path.Join(path.Dir(filepath.ToSlash(rel)), file.TemporaryName())
	f, err := r.Create(tmp, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.Rename(tmp, rel)
	}
	if err != nil {
		_ = r.unlink(tmp) // it may not be there
	}
	return err
}

// WriteNew puts data at rel, which must not exist, and returns when the file and its
// name are on the disk. After an error it is not there, so that who tries again does not
// leave two.
func (r *Root) WriteNew(rel string, data []byte, perm fs.FileMode) error {
	tmp, err := r.temporary(rel, data, perm)
	if err == nil {
		err = r.settle(tmp, rel)
	}
	_ = r.unlink(tmp) // it was linked or renamed, or is of no use
	if err != nil {
		return err
	}
	if err := r.SyncDir(path.Dir(filepath.ToSlash(rel))); err != nil {
		return errors.Join(err, r.unlink(rel))
	}
	return nil
}

// settle gives a temporary file its name, unless that is taken.
func (r *Root) settle(tmp, rel string) error {
	err := r.Link(tmp, rel)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without links: the name is taken first, then replaced.
	f, err := r.Create(rel, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), r.Rename(tmp, rel)); err != nil {
		_ = r.unlink(rel) // the empty one, which would pass for the file
		return err
	}
	return nil
}

// temporary writes and syncs a file beside rel.
func (r *Root) temporary(rel string, data []byte, perm fs.FileMode) (tmp string, err error) {
	tmp = path.Join(path.Dir(filepath.ToSlash(rel)), file.TemporaryName())
	f, err := r.Create(tmp, perm)
	if err != nil {
		return tmp, err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(perm) // whatever the process's mask says
	}
	if err == nil {
		err = file.Settled(f, len(data))
	}
	return tmp, errors.Join(err, f.Close())
}
