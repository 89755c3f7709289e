package vault

import (
	"slices"
	"strings"
	"testing"
)

// One line that is no YAML takes nothing else with it, and is told; text between dashes is no front matter.
func TestParseFront(t *testing.T) {
	for name, c := range map[string]struct {
		head, problem, title string
		tags                 []string
		until                day
	}{
		"sound":     {"title: \"L2 Core: (Split)\"\ntags: [a, b]\nexpires: 2025-03-01\n", "", "L2 Core: (Split)", []string{"a", "b"}, 20148},
		"colon":     {"title: L2 Core: (Split)\ntags: [a, b]\nexpires: 2025-03-01\n", "line 2 of the front matter is not YAML: put the value in quotation marks", "L2 Core: (Split)", []string{"a", "b"}, 20148},
		"open list": {"title: Plan\ntags: [\"svelte\", \"ui\"\nexpires: 2025-03-01\n", "line 3 of the front matter is not YAML: put the value in quotation marks", "Plan", []string{"svelte", "ui"}, 20148},
		"points":    {"tags:\n  - a: b: c\n  - ui\nexpires: 2025-03-01\r\n", "line 2 of the front matter is not YAML: put the value in quotation marks", "", []string{"a:", "b:", "c", "ui"}, 20148},
		"key twice": {"title: One\ntitle: Two\ntags: a\nexpires: 2025-03-01\n", "the front matter is not YAML: unmarshal errors:\n  line 2: mapping key \"title\" already defined at line 1", "Two", []string{"a"}, 20148},
		"line":      {"title: Plan\nand more\ntags: [a]\nexpires: 2025-03-01\n", "line 3 of the front matter is not YAML: put the value in quotation marks", "Plan", []string{"a"}, 20148},
		"text":      {"Note: this is: text\nof a page\n", "", "", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := readFront([]byte(c.head))
			var tags []string
			for _, l := range f.links {
				tags = append(tags, l.target)
			}
			if f.problem != c.problem || f.title != c.title || !slices.Equal(tags, c.tags) || f.standing.until != c.until {
				t.Errorf("%q: %q %q %v", f.problem, f.title, tags, f.standing.until)
			}
		})
	}
	m := fresh(t, nil)
	write(t, m, "bad.md", "---\ntitle: L2 Core: (Split)\n---\nText.\n")
	write(t, m, "good.md", "---\ntitle: L2 Core\n---\nMore text.\n")
	found, _, err := m.Audit(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	if f := found[0]; f.Path != "bad.md" || f.Kind != "front matter" || !strings.Contains(f.What, "line 2") {
		t.Errorf("%+v", f)
	}
	if h, err := m.Check(t.Context()); err != nil || !slices.Equal(h.Front, []string{"bad.md"}) {
		t.Errorf("%v %v", h.Front, err)
	}
}
