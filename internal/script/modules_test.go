package script

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestContext(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/modules/billing.lua":     "--- @module assay.billing\n--- @description Billing service of ours: invoices.\n--- @keywords billing, invoices\n\nfunction M.pay(url, id) end",
		"path/paths.lua":               "--- @description A module of another folder.",
		"lib/more.lua":                 "--- @description A module of a library.",
		"home/.assay/modules/home.lua": "--- @description A module at home.",
		"work/modules/a b.lua":         "",
	}, map[string]string{}, nil)
	a, err := b.Context(b.ctx, ContextInput{Query: "pay", More: []string{"an", "invoice"}, Limit: 1, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, a); !strings.Contains(got, "### assay.billing\nBilling service of ours: invoices.\nMethods:\n  M.pay(url, id)\nScore: ") ||
		!strings.Contains(got, "\n## Search\nfts5 over 63 modules") || strings.Count(got, "\n### ") != 1 {
		t.Errorf("%s", got)
	}
	if len(b.notes) != 1 || !strings.Contains(b.notes[0], "a b.lua") {
		t.Errorf("%q", b.notes)
	}
	for query, want := range map[string]string{"grafana health": "### assay.grafana\n", "http request json": "http.get(url", "nonexistent_xyz": "No matching modules found.", "": "## All Modules (63)\n\n### assay.billing\n", "module at home": "### assay.home\n"} {
		a, err := b.Context(b.ctx, ContextInput{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, a); !strings.Contains(got, want) || strings.Count(got, "\n### ") > 5 && query != "" {
			t.Errorf("context %q: %s", query, got)
		}
	}
	in := ContextArgs{Query: "", Limit: 3}.Input()
	if a, err := b.Context(b.ctx, in); err != nil || len(a.Entries) != 63 {
		t.Errorf("the tool lists %+v, %v", a, err)
	}
	if in := (ContextArgs{Query: "x", Limit: 3}).Input(); in.Limit != 3 {
		t.Errorf("%+v", in)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := b.Context(ctx, ContextInput{Query: "x"}); err == nil {
		t.Error("an answer after the end of the context")
	}
	b = newBench(t, map[string]string{"path/paths.lua": "", "work/rel/lib.lua": "", "home/.assay/modules/home.lua": ""},
		map[string]string{"ASSAY_MODULES_PATH": "../path", "ASSAY_LIB_PATH": strings.Join([]string{"rel", "", "/nowhere"}, string(os.PathListSeparator))}, nil)
	l, err := b.Modules(b.ctx, ModulesInput{})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"global": 1, "library": 1, "built-in": 61}; !maps.Equal(l.Count, want) {
		t.Errorf("counts %v, want %v", l.Count, want)
	}
	if first, last := l.Modules[0].Name, l.Modules[62].Name; first != "assay.paths" || last != "assay.lib" {
		t.Errorf("the first module is %s, the last %s", first, last)
	}
}

func TestModules(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/modules/grafana.lua":  "--- @description " + strings.Repeat("long ", 40) + "\nfunction M.f() end\nfunction M._g() end",
		"home/.assay/modules/z.lua": "--- @description Z.\x1b[2J",
		"home/.assay/modules/b.lua": "",
	}, nil, nil)
	l, err := b.Modules(b.ctx, ModulesInput{})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(written(t, l), "\n")
	want := map[int]string{
		0:              "MODULE                        SOURCE    DESCRIPTION",
		1:              strings.Repeat("-", 80),
		2:              "assay.grafana                 project   (replaces the built-in one) " + strings.Repeat("long ", 10) + "l…",
		3:              "assay.b                       global",
		4:              "assay.z                       global    Z.<U+001B>[2J",
		len(lines) - 2: "64 modules (1 project, 2 global, 61 built-in)",
	}
	for i, line := range want {
		if lines[i] != line {
			t.Errorf("line %d is %q, want %q", i, lines[i], line)
		}
	}
	if !strings.HasPrefix(lines[28], "assay.grafana                 built-in  (shadowed) Grafana ") {
		t.Errorf("%q", lines[5:30])
	}
	for i := 6; i < len(lines)-4; i++ {
		if lines[i-1] > lines[i] {
			t.Errorf("%q after %q", lines[i], lines[i-1])
		}
	}
	if strings.Contains(written(t, l), "http ") && strings.Contains(written(t, l), "\nhttp") {
		t.Error("what is always there is listed")
	}
	l, err = b.Modules(b.ctx, ModulesInput{Source: "project"})
	if err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(l)
	if err != nil || !strings.HasPrefix(string(j), `{"modules":[{"name":"assay.grafana","source":"project","path":"./modules/grafana.lua","description":"long `) || !strings.HasSuffix(string(j), `"functions":["f"],"replaces":"built-in"}],"count":{"project":1}}`) {
		t.Errorf("%s, %v", j, err)
	}
	var b2 strings.Builder
	if err := l.WriteLines(&b2); err != nil || strings.Count(b2.String(), "\n") != 1 {
		t.Errorf("%q, %v", b2.String(), err)
	}
}

// The modules that come with the program are as the linter wants them.
func TestLintBuiltIn(t *testing.T) {
	r, err := newBench(t, nil, nil, nil).Lint(t.Context(), LintInput{})
	if err != nil || r.Verdict() != nil || r.Modules != 61 || r.Aliases != 1 {
		t.Errorf("%v, %v, %s", err, r.Verdict(), written(t, r))
	}
	if got := written(t, r); got != "61 modules, 1 of them aliases: 0 faults\n" {
		t.Errorf("%q", got)
	}
}

func TestLint(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/modules/bad.lua": "--- @module assay.bad\nlocal x =",
		"work/else/where.lua":  "--- @module assay.where\n--- @description Where.\n--- @keywords where\n",
		"work/modules/9.lua":   "",
	}, nil, nil)
	r, err := b.Lint(b.ctx, LintInput{})
	if err != nil {
		t.Fatal(err)
	}
	wrong(t, "all", r.Verdict(), fault.Negative, "4 faults in 62 modules")
	got := written(t, r)
	for _, want := range []string{"./modules/bad.lua:1: description: the header has no @description\n", "./modules/bad.lua:0: syntax: ", `read ./modules/9.lua: "9" is not a valid module name`, "\n62 modules, 1 of them aliases: 4 faults\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if r, err := b.Lint(b.ctx, LintInput{Modules: []string{"grafana", "assay.k8s", "else/where.lua"}}); err != nil || r.Modules != 3 || r.Verdict() != nil {
		t.Errorf("%+v, %v", r, err)
	}
	for _, name := range []string{"gone", "gone.lua"} {
		_, err := b.Lint(b.ctx, LintInput{Modules: []string{name}})
		wrong(t, name, err, fault.NotFound, "gone")
	}
}

func TestMock(t *testing.T) {
	b := newBench(t, map[string]string{"work/f.json": `{"routes": [{"path": "/x", "reply": {"body": "ok"}}]}`, "work/bad.json": "{"}, nil, nil)
	ctx, cancel := context.WithCancel(b.ctx)
	events := make(chan *MockEvent, 10)
	done := make(chan error, 1)
	go func() {
		done <- b.Mock(ctx, MockInput{Fixture: "f.json", Log: true}, func(e *MockEvent) error { events <- e; return nil })
	}()
	e := <-events
	if !strings.HasPrefix(written(t, e), "listening on http://127.0.0.1:") {
		t.Error(written(t, e))
	}
	resp, err := http.Get(e.URL + "/x?y=1")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if e := <-events; written(t, e) != "GET /x?y=1 200\n" {
		t.Error(written(t, e))
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	emit := func(*MockEvent) error { return nil }
	wrong(t, "no fixture", b.Mock(b.ctx, MockInput{Fixture: "gone.json"}, emit), fault.NotFound, "gone.json")
	wrong(t, "a bad one", b.Mock(b.ctx, MockInput{Fixture: "bad.json"}, emit), fault.Usage, "read the fixture")
}
