package code_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// What is the path of a file, or names a declaration with its scope, is found first, whatever else has its
// words, and every hit is called by the whole name of what it declares.
func TestExactFirst(t *testing.T) {
	many := strings.Repeat("\n", 3)
	root := folder(t, map[string]string{
		"app/arbiter.py":       "class Arbiter:\n    def spawn(self):\n        return 1\n",
		"app/dirty/arbiter.py": "class DirtyArbiter:\n    \"\"\"The arbiter of the app: arbiter.py.\"\"\"\n    def arbiter(self):\n        return 'app arbiter py'\n",
		"app/dirty/worker.py":  "class DirtyWorker:\n    \"\"\"A worker that has to notify: worker notify.\"\"\"\n    def notify(self):\n        return 'notify worker'\n",
		"k/result/And.kt":      "fun and() = 1\n" + strings.Repeat("// filler of a long file that says nothing at all about anything\n", 198) + "\nfun andThen() = 2\n// end\n",
		"k/README.md":          "# And\n\nResult and then: and, result, kt, and, And.kt, result/And.kt.\n",
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
		"And.kt": "k/result/And.kt andThen", "result/And.kt": "k/result/And.kt andThen", "k/result/And.kt:1": "k/result/And.kt and", "result/And.kt:201:3": "k/result/And.kt andThen", "k/result/And.kt:201-202": "k/result/And.kt andThen",
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
		if notes := strings.Join(a.Notes, "\n"); len(a.Missing) > 0 || strings.Contains(notes, "perhaps") || strings.Contains(notes, "no file has") {
			t.Errorf("%s is doubted: %q, %s", query, a.Missing, notes)
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
	// However a path is written, and what the score is made of.
	for _, query := range []string{filepath.Join(root, "app", "arbiter.py"), `Worker.notify`} {
		a, err := f.Search(context.Background(), code.SearchInput{Query: query, Explain: true})
		if err != nil || len(a.Hits) < 2 || !strings.HasSuffix(filepath.ToSlash(a.Hits[0].Path), map[bool]string{true: "app/arbiter.py", false: "app/base.py"}[filepath.IsAbs(query)]) {
			t.Fatalf("%s: %+v, %v", query, a, err)
		}
		sum := func(h *code.SearchHit) (e float64) {
			for _, s := range h.Explain {
				e += s.Adds
			}
			return e
		}
		for i := range a.Hits[1:] {
			x, y := &a.Hits[0], &a.Hits[i+1]
			if (x.Score == y.Score) != (math.Abs(sum(x)-sum(y)) < 1e-6) {
				t.Errorf("%s: scores %g and %g of evidence %g and %g", query, x.Score, y.Score, sum(x), sum(y))
			}
		}
	}
	a, err := f.Search(context.Background(), code.SearchInput{Query: "Worker.notify", Paths: []string{filepath.Join(root, "app/dirty")}})
	if err != nil || len(a.Hits) == 0 || filepath.Base(a.Hits[0].Path) != "worker.py" {
		t.Errorf("below a folder: %+v, %v", a, err)
	}
}

// Of several repositories the one that has what is named comes first, whatever is better in the others; of many
// copies the one that passes the filter.
func TestExactOfSeveral(t *testing.T) {
	other := map[string]string{}
	for i := range 4 {
		other[fmt.Sprintf("a%d/lib/x_py.py", i)] = "def lib_x_py():\n    \"\"\"Of lib/x.py: lib x py, lib/x.py.\"\"\"\n    return 'lib/x.py'\n"
	}
	a, b := folder(t, other), folder(t, map[string]string{"lib/x.py": "rows = 1\n", "z.py": "def other():\n    pass\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: a}), code.Config{})
	for _, least := range []float64{0, .3} {
		got, err := f.Search(context.Background(), code.SearchInput{Query: "lib/x.py", Least: least, Trees: workspace.Trees{Roots: []string{a, b}}})
		if err != nil || len(got.Hits) < 2 || got.Hits[0].Path != filepath.Join(b, "lib", "x.py") || got.Hits[0].Score < got.Hits[1].Score {
			t.Errorf("least %g: %+v, %v", least, got, err)
		}
	}
	base := "class Worker:\n" + strings.Repeat("    def other(self):\n        return self.pool.take(self.clock)\n\n", 12) + "    def notify(self):\n        pass\n"
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "app/base.py": base, "app/worker/notify.py": "class DirtyWorker:\n    \"\"\"Worker.notify: a worker that has to notify.\"\"\"\n    def notify(self):\n        return Worker.notify(self)\n"}
	for i := range 4 {
		files[fmt.Sprintf("vendored%d/base.py", i)] = strings.Repeat("\n", i+1) + base
	}
	many := folder(t, files)
	f = feature(t, workspace.New(workspace.Config{WorkDir: many}), code.Config{})
	got, err := f.Search(context.Background(), code.SearchInput{Query: "Worker.notify", Paths: []string{filepath.Join(many, "app")}})
	if err != nil || len(got.Hits) < 2 || got.Hits[0].Path != filepath.Join(many, "app", "base.py") {
		t.Errorf("%+v, %v", got, err)
	}
}

// A message of a program finds what prints it first, before what has more of its words, and tests after the
// program; the answer says why, and is not doubted.
func TestPrintedFirst(t *testing.T) {
	root := folder(t, map[string]string{
		"vm/lib.go":         "package vm\n\nfunc stop(s string) error {\n\treturn fmt.Errorf(\"cannot close a %s coroutine\", s)\n}\n",
		"vm/coroutine.go":   "package vm\n\n// Close closes a running coroutine, which cannot run then: running, close, coroutine.\nfunc (c *Coroutine) Close() { c.running = false }\n",
		"vm/running.go":     "package vm\n\n// Running is the running coroutine.\nfunc Running() *Coroutine { return running }\n",
		"vm/lib_test.go":    "package vm\n\nfunc TestStop(t *testing.T) {\n\twant(t, \"cannot close a running coroutine\")\n}\n",
		"text/Strings.resx": "<root>\n  <data name=\"NotClosed\">\n    <value>The queue {0} was not closed in time</value>\n  </data>\n</root>\n",
	})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	for query, want := range map[string]string{
		"cannot close a running coroutine":        "vm/lib.go",
		"Error: cannot close a dead coroutine":    "vm/lib.go",
		"The queue jobs was not closed in time":   "text/Strings.resx",
		"close the coroutine that is now running": "vm/coroutine.go",
	} {
		a, err := f.Search(context.Background(), code.SearchInput{Query: query, Explain: true})
		if err != nil || len(a.Hits) == 0 {
			t.Errorf("%s: %v, %v", query, a, err)
			continue
		}
		rel, _ := filepath.Rel(root, a.Hits[0].Path)
		if got := filepath.ToSlash(rel); got != want {
			t.Errorf("%s finds %s, want %s", query, got, want)
		}
		for i, h := range a.Hits {
			sum := 0.
			for _, s := range h.Explain {
				sum += s.Adds
			}
			if i > 0 && h.Score > a.Hits[i-1].Score || math.IsNaN(sum) {
				t.Errorf("%s: the score of hit %d is %g after %g", query, i, h.Score, a.Hits[i-1].Score)
			}
		}
	}
}
