package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == underArg { // a test traces its own binary, which becomes assay
		fmt.Fprintln(os.Stderr, under(os.Args[2:]))
		os.Exit(125)
	}
	os.Exit(m.Run())
}

// few is about how many faults go test injects into a command; all where there are not
// many more. The program injects all.
const few = 8

// TestFaults holds that whatever call a disk fails, cuts short, loses or is the last of a
// process, the next commands answer as before or as after.
func TestFaults(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "assay")
	build := exec.Command("go", "build", "-o", binary, "github.com/assay-dev/assay/cmd/assay")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			s, err := newSweep(binary, c)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			step := 1
			if all := len(s.plans(1)); all > 3*few {
				step = all / few
			}
			for _, p := range s.plans(step) {
				for _, wrong := range s.try(p) {
					t.Errorf("%s %d (%s %s): %s", p.mode, p.n, s.ops[p.n-1].kind, s.ops[p.n-1].path, wrong)
				}
			}
		})
	}
}

// TestInjected holds that a call that is to go wrong does, and in that way: a test that
// injects nothing would always pass.
func TestInjected(t *testing.T) {
	for _, tt := range []struct {
		p      plan
		status int
		text   string
	}{
		{plan{}, 0, "hello\n"},
		{plan{2, "fail"}, 1, ""},
		{plan{1, "full"}, 1, "-"},
		{plan{2, "short"}, 0, "hello\n"}, // the rest is written by another call
		{plan{2, "lose"}, 0, ""},
		{plan{2, "kill"}, -1, ""},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "proj"), 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := trace(tt.p, dir, "hello\n", []string{"PATH=/usr/bin:/bin"}, "/bin/dd", "of=out", "status=none")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "proj", "out"))
		if err != nil {
			text = []byte("-")
		}
		if r.status != tt.status || string(text) != tt.text {
			t.Errorf("%s %d: status %d, %q, %v, want status %d, %q; %s", tt.p.mode, tt.p.n, r.status, text, r.ops, tt.status, tt.text, r.stderr)
		}
	}
}
