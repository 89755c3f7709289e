package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/keptaside"
)

// Of a chunk of code, the path and the names have a share of its vector; of text for people
// they are among its words.
func TestShare(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("apple.py", "def pear():\n    return iron, iron\n")
	write("apple.md", "iron iron\n")
	// It counts the words for fruit, and those for metal.
	embed := func(dst []float32, text []byte) {
		s := string(text)
		dst[0] = float32(strings.Count(s, "apple") + strings.Count(s, "pear"))
		dst[1] = float32(strings.Count(s, "iron"))
		if n := float32(math.Hypot(float64(dst[0]), float64(dst[1]))); n > 0 {
			dst[0], dst[1] = dst[0]/n, dst[1]/n
		}
	}
	fruit := func(share float32) map[string]float64 {
		t.Helper()
		found, err := pieces(embed, 2, share, root)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, p := range found {
			out[p.Path] = float64(p.vec[0])
		}
		return out
	}
	all, apart := fruit(0), fruit(.5)
	// One text: apple and pear of py, apple of md, beside two irons. Apart: the code has
	// one and two, and half of each of two vectors of fruit is added.
	code := 1/math.Sqrt(5) + 1
	for name, want := range map[string][2]float64{
		"apple.py": {math.Sqrt(.5), code / math.Hypot(code, 2/math.Sqrt(5))},
		"apple.md": {1 / math.Sqrt(5), 1 / math.Sqrt(5)},
	} {
		if math.Abs(all[name]-want[0]) > 1e-5 || math.Abs(apart[name]-want[1]) > 1e-5 {
			t.Errorf("%s: %.4f and %.4f of fruit, want %.4f and %.4f", name, all[name], apart[name], want[0], want[1])
		}
	}
}

func TestLoadRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "read.jsonl")
	text := `{"project":"a+b","asked":[{"query":"who waits","files":["src/x.go","y.go"]}]}` + "\n" + `{"project":"c+d","asked":[]}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	projects, of, err := loadRead(file, []string{"a+b"})
	if err != nil || len(projects) != 1 || projects[0].Name != "a+b" || projects[0].IndexDir != "repos/a+b" {
		t.Fatalf("projects %v, %v", projects, err)
	}
	qs, err := of("a+b")
	if err != nil || len(qs) != 1 || qs[0].Text != "who waits" || len(qs[0].Targets) != 2 || qs[0].Targets[1].Path != "y.go" {
		t.Errorf("questions %v, %v", qs, err)
	}
	if all, _, err := loadRead(file, nil); err != nil || len(all) != 2 {
		t.Errorf("of all: %v, %v", all, err)
	}
	if err := os.WriteFile(file, []byte(`{"project":"`+strings.ReplaceAll(keptaside.Projects()[0], "/", "+")+`","asked":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := loadRead(file, nil); err == nil {
		t.Error("a project that is kept aside was read")
	}
}
