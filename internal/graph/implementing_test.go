package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestImplementing holds that a change which renames members of an interface knows the members that implement them.
func TestImplementing(t *testing.T) {
	now := "public interface I { int AllServices { get; } void Start(); void Kept(); }"
	was := strings.NewReplacer("AllServices", "Services", "Start", "Run").Replace(now)
	_, f := project(t, `
-- I.cs --
namespace N;
`+now+`
-- A.cs --
namespace N;
public class A : I {
  public int Services { get; }
  public void Run() { }
  public void Kept() { }
}
public class B : A {
  public int Services { get; }
}
public class C : I, J {
  public void Run() { }
}
public interface J { void Run(); }
public class D { public void Run() { } public int Services { get; } }
`)
	patch := fmt.Sprintf("--- a/I.cs\n+++ b/I.cs\n@@ -2 +2 @@\n-%s\n+%s\n", was, now)
	a, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range a.Remaining {
		got = append(got, fmt.Sprintf("%s:%d %s %s", u.File, u.Line, u.Symbol, u.Confidence))
	}
	slices.Sort(got)
	want := []string{"A.cs:3 N.I.Services likely", "A.cs:4 N.I.Run likely", "A.cs:8 N.I.Services likely"}
	if !slices.Equal(got, want) {
		t.Errorf("remaining: %q, want %q", got, want)
	}
}

// What an interface no longer has, a class may keep where its language does not ask for the base; where it does,
// what is left does not build.
func TestImplementingGone(t *testing.T) {
	_, f := project(t, `
-- shape.ts --
export interface Shape { area(): number }
export class Circle implements Shape { area() { return 1 } describeFully() { return "a" } }
-- Shape.kt --
interface Shape { fun area(): Int }
class Circle : Shape {
    override fun area(): Int = 1
    override fun describeWhole(): Int = 2
}
`)
	patch := "--- a/shape.ts\n+++ b/shape.ts\n@@ -1 +1 @@\n-export interface Shape { area(): number; describeFully(): string }\n+export interface Shape { area(): number }\n" +
		"--- a/Shape.kt\n+++ b/Shape.kt\n@@ -1 +1 @@\n-interface Shape { fun area(): Int; fun describeWhole(): Int }\n+interface Shape { fun area(): Int }\n"
	a, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range a.Remaining {
		got = append(got, fmt.Sprintf("%s:%d %s", u.File, u.Line, u.Symbol))
	}
	if want := []string{"Shape.kt:4 Shape.describeWhole"}; !slices.Equal(got, want) {
		t.Errorf("remaining: %q, want %q", got, want)
	}
}
