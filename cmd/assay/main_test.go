//go:build !slim

package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// The program starts itself again by its path. By the name of the tests that would run
	// the tests, which start it again, and so on.
	if base := filepath.Base(os.Args[0]); strings.Contains(base, ".test") && len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(1)
	}
	whole := func() {
		hookUnderTest(os.Args[1:])
		os.Exit(run())
	}
	answering := func() {
		misbehaving()
		whole()
	}
	testscript.Main(m, map[string]func(){"assay": whole, "ck": whole, hookName: answering, hookLogName: whole})
}

// TestScript runs the program as it is started, by either of its names.
func TestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the transcripts need sh and signals")
	}
	testscript.Run(t, testscript.Params{Dir: "testdata", Cmds: map[string]func(*testscript.TestScript, bool, []string){"sql": execute}, Setup: func(e *testscript.Env) error {
		home := filepath.Join(e.WorkDir, "home")
		e.Setenv("HOME", home)
		e.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
		e.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
		return os.MkdirAll(filepath.Join(home, "config", "assay"), 0o755)
	}})
}

// execute runs a statement in a database: sql FILE STATEMENT.
func execute(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", args[0])
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}
