package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// The figures of a few projects are as they were: what changes them shows here, for
// better or worse.
func TestGolden(t *testing.T) {
	names := []string{"github.com/fsnotify/fsnotify", "github.com/yuin/goldmark"}
	roots := append([]string{folder(t)}, modules(t, names...)...)
	var b bytes.Buffer
	modes := []string{"scan", "words", "model"}
	for i, root := range roots {
		name := "small"
		if i > 0 {
			name = filepath.Base(root)
		}
		got, err := measure(t.Context(), options{seed: 1}, modes, root, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range modes {
			f := got[mode]
			fmt.Fprintf(&b, "%s %s\n  ghosts  %s\n  shadows %s\n  drifted %s\n", name, mode, f.Ghosts, f.Shadows, f.Drifted)
		}
	}
	const golden = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("the figures are\n%s\nwant\n%s", got, want)
	}
}
