package facts_test

import "testing"

// TestObjectMembers finds the members of TypeScript's types where objects are written with their names
// and taken apart by them.
func TestObjectMembers(t *testing.T) {
	tree := map[string]string{
		"types.ts": "export interface Options {\n  root: string\n  deep?: { level: number }\n  hooks: Hook[]\n}\nexport interface Hook { on: string }\n",
		"use.ts": `import { Options, Hook } from './types'
const a: Options = { root: '', hooks: [{ on: 'x' }] }
function make(root: string): Options {
  return { root, hooks: [] }
}
export async function later(): Promise<Options> {
  return { root: 'r', hooks: [] }
}
function serve(name: string, o: Options = { root: '/', hooks: [] }, { root }: Options) {
  const { hooks, root: other } = o
  return hooks
}
serve('x', { root: 'y', hooks: [] }, a)
const plain = { root: 1 }
label: for (;;) {}
class T { constructor(o: Options) {} }
new T({ root: 'z', hooks: [] as Hook[] })
const said = { root: 'q' } as Options
`,
	}
	for _, c := range []struct{ symbol, want string }{
		{"types.ts:root", "use.ts:10:18 read exact\nuse.ts:13:14 write exact\nuse.ts:14:17 write name-only\nuse.ts:17:9 write exact\nuse.ts:18:16 write exact\nuse.ts:2:22 write exact\nuse.ts:3:15 write name-only\n" +
			"use.ts:4:12 write exact\nuse.ts:7:12 write exact\nuse.ts:9:45 write exact\nuse.ts:9:71 read exact"},
		{"types.ts:on", "use.ts:2:42 write exact"},
		{"make", ""},
	} {
		if got := uses(t, tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestAssignments holds that an assignment in a function is a use of what is declared outside of it.
func TestAssignments(t *testing.T) {
	for _, c := range []struct{ file, text, symbol, want string }{
		{"a.ts", "let done = false\nfunction f() {\n  done = true\n  const done2 = done\n}\nfunction g() {\n  let x = 1,\n    done = 2\n  return done\n}\n", "a.ts:done", "a.ts:3:3 write exact\na.ts:4:17 read exact"},
		{"A.java", "class A {\n  int n;\n  void f() {\n    n = 1;\n    g(n);\n  }\n}\n", "A.n", "A.java:4:5 write exact\nA.java:5:7 read exact"},
		{"a.swift", "class A {\n  var n = 0\n  func f() {\n    n = 1\n    g(n)\n  }\n}\n", "A.n", "a.swift:4:5 write exact\na.swift:5:7 read exact"},
		{"a.kt", "class A {\n  var n = 0\n  fun f() {\n    n = 1\n    g(n)\n  }\n}\n", "A.n", "a.kt:4:5 write exact\na.kt:5:7 read exact"},
		{"a.cs", "class A {\n  int n;\n  void F() {\n    n = 1;\n    G(n);\n  }\n}\n", "A.n", "a.cs:4:5 write exact\na.cs:5:7 read exact"},
	} {
		if got := uses(t, map[string]string{c.file: c.text}, c.symbol); got != c.want {
			t.Errorf("uses of %s in %s:\n%s\nwant:\n%s", c.symbol, c.file, got, c.want)
		}
	}
}

// TestRustNames finds fields where structs of Rust are made and taken apart, and constants behind a
// wildcard; a variant is not the type of its name, nor a module the function in it.
func TestRustNames(t *testing.T) {
	tree := map[string]string{
		"Cargo.toml":  "[package]\nname = \"a\"\n",
		"src/lib.rs":  "mod line;\nmod kind;\nmod run;\npub(crate) const LIMIT: usize = 3;\npub use {run::run, line::Line};\n",
		"src/line.rs": "use super::*;\npub struct Line { pub number: usize, pub text: String }\nimpl Line {\n  pub fn new(text: String) -> Self { Self { number: LIMIT, text } }\n  pub fn again(self) -> Line { let Line { number, .. } = self; Line { number, text: String::new() } }\n}\n",
		"src/kind.rs": "use crate::line::Line;\npub enum Kind {\n  Line { at: usize },\n  Other(Line),\n}\nfn f() -> Kind { Kind::Line { at: 1 } }\n",
		"src/run.rs":  "pub fn run() {}\n",
	}
	for _, c := range []struct{ symbol, want string }{
		{"src/line.rs:number", "src/line.rs:4:45 write exact\nsrc/line.rs:5:43 read exact\nsrc/line.rs:5:71 write exact"},
		{"src/line.rs:text", "src/line.rs:4:14 write name-only\nsrc/line.rs:4:60 write exact\nsrc/line.rs:5:79 write exact"},
		{"src/lib.rs:LIMIT", "src/line.rs:4:53 read exact"},
		{"src/run.rs:run", "src/lib.rs:5:15 import exact"},
		{"src/line.rs:Line", "src/kind.rs:1:18 import exact\nsrc/kind.rs:4:9 type exact\nsrc/lib.rs:5:26 import exact\nsrc/line.rs:5:25 type exact\nsrc/line.rs:5:36 type exact\nsrc/line.rs:5:64 call exact"},
	} {
		if got := uses(t, tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestInitialisers finds the properties that an initialiser of C# gives values to.
func TestInitialisers(t *testing.T) {
	tree := map[string]string{
		"A.cs": "namespace N {\n  public class Options { public int Size { get; set; } public string Name; }\n  public class Use {\n    Options F() => new Options { Size = 1, Name = \"x\" };\n    N.Options G() { var o = new N.Options() { Size = 2 }; return o; }\n  }\n}\n",
	}
	if got, want := uses(t, tree, "Options.Name"), "A.cs:4:44 write exact"; got != want {
		t.Errorf("uses of Name:\n%s\nwant:\n%s", got, want)
	}
	if got, want := uses(t, tree, "Options.Size"), "A.cs:4:34 write exact\nA.cs:5:47 write exact"; got != want {
		t.Errorf("uses of Size:\n%s\nwant:\n%s", got, want)
	}
}

// TestWholeNames finds types of PHP that are written with their namespaces, and what is imported.
func TestWholeNames(t *testing.T) {
	tree := map[string]string{
		"src/Util/Text.php": "<?php\nnamespace Shop\\Util;\nclass Text { public static function trim($s) { return $s; } }\n",
		"src/Use.php":       "<?php\nnamespace Shop;\nuse Shop\\Util\\Text;\nuse Shop\\{Util\\Text as T};\nclass A {\n  function f() { return new Util\\Text() . \\Shop\\Util\\Text::trim('a') . Text::trim('b'); }\n  function g() { return \\Other\\Text::trim('c'); }\n}\n",
	}
	want := "src/Use.php:3:15 import exact\nsrc/Use.php:4:16 import exact\nsrc/Use.php:6:34 call exact\nsrc/Use.php:6:54 type exact\nsrc/Use.php:6:72 type exact"
	if got := uses(t, tree, "src/Util/Text.php:Text"); got != want {
		t.Errorf("uses of Text:\n%s\nwant:\n%s", got, want)
	}
}
