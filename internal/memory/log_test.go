package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

// What went wrong comes back with its time, its number and what to do, newest first.
func TestHookLog(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	l := HookLog{Dir: filepath.Join(t.TempDir(), "a", "b"), Now: func() time.Time { return now }}
	if got, err := l.Failures(time.Time{}, 9); err != nil || got != nil {
		t.Errorf("without a log: %v, %v", got, err)
	}
	l.Add("claude", "idle", errors.New("long ago"))
	now = now.Add(time.Hour)
	for range 3 {
		l.Add("codex", "prompt", fault.New(fault.Usage, "bad\n\x00line: %s", strings.Repeat("é", maxEntry)).Or("fix it"))
	}
	now = now.Add(time.Hour)
	l.Add("--odd\n2026-01-01T00:00:00Z x", "y", errors.New("key ghp_abcdefghijklmnopqrstuvwxyz0123456789"))
	l.Add("claude", "idle", nil)
	got, err := l.Failures(now.Add(-90*time.Minute), 9)
	if err != nil || len(got) != 2 || got[0].Last != now || strings.Contains(got[0].Says, "ghp_") || got[1].Where != "codex prompt" || got[1].Times != 3 ||
		got[1].Fix != "fix it" || len(got[1].Says) > maxEntry+len("…") || !strings.HasPrefix(got[1].Says, "bad line: é") {
		t.Errorf("%v: %+v", err, got)
	}
	if got, err := l.Failures(time.Time{}, 1); err != nil || len(got) != 1 || !strings.HasPrefix(got[0].Says, "key ") {
		t.Errorf("the last one: %v, %+v", err, got)
	}
	if st, err := os.Stat(l.Path()); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	HookLog{Now: l.Now}.Add("claude", "idle", errors.New("to nobody"))
}

// The log and the one before it are bounded.
func TestHookLogBounded(t *testing.T) {
	l := HookLog{Dir: t.TempDir(), Now: time.Now}
	for i := range 3 {
		if err := os.WriteFile(l.Path(), make([]byte, maxLog+1), 0o600); err != nil {
			t.Fatal(err)
		}
		l.Add("claude", "idle", fmt.Errorf("line %d %s", i, strings.Repeat("x", 100*maxEntry)))
		text, err := os.ReadFile(l.Path())
		if err != nil || len(text) > 2*maxEntry || !strings.Contains(string(text), fmt.Sprintf("claude idle: line %d", i)) {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(l.Dir, "*")); err != nil || len(names) != 3 { // it, the one before and their lock
		t.Errorf("%v %v", names, err)
	}
}

// Where something else has the place of the log, that stays as it is.
func TestHookLogElsewhere(t *testing.T) {
	l := HookLog{Dir: t.TempDir(), Now: time.Now}
	other := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(other, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, l.Path()); err != nil {
		t.Fatal(err)
	}
	l.Add("claude", "idle", errors.New("oh"))
	if text, err := os.ReadFile(other); err != nil || string(text) != "theirs" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := l.Failures(time.Time{}, 1); err == nil || fault.HintOf(err) == "" {
		t.Errorf("a link for a log: %v", err)
	}
}

// A key that lies across the end of what is looked through is not shown in part, even where
// white space before it brings that end within what is shown.
func TestEntryCut(t *testing.T) {
	key := "ghp_" + strings.Repeat("16C7e42F292c", 3)
	for back := range len(key) {
		s := "failed:" + strings.Repeat(" ", 8*maxEntry-len("failed:")-back) + key + " end"
		if got := entry(s, maxEntry); strings.Contains(got, "gh") {
			t.Fatalf("%d bytes of it: %q", back, got)
		}
	}
	if got := entry(strings.Repeat("x", 9*maxEntry), maxEntry); len(got) < maxEntry/2 || len(got) > maxEntry+len("…") {
		t.Errorf("one word: %d bytes", len(got))
	}
}
