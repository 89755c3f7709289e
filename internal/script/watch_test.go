//go:build !slim

package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A told is a writer that passes what is written on.
type told chan string

func (w told) Write(b []byte) (int, error) { w <- string(b); return len(b), nil }

// Checks run again when a file changes that they use, the modules of their scripts among them, and the result is that of the last run.
func TestWatchChecks(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		t.Run(map[bool]string{true: "on a terminal", false: "in a pipe"}[terminal], func(t *testing.T) {
			b := newBench(t, map[string]string{
				"work/d/checks.yaml":    "retries: 0\ndata: rows.csv\nchecks:\n  - {name: one, type: script, file: one.lua}\n  - {name: 'two of ${n}', type: script, file: two.lua}\n",
				"work/d/rows.csv":       "n\n1\n",
				"work/d/one.lua":        "return 1",
				"work/d/two.lua":        `assert.eq(require("assay.mine").n, 2)`,
				"work/modules/mine.lua": "return {n = 2}",
				"work/unrelated.lua":    "",
			}, nil, nil)
			out := make(told)
			b.Feature = New(Config{WorkDir: b.cfg.WorkDir, Stdout: out, Stderr: &b.stderr, Terminal: terminal, Env: func(string) (string, bool) { return "", false }})
			ctx, cancel := context.WithCancel(b.ctx)
			defer cancel()
			type result struct {
				r   *RunResult
				err error
			}
			ended := make(chan result, 1)
			go func() {
				r, err := b.Run(ctx, RunInput{File: "d/checks.yaml", Watch: true})
				ended <- result{r, err}
			}()
			steps := []struct{ file, text, want, no string }{
				{"", "", "d/checks.yaml: 2 of 2 checks passed in ", "FAIL"},
				{"modules/mine.lua", "return {n = 33}", "FAIL two of 1 in ", "2 of 2"},
				{"d/two.lua", "return 2 -- changed", "2 of 2 checks passed", "FAIL"},
				{"d/rows.csv", "n\n1\n2\n", "4 of 4 checks passed", "FAIL"},
				{"d/checks.yaml", "checks: 3", "line 1: cannot unmarshal", "passed"},
				{"d/checks.yaml", "retries: 0\nchecks:\n  - {name: new, type: script, file: new.lua}\n", "FAIL new in ", "1 of 1"},
				{"d/new.lua", "return true", "1 of 1 checks passed", "FAIL"},
				{"d/new.lua", "error('boom')", "0 of 1 checks passed", "1 of 1"},
			}
			for _, s := range steps {
				if s.file != "" {
					next := filepath.Join(b.dir, "next")
					err := os.WriteFile(next, []byte(s.text), 0o600)
					if err == nil {
						err = os.Rename(next, filepath.Join(b.cfg.WorkDir, s.file))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				select {
				case got := <-out:
					passes := strings.Contains(got, "PASS one in ")
					if !strings.Contains(got, s.want) || strings.Contains(got, s.no) || s.file == "" && passes == terminal || strings.Contains(got, "Ctrl-C") != terminal {
						t.Fatalf("after %s: %q, want %q", s.file, got, s.want)
					}
				case e := <-ended:
					t.Fatalf("it ended after %s: %v", s.file, e.err)
				}
			}
			cancel()
			e := <-ended
			if e.err != nil || fault.KindOf(e.r.Verdict()) != fault.Negative || written(t, e.r) != "" {
				t.Errorf("%v, %+v", e.err, e.r)
			}
		})
	}
	b := newBench(t, map[string]string{"work/a.yaml": "checks: 3", "work/a.lua": ""}, nil, nil)
	_, err := b.Run(b.ctx, RunInput{File: "a.yaml", Watch: true})
	wrong(t, "a file that is wrong from the start", err, fault.Usage, "line 1")
	_, err = b.Run(b.ctx, RunInput{File: "a.lua", Watch: true})
	wrong(t, "a script", err, fault.Usage, "--watch is for checks")
	// It ends once its output cannot be written.
	b = newBench(t, map[string]string{"work/a.yaml": "checks: []"}, nil, nil)
	b.Feature = New(Config{WorkDir: b.cfg.WorkDir, Stdout: failing{}, Env: func(string) (string, bool) { return "", false }})
	_, err = b.Run(b.ctx, RunInput{File: "a.yaml", Watch: true})
	wrong(t, "nobody reads", err, fault.Unavailable, "the summary cannot be written")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("gone") }
