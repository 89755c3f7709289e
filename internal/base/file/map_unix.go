//go:build unix

package file

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Map returns the content of the file at path as memory that the kernel fills on demand, and a function that unmaps it. If
// the file is truncated later, reading past its new end is a memory fault: see debug.SetPanicOnFault.
func Map(path string) (data []byte, unmap func(), err error) {
	// A pipe of that name must not hold the program up.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return MapFile(f)
}

// MapFile is Map of a file that is open. It may be closed afterwards.
func MapFile(f *os.File) (data []byte, unmap func(), err error) {
	path := f.Name()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("map %s: not a file", path)
	}
	size := st.Size()
	if size == 0 {
		return nil, func() {}, nil
	}
	if size != int64(int(size)) {
		return nil, nil, fmt.Errorf("map %s: %d bytes do not fit in memory", path, size)
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return data, func() { unix.Munmap(data) }, nil
}

// SyncDir makes the names in a folder as durable as the files.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
