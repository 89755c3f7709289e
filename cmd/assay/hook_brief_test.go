//go:build !slim

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first prompt of a session is offered a brief where the project has an index, and
// nothing, not even an index, where it has none.
func TestHookBrief(t *testing.T) {
	w := newHookWorld(t, "brief")
	w.must(os.WriteFile(filepath.Join(w.work, "retry.go"), []byte("package retry\n\n// Delay is how long a retry waits.\nfunc Delay(attempt int) int { return 1 << attempt }\n"), 0o600))
	hook, input := w.args, fmt.Sprintf(`{"session_id": "s1", "cwd": %q, "prompt": "the delay of a retry should be capped"}`, w.work)
	ask := func() string {
		t.Helper()
		w.args, w.stdin = hook, strings.NewReader(input)
		return w.run()
	}
	if out := ask(); out != "" {
		t.Errorf("without an index it says %q", out)
	}
	if _, err := os.Stat(filepath.Join(w.work, ".assay")); err == nil {
		t.Error("it made an index")
	}
	w.args = []string{"index", "--quiet"}
	w.run()
	var told struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	out := ask()
	if err := json.Unmarshal([]byte(out), &told); err != nil || told.HookSpecificOutput.HookEventName != "UserPromptSubmit" ||
		!strings.Contains(told.HookSpecificOutput.AdditionalContext, "\nretry.go (") || !strings.Contains(told.HookSpecificOutput.AdditionalContext, " 4  func Delay(attempt int) int") {
		log, err := os.ReadFile(w.log)
		t.Errorf("it says %q; its log: %s %v", out, log, err)
	}
	if out := ask(); out != "" {
		t.Errorf("asked again it says %q", out)
	}
}
