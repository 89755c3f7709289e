//go:build unix

package safe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Where the kernel cannot refuse links in one call, on other systems and in containers
// that hide the call, the walk from folder to folder refuses the same.
func TestWalk(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
	check(os.WriteFile(filepath.Join(dir, "a", "b", "file"), []byte("text"), 0o600))
	check(os.WriteFile(filepath.Join(outside, "file"), []byte("outside"), 0o600))
	check(os.Symlink(outside, filepath.Join(dir, "a", "out")))
	check(os.Symlink("b", filepath.Join(dir, "a", "in")))
	check(os.Symlink("b/file", filepath.Join(dir, "a", "to-file")))
	check(os.Symlink("gone", filepath.Join(dir, "a", "to-nothing")))
	check(syscall.Mkfifo(filepath.Join(dir, "a", "pipe"), 0o600))
	root, err := OpenRoot(dir)
	check(err)
	defer root.Close()
	at := int(root.dir.Fd())
	const all = unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK
	for _, rel := range []string{".", "a", "a/b", "a/b/file", "a/b/gone", "gone/file", "a/out", "a/out/file", "a/out/new", "a/in", "a/in/file", "a/to-file", "a/to-file/x", "a/to-nothing", "a/b/file/x", "a/pipe", "a/pipe/x"} {
		for what, flags := range map[string]int{"read": unix.O_RDONLY, "folder": unix.O_RDONLY | unix.O_DIRECTORY, "write": unix.O_RDWR, "new": unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL} {
			open := func(how func(int, string, int, uint32) (int, error)) string {
				fd, err := how(at, rel, flags|all, 0o600)
				if what == "folder" && err == unix.ELOOP {
					err = unix.ENOTDIR // openDir tells the two apart
				}
				if err != nil {
					return err.Error()
				}
				defer unix.Close(fd)
				var st unix.Stat_t
				check(unix.Fstat(fd, &st))
				if flags&unix.O_CREAT != 0 {
					check(os.Remove(filepath.Join(dir, rel)))
					return "made"
				}
				return fmt.Sprint(st.Ino)
			}
			if got, want := open(walk), open(beneath); got != want {
				t.Errorf("%s %s: %s, want %s", what, rel, got, want)
			}
		}
	}
	if list, err := os.ReadDir(outside); len(list) != 1 || err != nil {
		t.Errorf("outside there is %v, %v", list, err)
	}
}

// Where a file system has no links the name is taken first; where that fails too, no empty
// file stays in it, for who tries again would be told that the file is there.
func TestSettle(t *testing.T) {
	root, err := OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.settle("gone", "new"); err == nil {
		t.Error("nothing was given a name")
	}
	if _, err := root.Lstat("new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty file is left: %v", err)
	}
	if err := root.Write("old", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := root.settle("gone", "old"); err == nil {
		t.Error("nothing was given the name of a file")
	}
	if b, err := root.ReadFile("old", 10); string(b) != "old" {
		t.Errorf("the file that had the name holds %q, %v", b, err)
	}
}

type owned struct {
	fs.FileInfo
	sys  any
	mode fs.FileMode
}

func (o owned) Sys() any          { return o.sys }
func (o owned) Mode() fs.FileMode { return o.mode }

// Files are of one user where both say so.
func TestSameOwner(t *testing.T) {
	of := func(uid uint32) owned { return owned{sys: &syscall.Stat_t{Uid: uid}} }
	if !SameOwner(of(7), of(7)) || SameOwner(of(7), of(8)) || SameOwner(of(7), owned{}) || SameOwner(owned{}, of(7)) || SameOwner(owned{}, owned{}) {
		t.Error("files of two users are of one, or those of one are not")
	}
	open := func(mode fs.FileMode) owned { return owned{sys: &syscall.Stat_t{Uid: 7}, mode: mode} }
	if SameOwner(open(0o755), open(0o1777)) || !SameOwner(open(0o777), open(0o777)) || !SameOwner(open(0o777), open(0o755)) || !SameOwner(open(0o755), open(0o775)) {
		t.Error("what everybody may write to is one user's, or what its group may is not")
	}
}
