package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// members are files of a line that declares a member of a type, one that uses it by a name that it
// had before, Former…, and one that uses it as it is called, so with what else the languages ask for.
var members = []struct{ file, text, symbol string }{
	{"a.rs", "pub enum Level { High, Low(u8) }\npub fn f() -> Level { Level::FormerA }\npub fn g() -> Level { Level::High }\n", "Level::High"},
	{"b.ts", "export enum Mode { Fast, Slow = 3 }\nexport const m = Mode.FormerB;\nexport const n = Mode.Fast;\n", "Mode.Fast"},
	{"c.php", "<?php enum Suit: string { case Hearts = 'H'; case Spades = 'S'; }\nfunction f() { return Suit::FormerC; }\nfunction g() { return Suit::Hearts; }\n", "Suit::Hearts"},
	{"d.cpp", "enum class Weekday { Monday, Tuesday };\nWeekday f() { return Weekday::FormerD; }\nWeekday g() { return Weekday::Monday; }\n", "Weekday::Monday"},
	{"e.c", "enum kind { KIND_ONE = 1, KIND_TWO };\nint f(void) { return FormerE; }\nint g(void) { return KIND_ONE; }\n", "KIND_ONE"},
	{"f.cs", "enum Gear { First, Second }\nclass U { Gear a = Gear.FormerF;\nGear b = Gear.First; }\n", "Gear.First"},
	{"g.swift", "enum Way { case north, south(Int) }\nfunc f() -> Way { return .FormerG }\nfunc g() -> Way { return .north }\n", "Way.north"},
	{"h.hs", "data Tree = Leaf | Node Tree Tree\nf = FormerH\ng = Leaf\n", "Tree.Leaf"},
	{"i.zig", "pub const Op = enum { add, sub };\npub fn f() Op { return Op.FormerI; }\npub fn g() Op { return Op.add; }\n", "Op.add"},
	{"J.java", "enum Size { LARGE, SMALL }\nclass V { Size a = Size.FormerJ;\nSize b = Size.LARGE; }\n", "Size.LARGE"},
	{"k.go", "package k; type Box struct{ Width int }\nfunc f(b Box) int { return b.FormerK }\nfunc g(b Box) int { return b.Width }\n", "Box.Width"},
	{"l.php", "<?php class Q { private int $tall = 1;\nfunction f() { $this->FormerL = 2; }\nfunction g() { return $this->tall; } }\n", "Q::$tall"},
	{"m.c", "struct point { int x; };\nint mf(struct point *p) { return p->FormerM; }\nint mg(struct point *p) { return p->x; }\n", "point.x"},
	{"N.php", "<?php class R { function __construct(private int $wide) {}\nfunction f() { return $this->FormerN; }\nfunction g() { return $this->wide; } }\n", "R.wide"},
}

// TestMembers holds that the members of enumerations and the fields of types have uses, and that a change
// that renames or deletes one knows the uses of its former name.
func TestMembers(t *testing.T) {
	var tree, renamed, deleted strings.Builder
	for i, m := range members {
		fmt.Fprintf(&tree, "-- %s --\n%s", m.file, m.text)
		line, _, _ := strings.Cut(m.text, "\n")
		_, name, _ := strings.Cut(strings.NewReplacer("::", ".", "$", "").Replace(m.symbol), ".")
		if name == "" {
			name = m.symbol
		}
		former := fmt.Sprintf("Former%c", 'A'+i)
		both := strings.Replace(line, name, name+", "+former, 1)
		head := fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n", m.file, m.file)
		fmt.Fprintf(&renamed, "%s-%s\n+%s\n", head, strings.Replace(line, name, former, 1), line)
		if strings.Contains("a.rs b.ts d.cpp e.c f.cs g.swift i.zig J.java", m.file) {
			fmt.Fprintf(&deleted, "%s-%s\n+%s\n", head, both, line)
		}
	}
	_, f := project(t, tree.String())
	for _, m := range members {
		got, err := f.Refs(t.Context(), graph.RefsInput{Symbol: m.symbol})
		if err != nil {
			t.Errorf("%s: %v", m.symbol, err)
			continue
		}
		if len(got.References) != 1 || got.References[0].File != m.file || got.References[0].Line != 3 || got.References[0].Confidence == "name-only" {
			t.Errorf("uses of %s: %+v", m.symbol, got.References)
		}
	}
	for name, patch := range map[string]string{"renamed": renamed.String(), "deleted": deleted.String()} {
		got, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch, FailOn: []string{"remaining"}})
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]string{}
		for _, u := range got.Remaining {
			left[u.File] += fmt.Sprintf("%s:%d", u.Symbol[strings.LastIndexAny(u.Symbol, ".")+1:], u.Line)
		}
		for i, m := range members {
			want := fmt.Sprintf("Former%c:2", 'A'+i)
			if !strings.Contains(patch, "/"+m.file+"\n") {
				want = ""
			}
			if left[m.file] != want {
				t.Errorf("%s: what is left in %s is %q, want %q", name, m.file, left[m.file], want)
			}
		}
		if got.Verdict() == nil {
			t.Errorf("%s: what is left is no verdict", name)
		}
	}
}

// What only shares the name of a member that is gone is no use of it: another type, a member of what
// a library returns, a name that a file imports from elsewhere. A literal of the type is one.
func TestFormerAlone(t *testing.T) {
	_, f := project(t, `
-- src/value.rs --
pub enum Value { Str(String), Other }
pub struct Point { pub across: i32 }
-- src/use.rs --
use crate::value::Point;
use std::fmt::Wide;
pub fn f(s: String) -> String { s }
pub fn g(w: Wide) -> Wide { w }
pub fn p() -> Point { Point { sideways: 1 } }
pub fn q(x: Unknown) -> i32 { x.sideways }
-- box/box.go --
package box

type Box struct{ Width int }

func Make(label string) Box { return Box{label: label} }
-- src/Lib.cs --
class Holder { public int Kept; }
class User { int F(Foreign x) { return x.State + x.Status; } Holder G() { return new Holder { Status = 1 }; } }
`)
	patch := `--- a/src/value.rs
+++ b/src/value.rs
@@ -1,2 +1,2 @@
-pub enum Value { String(String), Wide }
-pub struct Point { pub sideways: i32 }
+pub enum Value { Str(String), Other }
+pub struct Point { pub across: i32 }
--- a/box/box.go
+++ b/box/box.go
@@ -3,1 +3,1 @@
-type Box struct{ Width int; label string }
+type Box struct{ Width int }
--- a/src/Lib.cs
+++ b/src/Lib.cs
@@ -1,1 +1,1 @@
-class Holder { public int Kept; public int Status; }
+class Holder { public int Kept; }
`
	got, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch})
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, u := range got.Remaining {
		left = append(left, fmt.Sprintf("%s %s:%d %s", u.Symbol, u.File, u.Line, u.Confidence))
	}
	slices.Sort(left)
	want := []string{"Box.label box/box.go:5 exact", "Holder.Status src/Lib.cs:2 exact", "Point.sideways src/use.rs:5 exact"}
	if !slices.Equal(left, want) {
		t.Errorf("%q,\nwant %q", left, want)
	}
}

// What a display of Python or JavaScript holds has no name, and is nothing that a line above it renames.
func TestNothingRenamed(t *testing.T) {
	_, f := project(t, `
-- a.py --
# new
class A:
    names = ['x', f]
    def g(self):
        self.all = [f(), g()]
        self.by['k'] = f
-- b.js --
// new
class B { g() { this.all = [f(), g()] } }
`)
	patch := "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,2 @@\n+# new\n class A:\n--- a/b.js\n+++ b/b.js\n@@ -1,1 +1,2 @@\n+// new\n class B { g() { this.all = [f(), g()] } }\n"
	got, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch})
	if err != nil || len(got.Files) != 2 {
		t.Fatalf("%+v, %v", got.Files, err)
	}
	for _, file := range got.Files {
		if len(file.Symbols) > 0 {
			t.Errorf("%s: %+v, want nothing changed", file.File, file.Symbols)
		}
	}
	for _, name := range []string{"A.all[]", "A.by[]"} {
		if _, err := f.Define(t.Context(), graph.DefineInput{Name: name}); err == nil {
			t.Errorf("%s is a declaration", name)
		}
	}
}

// What nothing is called any more is a remaining use by its name alone where its type is not known, of members and
// of operators; what something else is called too is counted in a note. Strings and comments are no uses.
func TestRemainingByName(t *testing.T) {
	for what, c := range map[string]struct{ tree, patch, want, note string }{
		"an attribute of Python": {
			"-- a.py --\nclass A:\n    def __init__(self, dirty_only):\n        self.now_called = dirty_only\nclass B:\n    def save(self):\n        return self._meta.dirty_only\n-- b.py --\nfrom c import x\nx.dirty_only = 1  # dirty_only\ny = 'dirty_only'\n",
			"--- a/a.py\n+++ b/a.py\n@@ -3,1 +3,1 @@\n-        self.dirty_only = dirty_only\n+        self.now_called = dirty_only\n",
			"A.dirty_only a.py:6 likely", ""},
		"a member of TypeScript, destructured, in a generic type and of a context": {
			"-- a.tsx --\ntype Scoped<P> = P & { scope?: string };\ninterface Props { mountedNow?: true }\ninterface Context { openNow(): void }\ninterface Other { openChange?(): void }\nexport const f = (props: Scoped<Props>) => { const { forceMount, ...rest } = props; return forceMount; };\nexport const g = (context) => context.openChange();\nexport const h = (other: Other) => other.openChange();\n",
			"--- a/a.tsx\n+++ b/a.tsx\n@@ -2,2 +2,2 @@\n-interface Props { forceMount?: true }\n-interface Context { openChange(): void }\n+interface Props { mountedNow?: true }\n+interface Context { openNow(): void }\n",
			"Context.openChange a.tsx:6 name-only; Props.forceMount a.tsx:5 likely", ""},
		"an operator of Haskell": {
			"-- A.hs --\nmodule A ((<+>), (<++>)) where\n(<++>) :: Int -> Int -> Int\na <++> b = a\n-- B.hs --\nmodule B where\nimport A\nf x = x <+> x -- <+>\n",
			"--- a/A.hs\n+++ b/A.hs\n@@ -2,2 +2,2 @@\n-(<+>) :: Int -> Int -> Int\n-a <+> b = a\n+(<++>) :: Int -> Int -> Int\n+a <++> b = a\n",
			"<+> A.hs:1 name-only; <+> B.hs:3 likely", ""},
		"strings and comments of Rust": {
			"-- src/lib.rs --\npub fn quicker() {}\npub fn main() { faster(); help(\"faster\") } // faster\n/* faster\nfaster */\n-- src/cli.rs --\nfn f() { say(\"runs\n  faster\") }\n",
			"--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,1 +1,1 @@\n-pub fn faster() {}\n+pub fn quicker() {}\n",
			"faster src/lib.rs:2 likely", ""},
		"a common name of Python": {
			"-- a.py --\nclass A:\n    def other(self): pass\nclass B:\n    def done(self): pass\n-- b.py --\ndef f(x):\n    x.close()\n    return x.close\n",
			"--- a/a.py\n+++ b/a.py\n@@ -2,1 +2,1 @@\n-    def close(self): pass\n+    def other(self): pass\n",
			"", "2 more mentions of close, a name that something else has too, may mean what is deleted or renamed"},
	} {
		_, f := project(t, "\n"+c.tree)
		got, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: c.patch, FailOn: []string{"remaining"}})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var left []string
		names := 0
		for _, u := range got.Remaining {
			left = append(left, fmt.Sprintf("%s %s:%d %s", u.Symbol, u.File, u.Line, u.Confidence))
			if u.Confidence == "name-only" {
				names++
			}
		}
		slices.Sort(left)
		if have := strings.Join(left, "; "); have != c.want || (got.Verdict() != nil) != (c.want != "") || got.Totals.ByName != names {
			t.Errorf("%s: %q, verdict %v, %d by name, want %q", what, have, got.Verdict(), got.Totals.ByName, c.want)
		}
		if have := strings.Join(got.Notes, "; "); have != c.note {
			t.Errorf("%s: notes %q, want %q", what, have, c.note)
		}
	}
}
