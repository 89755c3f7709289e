package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSlim builds the program that has scripts, checks and modules only, and holds it to
// its size: what it leaves out comes back with one import.
func TestSlim(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	bin := filepath.Join(t.TempDir(), "assay.exe")
	build := exec.Command("go", "build", "-tags", "slim", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(14_050_000); info.Size() > most {
		t.Errorf("it has %d bytes, want at most %d", info.Size(), most)
	}
	for _, c := range []struct {
		want   string
		status int
		args   []string
	}{
		{"[1,2]", 0, []string{"exec", "-e", "return json.encode({1, 2})"}},
		{"assay.alertmanager", 0, []string{"context", "silence an alert"}},
		{"no databases", 1, []string{"exec", "-e", `return db.connect("sqlite::memory:")`}},
		{`no command "search"`, 2, []string{"search", "retry"}},
		{"lua.memory", 0, []string{"config", "show"}},
	} {
		cmd := exec.Command(bin, c.args...)
		home := t.TempDir()
		cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(string(out), c.want) {
			t.Errorf("assay %s: status %d, %v, want %d:\n%s", strings.Join(c.args, " "), got, err, c.status, out)
		}
	}
}

// What the slim program leaves out is not linked into it.
func TestSlimLinks(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-tags", "slim", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, without := range []string{"/feature/module/scaffold", "/domain/openapi", "/html/charset", "modernc.org/sqlite", "/core/embed/model2vec"} {
		if i := slices.IndexFunc(linked, func(p string) bool { return strings.HasSuffix(p, without) }); i >= 0 {
			t.Errorf("slim links %s", linked[i])
		}
	}
}
