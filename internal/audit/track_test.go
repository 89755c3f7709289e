package audit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// A module has one ticket, however much of it no document knows; a run makes no more than
// it may, a dry one none, and a ticket is closed with the last finding of its module.
func TestTickets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tracker of the test is a script")
	}
	files := map[string]string{"go.mod": "module m\n", "README.md": "# M\n\nIt does things.\n"}
	for i := range 5 {
		text := fmt.Sprintf("package p%d\n", i)
		for k := range 12 {
			text += fmt.Sprintf("\nfunc Orphan%d%c() {}\n", i, 'A'+k)
		}
		files[fmt.Sprintf("p%d/p.go", i)] = text
	}
	root, f := project(t, files)
	log := filepath.Join(t.TempDir(), "log")
	bd := filepath.Join(t.TempDir(), "bd")
	testaid.WriteProgram(t, bd, []byte("#!/bin/sh\necho \"$1 $2\" | tee -a '"+log+".all' >> '"+log+"'\necho \"Created issue: m-$(wc -l < '"+log+".all' | tr -d ' ')\"\n"))
	f.cfg.Tracker = func(dir string) (*claims.Tracker, bool) { return &claims.Tracker{Program: bd, Dir: dir}, true }
	calls := func() string {
		text, _ := os.ReadFile(log)
		_ = os.Remove(log)
		return string(text)
	}
	dry, err := f.Shadows(t.Context(), ShadowsInput{Tracking: Tracking{Dry: true, Most: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dry.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	if got := calls(); got != "" || strings.Join(dry.Planned, "; ") != "SHADOW (orphaned): p0; SHADOW (orphaned): p1; SHADOW (orphaned): p2" || dry.Omitted != 2 || len(dry.Tickets) != 0 ||
		!strings.Contains(b.String(), "would open: SHADOW (orphaned): p0\n") || !strings.Contains(b.String(), "\n2 more tickets are over the limit") {
		t.Errorf("a dry run calls %q and plans %q, %d over, %v:\n%s", got, dry.Planned, dry.Omitted, dry.Tickets, b.String())
	}
	drift := func(in Tracking) *Drift {
		t.Helper()
		out, err := f.Drift(t.Context(), DriftInput{Tracking: in})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	drift(Tracking{Track: true, Most: 3})
	if got := calls(); got != "create SHADOW (orphaned): p0\ncreate SHADOW (orphaned): p1\ncreate SHADOW (orphaned): p2\n" {
		t.Errorf("at most 3: %s", got)
	}
	drift(Tracking{Track: true})
	if got := calls(); got != "create SHADOW (orphaned): p3\ncreate SHADOW (orphaned): p4\n" {
		t.Errorf("the rest: %s", got)
	}
	document := func(n int) {
		text := files["README.md"]
		for k := range n {
			text += fmt.Sprintf("\n- `Orphan0%c()` does a thing.\n", 'A'+k)
		}
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	document(11)
	drift(Tracking{Track: true})
	if got := calls(); got != "" {
		t.Errorf("one of a module is left, and the tracker is called: %s", got)
	}
	document(12)
	if out := drift(Tracking{Dry: true}); len(out.Closing) != 1 || calls() != "" {
		t.Errorf("a dry run would close %v", out.Closing)
	}
}
