package claims

import "testing"

// Only what others can use is a shadow, and a comment in the code documents too.
func TestSurface(t *testing.T) {
	files := map[string]string{
		"README.md":            "# x\n\nNothing but `Zebra`.\n",
		"rs/Cargo.toml":        "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":        "mod hidden;\npub mod open;\npub use hidden::Shown;\npub(crate) fn crate_only() {}\npub fn root_fn() {}\n",
		"rs/src/hidden.rs":     "pub struct Shown;\n",
		"rs/src/open.rs":       "pub fn open_fn() {}\n#[doc(hidden)]\npub fn doc_hidden() {}\n",
		"rs/build.rs":          "pub fn build_fn() {}\n",
		"py/pkg/__init__.py":   "from ._impl import offered\n",
		"py/pkg/_impl.py":      "def offered(): pass\ndef kept(): pass\n",
		"py/pkg/listed.py":     "__all__ = ['in_all']\ndef in_all(): pass\ndef not_in_all(): pass\n",
		"py/setup.py":          "def build_py(): pass\n",
		"js/package.json":      `{"name": "x", "exports": {".": "./index.js"}}`,
		"js/index.js":          "const { Made } = require('./lib/made');\nexports.Made = Made;\n",
		"js/lib/made.js":       "class Made {}\nexports.Made = Made;\n",
		"go/go.mod":            "module x\n",
		"go/x.go":              "package x\n\nfunc Plain() {}\n\n// Described does what it says in words.\nfunc Described() {}\n\ntype helper struct{}\n\nfunc (helper) Write() {}\n",
		"go/second.go":         "\npackage x; func OnSecond() {}\n",
		"go/third.go":          "// OnThird does what it says in words.\n\npackage x; func OnThird() {}\n",
		"go/internal/i/i.go":   "package i\n\nfunc Inner() {}\n",
		"go/cmd/x/main.go":     "package main\n\nfunc OfMain() {}\n",
		"java/src/A.java":      "package a;\npublic class A {\n  /** @hidden */\n  public void hiddenOne() {}\n}\n",
		"c/src/out.h":          "#ifndef OUT_H\n#define OUT_H\n#define OUT_MODE 3\nint c_offered(int a);\nint _c_reserved(int a);\n#endif\n",
		"c/src/out2.h":         "int c_second(void);\n",
		"c/src/out.c":          "#define BINOP 1\nint c_only_here(int a) { return a; }\n",
		"sh/tool.sh":           "#!/bin/sh\nCOLOUR=1\nusage() {\n  echo\n}\n",
		"sh/lib.sh":            "LEVEL=1\nquux_emit() {\n  echo\n}\n",
		"java/src/B.java":      "package a;\nclass B {\n  public void ofPackage() {}\n}\n",
		"rb/lib/b.rb":          "module Closed # :nodoc: all\n  def closed_member\n  end\nend\n\nclass Zebra\n  # The name of it.\n\n  def described_ruby\n  end\n\n  # :stopdoc:\n\n  def stopped\n  end\n\n  # :startdoc:\n\n  def quagga\n  end\nend\n",
		"sw/Sources/S/s.swift": "public struct Swifty {\n  override public func overridden() {}\n}\n",
		"go/group.go":          "package x\n\n// Sequences of a terminal.\nconst (\n\tListedUp = 1\n\tListedDown = 2\n)\n\nconst (\n\tSilentUp = 1\n\tSilentDown = 2\n)\n\n// Bell.\nconst Bell = 7\n\n//nolint:all\nfunc Silent() {}\n",
		"buildSrc/src/b.kt":    "fun ofBuild(): Int = 1\n",
		"rs/src/lib2.rs":       "pub struct Traited;\n\nimpl FromStr for Traited {\n    pub fn of_trait() {}\n}\n",
		"rb/lib/a.rb":          "class Nodoc # :nodoc:\n  def nodoc_member\n  end\nend\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		if _, twice := got[s.Name]; twice {
			t.Errorf("%s is there twice", s.Name)
		}
		got[s.Name] = bare(&s)
	}
	for _, name := range []string{"Shown", "root_fn", "open_fn", "offered", "in_all", "Made", "Plain", "OnSecond", "A", "c_offered", "c_second", "OUT_MODE", "Swifty", "SilentUp", "SilentDown", "Silent"} {
		if got[name] != Orphaned {
			t.Errorf("%s is %q, want %s", name, got[name], Orphaned)
		}
	}
	for _, name := range []string{"crate_only", "doc_hidden", "build_fn", "kept", "not_in_all", "build_py", "Inner", "OfMain", "hiddenOne", "Write",
		"OUT_H", "_c_reserved", "BINOP", "c_only_here", "COLOUR", "usage", "LEVEL", "ofPackage", "Nodoc", "nodoc_member",
		"closed_member", "stopped", "overridden", "of_trait", "ofBuild"} {
		if s, ok := got[name]; ok {
			t.Errorf("%s is %q, but nobody else can use it", name, s)
		}
	}
	if got["quagga"] == "" {
		t.Error("quagga is below :startdoc:, and not offered")
	}
	for _, name := range []string{"Described", "OnThird", "described_ruby", "ListedUp", "ListedDown", "Bell"} {
		if got[name] != Partial {
			t.Errorf("%s is %q, want %s: a comment documents it", name, got[name], Partial)
		}
	}
}
