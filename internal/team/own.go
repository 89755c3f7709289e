package team

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/assay-dev/assay/internal/base/safe"
)

// Bits of a file's mode. On Windows they say nothing of who else may read or write.
const (
	othersRead  fs.FileMode = 0o004
	othersWrite fs.FileMode = 0o002
)

func permits(name string, bits fs.FileMode) bool {
	st, err := os.Stat(name)
	return err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&bits != 0
}

// readOwn reads a file that says who is admitted, or proves who serves. One that every user of the
// machine may write says what any of them wants.
func readOwn(name string, limit int64) ([]byte, error) {
	if permits(name, othersWrite) {
		return nil, fmt.Errorf("every user of this machine may write %s: chmod o-w %s", filepath.Base(name), name)
	}
	return safe.ReadNamed(name, limit)
}
