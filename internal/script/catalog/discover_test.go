package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// places returns places below a temporary folder, with two modules in the program
// and what they share.
func places(t *testing.T, files map[string]string) Places {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, files)
	src := map[string]string{"grafana": "-- built in", "k8s": "-- built in", "_rest": "-- shared"}
	return Places{
		WorkDir:  filepath.Join(dir, "work"),
		Global:   filepath.Join(dir, "global"),
		Library:  []string{filepath.Join(dir, "lib"), "", filepath.Join(dir, "lib2")},
		Embedded: []string{"grafana", "k8s", "_rest"},
		Source:   func(name string) ([]byte, bool) { s, ok := src[name]; return []byte(s), ok },
	}
}

func TestFind(t *testing.T) {
	p := places(t, map[string]string{
		"work/modules/mine.lua":    "-- project",
		"work/modules/grafana.lua": "-- project",
		"work/other.lua":           "-- no module",
		"global/mine.lua":          "-- global",
		"global/ours.lua":          "-- global",
		"global/sub/deep.lua":      "-- too deep",
		"work/modules/_rest.lua":   "-- project",
		"work/modules/_mine.lua":   "-- project",
		"lib/k8s.lua":              "-- library",
		"lib/more.lua":             "-- library",
		"lib2/more.lua":            "-- library 2",
		"lib2/most.lua":            "-- library 2",
	})
	for name, want := range map[string]string{
		"mine": "-- project", "assay.mine": "-- project", "assay.grafana": "-- project", "grafana": "-- project",
		"ours": "-- global", "assay.k8s": "-- built in", "assay.more": "-- library", "assay._rest": "-- shared", "_mine": "-- project", "most": "-- library 2",
		"assay.deep": "", "assay.sub.deep": "", "sub/deep": "", "../other": "", "assay.../other": "", "": "", "assay.": "", "x\x00": "", "other": "", strings.Repeat("x", 300): "",
	} {
		m, src, err := p.Find(name)
		switch {
		case want == "" && !errors.Is(err, ErrNotFound):
			t.Errorf("Find(%q) = %v, %v, want ErrNotFound", name, m, err)
		case want != "" && (err != nil || src != want || m.Name != "assay."+strings.TrimPrefix(name, "assay.")):
			t.Errorf("Find(%q) = %+v, %v, want %s", name, m, err, want)
		}
	}
	if m, _, err := p.Find("mine"); err != nil || m.Chunk() != "./modules/mine.lua" {
		t.Errorf("the chunk of a project's module: %v, %v", m, err)
	}
	if m, _, err := p.Find("k8s"); err != nil || m.Chunk() != "assay/k8s.lua" {
		t.Errorf("the chunk of a built-in module: %v, %v", m, err)
	}
}

func TestFindNothing(t *testing.T) {
	for _, p := range []Places{{}, {WorkDir: filepath.Join(t.TempDir(), "gone"), Global: "/nowhere", Library: []string{"/nowhere"}}} {
		if m, _, err := p.Find("x"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%+v: %v, %v", p, m, err)
		}
		if c, err := p.Discover(t.Context()); err != nil || len(c.Modules)+len(c.Skipped) > 0 {
			t.Errorf("%+v: %+v, %v", p, c, err)
		}
	}
	p := places(t, map[string]string{"work/modules": "a file where a folder is looked for"})
	if m, _, err := p.Find("k8s"); err != nil || m.Source != BuiltIn {
		t.Errorf("with a file named modules: %v, %v", m, err)
	}
}

// A broken module is an error and not the next of its name.
func TestFindBroken(t *testing.T) {
	p := places(t, map[string]string{"work/modules/grafana.lua/x": "", "global/k8s.lua": "\xff"})
	for _, name := range []string{"grafana", "k8s"} {
		if m, _, err := p.Find(name); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), name+".lua") {
			t.Errorf("Find(%s) = %v, %v", name, m, err)
		}
	}
}

func TestDiscover(t *testing.T) {
	p := places(t, map[string]string{
		"work/modules/grafana.lua": "--- @description Ours.",
		"work/modules/b.lua":       "",
		"work/modules/a-b_1.lua":   "",
		"work/modules/_mine.lua":   "-- shared",
		"work/modules/no.txt":      "",
		"work/modules/.lua":        "",
		"work/modules/sub/x.lua":   "",
		"global/b.lua":             "function M.f() end",
		"global/z.lua":             "",
		"lib/k8s.lua":              "",
		"lib2/more.lua":            "",
	})
	c := discovered(t, p)
	var got []string
	for _, m := range c.Modules {
		s := m.Source.String() + " " + m.Name
		if m.Shadowed {
			s += " shadowed"
		}
		got = append(got, s)
	}
	want := []string{"project assay.a-b_1", "project assay.b", "project assay.grafana", "global assay.b shadowed", "global assay.z",
		"built-in assay.grafana shadowed", "built-in assay.k8s", "library assay.k8s shadowed", "library assay.more"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i := range c.Modules {
		if src, err := p.Code(&c.Modules[i]); err != nil || made(c.Modules[i].Short(), src).outline != c.Modules[i].outline {
			t.Errorf("the text of %+v is %q, %v", c.Modules[i], src, err)
		}
	}
	if c.Modules[2].Meta().Description != "Ours." || len(c.Modules[3].Meta().Functions) != 1 {
		t.Errorf("the headers are not read: %+v", c.Modules[2:4])
	}
}

// What cannot be read is skipped, and told.
func TestDiscoverSkips(t *testing.T) {
	p := places(t, map[string]string{
		"work/modules/good.lua":  "",
		"work/modules/a b.lua":   "",
		"work/modules/9.lua":     "",
		"work/modules/latin.lua": "-- \xe4",
		"work/modules/huge.lua":  strings.Repeat("-", mostBytes+1),
		"outside.lua":            "-- secret",
	})
	links := runtime.GOOS != "windows"
	if links {
		for name, to := range map[string]string{"out.lua": "../../outside.lua", "in.lua": "good.lua", "null.lua": os.DevNull, "dangling.lua": "gone.lua"} {
			if err := os.Symlink(to, filepath.Join(p.WorkDir, "modules", name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := p.Discover(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range c.Modules {
		if m.Source == Project {
			names = append(names, m.Short())
		}
	}
	want, skipped := "good", 4
	if links {
		want, skipped = "good in", 7
	}
	if len(c.Skipped) != skipped || len(strings.Fields(strings.Join(names, " "))) != len(strings.Fields(want)) {
		t.Errorf("%v, skipped %v", names, c.Skipped)
	}
	for _, err := range c.Skipped {
		if !strings.Contains(err.Error(), "./modules/") || strings.Contains(err.Error(), p.WorkDir) {
			t.Errorf("%v", err)
		}
	}
	if links {
		if _, src, err := p.Find("out"); err == nil {
			t.Errorf("a link out of the project was followed: %s", src)
		}
	}
}

// Where modules are many they are read for one question, with the same answer.
func TestSkim(t *testing.T) {
	files := map[string]string{}
	for i, d := range synthetic(ftsMost + 100) {
		files[fmt.Sprintf("work/modules/service%d.lua", i)] = written(i, d)
	}
	files["global/service7.lua"] = files["work/modules/service8.lua"]
	p := places(t, files)
	all, err := p.Discover(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"rotate a secret of a gateway", "service7", "aed", "no_such_word_at_all", "the"} {
		c, err := p.Skim(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Ask(t.Context(), query, 7)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all.AskWith(t.Context(), NewBM25(), query, 7)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Entry{})); d != "" {
			t.Errorf("%q (-read whole +skimmed):\n%s", query, d)
		}
		if _, err := c.Ask(t.Context(), "other", 7); err == nil {
			t.Error("another question was answered")
		}
	}
}

func TestDiscoverStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := places(t, map[string]string{"work/modules/a.lua": ""}).Discover(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkDiscover reads thousands of modules from the disk's cache and asks them.
func BenchmarkDiscover(b *testing.B) {
	dir := b.TempDir()
	files := map[string]string{}
	for i, d := range synthetic(5000) {
		files[fmt.Sprintf("modules/service%d.lua", i)] = written(i, d)
	}
	put(b, dir, files)
	p := Places{WorkDir: dir}
	b.Run("discover", func(b *testing.B) {
		for b.Loop() {
			if c, err := p.Discover(b.Context()); err != nil || len(c.Modules) != 5000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("skim", func(b *testing.B) {
		for b.Loop() {
			if c, err := p.Skim(b.Context(), "rotate a secret of a gateway"); err != nil || len(c.Modules) != 5000 {
				b.Fatal(err)
			}
		}
	})
	c, err := p.Discover(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ask", func(b *testing.B) {
		for b.Loop() {
			if a, err := c.Ask(b.Context(), "rotate a secret of a gateway", 5); err != nil || len(a.Entries) != 5 {
				b.Fatal(a, err)
			}
		}
	})
}

// written returns a module of the size of real ones.
func written(i int, d Fields) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- @module assay.service%d\n--- @description %s\n--- @keywords %s\n--- @env SERVICE%d_URL\n", i, d.Description, strings.ReplaceAll(d.Keywords, " ", ", "), i)
	var code strings.Builder
	for line := range strings.Lines(d.Functions) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&b, "--- @quickref c:%s(id, opts) -> {id, name} | %s\n", name, text)
		fmt.Fprintf(&code, "function c:%s(id, opts)\n  local r = http.get(self.url .. \"/api/v1/%s/\" .. id, { headers = self.headers })\n  if r.status ~= 200 then\n    error(\"service: GET HTTP \" .. r.status)\n  end\n  return json.parse(r.body)\nend\n\n", name, name)
	}
	b.WriteString("\nlocal M, c = {}, {}\n\nfunction M.client(url)\n  return setmetatable({ url = url or env.get(\"SERVICE_URL\") }, { __index = c })\nend\n\n")
	b.WriteString(code.String())
	b.WriteString("return M\n")
	return b.String()
}
