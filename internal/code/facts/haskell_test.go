package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
)

// below writes what is known to extend a type.
func below(t *testing.T, p *facts.Project, name string) string {
	t.Helper()
	var out []string
	for _, r := range p.Lookup(name) {
		if p.Extends(r) {
			continue
		}
		for _, n := range p.Below(r) {
			out = append(out, p.Decl(n.Type).Name+" "+n.Sure.String())
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestHaskellUses has operators, and functions that are composed, applied and passed.
func TestHaskellUses(t *testing.T) {
	tree := map[string]string{
		"src/M.hs": "module M\n  ( f\n  , (<+>)\n  , op\n  ) where\n\nf :: Int -> Int\nf 0 = 0\nf x\n  | x > 1 = f (x - 1)\nf x = x\n{-# INLINE f #-}\n\n" +
			"(<+>) :: Int -> Int -> Int\na <+> b = a + b\n\nop :: Int -> Int -> Int\na `op` b = a\n",
		"src/N.hs": "module N where\nimport M\n  ( f\n  , (<+>)\n  , op\n  )\nimport qualified M as Q\n\ng = map f\nh = (+ 1) . f\ni x = negate $ f x\nj = (+ 1).f\nk x = x <+> 1 Q.<+> 2\nl = foldr (<+>) 0\nm x = x `op` 1\nn = (<+>) 1 2\no = Q.f 1\n",
	}
	for symbol, want := range map[string]string{
		"f":     "src/M.hs:10:13 call exact\nsrc/M.hs:2:5 import exact\nsrc/N.hs:10:13 pass exact\nsrc/N.hs:11:16 call exact\nsrc/N.hs:12:11 pass exact\nsrc/N.hs:17:7 call exact\nsrc/N.hs:3:5 import exact\nsrc/N.hs:9:9 pass exact",
		"(<+>)": "src/M.hs:3:6 import exact\nsrc/N.hs:13:17 call exact\nsrc/N.hs:13:9 call exact\nsrc/N.hs:14:12 pass exact\nsrc/N.hs:16:6 call exact\nsrc/N.hs:4:6 import exact",
		"op":    "src/M.hs:4:5 import exact\nsrc/N.hs:15:10 call exact\nsrc/N.hs:5:5 import exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestHaskellPassedOn has names that a module exports and others declare.
func TestHaskellPassedOn(t *testing.T) {
	tree := map[string]string{
		"A.hs": "module A where\nf = 1\ng = 2\nk = 3\n",
		"B.hs": "module B (f, h) where\nimport A (f, g)\nimport C\n",
		"C.hs": "module C (h, k) where\nh = 1\nk = 2\n",
		"D.hs": "module D where\nimport B\nx = f 1\ny = g 1\nz = h 1\n",
		"E.hs": "module E (x) where\nimport A\nx = 1\n",
		"F.hs": "module F where\nimport E\nw = k 1\n",
	}
	for symbol, want := range map[string]string{
		"A.f": "B.hs:1:11 import exact\nB.hs:2:11 import exact\nD.hs:3:5 call exact",
		"A.g": "B.hs:2:14 import exact\nD.hs:4:5 call name-only",
		"A.k": "F.hs:3:5 call name-only",
		"C.h": "B.hs:1:14 import exact\nC.hs:1:11 import exact\nD.hs:5:5 call likely",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestHaskellPassedOnEdges holds how sure a call of such a name is: which of the modules that are imported whole has it is
// not written.
func TestHaskellPassedOnEdges(t *testing.T) {
	p := project(map[string]string{
		"A.hs": "module A where\nf a = 1\n",
		"B.hs": "module B (f, h) where\nimport A (f)\nimport C\n",
		"C.hs": "module C where\nh a = 1\n",
		"D.hs": "module D where\nimport B\nx a = f a\nz a = h a\n",
	})
	if got, want := edges(p), "D.hs:x → A.hs:f exact\nD.hs:z → C.hs:h likely"; got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
}

// TestHaskellMethods has methods of classes, which are called by their names alone wherever their class is known.
func TestHaskellMethods(t *testing.T) {
	tree := map[string]string{
		"A.hs": "module A (C(..), D(n), o) where\nclass C a where\n  m :: a -> Int\n  (.=) :: a -> a -> Int\n  a .= b = m a\nclass D a where\n  n :: a -> Int\no = 1\n",
		"B.hs": "module B (C(..), D(..)) where\nimport A (C(..), D(..))\n",
		"E.hs": "module E where\nimport A\ndata T = T\ninstance C T where\n  m _ = 1\nx = m T\n",
		"F.hs": "module F where\nimport B (C(..), D)\nx = m 1\ny = 1 .= 2\nz = n 1\n",
		"G.hs": "module G where\nimport A (o)\nx = m 1\n",
	}
	for symbol, want := range map[string]string{
		"C.m":  "A.hs:5:12 call exact\nE.hs:6:5 call exact\nF.hs:3:5 call exact",
		"T.m":  "A.hs:5:12 call likely\nE.hs:6:5 call likely\nF.hs:3:5 call likely",
		"C..=": "F.hs:4:7 call exact",
		"D.n":  "A.hs:1:20 import exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestHaskellInstances has instances for types of the project, of libraries and for what has no name of its own.
func TestHaskellInstances(t *testing.T) {
	p := project(map[string]string{
		"A.hs": "module A where\nclass C a where\n  m :: a -> Int\ndata T = T\ninstance C T where\n  m _ = 1\ninstance C [a] where\n  m _ = 2\ninstance C (a, b) where\n  m _ = 3\n" +
			"instance C (f Char) where\n  m _ = 4\ninstance C Int where\n  m _ = 5\n",
		"B.hs": "module B where\ndata T = T\n",
		"D.hs": "module D where\nimport A\ndata U a = U a\ninstance C a => C (U a) where\n  m (U x) = m x\ninstance Monad x => C x where\n  m _ = 1\n",
	})
	if got, want := below(t, p, "C"), "(a, b) exact, (f Char) exact, C exact, Int exact, T exact, U exact, [a] exact"; got != want {
		t.Errorf("below C: %s, want %s", got, want)
	}
	if got := below(t, p, "B.T"); got != "" {
		t.Errorf("below B.T: %s", got)
	}
	for _, r := range p.Lookup("D.U") {
		if p.Extends(r) {
			continue
		}
		up, _ := p.Above(r)
		if len(up) != 1 || p.Decl(up[0].Type).Name != "C" {
			t.Errorf("above U: %v", up)
		}
	}
}

// TestOperatorNames looks operators up as their languages write them.
func TestOperatorNames(t *testing.T) {
	p := project(map[string]string{"src/Lens.hs": "module Data.Lens where\n(^.) :: a -> b -> c\na ^. b = a\n(.=) :: a -> b\na .= b = a\n"})
	for _, name := range []string{"^.", "(^.)", "Data.Lens.^.", "Lens.(^.)", ".=", "(.=)", "src/Lens.hs:^.", "Lens..="} {
		if got := p.Lookup(name); len(got) != 1 {
			t.Errorf("%s: %d declarations, want 1", name, len(got))
		}
	}
	for _, name := range []string{"", "()", "f", "_", "a+b"} {
		if facts.Signs(name) {
			t.Errorf("%q is no operator", name)
		}
	}
}
