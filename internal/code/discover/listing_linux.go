//go:build linux && (amd64 || arm64) && !portable

package discover

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// stamped are the file systems, by their magic numbers, that are known to change the times
// of a folder with each name that comes or goes. Others may, but what comes over a network
// or out of a program keeps times as somebody else says.
var stamped = [...]int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1, // ZFS has no name there
}

// device returns the number of the device that the folder is on, if that keeps stamps.
func device(fd int) (uint64, bool) {
	var fs unix.Statfs_t
	var st unix.Stat_t
	if unix.Fstatfs(fd, &fs) != nil || unix.Fstat(fd, &st) != nil {
		return 0, false
	}
	for _, magic := range stamped {
		if fs.Type == magic {
			return st.Dev, true
		}
	}
	return 0, false
}

// stamp returns the stamp of the folder that was read, as it was before; not ok says that it
// is none to go by.
func (l *lister) stamp() (s stamp, ok bool) {
	if l.device == 0 {
		if l.device, ok = device(l.root); !ok {
			return s, false
		}
	}
	return stamp{mtime: l.own.Mtim.Nano(), ctime: l.own.Ctim.Nano(), inode: l.own.Ino}, l.own.Dev == l.device
}

// A prober asks for the stamps of paths below a root. What a link leads to, it says nothing
// of but that there is a link.
type prober struct {
	root   int
	device uint64
	path   []byte
	st     unix.Stat_t
}

func newProber(root string) (*prober, bool) {
	fd, err := open(unix.AT_FDCWD, root, unix.O_DIRECTORY|unix.O_PATH)
	if err != nil {
		return nil, false
	}
	p := &prober{root: fd}
	var ok bool
	if p.device, ok = device(fd); !ok {
		p.end()
	}
	return p, ok
}

func (p *prober) end() { unix.Close(p.root) }

// probe completes f with what is at dir or, where it has one, at the name in it.
func (p *prober) probe(dir, name string, f *File) (kind uint8, ok bool) {
	p.path = append(p.path[:0], dir...)
	if dir == "" && name == "" {
		p.path = append(p.path, '.')
	}
	if dir != "" && name != "" {
		p.path = append(p.path, '/')
	}
	p.path = append(append(p.path, name...), 0)
	for {
		_, _, errno := unix.Syscall6(unix.SYS_NEWFSTATAT, uintptr(p.root), uintptr(unsafe.Pointer(&p.path[0])),
			uintptr(unsafe.Pointer(&p.st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 || p.st.Dev != p.device {
			return kindUnknown, false
		}
		return fileOf(&p.st, f), true
	}
}

// fileOf completes f with what the kernel says, and returns what it is.
func fileOf(st *unix.Stat_t, f *File) uint8 {
	f.Size, f.Inode = st.Size, st.Ino
	f.Mtime, f.Ctime = st.Mtim.Nano(), st.Ctim.Nano()
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return kindFile
	case unix.S_IFDIR:
		return kindDir
	case unix.S_IFLNK:
		return kindLink
	}
	return kindSpecial
}
