//go:build !slim

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Without CODEOWNERS a file is of whoever changed it most often; what the last commits did not change is of nobody that is known.
func TestFileOwners(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	commit := func(author, file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "-A")
		git("-c", "user.name="+author, "commit", "-qm", text)
	}
	check := func(want map[string]string) {
		t.Helper()
		if got, err := fileOwners(t.Context(), root); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	check(map[string]string{})
	git("init", "-q")
	commit("Ann", "a.go", "package a\n")
	check(map[string]string{})
	commit("Bob", "b.go", "package a\n")
	commit("Ann", "b.go", "package a // 1\n")
	commit("Ann", "b.go", "package a // 2\n")
	check(map[string]string{"b.go": "Ann"})
	commit("Bob", "CODEOWNERS", "/b.go @b\n")
	check(map[string]string{"a.go": "", "b.go": "@b", "CODEOWNERS": ""})
}
