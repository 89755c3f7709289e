package code_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/core/embed"
	"github.com/assay-dev/assay/internal/core/workspace"
	"github.com/assay-dev/assay/internal/feature/code"
)

// What is the path of a file, or names a declaration with its scope, is found first, whatever else has its
// words, and every hit is called by the whole name of what it declares.
func TestExactFirst(t *testing.T) {
	many := strings.Repeat("\n", 3)
	root := folder(t, map[string]string{
		"app/arbiter.py":       "class Arbiter:\n    def spawn(self):\n        return 1\n",
		"app/dirty/arbiter.py": "class DirtyArbiter:\n    \"\"\"The arbiter of the app: arbiter.py.\"\"\"\n    def arbiter(self):\n        return 'app arbiter py'\n",
		"app/dirty/worker.py":  "class DirtyWorker:\n    \"\"\"A worker that has to notify: worker notify.\"\"\"\n    def notify(self):\n        return 'notify worker'\n",
		"app/base.py":          "class Base:\n    pass\n" + many + "class Worker:\n    def other(self):\n        pass\n\n    def notify(self):\n        pass\n",
		"src/run.rs":           "/// Run a recipe: recipe run.\npub fn run() {}\n\n#[test]\nfn recipe_run() { run() }\n",
		"src/recipe.rs":        "pub struct Recipe { n: u32 }\n\nimpl Recipe {\n    pub fn run(&self) -> u32 { self.n }\n}\n",
		"go/engine.go":         "package m\n\ntype Engine struct{}\n\nfunc (e *Engine) Run() {}\n",
		"go/proxy.go":          "package m\n\ntype Proxy struct{}\n\n// Run runs the engine: Engine.Run.\nfunc (p *Proxy) Run() {}\n",
		"php/Client.php":       "<?php\nnamespace Acme;\nclass Client {\n    public function send() { return 1; }\n}\n",
		"php/Other.php":        "<?php\nnamespace Acme;\n/** A client that sends: Client::send. */\nclass Other {\n    public function client_send() { return 'send client'; }\n}\n",
		"ex/conn.ex":           "defmodule Plug.Conn do\n  def halt(c), do: c\nend\n",
		"ex/conn_test.ex":      "defmodule Plug.ConnTest do\n  # Plug.Conn.halt of a conn: plug conn halt\n  def halt_plug_conn(c), do: Plug.Conn.halt(c)\nend\n",
	})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root, Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }}), code.Config{})
	for query, want := range map[string]string{
		"app/arbiter.py": "app/arbiter.py Arbiter", "./app/arbiter.py": "app/arbiter.py Arbiter", "Worker.notify": "app/base.py Worker.notify",
		"Recipe::run": "src/recipe.rs Recipe.run", "Recipe.run": "src/recipe.rs Recipe.run", "crate::recipe::Recipe::run": "src/recipe.rs Recipe.run",
		"Engine.Run": "go/engine.go Engine.Run", "(*Engine).Run": "go/engine.go Engine.Run", "Proxy.Run": "go/proxy.go Proxy.Run",
		"Client::send": "php/Client.php Client.send", "Plug.Conn.halt": "ex/conn.ex Plug.Conn.halt", "Plug.Conn.halt/1": "ex/conn.ex Plug.Conn.halt",
	} {
		a, err := f.Search(context.Background(), code.SearchInput{Query: query})
		if err != nil || len(a.Hits) == 0 {
			t.Errorf("%s: %v, %v", query, a, err)
			continue
		}
		rel, _ := filepath.Rel(root, a.Hits[0].Path)
		if got := filepath.ToSlash(rel) + " " + a.Hits[0].Symbol; got != want {
			t.Errorf("%s finds %s, want %s", query, got, want)
		}
		for i, h := range a.Hits {
			if i > 0 && h.Score > a.Hits[i-1].Score {
				t.Errorf("%s: the scores of hits %d and %d are %g and %g", query, i-1, i, a.Hits[i-1].Score, h.Score)
			}
			if h.Symbol == "Run" || h.Symbol == "notify" || h.Symbol == "send" || h.Symbol == "halt" {
				t.Errorf("%s: %s is called %s", query, h.Path, h.Symbol)
			}
		}
	}
	a, err := f.Search(context.Background(), code.SearchInput{Query: "Worker.notify", Paths: []string{filepath.Join(root, "app/dirty")}})
	if err != nil || len(a.Hits) == 0 || filepath.Base(a.Hits[0].Path) != "worker.py" {
		t.Errorf("below a folder: %+v, %v", a, err)
	}
}
