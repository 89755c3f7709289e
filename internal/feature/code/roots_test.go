package code_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/core/engine"
	"github.com/assay-dev/assay/internal/core/workspace"
	"github.com/assay-dev/assay/internal/feature/code"
)

// A server of two folders answers from both, unless a call names one, and its pages
// lose and double nothing; what one folder alone answers says so.
func TestSeveralRoots(t *testing.T) {
	files := func(name string) map[string]string {
		out := map[string]string{}
		for i := range 9 {
			out[fmt.Sprintf("%s%d.go", name, i)] = fmt.Sprintf("package p\n\n// Retry%d of %s retries.\nfunc Retry%d() {}\n", i, name, i)
		}
		return out
	}
	a, b := folder(t, files("alpha")), folder(t, files("beta"))
	f := feature(t, workspace.New(workspace.Config{WorkDir: a, Roots: []string{a, b}, Server: true}), code.Config{})
	for _, in := range []code.SearchInput{{Query: "retry retries", TopK: 15}, {Query: "[rR]etr", Regex: true, TopK: 40}, {Query: "beta retries", TopK: 15}} {
		whole, err := f.Search(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(in.TopK, 36); len(whole.Hits) != want && len(whole.Hits) != 15 {
			t.Errorf("%q: %d hits, want %d", in.Query, len(whole.Hits), want)
		}
		from := map[string]int{}
		for i, h := range whole.Hits {
			from[filepath.Dir(h.Path)]++
			if i > 0 && h.Score > whole.Hits[i-1].Score {
				t.Errorf("%q: hit %d scores more than the one before", in.Query, i)
			}
		}
		if from[a] == 0 || from[b] == 0 || len(whole.Roots) != 2 {
			t.Errorf("%q is answered from %v, roots %v", in.Query, from, whole.Roots)
		}
		if said, _ := printed(t, whole); !strings.Contains(said, filepath.Join(a, "alpha")) || !strings.Contains(said, filepath.Join(b, "beta")) {
			t.Errorf("%q is not labelled:\n%s", in.Query, said)
		}
		var got, want []string
		for _, h := range whole.Hits {
			want = append(want, fmt.Sprint(h.Path, h.Span))
		}
		for in.PageSize = 4; ; {
			page, err := f.Search(context.Background(), in)
			if err != nil {
				t.Fatal(err, fault.HintOf(err))
			}
			if page.Pagination.Available != len(want) {
				t.Errorf("%q: a page of %d hits, want %d", in.Query, page.Pagination.Available, len(want))
			}
			for _, h := range page.Hits {
				got = append(got, fmt.Sprint(h.Path, h.Span))
			}
			if !page.Pagination.HasMore {
				break
			}
			in = code.SearchInput{Query: in.Query, Cursor: page.Pagination.Cursor}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q in pages:\n%s\nwant\n%s", in.Query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	one, err := f.Search(context.Background(), code.SearchInput{Query: "retries", Paths: []string{b}})
	if err != nil || one.Root != b || one.Roots != nil {
		t.Errorf("a path in the second root is answered from %s, %v: %v", one.Root, one.Roots, err)
	}
	none, err := f.Search(context.Background(), code.SearchInput{Query: "zebra"})
	if err != nil || len(none.Hits) > 0 || !strings.Contains(strings.Join(none.Notes, " "), a) || !strings.Contains(strings.Join(none.Notes, " "), b) {
		t.Errorf("nothing anywhere: %+v, %v", none, err)
	}
}

func TestAskEachRoot(t *testing.T) {
	a, b := folder(t, map[string]string{"a.go": "package a\n"}), folder(t, map[string]string{"b.go": "package b\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: a, Roots: []string{a, b}, Server: true}), code.Config{})
	for _, tc := range []struct{ path, in, want, note string }{
		{"", "", a, "answered from " + a + " alone; " + b}, {"Name", b, b, "answered from " + b + " alone; " + a}, {filepath.Join(b, "b.go"), "", b, ""},
	} {
		got, said := "", ""
		ctx := progress.With(context.Background(), progress.Report{Note: func(format string, args ...any) { said += fmt.Sprintf(format, args...) }})
		err := f.Workspace().Ask(ctx, "", "", tc.path, true, func(e *engine.Engine, _ *engine.View, _ string) error {
			if got = e.Root(); tc.in != "" && got != tc.in {
				return fault.New(fault.NotFound, "nothing here")
			}
			return nil
		})
		if err != nil || got != tc.want || !strings.Contains(said, tc.note) || tc.note == "" && said != "" {
			t.Errorf("%q is answered from %s with %q: %v", tc.path, got, said, err)
		}
	}
	if err := f.Workspace().Ask(context.Background(), "", "", "Name", true, func(*engine.Engine, *engine.View, string) error { return fault.New(fault.NotFound, "nowhere") }); err == nil {
		t.Error("what no root has is found")
	}
}
