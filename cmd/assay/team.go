//go:build !slim

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/team"
)

// teams serves the teams of a file.
func (s *surroundings) teams(version string) func(context.Context, string, mcp.HTTPOptions, io.Writer) error {
	return func(ctx context.Context, file string, opt mcp.HTTPOptions, errOut io.Writer) error {
		all := instructions()
		var lines []string
		for _, set := range slices.Sorted(maps.Keys(all)) {
			if set != "module" {
				lines = append(lines, all[set])
			}
		}
		again, stop := hangups()
		defer stop()
		return team.Serve(ctx, team.Service{Refetch: again, Open: func(ctx context.Context, at team.Space) (team.OpenedSpace, error) {
			return s.space(ctx, at, errorPrinter(errOut))
		}, Version: version, Instructions: strings.Join(lines, "\n"), Now: time.Now}, file, opt, errOut)
	}
}

// hangups returns a channel that receives at each SIGHUP, which would otherwise end a server. Windows has no SIGHUP.
func hangups() (<-chan struct{}, func()) {
	signals, told, over := make(chan os.Signal, 1), make(chan struct{}, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-over:
				return
			case <-signals:
			}
			select {
			case told <- struct{}{}:
			default: // a signal is pending already
			}
		}
	}()
	return told, func() { close(over) }
}

// errorPrinter returns a function that prints the errors of a server's background work.
func errorPrinter(errOut io.Writer) func(string, ...any) {
	return func(format string, args ...any) {
		fmt.Fprintf(errOut, "assay: %s\n", text.Log(fmt.Sprintf(format, args...)))
	}
}

// space opens the features of one team, only over its own repositories and files. It must not include data of the user who
// runs the server: neither notes and sessions nor documentation nor the working folder.
func (s *surroundings) space(ctx context.Context, at team.Space, tell func(string, ...any)) (team.OpenedSpace, error) {
	t, c := s.trees, s.code
	t.Refresh, t.First, t.Wait, t.Server, c.Budget, t.WorkDir, t.File = refreshServer, firstServer, waitServer, true, 0, at.Dir, at.Workspace // the operator's file is as trusted as a setting
	t.Lately, t.Apart = latelyTeams, true
	// Teams share trees, so that one could otherwise find the questions of another.
	c.Trajectory = code.NoTrajectory
	var features op.Features
	if len(at.Repos) > 0 {
		listed := workspace.New(t)
		repos, err := listed.Listed("")
		if err == nil {
			repos, err = workspace.Pick(repos, at.Repos)
		}
		if err == nil {
			t.Repos, err = listed.Ready(repos)
		}
		if err != nil {
			return team.OpenedSpace{}, err
		}
		for i := range t.Repos {
			if err := c.Gate(t.Repos[i].Root); err != nil {
				return team.OpenedSpace{}, err
			}
			t.Roots = append(t.Roots, t.Repos[i].Root)
		}
		features.Code = code.New(workspace.New(t), c)
	}
	if len(at.Docs) > 0 {
		d := s.docs
		d.WorkDir, d.DB, d.DBs, d.Server = at.Dir, at.Docs[0], at.Docs, true
		features.Docs = docs.New(d)
	}
	if at.Memory {
		m := s.memory()
		m.WorkDir, m.Vault, m.Given, m.DB = at.Dir, filepath.Join(at.Dir, notesOfTeam), false, filepath.Join(at.Dir, memoryOfTeam)
		m.StateDir, m.Sources, m.Brief, m.Detach = filepath.Join(at.Dir, "state"), nil, nil, nil
		m.Server, m.Refresh = true, refreshServer
		features.Memory = memory.New(m)
	}
	o := team.OpenedSpace{Ops: op.All(features), Refresh: func(context.Context) error { return nil }, Close: func() error {
		var errs []error
		if features.Code != nil {
			errs = append(errs, features.Code.Close())
		}
		if features.Docs != nil {
			errs = append(errs, features.Docs.Close())
		}
		if features.Memory != nil {
			errs = append(errs, features.Memory.Close())
		}
		return errors.Join(errs...)
	}}
	if w := features.Code; w != nil {
		w.Workspace().Refresh(ctx, tell)
		o.Refresh = func(ctx context.Context) error {
			var errs []error
			for _, r := range w.Workspace().Served() {
				if r.URL != "" {
					errs = append(errs, w.Workspace().Again(ctx, r))
				}
			}
			return errors.Join(errs...)
		}
	}
	if features.Docs != nil {
		if err := features.Docs.Check(ctx); err != nil {
			return o, errors.Join(err, o.Close())
		}
	}
	return o, nil
}

// team runs the command team.
func (s *surroundings) team(ctx context.Context, args []string, env cli.Env) error {
	return team.Command(ctx, args, time.Now(), env.Stdout)
}
