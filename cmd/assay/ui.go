//go:build !slim

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/calls"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/present/ui"
	"github.com/assay-dev/assay/internal/script"
)

// page runs the command ui: it serves the operations over this project and starts a browser.
func (s *surroundings) page(ctx context.Context, args []string, env cli.Env) error {
	t, c := s.trees, s.code
	t.Refresh, t.First, t.Wait, t.Server, c.Budget = refreshServer, firstServer, waitServer, true, 0
	root, err := workspace.New(t).Project(t.WorkDir)
	if err != nil {
		return err
	}
	t.Roots = []string{root}
	d, m := s.docs, s.memory()
	d.Server, m.Server, m.Refresh = true, true, refreshServer
	search := code.New(workspace.New(t), c)
	features := op.Features{Code: search, Docs: docs.New(d), Memory: memory.New(m), Audit: audit.New(s.audit(search)), Module: script.New(s.modules(env.Stderr, nil)), Setup: s.agents()}
	features.Doctor = s.doctor(features, nil)
	defer func() { _ = errors.Join(features.Code.Close(), features.Docs.Close(), features.Memory.Close()) }()
	return ui.Run(ctx, ui.Service{Ops: op.All(features), Root: root, Version: env.Version, Open: openBrowser,
		Reports: map[string]ui.Report{
			"calls":    func(context.Context, string) (any, error) { return calls.Read(callsDir()) },
			"history":  func(ctx context.Context, _ string) (any, error) { return changeHistory(ctx, root) },
			"owners":   func(ctx context.Context, _ string) (any, error) { return fileOwners(ctx, root) },
			"files":    func(ctx context.Context, _ string) (any, error) { return listFiles(ctx, root) },
			"commits":  func(ctx context.Context, file string) (any, error) { return fileCommits(ctx, root, file) },
			"blame":    func(ctx context.Context, file string) (any, error) { return fileBlame(ctx, root, file) },
			"branches": func(ctx context.Context, _ string) (any, error) { return branches(ctx, root) },
		}}, args, env.Stdout, env.Stderr)
}

// maxCommits bounds the history that the map reads: a few hundred milliseconds in a large repository.
const maxCommits = 1000

// A touch counts the changes of a file in the last commits, and the commits since the last change.
type touch struct {
	Times int `json:"times"`
	Ago   int `json:"ago"`
}

// changeHistory returns the touch of each file that the last commits changed, or nothing if there is no history.
func changeHistory(ctx context.Context, root string) (map[string]touch, error) {
	out := map[string]touch{}
	head, ok := git.Head(ctx, root)
	if !ok {
		return out, nil
	}
	commits, err := git.History(ctx, root, head, maxCommits)
	if err != nil {
		return nil, err
	}
	for i, c := range commits {
		for _, f := range c.Files {
			t, seen := out[f]
			if t.Times++; !seen {
				t.Ago = i
			}
			out[f] = t
		}
	}
	return out, nil
}

// fileOwners returns who owns each file by CODEOWNERS, and without one who changed it most often in the last commits.
func fileOwners(ctx context.Context, root string) (map[string]string, error) {
	out := map[string]string{}
	if owners := discover.ReadOwners(root); owners != nil {
		byLanguage, err := listFiles(ctx, root)
		for _, paths := range byLanguage {
			for _, path := range paths {
				out[path] = owners.Find(path)
			}
		}
		return out, err
	}
	head, ok := git.Head(ctx, root)
	if !ok {
		return out, nil
	}
	commits, err := git.History(ctx, root, head, maxCommits)
	times := map[[2]string]int{}
	for _, c := range commits {
		for _, f := range c.Files {
			by := [2]string{f, c.Author}
			if times[by]++; times[by] > times[[2]string{f, out[f]}] {
				out[f] = c.Author
			}
		}
	}
	return out, err
}

// callsDir returns the folder in which the servers of this user record their calls.
func callsDir() string { return filepath.Join(dataHome(), "assay", "calls") }

// callRecorder returns a function that records the calls of a project's server, or nil if they are not recorded, and a
// function that ends the recording.
func (s *surroundings) callRecorder(project func() string, errOut io.Writer) (func(context.Context, mcp.Done), func()) {
	if s.cfg.Calls != "on" || !filepath.IsAbs(dataHome()) {
		return nil, func() {}
	}
	var r *calls.Recorder
	// Start at the first call, so that a server without calls leaves no record.
	begin := sync.OnceFunc(func() {
		var err error
		if r, err = calls.Record(callsDir(), project(), time.Now()); err != nil {
			fmt.Fprintf(errOut, "assay: cannot record calls: %v\n", err)
		}
	})
	return func(_ context.Context, d mcp.Done) {
			if begin(); r != nil {
				r.Add(calls.Done{Tool: d.Tool, Client: d.Client, Arguments: d.Arguments, Answer: d.Answer, Text: d.Text, Began: d.Began, Took: d.Took, Failed: d.Failed})
			}
		}, func() {
			if r != nil {
				_ = r.Close() // losing the end of the record is harmless
			}
		}
}

// openBrowser opens a URL with the system's browser. The URL must be one of assay, because the command would also open files.
func openBrowser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...).Start()
}
