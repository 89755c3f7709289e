package passage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/passage"
	"github.com/assay-dev/assay/internal/code/rank"
)

// TestGuessesChoose holds that the declaration with the piece that was found comes first, but if the caller guesses
// words, the one that these and the question tell more of, and that a wrong guess changes nothing.
func TestGuessesChoose(t *testing.T) {
	root := t.TempDir()
	src := "def refill(tank):\n    return tank.level\n" + strings.Repeat("\n\ndef other():\n    return 1\n", 80) +
		"\n\ndef drain(tank):\n    tank.level = tank.pump\n    return tank.spill\n"
	for name, text := range map[string]string{"a.py": src, "b.py": "def b():\n    return 2\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(t.Context(), engine.Config{Root: root, IndexDir: filepath.Join(t.TempDir(), "index")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		guesses []string
		want    string
	}{
		{"no guess", nil, "refill"},
		{"a guess", []string{"spill"}, "drain"},
		{"a wrong guess", []string{"nowhere"}, "refill"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := v.Plan("level of the tank", rank.Lexical)
			if err != nil {
				t.Fatal(err)
			}
			found, err := v.Search(t.Context(), engine.Query{Plan: plan, Most: 10})
			if err != nil {
				t.Fatal(err)
			}
			hits := slices.DeleteFunc(found.Hits, func(h engine.Hit) bool { return h.Lines.First > 1 }) // the piece with refill
			if plan, err = v.Plan("level of the tank", rank.Lexical, c.guesses...); err != nil {
				t.Fatal(err)
			}
			r := passage.NewReader(v, plan, found.Stats, false)
			files, units := r.Units(hits)
			r.Choose(files, units, 4000, func(*passage.Passage) int { return 0 })
			if lead := files[0].File.Decls[files[0].Lead.Decl].Name; lead != c.want {
				t.Errorf("%s leads, want %s", lead, c.want)
			}
		})
	}
}
