package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/testaid"
)

func mirror(t *testing.T, dir string) *Mirror {
	t.Helper()
	m, err := OpenMirror(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func commit(t *testing.T, m *Mirror, parent string, files map[string]string) string {
	t.Helper()
	var names []string
	for p := range files {
		names = append(names, p)
	}
	slices.Sort(names)
	c, err := m.Commit(t.Context(), parent, "notes", time.Unix(1.7e9, 0), names, func(p string) (TreeChange, error) {
		return TreeChange{Data: []byte(files[p]), Deleted: files[p] == "-"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What one mirror pushes the other fetches, byte for byte; what a push would lose is
// refused; and a lock that somebody who was killed left stops nobody.
func TestMirror(t *testing.T) {
	needGit(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	a, b := mirror(t, filepath.Join(t.TempDir(), "a")), mirror(t, filepath.Join(t.TempDir(), "b"))
	if c, err := a.Fetch(t.Context(), remote, "main"); c != "" || err != nil {
		t.Fatalf("Fetch of nothing = %q, %v", c, err)
	}
	first := commit(t, a, "", map[string]string{"a.md": "one\r\n", "deep/ü \"b\".md": "\x00two", "empty.md": ""})
	if err := a.Push(t.Context(), remote, first, "main"); err != nil {
		t.Fatal(err)
	}
	got, err := b.Fetch(t.Context(), remote, "main")
	if err != nil || got != first {
		t.Fatalf("Fetch = %q, %v, want %q", got, err, first)
	}
	files, err := b.Files(t.Context(), got)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	if err := b.Contents(t.Context(), files, func(f TreeFile, data []byte) error {
		if !f.Plain || Hash(data) != f.Hash {
			t.Errorf("%+v", f)
		}
		text += f.Path + "=" + string(data) + ";"
		return nil
	}); err != nil || text != "a.md=one\r\n;deep/ü \"b\".md=\x00two;empty.md=;" {
		t.Errorf("%q, %v", text, err)
	}

	for _, name := range []string{"index-x", "index-x.lock", "config.lock"} {
		write(t, filepath.Join(b.dir, name), "")
	}
	b = mirror(t, b.dir)
	second := commit(t, b, first, map[string]string{"a.md": "-", "c.md": "three"})
	if err := b.Push(t.Context(), remote, second, "main"); err != nil {
		t.Fatal(err)
	}
	if err := a.Push(t.Context(), remote, commit(t, a, first, map[string]string{"d.md": "four"}), "main"); !errors.Is(err, ErrMoved) {
		t.Errorf("a push that would lose a commit: %v", err)
	}
	if c, err := a.Fetch(t.Context(), remote, "main"); c != second || err != nil {
		t.Errorf("Fetch = %q, %v", c, err)
	}
	if files, err := a.Files(t.Context(), second); err != nil || len(files) != 3 || files[0].Path != "c.md" {
		t.Errorf("%+v, %v", files, err)
	}
	if _, err := a.Fetch(t.Context(), filepath.Join(remote, "none"), "main"); err == nil {
		t.Error("a remote that is not there was fetched")
	}
	if _, err := a.Fetch(t.Context(), "ext::sh -c true", "main"); err == nil {
		t.Error("a program was taken for a remote")
	}
	broken := errors.New("broken")
	if _, err := a.Commit(t.Context(), "", "x", time.Unix(1.7e9, 0), []string{"x"}, func(string) (TreeChange, error) { return TreeChange{}, broken }); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// TestMirrorRunsNothing holds that neither side's configuration has a program run.
func TestMirrorRunsNothing(t *testing.T) {
	needGit(t)
	remote := filepath.Join(t.TempDir(), "remote.git")
	git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	m := mirror(t, filepath.Join(t.TempDir(), "m"))
	mark := filepath.Join(t.TempDir(), "ran")
	for _, dir := range []string{remote, m.dir} {
		for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction", "pre-push", "proc-receive", "pre-auto-gc", "push-to-checkout"} {
			if err := os.MkdirAll(filepath.Join(dir, "hooks"), 0o755); err != nil {
				t.Fatal(err)
			}
			testaid.WriteProgram(t, filepath.Join(dir, "hooks", hook), []byte("#!/bin/sh\necho "+hook+" >>"+mark+"\n"))
		}
		for _, key := range []string{"core.fsmonitor", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "core.gitProxy", "core.askPass"} {
			git(t, dir, "config", key, filepath.Join(dir, "hooks", "update"))
		}
		git(t, dir, "config", "core.hooksPath", filepath.Join(dir, "hooks"))
	}
	first := commit(t, m, "", map[string]string{".gitattributes": "* filter=x", "a.md": "one"})
	if err := m.Push(t.Context(), remote, first, "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fetch(t.Context(), remote, "main"); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(mark); err == nil {
		t.Errorf("it was run:\n%s", b)
	}
}

// TestPushRunsNothing holds that a repository that lacks what a pushed file is a change of does not fetch it: how, it would
// say itself.
func TestPushRunsNothing(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	remote := filepath.Join(dir, "remote.git")
	git(t, dir, "init", "-q", "--bare", remote)
	m := mirror(t, filepath.Join(dir, "m"))
	var text strings.Builder
	for i := range 4000 {
		fmt.Fprintln(&text, i*i)
	}
	first := commit(t, m, "", map[string]string{"a.md": text.String()})
	if err := m.Push(t.Context(), remote, first, "main"); err != nil {
		t.Fatal(err)
	}
	mark, bait := filepath.Join(dir, "ran"), filepath.Join(dir, "program")
	testaid.WriteProgram(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
	blob := git(t, remote, "rev-parse", "main:a.md")
	if err := os.Remove(filepath.Join(remote, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"remote.origin.url": remote, "remote.origin.uploadpack": bait, "gc.recentObjectsHook": bait, "gc.auto": "1"} {
		git(t, remote, "config", key, value)
	}
	second := commit(t, m, first, map[string]string{"a.md": text.String() + "more\n"})
	// The bait works: who lets git fetch what is not there runs the program.
	unprotected(t, dir, "--git-dir="+m.dir, "push", "-q", remote, second+":refs/heads/main")
	if err := os.Remove(mark); err != nil {
		t.Fatalf("git runs nothing: %v", err)
	}
	if err := m.Push(t.Context(), remote, second, "main"); err == nil {
		t.Error("it was pushed to a repository that lacks a part")
	}
	if ran, err := os.ReadFile(mark); err == nil {
		t.Errorf("git ran %s", ran)
	}
}
