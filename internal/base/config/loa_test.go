//go:build !slim

package config

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func framework(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The user's overrides win over the project's settings, those over the framework's, and
// those over the defaults; each value says where it came from.
func TestLoaPrecedence(t *testing.T) {
	const overrides, project, registry = ".claude/overrides/ck-config.yaml", ".loa.config.yaml", ".claude/mcp-registry.yaml"
	of := func(s string) string { return "other: [1, 2]\nck:\n  thresholds:\n    semantic: " + s + "\n" }
	for _, tc := range []struct {
		files  map[string]string
		want   float64
		origin string // of the threshold; empty: not shown
	}{
		{nil, .4, ""},
		{map[string]string{project: "x: y\n"}, .4, "default"},
		{map[string]string{registry: of("0.1")}, .1, registry + ":4"},
		{map[string]string{registry: of("0.1"), project: of("0.2")}, .2, project + ":4"},
		{map[string]string{registry: of("0.1"), project: of("0.2"), overrides: of("0")}, 0, overrides + ":4"},
		{map[string]string{registry: of("0.1"), overrides: of("0.3")}, .3, overrides + ":4"},
		{map[string]string{project: of("0.2"), overrides: "ck:\n  thresholds:\n"}, .2, project + ":4"},
		// What makes no sense is told, and the next file is asked.
		{map[string]string{project: of("0.2"), overrides: of("7")}, .2, project + ":4"},
		{map[string]string{project: of("0.2"), overrides: of("[1]")}, .2, project + ":4"},
		{map[string]string{project: of("0.2"), overrides: "ck: {thresholds\n: ["}, .2, project + ":4"},
		{map[string]string{project: of("0.2"), overrides: "- a\n"}, .2, project + ":4"},
		{map[string]string{project: of("0.2"), overrides: ""}, .2, project + ":4"},
	} {
		root := framework(t, tc.files)
		c, err := Load(Sources{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		origin := ""
		for _, s := range c.Explain(nil).Settings {
			if s.Key == "loa.ck.thresholds.semantic" {
				rel, err := filepath.Rel(root, s.Origin)
				if origin = filepath.ToSlash(rel); err != nil || s.Origin == "default" {
					origin = s.Origin
				}
				if s.Value != tc.want {
					t.Errorf("%v: it shows %v", tc.files, s.Value)
				}
			}
		}
		if c.Loa.Semantic != tc.want || c.Loa.Hybrid != .5 || origin != tc.origin {
			t.Errorf("%v: %v, %v from %q, want %v from %q", tc.files, c.Loa.Semantic, c.Loa.Hybrid, origin, tc.want, tc.origin)
		}
	}
}

// A file of the framework that cannot be read is told by line, and stops nothing.
func TestLoaMalformed(t *testing.T) {
	root := framework(t, map[string]string{
		".claude/overrides/ck-config.yaml": "a: 1\n\tb: 2\n",
		".loa.config.yaml":                 "integrity_enforcement: maybe\nck:\n  thresholds:\n    hybrid: high\n  model: jina-code\n",
		".claude/mcp-registry.yaml":        "ck:\n  thresholds: 3\nintegrity_enforcement: strict\n",
	})
	c, err := Load(Sources{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	got := c.Explain(nil)
	for i, want := range []string{"ck-config.yaml:2: invalid YAML", ".loa.config.yaml:4: ck.thresholds.hybrid: \"high\" is not a number", ".loa.config.yaml:1: integrity_enforcement: \"maybe\" is not one of"} {
		if i >= len(got.Problems) || !strings.Contains(got.Problems[i], want) {
			t.Errorf("problems %q, want %q", got.Problems, want)
		}
	}
	var b bytes.Buffer
	if err := got.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ck.model                jina-code", "(not used: a project must not choose the model", "# " + root} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it shows no %q:\n%s", want, b.String())
		}
	}
	if c.Embed.Model != "" || c.Embed.Provider != "static" {
		t.Errorf("the project chose the model %+v", c.Embed)
	}
}

func FuzzLoa(f *testing.F) {
	f.Add("ck: {thresholds: {semantic: .3}}")
	f.Add("a: &a [*a]\nck: *a")
	f.Fuzz(func(t *testing.T, text string) {
		root := framework(t, map[string]string{".claude/overrides/ck-config.yaml": text, ".loa.config.yaml": text})
		c, err := Load(Sources{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		if l := c.Loa; !(l.Semantic >= 0 && l.Semantic <= 1 && l.Hybrid >= 0 && l.Hybrid <= 1) || c.Embed.Model != "" || c.IndexDir != "" {
			t.Errorf("%+v", c)
		}
	})
}
