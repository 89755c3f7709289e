package file

import (
	"crypto/rand"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A temporary file is abandoned when its process has ended or when it is old; that of a process which lives,
// of another machine or of any other name is not.
func TestAbandoned(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dead := cmd.Process.Pid
	rest := rand.Text()[ofProcess+ofSpace:]
	known := processSpace() != ""
	now := time.Now()
	for _, tt := range []struct {
		what, name string
		age        time.Duration
		want       bool
	}{
		{"of this process", TemporaryName(), 0, false},
		{"of this process, old", TemporaryName(), 2 * time.Hour, true},
		{"of a process that has ended", Temporary + mark(processSpace(), dead) + rest, 0, known},
		{"of another machine", Temporary + mark("AAAAAA", dead) + rest, 0, false},
		{"of another machine, old", Temporary + mark("AAAAAA", dead) + rest, 2 * time.Hour, true},
		{"of no process", Temporary + mark("", 0) + rest, 0, false},
		{"no temporary name", "note.md", 2 * time.Hour, false},
		{"a longer name", Temporary + mark(processSpace(), dead) + rest + "x", 2 * time.Hour, false},
	} {
		if got := Abandoned(tt.name, now.Add(-tt.age), now); got != tt.want {
			t.Errorf("%s: Abandoned(%q) = %v, want %v", tt.what, tt.name, got, tt.want)
		}
	}
	if name := TemporaryName(); !IsTemporary(name) || name == TemporaryName() {
		t.Errorf("%q is no temporary name, or not a new one", name)
	}
}
