//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPlanted holds that a link or a pipe where a database or a file beside it is to be
// is refused, at once, and that what a link leads to stays as it is.
func TestPlanted(t *testing.T) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock", ".write"} {
		for _, kind := range []string{"link", "dangling", "pipe", "folder"} {
			t.Run(kind+suffix, func(t *testing.T) {
				dir, outside := t.TempDir(), t.TempDir()
				foreign := filepath.Join(outside, "foreign.db")
				db, err := Open(t.Context(), foreign, latest())
				if err != nil {
					t.Fatal(err)
				}
				db.Settle(t.Context())
				before, err := os.ReadFile(foreign)
				if err != nil {
					t.Fatal(err)
				}
				list, _ := os.ReadDir(outside)
				path := filepath.Join(dir, "x.db")
				switch kind {
				case "link":
					err = os.Symlink(foreign, path+suffix)
				case "dangling":
					err = os.Symlink(filepath.Join(outside, "new"), path+suffix)
				case "pipe":
					err = syscall.Mkfifo(path+suffix, 0o600)
				case "folder":
					err = os.Mkdir(path+suffix, 0o700)
				}
				if err != nil {
					t.Fatal(err)
				}
				if db, err := Open(t.Context(), path, latest()); err == nil {
					db.Close()
					t.Error("Open took it")
				}
				if db, err := OpenReadOnly(t.Context(), path, latest()); err == nil {
					db.Close()
					t.Error("OpenReadOnly took it")
				}
				if _, err := Rescue(t.Context(), path, latest()); err == nil {
					t.Error("Rescue took it")
				}
				after, err := os.ReadFile(foreign)
				if string(after) != string(before) || err != nil {
					t.Errorf("the database outside changed, %v", err)
				}
				if now, _ := os.ReadDir(outside); len(now) != len(list) {
					t.Errorf("the folder outside holds %v", now)
				}
			})
		}
	}
}
