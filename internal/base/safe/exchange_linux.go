package safe

import "golang.org/x/sys/unix"

// Exchange gives each of two files or folders the name of the other, in one step.
// errors.ErrUnsupported or another error says that the system or the file system cannot.
func (r *Root) Exchange(a, b string) error {
	return r.both("rename", a, b, func(atA int, a string, atB int, b string) error {
		return unix.Renameat2(atA, a, atB, b, unix.RENAME_EXCHANGE)
	})
}
