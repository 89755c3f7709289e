package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
)

func main() {
	tests := flag.String("tests", "", "the folder of the official tests of Lua 5.4 (required)")
	verbose := flag.Bool("v", false, "say which statements fail")
	check := flag.Bool("check", false, "fail if more than one statement in a hundred fails")
	flag.Parse()
	if flag.NArg() > 0 || *tests == "" {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/lua -tests DIR [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := run(context.Background(), *tests, *verbose, *check, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "lua: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tests string, verbose, check bool, w io.Writer) error {
	fmt.Fprintf(w, "%s %s/%s, %d processors\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	luac, err := exec.LookPath("lua5.4")
	if err != nil {
		return fmt.Errorf("the official tests are counted by what C Lua passes: %w", err)
	}
	failed, err := official(ctx, w, tests, luac, verbose)
	if err == nil && check && failed > maxFailed {
		err = fmt.Errorf("%.1f of a hundred statements fail, more than %d", failed, maxFailed)
	}
	return err
}

// maxFailed is how many of a hundred official statements may fail with -check.
const maxFailed = 1
