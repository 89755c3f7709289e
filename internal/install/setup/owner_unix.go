//go:build unix

package setup

import (
	"os"
	"syscall"
)

// chown gives a file the owner that another has: one who runs setup as root keeps
// their files. It does what it can.
func chown(path string, like os.FileInfo) {
	if st, ok := like.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Getuid() {
		_ = os.Chown(path, int(st.Uid), int(st.Gid))
	}
}
