package facts_test

import "testing"

// TestKotlinBlocks has calls in blocks of code whose receiver has what is called.
func TestKotlinBlocks(t *testing.T) {
	tree := map[string]string{
		"dsl/App.kt": "package dsl\n\ntypealias Setup = App.() -> Unit\n\nclass App {\n  fun printAll(n: Int) {}\n  fun part(f: Part.(Int) -> Unit) {}\n  fun end() {}\n}\n\nclass Part {\n  fun name(s: String) {}\n  fun end() {}\n}\n\n" +
			"fun app(eager: Boolean = true, setup: Setup? = null): App = App()\nfun quiet(f: () -> Unit) {}\nfun <T> T.mine(f: suspend T.() -> Unit) {}\n",
		"far/Ext.kt": "package far\n\nimport dsl.App\n\nfun App.hidden() {}\n\nfun end() {}\n",
		"use/Use.kt": "package use\n\nimport dsl.app\nimport dsl.mine\nimport dsl.quiet\nimport dsl.App\nimport dsl.Part\n\nfun one() {\n  app {\n    printAll(1)\n    part { name(\"a\"); quiet { end() }; printAll(2) }\n    hidden()\n    end()\n  }\n}\n\n" +
			"fun two(p: Part, a: App) {\n  p.apply { name(\"b\") }\n  a.mine { printAll(3) }\n  app(false) { printAll(listOf(1).map { it }.size) }\n  quiet { printAll(4) }\n  app { printAll() }\n}\n",
	}
	tree["own/Own.kt"] = "package own\n\nclass B { fun leaf() {}; fun apply(f: Other.() -> Unit) {} }\n\nclass Other { fun leaf() {} }\n\nfun b(f: B.() -> Unit) {}\n\n" +
		"fun one() { fun leaf() {}; b { leaf() } }\n\nfun two() { val leaf = { }; b { leaf() } }\n\nfun three(c: B) { c.apply { leaf() } }\n\nfun four() { b { leaf() } }\n\n" +
		"fun five() {\n  b {\n    class Near {\n      fun leaf() {}\n      fun m() { leaf() }\n    }\n  }\n}\n"
	for symbol, want := range map[string]string{
		"B.leaf":       "own/Own.kt:15:18 call likely",
		"Near.leaf":    "own/Own.kt:21:17 call exact",
		"one.leaf":     "own/Own.kt:9:32 call exact",
		"Other.leaf":   "own/Own.kt:13:29 call likely",
		"App.printAll": "use/Use.kt:11:5 call likely\nuse/Use.kt:12:40 call likely\nuse/Use.kt:20:12 call likely\nuse/Use.kt:21:16 call likely",
		"Part.name":    "use/Use.kt:12:12 call likely\nuse/Use.kt:19:13 call likely",
		"Part.end":     "use/Use.kt:12:31 call likely",
		"App.end":      "use/Use.kt:14:5 call likely",
		"App.hidden":   "",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestKotlinInvoke has a value that is called like a function, with a block whose receiver has type arguments.
func TestKotlinInvoke(t *testing.T) {
	p := project(map[string]string{"a.kt": "package a\n\nclass J<N> {\n  operator fun <T> invoke(fn: J<N>.() -> T): T = run(fn)\n  fun obj(n: Int) {}\n}\n\n" +
		"class U<N>(private val json: J<N>) {\n  fun m() = json { obj(1); put(obj(2)) }\n  fun put(n: Any) {}\n}\n"})
	want := "a.kt:U.m → a.kt:J.invoke likely\na.kt:U.m → a.kt:J.obj likely\na.kt:U.m → a.kt:J.obj likely\na.kt:U.m → a.kt:U.put exact"
	if got := edges(p); got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
	if got := calls(p, "J.invoke"); len(got) != 1 {
		t.Errorf("callers of invoke: %v", got)
	}
}

// TestKotlinImportedByName has extensions with names that the library has too, which a file imports by their names.
func TestKotlinImportedByName(t *testing.T) {
	tree := map[string]string{
		"a/Ext.kt": "package a\n\nfun <T> T.with(n: Int): T = this\n",
		"b/One.kt": "package b\n\nimport a.with\n\nfun one(s: Unknown) = s.with(1)\n",
		"b/Two.kt": "package b\n\nimport a.*\n\nfun two(s: Unknown) = s.with(1)\n",
		"c/K.kt":   "package c\n\nclass K { fun with(n: Int) {} }\n",
	}
	if got, want := uses(t, tree, "with"), "b/One.kt:5:25 call likely"; got != want {
		t.Errorf("uses of with:\n%s\nwant:\n%s", got, want)
	}
}

// TestElixirElsewhere has functions of other modules, whose names a file calls without importing them.
func TestElixirElsewhere(t *testing.T) {
	p := project(map[string]string{
		"a.ex": "defmodule A do\n  def inspect(x), do: x\n  def render_document(x), do: x\n  defp concat(x), do: x\nend\n",
		"b.ex": "defmodule B do\n  def m(x) do\n    concat(x)\n    inspect(x)\n    render_document(x)\n  end\nend\n",
	})
	if got, want := edges(p), "b.ex:B.m → a.ex:A.inspect name-only\nb.ex:B.m → a.ex:A.render_document likely"; got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
}
