package script

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/check"
	"github.com/assay-dev/assay/internal/script/lua"
)

var (
	fence    = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")
	evalArg  = regexp.MustCompile(`assay exec .*-e '([^']*)'`)
	tableRow = regexp.MustCompile(`(?m)^\| ([a-z0-9]+) \| [^|]+ \|([^|]*)\|$`)
	called   = regexp.MustCompile(`\b(?:c|d|am|k8s|prometheus|vault|grafana)[.:](\w+)\(`)
)

// What the guide for agents shows can be run: its Lua compiles and calls functions
// that there are, its checks are checks, and its table is that of the modules.
func TestSkill(t *testing.T) {
	text, err := os.ReadFile("../../integrations/skills/modules/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newBench(t, nil, nil, nil).catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]bool{}
	for i := range c.Modules {
		for _, f := range c.Modules[i].Meta().Functions {
			functions[f.Name] = true
		}
	}
	blocks := map[string]int{}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		lang, code := m[1], m[2]
		blocks[lang]++
		switch lang {
		case "lua":
			if err := lua.Check("SKILL.md", []byte(code)); err != nil {
				t.Errorf("%v in\n%s", err, code)
			}
			for _, f := range called.FindAllStringSubmatch(code, -1) {
				if !functions[f[1]] {
					t.Errorf("no module has a function %s", f[1])
				}
			}
		case "yaml":
			if _, err := check.Parse([]byte(code), true); err != nil {
				t.Error(err)
			}
		case "sh":
			for _, e := range evalArg.FindAllStringSubmatch(code, -1) {
				blocks["eval"]++
				if err := lua.Check("SKILL.md", []byte(e[1])); err != nil {
					t.Errorf("%v in %s", err, e[1])
				}
			}
		}
	}
	if blocks["lua"] < 5 || blocks["yaml"] == 0 || blocks["eval"] < 2 {
		t.Errorf("the guide shows %v", blocks)
	}
	var listed []string
	_, table, _ := strings.Cut(string(text), "| module | for | variables |\n")
	for _, row := range tableRow.FindAllStringSubmatch(table, -1) {
		m := c.Named("assay." + row[1])
		if m == nil {
			t.Errorf("there is no module %s", row[1])
			continue
		}
		listed = append(listed, m.Name)
		want := m.Meta().Env
		if alias := c.Named(m.Meta().Alias); alias != nil && len(want) == 0 {
			want = alias.Meta().Env
		}
		if got := strings.TrimSpace(row[2]); got != strings.Join(want, ", ") {
			t.Errorf("%s reads %s, the guide says %q", row[1], strings.Join(want, ", "), got)
		}
	}
	var all []string
	for i := range c.Modules {
		if c.Modules[i].Source == catalog.BuiltIn {
			all = append(all, c.Modules[i].Name)
		}
	}
	if !slices.Equal(listed, all) {
		t.Errorf("the guide lists %v, the modules are %v", listed, all)
	}
	for _, b := range catalog.Builtins() {
		if !regexp.MustCompile("`[^`]*\\b" + b.Name + "\\b[^`]*`").Match(text) {
			t.Errorf("the guide does not name %s", b.Name)
		}
	}
}
