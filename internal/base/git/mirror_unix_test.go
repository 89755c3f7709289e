//go:build unix

package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// git opens whatever is at a name and waits for the other end of a pipe: no git is started on
// a repository that has one, be it the mirror or a remote on this machine.
func TestPipesInRepositories(t *testing.T) {
	needGit(t)
	for _, name := range []string{"HEAD", "config", "FETCH_HEAD", "objects/ab", "refs/heads/main", "packed-refs"} {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		remote := filepath.Join(t.TempDir(), "a remote.git")
		git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
		m := mirror(t, filepath.Join(t.TempDir(), "m"))
		pipe := func(dir string) string {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(at, 0o644); err != nil {
				t.Fatal(err)
			}
			return at
		}
		at := pipe(remote)
		for _, address := range []string{remote, "file://" + remote, "file://" + strings.ReplaceAll(remote, " ", "%20")} {
			if _, err := m.Fetch(ctx, address, "main"); err == nil || !strings.Contains(err.Error(), at) {
				t.Errorf("Fetch of %s with a pipe at %s: %v", address, name, err)
			}
		}
		if err := m.Push(ctx, remote, strings.Repeat("0", 40), "main"); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("Push with a pipe at %s: %v", name, err)
		}
		at = pipe(m.dir)
		if _, err := OpenMirror(ctx, m.dir); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("OpenMirror with a pipe at %s: %v", name, err)
		}
		stop()
	}
}

// What is written to a name of the mirror goes nowhere else; a remote may have links of its own.
func TestLinksInRepositories(t *testing.T) {
	needGit(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	if err := os.Rename(filepath.Join(remote, "objects"), filepath.Join(remote, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(remote, "objects")); err != nil {
		t.Fatal(err)
	}
	m := mirror(t, filepath.Join(t.TempDir(), "m"))
	if c, err := m.Fetch(t.Context(), remote, "main"); c != "" || err != nil {
		t.Errorf("Fetch of a remote with a link = %q, %v", c, err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, outside, "outside")
	commit(t, m, "", map[string]string{"a.md": "a"})
	for _, link := range []func(old, at string) error{os.Symlink, os.Link} {
		if err := os.Remove(filepath.Join(m.dir, "FETCH_HEAD")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err := link(outside, filepath.Join(m.dir, "FETCH_HEAD")); err != nil {
			t.Fatal(err)
		}
		again := mirror(t, m.dir)
		if err := again.Push(t.Context(), remote, commit(t, again, "", map[string]string{"a.md": "a"}), "main"); err != nil {
			t.Fatal(err)
		}
		if _, err := again.Fetch(t.Context(), remote, "main"); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(outside); err != nil || string(text) != "outside" {
			t.Errorf("outside has %q, %v", text, err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(m.dir, "shallow")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMirror(t.Context(), m.dir); err == nil {
		t.Error("a mirror with a link was opened")
	}
}
