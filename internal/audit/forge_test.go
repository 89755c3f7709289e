package audit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The page leads to the commit on the forge that the tree was cloned from, below the
// folder that was asked about, and says no password of its address.
func TestForge(t *testing.T) {
	root, f := project(t, map[string]string{"part/FEATURES.md": "# x\n\n## Features\n\n- Telepathic delivery to penguins\n", "part/a.go": "package a\n\nfunc Send() {}\n"})
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-C", root}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "x")
	page := func() string {
		d, err := f.Drift(t.Context(), DriftInput{HTML: true, Out: t.TempDir(), Scope: Scope{Project: Project{Root: filepath.Join(root, "part")}}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(d.HTML)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := page(); strings.Contains(got, `class="forge"`) {
		t.Error("a tree of no forge has links to one")
	}
	git("remote", "add", "origin", "https://me:geheim@forge.example/o/r.git")
	want := `href="https://forge.example/o/r/blob/` + git("rev-parse", "HEAD") + `/part/a.go#L3"`
	if got := page(); !strings.Contains(got, want) || strings.Contains(got, "geheim") {
		t.Errorf("no %s, or a password, in\n%s", want, got)
	}
}
