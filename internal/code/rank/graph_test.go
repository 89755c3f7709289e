package rank

import (
	"math"
	"testing"
)

// walked returns a walk over two nodes of each of some files: the file itself, at an even
// number, and what it declares.
func walked(begin []float64, uses map[int][]Link) []float64 {
	w := Walk{File: make([]int, 2*len(begin)), Uses: make([][]Link, 2*len(begin)), Begin: make([]float64, 2*len(begin))}
	for i := range w.File {
		w.File[i] = i - i%2
	}
	for i, x := range begin {
		w.Begin[2*i] = x
	}
	for file, links := range uses {
		w.Uses[2*file] = links
	}
	return w.Used(Map())
}

func TestWalk(t *testing.T) {
	about := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// Nothing is used: nothing comes along a use.
	for _, x := range walked([]float64{.5, .5}, nil) {
		about("without uses", x, 0)
	}
	// The first uses what the second declares. Half of the steps go on. What comes to the
	// second uses nothing, and begins again at the first: s = .5·t, with t + s = 1.
	used := walked([]float64{1, 0}, map[int][]Link{0: {{3, 7}}})
	about("a use", used[3], 2./3)
	about("the file that is used, which is no use of itself", used[2], 0)
	// Uses share what their file has, by weight.
	used = walked([]float64{1, 0, 0}, map[int][]Link{0: {{3, 3}, {5, 1}}})
	about("three of four", used[3], .5)
	about("one of four", used[5], 1./6)
	// Files that use each other in a circle are used alike.
	used = walked([]float64{1. / 4, 1. / 4, 1. / 4, 1. / 4}, map[int][]Link{0: {{3, 1}}, 1: {{5, 1}}, 2: {{1, 1}}, 3: {{7, 1}}})
	if !(used[5] > 0 && math.Abs(used[1]-used[3]) < 1e-9 && math.Abs(used[3]-used[5]) < 1e-9) {
		t.Errorf("files that use each other in a circle: %v, want equal uses", used)
	}
	// A walk begins where it is told to.
	here, there := walked([]float64{1, 0, 0}, map[int][]Link{0: {{5, 1}}, 1: {{3, 1}}}), walked([]float64{0, 1, 0}, map[int][]Link{0: {{5, 1}}, 1: {{3, 1}}})
	if here[5] <= there[5] || there[3] <= here[3] {
		t.Errorf("begun at the first %v, at the second %v: want more uses of what each uses", here, there)
	}
}

// A test in another folder is the nearer the more of the path they share, in whatever place.
func TestNearness(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		shared float64
	}{{"x", "y", 0}, {"a/b", "a/c", .5}, {"a/b", "a/b/c/d", .5}, {"src/api", "test/api", .5}, {"a/b/c", "a/b/d", 2. / 3}} {
		want := Reach().Constant("named in another folder") + c.shared*Reach().Constant("part of the path")
		if got, back := Reach().Nearness(c.a, c.b), Reach().Nearness(c.b, c.a); math.Abs(got-want) > 1e-9 || got != back {
			t.Errorf("Nearness(%q, %q) = %v and %v, want %v", c.a, c.b, got, back, want)
		}
	}
	if got := Reach().Nearness("a/b", "a/b"); got != 1 {
		t.Errorf("of one folder: %v, want 1", got)
	}
}
