package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCases measures two programs: one with a lambda, a library and a constructor, and one of which
// a call is missed and another is too many.
func TestCases(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/main.py":        "from lib import other\n\nclass A:\n    def __init__(self): pass\n\nclass B: pass\n\nf = lambda: A()\n\ndef g():\n    f()\n    B()\n    other()\n",
		"a/callgraph.json": `{"main": [], "main.g": ["main.<lambda1>", "lib.other"], "main.<lambda1>": ["main.A.__init__"], "main.A.__init__": []}`,
		"b/main.py":        "def f(): pass\ndef g(): pass\n\ndef h():\n    f()\n    eval('g()')\n\ndef k():\n    f()\n",
		"b/callgraph.json": `{"main.h": ["main.g"], "main.f": [], "main.g": []}`,
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := runCases([]string{"-dir", dir, "-v"}, &out); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "b") + "\n  missed main.h → main.g\n  extra  main.h → main.f\n2 cases, 1 complete, 1 sound: truth 3  found 3  P 0.6667  R 0.6667\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	out.Reset()
	if err := os.WriteFile(filepath.Join(dir, "b", caseTruth), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := runCases([]string{"-dir", dir}, &out); err == nil || !strings.Contains(err.Error(), "callgraph.json") {
		t.Errorf("a truth that is cut off: %v", err)
	}
}
