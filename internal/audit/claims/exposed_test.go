package claims

import "testing"

// What a language, a package or a folder keeps inside is no shadow, and what is said elsewhere
// than above a declaration is said.
func TestExposed(t *testing.T) {
	files := map[string]string{
		"README.md":                  "# x\n\nNothing.\n",
		"CHANGELOG.md":               "## 2\n\n- Add `notedOnce()`.\n",
		"rs/Cargo.toml":              "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":              "pub mod open;\npub use open::OpenRs;\n",
		"rs/src/open.rs":             "pub struct OpenRs;\n",
		"fuzz/targets/a.rs":          "pub fn fuzzed_rs() {}\n",
		"py/pkg/__init__.py":         "from .core import core_fn\n",
		"py/pkg/core.py":             "def core_fn(): pass\n\n@wraps_async(print)\ndef wrapped_py(): pass\n",
		"py/pkg/_compat/__init__.py": "from .old import compat_py\n__all__ = ['compat_py']\n",
		"py/pkg/_compat/old.py":      "def compat_py(): pass\n",
		"py/pkg/stub.py":             "def stubbed_py():\n    \"\"\"Says what it does.\"\"\"\n",
		"py/pkg/stub.pyi":            "def stubbed_py() -> None: ...\n",
		"cs/A.cs":                    "namespace N\n{\n    public sealed class OpenCs\n    {\n        sealed class NestedCs\n        {\n            public void InNested() {}\n        }\n    }\n    class UnmarkedCs {}\n}\n",
		"sw/a.swift":                 "public protocol Bindable {\n    /// Binds it to a place.\n    func bindTo(_ a: Int)\n}\npublic struct Whole {}\nextension Whole: Bindable {\n    public func bindTo(_ a: Int) {}\n}\nextension Int: Bindable {\n    public func bindTo(_ a: Int) {}\n}\n",
		"rb/lib/a.rb":                "module Kin\n  matcher :permit do |who|\n    kept_proc = lambda do |x|\n      x\n    end\n\n    def in_block\n    end\n  end\n\n  # @see Other#thing\n  def refers\n  end\n\n  class_methods do\n    def of_class\n    end\n  end\nend\n",
		"ts/package.json":            `{"name": "x", "exports": {".": "./index.ts"}}`,
		"ts/index.ts":                "export * from './shape';\n",
		"ts/shape.ts":                "export type ShapeTs = {\n  /** Checks one thing. */\n  (a: number): void;\n};\n\nexport type BareTs = {\n  a: number;\n};\n",
		"go/go.mod":                  "module x\n",
		"go/x.go":                    "package x\n\n// Apart is said across an empty line.\n\ntype Apart = int\n\n// Something else.\n\ntype Bare = int\n",
		"c/include/old.h":            "/** @name Old names\n *\n * Kept for old programs. */\n/**@{*/\nint grouped_c(int a);\n/**@}*/\nint alone_c(int a);\n/** @deprecated use `new_c` */\n#define OLD_C 1\n",
		"php/src/A.php":              "<?php\nclass NotedPhp {\n    /**\n     * @return string|false\n     */\n    public function typedOnly() {}\n    /**\n     * @return string the whole path of it\n     */\n    public function toldResult() {}\n    public function notedOnce() {}\n}\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, members := map[string]Shade{}, map[string]int{}
	for _, s := range all {
		got[s.Name], members[s.Name] = bare(&s), s.Members
	}
	for _, name := range []string{"OpenRs", "core_fn", "OpenCs", "of_class", "BareTs", "Bare", "alone_c"} {
		if got[name] != Orphaned && !inOrphan(name, members) {
			t.Errorf("%s is %q, want %s", name, got[name], Orphaned)
		}
	}
	for _, name := range []string{"fuzzed_rs", "compat_py", "wrapped_py", "NestedCs", "InNested", "UnmarkedCs", "kept_proc", "in_block"} {
		if s, ok := got[name]; ok {
			t.Errorf("%s is %q, but it is kept inside", name, s)
		}
	}
	for _, name := range []string{"stubbed_py", "refers", "Apart", "grouped_c", "OLD_C"} {
		if got[name] != Partial {
			t.Errorf("%s is %q, want %s: a comment documents it", name, got[name], Partial)
		}
	}
}

// inOrphan reports whether a member is counted in an orphaned type.
func inOrphan(name string, members map[string]int) bool {
	return name == "of_class" && members["Kin"] > 0
}

// Code of others, stand-ins for a platform, and scripts beside a package are no shadows. The comment of an interface of Go
// holds for its implementations.
func TestBorrowed(t *testing.T) {
	files := map[string]string{
		"README.md":            "# x\n\nNothing.\n",
		"LICENSE":              "All of it.\n",
		"src/own/LICENSE":      "All of it.\n",
		"src/own/package.json": `{"name": "own"}`,
		"src/own/index.js":     "exports.ownJs = function ownJs() {}\n",
		"src/copied/LICENSE":   "Another.\n",
		"src/copied/c.py":      "def copied_py(): pass\n",
		"pyproject.toml":       "[project]\nname = \"x\"\n",
		"a.py":                 "def plain_py(): pass\n",
		"b.py":                 "B = 1\n",
		"c.py":                 "C = 1\n",
		"go/go.mod":            "module x\n",
		"go/x.go":              "package x\n\n// Fs is what has files.\ntype Fs interface {\n\tChange(name string, mode int) error\n}\n\ntype Disk struct{}\n\nfunc (Disk) Change(name string, mode int) error { return nil }\n\ntype Purse struct{}\n\nfunc (Purse) Change(n int) {}\n",
		"php/composer.json":    `{"autoload": {"psr-4": {"X\\": "src/"}}}`,
		"php/src/A.php":        "<?php\nfunction loadedPhp() {}\n",
		"php/script.php":       "<?php\nfunction scriptPhp() {}\n",
		"c/include/a.h":        "/* Names of before. */\n#define OLD_ONE 1\n#define OLD_TWO 2\n\n#define ALONE_ONE 3\n",
		"rakelib/a.rake":       "def of_rake\nend\n",
		"jmh/src/Perf.java":    "public class Perf {}\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		got[s.Qualified()] = bare(&s)
	}
	for name, want := range map[string]Shade{
		"plain_py": Orphaned, "copied_py": "", "Disk.Change": Partial, "loadedPhp": Orphaned, "scriptPhp": "",
		"OLD_ONE": Partial, "ALONE_ONE": Orphaned, "of_rake": "", "Perf": "",
	} {
		if name == "Disk.Change" && got[name] == "" {
			continue // it is counted in its type
		}
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// A result that is only a type says nothing.
func TestResult(t *testing.T) {
	for text, want := range map[string]bool{
		" string|false": false, " void": false, " the full JSONPath": true, " string the whole path of it": true, " {Promise<X>}": false,
	} {
		if result(text) != want {
			t.Errorf("result(%q) = %v", text, !want)
		}
	}
}
