package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	whole := func() { os.Exit(run()) }
	testscript.Main(m, map[string]func(){"assay": whole, "ck": whole})
}

// TestScript runs the program as it is started, by either of its names.
func TestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the transcripts need sh and signals")
	}
	testscript.Run(t, testscript.Params{Dir: "testdata", Setup: func(e *testscript.Env) error {
		home := filepath.Join(e.WorkDir, "home")
		e.Setenv("HOME", home)
		e.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
		e.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
		return os.MkdirAll(filepath.Join(home, "config", "assay"), 0o755)
	}})
}
