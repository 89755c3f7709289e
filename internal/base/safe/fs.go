package safe

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// LinkedFS returns the tree below a folder that Linked returned as an fs.FS: regular files and folders, through links that
// stay below it.
func LinkedFS(dir *os.Root) fs.FS { return linkedFS{dir} }

type linkedFS struct{ dir *os.Root }

// Open implements fs.FS.
func (l linkedFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := OpenIn(l.dir, name)
	if err != nil { // and not a nil *os.File
		return nil, err
	}
	return f, nil
}

// Stat implements fs.StatFS.
func (l linkedFS) Stat(name string) (fs.FileInfo, error) { return l.dir.Stat(filepath.FromSlash(name)) }

// FS returns the tree below r as an fs.FS: regular files and folders.
func (r *Root) FS() fs.FS { return below{r} }

type below struct{ r *Root }

// Open implements fs.FS.
func (b below) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	st, err := b.r.Lstat(name)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return b.r.openList(name)
	}
	return b.r.Open(name)
}

// Stat implements fs.StatFS. It follows no link.
func (b below) Stat(name string) (fs.FileInfo, error) { return b.r.Lstat(name) }

// ReadDir implements fs.ReadDirFS.
func (b below) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := b.r.ReadDir(name)
	sorting.Stable(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
