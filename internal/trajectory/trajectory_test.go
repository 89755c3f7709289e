package trajectory_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/trajectory"
)

func TestAppendKeepsLinesWhole(t *testing.T) {
	root := t.TempDir()
	l, kept := trajectory.Open(root)
	if kept {
		t.Error("an empty folder is taken for a framework's")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if err := l.Append(trajectory.Record{Time: at, Agent: "../x y", Phase: "intent", Query: strings.Repeat("q", 3000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	b, err := os.ReadFile(filepath.Join(root, ".assay", "trajectory", "___x_y-2026-01-02.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(lines) != 400 {
		t.Errorf("%d lines, want 400", len(lines))
	}
	for _, line := range lines {
		var r trajectory.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || len(r.Query) != 3000 {
			t.Fatalf("torn line %q: %v", line[:40], err)
		}
	}
}

func TestOpenFindsAFramework(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "grimoires", "loa"), 0o755); err != nil {
		t.Fatal(err)
	}
	l, kept := trajectory.Open(root)
	if want := filepath.Join(root, "grimoires", "loa", "a2a", "trajectory"); !kept || l.Dir() != want {
		t.Errorf("Open = %s, %v, want %s", l.Dir(), kept, want)
	}
}

func TestALinkOutOfTheProjectIsNotFollowed(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".assay")); err != nil {
		t.Skip(err)
	}
	l, _ := trajectory.Open(root)
	if err := l.Append(trajectory.Record{Agent: "a", Phase: "intent"}); err == nil {
		t.Error("Append wrote through a symbolic link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("Append left %v outside the project", entries)
	}
}
