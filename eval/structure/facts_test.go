package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	for _, c := range []struct {
		name        string
		found, want []fact
		multiset    bool
		p, r        float64
		differ      string
	}{
		{"nothing", nil, nil, false, 1, 1, ""},
		{"equal", []fact{{"a", 1}, {"b", 2}}, []fact{{"b", 2}, {"a", 1}}, false, 1, 1, ""},
		{"another line", []fact{{"a", 1}}, []fact{{"a", 2}}, false, 0, 0, "+a1 -a2"},
		{"twice in a set", []fact{{"a", 1}, {"a", 1}}, []fact{{"a", 1}}, false, 1, 1, ""},
		{"twice in a multiset", []fact{{"a", 1}, {"a", 1}}, []fact{{"a", 1}}, true, .5, 1, "+a1"},
		{"in an error", []fact{{"a", 1}, {"b", 8}}, []fact{{"a", 1}, {"c", 9}}, false, 1, 1, ""},
	} {
		src := source{truth: truth{Errors: [][2]int{{8, 9}}}}
		var s score
		s.add(&src, c.found, c.want, c.multiset)
		var differ []string
		for _, d := range s.differ {
			sign := "+"
			if d.missing {
				sign = "-"
			}
			differ = append(differ, sign+d.Name+string(rune('0'+d.Line)))
		}
		if got := strings.Join(differ, " "); s.precision() != c.p || s.recall() != c.r || got != c.differ {
			t.Errorf("%s: %.2f %.2f %q, want %.2f %.2f %q", c.name, s.precision(), s.recall(), got, c.p, c.r, c.differ)
		}
	}
}

func TestFacts(t *testing.T) {
	dir := t.TempDir()
	truth := `{"file":"a/b.go","functions":[{"name":"f","line":5},{"name":"gone","line":9}],"imports":[{"path":"os","line":3}],"calls":[{"name":"Exit","line":6}]}` + "\n"
	for name, text := range map[string]string{
		"a/b.go": "package b\n\nimport \"os\"\n\nfunc f() {\n\tos.Exit(0)\n}\n",
		"t.json": truth,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := runFacts([]string{"-root", dir, "-truth", filepath.Join(dir, "t.json"), "-v", "9"}, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"functions        2  1.0000  0.5000  0.6667\n",
		"imports          1  1.0000  1.0000  1.0000\n",
		"calls            1  1.0000  1.0000  1.0000\n",
		"  - a/b.go:9 \"gone\" | \n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("facts printed\n%s, want in it %q", b.String(), want)
		}
	}
	os.WriteFile(filepath.Join(dir, "t.json"), []byte(`{"file":"../x.go"}`), 0o644)
	if err := runFacts([]string{"-root", dir, "-truth", filepath.Join(dir, "t.json")}, &b); err == nil {
		t.Error("a truth that leaves the root was read")
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
