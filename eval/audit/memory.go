package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/eval/timed"
)

// processes says what whole processes of a program take to audit a project: an index is built
// first, in a cache of its own, and counts in none of them.
func processes(ctx context.Context, program, root string, w io.Writer) error {
	tmp, err := os.MkdirTemp("", "audit")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	env := append(os.Environ(), "HOME="+tmp, "XDG_CACHE_HOME="+filepath.Join(tmp, "cache"))
	if _, err := (timed.Program{Env: env, Out: io.Discard}).Run(ctx, program, "index", root); err != nil {
		return err
	}
	for _, args := range [][]string{{"ghosts"}, {"shadows"}, {"drift", "--out", filepath.Join(tmp, "out")}} {
		u, err := timed.Program{Env: env, Out: io.Discard, Watch: true}.Run(ctx, program, append(append([]string{"audit"}, args...), "--root", root)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-20s %-8s %4d MB at most, %4d MB without mapped files; %.1f s of a processor\n", filepath.Base(root), args[0], u.Peak>>20, u.Anon>>20, u.CPU.Seconds())
	}
	return nil
}
