package trajectory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
)

// No field that says something says a secret.
func TestSecrets(t *testing.T) {
	root := t.TempDir()
	l, _ := trajectory.Open(root, "")
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	given := trajectory.Record{Time: at, Agent: "a", Phase: "pivot", Action: "search", Query: secret, Intent: secret, Rationale: secret, Expected: secret, Engine: secret,
		Reason: secret, Original: secret, Failure: secret, Refined: secret, NewQuery: secret, Summary: secret, Discrepancy: secret,
		Citations: []trajectory.Citation{{Claim: secret, Code: secret}}, Dropped: []trajectory.Dropped{{Line: 1, Error: secret}}}
	if err := l.Append(given); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(l.Dir(), "a-2026-01-02.jsonl"))
	if err != nil || strings.Contains(string(b), secret) || strings.Count(string(b), "[redacted:") != 15 {
		t.Errorf("%s %v", b, err)
	}
	if given.Dropped[0].Error != secret {
		t.Error("what was given is changed")
	}
}

// A link in the log's place leads to a file of the project, which is no log.
func TestLinkWithin(t *testing.T) {
	root := t.TempDir()
	l, _ := trajectory.Open(root, "")
	if err := os.MkdirAll(l.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	code := filepath.Join(root, "main.go")
	if err := os.WriteFile(code, []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../main.go", filepath.Join(l.Dir(), "a-2026-01-02.jsonl")); err != nil {
		t.Skip(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := l.Append(trajectory.Record{Time: at, Agent: "a", Phase: "intent"}); err == nil {
		t.Error("the link was followed")
	}
	if b, _ := os.ReadFile(code); string(b) != "package main\n" {
		t.Errorf("%q", b)
	}
}
