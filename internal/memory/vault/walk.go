package vault

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
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
	linked  []string // symbolic links, which are not followed: what they lead to has its own name
	fresh   bool
}

// maxDepth keeps a vault that holds itself, by a mount, from being endless.
const maxDepth = 40

// list lists the notes below root: Markdown files and canvases, none of them hidden, none in a
// hidden folder. The error says that root itself cannot be read.
func list(root string, now time.Time) (*listing, error) {
	r, err := safe.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	l := &listing{}
	level := []string{""}
	for depth := 0; len(level) > 0 && depth <= maxDepth; depth++ {
		// The folders of a level are listed at once: most of a search over many notes is this.
		parts := make([]folder, len(level))
		work.Each(context.Background(), len(level), 1, func() func(int) {
			return func(i int) { parts[i].list(r, level[i], now) }
		})
		level = nil
		more := 0
		for i := range parts {
			more += len(parts[i].entries)
		}
		l.entries = slices.Grow(l.entries, more)
		for i := range parts {
			if parts[i].err != nil {
				return nil, parts[i].err
			}
			l.entries = append(l.entries, parts[i].entries...)
			l.unread = append(l.unread, parts[i].unread...)
			l.litter = append(l.litter, parts[i].litter...)
			l.linked = append(l.linked, parts[i].linked...)
			level = append(level, parts[i].below...)
		}
		slices.Sort(level)
	}
	// Mostly they are in order by now.
	sorting.Stable(l.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	// A file written twice within the clock's grain looks the same both times.
	edge := now.Add(-2 * time.Second).UnixNano()
	for _, e := range l.entries {
		l.fresh = l.fresh || e.mtime > edge
	}
	return l, nil
}

// A folder is what one folder has, and the folders below it.
type folder struct {
	listing
	below []string
	err   error
}

func (l *folder) list(root *safe.Root, rel string, now time.Time) {
	found, err := root.List(cmp.Or(rel, "."), func(name string, mode fs.FileMode) bool {
		return mode.IsRegular() && (strings.HasPrefix(name, file.Temporary) || !skipped(name) && isNote(name))
	})
	switch {
	case err == nil:
	case rel == "":
		l.err = err
	case !errors.Is(err, fs.ErrNotExist): // else it is gone since
		l.unread = append(l.unread, rel+"/")
	}
	sorting.Stable(found, func(a, b safe.Listed) int { return strings.Compare(a.Name, b.Name) })
	l.entries = make([]entry, 0, len(found))
	for _, e := range found {
		below := e.Name
		if rel != "" {
			below = rel + "/" + e.Name
		}
		switch {
		case e.Mode.IsRegular() && strings.HasPrefix(e.Name, file.Temporary):
			if file.Abandoned(e.Name, time.Unix(0, e.Mtime), now) {
				l.litter = append(l.litter, below)
			}
		case skipped(e.Name):
		case e.Mode.IsDir():
			l.below = append(l.below, below)
		case e.Mode&fs.ModeSymlink != 0:
			l.linked = append(l.linked, below)
		case e.Mode.IsRegular() && isNote(e.Name):
			l.entries = append(l.entries, entry{below, e.Size, e.Mtime})
		}
	}
}

// skipped reports whether a name is of a file or folder that is nobody's note: hidden, or the lock of an editor.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || name == "node_modules"
}

func isNote(name string) bool {
	ext := path.Ext(name)
	return slices.ContainsFunc([]string{".md", ".markdown", ".mdx", ".canvas"}, func(e string) bool { return strings.EqualFold(ext, e) })
}

// covers reports whether the listing can tell that a path is gone.
func (l *listing) covers(rel string) bool {
	return !slices.ContainsFunc(l.unread, func(dir string) bool { return strings.HasPrefix(rel, dir) })
}

// behind reports whether a path is a symbolic link or lies behind one: what it leads to may be there.
func (l *listing) behind(rel string) bool {
	return slices.ContainsFunc(l.linked, func(link string) bool { return rel == link || strings.HasPrefix(rel, link+"/") })
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
	return hex.EncodeToString(h.Sum(nil)[:16])
}

var errTooLarge = errors.New("larger than 32 MB")

// readFile reads a file of the vault; nothing that lies elsewhere, whatever links
// and dots say. UTF-16 becomes UTF-8: nobody finds its words, nor the secrets among them,
// with a zero beside each letter.
func readFile(root *safe.Root, rel string) ([]byte, error) {
	b, err := root.ReadFile(rel, maxNote)
	if errors.Is(err, safe.ErrTooLarge) {
		err = errTooLarge
	}
	b, _ = text.Decode(b)
	return b, err
}
