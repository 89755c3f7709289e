package code_test

import (
	"context"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A cursor of a question about a file goes on with that file, and with none of the same
// name but for what is not UTF-8.
func TestCursorOfAnyName(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, map[string]string{"a\xe9.go": "package a\n\nvar one, two = 1, 2\n", "a\xe8.go": "package b\n", "a\uFFFD.go": "package c\n"})}), code.Config{})
	in := code.SearchInput{Query: ".", Regex: true, PageSize: 1, Paths: []string{"a\xe9.go"}}
	for page, want := range []string{"package a", "var one, two = 1, 2"} {
		a, err := f.Search(context.Background(), in)
		if err != nil || len(a.Hits) != 1 || a.Hits[0].Snippet != want {
			t.Fatalf("page %d: %+v, %v; want %q", page, a, err, want)
		}
		in = code.SearchInput{Cursor: a.Pagination.Cursor}
	}
}
