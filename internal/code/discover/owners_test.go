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
	const text = "# everything\n* @all\n/docs/ @writers  @editors # by two\n*.go @go\n/cmd/my\\ tool/ me@example.com\n/cmd/free/\nsrc/**/gen @gen\n" +
		"flat/* @flat\n!*.md @none\n/tab/\t@tab\t# of it\n[id]/x.ts @next\n[Docs] @section\n*.rst\n^[More][2]\n*.adoc\n"
	for _, dir := range []string{".git", "flat"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"CODEOWNERS": text, ".git/HEAD": "ref: refs/heads/main\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := ReadOwners(root)
	for path, want := range map[string]string{
		"README.md": "@all", "docs/a/b.md": "@writers @editors", "docs/a/b.go": "@go", "old/docs/b.md": "@all", "cmd/my tool/x.go": "me@example.com",
		"cmd/free/x.go": "", "cmd/freely.txt": "@all", "src/a/gen/b/c.txt": "@gen", "src/a/gently.txt": "@all", "x.gone": "@all",
		"flat/x.txt": "@flat", "flat/deep/x.txt": "@all", "a.md": "@all", "tab/x": "@tab", "i/x.ts": "@next", "x.rst": "@section", "x.adoc": "",
	} {
		if got := o.Find(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := ReadOwners(filepath.Join(root, "flat")).Find("x.txt"); got != "@flat" {
		t.Errorf("of a folder of the repository: %q", got)
	}
}
