package graph_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// The modules of a Neovim plugin are below lua/, and a folder's is its init.lua: what is of the
// same name elsewhere is not what a require loads.
func TestLuaRoots(t *testing.T) {
	_, f := project(t, `
-- plugin/conform.lua --
vim.g.loaded = true
-- lua/conform/init.lua --
local M = {}
function M.format(x) return x end
return M
-- lua/conform/log.lua --
return {}
-- tests/api_spec.lua --
local conform = require("conform")
local log = require("conform.log")
local function runs() return conform.format(1) end
`)
	for module, want := range map[string][]string{"lua/conform/init.lua": {"tests/api_spec.lua"}, "lua/conform/log.lua": {"tests/api_spec.lua"}, "plugin/conform.lua": nil} {
		a, err := f.Importers(t.Context(), graph.ImportsInput{Module: module})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range a.Importers {
			got = append(got, x.File)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is imported by %q, want %q", module, got, want)
		}
	}
	a, err := f.Callers(t.Context(), graph.CallsInput{Function: "M.format"})
	if err != nil || len(a.Callers) != 1 || a.Callers[0].File != "tests/api_spec.lua" {
		t.Errorf("%+v, %v", a, err)
	}
}

// A field is declared where its type says it.
func TestDefineField(t *testing.T) {
	_, f := project(t, `
-- box/box.go --
package box

type Box struct {
	Width int
	fd    int
}

func (b *Box) Grow() { b.Width++; b.fd = 0 }
-- box/other.go --
package box

type Pipe struct{ fd int }

func (p *Pipe) Close() { p.fd = -1 }
`)
	for name, want := range map[string][]string{"Box.Width": {"box/box.go:4 Box.Width field exact"}, "Width": {"box/box.go:4 Box.Width field exact"},
		"fd": {"box/box.go:5 Box.fd field likely", "box/other.go:3 Pipe.fd field likely"}, "Pipe.fd": {"box/other.go:3 Pipe.fd field exact"}} {
		a, err := f.Define(t.Context(), graph.DefineInput{Name: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, x := range a.Symbols {
			got = append(got, fmt.Sprintf("%s:%d %s %s %s", x.File, x.Line, x.Name, x.Kind, x.Confidence))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Who asks what a class reaches means the class, also where its constructor is written.
func TestImpactOfClass(t *testing.T) {
	_, f := project(t, `
-- src/Trigger.cs --
namespace A {
  public class Trigger {
    public Trigger(int n) { }
    public int Fire() { return 1; }
  }
}
-- src/Holder.cs --
namespace A {
  public class Holder {
    public int Take(Trigger t) { return 2; }
  }
}
-- src/Child.cs --
namespace A {
  public class Child : Trigger {
    public Child() : base(1) { }
  }
}
`)
	a, err := f.Impact(t.Context(), graph.ImpactInput{Target: "Trigger"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range a.Impact {
		got = append(got, x.File)
	}
	slices.Sort(got)
	if want := []string{"src/Child.cs", "src/Holder.cs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What still uses the old name of what a change renames is reached by it, and so are the tests
// of that.
func TestRenamedReachesTests(t *testing.T) {
	root, f := project(t, `
-- go.mod --
module example.com/m
-- m/fire.go --
package m

func Fire(n int) int { return n }
-- m/use.go --
package m

func Twice(n int) int { return Fire(n) + Fire(n) }
-- m/other_test.go --
package m

import "testing"

func TestTwice(t *testing.T) {
	if Twice(1) != 2 {
		t.Fail()
	}
}
-- m/direct_test.go --
package m

import "testing"

func TestDirect(t *testing.T) {
	if Fire(1) != 1 {
		t.Fail()
	}
}
`)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "m/fire.go"), []byte("package m\n\nfunc FireNow(n int) int { return n }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := f.Review(t.Context(), graph.ImpactInput{Diff: true})
	if err != nil {
		t.Fatal(err)
	}
	depth := map[string]int{}
	for _, x := range append(slices.Clone(r.Tests), r.Reached...) {
		if slices.Contains(x.Via, "use") || slices.Contains(x.Via, "call") {
			depth[x.File] = x.Depth
		}
	}
	if len(r.Remaining) != 3 || depth["m/direct_test.go"] != 1 || depth["m/use.go"] != 1 || depth["m/other_test.go"] != 2 {
		t.Errorf("%d uses remain; %v", len(r.Remaining), depth)
	}
}

// The line that names a file's package hands on nothing.
func TestPackageClause(t *testing.T) {
	_, f := project(t, `
-- main.go --
package main

func main() { println(1) }
-- flat.go --
package main

type Flat struct{}
-- k/Run.kt --
package a.run

fun run() = 1
-- k/Use.kt --
package a.run

fun twice() = run() + run()
`)
	for name, want := range map[string]int{"main": 0, "run": 2} {
		a, err := f.Refs(t.Context(), graph.RefsInput{Symbol: name})
		if err != nil || len(a.References) != want {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}
