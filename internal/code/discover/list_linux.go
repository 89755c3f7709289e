//go:build linux && (amd64 || arm64) && !portable

package discover

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A lister reads folders relative to its root. It asks the kernel itself: the
// standard library makes a string, a path and a file description of each entry,
// and a walk that precedes every search cannot afford them.
type lister struct {
	root, dir int
	raw       []byte // directory records as the kernel wrote them
	entries   []entry
	st        unix.Stat_t
	own       unix.Stat_t // of the folder, before it was read
	device    uint64      // see device; 0: not asked yet
}

func newLister(root string) (*lister, error) {
	fd, err := open(unix.AT_FDCWD, root, unix.O_DIRECTORY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root, Err: err}
	}
	return &lister{root: fd, dir: -1}, nil
}

func open(at int, path string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(at, path, flags|unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func (l *lister) end() {
	l.close()
	unix.Close(l.root)
}

func (l *lister) close() {
	if l.dir >= 0 {
		unix.Close(l.dir)
		l.dir = -1
	}
}

// read lists the folder at path, below root. It stays open until close.
func (l *lister) read(path string) error {
	l.entries = l.entries[:0]
	path = cmp.Or(path, ".")
	fd, err := open(l.root, path, unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return err
	}
	l.dir = fd
	if err := unix.Fstat(fd, &l.own); err != nil {
		return err
	}
	const room = 32 << 10
	end := 0
	for {
		if len(l.raw)-end < room {
			l.raw = append(l.raw[:end], make([]byte, max(room, 2*end))...)
			l.raw = l.raw[:cap(l.raw)]
		}
		n, err := unix.Getdents(fd, l.raw[end:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n <= 0 {
			break
		}
		end += n
	}
	l.parse(end)
	return nil
}

// parse finds the entries in the records: inode 8 bytes, offset 8, length 2,
// type 1, then the name and a zero.
func (l *lister) parse(end int) {
	const head = 19
	for at := 0; at+head <= end; {
		size := int(binary.NativeEndian.Uint16(l.raw[at+16:]))
		if size < head || at+size > end {
			return
		}
		name := l.raw[at+head : at+size]
		n := bytes.IndexByte(name, 0)
		if n < 0 {
			return
		}
		e := entry{at: at + head, len: n}
		switch l.raw[at+18] {
		case unix.DT_REG:
			e.kind = kindFile
		case unix.DT_DIR:
			e.kind = kindDir
		case unix.DT_LNK:
			e.kind = kindLink
		case unix.DT_UNKNOWN:
			var f File
			kind, err := l.stat(e, &f)
			if err != nil {
				kind = kindFile // asked again, and counted, if it is to be kept
			}
			e.kind = kind
		default:
			e.kind = kindSpecial
		}
		at += size
		if s := string(name[:n]); n > 0 && s != "." && s != ".." {
			l.entries = append(l.entries, e)
		}
	}
}

func (l *lister) name(e entry) []byte { return l.raw[e.at : e.at+e.len] }

// stat completes f and returns what the entry is now.
func (l *lister) stat(e entry, f *File) (uint8, error) {
	for {
		// The name in the record ends with a zero, so it is a C string as it stands.
		_, _, errno := unix.Syscall6(unix.SYS_NEWFSTATAT, uintptr(l.dir), uintptr(unsafe.Pointer(&l.raw[e.at])),
			uintptr(unsafe.Pointer(&l.st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return kindUnknown, errno
		}
		break
	}
	return fileOf(&l.st, f), nil
}

// text reads an ignore file of the folder.
func (l *lister) text(e entry) ([]byte, error) {
	fd, err := open(l.dir, string(l.name(e)), unix.O_NOFOLLOW|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), string(l.name(e)))
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return io.ReadAll(io.LimitReader(f, maxRules))
}
