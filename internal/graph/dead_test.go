package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
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
	unreached(t, f, "js/table.js spare\nkt/Jvm.kt String.hush\nlib/run.ex Shop.Run.never\nsrc/pool.zig lonely")
}

// unreached holds that some functions are listed as unreached, and no other.
func unreached(t *testing.T, f *graph.Feature, want string) {
	t.Helper()
	a, err := f.Dead(t.Context(), graph.DeadInput{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range a.Symbols {
		got = append(got, s.File+" "+s.Name)
	}
	slices.Sort(got)
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("unreached:\n%s\nnot\n%s", s, want)
	}
}

// TestDeadHandedOn holds that what the program hands on as a value is not listed, and what a test alone
// hands on may be reached.
func TestDeadHandedOn(t *testing.T) {
	_, f := project(t, `
-- go.mod --
module example.com/m
-- a.go --
package m

type proxy struct{}

func (p *proxy) Run(on func(string, func())) { on("/", p.handle) }

func (p *proxy) handle() {}

func help() {}

var usage = help

func lost() {}
-- a_test.go --
package m

var tested = lost
-- py/app.py --
def handler(): pass

def unused(): pass

def start(app): app.route("/", handler)
-- ts/app.ts --
function onClick() {}
function never() {}
export const table = { click: onClick };
-- rs/src/lib.rs --
fn twice(x: u32) -> u32 { x * 2 }
fn gone(x: u32) -> u32 { x }
pub fn all(v: Vec<u32>) -> Vec<u32> { v.into_iter().map(twice).collect() }
-- java/A.java --
class A {
  private static int one(int x) { return x; }
  private static int none(int x) { return x; }
  public void run(java.util.stream.Stream<Integer> s) { s.map(A::one); }
}
-- c/a.c --
static int cmp(const void *a, const void *b) { return 0; }
static int idle(void) { return 0; }
int sorted(int *v, int n) { qsort(v, n, sizeof *v, cmp); return 0; }
-- examples/b.go --
package main

func spare() {}
`)
	unreached(t, f, "c/a.c idle\nexamples/b.go spare\njava/A.java A.none\nrs/src/lib.rs gone\nts/app.ts never")
	a, err := f.Dead(t.Context(), graph.DeadInput{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range a.Symbols {
		got = append(got, s.Name+" "+strings.Join(s.Reached, "; "))
	}
	if s := strings.Join(got, "\n"); !strings.Contains(s, "\nspare \nproxy.Run") || !strings.Contains(s, "lost name in a_test.go") || strings.Contains(s, "handle") || strings.Contains(s, "help") || strings.Contains(s, "one export") {
		t.Errorf("all:\n%s", s)
	}
}

// TestDeadByWords holds that nothing is listed that the language calls, that a word before its
// name hands to others, that a test or a call without parentheses names, or that another of its
// name stands for.
func TestDeadByWords(t *testing.T) {
	_, f := project(t, `
-- cs/App.cs --
namespace App {
  internal class Entry {
    static void Main(string[] args) { var c = new Clock { Now = () => 1 }; Clock.Tick(1); }
  }
  internal class Clock {
    internal System.Func<int> Now;
    internal static void Tick(int n) {}
    internal static void Tick() {}
    protected void Wind() {}
    internal bool Slow => true;
    internal void Rust() {}
    public static bool operator ==(Clock a, Clock b) => true;
  }
}
-- cs/ClockTests.cs --
namespace App.Tests {
  public class ClockTests {
    [Fact] public void Slow_is() { Assert.True(new Clock().Slow); }
  }
}
-- swift/Box.swift --
final class Box {
    deinit { close() }
    private func close() {}
    private func never() {}
}
-- rb/part.rb --
class Part
  private

  def initialize_copy(source)
    odd?(source)
  end

  def odd?(x)
    x
  end

  def lost
    1
  end
end
-- ex/mail.ex --
defmodule Mail do
  def sent(list) do
    late? = fn x -> x end
    Enum.any?(list, late?)
  end
end
-- rb/match.rb --
class Matcher
  def run(x)
    send(:"matches_#{x}?")
  end

  private

  def matches_body?
    true
  end
end
-- java/Date.java --
class Date implements java.io.Serializable {
  private void writeObject(java.io.ObjectOutputStream out) {}
  private void nowhere() {}
}
-- js/hook.js --
exports.hook = run(function cbHook(err) {
  return err
})
-- cpp/run.cc --
class Runner { public: virtual int Start() = 0; };
class Dry : public Runner { int Start() override; int Never(); };
int Dry::Start() { return 1; }
int use(Runner* r) { return r->Start(); }
-- sc/Clock.scala --
package sc
object Clock {
  def make(): Ticker = new Ticker {
    def nowMillis() = 1L
  }
  private def stopped() = 2
}
`)
	unreached(t, f, "cs/App.cs App.Clock.Rust\njava/Date.java Date.nowhere\nrb/part.rb Part.lost\nsc/Clock.scala Clock.stopped\nswift/Box.swift Box.never")
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

// Of several beginnings that a program puts names together with, the longest says why a
// function may be reached, whichever is read first.
func TestDeadByBeginnings(t *testing.T) {
	_, f := project(t, `
-- js/visit.js --
const kinds = ["One", "Two"];
function visitNodeOne() { return 1; }
function visitNodeTwo() { return 2; }
function visitNode() { return 3; }
export function run(x) { return globalThis[`+"`visit${x}`"+`]() + globalThis[`+"`visitNode${x}`"+`]() + globalThis[`+"`visitN${x}`"+`]() + kinds.length; }
`)
	for range 10 {
		a, err := f.Dead(t.Context(), graph.DeadInput{All: true})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, s := range a.Symbols {
			got[s.Name] = strings.Join(s.Reached, "; ")
		}
		if got["visitNodeOne"] != "visitNode… in js/visit.js" || got["visitNodeTwo"] != got["visitNodeOne"] || got["visitNode"] != "name in js/visit.js" {
			t.Fatalf("reached by %q", got)
		}
	}
}

// TestDeadOddly holds that a name of more than letters is read whole, that what a mixin of Python has is run by the
// bases behind it, and that a comment before it does not make a function of its own of an argument.
func TestDeadOddly(t *testing.T) {
	_, f := project(t, `
-- A.hs --
module A (f) where
f = go set'Snd
  where go = id
set'Snd x = x
unused'One x = x
-- a.rb --
class A
  def run
    ❤
  end
  private
  def ❤
    1
  end
  def ♻
    1
  end
end
-- a.py --
class _Base:
    def go(self):
        return self._hook()
    def _hook(self):
        return 0
class _Mixin(object):
    def _hook(self):
        return 1
    def _other(self):
        return 1
class _Real(_Mixin, _Base):
    pass
def main():
    return _Real().go()
main()
-- a.tsx --
export const A = React.forwardRef<X, Y>(
  // why
  function Named(props) { return props; }
);
function unnamed() {}
`)
	got, err := f.Dead(t.Context(), graph.DeadInput{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range got.Symbols {
		names = append(names, x.Name)
	}
	if want := []string{"unused'One", "_Mixin._other", "A.♻", "unnamed"}; !slices.Equal(names, want) {
		t.Errorf("dead: %q, want %q", names, want)
	}
	callers, err := f.Callers(t.Context(), graph.CallsInput{Function: "_Mixin._hook"})
	if err != nil || len(callers.Callers) != 1 || callers.Callers[0].Function != "_Base.go" {
		t.Errorf("callers of what a mixin has: %+v, %v", callers, err)
	}
}
