//go:build !slim

package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/present/op"
)

// TestMan holds that the manual page has every command, and that groff, where it is,
// finds nothing wrong with it.
func TestMan(t *testing.T) {
	ops := op.All(op.Features{Code: code.New(workspace.New(workspace.Config{}), code.Config{})})
	var b bytes.Buffer
	p := &program{ops: ops, env: Env{Stdout: &b, Version: `1.0 "x" \ …`}}
	if err := p.man(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{".SH \"ASSAY SEARCH\"\n", `\-\-top\-k`, `1.0 \(dqx\(dq \e \[u2026]`} {
		if !strings.Contains(page, want) {
			t.Errorf("it has no %s", want)
		}
	}
	for line := range strings.Lines(page) {
		if macro, ok := strings.CutPrefix(line, "."); ok && !strings.HasPrefix(macro, "SH") && !strings.HasPrefix(macro, "TH ") && !strings.HasPrefix(macro, "B ") && macro != "nf\n" && macro != "fi\n" {
			t.Errorf("text is a macro: %s", line)
		}
	}
	groff, missing := exec.LookPath("groff")
	if missing != nil {
		return // all that needs no groff was tested
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
	cmd.Stdin = &b
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	if err := cmd.Run(); err != nil || wrong.Len() > 0 {
		t.Errorf("%v: %s", err, wrong.String())
	}
}
