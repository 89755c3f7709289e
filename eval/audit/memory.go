package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/eval/timed"
)

// processes says what whole processes of a program take to audit a project, and of how many statements: those that were looked
// for, and those that were taken for no promise. An index is built first, in a cache of its own, and counts in none of them.
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
	var said bytes.Buffer
	if _, err := (timed.Program{Env: env, Out: &said}).Run(ctx, program, "audit", "ghosts", "--json", "--explain", "--root", root); err != nil {
		return err
	}
	var of struct {
		Total int               `json:"total"`
		Left  []json.RawMessage `json:"left_out"`
	}
	if err := json.Unmarshal(said.Bytes(), &of); err != nil {
		return fmt.Errorf("audit ghosts --json: %w", err)
	}
	fmt.Fprintf(w, "%-20s %d statements, %d of them looked for\n", filepath.Base(root), of.Total+len(of.Left), of.Total)
	for _, args := range [][]string{{"ghosts"}, {"shadows"}, {"drift", "--out", filepath.Join(tmp, "out")}} {
		u, err := timed.Program{Env: env, Out: io.Discard, Watch: true}.Run(ctx, program, append(append([]string{"audit"}, args...), "--root", root)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-20s %-8s %4d MB at most, %4d MB without mapped files; %.1f s of a processor, %.1f by the clock\n", filepath.Base(root), args[0], u.Peak>>20, u.Anon>>20, u.CPU.Seconds(), u.Wall.Seconds())
	}
	return nil
}
