package pydoc_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-dev/assay/internal/docs/pydoc"
)

func tree() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"src/web/__init__.py": file("'''The web.'''\nfrom .app import App as Application, run\nfrom .deep import *\n"),
		"src/web/app.py": file(`# coding: utf-8
r"""Apps \d.

    Indented.
"""
import os

class App(Base):
    """An app.

    It serves::

        app = App()
    """

    def __init__(self, name):
        """Not shown."""

    def get(self, path: str, *, strict: bool = True) -> Route:
        """Add a route.

        :param path: where
        """

    @property
    def url(self):
        "The address."

    def silent(self): pass

    def _private(self):
        """Hidden."""

def run(
    app,
    port=80,
):
    # a comment before it
    """Run "app"."""
`),
		"src/web/deep.py":  file("def far():\n    '''Far \\'away\\'.'''\n"),
		"loop/__init__.py": file("from .a import x\n"),
		"loop/a.py":        file("from . import x\n"),
	}
}

func TestOf(t *testing.T) {
	d := pydoc.New(tree())
	for _, tc := range []struct{ kind, name, want string }{
		{"module", "web", "The web."},
		{"module", "web.app", "Apps \\d.\n\nIndented."},
		{"class", "web.app.App", "An app.\n\nIt serves::\n\n    app = App()"},
		{"class", "web.Application", "An app.\n\nIt serves::\n\n    app = App()"},
		{"method", "web.Application.get", "Add a route.\n\n:param path: where"},
		{"method", "web.app.App.url", "The address."},
		{"function", "web.run", `Run "app".`},
		{"function", "web.far", "Far 'away'."},
		{"method", "web.app.App.silent", ""},
		{"function", "web.gone", ""},
		{"function", "loop.x", ""},
		{"function", "", ""},
		{"function", "web..run", ""},
		{"function", "../../etc", ""},
		{"members", "web.app", ".. class:: App\n\n   An app.\n\n   It serves::\n\n       app = App()\n\n   .. method:: App.get(self, path: str, *, strict: bool = True) -> Route\n\n" +
			"      Add a route.\n\n      :param path: where\n\n   .. method:: App.url\n\n      The address.\n\n.. function:: run(app, port=80)\n\n   Run \"app\"."},
	} {
		if got, ok := d.Of(tc.kind, tc.name); got != tc.want || ok != (tc.want != "") {
			t.Errorf("Of(%s, %s) = %q, %v, want %q", tc.kind, tc.name, got, ok, tc.want)
		}
	}
	md, _ := d.Of(":::", "web.app.App")
	for _, part := range []string{"An app.", "### `App.get(self, path: str, *, strict: bool = True) -> Route`\n\nAdd a route."} {
		if !strings.Contains(md, part) {
			t.Errorf("Of(:::) = %q, without %q", md, part)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, file := range tree() {
		f.Add(string(file.Data), "m.App")
	}
	f.Fuzz(func(t *testing.T, src, name string) {
		d := pydoc.New(fstest.MapFS{"m.py": &fstest.MapFile{Data: []byte(src)}})
		for _, kind := range []string{"module", "members", ":::"} {
			d.Of(kind, "m")
			d.Of(kind, name)
		}
	})
}
