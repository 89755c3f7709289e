package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// slimBinary names the program that has scripts, checks and modules only. .ci/run builds it, since
// to build it takes longer than all else here; without it TestSlimLinks says what is left out.
const slimBinary = "ASSAY_TEST_SLIM"

// TestSlim holds that program to its size, because what it leaves out comes back with one import.
func TestSlim(t *testing.T) {
	bin := os.Getenv(slimBinary)
	if bin == "" {
		t.Skipf("%s does not name the program: go build -tags slim -trimpath -ldflags '-s -w' -o FILE ./cmd/assay", slimBinary)
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
	for _, without := range []string{"/script/scaffold", "/docs/openapi", "/html/charset", "modernc.org/sqlite", "/code/embed/model2vec"} {
		if i := slices.IndexFunc(linked, func(p string) bool { return strings.HasSuffix(p, without) }); i >= 0 {
			t.Errorf("slim links %s", linked[i])
		}
	}
}
