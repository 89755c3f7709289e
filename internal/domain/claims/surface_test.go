package claims

import "testing"

// Only what others can use is a shadow, and a comment in the code documents too.
func TestSurface(t *testing.T) {
	files := map[string]string{
		"README.md":          "# x\n\nNothing.\n",
		"rs/Cargo.toml":      "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":      "mod hidden;\npub mod open;\npub use hidden::Shown;\npub(crate) fn crate_only() {}\npub fn root_fn() {}\n",
		"rs/src/hidden.rs":   "pub struct Shown;\npub struct Unshown;\n",
		"rs/src/open.rs":     "pub fn open_fn() {}\n#[doc(hidden)]\npub fn doc_hidden() {}\n",
		"prog/src/main.rs":   "pub fn of_program() {}\n",
		"rs/build.rs":        "pub fn build_fn() {}\n",
		"py/pkg/__init__.py": "from ._impl import offered\n",
		"py/pkg/_impl.py":    "def offered(): pass\ndef kept(): pass\n",
		"py/pkg/listed.py":   "__all__ = ['in_all']\ndef in_all(): pass\ndef not_in_all(): pass\n",
		"py/setup.py":        "def build_py(): pass\n",
		"js/package.json":    `{"name": "x", "exports": {".": "./index.js"}}`,
		"js/index.js":        "const { Made } = require('./lib/made');\nconst { Used } = require('./lib/used');\nexports.Made = Made;\n",
		"js/lib/made.js":     "class Made {}\nexports.Made = Made;\n",
		"js/lib/used.js":     "class Used {}\nexports.Used = Used;\n",
		"go/go.mod":          "module x\n",
		"go/x.go":            "package x\n\nfunc Plain() {}\n\n// Told does what it says in words.\nfunc Told() {}\n\ntype helper struct{}\n\nfunc (helper) Write() {}\n",
		"go/internal/i/i.go": "package i\n\nfunc Inner() {}\n",
		"go/cmd/x/main.go":   "package main\n\nfunc OfMain() {}\n",
		"java/src/A.java":    "package a;\npublic class A {\n  /** @hidden */\n  public void hiddenOne() {}\n}\n",
	}
	all, err := New(write(t, files), nil, nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		got[s.Name] = s.Shade
	}
	for _, name := range []string{"Shown", "root_fn", "open_fn", "offered", "in_all", "Made", "Plain", "A"} {
		if got[name] != Orphaned {
			t.Errorf("%s is %q, want %s", name, got[name], Orphaned)
		}
	}
	for _, name := range []string{"Unshown", "crate_only", "doc_hidden", "of_program", "build_fn", "kept", "not_in_all", "build_py", "Used", "Inner", "OfMain", "hiddenOne", "Write"} {
		if s, ok := got[name]; ok {
			t.Errorf("%s is %q, but nobody else can use it", name, s)
		}
	}
	if got["Told"] != Partial {
		t.Errorf("Told is %q, want %s: a comment documents it", got["Told"], Partial)
	}
}
