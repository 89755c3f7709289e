package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A plant is where its lines say, also after another that is planted above it.
func TestSown(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "README.md"), []byte("# x\n\nText of x,\nmore.\n\n- one\n- two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sowing := []sown{{style: "bullet", document: "README.md", after: "- one", text: "- sown"}, {style: "sentence", document: "README.md", after: "# x", text: "A sentence."}}
	for i := range sowing {
		if err := sowing[i].plant(root, sowing[:i]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, s := range sowing {
		if s.first > len(lines) || lines[s.first-1] != s.text || s.first != s.last {
			t.Errorf("%q is said to be at %d of\n%s", s.text, s.first, text)
		}
	}
}

// Every label, plant and project of the natural set can be read, and each plant is of a
// project.
func TestNaturalData(t *testing.T) {
	projects := map[string]string{}
	all, err := rows("projects.tsv", 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		projects[p[1]] = p[0]
	}
	plants, err := rows("plants.tsv", 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plants {
		if projects[p[1]] != p[0] {
			t.Errorf("%s is planted in a project of %q, which is of %q", p[6], p[0], projects[p[1]])
		}
	}
	for _, file := range []string{"labels.tsv", "shadows.tsv", "drift.tsv"} {
		labels, err := rows(file, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels {
			if projects[l[0]] == "" || l[4] != "true" && l[4] != "false" || l[5] == "" {
				t.Errorf("%s: %q", file, l)
			}
		}
	}
}
