//go:build !unix

package file

import (
	"io"
	"os"
)

// Map returns the content of the file at path. It reads the whole file, because a mapped file could not be removed on
// Windows.
func Map(path string) (data []byte, unmap func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, err
}

// MapFile is Map of a file that is open. It may be closed afterwards.
func MapFile(f *os.File) (data []byte, unmap func(), err error) {
	data, err = io.ReadAll(f)
	return data, func() {}, err
}

// SyncDir does nothing: such systems write names with the files.
func SyncDir(string) error { return nil }
