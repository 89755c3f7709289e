package vault

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// An entry is a note as its folder lists it.
type entry struct {
	path  string // below the vault, slash-separated
	size  int64
	mtime int64 // nanoseconds
}

// A listing is the contents of the vault.
type listing struct {
	entries []entry // by path
	unread  []string
	litter  []string // what killed writers left
	links   int      // symbolic links, which are not followed: what they lead to has its own name
	fresh   bool
	now     time.Time
}

// maxDepth keeps a vault that holds itself, by a mount, from being endless.
const maxDepth = 40

// list lists the notes below root: Markdown files, none of them hidden, none in a
// hidden folder. The error says that root itself cannot be read.
func list(root string, now time.Time) (*listing, error) {
	l := &listing{now: now}
	if err := l.dir(root, "", 0); err != nil {
		return nil, err
	}
	slices.SortFunc(l.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	// A file written twice within the clock's grain looks the same both times.
	edge := now.Add(-2 * time.Second).UnixNano()
	for _, e := range l.entries {
		l.fresh = l.fresh || e.mtime > edge
	}
	return l, nil
}

func (l *listing) dir(root, rel string, depth int) error {
	entries, err := entriesOf(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil && (rel == "" || errors.Is(err, fs.ErrNotExist)) {
		if rel == "" {
			return err
		}
		return nil
	}
	if err != nil {
		l.unread = append(l.unread, rel+"/")
	}
	for _, e := range entries {
		name := e.Name()
		below := name
		if rel != "" {
			below = rel + "/" + name
		}
		if strings.HasPrefix(name, file.Temporary) {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && l.now.Sub(info.ModTime()) > time.Hour {
				l.litter = append(l.litter, below)
			}
		}
		if strings.HasPrefix(name, ".") || name == "node_modules" {
			continue
		}
		switch t := e.Type(); {
		case t.IsDir():
			if depth < maxDepth {
				if err := l.dir(root, below, depth+1); err != nil {
					return err
				}
			}
		case t&fs.ModeSymlink != 0:
			l.links++
		case t.IsRegular() && isNote(name):
			info, err := e.Info()
			if err != nil {
				continue // gone since
			}
			l.entries = append(l.entries, entry{below, info.Size(), info.ModTime().UnixNano()})
		}
	}
	return nil
}

// entriesOf lists a folder in no order.
func entriesOf(dir string) ([]fs.DirEntry, error) {
	r, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadDir(".")
}

func isNote(name string) bool {
	ext := path.Ext(name)
	for _, e := range [...]string{".md", ".markdown", ".mdx"} {
		if strings.EqualFold(ext, e) {
			return true
		}
	}
	return false
}

// covers reports whether the listing can tell that a path is gone.
func (l *listing) covers(rel string) bool {
	return !slices.ContainsFunc(l.unread, func(dir string) bool { return strings.HasPrefix(rel, dir) })
}

// digest tells one listing of a vault from another. A listing that may change
// unseen has none.
func (l *listing) digest(root string) string {
	if l.fresh || len(l.unread) > 0 {
		return ""
	}
	h := sha256.New()
	b := append([]byte(root), 0)
	for _, e := range l.entries {
		b = append(append(b, e.path...), 0)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.mtime))
		if len(b) > 1<<15 {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
	return string(hexOf(h.Sum(nil)[:16]))
}

func hexOf(b []byte) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return out
}

var errTooLarge = errors.New("larger than 32 MB")

// readFile reads a file of the vault; nothing that lies elsewhere, whatever links
// and dots say.
func readFile(root *safe.Root, rel string) ([]byte, error) {
	b, err := root.ReadFile(rel, maxNote)
	if errors.Is(err, safe.ErrTooLarge) {
		err = errTooLarge
	}
	return b, err
}
