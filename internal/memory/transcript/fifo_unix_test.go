//go:build unix

package transcript

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe under the name of a session is not waited for.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".claude/projects/-p/00000001.jsonl"), claudeSays("user", "ask"))
	if err := syscall.Mkfifo(filepath.Join(dir, ".claude/projects/-p/00000002.jsonl"), 0o644); err != nil {
		t.Skip(err)
	}
	if refs, skipped := list(t, source(t, dir, "claude")); len(refs) != 1 || skipped != 1 {
		t.Errorf("List = %+v, %d skipped, want one and the pipe", refs, skipped)
	}
	db := filepath.Join(dir, ".local/share/goose/sessions/sessions.db")
	write(t, db+"-not", "")
	if err := syscall.Mkfifo(db, 0o644); err != nil {
		t.Fatal(err)
	}
	if refs, skipped := list(t, source(t, dir, "goose")); len(refs) != 0 || skipped != 1 {
		t.Errorf("List = %+v, %d skipped, want the pipe alone", refs, skipped)
	}
}
