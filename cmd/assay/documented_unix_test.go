//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	typed       = regexp.MustCompile(`(?m)^(?:    )?(?:\$ )?((?:[a-z]\w*[^\n|]*\| *)?assay [^\n]+)$`)
	afterwards  = regexp.MustCompile(`\s+# |\s{3,}`)
	placeholder = regexp.MustCompile(`\[|\.\.\.|…|(?:^|[^\w./-])[A-Z][A-Z0-9_]*(?:$|[^\w=])`)
	// What stays until it is stopped, listens for others, fetches for long, or is for
	// builds with the tag team has tests of its own.
	elsewhere = regexp.MustCompile(`^assay (?:ui|serve|watch)\b|--watch\b|--preset-all|--vus|index\.backend`)
)

// Every command line that the documents show, and that has no placeholder, is run in a
// small project as it stands: none is a wrong use, and none ends as a defect does. There
// is no network, so those that need one say that it is not available.
func TestDocumentedRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "assay")); err != nil {
		t.Fatal(err)
	}
	shown := 0
	all := documents(t)
	tried := sample(all, 1, 4)
	for _, document := range all {
		if filepath.Base(document) == "reference.md" { // examples of every command, which package op runs
			continue
		}
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		lines, named := shownLines(string(text))
		if len(lines)+len(named) == 0 {
			continue
		}
		home := t.TempDir()
		env := []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "GIT_TERMINAL_PROMPT=0"}
		project := filepath.Join(home, "shop")
		for name, text := range map[string]string{
			"go.mod": "module example.org/shop\n\ngo 1.24\n", "retry.go": "package shop\n\n// Backoff waits.\nfunc Backoff(n int) int { return n * n }\n",
			"README.md": "# Shop\n\n`Pay` pays.\n", "docs/pay.md": "# Pay\n\nText.\n", "REVIEW.md": "A review.\n", "script.lua": "print(1)\n",
			"issue.txt": "retry fails\n", "issue.md": "retry fails\n", "failed.txt": "retry.go:4: fails\n", "checks.yaml": "checks: []\n",
		} {
			path := filepath.Join(project, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		shell := func(line string) (string, int) {
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", line)
			cmd.Dir, cmd.Env = project, env
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				t.Fatalf("%s: %v", line, err)
			}
			return string(out), cmd.ProcessState.ExitCode()
		}
		if out, code := shell("git init -q && git add -A && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm x"); code != 0 {
			t.Fatal(out)
		}
		shown += len(lines) + len(named)
		if !slices.Contains(tried, document) {
			continue
		}
		lines, named = sample(lines, 3, 4), sample(named, 3, 4)
		for _, line := range lines {
			out, code := shell(line)
			if !slices.Contains([]int{0, 1, 3, 4, 5}, code) && !strings.Contains(out, "nothing was restored: other data is in the way") {
				t.Errorf("%s: %s: status %d\n%s", filepath.Base(document), line, code, out)
			}
		}
		for _, line := range named { // a sentence may name a command without what it needs
			if out, code := shell(line); !slices.Contains([]int{0, 1, 2, 3, 4, 5}, code) {
				t.Errorf("%s: %s: status %d\n%s", filepath.Base(document), line, code, out)
			}
		}
	}
	if shown < 150 {
		t.Errorf("only %d command lines were found", shown)
	}
}

// shownLines are the command lines of a document that can be run as they stand, and
// those that its sentences name.
func shownLines(text string) (out, named []string) {
	for _, m := range typed.FindAllStringSubmatch(text, -1) {
		line := strings.TrimSpace(afterwards.Split(m[1], 2)[0])
		at := strings.Index(line, "assay ")
		if !strings.HasPrefix(m[0], "    ") && !strings.HasPrefix(m[0], "$ ") || at < 0 ||
			placeholder.MatchString(quoted.ReplaceAllString(line, "quoted")) || elsewhere.MatchString(line[at:]) {
			continue
		}
		out = append(out, line)
	}
	for _, m := range span.FindAllStringSubmatch(text, -1) { // in a sentence
		line := "assay " + m[1]
		if !placeholder.MatchString(quoted.ReplaceAllString(line, "quoted")) && !elsewhere.MatchString(line) && !slices.Contains(out, line) && !slices.Contains(named, line) {
			named = append(named, line)
		}
	}
	return out, named
}
