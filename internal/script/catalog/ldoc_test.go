package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want Meta
	}{
		"nothing": {"", Meta{}},
		"whole": {"--- @module assay.x\n--- @description X does it. Well.\n--- @keywords x, y ,,z\n--- @env X_URL, X_TOKEN\n" +
			"--- @auth { token = \"...\" } or { user = \"...\" }\n--- @quickref c:get(id) -> {a | b} or nil | Get one | or none\n\n" +
			"local M = {}\nfunction M.client(url, opts) end\n  function c:get( id )\n end\n",
			Meta{Module: "assay.x", Description: "X does it. Well.", Keywords: []string{"x", "y", "z"}, Env: []string{"X_URL", "X_TOKEN"},
				Auth:      []string{`{ token = "..." }`, `{ user = "..." }`},
				Quickrefs: []Quickref{{"c:get(id)", "{a", "b} or nil | Get one | or none"}},
				Functions: []Function{{"M", false, "client", []string{"url", "opts"}, 9}, {"c", true, "get", []string{"id"}, 10}}}},
		"only code": {"function c:health() end\nfunction M.client(url) end\nlocal function no(a) end\nlocal x = function (a) end\nfunction plain() end",
			Meta{Functions: []Function{{"c", true, "health", nil, 1}, {"M", false, "client", []string{"url"}, 2}}}},
		"ends at the first other line": {"--- @module a\n\n--- @description no\n", Meta{Module: "a"}},
		"ends at a plain comment":      {"--- @module a\n-- b\n--- @description no\n", Meta{Module: "a"}},
		"does not begin at the top":    {"\n--- @module a\n", Meta{}},
		"windows":                      {"--- @module a\r\n--- @keywords b, c\r\n\r\nfunction M.f()\r\nend", Meta{Module: "a", Keywords: []string{"b", "c"}, Functions: []Function{{"M", false, "f", nil, 4}}}},
		"no blank before the tag":      {"---@module a\n---   @description d\n", Meta{Module: "a", Description: "d"}},
		"unknown, empty and untagged":  {"--- @since 1\n---\n--- text\n--- @module\n--- @module b\n--- @module c", Meta{Module: "b"}},
		"keywords of two lines":        {"--- @keywords a\n--- @keywords b", Meta{Keywords: []string{"a", "b"}}},
		"malformed quickrefs": {"--- @quickref c:f() no arrow\n--- @quickref c:f() -> x no bar\n--- @quickref c:f() | d -> x\n--- @quickref  -> x | y\n--- @quickref c:f() -> x | y",
			Meta{Quickrefs: []Quickref{{"c:f()", "x", "y"}}}},
		"not functions":   {"function M.()\nfunction .f()\nfunction M.f\nfunction M.f(a b)\nfunction 1.f()\nfunction M.f(\n", Meta{}},
		"deep and split":  {"function a.b.c(x,\n  ...)\nend\nfunction a.b:d() end", Meta{Functions: []Function{{"a.b", false, "c", []string{"x", "..."}, 1}, {"a.b", true, "d", nil, 4}}}},
		"alias":           {"-- the same\nreturn require(\"assay.vault\")\n\n", Meta{Alias: "assay.vault"}},
		"short alias":     {"return require 'vault';", Meta{Alias: "assay.vault"}},
		"no alias":        {"return require(name)", Meta{}},
		"no alias at all": {"return require(\"../x\")", Meta{}},
	} {
		if diff := cmp.Diff(c.want, Parse(c.src)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// Whatever the text, a header reads as it is written, and functions are where they
// are said to be.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/modules/*.lua")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add("--- @quickref c:f(a) -> x | y\nfunction c:f(a)\nreturn require('x')")
	f.Fuzz(func(t *testing.T, src string) {
		m := Parse(src)
		lines := strings.Split(src, "\n")
		for _, fn := range m.Functions {
			if fn.Line < 1 || fn.Line > len(lines) || !strings.Contains(lines[fn.Line-1], "function ") {
				t.Fatalf("%+v is not in line %d of %q", fn, fn.Line, src)
			}
			if again, ok := readFunction(fn.Signature()); !ok || again.Signature() != fn.Signature() {
				t.Fatalf("%q reads as %+v", fn.Signature(), again)
			}
		}
		for _, q := range m.Quickrefs {
			if again, ok := readQuickref(q.String()); !ok || again != q {
				t.Fatalf("%+v reads as %+v", q, again)
			}
		}
		eachTag(src, func(tag tag) {
			if strings.TrimSuffix(lines[tag.line-1], "\r") != tag.text {
				t.Fatalf("line %d is %q, not %q", tag.line, lines[tag.line-1], tag.text)
			}
		})
		for _, list := range [][]string{m.Keywords, m.Env, m.Auth} {
			for _, w := range list {
				if strings.TrimSpace(w) != w || w == "" || strings.Contains(w, "\n") {
					t.Fatalf("%q in %q", w, list)
				}
			}
		}
		brief := Parse(made("x", src).outline)
		for i := range m.Functions {
			m.Functions[i].Line = 0
		}
		for i := range brief.Functions {
			brief.Functions[i].Line = 0
		}
		if diff := cmp.Diff(m, brief); diff != "" {
			t.Fatalf("the outline of %q says otherwise: %s", src, diff)
		}
		c := Catalog{Modules: []Module{made("x", src)}}
		for _, fault := range c.Lint(&c.Modules[0], src, nil) {
			if fault.Line < 0 || fault.Line > len(lines) || fault.Rule == "" || fault.Text == "" {
				t.Fatalf("%+v", fault)
			}
		}
		for _, q := range []string{"", "x"} {
			if _, err := c.AskWith(t.Context(), NewBM25(), q, 3); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		if err := c.all(0).WriteText(&b, false); err != nil || strings.Count(b.String(), "\n### ") != 1 {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}
