package source

import (
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
)

// A belonging says which folders above one belong with it: those of its repository, or where it is in none, those that are the
// same person's. What others put into a folder that is not the user's alone is not read.
type belonging struct {
	dir string // without links
	top string // of the repository; "" for none
	own os.FileInfo
}

// maxUp is how many folders up something that belongs with one is looked for.
const maxUp = 12

func newBelonging(dir string) *belonging {
	own, err := os.Lstat(dir)
	if err != nil {
		return nil
	}
	b := &belonging{dir: dir, own: own}
	if top, ok := git.TopLevel(dir); ok && b.kind(top, ".git") != os.ModeIrregular {
		b.top = top
	}
	return b
}

// kind returns the type of a file, ModeIrregular for one of somebody else or none.
func (b *belonging) kind(names ...string) os.FileMode {
	st, err := os.Lstat(filepath.Join(names...))
	if err != nil || !safe.SameOwner(b.own, st) {
		return os.ModeIrregular
	}
	return st.Mode().Type()
}

// above yields the folders, nearest first.
func (b *belonging) above(yield func(string) bool) {
	dir := b.dir
	for range maxUp {
		up := filepath.Dir(dir)
		if dir == b.top || up == dir || b.kind(up) != os.ModeDir || !yield(up) {
			return
		}
		dir = up
	}
}
