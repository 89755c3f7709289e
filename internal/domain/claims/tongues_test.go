package claims

import "testing"

// Languages that keep a declaration inside, or say what it is, by rules of their own.
func TestTongues(t *testing.T) {
	files := map[string]string{
		"README.md":                    "# x\n\nNothing.\n",
		"hs/x.cabal":                   "-- This file has been generated from package.yaml by hpack version 0.36.\n\nlibrary\n  exposed-modules:\n      Data.Open\n      Data.Open.Internal\n  other-modules:\n      Data.Shut\n",
		"hs/src/Data/Open.hs":          "module Data.Open where\n\n-- | Says what it does.\nsaidHs\n  :: Int\n  -> Int\nsaidHs x = x\n\nplainHs :: Int -> Int\nplainHs x = x\n\ndata Pair = Pair Int\n\ninstance Show Pair where\n  showsHs x = x\n",
		"hs/src/Data/Shut.hs":          "module Data.Shut where\n\nshutHs :: Int\nshutHs = 1\n",
		"hs/src/Data/Open/Internal.hs": "module Data.Open.Internal where\n\ninnerHs :: Int\ninnerHs = 1\n",
		"clj/src/a.clj":                "(ns a)\n\n(defn plain-clj [x] x)\n\n(defn said-clj\n  \"Tells all of it.\"\n  [x] x)\n\n(defn- shut-clj [x] x)\n\n(defn -inner-clj [x] x)\n",
		"pl/lib/A.pm":                  "package A;\n\nsub said_pl { 1 }\n\nsub plain_pl { 1 }\n\n=head2 said_pl\n\nTells.\n\n  sub shown_pl { 1 }\n\n=cut\n\n1;\n",
		"dart/lib/x.dart":              "export 'src/open.dart';\n",
		"dart/lib/src/open.dart":       "class OpenDart {}\n",
		"dart/lib/src/shut.dart":       "class ShutDart {}\n",
		"dart/tool/build.dart":         "class ToolDart {}\n",
		"zig/src/root.zig":             "pub const open = @import(\"open.zig\");\nconst shut = @import(\"shut.zig\");\npub const Passed = @import(\"part.zig\").Passed;\n",
		"zig/src/open.zig":             "pub fn openZig() void {}\n",
		"zig/src/shut.zig":             "pub fn shutZig() void {}\n",
		"zig/src/part.zig":             "pub const Passed = struct {};\npub const Kept = struct {};\n",
		"ex/a.ex":                      "defmodule A do\n  @moduledoc \"\"\"\n  Tells what it is.\n  \"\"\"\n  @type t :: integer\n  defdelegate handed(x), to: B\nend\n",
		"ml/a.ml":                      "let plain_ml x = x\n",
		"c/include/a.h":                "/* Puts another in its place. */\nint put_one(int a);\nint put_two(int a); /* twice */\n\nint put_three(int a);\ntypedef unsigned long nfds_t;\n",
		"py/pkg/__init__.py":           "from .core import Box, load_all\n",
		"py/pkg/core.py":               "class Box:\n    def load_all(self):\n        \"\"\"Loads all of them.\"\"\"\n\n_box = Box()\nload_all = _box.load_all\n",
		"it/src/it/java/b/B.java":      "package b;\npublic class TriedJava {}\n",
		"sc/project/Plug.scala":        "class PlugScala {}\n",
	}
	all, err := New(write(t, files), nil, nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		if got[s.Name] != Orphaned {
			got[s.Name] = s.Shade
		}
	}
	for name, want := range map[string]Shade{
		"saidHs": Partial, "plainHs": Orphaned, "shutHs": "", "innerHs": "", "showsHs": "",
		"plain-clj": Orphaned, "said-clj": Partial, "shut-clj": "", "-inner-clj": "",
		"said_pl": Partial, "plain_pl": Orphaned, "shown_pl": "",
		"OpenDart": Orphaned, "ShutDart": "", "ToolDart": "",
		"openZig": Orphaned, "shutZig": "", "Passed": Orphaned, "Kept": "",
		"handed": Partial, "plain_ml": Partial,
		"put_one": Partial, "put_two": Partial, "put_three": Orphaned, "nfds_t": "",
		"TriedJava": "", "PlugScala": "",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}
