package claims

import "testing"

// Languages that keep a declaration inside, or say what it is, by rules of their own.
func TestTongues(t *testing.T) {
	files := map[string]string{
		"README.md":                    "# x\n\nNothing.\n",
		"hs/x.cabal":                   "-- This file has been generated from package.yaml by hpack version 0.36.\n\nlibrary\n  exposed-modules:\n      Data.Open\n      Data.Arg\n      Data.Open.Internal\n  other-modules:\n      Data.Shut\n",
		"hs/src/Data/Open.hs":          "module Data.Open where\n\n-- | Says what it does.\nsaidHs\n  :: Int\n  -> Int\nsaidHs x = x\n\nplainHs :: Int -> Int\nplainHs x = x\n\ndata Pair = Pair Int\n\ninstance Show Pair where\n  showsHs x = x\n",
		"hs/src/Data/Shut.hs":          "module Data.Shut where\n\nshutHs :: Int\nshutHs = 1\n",
		"hs/src/Data/Open/Internal.hs": "module Data.Open.Internal where\n\ninnerHs :: Int\ninnerHs = 1\n",
		"hs/src/Data/Arg.hs":           "module Data.Arg where\n\n-- | Takes all of it.\nargHs ::\n  -- | What to take\n  Int ->\n  Int\nargHs x = x\n\n-- | A name for it.\ninfix 0 <?>\n\n(<?>) :: Int -> Int -> Int\n(<?>) = undefined\n",
		"clj/src/a.clj":                "(ns a)\n\n(defn plain-clj [x] x)\n\n(defn said-clj\n  \"Tells all of it.\"\n  [x] x)\n\n(defmulti kind-clj \"Tells what kind it is.\" :kind)\n\n(defmethod kind-clj :one [_] 1)\n\n(defn- shut-clj [x] x)\n\n(defn -inner-clj [x] x)\n",
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
		"py/pyproject.toml":            "[project]\nname = \"pkg\"\n",
		"py/pkg/__init__.py":           "from .core import Box, load_all\n",
		"py/pkg/core.py":               "class Box:\n    def load_all(self):\n        \"\"\"Loads all of them.\"\"\"\n\n_box = Box()\nload_all = _box.load_all\n",
		"it/src/it/java/b/B.java":      "package b;\npublic class TriedJava {}\n",
		"j/src/a/A.java":               "package a;\n\n/**\n * Says what it does.\n */\n@Pattern(\n    name = \"A\",\n    level = LOW)\npublic final class AnnotatedJava {}\n",
		"j/src/a/b/B.java":             "package a.internal;\npublic class InnerJava {}\n",
		".teamcity/s.kt":               "const val builtKt = 1\n",
		"sc/project/Plug.scala":        "class PlugScala {}\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		if got[s.Name] != Orphaned {
			got[s.Name] = bare(&s)
		}
	}
	for name, want := range map[string]Shade{
		"saidHs": Partial, "plainHs": Orphaned, "shutHs": "", "innerHs": "", "showsHs": "",
		"plain-clj": Orphaned, "said-clj": Partial, "shut-clj": "", "-inner-clj": "",
		"said_pl": Partial, "plain_pl": Orphaned, "shown_pl": "",
		"OpenDart": Orphaned, "ShutDart": "", "ToolDart": "",
		"openZig": Orphaned, "shutZig": "", "Passed": Orphaned, "Kept": "",
		"handed": Partial, "plain_ml": Orphaned,
		"put_one": Partial, "put_two": Partial, "put_three": Orphaned, "nfds_t": "",
		"argHs": Partial, "<?>": Partial, "kind-clj": Partial, "AnnotatedJava": Partial, "InnerJava": "", "builtKt": "",
		"TriedJava": "", "PlugScala": "",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// In a project of another language, files of Python that no package takes in are scripts.
func TestScriptsOfAnother(t *testing.T) {
	files := map[string]string{
		"README.md": "# x\n\nNothing.\n", "a.go": "package x\n\nfunc PlainGo() {}\n", "b.go": "package x\n\nvar other = 1\n", "make_man.py": "def made_py(): pass\n",
	}
	of := func() map[string]Shade {
		all, err := New(write(t, files), nil).Shadows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]Shade{}
		for _, s := range all {
			got[s.Name] = bare(&s)
		}
		return got
	}
	if got := of(); got["PlainGo"] != Orphaned || got["made_py"] != "" {
		t.Errorf("shades %v, want PlainGo alone", got)
	}
	files["pyproject.toml"] = "[project]\nname = \"man\"\n"
	if got := of(); got["made_py"] != Orphaned {
		t.Errorf("made_py of a package is %q, want %s", got["made_py"], Orphaned)
	}
}
