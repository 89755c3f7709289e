package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
)

var update = flag.Bool("update", false, "rewrite the golden figures")

// TestCalls compares the calls that assay resolves in some modules with what
// truth/go printed of them, in go-sdk with the calls of functions as values that -vta adds. The figures are golden: a change for the worse is a
// diff that somebody has to accept.
func TestCalls(t *testing.T) {
	var got bytes.Buffer
	for _, m := range []struct{ path, truth string }{
		{"github.com/pelletier/go-toml/v2", "go-toml"},
		{"github.com/spf13/pflag", "pflag"},
		{"github.com/modelcontextprotocol/go-sdk", "go-sdk"},
		{"github.com/fsnotify/fsnotify", "fsnotify"},
	} {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", m.path).Output()
		if err != nil {
			t.Fatalf("go list -m %s: %v", m.path, err)
		}
		want, err := readEdges(unpacked(t, filepath.Join("testdata", m.truth+".jsonl.gz")))
		if err != nil {
			t.Fatal(err)
		}
		src, err := readTree(strings.TrimSpace(string(dir)))
		if err != nil {
			t.Fatal(err)
		}
		src.build = facts.For("linux", "amd64", nil) // as the truths were made
		found, _ := src.edges("likely", scopeOf(want))
		fmt.Fprintln(&got, m.path)
		for _, kind := range []string{"static", "dynamic", "value", ""} {
			compareEdges(&got, src, kind, want, found, 0)
		}
	}
	const golden = "testdata/calls.txt"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got.String() != string(want) {
		t.Errorf("the figures are\n%s\nnot those of %s (%v); accept them with: go test ./eval/structure -update\n%s", got.String(), golden, err, want)
	}
}

// unpacked returns the path of an unpacked copy of a file.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "truth.jsonl")
	if err := os.WriteFile(out, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}
