package catalog

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/code/rank"
)

func TestContext(t *testing.T) {
	c := discovered(t, embedded(t))
	var all strings.Builder
	for _, q := range []struct {
		query string
		limit int
	}{{"grafana health", 1}, {"silence an alert", 2}, {"bao", 1}, {"http request", 1}, {"nonexistent_xyz", 5}, {"", 0}} {
		a, err := c.Ask(t.Context(), q.query, q.limit)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("=== " + q.query + "\n")
		if err := a.WriteText(&all, false); err != nil {
			t.Fatal(err)
		}
		skimmed, err := embedded(t).Skim(t.Context(), q.query)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := skimmed.Ask(t.Context(), q.query, q.limit); err != nil || !cmp.Equal(a, b, cmp.AllowUnexported(Entry{})) {
			t.Errorf("%q: %+v\nskimmed %+v, %v", q.query, a, b, err)
		}
	}
	const file = "testdata/context.txt"
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("the context is not that of %s (go test ./internal/script/catalog -update, then read the diff):\n%s", file, all.String())
	}
}

// What shares a word with a module and is not what it does is said to be the nearest.
func TestUnsure(t *testing.T) {
	c := discovered(t, embedded(t))
	for q, unsure := range map[string]bool{"read the pages of a spreadsheet": true, "silence an alert": false, "": false} {
		a, err := c.Ask(t.Context(), q, 3)
		if err != nil || len(a.Entries) == 0 {
			t.Fatal(q, a, err)
		}
		var b strings.Builder
		if err := a.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		if a.Unsure != unsure || strings.Contains(b.String(), "## No Module Surely Matches; the Nearest\n\n### ") != unsure || strings.Contains(b.String(), "## Matching Modules") != (!unsure && q != "") {
			t.Errorf("%q: %v, %v\n%s", q, a.Unsure, a.Entries[0].Score, b.String()[:300])
		}
	}
}

// The names of another source are one answer, that of the module that is loaded.
func TestShadowed(t *testing.T) {
	p := embedded(t)
	p.WorkDir, p.Global = t.TempDir(), t.TempDir()
	put(t, p.WorkDir, map[string]string{"modules/grafana.lua": "--- @description Our own.\nfunction M.client(base_url, token) end\nfunction M.boards() end"})
	put(t, p.Global, map[string]string{"grafana.lua": "--- @description Grafana, global."})
	c := discovered(t, p)
	for q, signal := range map[string]string{"dashboards": "in a module that it shadows", "grafana": "in the name", "boards": "in the functions"} {
		a, err := c.Ask(t.Context(), q, 3)
		if err != nil || len(a.Entries) == 0 {
			t.Fatal(a, err)
		}
		if e := a.Entries[0]; e.Name != "assay.grafana" || e.Description != "Our own." || e.Source != "project" || e.Path != "./modules/grafana.lua" {
			t.Errorf("%s: %+v", q, e)
		}
		why, evidence := a.Entries[0].Explain, 0.0
		for _, s := range why {
			evidence += s.Adds
		}
		if why[0].Name != signal || math.Abs(rank.Modules().Score(rank.Variant{}, evidence)-a.Entries[0].Score) > 1e-4 {
			t.Errorf("%s: %v is explained by %+v", q, a.Entries[0].Score, why)
		}
		for _, e := range a.Entries[1:] {
			if e.Name == "assay.grafana" {
				t.Errorf("%s: twice", q)
			}
		}
		if a.Modules != 7 {
			t.Errorf("%d modules, want 7", a.Modules)
		}
	}
}

func TestUsage(t *testing.T) {
	for name, c := range map[string]struct {
		module, src, want, query string
	}{
		"url and a table": {"assay.g", "--- @env G_URL, G_KEY\n--- @auth { key = \"...\", org = \"...\" } or { x = 1 }\nfunction M.client(url, opts) end",
			`local g = require("assay.g")` + "\n" + `local c = g.client(env.get("G_URL"), { key = env.get("G_KEY"), org = "..." })` + "\n", ""},
		"url and token": {"assay.v", "--- @env V_ADDR, V_TOKEN\nfunction M.client(url, token) end", `local v = require("assay.v")` + "\n" + `local c = v.client(env.get("V_ADDR"), env.get("V_TOKEN"))` + "\n", ""},
		"nothing known": {"assay.my-api", "function M.client(host, opts) end", `local my_api = require("assay.my-api")` + "\n" + `local c = my_api.client("...")` + "\n", ""},
		"one table":     {"assay.s", "--- @auth { url = \"...\" }\nfunction M.client(opts) end", `local s = require("assay.s")` + "\n" + `local c = s.client({ url = "..." })` + "\n", ""},
		"functions":     {"assay.f", "--- @env F_URL\n--- @quickref M.list(url, kind, opts) -> x | y\nfunction M.list(url, kind, opts) end", `local f = require("assay.f")` + "\n" + `local result = f.list(env.get("F_URL"), "...")` + "\n", ""},
		"optional":      {"assay.o", "--- @quickref M.list(a?, b?) -> x | y", `local o = require("assay.o")` + "\n" + `local result = o.list()` + "\n", ""},
		"the nearest": {"assay.n", "--- @quickref M.a(x) -> x | Add\n--- @quickref M.rotate(key, opts) -> x | Rotate a secret\n--- @quickref M.secret(y) -> x | y",
			`local n = require("assay.n")` + "\n" + `local result = n.rotate("...")` + "\n", "rotating secrets"},
		"a built-in's name": {"assay.http", "", `local http_ = require("assay.http")` + "\n", ""},
		"a word of Lua":     {"assay.end", "", `local end_ = require("assay.end")` + "\n", ""},
	} {
		cat := Catalog{Modules: []Module{made(strings.TrimPrefix(c.module, prefix), c.src)}}
		e := cat.entry(&cat.Modules[0])
		if got := e.usage(c.query); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// A module may come from strangers: its text cannot leave its line.
func TestContextIsPlain(t *testing.T) {
	src := "--- @description a\x1b[31m\x00b\u2028c\n--- @env A\x07\n--- @quickref c:f() -> x\u0085y | z\n"
	cat := Catalog{Modules: []Module{made("x", src)}}
	a, err := cat.AskWith(t.Context(), NewBM25(), "x", 1)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := a.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x00\x07\u0085\u2028") {
		t.Errorf("%q", b.String())
	}
}
