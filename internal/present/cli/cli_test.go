//go:build !slim

package cli_test

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/install/setup"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/script"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) {
	start := func(run func(context.Context, []op.Op, []string, cli.Env) int) func() {
		return func() {
			wd, err := os.Getwd()
			if err != nil {
				panic(err)
			}
			if wd, err = filepath.EvalSymlinks(wd); err != nil {
				panic(err)
			}
			feature := code.New(workspace.New(workspace.Config{WorkDir: wd, CacheDir: filepath.Join(os.TempDir(), "cache"), Home: os.Getenv("FAKEHOME")}), code.Config{Trajectory: os.Getenv("TRAJECTORY"), Gate: audit.NewGate()})
			env := cli.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: "(test)",
				Commands: []cli.Command{{Name: "serve", Brief: "Serve the tools to a coding agent over MCP",
					Run: func(_ context.Context, args []string, env cli.Env) error {
						_, err := fmt.Fprintln(env.Stdout, "serving", args)
						return err
					}}}}
			library := docs.New(docs.Config{WorkDir: wd, DB: filepath.Join(wd, "default.db"), Temp: filepath.Join(os.TempDir(), "ingest")})
			status := run(context.Background(), op.All(op.Features{Code: feature, Docs: library, Audit: audit.New(audit.Config{WorkDir: wd, Project: feature.Workspace().Project, Locks: filepath.Join(os.TempDir(), "locks")}),
				Memory: memory.New(memory.Config{WorkDir: wd, Vault: filepath.Join(wd, "vault"), DB: filepath.Join(wd, "memory.db")}),
				Module: script.New(script.Config{WorkDir: wd, Home: os.Getenv("FAKEHOME"), Env: os.LookupEnv, Stdout: os.Stdout, Stderr: os.Stderr}),
				Setup:  setup.New(setup.Config{Home: os.Getenv("FAKEHOME"), WorkDir: wd, Exe: "/usr/bin/assay", Lookup: func(string) (string, bool) { return "", false }})}), os.Args[1:], env)
			feature.Close()
			os.Exit(status)
		}
	}
	testscript.Main(m, map[string]func(){"assay": start(cli.Run), "ck": start(cli.RunCK)})
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("FAKEHOME", filepath.Join(e.WorkDir, "home"))
			real, err := filepath.EvalSymlinks(e.WorkDir)
			e.Setenv("REAL", real)
			e.Setenv("LATIN", "caf\xe9.go") // not UTF-8
			e.Setenv("LATINDOC", "caf\xe9.md")
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"fix": fix, "status": status, "utf16": utf16File},
	})
}

// fix runs the command that the last error suggested: a suggestion that fails is
// worse than none.
func fix(ts *testscript.TestScript, neg bool, args []string) {
	words, err := suggested(ts.ReadFile("stderr"))
	if err != nil {
		ts.Fatalf("%v", err)
	}
	err = ts.Exec(words[0], words[1:]...)
	if (err != nil) != neg {
		ts.Fatalf("the suggested %q: %v", words, err)
	}
}

// utf16File writes a file in UTF-16 in place of UTF-8: little or big endian, with a byte
// order mark or without one.
func utf16File(ts *testscript.TestScript, neg bool, args []string) {
	orders := map[string]binary.AppendByteOrder{"le": binary.LittleEndian, "be": binary.BigEndian}
	if neg || len(args) != 3 || orders[args[0]] == nil || args[1] != "mark" && args[1] != "bare" {
		ts.Fatalf("usage: utf16 le|be mark|bare FILE")
	}
	text := ts.ReadFile(args[2])
	if args[1] == "mark" {
		text = "\uFEFF" + text
	}
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = orders[args[0]].AppendUint16(b, unit)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b, 0o644))
}

// status runs a command and sees that it ends with an exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("%q has status %d, want %s", args[1:], got, args[0])
	}
}
