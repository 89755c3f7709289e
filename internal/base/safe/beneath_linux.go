package safe

import "golang.org/x/sys/unix"

// beneath opens rel below a folder in one call of the kernel, which refuses links and
// ways out (openat2(2), Linux 5.6).
func beneath(at int, rel string, flags int, perm uint32) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags), Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS}
	if flags&unix.O_CREAT != 0 {
		how.Mode = uint64(perm) // any other open with a mode is refused
	}
	fd, err := retry(func() (int, error) { return unix.Openat2(at, rel, &how) })
	switch err {
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.EAGAIN: // an older kernel, or a container that hides the call
		return walk(at, rel, flags, perm)
	}
	return fd, err
}
