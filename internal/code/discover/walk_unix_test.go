//go:build unix

package discover

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestWalkOpensNoPipe(t *testing.T) {
	root := plant(t, "a.go", "sub/b.go")
	for _, p := range []string{"pipe", ".gitignore", "sub/.assayignore"} {
		if err := unix.Mkfifo(filepath.Join(root, p), 0o644); err != nil {
			t.Skip(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(root, "s"))
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	tree := mustWalk(t, root)
	if d := cmp.Diff([]string{"a.go", "sub/b.go"}, paths(tree)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[Reason]int{special: 4}, tree.Skipped); d != "" {
		t.Error(d)
	}
	if why, ok := Ignored(root, "pipe"); !ok || why != "not a regular file" {
		t.Errorf("Ignored(pipe) = %q, %v", why, ok)
	}
}

func TestWalkUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root")
	}
	root := plant(t, "a.go", "shut/b.go")
	shut := filepath.Join(root, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(shut, 0o755)
	tree := mustWalk(t, root)
	if tree.Skipped[Unreadable] != 1 || len(tree.Errors) != 1 || tree.Errors[0].Error() != "read "+shut+": permission denied" {
		t.Errorf("skipped %v, errors %v", tree.Skipped, tree.Errors)
	}
}
