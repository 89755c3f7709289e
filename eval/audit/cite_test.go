package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modules returns the folders of modules that this one requires and has.
func modules(t testing.TB, names ...string) []string {
	t.Helper()
	var out []string
	for _, name := range names {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", name).Output()
		if err != nil || len(bytes.TrimSpace(dir)) == 0 {
			t.Fatalf("no module %s: %v", name, err)
		}
		out = append(out, string(bytes.TrimSpace(dir)))
	}
	return out
}

// Of 200 citations of real code none is falsely accepted and none falsely rejected;
// those that are shifted are found where they stand, and mended there.
func TestCitations(t *testing.T) {
	roots := append([]string{"../.."}, modules(t, "github.com/fsnotify/fsnotify", "github.com/yuin/goldmark", "golang.org/x/tools")...)
	var b bytes.Buffer
	got, err := citeAll(t.Context(), options{seed: 1, verbose: true}, roots, &b)
	if err != nil {
		t.Fatal(err)
	}
	if *got != (citations{total: [sorts]int{perSort, perSort, perSort, perSort}, found: perSort, moved: perSort}) {
		t.Errorf("%s", b.String())
	}
}

// So are those of a tree whose lines end as Windows ends them, in a folder that was
// reached by a link.
func TestCitationsCRLF(t *testing.T) {
	dir := folder(t)
	for name, text := range small {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(strings.ReplaceAll(text, "\n", "\r\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	var b bytes.Buffer
	got, err := citeAll(t.Context(), options{seed: 1, verbose: true}, []string{link, folder(t)}, &b)
	if err != nil {
		t.Fatal(err)
	}
	if got.accepted+got.rejected > 0 || got.found != perSort || got.moved != perSort {
		t.Errorf("%s", b.String())
	}
}
