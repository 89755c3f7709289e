package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/feature/graph"
)

// TestDead holds that only what nothing may mean is listed as unreached: no clause of a
// function, none that a call of unknown meaning may be of, no value of an object, and
// nothing that a platform provides for another declaration.
func TestDead(t *testing.T) {
	_, f := project(t, `
-- lib/run.ex --
defmodule Shop.Run do
  def run(x), do: walk(x)

  defp walk([h | t]) do
    walk(t)
  end

  defp walk([]), do: nil

  defp never(x), do: x
end
-- src/pool.zig --
const Pool = @This();

pub fn notify(self: *Pool) void {
    self.slow();
}

fn slow(self: *Pool) void {
    _ = self;
}

fn lonely(self: *Pool) void {
    _ = self;
}
-- js/table.js --
const table = {
  one() { return 1; },
};

class Kept {
  #drop = () => 1;
  start(on) { on(this.#drop); }
}

function spare() {}

export function pick(name) { return [table[name], new Kept()]; }
-- kt/Common.kt --
package shop

internal expect fun lock(): Int

fun take() = lock()
-- kt/Jvm.kt --
package shop

internal actual fun lock(): Int = 1

private fun String.shout() = this + "!"

private fun String.hush() = this

fun say(x: String) = x.shout()
`)
	a, err := f.Dead(t.Context(), graph.DeadInput{Unreached: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range a.Symbols {
		got = append(got, s.File+" "+s.Name)
	}
	slices.Sort(got)
	want := "js/table.js spare\nkt/Jvm.kt String.hush\nlib/run.ex Shop.Run.never\nsrc/pool.zig lonely"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("unreached:\n%s\nnot\n%s", s, want)
	}
}

// TestWholeNames holds that a module is found by the whole of a name with dots.
func TestWholeNames(t *testing.T) {
	_, f := project(t, "\n-- lib/conn.ex --\ndefmodule Plug.Conn do\n  def assign(c), do: c\nend\n")
	for _, name := range []string{"Plug.Conn", "lib/conn.ex:Plug.Conn"} {
		a, err := f.Define(t.Context(), graph.DefineInput{Name: name})
		if err != nil || len(a.Symbols) != 1 || a.Symbols[0].Name != "Plug.Conn" || a.Symbols[0].Line != 1 {
			t.Errorf("%s: %+v %v", name, a, err)
		}
	}
}

// TestExtensionsAreNoDefinitions holds that def shows where a type is declared, and what adds
// to it only where that is all there is.
func TestExtensionsAreNoDefinitions(t *testing.T) {
	_, f := project(t, `
-- src/lib.rs --
pub struct Recipe { n: u32 }

impl Recipe {
    pub fn n(&self) -> u32 { self.n }
}

impl Drop for Recipe {
    fn drop(&mut self) {}
}
-- src/other.rs --
impl Foreign {
    pub fn go(&self) {}
}
`)
	for name, want := range map[string]string{"Recipe": "src/lib.rs struct", "Foreign": "src/other.rs class"} {
		a, err := f.Define(t.Context(), graph.DefineInput{Name: name})
		if err != nil || len(a.Symbols) != 1 || a.Symbols[0].File+" "+a.Symbols[0].Kind != want || a.Symbols[0].Confidence != "exact" {
			t.Errorf("%s: %+v %v", name, a, err)
		}
	}
}
