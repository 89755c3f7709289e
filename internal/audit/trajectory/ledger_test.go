package trajectory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
)

func TestSpent(t *testing.T) {
	root := t.TempDir()
	l, _ := trajectory.Open(root, "")
	start := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	add := func(minute int, phase string, tokens int) {
		t.Helper()
		if err := l.Append(trajectory.Record{Time: start.Add(time.Duration(minute) * time.Minute), Agent: "a", Phase: phase, Tokens: tokens}); err != nil {
			t.Fatal(err)
		}
	}
	at := func(minute int) trajectory.Spent { return l.Spent("a", start.Add(time.Duration(minute)*time.Minute)) }
	if s := at(0); s != (trajectory.Spent{}) {
		t.Errorf("without a log %+v", s)
	}
	add(0, "result", 9000) // a session of its own
	add(40, "result", 1500)
	add(41, "execute", 7000) // the same search; its result says what it cost
	add(42, "result", 2500)
	if s := at(43); s.Searches != 2 || s.Last != 2500 || s.Accumulated != 4000 || s.Session != 4000 || !s.Since.Equal(start.Add(40*time.Minute)) {
		t.Errorf("before a synthesis %+v", s)
	} else if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0], "2500") {
		t.Errorf("warnings %q", w)
	}
	add(44, "synthesis", 0)
	add(45, "result", 5001)
	add(46, "result", 6000)
	add(47, "result", 100)
	s := at(48)
	if s.Accumulated != 11101 || s.Session != 15101 {
		t.Errorf("after it %+v", s)
	}
	if w := s.Warnings(); len(w) != 2 || !strings.Contains(w[0], "15101") || !strings.Contains(w[1], "11101") {
		t.Errorf("warnings %q", w)
	}
	if s := at(47 + 31); s != (trajectory.Spent{}) {
		t.Errorf("after a pause %+v", s)
	}
	if s := l.Spent("b", start.Add(48*time.Minute)); s != (trajectory.Spent{}) {
		t.Errorf("of another agent %+v", s)
	}
	// A line that is none costs nothing and stops nothing.
	name := filepath.Join(l.Dir(), "a-2026-01-02.jsonl")
	b, _ := os.ReadFile(name)
	if err := os.WriteFile(name, append(b, "{corrupt\n{\"phase\":\"result\",\"ts\":\"2026-01-02T10:48:00Z\",\"tokens_estimated\":\"many\"}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if again := at(48); again != s {
		t.Errorf("with a corrupt line %+v, want %+v", again, s)
	}
}
