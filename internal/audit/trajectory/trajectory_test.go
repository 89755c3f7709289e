package trajectory_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
)

func TestAppendKeepsLinesWhole(t *testing.T) {
	root := t.TempDir()
	l, kept := trajectory.Open(root, "")
	if kept {
		t.Error("an empty folder is taken for a framework's")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var group sync.WaitGroup
	const writers, records = 16, 1000
	for w := range writers {
		group.Go(func() {
			for n := range records {
				// Some are longer than what a pipe or a page takes at once.
				query := fmt.Sprintf("%d of %d%s", n, w, strings.Repeat(" q", n%100/99*9000))
				if err := l.Append(trajectory.Record{Time: at, Agent: "../x y", Phase: "intent", Query: query}); err != nil {
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
	seen := map[[2]int]bool{}
	var last [writers]int
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		var r trajectory.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("corrupt line %.60q: %v", line, err)
		}
		var n, w int
		if _, err := fmt.Sscanf(r.Query, "%d of %d", &n, &w); err != nil || len(r.Query) < n%100/99*18000 {
			t.Fatalf("corrupt record %.60q: %v", r.Query, err)
		}
		if seen[[2]int{n, w}] || n < last[w] {
			t.Errorf("record %d of %d is out of place", n, w)
		}
		seen[[2]int{n, w}], last[w] = true, n
	}
	if len(seen) != writers*records {
		t.Errorf("%d records, want %d", len(seen), writers*records)
	}
}

// Lines that are none are named and dropped; the others are there, also the one that
// follows a line that was corrupt.
func TestReadMalformed(t *testing.T) {
	root := t.TempDir()
	l, _ := trajectory.Open(root, "")
	if err := os.MkdirAll(l.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	good := `{"ts":"2026-01-02T03:04:05Z","agent":"a","phase":"execute","query":"q"}`
	for i, tc := range []struct {
		name, text string
		bad        []int
		good       int
	}{
		{"sound", good + "\n" + good + "\n", nil, 2},
		{"blank lines", "\n\n" + good + "\n\n", nil, 1},
		{"no JSON", good + "\nnot json\n" + good + "\n", []int{2}, 2},
		{"no object", "[1,2]\n\"s\"\n12\n" + good + "\n", []int{1, 2, 3}, 1},
		{"cut off", good + "\n" + good[:20] + "\n" + good + "\n", []int{2}, 2},
		{"two on a line", good + good + "\n" + good + "\n", []int{1}, 1},
		{"zeros", "\x00\x00\x00\n" + good + "\n", []int{1}, 1},
		{"no text", "\xff\xfe{\n" + good + "\n", []int{1}, 1},
		{"Windows", good + "\r\n" + good + "\r\n", nil, 2},
		{"too long", "{\"q\":\"" + strings.Repeat("x", 2<<20) + "\"}\n" + good + "\n", []int{1}, 1},
		{"fields of other types", `{"ts":7,"agent":[],"phase":{},"result_count":"many"}` + "\n", nil, 1},
		{"corrupt at its end", good + "\n" + good[:30], []int{2}, 1},
	} {
		day := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		file := filepath.Join(l.Dir(), "a-"+day.Format(time.DateOnly)+".jsonl")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, day, day); err != nil {
			t.Fatal(err)
		}
		if err := l.Append(trajectory.Record{Time: day, Agent: "a", Phase: "intent", Query: "last"}); err != nil {
			t.Fatal(err)
		}
		r, err := l.Read("")
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		var bad []int
		for _, b := range r.Bad {
			bad = append(bad, b.Line)
			if b.File != filepath.Base(file) || b.Err == nil {
				t.Errorf("%s: %+v", tc.name, b)
			}
		}
		if !slices.Equal(bad, tc.bad) || len(r.Entries) != tc.good+1 {
			t.Errorf("%s: %d entries and bad lines %v, want %d and %v", tc.name, len(r.Entries), bad, tc.good+1, tc.bad)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpenFindsAFramework(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "grimoires", "loa"), 0o755); err != nil {
		t.Fatal(err)
	}
	l, kept := trajectory.Open(root, "")
	if want := filepath.Join(root, "grimoires", "loa", "a2a", "trajectory"); !kept || l.Dir() != want {
		t.Errorf("Open = %s, %v, want %s", l.Dir(), kept, want)
	}
	if _, kept := trajectory.Open(root, "off"); kept {
		t.Error("a log that is off is kept")
	}
	for _, mode := range []string{"strict", "lenient"} {
		if _, kept := trajectory.Open(t.TempDir(), mode); !kept {
			t.Errorf("the mode %s keeps no log", mode)
		}
	}
}

func TestALinkOutOfTheProjectIsNotFollowed(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".assay")); err != nil {
		t.Skip(err)
	}
	l, _ := trajectory.Open(root, "")
	if err := l.Append(trajectory.Record{Agent: "a", Phase: "intent"}); err == nil {
		t.Error("Append wrote through a symbolic link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("Append left %v outside the project", entries)
	}
}

// TestAppendInterrupted holds that a log whose first writer was killed between making the
// folder and what excludes it from the repository is excluded by the next; and that
// who takes that away, to share the log, is heeded.
func TestAppendInterrupted(t *testing.T) {
	dir := t.TempDir()
	l, _ := trajectory.Open(dir, "")
	folder := filepath.Join(dir, ".assay", "trajectory")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(trajectory.Record{Agent: "a", Phase: "intent"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".gitignore", ".assayignore"} {
		if b, err := os.ReadFile(filepath.Join(folder, name)); string(b) != "*\n" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if err := os.Remove(filepath.Join(folder, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(trajectory.Record{Agent: "a", Phase: "intent"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, ".gitignore")); err == nil {
		t.Error("it is there again")
	}
}
