//go:build !slim

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/code"
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

// page answers the command ui: the operations of a server over this project, and a
// browser that looks at them.
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
	features := op.Features{Code: search, Docs: docs.New(d), Memory: memory.New(m), Audit: audit.New(s.audit(search)), Module: script.New(s.modules(env.Stderr, nil))}
	defer func() { _ = errors.Join(features.Code.Close(), features.Docs.Close(), features.Memory.Close()) }()
	return ui.Run(ctx, ui.Service{Ops: op.All(features), Root: root, Version: env.Version, Open: browser,
		Reports: map[string]func(context.Context) (any, error){
			"calls":   func(context.Context) (any, error) { return calls.Read(callsDir()) },
			"history": func(ctx context.Context) (any, error) { return touched(ctx, root) },
			"doctor":  func(ctx context.Context) (any, error) { return s.diagnosis(ctx, features, env) },
		}}, args, env.Stdout, env.Stderr)
}

// diagnosis is what the doctor says.
func (s *surroundings) diagnosis(ctx context.Context, features op.Features, env cli.Env) (any, error) {
	var out bytes.Buffer
	env.Stdout = &out
	// That something is wrong is what it says, and no failure of it.
	if err := s.doctor(features)(ctx, []string{"--json"}, env); err != nil && fault.KindOf(err) != fault.Negative {
		return nil, err
	}
	return json.RawMessage(out.Bytes()), nil
}

// mostCommits is how far back the map looks: a few hundred milliseconds in a large repository.
const mostCommits = 1000

// A touch is how often a file was changed in the last commits, and how many commits ago last.
type touch struct {
	Times int `json:"times"`
	Ago   int `json:"ago"`
}

// touched tells of each file that the last commits changed how often, and when. Where there is
// no history nothing was changed.
func touched(ctx context.Context, root string) (map[string]touch, error) {
	out := map[string]touch{}
	head, ok := git.Head(ctx, root)
	if !ok {
		return out, nil
	}
	commits, err := git.History(ctx, root, head, mostCommits)
	if err != nil {
		return nil, err
	}
	for i, files := range commits {
		for _, f := range files {
			t, seen := out[f]
			if t.Times++; !seen {
				t.Ago = i
			}
			out[f] = t
		}
	}
	return out, nil
}

// callsDir is where the servers of this user note their calls.
func callsDir() string { return filepath.Join(dataHome(), "assay", "calls") }

// noted returns what a server of a project does with its calls, nil where they are not noted,
// and what ends it.
func (s *surroundings) noted(project func() string, errOut io.Writer) (func(context.Context, mcp.Done), func()) {
	if s.cfg.Calls != "on" || !filepath.IsAbs(dataHome()) {
		return nil, func() {}
	}
	var r *calls.Recorder
	// The first call begins the record: a server that nobody calls leaves nothing.
	begin := sync.OnceFunc(func() {
		var err error
		if r, err = calls.Record(callsDir(), project(), time.Now()); err != nil {
			fmt.Fprintf(errOut, "assay: calls are not noted: %v\n", err)
		}
	})
	return func(_ context.Context, d mcp.Done) {
			if begin(); r != nil {
				r.Add(calls.Done{Tool: d.Tool, Client: d.Client, Arguments: d.Arguments, Answer: d.Answer, Text: d.Text, Began: d.Began, Took: d.Took, Failed: d.Failed})
			}
		}, func() {
			if r != nil {
				_ = r.Close() // what is not written is not needed
			}
		}
}

// browser opens an address as the system does. The address is our own: it begins with
// http.
func browser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...).Start()
}
