package langtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Archives asks about the files of each archive in testdata, and compares the answers, a line
// each, with those that the archive has in a file of that name. With update they are written.
func Archives(t *testing.T, update bool, answers func(files map[string]string) string) {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files, want := map[string]string{}, ""
		a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
			if f.Name != "answers" {
				files[f.Name] = string(f.Data)
				return false
			}
			want = string(f.Data)
			return true
		})
		got := answers(files)
		if update {
			a.Files = append(a.Files, txtar.File{Name: "answers", Data: []byte(got)})
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, line := range lacking(got, want) {
			t.Errorf("%s: not answered: %s", name, line)
		}
		for _, line := range lacking(want, got) {
			t.Errorf("%s: answered: %s", name, line)
		}
	}
}

// lacking returns the lines that a text has not, each as often as it lacks it.
func lacking(text, of string) (out []string) {
	n := map[string]int{}
	for line := range strings.Lines(text) {
		n[line]++
	}
	for line := range strings.Lines(of) {
		if n[line]--; n[line] < 0 {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
