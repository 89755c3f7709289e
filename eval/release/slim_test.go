package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSlim builds the program that has scripts, checks and modules only, and holds it to
// its size: what it leaves out comes back with one import. It stands here and not beside
// the program, because to build it takes longer than all tests there.
func TestSlim(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "assay.exe")
	if err := build(target{os: runtime.GOOS, arch: runtime.GOARCH}, filepath.Join("..", ".."), bin, "slim"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxSlim {
		t.Errorf("it has %d bytes, want at most %d", info.Size(), maxSlim)
	}
	tests := []struct {
		name, want string
		status     int
		args       []string
	}{
		{"a script", "[1,2]", 0, []string{"exec", "-e", "return json.encode({1, 2})"}},
		{"the catalog", "assay.alertmanager", 0, []string{"context", "silence an alert"}},
		{"no databases", "no databases", 1, []string{"exec", "-e", `return db.connect("sqlite::memory:")`}},
		{"no search", `no command "search"`, 2, []string{"search", "retry"}},
		{"the settings", "lua.memory", 0, []string{"config", "show"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(bin, tt.args...)
			home := t.TempDir()
			cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
			out, err := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != tt.status || !strings.Contains(string(out), tt.want) {
				t.Errorf("assay %s: status %d, %v, want %d:\n%s", strings.Join(tt.args, " "), got, err, tt.status, out)
			}
		})
	}
}
