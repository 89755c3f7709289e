//go:build slim

package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/script"
)

// This build only runs scripts, checks and API modules: it has no index, no model and no SQLite. It is for containers and
// for machines that run checks.

func run() int {
	ctx, stop := interruptible()
	defer stop()
	env := standard()
	s, err := settings()
	env.Broken, env.Ignored = err, s.cfg.Ignored()
	env.Colour, env.ErrColour = colour(s.cfg.Color, env.Terminal), colour(s.cfg.Color, env.ErrTerminal)
	env.Commands = []cli.Command{
		{Name: "serve", Brief: "Serve the tools to a coding agent over MCP", Run: s.serve},
		{Name: "config", Brief: "Show the settings and the origin of each, or change your own", Always: true, Complete: s.configWords, Run: s.config},
	}
	return cli.Run(ctx, op.All(op.Features{Module: script.New(s.modules(env.Stdout, nil))}), os.Args[1:], env)
}

// surroundings hold the settings and the environment that the program read at start.
type surroundings struct {
	cfg   *config.Config
	trees folders
}

// scriptConfirm returns nil, because this build never asks: the setting ask means no.
func scriptConfirm() func(ctx context.Context, about, question string) (bool, error) { return nil }

// folders are the folders that the settings depend on.
type folders struct{ WorkDir, Home, CacheDir string }

// settings reads the surroundings. A project's settings file must be in the working directory itself.
func settings() (*surroundings, error) {
	s := &surroundings{cfg: &config.Config{}}
	wd, err := os.Getwd()
	if err != nil {
		return s, fault.New(fault.Unavailable, "cannot find the working directory").Because(err).Or("change to a folder that exists")
	}
	s.trees = folders{WorkDir: wd, Home: homeFolder(), CacheDir: filepath.Join(cacheHome(), "assay")}
	cfg, err := config.Load(config.Sources{Env: os.LookupEnv, Root: wd, User: config.UserFile(os.LookupEnv, runtime.GOOS)})
	s.cfg = cfg
	return s, err
}

// defaults returns the values of settings that are not set: this build uses none of them.
func (*surroundings) defaults() map[string]any { return map[string]any{} }

func (s *surroundings) serve(ctx context.Context, args []string, env cli.Env) error {
	open := func(from mcp.Sources) ([]op.Op, error) {
		policy, err := s.policy(from.Exec)
		if err != nil {
			return nil, err
		}
		return op.All(op.Features{Module: script.New(s.modules(env.Stderr, policy)), AllowExec: from.Exec != nil}), nil
	}
	return mcp.Run(ctx, mcp.Service{Open: open, Version: env.Version, Instructions: instructions()}, args, env.Stdin, env.Stdout, env.Stderr)
}
