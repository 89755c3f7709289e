//go:build !unix

package catalog

import (
	"os"
	"path/filepath"
)

// quick reads a file of the open folder dir that is known to be regular.
func (b *buffer) quick(dir *os.File, name string) error {
	f, err := os.Open(filepath.Join(dir.Name(), name))
	if err != nil {
		return err
	}
	defer f.Close()
	return b.from(f)
}

// kindOf returns the type bits of a file of the open folder dir. A link is not followed.
func kindOf(dir *os.File, name string) (os.FileMode, error) {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), nil
}
