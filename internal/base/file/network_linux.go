package file

import "golang.org/x/sys/unix"

// Network reports whether path lies on a network file system, where SQLite's
// shared memory and locks cannot be trusted.
func Network(path string) bool {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case 0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997: // NFS, SMB, CIFS, SMB2, 9p
		return true
	}
	return false
}
