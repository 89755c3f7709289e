//go:build unix

package file

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow keeps os.OpenFile from following a link and from waiting for the other
// end of a pipe.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// lockFile waits for the lock of f, which ends when f is closed. The kernel serves
// those that wait in their order.
func lockFile(f *os.File) error { return flock(f, unix.LOCK_EX) }

// tryFile takes the lock of f if nobody holds it.
func tryFile(f *os.File) (bool, error) {
	err := flock(f, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var done error
	err = conn.Control(func(fd uintptr) {
		for done = unix.EINTR; errors.Is(done, unix.EINTR); {
			done = unix.Flock(int(fd), how)
		}
	})
	return errors.Join(err, done)
}

// manyNames reports whether a file has a second name (a hard link): the number of the
// process that holds the lock would be written into somebody else's file.
func manyNames(st os.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink > 1
}
