package engine

import (
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// noFacts has a document of a size, of which nothing is known.
type noFacts struct{ facts.Source }

func (noFacts) Load(int) *corpus.Facts { return nil }

// All trees together keep the facts of so much; those that were not asked for longest shed theirs, and one
// that a question has is not touched.
func TestKeeper(t *testing.T) {
	k := &keeper{}
	loadedOf := func(c *structure) int {
		_, n := c.p.Loaded()
		return n
	}
	tree := func(size int) *structure {
		p := facts.New([]facts.Doc{{Path: "a", Bytes: size}}, noFacts{})
		p.File(0)
		return &structure{p: p}
	}
	a, b, c, asked := tree(mostLoaded/2), tree(mostLoaded/4), tree(mostLoaded/2), tree(mostLoaded/8)
	question := asked.p
	asked.p = nil
	k.keep(asked, mostLoaded/8)
	k.keep(a, mostLoaded/2)
	k.keep(b, mostLoaded/4)
	k.keep(a, mostLoaded/2) // again: it is the last now
	if k.sum != mostLoaded/8+mostLoaded/2+mostLoaded/4 || loadedOf(b) == 0 {
		t.Fatalf("%d, and b has %d", k.sum, loadedOf(b))
	}
	k.keep(c, mostLoaded/2)
	if k.sum != mostLoaded || loadedOf(a) != mostLoaded/2 || loadedOf(b) != 0 || loadedOf(c) != mostLoaded/2 || len(k.all) != 2 {
		t.Errorf("%d: %d, %d and %d", k.sum, loadedOf(a), loadedOf(b), loadedOf(c))
	}
	if _, n := question.Loaded(); n != mostLoaded/8 || asked.loaded != 0 {
		t.Errorf("what a question has was shed: %d; counted are %d", n, asked.loaded)
	}
	k.forget(a)
	k.keep(a, mostLoaded/2) // a question that ended after its tree was closed
	if k.sum != mostLoaded/2 || len(k.all) != 1 {
		t.Errorf("a tree that is closed: %d, %d", k.sum, len(k.all))
	}
	k.keep(b, 2*mostLoaded)
	if k.sum != 0 || len(k.all) != 0 {
		t.Errorf("one that is too large alone: %d, %d", k.sum, len(k.all))
	}
}
