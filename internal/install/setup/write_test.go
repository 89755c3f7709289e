package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestLinks(t *testing.T) {
	w := newWorld(t)
	real := w.write("dotfiles/mcp.json", "{}\n")
	if err := os.Chmod(real, 0o604); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(w.home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(named), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "..", "dotfiles", "mcp.json"), named); err != nil {
		t.Skip(err)
	}
	r, did := w.must(Input{Client: "cursor"})
	if info, err := os.Lstat(named); err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(w.read(real), "assay") || filepath.Dir(r.Files[0].Backup) != filepath.Dir(named) {
		t.Errorf("%s: %v, %v", did, info.Mode(), err)
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o604 && runtime.GOOS != "windows" {
		t.Errorf("its permissions are now %v", info.Mode())
	}
	if w.must(Input{Client: "cursor", Uninstall: true}); w.read(real) != "{}\n" {
		t.Errorf("it is now %q", w.read(real))
	}
	// A link to nothing leads to where the file goes.
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, did := w.must(Input{Client: "cursor"}); !strings.HasPrefix(did, "created") || !strings.Contains(w.read(real), "assay") {
		t.Error(did)
	}
	// Those of a project may not lead out of it.
	for _, link := range [][2]string{{".mcp.json", real}, {".cursor", filepath.Dir(named)}, {".codex", filepath.Join(w.home, "absent")}, {"opencode.json", "/dev/zero"}} {
		if err := os.Symlink(link[1], filepath.Join(w.work, link[0])); err != nil {
			t.Fatal(err)
		}
	}
	before := w.tree()
	for _, client := range []string{"claude", "cursor", "codex", "opencode"} {
		if _, err := w.run(Input{Client: client, Project: true}); fault.KindOf(err) != fault.Unavailable || fault.HintOf(err) == "" {
			t.Errorf("%s: %v", client, err)
		}
	}
	if !reflect.DeepEqual(w.tree(), before) {
		t.Errorf("it left %v", w.tree())
	}
}

// TestUndone holds that a file that cannot be written leaves the others as they
// were.
func TestUndone(t *testing.T) {
	w := newWorld(t)
	w.write("home/.codex/config.toml", "a = 1\n")
	before := w.tree()
	f := New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe})
	j, err := f.job(Input{Client: "codex", Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	targets, err := f.targets(j)
	if err != nil {
		t.Fatal(err)
	}
	var steps []*step
	for _, target := range targets {
		s, err := f.plan(target, j)
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s)
	}
	write := func(name, text string) { // somebody else does so meanwhile
		w.Helper()
		path := w.write(name, text)
		if err := f.write(steps); fault.KindOf(err) != fault.Unavailable || err.Error() != "another program changed "+path+" during setup" {
			t.Errorf("%s: err = %v", name, err)
		}
		if got := w.read(path); got != text {
			t.Errorf("%s is now %q", name, got)
		}
	}
	write("home/.codex/config.toml", "b = 1\n")
	w.write("home/.codex/config.toml", "a = 1\n")
	write("home/.codex/hooks.json", "{}")
	if got := w.read(targets[0].path); "-rw-r----- "+got != before[targets[0].path] {
		t.Errorf("the first is now %q", got)
	}
}

// TestBackups holds that a backup is never written over.
func TestBackups(t *testing.T) {
	w := newWorld(t)
	path := w.write("home/.cursor/mcp.json", "{}")
	seen := map[string]string{}
	for i := range 5 {
		r, _ := w.must(Input{Client: "cursor", Tools: []string{[]string{"code", "docs"}[i%2]}, Name: []string{"assay", "b"}[i/3]})
		if b := r.Files[0].Backup; b != "" {
			if was, ok := seen[b]; ok && was != w.read(b) {
				t.Errorf("%s was %q, is %q", b, was, w.read(b))
			}
			seen[b] = w.read(b)
			if info, _ := os.Stat(b); info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("%s: %v", b, info.Mode())
			}
		}
	}
	if len(seen) < 4 || seen[path+".assay-20261121T140254Z.bak"] != "{}" {
		t.Errorf("backups %v", seen)
	}
}

func TestWriteText(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude.json", "{\n  \"numStartups\": 3\n}\n")
	r, _ := w.must(Input{Client: "claude", Memory: true})
	var b bytes.Buffer
	if err := r.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), filepath.Dir(w.home), "")
	got = regexp.MustCompile(`(?s)/home/.claude/settings.json created.*\n\n`).ReplaceAllString(got, "")
	want := `/home/.claude.json changed (server)
copy of the former file: /home/.claude.json.assay-20261121T140254Z.bak
--- /home/.claude.json
+++ /home/.claude.json
@@ -1,3 +1,10 @@
 {
-  "numStartups": …
+  "numStartups": …,
+  "mcpServers": {
+    "assay": {
+      "type": "stdio",
+      "command": "/bin/assay",
+      "args": ["serve"]
+    }
+  }
 }

next 1: restart Claude Code; claude mcp list shows assay
`
	if runtime.GOOS != "windows" && got != want {
		t.Errorf("text:\n%s\nwant:\n%s", got, want)
	}
	b.Reset()
	r, _ = w.must(Input{Client: "opencode", Memory: true, DryRun: true})
	if err := r.WriteText(&b, true); err != nil || !strings.Contains(b.String(), "would be created") || strings.Count(b.String(), "\x1b[32m+") < 100 || !strings.Contains(b.String(), "\x1b[32m+") {
		t.Errorf("text:\n%s", b.String())
	}
}

// What setup made is gone after an uninstall, folders too; what it did not, stays.
func TestPrune(t *testing.T) {
	home := filepath.Join(t.TempDir(), ".users", "ada")
	work := filepath.Join(home, ".src", "empty")
	f := New(Config{Home: home, WorkDir: work})
	for dir, want := range map[string]string{
		".claude/skills/reviewing": "",
		".config/opencode/plugin":  ".config",
		".codex/mine.d/x":          ".codex/mine.d",
		".src/empty":               ".src/empty",
		"plain/folder":             "plain/folder",
	} {
		path := filepath.Join(home, filepath.FromSlash(dir))
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if want == ".codex/mine.d" {
			if err := os.WriteFile(filepath.Join(home, ".codex", "mine.d", "kept"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f.prune(path)
		left := ""
		for at := dir; at != "."; at = filepath.ToSlash(filepath.Dir(at)) {
			if _, err := os.Stat(filepath.Join(home, filepath.FromSlash(at))); err == nil {
				left = at
				break
			}
		}
		if left != want {
			t.Errorf("of %s %q is left, want %q", dir, left, want)
		}
	}
	if _, err := os.Stat(home); err != nil {
		t.Error(err)
	}
}
