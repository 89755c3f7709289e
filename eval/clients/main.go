package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	failed, err := run(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

// A bench is one run: what is tried, where, and what came of it.
type bench struct {
	out    io.Writer
	counts map[string]int
	work   string // a folder that ends with the run
	npm    packages
	assay  string
}

// The words that a line begins with.
const (
	pass, fail, absent, skip = "pass", "FAIL", "n/a ", "skip"
)

// say writes the line of a check.
func (b *bench) say(verdict, check, format string, args ...any) {
	b.counts[verdict]++
	detail := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	if len(detail) > 300 && verdict != fail {
		detail = detail[:300] + "…"
	}
	fmt.Fprintf(b.out, "%s  %-46s %s\n", verdict, check, detail)
}

// check says pass or FAIL.
func (b *bench) check(name string, err error, format string, args ...any) {
	if err != nil {
		b.say(fail, name, "%v", err)
		return
	}
	b.say(pass, name, format, args...)
}

func run(ctx context.Context) (failed int, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	prefix := flag.String("prefix", filepath.Join(cache, "assay-eval-clients"), "keep the packages in `DIR`")
	assay := flag.String("assay", "", "try this `FILE` instead of building one")
	to := flag.String("out", "", "write the lines to `FILE` too")
	flag.Parse()
	b := &bench{out: os.Stdout, counts: map[string]int{}}
	if *to != "" {
		f, err := os.Create(*to)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		b.out = io.MultiWriter(os.Stdout, f)
	}
	if b.work, err = os.MkdirTemp("", "assay-clients-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	if err := b.build(ctx, *assay); err != nil {
		return 0, err
	}
	if err := b.fixture(ctx); err != nil {
		return 0, err
	}
	b.npm = install(ctx, *prefix)
	fmt.Fprintf(b.out, "date  %s\nwith  %s, %s/%s\n", time.Now().Format(time.DateOnly), strings.Join(b.npm.have, ", "), runtime.GOOS, runtime.GOARCH)
	for _, part := range []func(context.Context) error{b.context7, b.inspector, b.conformance, b.opencode} {
		if err := part(ctx); err != nil {
			return b.counts[fail], err
		}
	}
	fmt.Fprintf(b.out, "\n%d passed, %d failed, %d ask for what assay does not have, %d could not be tried\n", b.counts[pass], b.counts[fail], b.counts[absent], b.counts[skip])
	return b.counts[fail], ctx.Err()
}

// build makes the program that is tried, and its other name.
func (b *bench) build(ctx context.Context, given string) error {
	b.assay = filepath.Join(b.work, "assay")
	if given != "" {
		abs, err := filepath.Abs(given)
		if err != nil {
			return err
		}
		if err := os.Symlink(abs, b.assay); err != nil {
			return err
		}
	} else {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", b.assay, "github.com/assay-dev/assay/cmd/assay")
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	return os.Symlink("assay", filepath.Join(b.work, "context7-local"))
}

// fixture makes a project and a file of documentation to ask.
func (b *bench) fixture(ctx context.Context) error {
	for name, text := range map[string]string{
		"project/retry.go":   "// Package retry calls again what failed.\npackage retry\n\n// Do calls f until it succeeds, waiting twice as long each time.\nfunc Do(f func() error) error {\n\treturn f()\n}\n\nfunc again() error { return Do(nil) }\n",
		"pages/guide.md":     "# Retry\n\n## Backoff\n\nEach attempt waits twice as long as the one before.\n\n```go\nretry.Do(fetch)\n```\n\n## Limits\n\nAt most ten attempts are made.\n",
		"elsewhere/empty.md": "",
	} {
		path := filepath.Join(b.work, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			return err
		}
	}
	out, err := b.command(ctx, b.assay, "docs", "ingest", filepath.Join(b.work, "pages"), "--id", "/acme/retry", "--title", "Retry", "--db", filepath.Join(b.work, "docs.db")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("docs ingest: %w\n%s", err, out)
	}
	return nil
}

// served are the arguments with which the fixture is served.
func (b *bench) served(more ...string) []string {
	return append([]string{"serve", "--root", filepath.Join(b.work, "project"), "--db", filepath.Join(b.work, "docs.db")}, more...)
}

// command prepares a program that keeps its own affairs in the run's folder.
func (b *bench) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	home := filepath.Join(b.work, "home")
	cmd.Dir = b.work
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(cmd.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_STATE_HOME="+filepath.Join(home, "state"), "NO_COLOR=1")
	if b.npm.path != "" {
		cmd.Env = append(cmd.Env, "PATH="+b.npm.path+string(os.PathListSeparator)+filepath.Dir(b.npm.node)+string(os.PathListSeparator)+pathOf(cmd.Env))
	}
	return cmd
}

func pathOf(env []string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if path, ok := strings.CutPrefix(env[i], "PATH="); ok {
			return path
		}
	}
	return ""
}
