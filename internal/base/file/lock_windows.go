package file

import (
	"errors"
	"os"
	"runtime"

	"golang.org/x/sys/windows"
)

// noFollow is nothing here: openLock has looked before, and making a link needs a
// right of its own.
const noFollow = 0

// lockFile waits for the lock of f, which ends when f is closed.
func lockFile(f *os.File) error { return lockByte(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// tryFile takes the lock of f if nobody holds it.
func tryFile(f *os.File) (bool, error) {
	err := lockByte(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

func lockByte(f *os.File, how uint32) error {
	defer runtime.KeepAlive(f)
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
}

// manyNames reports whether a file has a second name, which such systems do not say.
func manyNames(os.FileInfo) bool { return false }
