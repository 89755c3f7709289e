package code_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// folder writes files, by their paths, and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func feature(t *testing.T, trees *workspace.Workspace, cfg code.Config) *code.Feature {
	t.Helper()
	f := code.New(trees, cfg)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// Whatever the pages are cut to, they are the one answer in parts: of the same
// total, which is at most top_k, with no hit lost, doubled or in another place.
func TestPages(t *testing.T) {
	files := map[string]string{}
	for i := range 24 {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("package d\n\n// Retry%d retries a request.\nfunc Retry%d() {\n%s}\n", i, i, strings.Repeat("\trequest()\n", i%3))
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files)}), code.Config{})
	at := func(a *code.SearchAnswer) (out []string) {
		for _, h := range a.Hits {
			out = append(out, fmt.Sprintf("%s:%d", h.Path, h.Span.LineStart))
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		in := code.SearchInput{Query: "retry request", TopK: rapid.SampledFrom([]int{0, 1, 2, 7, 12, 20, 100}).Draw(t, "top"),
			Lexical: rapid.Bool().Draw(t, "lexical"), Regex: rapid.Bool().Draw(t, "regex")}
		if in.Regex {
			in.Query, in.Lexical = "[Rr]equest", false
		}
		whole := in
		if whole.TopK == 0 && !in.Regex {
			whole.TopK = 1000 // what pages without an end reach
		}
		want, err := f.Search(context.Background(), whole)
		if err != nil {
			t.Fatal(err)
		}
		in.PageSize = rapid.SampledFrom([]int{2, 5, 12, 50, 1000}).Draw(t, "size")
		in.Budget = new(rapid.SampledFrom([]int{0, 60, 300, 2000}).Draw(t, "budget"))
		var got []string
		for page := 0; ; page++ {
			a, err := f.Search(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			if a.Pagination.Available != want.Pagination.Available {
				t.Fatalf("page %d is of %d hits, the answer in one of %d", page, a.Pagination.Available, want.Pagination.Available)
			}
			if n := len(a.Hits); n == 0 || n > in.PageSize {
				t.Fatalf("page %d has %d hits", page, n)
			}
			got = append(got, at(a)...)
			if !a.Pagination.HasMore {
				break
			}
			in = code.SearchInput{Query: in.Query, Cursor: a.Pagination.Cursor, PageSize: in.PageSize}
		}
		if w := at(want); strings.Join(got, " ") != strings.Join(w, " ") {
			t.Fatalf("the pages are\n%s\nthe answer in one\n%s", strings.Join(got, "\n"), strings.Join(w, "\n"))
		}
		if len(got) != want.Pagination.Available || whole.TopK > 0 && len(got) > whole.TopK {
			t.Fatalf("%d hits of %d, top_k %d", len(got), want.Pagination.Available, whole.TopK)
		}
	})
}

// An answer that its budget cut, without pages, ends at its own top_k too.
func TestCursorEndsAtTopK(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package d\n\n// Retry%d retries.\nfunc Retry%d() {}\n", i, i)
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files)}), code.Config{})
	in, n := code.SearchInput{Query: "retry", Lexical: true, Budget: new(100)}, 0
	for {
		a, err := f.Search(context.Background(), in)
		if err != nil {
			t.Fatal(err, fault.HintOf(err))
		}
		if n += len(a.Hits); a.Pagination.Available != code.DefaultTop {
			t.Fatalf("available %d, want %d", a.Pagination.Available, code.DefaultTop)
		}
		if !a.Pagination.HasMore {
			break
		}
		in = code.SearchInput{Cursor: a.Pagination.Cursor}
	}
	if n != code.DefaultTop {
		t.Errorf("the pages had %d hits, want %d", n, code.DefaultTop)
	}
}
