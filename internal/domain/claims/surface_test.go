package claims

import "testing"

// Only what others can use is a shadow, and a comment in the code documents too.
func TestSurface(t *testing.T) {
	files := map[string]string{
		"README.md":            "# x\n\nNothing, but `max-pairs: 3` is a setting, `Shape` and `Square` are there, and `source lib.sh` reads it.\n",
		"rs/Cargo.toml":        "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":        "mod hidden;\npub mod open;\npub use hidden::Shown;\npub(crate) fn crate_only() {}\npub fn root_fn() {}\n",
		"rs/src/hidden.rs":     "pub struct Shown;\npub struct Unshown;\n",
		"rs/src/open.rs":       "pub fn open_fn() {}\n#[doc(hidden)]\npub fn doc_hidden() {}\nmod inline { pub fn inlined() {} }\nstruct Kept;\nimpl Kept { pub fn of_kept(&self) {} }\npub struct Given;\nimpl Iterator for Given { fn next_one(&self) {} }\n",
		"prog/src/main.rs":     "pub fn of_program() {}\n",
		"rs/build.rs":          "pub fn build_fn() {}\n",
		"py/pkg/__init__.py":   "from ._impl import offered\n",
		"py/pkg/_impl.py":      "def offered(): pass\ndef kept(): pass\n",
		"py/pkg/listed.py":     "__all__ = ['in_all']\ndef in_all(): pass\ndef not_in_all(): pass\n",
		"py/setup.py":          "def build_py(): pass\n",
		"js/package.json":      `{"name": "x", "exports": {".": "./index.js"}}`,
		"js/index.js":          "const { Made } = require('./lib/made');\nconst { Used } = require('./lib/used');\nexports.Made = Made;\n",
		"js/lib/made.js":       "class Made {}\nexports.Made = Made;\n",
		"js/lib/used.js":       "class Used {}\nexports.Used = Used;\n",
		"go/go.mod":            "module x\n",
		"go/x.go":              "package x\n\nfunc Plain() {}\n\n// Told does what it says in words.\nfunc Told() {}\n\ntype helper struct{}\n\nfunc (helper) Write() {}\n",
		"go/internal/i/i.go":   "package i\n\nfunc Inner() {}\n",
		"go/cmd/x/main.go":     "package main\n\nfunc OfMain() {}\n",
		"js/priv/package.json": `{"name": "app", "private": true}`,
		"js/priv/view.js":      "export function ofApp() {}\n",
		"js/ts/package.json":   `{"name": "y", "exports": {"default": "./dist/index.js"}}`,
		"js/ts/src/index.ts":   "export { One } from './one.js';\nexport * from './all';\n",
		"js/ts/src/one.ts":     "export class One {}\nexport class Two {}\n",
		"js/ts/src/all.ts":     "export class Every {}\n",
		"js/ts/src/none.ts":    "export class Nowhere {}\n",
		"rs/src/tree.rs":       "",
		"mock/Cargo.toml":      "[package]\nname = \"mock\"\npublish = false\n",
		"mock/src/lib.rs":      "pub fn of_mock() {}\n",
		"sh/run.sh":            "#!/bin/sh\nstop_it() { exit 1; }\n",
		"sh/lib.sh":            "skip_rows() { true; }\n",
		"py/pkg/__main__.py":   "def of_entry(): pass\n",
		"py/pkg/shape.py":      "class Shape:\n    def area_of(self):\n        pass\n\nclass Square(Shape):\n    def area_of(self):\n        pass\n    def side_of(self):\n        pass\n\nRect = Square\n\ndef wrapped_(): pass\n",
		"py/pkg/fast.pyx":      "cdef class Chunker:\n    def run_it(self):\n        while True:\n            at_local = 0\n",
		"py/sync_all.py":       "#!/usr/bin/env python\ndef of_script(): pass\n",
		"ex/x.ex":              "defmodule Quiet do\n  @moduledoc false\n  def in_quiet(a), do: a\nend\n\ndefmodule Loud do\n  @doc false\n  @spec hush(integer()) ::\n          {:ok, integer()} | {:error, term()}\n  def hush(1), do: 1\n\n  def hush(2), do: 2\n\n  @doc \"It says so in words.\"\n  def claused(1), do: 1\n\n  def claused(2), do: 2\n\n  def aloud(1), do: 1\nend\n",
		"go/y.go":              "package x\n\n// The limits of what a reader takes.\nconst (\n\tGrouped = 1\n\tTrailed = 2\n)\n\nconst (\n\tBeside = 1 // how many are kept at once\n\tAlone = 2\n)\n\nfunc (Stringed) String() string { return \"\" }\n\ntype Stringed struct{}\n",
		"cc/x.hpp":             "namespace lib {\nnamespace detail { struct InDetail {}; }\nstruct Held {\n  bool operator==(const Held&) const;\n protected:\n  void for_heirs();\n};\n}\n#define LIMIT_OF_IT 3\n",
		"cs/X.cs":              "namespace Lib {\n#if !LIB_INTERNAL\npublic\n#endif\nclass Hidden { public void OfHidden() {} }\npublic class Openly { }\n}\n",
		"rb/lib/it.rb":         "class Reopened\nend\n",
		"rb/lib/it/more.rb":    "class Reopened\n  def some_more; end\nend\n",
		"php/composer.json":    `{"autoload": {"psr-4": {"X\\": "src/"}}}`,
		"php/lazy/Y.php":       "<?php\nclass NotLoaded {}\n",
		"cs/make/G.csproj":     "<Project><PropertyGroup><IsPackable>false</IsPackable></PropertyGroup></Project>\n",
		"cs/make/G.cs":         "namespace G { public class Packed { } }\n",
		"php/bin/x.php":        "<?php\nfunction of_bin() {}\n",
		"php/src/X.php":        "<?php\n$loose = 1;\nclass InPhp {}\n",
		"sw/X.swift":           "public class Moved {}\n",
		"sw/Y.swift":           "public extension Moved {}\n",
		"java/src/B.java":      "package a;\npublic class B extends A {\n  @Override public void overridden() {}\n  public int getMaxPairs() { return 1; }\n}\n",
		"java/src/A.java":      "package a;\npublic class A {\n  /** @hidden */\n  public void hiddenOne() {}\n}\n",
	}
	all, err := New(write(t, files), nil, nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		if _, ok := got[s.Name]; ok {
			t.Errorf("%s is told of twice", s.Qualified())
		}
		got[s.Name] = s.Shade
	}
	for _, name := range []string{"Shown", "root_fn", "open_fn", "offered", "in_all", "Made", "Plain", "A", "One", "Every", "skip_rows", "area_of", "aloud", "Alone", "Given", "Held", "Openly", "InPhp", "Moved", "Reopened"} {
		if got[name] != Orphaned {
			t.Errorf("%s is %q, want %s", name, got[name], Orphaned)
		}
	}
	for _, name := range []string{"Unshown", "crate_only", "doc_hidden", "of_program", "build_fn", "kept", "not_in_all", "build_py", "Used", "Inner", "OfMain", "hiddenOne", "Write",
		"ofApp", "Two", "Nowhere", "of_mock", "stop_it", "of_entry", "Rect", "wrapped_", "of_script", "in_quiet", "at_local", "hush", "String", "overridden", "inlined", "of_kept", "next_one", "InDetail", "operator==", "LIMIT_OF_IT", "for_heirs", "Hidden", "OfHidden", "of_bin", "NotLoaded", "Packed", "loose", "$loose"} {
		if s, ok := got[name]; ok {
			t.Errorf("%s is %q, but nobody else can use it", name, s)
		}
	}
	for _, name := range []string{"Told", "claused", "Grouped", "Trailed", "Beside"} {
		if got[name] != Partial {
			t.Errorf("%s is %q, want %s: a comment documents it", name, got[name], Partial)
		}
	}
	if got["getMaxPairs"] != Documented {
		t.Errorf("getMaxPairs is %q, want %s: the document has the property", got["getMaxPairs"], Documented)
	}
}
