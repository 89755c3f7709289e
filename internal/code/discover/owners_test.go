package discover

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOwners(t *testing.T) {
	root := t.TempDir()
	if ReadOwners(root) != nil {
		t.Error("a project without CODEOWNERS has owners")
	}
	const text = "# everything\n* @all\n\n[Docs]\n/docs/ @writers  @editors # by two\n*.go @go\n/cmd/my\\ tool/ me@example.com\n/cmd/free/\nsrc/**/gen @gen\n"
	if err := os.WriteFile(filepath.Join(root, "CODEOWNERS"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := ReadOwners(root)
	for path, want := range map[string]string{
		"README.md": "@all", "docs/a/b.md": "@writers @editors", "docs/a/b.go": "@go", "old/docs/b.md": "@all", "cmd/my tool/x.go": "me@example.com",
		"cmd/free/x.go": "", "cmd/freely.txt": "@all", "src/a/gen/b/c.txt": "@gen", "src/a/gently.txt": "@all", "x.gone": "@all",
	} {
		if got := o.Find(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
