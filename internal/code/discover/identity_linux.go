//go:build linux && (portable || !(amd64 || arm64))

package discover

import (
	"io/fs"
	"syscall"
)

// identity returns when the file's inode changed last, and its number.
func identity(st fs.FileInfo) (ctime int64, inode uint64) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano(), uint64(s.Ino)
	}
	return 0, 0
}
