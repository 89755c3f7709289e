//go:build unix

package catalog

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// quick reads a file of the open folder dir that is known to be regular. It asks the kernel itself: a question reads thousands of
// files, and half of the calls that the standard library makes for one find out what is known.
func (b *buffer) quick(dir *os.File, name string) error {
	var fd int
	err := again(func() (err error) {
		// What a name stands for may have changed: a link is not followed, a pipe not waited for.
		fd, err = unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		return err
	})
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	end := false
	return b.fill(func(p []byte) (n int, err error) {
		if end {
			return 0, nil
		}
		err = again(func() error { n, err = unix.Read(fd, p); return err })
		end = n < len(p) // as a file gives less than it is asked for only at its end
		return n, err
	})
}

func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// kindOf returns the type bits of a file of the open folder dir. A link is not followed.
func kindOf(dir *os.File, name string) (fs.FileMode, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0, err
	case unix.S_IFDIR:
		return fs.ModeDir, err
	}
	return fs.ModeIrregular, err
}
