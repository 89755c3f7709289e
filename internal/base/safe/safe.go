// Package safe opens, creates, replaces and deletes files below a folder that
// somebody else may have prepared: a cloned tree, an index that came with it, the
// repository's own folder, a vault, an unpacked archive.
//
// Below a Root no component of a path is a link, only regular files are opened, no
// open waits for the other end of a pipe, nothing is replaced or removed but a regular
// file, and a folder of ours is known by a mark that only this user on this machine
// can have made (see Identity).
package safe

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/sorting"
)

var (
	// ErrLink says that a path leads through a symbolic link. Its target must be neither read nor written, because somebody
	// else chose it.
	ErrLink = errors.New("it is a symbolic link, or below one")
	// ErrNotFile says that a folder, a device, a socket or a pipe is where a file is to be.
	ErrNotFile = file.ErrNotFile
	// ErrLinked says that a file which is to be written in place is also a file of another
	// name (a hard link), which may be somebody else's.
	ErrLinked = errors.New("it is a hard link: the file also has another name")
	// ErrTooLarge says that a file is larger than its reader takes.
	ErrTooLarge = file.ErrTooLarge
)

// local returns rel in slashes, or the error of a path that is not below its root.
// "." is the root itself.
func local(op, rel string) (string, error) {
	clean := path.Clean(filepath.ToSlash(rel))
	if rel == "" || !filepath.IsLocal(filepath.FromSlash(clean)) || strings.ContainsRune(clean, 0) {
		return "", &fs.PathError{Op: op, Path: rel, Err: fs.ErrInvalid}
	}
	return clean, nil
}

// checkRegular returns ErrNotFile for anything but a regular file.
func checkRegular(mode fs.FileMode) error {
	switch {
	case mode&fs.ModeSymlink != 0:
		return ErrLink
	case !mode.IsRegular():
		return ErrNotFile
	}
	return nil
}

// Close releases the folder.
func (r *Root) Close() error { return r.dir.Close() }

// Open opens a regular file for reading.
func (r *Root) Open(rel string) (*os.File, error) { return r.open(rel, os.O_RDONLY, 0) }

// Create opens a new file for writing; fs.ErrExist says that something is there.
func (r *Root) Create(rel string, perm fs.FileMode) (*os.File, error) {
	return r.open(rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

// Append opens a regular file for reading and for writing at its end, and makes it
// where there is none.
func (r *Root) Append(rel string, perm fs.FileMode) (*os.File, error) {
	return r.open(rel, os.O_RDWR|os.O_CREATE|os.O_APPEND, perm)
}

// Update opens a regular file for reading and writing, and makes it where there is none.
func (r *Root) Update(rel string, perm fs.FileMode) (*os.File, error) {
	return r.open(rel, os.O_RDWR|os.O_CREATE, perm)
}

// ReadFile returns a regular file of at most limit bytes.
func (r *Root) ReadFile(rel string, limit int64) ([]byte, error) {
	f, err := r.Open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, limit)
}

func readUpTo(f *os.File, limit int64) ([]byte, error) {
	text, err := file.ReadUpTo(f, limit)
	if errors.Is(err, ErrTooLarge) {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// OpenLinked is Open through links that stay below r, for files that a project may
// arrange as it likes and that are only read.
func (r *Root) OpenLinked(rel string) (*os.File, error) {
	if _, err := local("open", rel); err != nil {
		return nil, err
	}
	dir, err := Linked(r.name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := OpenIn(dir, rel)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || st.IsDir() {
		f.Close()
		return nil, fail("open", r.join(rel), errors.Join(err, ErrNotFile))
	}
	return f, nil
}

// OpenIn opens a regular file or a folder below a folder that Linked returned. A pipe or
// a device is ErrNotFile.
func OpenIn(dir *os.Root, rel string) (*os.File, error) {
	f, err := dir.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.IsDir() {
		err = checkRegular(st.Mode())
	}
	if err != nil {
		f.Close()
		return nil, fail("open", filepath.Join(dir.Name(), rel), err)
	}
	return f, nil
}

// Linked opens a folder in which links are allowed if they stay below it, because users may arrange it with links. It only
// opens a folder, because anything else could be a pipe.
func Linked(dir string) (*os.Root, error) {
	st, err := os.Stat(dir)
	if err == nil && !st.IsDir() {
		err = fail("open", dir, ErrNotFolder)
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// OpenFolder opens a folder that the caller names, to be listed.
func OpenFolder(dir string) (*os.File, error) {
	r, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.openList(".")
}

// ReadDir lists a folder that the caller names, in the order of names. It only opens a folder, because anything else could
// be a pipe.
func ReadDir(dir string) ([]fs.DirEntry, error) {
	r, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, err := r.ReadDir(".")
	sorting.Stable(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// OpenNamed opens a file that the user named. It follows links, because the user means their target, and it may open a pipe.
// Opening never waits, so that a pipe without a writer is empty.
func OpenNamed(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a folder")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadNamed returns a file of at most limit bytes that the user named.
func ReadNamed(name string, limit int64) ([]byte, error) {
	f, err := OpenNamed(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, limit)
}

// fail names a path in an error that does not.
func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// join is the path of rel for messages and for those that take none but a path.
func (r *Root) join(rel string) string { return filepath.Join(r.name, filepath.FromSlash(rel)) }

// Name returns the folder's path, as it was given.
func (r *Root) Name() string { return r.name }

// Path returns the path of rel if no component is a link, and rel is a regular file or does not exist. It is only for SQLite,
// which opens files by their path. The check protects against planted links, but not against a program that changes the
// folder after it.
func (r *Root) Path(rel string) (string, error) {
	st, err := r.Lstat(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return r.join(rel), nil
	}
	if err == nil {
		err = checkRegular(st.Mode())
	}
	if err == nil && linked(st) {
		err = ErrLinked
	}
	if err != nil {
		return "", fail("open", r.join(rel), err)
	}
	return r.join(rel), nil
}

// Sub opens a folder below r as a root of its own.
func (r *Root) Sub(rel string) (*Root, error) {
	d, err := r.openDir(rel)
	if err != nil {
		return nil, err
	}
	return &Root{dir: d, name: r.join(rel)}, nil
}

// ReadDir lists a folder, in no order.
func (r *Root) ReadDir(rel string) ([]fs.DirEntry, error) {
	d, err := r.openList(rel)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// A Listed is a name in a folder. Its size and its time, in nanoseconds since 1970, are there
// where they were asked for.
type Listed struct {
	Name  string
	Mode  fs.FileMode
	Size  int64
	Mtime int64
}

// List lists a folder, unordered, with the sizes and times of the files that wants selects. It omits files that disappear
// meanwhile. It describes each file by its name in the open folder, because a vault of many thousand notes is listed before
// each search, and most of the time would go into resolving paths.
func (r *Root) List(rel string, wants func(name string, mode fs.FileMode) bool) ([]Listed, error) {
	d, err := r.openList(rel)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return listed(d, wants)
}

// MkdirAll makes a folder and those above it, up to r.
func (r *Root) MkdirAll(rel string, perm fs.FileMode) error {
	rel, err := local("mkdir", rel)
	if err != nil || rel == "." {
		return err
	}
	for at := 0; at <= len(rel); {
		end := strings.IndexByte(rel[at:], '/')
		if end < 0 {
			end = len(rel) - at
		}
		part := rel[:at+end]
		if err := r.Mkdir(part, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		at += end + 1
	}
	st, err := r.Lstat(rel)
	if err == nil && !st.IsDir() {
		err = fail("mkdir", r.join(rel), ErrNotFolder)
	}
	return err
}

// ErrNotFolder says that something else is where a folder is to be.
var ErrNotFolder = errors.New("it is not a folder")

// Remove removes a regular file or a link, never the target of a link. A folder or a device stays.
func (r *Root) Remove(rel string) error {
	st, err := r.Lstat(rel)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() && st.Mode()&fs.ModeSymlink == 0 {
		return fail("remove", r.join(rel), ErrNotFile)
	}
	return r.unlink(rel)
}

// RemoveIfOld removes files that killed writers left in a folder, if old reports true for their time: regular files with the
// temporary names of Write and Create, and folders with such names that contain only such files and a mark.
func (r *Root) RemoveIfOld(rel string, old func(fs.FileInfo) bool) error {
	entries, err := r.ReadDir(rel)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if !file.IsTemporary(e.Name()) {
			continue
		}
		at := path.Join(rel, e.Name())
		st, err := r.Lstat(at)
		switch {
		case err != nil || !old(st):
		case st.Mode().IsRegular():
			errs = append(errs, r.unlink(at))
		case st.IsDir():
			r.removeUnfinished(at)
		}
	}
	return errors.Join(errs...)
}

// removeUnfinished removes a folder that was to get a mark and then its name.
func (r *Root) removeUnfinished(rel string) {
	list, err := r.ReadDir(rel)
	for _, e := range list {
		if !e.Type().IsRegular() || e.Name() != Mark && !file.IsBesideTemporary(e.Name()) {
			return // somebody else's
		}
	}
	if err != nil {
		return
	}
	for _, e := range list {
		_ = r.unlink(path.Join(rel, e.Name()))
	}
	_ = r.RemoveDir(rel)
}

// Tidy removes the files that killed writers left in a folder. A file that cannot be removed stays for the next time.
func (r *Root) Tidy(rel string) {
	_ = r.RemoveIfOld(rel, func(st fs.FileInfo) bool { return file.Abandoned(st.Name(), st.ModTime(), time.Now()) })
}
