package facts_test

import "testing"

// TestRustPaths calls through paths that are written where they are used: no import names
// what they lead to.
func TestRustPaths(t *testing.T) {
	tree := map[string]string{
		"Cargo.toml":         "[package]\nname = \"my-app\"\n",
		"helper/Cargo.toml":  "[package]\nname = \"my-helper\"\n",
		"helper/src/lib.rs":  "pub mod deep;\npub fn helped() {}\npub struct H;\nimpl H { pub fn make() -> H { H } pub fn done(&self) {} }\n",
		"helper/src/deep.rs": "pub fn lower() {}\n",
		"src/main.rs":        "mod util;\nfn main() {\n    crate::util::work();\n    self::util::inner::deepest();\n    my_helper::helped();\n    ::my_helper::deep::lower();\n    my_helper::H::make().done();\n}\npub fn top() {}\n",
		"src/util/mod.rs":    "pub mod inner;\npub fn work() { super::top(); self::inner::deepest() }\npub struct T;\nimpl T { fn own(&self) { self.done(); super::top() } fn done(&self) {} }\n",
		"src/util/inner.rs": "pub fn deepest() { super::super::top(); super::work(); let f = crate::top; f() }\n" +
			"mod tests {\n    fn t() { super::deepest(); super::super::work(); self::u() }\n    fn u() {}\n}\n",
		"tests/whole.rs":  "fn top() {}\nfn all() { crate::top() }\n",
		"shared/far.rs":   "pub fn lent() {}\n",
		"tests/a/main.rs": "#[cfg(unix)]\n#[path = \"../../shared/far.rs\"]\npub(crate) mod near;\nuse near::lent;\nfn a() { near::lent(); lent() }\n",
	}
	for symbol, want := range map[string]string{
		"work":               "src/main.rs:3:18 call exact\nsrc/util/inner.rs:1:48 call exact\nsrc/util/inner.rs:3:46 call exact",
		"deepest":            "src/main.rs:4:24 call exact\nsrc/util/inner.rs:3:21 call exact\nsrc/util/mod.rs:2:44 call exact",
		"src/main.rs:top":    "src/util/inner.rs:1:34 call exact\nsrc/util/inner.rs:1:71 pass exact\nsrc/util/mod.rs:2:24 call exact\nsrc/util/mod.rs:4:46 call exact",
		"tests/whole.rs:top": "tests/whole.rs:2:19 call exact",
		"lent":               "tests/a/main.rs:4:11 import exact\ntests/a/main.rs:5:16 call exact\ntests/a/main.rs:5:24 call exact",
		"helped":             "src/main.rs:5:16 call exact",
		"lower":              "src/main.rs:6:24 call exact",
		"H.make":             "src/main.rs:7:19 call exact",
		"H.done":             "src/main.rs:7:26 call exact",
		"T.done":             "src/util/mod.rs:4:31 call exact",
		"u":                  "src/util/inner.rs:3:60 call exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestRustTargets calls the helpers of tests, examples and benchmarks: each file there is a crate, whose
// modules are beside it.
func TestRustTargets(t *testing.T) {
	tree := map[string]string{
		"Cargo.toml":           "[package]\nname = \"app\"\n",
		"src/lib.rs":           "pub fn lib() {}\nmod tests;\n",
		"src/tests/mod.rs":     "mod one;\nmod two;\n",
		"src/tests/one.rs":     "use two::no;\nfn a() { no() }\n",
		"src/tests/two.rs":     "pub fn no() {}\n",
		"tests/common.rs":      "mod deep;\npub fn foo() { deep::under() }\n",
		"tests/common/deep.rs": "pub fn under() { crate::common::foo() }\n",
		"tests/util/mod.rs":    "pub fn helper() {}\n",
		"tests/t.rs":           "mod common;\nuse common::foo;\nfn t() { foo(); crate::common::foo() }\n",
		"tests/u.rs":           "mod util;\nuse self::util::helper;\nfn u() { helper(); util::helper() }\n",
		"benches/b.rs":         "mod load;\nfn b() { load::load_all() }\n",
		"benches/load.rs":      "pub fn load_all() {}\n",
	}
	for symbol, want := range map[string]string{
		"foo":      "tests/common/deep.rs:1:33 call exact\ntests/t.rs:2:13 import exact\ntests/t.rs:3:10 call exact\ntests/t.rs:3:32 call exact",
		"under":    "tests/common.rs:2:22 call exact",
		"helper":   "tests/u.rs:2:17 import exact\ntests/u.rs:3:10 call exact\ntests/u.rs:3:26 call exact",
		"load_all": "benches/b.rs:2:16 call exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
	if got := uses(t, tree, "no"); got != "" { // a module beside another is not in it
		t.Errorf("uses of no: %s", got)
	}
}

// TestRustPlacedModule leads super from a file that #[path] names to the module that names it, and from one beside it, which
// nothing names, nowhere.
func TestRustPlacedModule(t *testing.T) {
	const body = "use super::Tab;\nfn t() { make().active(); }\nfn make() -> Tab { todo!() }\n"
	tree := map[string]string{
		"Cargo.toml":              "[package]\nname = \"app\"\n",
		"src/lib.rs":              "pub mod tab;\n",
		"src/tab/mod.rs":          "pub struct Tab;\nimpl Tab { pub fn active(&self) {} }\n#[path = \"./unit/tests.rs\"]\nmod tests;\n",
		"src/tab/unit/tests.rs":   body,
		"src/tab/unit/unnamed.rs": body,
	}
	if got, want := uses(t, tree, "Tab.active"), "src/tab/unit/tests.rs:2:17 call exact"; got != want {
		t.Errorf("uses of Tab.active:\n%s\nwant:\n%s", got, want)
	}
}
