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
