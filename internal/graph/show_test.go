package graph_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	basetext "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/graph"
)

// TestShow asks for places of every form. A line that begins with ! must be absent.
func TestShow(t *testing.T) {
	_, f := project(t, shop)
	tests := []struct {
		name string
		in   graph.ShowInput
		want []string
	}{
		{"a name", graph.ShowInput{Places: []string{"helper"}}, []string{"store/store.go:11  helper\n", "    11  func helper(v string) string { return v }\n", "!called by"}},
		{"a name in its type", graph.ShowInput{Places: []string{"Store.Get"}}, []string{"     9  func (s *Store) Get", "!helper(v string)"}},
		{"a name in a file", graph.ShowInput{Places: []string{"cache/cache.go:New"}}, []string{"cache/cache.go:7  New", "!store/store.go"}},
		{"a line is its declaration", graph.ShowInput{Places: []string{"web/app.ts:5"}}, []string{"web/app.ts:4-7  show\n", "     4  export async function show", "     7  }\n"}},
		{"a line of none", graph.ShowInput{Places: []string{"web/app.ts:1"}}, []string{"web/app.ts:1-3\n", "     2  import { useState }", "!export async"}},
		{"lines", graph.ShowInput{Places: []string{"web/app.ts:2-4,6-7"}}, []string{"web/app.ts:2-4\n", "web/app.ts:6-7\n", "!   5  "}},
		{"a file", graph.ShowInput{Places: []string{"web/api.ts"}}, []string{"web/api.ts:1-3\n", "     3  }\n"}},
		{"the end of a path", graph.ShowInput{Places: []string{"api.ts:2"}}, []string{"web/api.ts:1-3  load\n"}},
		{"several, one inside another", graph.ShowInput{Places: []string{"show", "web/app.ts"}}, []string{"web/app.ts:1-7\n", "!  show\n"}},
		{"one that is not there", graph.ShowInput{Places: []string{"load", "laod"}}, []string{"web/api.ts:1-3  load\n", `# no declaration is called "laod"`, "near it: load"}},
		{"an ambiguous name, shortest first", graph.ShowInput{Places: []string{"New"}}, []string{"cache/cache.go:7  New\n", "store/store.go:7  New\n"}},
		{"callers and tests", graph.ShowInput{Places: []string{"Store.Get"}, Around: true},
			[]string{"called by\n  server/main.go:9  main: func main() { fmt.Println(store.New().Get(\"x\")) }\n", "tested by\n  store/store_test.go:5  TestGet: "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Show(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, a)
			for _, w := range tt.want {
				if absent, ok := strings.CutPrefix(w, "!"); ok && strings.Contains(got, absent) || !ok && !strings.Contains(got, w) {
					t.Errorf("want %q in\n%s", w, got)
				}
			}
		})
	}
}

// TestShowErrors holds that a place that is not there is told with what is like it.
func TestShowErrors(t *testing.T) {
	_, f := project(t, shop)
	for place, want := range map[string]string{
		"helpr":          `no declaration is called "helpr"`,
		"web/ap.ts:3":    "no file is at web/ap.ts; near it: web/api.ts, web/app.ts",
		"web/app.ts:300": "web/app.ts has 7 lines",
		"store/nowhere.": `no file is at store/nowhere.`,
	} {
		_, err := f.Show(t.Context(), graph.ShowInput{Places: []string{place}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", place, err, want)
		}
	}
	if _, err := f.Show(t.Context(), graph.ShowInput{}); fault.KindOf(err) != fault.Usage {
		t.Errorf("without a place: %v", err)
	}
}

// TestShowLinks holds that a link out of the project is refused with that reason, and that one that
// stays in it is shown.
func TestShowLinks(t *testing.T) {
	root, f := project(t, shop)
	outside := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(outside, []byte("package secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out.go": outside, "in.go": "store/store.go"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"out.go"}}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "leads out of the project") {
		t.Errorf("a link out of the project: %v", err)
	}
	if a, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"in.go"}}); err != nil || len(a.Shown) == 0 {
		t.Errorf("a link that stays in the project: %v, %v", a, err)
	}
}

// longClass is a class of many methods, longer than most budgets.
func longClass(methods int) string {
	var b strings.Builder
	b.WriteString("class Big:\n    \"\"\"Does much.\"\"\"\n\n    limit = 3\n")
	for i := range methods {
		fmt.Fprintf(&b, "\n    def step%d(self, value):\n", i)
		for j := range 10 {
			fmt.Fprintf(&b, "        value = value + self.limit * %d%d\n", i, j)
		}
		b.WriteString("        return value\n")
	}
	return b.String()
}

// TestShowBudget holds that text has no more tokens than its budget, that what a cut leaves out is
// named with its lines, and that what is short is shown whole beside what is long.
func TestShowBudget(t *testing.T) {
	_, f := project(t, "-- big.py --\n"+longClass(40)+"-- small.py --\ndef small():\n    return 1\n")
	for _, tokens := range []int{100, 300, 600, 1500, 20000} {
		a, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"Big", "small", "big.py:5-120"}, Tokens: tokens})
		if err != nil {
			t.Fatal(err)
		}
		got := text(t, a)
		if n := basetext.Tokens(len(got)); n > tokens+40 {
			t.Errorf("%d tokens, the budget is %d:\n%s", n, tokens, got)
		}
		if !strings.Contains(got, "     2      return 1\n") {
			t.Errorf("%d tokens: what is short is not whole:\n%s", tokens, got)
		}
		if cut := tokens < 2000; cut != strings.Contains(got, "…") {
			t.Errorf("%d tokens: left out lines are named: %v\n%s", tokens, !cut, got)
		}
		// Each line is shown or named as left out.
		for _, x := range a.Shown {
			n := 0
			for _, s := range x.Text {
				n += s.Last - s.First + 1
			}
			for _, l := range x.LeftOut {
				n += l.Last - l.First + 1
			}
			if n != x.Last-x.First+1 {
				t.Errorf("%d tokens, %s: %d lines of %d", tokens, x.Place, n, x.Last-x.First+1)
			}
		}
	}
	a, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"Big"}, Tokens: 1500})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, a); strings.Count(got, "def step") != 40 {
		t.Errorf("a long class is not shown by its methods:\n%s", got)
	}
}

// TestShowDeclaredOnly holds that a header that repeats a declaration is one line behind its definition.
func TestShowDeclaredOnly(t *testing.T) {
	_, f := project(t, "-- a.h --\nint area(int width, int height);\n-- a.c --\n#include \"a.h\"\nint area(int width, int height) {\n  return width * height;\n}\n")
	a, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"area"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, a); !strings.HasPrefix(got, "a.c:2-4  area\n") || !strings.Contains(got, "# also a.h:1  area\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestShowRanges holds that lines that are named by their numbers are all shown where no budget is named, and that names keep
// to the usual one beside them.
func TestShowRanges(t *testing.T) {
	_, f := project(t, "-- big.py --\n"+longClass(200)+"-- other.py --\n"+longClass(200))
	tests := []struct {
		name   string
		places []string
		tokens int
		cut    bool
	}{
		{"a long range", []string{"big.py:10-900"}, 0, false},
		{"two ranges", []string{"big.py:10-400", "other.py:10-400"}, 0, false},
		{"more than a range may take", []string{"big.py:1-2000"}, 0, true},
		{"a range and a budget", []string{"big.py:10-900"}, 1000, true},
		{"a file", []string{"big.py"}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Show(t.Context(), graph.ShowInput{Places: tt.places, Tokens: tt.tokens})
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, a); strings.Contains(got, "lines are left out") != tt.cut {
				t.Errorf("cut: want %v, %d bytes", tt.cut, len(got))
			}
		})
	}
}

// TestDefineBody holds that def --body answers as show does, with JSON of the same form.
func TestDefineBody(t *testing.T) {
	_, f := project(t, shop)
	show, err := f.Show(t.Context(), graph.ShowInput{Places: []string{"helper"}})
	if err != nil {
		t.Fatal(err)
	}
	body, err := f.DefineOrShow(t.Context(), graph.DefineInput{Name: "helper", Body: true})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := text(t, show), text(t, body); a != b {
		t.Errorf("def --body is\n%s\nshow is\n%s", b, a)
	}
	raw, err := json.Marshal(body)
	if err != nil || !strings.Contains(string(raw), `"text":[{"line_start":11,"line_end":11,"text":"func helper(v string) string { return v }\n"}]`) {
		t.Errorf("JSON is %s, %v", raw, err)
	}
	at, err := f.DefineOrShow(t.Context(), graph.DefineInput{Name: "store/store.go:9:49", Body: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, at); !strings.Contains(got, "store/store.go:11  helper\n") {
		t.Errorf("what is called at a place: %s", got)
	}
}
