//go:build !slim

package main

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"github.com/assay-dev/assay/internal/core/workspace"
	"github.com/assay-dev/assay/internal/feature/audit"
	"github.com/assay-dev/assay/internal/feature/code"
	"github.com/assay-dev/assay/internal/feature/docs"
	"github.com/assay-dev/assay/internal/feature/memory"
	"github.com/assay-dev/assay/internal/feature/module"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/present/ui"
)

// page answers the command ui: the operations of a server over this project, and a
// browser that looks at them.
func (s *surroundings) page(ctx context.Context, args []string, env cli.Env) error {
	t, c := s.trees, s.code
	t.Refresh, t.Wait, t.Server, c.Budget = refreshServer, waitServer, true, 0
	root, err := workspace.New(t).Project(t.WorkDir)
	if err != nil {
		return err
	}
	t.Roots = []string{root}
	d, m := s.docs, s.memory()
	d.Server, m.Server, m.Refresh = true, true, refreshServer
	search := code.New(workspace.New(t), c)
	features := op.Features{Code: search, Docs: docs.New(d), Memory: memory.New(m), Audit: audit.New(s.audit(search)), Module: module.New(s.modules(env.Stderr, nil))}
	defer func() { _ = errors.Join(features.Code.Close(), features.Docs.Close(), features.Memory.Close()) }()
	return ui.Run(ctx, ui.Service{Ops: op.All(features), Root: root, Version: env.Version, Open: browser}, args, env.Stdout, env.Stderr)
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
