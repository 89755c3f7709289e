package discover

import (
	"io/fs"
	"syscall"
)

// identity returns when the file's inode changed last, and its number.
func identity(st fs.FileInfo) (ctime int64, inode uint64) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano(), s.Ino
	}
	return 0, 0
}
