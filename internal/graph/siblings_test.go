package graph_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestOverridesInMentions holds that refs lists the overrides of a method, those of anonymous classes too, and of a method that is
// an override itself the others of the same base. Calls of these others are of something else, as are methods of other types.
func TestOverridesInMentions(t *testing.T) {
	_, f := project(t, `
-- Store.java --
package a;
public interface Store { void put(String k); }
class Disk implements Store { public void put(String k) {} 
  public void put(int k, int n) {} }
class Memory implements Store { public void put(String k) {} public int size() { return 0; }
  public void put(int k, int n) {} }
class Use {
  Store one = new Store() {
    public void put(String k) {
      new Ball() { public void put(String k) {} };
    }
  };
  Disk two = new Disk() {
    public void put(String k) {}
  };
  void go(Memory m) { m.put(""); }
}
class Ball {
  public void put(String k) {}
}
-- Shape.kt --
package b
interface Shape { fun area(x: Int): Int }
class Circle : Shape {
    override fun area(x: Int): Int = 1
}
val one = object : Shape {
    override fun area(x: Int): Int = 3
}
class Room {
    fun area(x: Int): Int = 3
}
-- box.ts --
export interface Door { open(k: string): void }
export class Gate implements Door { open(k: string) {} }
export const lit: Door = { open(k: string) {} };
export const other = { open(k: string) {} };
export class Book { open(k: string) {} }
-- knock.php --
<?php
interface Bell { public function ring(string $k); }
class Phone implements Bell { public function ring(string $k) {} }
$d = new class(1) implements Bell { public function ring(string $k) {} };
$e = new class { public function ring(string $k) {} };
-- go.mod --
module example.com/m
-- pool.go --
package m

type Pool interface{ Take(n int) error }

type disk struct{}

func (disk) Take(n int) error { return nil }

type mock struct{}

func (mock) Take(n int) error { return nil }

func use(m mock) { m.Take(1) }

type other struct{}

func (other) Take(s string) {}
-- shape.py --
from abc import ABC
class Plan(ABC):
    def draw(self): pass
class Square(Plan):
    def draw(self): pass
class Round(Plan):
    def draw(self): pass
class Gun:
    def draw(self): pass
`)
	tests := []struct {
		name, of string
		want     []string
	}{
		{"a method of an interface of Java", "Store.put", []string{"Store.java:14 Use.put", "Store.java:3 Disk.put", "Store.java:5 Memory.put", "Store.java:9 Use.put", "Store.java:16 Memory.put"}},
		{"an override of Java", "Disk.put(String)", []string{"Store.java:14 Use.put", "Store.java:2 Store.put", "Store.java:5 Memory.put, overrides Store.put", "Store.java:9 Use.put, overrides Store.put"}},
		{"a method of a class of Java", "Ball.put", []string{"Store.java:10 Use.put.put"}},
		{"Kotlin", "Shape.area", []string{"Shape.kt:4 Circle.area", "Shape.kt:7 one.area"}},
		{"an override of Kotlin", "Circle.area", []string{"Shape.kt:2 Shape.area", "Shape.kt:7 one.area, overrides Shape.area"}},
		{"TypeScript", "Door.open", []string{"box.ts:2 Gate.open", "box.ts:3 lit.open"}},
		{"an override of TypeScript", "Gate.open", []string{"box.ts:1 Door.open", "box.ts:3 lit.open, overrides Door.open"}},
		{"PHP", "Bell.ring", []string{"knock.php:3 Phone.ring", "knock.php:4 ring"}},
		{"an override of Go", "disk.Take", []string{"pool.go:11 mock.Take, overrides Pool.Take", "pool.go:3 Pool.Take"}},
		{"what overrides nothing", "other.Take", nil},
		{"an override of Python", "Square.draw", []string{"shape.py:3 Plan.draw", "shape.py:7 Round.draw, overrides Plan.draw"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Refs(t.Context(), graph.RefsInput{Symbol: tt.of})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range a.Mentions.Mentions {
				if x.Of == "" {
					continue
				}
				over := ""
				if x.Over != "" {
					over = ", overrides " + x.Over
				}
				got = append(got, x.File+":"+strconv.Itoa(x.Line)+" "+x.Of+over)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("refs %s: %q, want %q", tt.of, got, tt.want)
			}
		})
	}
}
