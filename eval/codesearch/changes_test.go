package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// history makes a project of four commits below a folder of clones: three touch sources,
// of which one has too short a subject.
func history(t *testing.T) (clones string, commits []string) {
	t.Helper()
	clones = t.TempDir()
	dir := filepath.Join(clones, "acme+tool", "repo")
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write(t, dir, map[string]string{"a.go": "nothing", "b.go": "the cache drops an entry", "b_test.go": "x"})
	git("init", "-q")
	for _, c := range []struct {
		message string
		files   map[string]string
	}{
		{"start", nil},
		{"fix: the cache drops an entry (#12)\n\nIt is gone after a call.\n\nSigned-off-by: a", map[string]string{"b.go": "kept", "b_test.go": "x\ncache.Get(1)"}},
		{"short", map[string]string{"a.go": "1"}},
		{"describe what the tool is for", map[string]string{"README.md": "1"}},
		{"never say what is found here", map[string]string{"a.go": "2", "new_test.go": "1"}},
	} {
		write(t, dir, c.files)
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", c.message)
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return clones, commits
}

// The newest changes are asked for in the tree before all of them, those of a list each
// in the tree before it; a file counts at its first hit.
func TestChanges(t *testing.T) {
	t.Setenv("CODESEARCH_TEST_AS_ASSAY", "1")
	clones, commits := history(t)
	list := filepath.Join(t.TempDir(), "changes.jsonl")
	line := fmt.Sprintf(`{"repo":"acme+tool","commit":%q,"parent":%q,"files":["b.go"]}`+"\n", commits[1], commits[0])
	if err := os.WriteFile(list, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		o    options
		want string
	}{
		{options{field: "subject", repos: []string{"acme/tool"}}, "acme/tool 2 0.500 0.500 0.500 0.500 0.500"},
		{options{field: "subject", list: list}, "acme/tool 1 1.000 1.000 1.000 1.000 1.000"},
		{options{field: "full", repos: []string{"acme/tool"}}, "acme/tool 2 0.000 0.000 0.000 0.000 0.000"},
		{options{field: "subject", letters: 26, repos: []string{"acme/tool"}}, "acme/tool 1 0.000"},
		{options{field: "subject", letters: 99, repos: []string{"acme/tool"}}, "acme/tool has no such change"},
	} {
		tc.o.changes, tc.o.assay, tc.o.workdir, tc.o.most = clones, os.Args[0], "trees", 10
		t.Chdir(t.TempDir())
		tc.o.json = "out.json"
		var out bytes.Buffer
		if err := run(context.Background(), tc.o, &out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, tc.want) {
			t.Errorf("%+v: no %q in\n%s", tc.o, tc.want, &out)
		}
		var rows []changeRow
		if err := readJSON(tc.o.json, &rows); err != nil {
			t.Error(err)
		}
	}
	var out bytes.Buffer
	if err := run(context.Background(), options{changes: clones, assay: os.Args[0], workdir: t.TempDir(), repos: []string{"nobody/here"}}, &out); err == nil || !strings.Contains(out.String(), "nobody/here") {
		t.Errorf("a project that is not there: %v\n%s", err, &out)
	}
}

// A report is the message with the lines that tests gained; what names the change is not in it.
func TestReport(t *testing.T) {
	clones, commits := history(t)
	c := change{Commit: commits[1]}
	git := gitDir(clones, "acme/tool")
	if err := read(context.Background(), git, &c); err != nil {
		t.Fatal(err)
	}
	m := mine{o: options{field: "report"}}
	got := m.query(context.Background(), git, c)
	for _, want := range []string{"the cache drops an entry", "It is gone after a call.", "cache.Get(1)", "### Steps to reproduce"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, not := range []string{"#12", "fix:", "Signed-off-by", "%!"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in\n%s", not, got)
		}
	}
}
