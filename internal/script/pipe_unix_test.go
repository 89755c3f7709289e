//go:build unix

package script

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A pipe that nobody writes to is no script that does nothing; one with a writer is what is written.
func TestPipeWithoutWriter(t *testing.T) {
	b := newBench(t, nil, nil, nil)
	path := filepath.Join(b.cfg.WorkDir, "pipe.lua")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := b.Exec(b.ctx, ExecInput{File: "pipe.lua"})
	wrong(t, "exec", err, fault.Unavailable, "a pipe that nobody writes to")
	_, err = b.Run(b.ctx, RunInput{File: "pipe.lua"})
	wrong(t, "run", err, fault.Unavailable, "a pipe that nobody writes to")
	in, w, err := os.Pipe() // as a shell gives for <(…)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := w.WriteString("return 7"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r, err := b.Exec(b.ctx, ExecInput{File: fmt.Sprintf("/dev/fd/%d", in.Fd())})
	if err != nil || written(t, r) != "7\n" {
		t.Errorf("%+v, %v", r, err)
	}
}
