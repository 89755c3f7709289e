package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestAnonymous holds that classes without a name, and object literals with a written type, implement what they name as their base;
// and that an override has the parameters of the method that it overrides, where a language tells methods apart by them.
func TestAnonymous(t *testing.T) {
	_, f := project(t, `
-- Store.java --
package a;
public interface Store { void put(String k); }
class Disk implements Store { public void put(String k) {} public void put(int k) {} public void put(String k, int n) {} }
class Use {
  Store s = new Store() { public void put(String k) {} };
  static Store of() {
    return new Store() {
      @Override public void put(String k) {}
    };
  }
  Runnable r = new Runnable() { public void run() {} }; // new Store() { }
  Store d = new Disk() { };
  Store[] all = new Store[] { s };
  java.util.List<Store> list = new java.util.ArrayList<Store>() { };
  void go() { take(new Disk(), Store.class); if (s == new Disk()) { } }
  String text = "new Store() { }";
}
class Apart { void f() { class Store { } new Store() { }; } }
-- Box.java --
package a;
interface Box<T> { void fill(T with); }
class Full implements Box<String> { public void fill(String with) {} public void fill(int with, int n) {} }
-- Shape.kt --
package b
interface Shape { fun area(x: Int): Int }
interface Named
class Circle : Shape { override fun area(x: Int): Int = 1
  fun area(s: String): Int = 2 }
val one = object : Named, Shape {
    override fun area(x: Int): Int = 3
}
val shapes: List<Shape> = object : AbstractList<Shape>() { }
object Single : Shape { override fun area(x: Int): Int = 5 }
-- tool.scala --
package c
trait Tool { def run(x: Int): Int }
trait Loud
object T {
  val t = new Loud with Tool { def run(x: Int): Int = 2 }
  val u = new Array[Tool](3)
  def take(t: Tool) = { t }
}
-- box.ts --
export interface Door { open(k: string): void }
export const lit: Door = { open(k: string) {} };
export const other = { open(k: string) {} };
export function take(d: Door): Door { return d }
-- door.php --
<?php
interface Gate { public function knock(string $k); }
$d = new class(1) implements Gate { public function knock(string $k) {} };
$e = new class { };
-- Job.cs --
namespace N;
public interface IJob { void Run(string k); }
public class Job : IJob { public void Run(string k) {} public void Run(int k) {} }
`)
	tests := []struct {
		name, of string
		want     []string
	}{
		{"Java", "Store.java:Store", []string{"Store.java:12 anonymous class in Use", "Store.java:3 Disk", "Store.java:5 anonymous class in Use", "Store.java:7 anonymous class in Use.of"}},
		{"methods of Java", "Store.java:Store.put", []string{"Store.java:3 Disk.put", "Store.java:5 Use.put", "Store.java:8 Use.of.put"}},
		{"a type parameter", "Box.fill", []string{"Box.java:3 Full.fill"}},
		{"Kotlin", "Shape", []string{"Shape.kt:10 Single", "Shape.kt:4 Circle", "Shape.kt:6 anonymous class in (top level)"}},
		{"methods of Kotlin", "Shape.area", []string{"Shape.kt:10 Single.area", "Shape.kt:4 Circle.area", "Shape.kt:7 area"}},
		{"Scala", "Tool", []string{"tool.scala:5 anonymous class in T"}},
		{"TypeScript", "Door", []string{"box.ts:2 anonymous class in lit"}},
		{"PHP", "Gate", []string{"door.php:3 anonymous class in (top level)"}},
		{"methods of C#", "IJob.Run", []string{"Job.cs:3 N.Job.Run"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Implementers(t.Context(), graph.TypeInput{Type: tt.of})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range a.Symbols {
				got = append(got, fmt.Sprintf("%s:%d %s", x.File, x.Line, x.Name))
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("implementers %s: %q, want %q", tt.of, got, tt.want)
			}
		})
	}
}
