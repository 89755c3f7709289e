package code_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// tree writes files and returns a feature that indexes so many of them in one call.
func tree(t *testing.T, most int, files map[string]string) *code.Feature {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := code.New(workspace.New(workspace.Config{WorkDir: root, Most: most, Now: func() time.Time { return time.Now().Add(time.Hour) }}), code.Config{})
	t.Cleanup(func() { f.Close() })
	return f
}

// forms returns what people and programs are told.
func forms(t *testing.T, a *code.SearchAnswer) (text, doc string) {
	t.Helper()
	var b bytes.Buffer
	if err := a.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), string(j)
}

// TestNothingFoundInPart searches for a word that no file has, or for code like that of the last of many files, while
// only some are indexed: a search looks twice before it says that there is nothing,
// and until all of the tree is known it does not say so.
func TestNothingFoundInPart(t *testing.T) {
	files := map[string]string{"z.go": "package p\n\n// zebra runs.\nfunc zebra() {}\n"}
	for i := range 11 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package p\n\nfunc part%d() {}\n", i)
	}
	for name, ask := range map[string]func(f *code.Feature) (*code.SearchAnswer, error){
		"search": func(f *code.Feature) (*code.SearchAnswer, error) {
			return f.Search(t.Context(), code.SearchInput{Query: "okapi"})
		},
		"lexical": func(f *code.Feature) (*code.SearchAnswer, error) {
			return f.Search(t.Context(), code.SearchInput{Query: "okapi", Lexical: true})
		},
		"similar": func(f *code.Feature) (*code.SearchAnswer, error) {
			return f.Similar(t.Context(), code.SimilarInput{At: "z.go:4"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := tree(t, 5, files)
			a, err := ask(f)
			if err != nil {
				t.Fatal(err)
			}
			text, doc := forms(t, a)
			const lack = "still indexing: 10 of 12 files read; ask again"
			if a.Complete || a.Indexing == nil || !strings.Contains(text, lack) || !strings.Contains(doc, `"complete":false,"indexing":{"done":10,"total":12}`) {
				t.Errorf("of a tree that is not known it says:\n%s%s", text, doc)
			}
			if strings.Contains(text+doc, "nothing found") {
				t.Errorf("it says that there is nothing:\n%s", text)
			}
			if v, ok := errors.AsType[*fault.Error](a.Verdict()); !ok || v.Kind != fault.Stale {
				t.Errorf("its verdict is %v", a.Verdict())
			}
			if a, err = ask(f); err != nil || !a.Complete || a.Verdict() != nil {
				t.Errorf("asked again: %+v, %v", a, err)
			}
			if name == "similar" && len(a.Hits) == 0 {
				t.Error("asked again, nothing is similar")
			}
		})
	}
}

// TestFoundInPart searches for a word of the last of many files while only some are indexed: that file is
// indexed first, and the answer begins with how much of the tree it knows.
func TestFoundInPart(t *testing.T) {
	files := map[string]string{"z.go": "package p\n\n// zebra runs.\nfunc zebra() {}\n"}
	for i := range 11 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package p\n\nfunc part%d() {}\n", i)
	}
	a, err := tree(t, 5, files).Search(t.Context(), code.SearchInput{Query: "part zebra", Lexical: true})
	if err != nil {
		t.Fatal(err)
	}
	text, doc := forms(t, a)
	const lack = `still indexing: 5 of 12 files read, among them every file that has "zebra"; ask again`
	const data = `"indexing":{"done":5,"total":12,"words":["zebra"]}`
	if !strings.HasPrefix(text, "# "+lack+"\nz.go:1-4") || strings.Count(text, "still indexing") != 1 || !strings.Contains(doc, data) {
		t.Errorf("of a part of the tree it says:\n%s%s", text, doc)
	}
}

// TestPatternNeedsNoIndex holds that a pattern finds what is not indexed yet.
func TestPatternNeedsNoIndex(t *testing.T) {
	f := tree(t, 1, map[string]string{"a.go": "package p\n", "b.go": "package p\n", "z.go": "package p\n\nfunc zebra() {}\n"})
	a, err := f.Search(t.Context(), code.SearchInput{Query: "zebra", Regex: true})
	if err != nil || len(a.Hits) != 1 || !a.Complete {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestFoundNowhere holds that a search without hits counts what it did not look into.
func TestFoundNowhere(t *testing.T) {
	f := tree(t, 0, map[string]string{"a.go": "package p\n", "x.png": "\x89PNG\x00\x00", "b.min.js": "a()", "vendor/x/README.md": "# zebra\n",
		"big.c": strings.Repeat("int a;\n", 700_000), ".git/HEAD": "", ".gitignore": "out/\n", "out/a.go": "package p // zebra\n", "node_modules/x/i.js": "zebra()"})
	a, err := f.Search(t.Context(), code.SearchInput{Query: "zebra", Lexical: true})
	if err != nil {
		t.Fatal(err)
	}
	text, doc := forms(t, a)
	if want := "# not covered: 4 files (binary 1, minified 1, too large 1, vendored 1)"; !strings.Contains(text, want) || !strings.Contains(text, "nothing found") {
		t.Errorf("want %q in\n%s", want, text)
	}
	if want := `"not_covered":{"files":4,"reasons":{"binary":1,"minified":1,"oversize":1,"vendored":1},"ignored":2}`; !strings.Contains(doc, want) {
		t.Errorf("want %s in\n%s", want, doc)
	}
}

// TestForeignSource holds that vendored and generated source is found, and that the
// project's own comes first.
func TestForeignSource(t *testing.T) {
	body := "\n\n// Zebra runs across the field and counts its stripes.\nfunc Zebra() int { return stripes() }\n"
	f := tree(t, 0, map[string]string{"own/zebra.go": "package own" + body, "vendor/x/zebra.go": "package x" + body,
		"api/zebra.gen.go": "// Code generated by x. DO NOT EDIT.\npackage api" + body, "vendor/x/okapi.go": "package x\n\nfunc Okapi() {}\n"})
	first := func(query string, n int) (out []string) {
		t.Helper()
		a, err := f.Search(t.Context(), code.SearchInput{Query: query, Lexical: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits[:min(n, len(a.Hits))] {
			out = append(out, h.Shown())
		}
		return out
	}
	for query, want := range map[string]string{"Zebra": "[own/zebra.go api/zebra.gen.go vendor/x/zebra.go]", "Okapi": "[vendor/x/okapi.go]", "vendored zebra": "[vendor/x/zebra.go"} {
		if got := fmt.Sprint(first(query, 3)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestForeignCrowd holds that a project's own code is looked at however much of the
// tree is not its own.
func TestForeignCrowd(t *testing.T) {
	files := map[string]string{"own/run.go": "package own\n\nfunc zebra() {\n" + strings.Repeat("\tgrass(field, river)\n", 30) + "}\n"}
	for i := range 300 {
		files[fmt.Sprintf("vendor/x/zebra%d.go", i)] = "package x\n\n// zebra zebra\nfunc zebra() {}\n"
	}
	a, err := tree(t, 0, files).Search(t.Context(), code.SearchInput{Query: "zebra", Lexical: true, TopK: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Hits) != 1 || a.Hits[0].Shown() != "own/run.go" {
		t.Errorf("the first hit is %+v", a.Hits)
	}
}
