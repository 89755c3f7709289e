package team

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/assay-dev/assay/internal/base/safe"
)

// Bits of a file's mode. On Windows they do not say whether other users may read or write the file.
const (
	othersRead  fs.FileMode = 0o004
	othersWrite fs.FileMode = 0o002
)

func hasMode(name string, bits fs.FileMode) bool {
	st, err := os.Stat(name)
	return err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&bits != 0
}

// readProtected reads a file of tokens, keys or settings. It refuses a file that every user of the machine may write,
// because any of them could then grant themselves access.
func readProtected(name string, limit int64) ([]byte, error) {
	if hasMode(name, othersWrite) {
		return nil, fmt.Errorf("every user of this machine can write %s: run chmod o-w %s", filepath.Base(name), name)
	}
	return safe.ReadNamed(name, limit)
}
