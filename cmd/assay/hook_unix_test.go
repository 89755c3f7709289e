//go:build unix && !slim

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// fifo puts a pipe that nobody writes to at a path.
func (w *hookWorld) fifo(path string) {
	w.must(os.MkdirAll(filepath.Dir(path), 0o700))
	w.must(syscall.Mkfifo(path, 0o600))
}

// What hangs a program for ever if it waits for it, and what only systems like Unix have.
// Where not even a Go program can start, for want of memory, what saves the session is the
// end of the command that setup writes.
var unixBreakages = map[string]breakage{
	"a pipe for settings":   {func(w *hookWorld) { w.fifo(filepath.Join(w.dir, "config", "assay", "config.yaml")) }, `is not a regular file; to do: remove it`},
	"a pipe for git":        {func(w *hookWorld) { w.soon(); w.fifo(filepath.Join(w.work, ".git")) }, ""},
	"a pipe for git's head": {func(w *hookWorld) { w.soon(); w.fifo(filepath.Join(w.work, ".git", "HEAD")) }, ""},
	"a pipe for a project file": {func(w *hookWorld) {
		w.soon()
		w.fifo(filepath.Join(w.work, ".git", "x"))
		w.fifo(filepath.Join(w.work, ".assay.yaml"))
	}, ""},
	"a pipe for a vault":     {func(w *hookWorld) { w.must(os.Remove(w.vault)); w.soon(); w.fifo(w.vault) }, ""},
	"a pipe for a note":      {func(w *hookWorld) { w.soon(); w.fifo(filepath.Join(w.vault, "a.md")) }, ""},
	"a pipe for an index":    {func(w *hookWorld) { w.soon(); w.fifo(w.db) }, `claude .*: `},
	"a pipe for its lock":    {func(w *hookWorld) { w.soon(); w.fifo(w.db + ".lock") }, `claude .*: `},
	"a pipe for its journal": {func(w *hookWorld) { w.soon(); w.fifo(w.db + "-wal") }, ""},
	"a pipe for a log":       {func(w *hookWorld) { w.settings("x: y\n"); w.fifo(w.log) }, ""},
	"a pipe for a session":   {func(w *hookWorld) { w.soon(); w.fifo(filepath.Join(w.home, ".claude", "projects", "p", "s1.jsonl")) }, ""},
	"no working folder": {func(w *hookWorld) {
		w.work = filepath.Join(w.dir, "gone")
		w.must(os.Mkdir(w.work, 0o700))
		w.shell = `rmdir "$PWD"; exec "$@"`
	}, `cannot find the working directory: .*; to do: change to`},
	"nothing can be written": {func(w *hookWorld) { w.shell = `ulimit -f 0; exec "$@"` }, ""},
	"few files":              {func(w *hookWorld) { w.shell = `ulimit -n 12; exec "$@"` }, ""},
	"closed output":          {func(w *hookWorld) { w.shell = `exec "$@" >&-` }, ""},
	"closed input":           {func(w *hookWorld) { w.shell = `exec "$@" <&-` }, ""},
	"all closed":             {func(w *hookWorld) { w.shell = `exec "$@" <&- >&- 2>&-` }, ""},
	"a reader that is gone": {func(w *hookWorld) {
		w.args = append(w.args, "--json")
		w.shell = `{ "$@"; echo $? >status; } | true; exit "$(cat status)"`
	}, ""},
	"asked to end": {func(w *hookWorld) {
		// The shell itself says that it was.
		w.stdin = w.open()
		w.shell = `exec 2>/dev/null; "$@" & p=$!; kill -TERM $p; kill -INT $p; wait $p; s=$?; if [ $s -gt 128 ]; then s=0; fi; exit $s`
	}, ""},
}

// TestHookNeverHangs is TestHookNeverFails for these.
func TestHookNeverHangs(t *testing.T) { neverFails(t, unixBreakages) }

// An answer that the disk of a client's log has no room for is written down.
func TestHookFullOutput(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	w := newHookWorld(t, "prompt")
	w.args = append(w.args, "--json")
	w.shell = `exec "$@" >/dev/full`
	w.run()
	if text, err := os.ReadFile(w.log); err != nil || len(text) == 0 {
		t.Errorf("the log is %q, %v", text, err)
	}
}
