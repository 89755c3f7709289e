//go:build unix && !slim

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// Whatever names of files, code, documents, settings, checks and libraries hold, the pages and
// pictures that commands write have no markup in them but our own, and show it.
func TestPagesAreInert(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"HOME=" + home(t), "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c"}
	command := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		if name == self {
			cmd.Args[0] = "assay"
		}
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.Output()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			t.Fatal(err)
		}
		return string(out)
	}
	payloads, names := pagetest.Payloads(), pagetest.Names()
	if len(payloads) < 30 || len(names) < 20 {
		t.Fatalf("%d payloads, %d of them names", len(payloads), len(names))
	}
	var code, doc, checks, docs strings.Builder
	doc.WriteString("# Features\n\n")
	checks.WriteString("retries: 0\nchecks:\n")
	write("base/base.go", "package base\n\n// Least is a number.\nfunc Least() int { return 1 }\n")
	write("go.mod", "module example.org/evil\n")
	for i, evil := range payloads {
		flat := strings.Join(strings.Fields(evil), " ")
		fmt.Fprintf(&doc, "- The function `Missing%d(%s)` frobnicates %s.\n- See [%s](missing/%d%s.md).\n", i, flat, flat, flat, i, strings.NewReplacer(" ", "%20", "(", "", ")", "").Replace(flat))
		fmt.Fprintf(&code, "// Shown%d is %s\nfunc Shown%d(s string /* %s */) int { return base.Least() }\n", i, flat, i, strings.ReplaceAll(flat, "*/", ""))
		fmt.Fprintf(&checks, "  - {name: %q, type: http, url: %q, expect: {json: '.a == \"%s\"'}}\n", evil, "http://127.0.0.1:1/"+fmt.Sprint(i), quotable(flat))
		fmt.Fprintf(&docs, "# %s\n\n## %s\n\nText of %s.\n", flat, flat, flat)
	}
	for i, name := range names {
		write("in "+name+"/README.md", "# Page\n\nSee [the guide](gone.md).\n") // audit ci names the page
		write("in "+name+"/"+name+".go", fmt.Sprintf("package p%d\n\nimport \"example.org/evil/base\"\n\n// Named%d is one.\nfunc Named%d() int { return base.Least() }\n", i, i, i))
	}
	write("code.go", "package evil\n\nimport \"example.org/evil/base\"\n\n"+code.String())
	write("README.md", doc.String())
	write("checks.yaml", checks.String())
	write("pages/"+names[0]+".md", docs.String())
	write(".assay-audit-ignore", "shadow base/** # "+payloads[0]+"\n")
	command("git", "init", "-q")
	command("git", "add", "-A")
	command("git", "commit", "-qm", "all")
	write("base/base.go", "package base\n\n// Least is a number.\nfunc Least() int { return 2 }\n")
	command(self, "docs", "ingest", "pages", "--id", "/o/evil")
	command(self, "run", "checks.yaml", "--html", "checks.html")
	command(self, "audit", "drift", "--html", "--out", "report")
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for what, got := range map[string]struct {
		page  string
		shown []string // texts that it must show: a page without them proves nothing
	}{
		"audit ci":          {command(self, "audit", "ci", "--format", "html"), names},
		"audit drift":       {file("report/drift-report.html"), names},
		"run":               {file("checks.html"), payloads[:1]},
		"docs list":         {command(self, "docs", "list", "--html"), []string{"/o/evil"}},
		"map":               {command(self, "map", "--svg", "--tokens", "20000"), names[:5]},
		"impact of a file":  {command(self, "impact", "base/base.go", "--svg"), names[:5]},
		"impact of changes": {command(self, "impact", "--diff", "--svg", "--limit", "0"), names[:5]},
		"inventory":         {command(self, "inventory", "--svg"), names[:5]},
		"callers":           {command(self, "callers", "Least", "--svg"), names[:5]},
	} {
		if err := pagetest.Inert(got.page); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, want := range got.shown {
			if !pagetest.Shown(got.page, want) {
				t.Errorf("%s does not show %q", what, want)
			}
		}
	}
}

// quotable is a text between single quotes of YAML, without what no document may hold.
func quotable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffd || r == 0x7f || r == 0xfeff || r >= 0x2028 && r <= 0x2029 {
			return -1
		}
		return r
	}, strings.NewReplacer("'", "''", `"`, "").Replace(s))
}

// TestStartWaitsForNoPipe holds that the program starts though a file that desktops keep of a
// user's folders is a pipe that nobody writes to.
func TestStartWaitsForNoPipe(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".config"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(home, ".config", "user-dirs.dirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, shipped(t), "version")
	cmd.Env = []string{"HOME=" + home}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("version: %v %s", err, out)
	}
}
