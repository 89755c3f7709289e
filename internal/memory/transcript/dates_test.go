package transcript

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A session is of the days that its records name, whenever its file was written; without any
// it is of no day. A command without words and what a hook says are no turns.
func TestDatesAreOfTheRecords(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "projects", "p")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(stamp, text string) string {
		return `{"type":"user","uuid":"` + text + `","timestamp":"` + stamp + `","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	for name, s := range map[string]string{
		"dated":   line("2024-03-01T10:00:00Z", "one wombat") + line("2024-03-02T10:00:00Z", "/compact") + line("2024-03-02T11:00:00Z", "Stop hook feedback: lint failed") + line("2024-03-03T10:00:00Z", "two"),
		"undated": line("", "three wombats"),
	} {
		path := filepath.Join(folder, name+".jsonl")
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		copied := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, copied, copied); err != nil {
			t.Fatal(err)
		}
	}
	src := newClaude(dir)
	s, err := src.Read(context.Background(), Ref{Agent: "claude", ID: "dated"})
	if err != nil || s.Created.Format(time.DateOnly) != "2024-03-01" || s.Updated.Format(time.DateOnly) != "2024-03-03" || len(s.Turns) != 2 {
		t.Errorf("%+v %v", s, err)
	}
	if s, err = src.Read(context.Background(), Ref{Agent: "claude", ID: "undated"}); err != nil || !s.Created.IsZero() || !s.Updated.IsZero() {
		t.Fatalf("%+v %v", s, err)
	}
	if got, want := s.Text(), "[Session: three wombats]\n\nUser: three wombats\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
