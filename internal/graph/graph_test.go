package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
)

// shop is a small project in three languages. Its folders store and cache import
// each other.
const shop = `
-- go.mod --
module example.com/shop

go 1.26
-- server/main.go --
package main

import (
	"fmt"

	"example.com/shop/store"
)

func main() { fmt.Println(store.New().Get("x")) }

func unused() {}
-- store/store.go --
package store

import "example.com/shop/cache"

type Store struct{ c *cache.Cache }

func New() *Store { return &Store{cache.New()} }

func (s *Store) Get(key string) string { return helper(s.c.Read(key)) }

func helper(v string) string { return v }
-- store/store_test.go --
package store

import "testing"

func TestGet(t *testing.T) { New().Get("a") }
-- cache/cache.go --
package cache

import _ "example.com/shop/store"

type Cache struct{}

func New() *Cache { return &Cache{} }

func (c *Cache) Read(key string) string { return key }
-- web/package.json --
{"name": "web", "main": "app.ts"}
-- web/app.ts --
import { load } from "./api";
import { useState } from "react";

export async function show(id: string): Promise<string> {
  const [n] = useState(0);
  return load(id + n);
}
-- web/api.ts --
export function load(id: string): string {
  return fetch(id).toString();
}
-- tools/__main__.py --
import os
from . import lines


def report(path):
    return lines.count(os.path.join(path, "x"))


report(".")
-- tools/lines.py --
def count(path):
    return len(open(path).readlines())
-- README.md --
# shop
`

// project writes files and returns a feature over them.
func project(t *testing.T, files string) (root string, f *graph.Feature) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trees := code.New(workspace.New(workspace.Config{WorkDir: root, Now: func() time.Time { return time.Now().Add(time.Hour) }}), code.Config{})
	t.Cleanup(func() { trees.Close() })
	return root, graph.New(trees.Workspace())
}

func text(t *testing.T, a graph.StructureAnswer) string {
	t.Helper()
	var b strings.Builder
	if err := a.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shopChange is a patch after which Get is as it is.
const shopChange = "--- a/store/store.go\n+++ b/store/store.go\n@@ -9 +9 @@\n-func (s *Store) Get(key string) string { return s.c.Read(key) }\n+func (s *Store) Get(key string) string { return helper(s.c.Read(key)) }\n"

// TestAnswers asks everything of the small project. An answer is its table, of
// which the lines are given that matter; a line that begins with ! must be absent.
func TestAnswers(t *testing.T) {
	_, f := project(t, shop)
	only := func(paths ...string) graph.Filter { return graph.Filter{Paths: paths} }
	for name, tc := range map[string]struct {
		ask  func() (graph.StructureAnswer, error)
		want string
	}{
		"modules": {func() (graph.StructureAnswer, error) { return f.Inventory(t.Context(), graph.InventoryInput{}) },
			"store/store.go 11|server/main.go 11|tools/lines.py 2|!README|!go.mod|# 8 files"},
		"modules below a folder": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Pattern: "web"})
		}, "web/app.ts|web/api.ts|!store|# 2 files"},
		"modules by a glob": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Pattern: "**/*.py"})
		}, "tools/__main__.py|tools/lines.py|!web"},
		"modules by a part": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Pattern: "ines"})
		}, "tools/lines.py|# 1 file,"},
		"modules by path and language": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Filter: graph.Filter{Paths: []string{"store", "web"}, Languages: []string{"golang"}, NoTests: true}})
		}, "store/store.go|!web|!_test|!server"},
		"tests": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Filter: graph.Filter{Tests: true}})
		}, "store/store_test.go|# 1 file,"},
		"overview": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{View: "summary"})
		},
			"server 1 11|server/main.go|web/app.ts|tools/__main__.py|cache, store"},
		"imports": {func() (graph.StructureAnswer, error) {
			return f.Imports(t.Context(), graph.ImportsInput{Module: "web/app.ts"})
		}, "web/app.ts:1 internal ./api web/api.ts|web/app.ts:2 external react|# 2 imports; 1 resolved, 1 external"},
		"imports of a folder": {func() (graph.StructureAnswer, error) {
			return f.Imports(t.Context(), graph.ImportsInput{Module: "tools"})
		}, "tools/__main__.py:1 external os|tools/__main__.py:2 internal . tools/lines.py"},
		"importers of a folder": {func() (graph.StructureAnswer, error) {
			return f.Importers(t.Context(), graph.ImportsInput{Module: "store"})
		}, "server/main.go:6 example.com/shop/store|cache/cache.go:3 example.com/shop/store"},
		"importers of a module": {func() (graph.StructureAnswer, error) {
			return f.Importers(t.Context(), graph.ImportsInput{Module: "example.com/shop/store"})
		}, "server/main.go:6|cache/cache.go:3"},
		"importers of a library": {func() (graph.StructureAnswer, error) {
			return f.Importers(t.Context(), graph.ImportsInput{Module: "react"})
		}, "web/app.ts:2 react useState"},
		"importers, none": {func() (graph.StructureAnswer, error) {
			return f.Importers(commanded(t), graph.ImportsInput{Module: "server/main.go"})
		}, "# 0 imports|# nothing imports it; looked at the imports of 8 source files. For the text: search query=main regex=true"},
		"functions": {func() (graph.StructureAnswer, error) {
			return f.Functions(t.Context(), graph.FunctionsInput{Pattern: "get"})
		},
			"store/store.go:9 public Store.Get(key string) string|store/store_test.go:5 public TestGet(t *testing.T)|# 2 declarations"},
		"functions of a file": {func() (graph.StructureAnswer, error) {
			return f.Functions(t.Context(), graph.FunctionsInput{Pattern: "web/app.ts"})
		}, "web/app.ts:4 public async show(id: string) Promise<string>|# 1 declaration"},
		"functions by a glob of names": {func() (graph.StructureAnswer, error) {
			return f.Functions(t.Context(), graph.FunctionsInput{Pattern: "R*d"})
		}, "Cache.Read|# 1 declaration"},
		"structs": {func() (graph.StructureAnswer, error) {
			return f.Functions(t.Context(), graph.FunctionsInput{Kind: "struct", Exported: true})
		}, "cache/cache.go:5 public Cache|store/store.go:5 public Store|# 2 declarations"},
		"callers": {func() (graph.StructureAnswer, error) {
			return f.Callers(t.Context(), graph.CallsInput{Function: "Store.Get"})
		}, "Store.Get store/store.go:9|server/main.go\n 9: func main() { fmt.Println(store.New().Get(\"x\")) } [in main, exact]|store/store_test.go\n 5: func TestGet"},
		"callers without tests": {func() (graph.StructureAnswer, error) {
			return f.Callers(t.Context(), graph.CallsInput{Function: "Get", Filter: graph.Filter{NoTests: true}})
		}, "[in main, exact]|!TestGet"},
		"callers of callers": {func() (graph.StructureAnswer, error) {
			return f.Callers(t.Context(), graph.CallsInput{Function: "Read", Transitive: true, Filter: only("server", "store/store.go")})
		}, "[in Store.Get, exact, calls Cache.Read (1)]|[in main, exact, calls Store.Get (2)]|!TestGet"},
		"callers, none": {func() (graph.StructureAnswer, error) {
			return f.Callers(commanded(t), graph.CallsInput{Function: "unused"})
		}, `# no call of it is known; of 0 calls|For the text: search query=\bunused\b regex=true`},
		"callees": {func() (graph.StructureAnswer, error) {
			return f.Callees(t.Context(), graph.CallsInput{Function: "server/main.go:main"})
		}, "server/main.go:9 New store/store.go:7 exact|Store.Get store/store.go:9 exact|outside: fmt.Println"},
		"callees of a class": {func() (graph.StructureAnswer, error) {
			return f.Callees(t.Context(), graph.CallsInput{Function: "report"})
		}, "tools/__main__.py:6 count tools/lines.py:1"},
		"impact of a function": {func() (graph.StructureAnswer, error) {
			return f.Impact(t.Context(), graph.ImpactInput{Target: "Cache.Read"})
		}, "store/store.go 1 call Store.Get|server/main.go 2 call main|store/store_test.go 2 call TestGet|# 3 files may be affected, 1 of them a test"},
		"impact of a type": {func() (graph.StructureAnswer, error) {
			return f.Impact(t.Context(), graph.ImpactInput{Target: "Cache", Depth: 1})
		}, "cache/cache.go 1 use New, Cache.Read|store/store.go 1 call, use Store.Get, Store|# 2 files"},
		"impact of a file": {func() (graph.StructureAnswer, error) {
			return f.Impact(t.Context(), graph.ImpactInput{Target: "web/api.ts"})
		}, "web/app.ts 1 call, import show"},
		"a drawing": {func() (graph.StructureAnswer, error) {
			return f.Inventory(t.Context(), graph.InventoryInput{Picture: graph.Picture{Mermaid: true}})
		}, `graph LR|n0["cache"] --> n1["store"]|n2["server"] --> n1|n1 --> n0`},
		"a drawing of calls": {func() (graph.StructureAnswer, error) {
			return f.Callers(t.Context(), graph.CallsInput{Function: "helper", Picture: graph.Picture{Dot: true}})
		}, `digraph {|"store/store.go:Store.Get" -> "store/store.go:helper";`},
		"a picture of calls": {func() (graph.StructureAnswer, error) {
			return f.Callers(t.Context(), graph.CallsInput{Function: "helper", Picture: graph.Picture{SVG: true}})
		}, `<svg xmlns|>store/store.go:Store.Get → store/store.go:helper: 1</title>|>store/store.go:helper</text>`},
		"a picture of the map": {func() (graph.StructureAnswer, error) {
			return f.Map(t.Context(), graph.MapInput{SVG: true})
		}, `>server/main.go → store/store.go: 1</title>|>Store.Get(|>server/main.go</text>|!server/main.go → server`},
		"a picture of a change": {func() (graph.StructureAnswer, error) {
			return f.Affects(t.Context(), graph.ImpactInput{Diff: true, Patch: shopChange, Picture: graph.Picture{SVG: true}})
		}, `class="box changed"|class="box test"|>Store.Get changed<|>store/store_test.go → store/store.go|■ reached|!<script`},
		"the tool": {func() (graph.StructureAnswer, error) {
			return f.Structure(t.Context(), graph.StructureInput{QueryType: "importers", Pattern: "store", Limit: 1})
		}, "cache/cache.go:3|!server|# 1 of 2 shown; more with cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := tc.ask()
			if err != nil {
				t.Fatal(err)
			}
			out := text(t, a)
			flat := strings.Join(strings.FieldsFunc(out, func(r rune) bool { return r == ' ' }), " ")
			for _, want := range strings.Split(tc.want, "|") {
				absent, not := strings.CutPrefix(want, "!")
				if not && strings.Contains(flat, absent) || !not && !strings.Contains(flat, want) {
					t.Errorf("want %q in\n%s", want, out)
				}
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	_, f := project(t, shop)
	structure := func(kind, pattern string) error {
		_, err := f.Structure(t.Context(), graph.StructureInput{QueryType: kind, Pattern: pattern})
		return err
	}
	callers := func(name string) error {
		_, err := f.Callers(t.Context(), graph.CallsInput{Function: name})
		return err
	}
	imports := func(name string) error {
		_, err := f.Imports(t.Context(), graph.ImportsInput{Module: name})
		return err
	}
	for _, tc := range []struct {
		err  error
		kind fault.Kind
		near string
		fix  string
	}{
		{callers("Gte"), fault.NotFound, "near it: Store.Get", "callers [{function Store.Get}]"},
		{callers("Zzz"), fault.NotFound, "looked at 12 functions in 8 source files", "search [{query Zzz} {regex true}]"},
		{imports("stor.go"), fault.NotFound, "near it: store", "imports [{module store}]"},
		{imports("qqqqq"), fault.NotFound, "looked at 8 source files", "inventory []"},
		{structure("callers", "Gte"), fault.NotFound, "near it", "structure [{query_type callers} {pattern Store.Get}]"},
		{structure("inventory", "webb"), fault.NotFound, "near it: web", "structure [{query_type inventory} {pattern web}]"},
		{structure("impact", ""), fault.Usage, "impact needs a pattern", "structure [{query_type functions}]"},
		{structure("impact", "Gte"), fault.NotFound, "near it: Store.Get", "structure [{query_type impact} {pattern Store.Get}]"},
		{imports("README.md"), fault.NotFound, "README.md", ""},
	} {
		fix := ""
		if f := fault.FixOf(tc.err); f != nil {
			fix = fmt.Sprint(f.Op, " ", f.Args)
		}
		if tc.err == nil || fault.KindOf(tc.err) != tc.kind || !strings.Contains(tc.err.Error(), tc.near) || tc.fix != "" && fix != tc.fix {
			t.Errorf("%v (fix: %s), want %q and the fix %s", tc.err, fix, tc.near, tc.fix)
		}
	}
}

// TestPages walks through all functions, two at a time, and past an edit.
func TestPages(t *testing.T) {
	root, f := project(t, shop)
	all, err := f.Functions(t.Context(), graph.FunctionsInput{})
	if err != nil {
		t.Fatal(err)
	}
	var got []graph.Function
	in := graph.StructureInput{QueryType: "functions", Limit: 2}
	cursor := ""
	for {
		a, err := f.Structure(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		page := a.(*graph.Functions)
		got = append(got, page.Functions...)
		if page.Page == nil {
			break
		}
		cursor = page.Page.Cursor
		in = graph.StructureInput{Cursor: cursor}
	}
	if len(all.Functions) < 8 || fmt.Sprint(got) != fmt.Sprint(all.Functions) {
		t.Errorf("the pages have\n%v\nwant\n%v", got, all.Functions)
	}
	if err := os.WriteFile(filepath.Join(root, "more.go"), []byte("package more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = f.Structure(t.Context(), graph.StructureInput{Cursor: cursor})
	if fix := fault.FixOf(err); fault.KindOf(err) != fault.Stale || fix == nil || fmt.Sprint(fix.Args) != "[{query_type functions}]" {
		t.Errorf("after an edit: %v, fix %v", err, fix)
	}
	for _, bad := range []string{"x", "AAAA", "e30", cursor + "x"} {
		if _, err := f.Callers(t.Context(), graph.CallsInput{Filter: graph.Filter{Cursor: bad}}); fault.KindOf(err) != fault.Usage {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
}

// TestNameOnly sees that calls of which nothing but the name is known are shown
// where there are no others, and said to be that.
func TestNameOnly(t *testing.T) {
	_, f := project(t, `
-- a.py --
class Sensor:
    def calibrate_gently(self):
        return 1


def known():
    return Sensor().calibrate_gently()
-- b.py --
def guess(thing):
    return thing.calibrate_gently()
`)
	ask := func(least, path string) *graph.Callers {
		t.Helper()
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: "Sensor.calibrate_gently", Least: least, Filter: graph.Filter{Paths: []string{path}}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	sure, all := ask("exact", "**"), ask("name-only", "**")
	if len(sure.Callers) != 1 || sure.Callers[0].Function != "known" {
		t.Errorf("exact: %+v", sure.Callers)
	}
	if len(all.Callers) != 2 || all.Summary.Total != 2 {
		t.Errorf("name-only: %+v, %+v", all.Callers, all.Summary)
	}
}

// TestSeed holds the names that programs rely on.
func TestSeed(t *testing.T) {
	_, f := project(t, shop)
	for kind, want := range map[string]string{
		"imports":   `{"module":"web/app.ts","imports":[{"path":"./api","kind":"internal",`,
		"importers": `{"module":"web/app.ts","importers":[]`,
		"functions": `{"functions":[{"name":"show","file":"web/app.ts","line":4,"is_public":true,"is_async":true,"parameters":["id: string"],"return_type":"Promise\u003cstring\u003e"`,
		"inventory": `{"modules":[{"path":"web/app.ts","lines":7,"bytes":175,"functions":1,"imports":2,"public_functions":1,"last_modified":"2`,
	} {
		a, err := f.Structure(t.Context(), graph.StructureInput{QueryType: kind, Pattern: "web/app.ts"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(a)
		if err != nil || !bytes.HasPrefix(got, []byte(want)) || !bytes.Contains(got, []byte(`"summary":{"total`)) {
			t.Errorf("%s: %s, %v; want %s", kind, got, err, want)
		}
	}
}

// TestOverviewIsSmall sees that the overview of a project with many long paths has
// its bound, in bytes of JSON: at three a token that is 2,000.
func TestOverviewIsSmall(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule m\n")
	for i := range 60 {
		deep := strings.Repeat(fmt.Sprintf("avery/longfolder%d/", i), 6)
		fmt.Fprintf(&b, "-- %smain.go --\npackage main\n\nimport _ \"m/%s\"\n\nfunc main() {}\n%s", deep,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("avery/longfolder%d/", (i+1)%60), 6), "/"), strings.Repeat("\n", i))
	}
	_, f := project(t, b.String())
	a, err := f.Inventory(t.Context(), graph.InventoryInput{View: "summary"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	o := a.Overview
	if len(raw) > 6000 || len(text(t, a)) > 6000 || o.Left == 0 || len(o.Folders) == 0 || len(o.Entries) == 0 {
		t.Errorf("%d bytes of JSON, %d of text, %+v", len(raw), len(text(t, a)), o)
	}
}
