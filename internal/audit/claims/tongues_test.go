package claims

import "testing"

// Languages that keep a declaration inside, or say what it is, by rules of their own.
func TestTongues(t *testing.T) {
	files := map[string]string{
		"README.md":               "# x\n\nNothing.\n",
		"ml/a.ml":                 "let plain_ml x = x\n",
		"c/include/a.h":           "/* Puts another in its place. */\nint put_one(int a);\nint put_two(int a); /* twice */\n\nint put_three(int a);\n",
		"py/pyproject.toml":       "[project]\nname = \"pkg\"\n",
		"py/pkg/__init__.py":      "from .core import Box, load_all\n",
		"py/pkg/core.py":          "class Box:\n    def load_all(self):\n        \"\"\"Loads all of them.\"\"\"\n\n_box = Box()\nload_all = _box.load_all\n",
		"it/src/it/java/b/B.java": "package b;\npublic class TriedJava {}\n",
		"j/src/a/A.java":          "package a;\n\n/**\n * Says what it does.\n */\n@Pattern(\n    name = \"A\",\n    level = LOW)\npublic final class AnnotatedJava {}\n",
		"j/src/a/b/B.java":        "package a.internal;\npublic class InnerJava {}\n",
		".teamcity/s.kt":          "const val builtKt = 1\n",
		"sc/project/Plug.scala":   "class PlugScala {}\n",
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
		"plain_ml": Orphaned,
		"put_one":  Partial, "put_two": Partial, "put_three": Orphaned,
		"AnnotatedJava": Partial, "InnerJava": "", "builtKt": "",
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
