package facts_test

import "testing"

// TestPackageFolders calls through packages of Python that are but folders, or whose __init__.py
// is empty, which is no document.
func TestPackageFolders(t *testing.T) {
	tree := map[string]string{
		"a/b.py":      "def f():\n    return 1\n\n\nclass C:\n    pass\n",
		"a/deep/c.py": "def g():\n    return 1\n",
		"m.py":        "import a.b\nimport a.deep.c\n\n\ndef main(x: a.b.C):\n    a.deep.c.g()\n    return a.b.f()\n",
	}
	for symbol, want := range map[string]string{
		"f": "m.py:7:16 call exact",
		"g": "m.py:6:14 call exact",
		"C": "m.py:5:17 type exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestModuleOfTheSameName keeps a module apart from what it declares by its own name.
func TestModuleOfTheSameName(t *testing.T) {
	tree := map[string]string{
		"pkg/__init__.py": "from .log import log\n",
		"pkg/log.py":      "def log(x):\n    return x\n",
		"use.py":          "from pkg.log import log\nimport pkg.log\n\n\ndef use():\n    log(1)\n    return pkg.log(4)\n",
	}
	want := "pkg/__init__.py:1:18 import exact\nuse.py:1:21 import exact\nuse.py:6:5 call exact\nuse.py:7:16 call exact"
	if got := uses(t, tree, "log"); got != want {
		t.Errorf("uses of log:\n%s\nwant:\n%s", got, want)
	}
}
