package safe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// names lists an open folder with getdents64(2). It parses the kernel's entries itself, because a folder of many thousand
// files is listed before each search, and package os would allocate an object for each file.
func names(d *os.File) (out []Listed, err error) {
	raw, err := d.SyscallConn()
	if err != nil {
		return nil, err
	}
	buf := make([]byte, 32<<10)
	var n int
	for {
		var failed error
		if err := raw.Control(func(fd uintptr) {
			n, failed = retry(func() (int, error) { return unix.ReadDirent(int(fd), buf) })
		}); err != nil {
			return out, err
		}
		if failed != nil || n <= 0 {
			return out, failed
		}
		for rest := buf[:n]; len(rest) > 0; {
			var l Listed
			var ok bool
			if l, rest, ok = entry(rest); !ok {
				return out, errors.New("unexpected directory entry from the kernel")
			}
			if l.Name != "." && l.Name != ".." && l.Name != "" {
				out = append(out, l)
			}
		}
	}
}

// entry parses the first entry: 16 bytes that are not needed, two for the length of the entry, one for the kind, and the
// name up to a zero byte.
func entry(b []byte) (l Listed, rest []byte, ok bool) {
	if len(b) < 19 {
		return l, nil, false
	}
	n := int(binary.NativeEndian.Uint16(b[16:]))
	if n < 19 || n > len(b) {
		return l, nil, false
	}
	name := b[19:n]
	name, _, _ = bytes.Cut(name, []byte{0})
	switch b[18] {
	case unix.DT_REG:
	case unix.DT_DIR:
		l.Mode = fs.ModeDir
	case unix.DT_LNK:
		l.Mode = fs.ModeSymlink
	case unix.DT_FIFO:
		l.Mode = fs.ModeNamedPipe
	case unix.DT_SOCK:
		l.Mode = fs.ModeSocket
	case unix.DT_CHR:
		l.Mode = fs.ModeDevice | fs.ModeCharDevice
	case unix.DT_BLK:
		l.Mode = fs.ModeDevice
	default:
		l.Mode = fs.ModeIrregular // a file system that does not say
	}
	l.Name = string(name)
	return l, b[n:], true
}
