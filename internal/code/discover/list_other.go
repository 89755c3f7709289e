// The tag makes this half testable where the other is used.
//go:build portable || !linux || !(amd64 || arm64)

package discover

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A lister reads folders below its root.
type lister struct {
	root    string
	dir     string
	raw     []byte // the names
	entries []entry
}

func newLister(root string) (*lister, error) { return &lister{root: root}, nil }

func (l *lister) end()   {}
func (l *lister) close() {}

// read lists the folder at path, below root.
func (l *lister) read(path string) error {
	l.raw, l.entries = l.raw[:0], l.entries[:0]
	l.dir = filepath.Join(l.root, filepath.FromSlash(path))
	if path != "" {
		st, err := os.Lstat(l.dir)
		if err != nil {
			return err
		}
		if !st.IsDir() { // it was one a moment ago
			return &fs.PathError{Op: "read", Path: l.dir, Err: fs.ErrNotExist}
		}
	}
	found, err := os.ReadDir(l.dir)
	for _, d := range found {
		l.entries = append(l.entries, entry{at: len(l.raw), len: len(d.Name()), kind: kindOf(d.Type())})
		l.raw = append(l.raw, d.Name()...)
	}
	if len(found) > 0 {
		return nil
	}
	return err
}

func (l *lister) name(e entry) []byte { return l.raw[e.at : e.at+e.len] }

// stat completes f and returns what the entry is now.
func (l *lister) stat(e entry, f *File) (uint8, error) {
	st, err := os.Lstat(filepath.Join(l.dir, string(l.name(e))))
	if err != nil {
		return kindUnknown, err
	}
	f.Size, f.Mtime = st.Size(), st.ModTime().UnixNano()
	f.Ctime, f.Inode = identity(st)
	return kindOf(st.Mode()), nil
}

// text reads an ignore file of the folder.
func (l *lister) text(e entry) ([]byte, error) {
	return readRules(filepath.Join(l.dir, string(l.name(e))))
}
