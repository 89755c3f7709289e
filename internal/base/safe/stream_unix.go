//go:build unix

package safe

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// isStream reports whether a name is of a stream to which a file may be delivered. All others in
// /dev are refused: some are disks.
func isStream(name string) bool {
	name = filepath.Clean(name)
	_, is := descriptor(name)
	return is || name == os.DevNull || name == "/dev/tty"
}

// descriptor returns the number of the open file that a name in /dev means.
func descriptor(name string) (int, bool) {
	switch name {
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	number, ok := strings.CutPrefix(name, "/dev/fd/")
	n, err := strconv.ParseUint(number, 10, 16)
	return int(n), ok && err == nil
}

// openStream opens a stream. A descriptor is that which the program was started with, at its
// place, so that a file to which it is directed is neither emptied nor written over. One that
// this program has opened by itself, as it has databases, is none.
func openStream(name string) (*os.File, error) {
	name = filepath.Clean(name)
	n, ok := descriptor(name)
	if !ok {
		return os.OpenFile(name, os.O_WRONLY, 0)
	}
	flags, err := unix.FcntlInt(uintptr(n), unix.F_GETFD, 0)
	if err == nil && n > 2 && flags&unix.FD_CLOEXEC != 0 { // inherited files do not have it
		err = unix.EBADF
	}
	if err != nil {
		return nil, err
	}
	own, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(own), name), nil
}
