//go:build unix && !slim

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	wide "github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// onTerminal runs a command line on a terminal of its own and returns what it showed.
func onTerminal(t *testing.T, dir string, columns, rows uint16, env []string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0] = "assay"
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + home(t), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}, env...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, f) // its end is an error of the terminal
	_ = cmd.Wait()
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// home is a user's folder beside the project: one that is above it is indexed by nobody.
func home(t *testing.T) string { return t.TempDir() }

func shopOnDisk(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, dir, map[string]string{
		"go.mod":                          "module example.org/shop\n",
		"pay.go":                          "package shop\n\n// Pay pays an order; see \x1b]8;;http://evil.example\x1b\\pay.go.\nfunc Pay() int {\n\treturn Backoff(2) // again\n}\n",
		"a/folder/of/many/names/calls.go": "package names\n\nimport \"example.org/shop\"\n\nfunc ThisFunctionHasANameThatIsLongerThanItShouldBe() { shop.Pay() }\n",
		"retry.go":                        "package shop\n\nfunc Backoff(n int) int { return n }\n",
	})
	return dir
}

func writeAll(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var link = regexp.MustCompile("\x1b]8;;([^\x1b]*)\x1b\\\\")

// unrolled is what a terminal shows without what erases the progress of work that takes longer than a moment, as
// all does on a busy machine.
func unrolled(shown string) string { return strings.ReplaceAll(shown, "\x1b[K", "") }

// What is shown on a terminal fits it, has colours and links of ours alone, and no tabs.
func TestTerminal(t *testing.T) {
	dir := shopOnDisk(t)
	shown := onTerminal(t, dir, 50, 24, nil, "callers", "Pay")
	if !strings.Contains(shown, "[in ThisFunction") || !strings.Contains(shown, "…") {
		t.Errorf("the table is not one that was cut:\n%s", shown)
	}
	for line := range strings.Lines(link.ReplaceAllString(shown, "")) {
		line = strings.TrimSuffix(line, "\n")
		if n := wide.Width(line); n > 50 && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "Pay  ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	shown = onTerminal(t, dir, 100, 24, nil, "search", "pay an order", "--top-k", "1")
	for _, want := range []string{"\x1b[34mfunc\x1b[0m", "\x1b[2m// again\x1b[0m", "\x1b[34mreturn\x1b[0m", "<U+001B>]8;;http://evil.example<U+001B>\\"} {
		if !strings.Contains(shown, want) {
			t.Errorf("nothing shows as %q in\n%q", want, shown)
		}
	}
	targets := 0
	for _, m := range link.FindAllStringSubmatch(shown, -1) {
		if m[1] == "" {
			continue
		}
		targets++
		if !strings.HasPrefix(m[1], "file://") || !strings.Contains(m[1], dir+"/pay.go#") {
			t.Errorf("a link goes to %s", m[1])
		}
	}
	if targets == 0 || strings.Contains(shown, "\t") {
		t.Errorf("%d links, or a tab:\n%q", targets, shown)
	}
	shown = onTerminal(t, dir, 100, 24, nil, "search", "--regex", "Back[a-z]+", "--top-k", "2")
	if n := strings.Count(shown, "\x1b[1m\x1b[31mBackoff\x1b[0m"); n != 2 {
		t.Errorf("%d matches are marked:\n%q", n, shown)
	}
	for _, args := range [][]string{{"search", "pay an order", "--color", "never"}, {"search", "--color=never", "--regex", "Backoff"}} {
		if shown := onTerminal(t, dir, 100, 24, nil, args...); strings.Contains(unrolled(shown), "\x1b") {
			t.Errorf("%v has colours:\n%q", args, shown)
		}
	}
	if shown := onTerminal(t, dir, 100, 24, []string{"NO_COLOR=1"}, "search", "pay an order"); strings.Contains(unrolled(shown), "\x1b") {
		t.Errorf("NO_COLOR is not heeded:\n%q", shown)
	}
	if shown := onTerminal(t, dir, 100, 24, nil, "search"); !strings.HasPrefix(shown, "\x1b[1;31massay:\x1b[0m ") {
		t.Errorf("an error has no colour:\n%q", shown)
	}
	if shown := onTerminal(t, dir, 100, 60, nil, "search", "--help"); !strings.Contains(shown, "\x1b[1mUsage:\x1b[0m") {
		t.Errorf("help has no headings:\n%q", shown)
	}
}

// A long answer goes to the pager that the user's environment names, and to no other.
func TestPager(t *testing.T) {
	dir := shopOnDisk(t)
	pager := filepath.Join(t.TempDir(), "page")
	testaid.WriteProgram(t, pager, []byte("#!/bin/sh\necho \"PAGED $LESS\"\ncat\n"))
	long := []string{"search", "--regex", "[a-z]", "--top-k", "20"}
	for _, tc := range []struct {
		name  string
		rows  uint16
		env   []string
		args  []string
		paged bool
	}{
		{"longer than the screen", 6, []string{"PAGER=" + pager}, long, true},
		{"ours before others'", 6, []string{"PAGER=false", "ASSAY_PAGER=" + pager}, long, true},
		{"shorter", 200, []string{"PAGER=" + pager}, long, false},
		{"refused", 6, []string{"PAGER=" + pager}, append(long, "--no-pager"), false},
		{"none", 6, []string{"PAGER="}, long, false},
		{"cat", 6, []string{"PAGER=cat"}, long, false},
		{"one that is not there", 6, []string{"PAGER=there-is-no-such-pager"}, long, false},
		{"a terminal that can do nothing", 6, []string{"PAGER=" + pager, "TERM=dumb"}, long, false},
	} {
		shown := onTerminal(t, dir, 100, tc.rows, tc.env, tc.args...)
		if strings.Contains(shown, "PAGED FRX") != tc.paged || !strings.Contains(shown, "retry.go") {
			t.Errorf("%s: paged should be %v:\n%s", tc.name, tc.paged, shown)
		}
	}
}

// In a pipe there is nothing of all this.
func TestPiped(t *testing.T) {
	dir := shopOnDisk(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"search", "pay an order"}, {"callers", "Pay", "--table"}, {"search", "--regex", "Backoff"}} {
		cmd := exec.CommandContext(t.Context(), self, args...)
		cmd.Args[0] = "assay"
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + home(t), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "PAGER=false", "COLUMNS=20"}
		out, err := cmd.Output()
		if err != nil || bytes.Contains(out, []byte("\x1b")) || bytes.Contains(out, []byte("…")) || len(out) == 0 {
			t.Errorf("%v: %v\n%q", args, err, out)
		}
	}
}
