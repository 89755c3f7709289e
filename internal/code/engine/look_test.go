package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/engine"
)

// settle waits until a file that is written now has a later time than all files of the tree.
func (tr *tree) settle() {
	tr.t.Helper()
	at := func() time.Time {
		tr.write(".assay/tick", "")
		st, err := os.Stat(filepath.Join(tr.root, ".assay", "tick"))
		if err != nil {
			tr.t.Fatal(err)
		}
		return st.ModTime()
	}
	begin := at()
	for now := begin; !now.After(begin); {
		now = at()
	}
}

// A look that is kept beside the index makes the next one shorter and changes no answer: what is
// new, changed, gone or ignored since is seen as without it.
func TestKeptLook(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "sub/b.go": goFile("Gamma"), "sub/c.bin": "\x00\x01", ".assayignore": "*.tmp\n"})
	sight := filepath.Join(tr.dir, "sight")
	// One process asks, publishes and ends, as a command does.
	command := func(query string) (paths []string, files int) {
		t.Helper()
		e := tr.open()
		paths, v := ask(t, e, query)
		nc, err := v.NotCovered(t.Context(), func(string, string) bool { return true })
		if err := errors.Join(err, v.Publish(context.Background()), e.Close()); err != nil {
			t.Fatal(err)
		}
		return append(paths, fmt.Sprint(nc)), v.Files()
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"a file is new", func() { tr.write("sub/d.go", goFile("Gamma")) }},
		{"it has another text", func() { tr.write("sub/d.go", goFile("Gamma", "Delta")) }},
		{"it has what is asked for no more", func() { tr.write("sub/d.go", goFile("Delta")) }},
		{"and has it again", func() { tr.write("sub/d.go", goFile("Gamma", "Delta")) }},
		{"another text and another binary file", func() { tr.write("a.go", goFile("Gamma", "Alpha")); tr.write("e.bin", "\x00") }},
		{"a file is gone", func() { tr.remove("sub/b.go") }},
		{"a folder is ignored", func() { tr.write(".assayignore", "sub\n") }},
		{"and is not any more", func() { tr.write(".assayignore", "*.tmp\n") }},
		{"nothing again", func() {}},
	}
	sync(t, tr.open())
	kept := 0
	for _, s := range steps {
		tr.settle()
		s.do()
		for range 3 {
			got, files := command("Gamma")
			data, err := os.ReadFile(sight)
			if err == nil {
				kept++
				if err := os.Remove(sight); err != nil {
					t.Fatal(err)
				}
			}
			want, all := command("Gamma")
			if !slices.Equal(got, want) || files != all {
				t.Errorf("%s: with a look that was kept %q of %d files, without %q of %d", s.name, got, files, want, all)
			}
			if data != nil { // for the next command, which may be another state's
				tr.write(filepath.Join(".assay", "index", "sight"), string(data))
			}
		}
	}
	if kept == 0 && runtime.GOOS == "linux" { // elsewhere each look is a whole one
		t.Error("no look was kept")
	}
}

// A damaged sight is none.
func TestDamagedSight(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Gamma")})
	e := tr.open()
	sync(t, e)
	_, v := ask(t, e, "Gamma")
	if err := v.Publish(context.Background()); err != nil {
		t.Fatal(err)
	}
	sight := filepath.Join(tr.dir, "sight")
	whole, err := os.ReadFile(sight)
	if err != nil && runtime.GOOS == "linux" {
		t.Fatal(err)
	}
	for at := range whole {
		cut := slices.Clone(whole)
		cut[at] ^= 0x11
		for _, data := range [][]byte{cut, whole[:at]} {
			if err := os.WriteFile(sight, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if got, v := ask(t, e, "Gamma"); !slices.Equal(got, []string{"a.go"}) || v.Files() != 1 || v.Stale != 0 {
				t.Fatalf("with byte %d damaged: %q of %d files", at, got, v.Files())
			}
		}
	}
	if _, err := e.Sync(context.Background(), engine.Options{}); err != nil {
		t.Error(err)
	}
}
