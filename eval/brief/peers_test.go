package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// What a peer prints shows the lines of files that it quotes, as far as its budget goes, and
// each line once where it is there again.
func TestQuoting(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte("import x\n\nclass A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text   string
		tokens int
		want   []int
	}{
		{"\na.py:\n⋮\n│class A:\n│    def f(self):\n⋮\n│    def f(self):\n", 100, []int{0, 3, 4, 8}},
		{"## File: a.py\n```python\nclass B:\n⋮----\ndef f(self):\n```\n", 100, []int{0, 7, 8}},
		{"\na.py:\n⋮\n│class A:\n│    def f(self):\n", vault.Tokens("\na.py:\n⋮\n│class A:\n"), []int{0, 3}},
		{"\nb.py:\n│class A:\n", 100, nil},
	} {
		a := quoting(dir, c.text, c.tokens)
		var got []int
		for _, r := range a.lines["a.py"] {
			got = append(got, r.First)
		}
		if len(got) != len(c.want) || a.spent > c.tokens {
			t.Fatalf("%q shows %v for %d tokens, want %v", c.text, got, a.spent, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q shows %v, want %v", c.text, got, c.want)
			}
		}
	}
}
