//go:build !unix

package safe

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Root is an open folder and the tree below it. All paths are slash-separated and relative to it. It is safe for
// concurrent use.
//
// Each component is checked before the path is used. os.Root prevents a program that changes the folder in between from
// leading out of it.
type Root struct {
	dir  dir
	name string
}

type dir interface{ Close() error }

const nonblock = 0

// OpenRoot opens the folder at dir. The way to it is the caller's: links in it are
// followed.
func OpenRoot(dir string) (*Root, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{r, dir}, nil
}

func (r *Root) at() *os.Root { return r.dir.(*os.Root) }

// through returns rel for the system where no folder on the way to it is a link.
func (r *Root) through(op, rel string) (string, error) {
	rel, err := local(op, rel)
	if err != nil {
		return "", err
	}
	for i := range len(rel) {
		if rel[i] != '/' {
			continue
		}
		st, err := r.at().Lstat(filepath.FromSlash(rel[:i]))
		if err == nil && st.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			err = ErrLink
		}
		if err != nil {
			return "", fail(op, r.join(rel), err)
		}
	}
	return filepath.FromSlash(rel), nil
}

func (r *Root) open(rel string, flags int, perm fs.FileMode) (*os.File, error) {
	st, err := r.Lstat(rel)
	if err == nil && flags&os.O_EXCL == 0 {
		if err := checkRegular(st.Mode()); err != nil {
			return nil, fail("open", r.join(rel), err)
		}
	}
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || flags&os.O_CREATE == 0) {
		return nil, fail("open", r.join(rel), err)
	}
	at, err := r.through("open", rel)
	if err != nil {
		return nil, err
	}
	return r.at().OpenFile(at, flags, perm)
}

func (r *Root) openDir(rel string) (dir, error) {
	st, err := r.Lstat(rel)
	switch {
	case err != nil:
		return nil, err
	case st.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, fail("open", r.join(rel), ErrLink)
	case !st.IsDir():
		return nil, fail("open", r.join(rel), ErrNotFolder)
	}
	at, err := r.through("open", rel)
	if err != nil {
		return nil, err
	}
	return r.at().OpenRoot(at)
}

func (r *Root) openList(rel string) (*os.File, error) {
	d, err := r.openDir(rel)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.(*os.Root).Open(".")
}

// listed is List of an open folder.
func listed(d *os.File, wants func(name string, mode fs.FileMode) bool) ([]Listed, error) {
	entries, err := d.ReadDir(-1)
	out := make([]Listed, 0, len(entries))
	for _, e := range entries {
		l := Listed{Name: e.Name(), Mode: e.Type()}
		if wants(l.Name, l.Mode) {
			st, err := e.Info()
			if err != nil {
				continue
			}
			l.Mode, l.Size, l.Mtime = st.Mode(), st.Size(), st.ModTime().UnixNano()
		}
		out = append(out, l)
	}
	return out, err
}

// Lstat describes rel; it does not follow a link.
func (r *Root) Lstat(rel string) (fs.FileInfo, error) {
	at, err := r.through("lstat", rel)
	if err != nil {
		return nil, err
	}
	return r.at().Lstat(at)
}

// Mkdir makes a folder.
func (r *Root) Mkdir(rel string, perm fs.FileMode) error {
	at, err := r.through("mkdir", rel)
	if err != nil {
		return err
	}
	return r.at().Mkdir(at, perm)
}

func (r *Root) unlink(rel string) error {
	at, err := r.through("remove", rel)
	if err != nil {
		return err
	}
	return r.at().Remove(at)
}

// RemoveDir removes an empty folder.
func (r *Root) RemoveDir(rel string) error {
	st, err := r.Lstat(rel)
	if err == nil && !st.IsDir() {
		err = fail("remove", r.join(rel), ErrNotFolder)
	}
	if err != nil {
		return err
	}
	return r.unlink(rel)
}

// SyncDir does nothing: such systems write names with the files.
func (r *Root) SyncDir(string) error { return nil }

// Rename renames a file or a folder, and replaces the one that had the new name.
func (r *Root) Rename(from, to string) error { return r.both("rename", from, to, r.at().Rename) }

// Link gives a file a second name, which must be free.
func (r *Root) Link(from, to string) error { return r.both("link", from, to, r.at().Link) }

// LinkFrom gives a file of another folder a second name here: such systems have no call for
// it that goes through no link, and it is copied.
func (r *Root) LinkFrom(*Root, string, string) error { return errors.ErrUnsupported }

// renameDir gives a folder a name that is free or that of an empty folder; fs.ErrExist
// says that something else has it.
func (r *Root) renameDir(from, to string) error {
	if list, err := r.ReadDir(to); err == nil {
		if len(list) > 0 {
			return fail("rename", r.join(to), fs.ErrExist)
		}
		if err := r.RemoveDir(to); err != nil {
			return err
		}
	}
	return r.Rename(from, to)
}

func (r *Root) both(op, from, to string, call func(from, to string) error) error {
	a, err := r.through(op, from)
	if err != nil {
		return err
	}
	b, err := r.through(op, to)
	if err != nil {
		return err
	}
	return call(a, b)
}

// linked reports whether a file has more names than one, which such systems do not say.
func linked(fs.FileInfo) bool { return false }

// SameOwner reports whether two files that package os describes are of one user, where the system says so.
func SameOwner(fs.FileInfo, fs.FileInfo) bool { return true }
