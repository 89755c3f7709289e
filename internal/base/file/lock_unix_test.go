//go:build unix

package file

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// Whatever somebody put at the path of a lock: it neither holds the program up nor
// leads it elsewhere.
func TestLockPlanted(t *testing.T) {
	for name, plant := range map[string]func(dir, path string) error{
		"pipe":         func(_, path string) error { return unix.Mkfifo(path, 0o600) },
		"folder":       func(_, path string) error { return os.Mkdir(path, 0o700) },
		"link to file": func(dir, path string) error { return os.Symlink(filepath.Join(dir, "elsewhere"), path) },
		"link to pipe": func(dir, path string) error {
			return errors.Join(unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600), os.Symlink("pipe", path))
		},
		"link to itself": func(_, path string) error { return os.Symlink("lock", path) },
		"socket": func(_, path string) error {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err == nil {
				l.SetUnlinkOnClose(false)
				err = l.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "lock") // the path of a socket must be short
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "lock")
			if err := plant(dir, path); err != nil {
				t.Fatal(err)
			}
			before := names(t, dir)
			if _, err := Lock(t.Context(), path); !errors.Is(err, errPlanted) {
				t.Errorf("Lock = %v, want %v", err, errPlanted)
			}
			if _, err := TryLock(path); !errors.Is(err, errPlanted) {
				t.Errorf("TryLock = %v, want %v", err, errPlanted)
			}
			if after := names(t, dir); !slices.Equal(after, before) {
				t.Errorf("the folder holds %q, held %q before", after, before)
			}
		})
	}
}
