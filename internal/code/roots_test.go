package code_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
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
			if want := filepath.Base(filepath.Dir(h.Path)); h.Repo != want {
				t.Errorf("%q: a hit of %s is labelled %q", in.Query, want, h.Repo)
			}
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

// What is of one tree is never answered from the first of several.
func TestAskOneOfSeveral(t *testing.T) {
	a, b := folder(t, map[string]string{"a.go": "package a\n"}), folder(t, map[string]string{"b.go": "package b\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: a, Roots: []string{a, b}, Server: true}), code.Config{})
	ask := func(root, path string) (got string, err error) {
		err = f.Workspace().Ask(t.Context(), root, "", path, true, func(e *engine.Engine, _ *engine.View, _ string) error {
			got = e.Root()
			return nil
		})
		return got, err
	}
	for _, path := range []string{"", "Name"} {
		if got, err := ask("", path); fault.KindOf(err) != fault.Usage || got != "" || !strings.Contains(fault.HintOf(err), filepath.Base(a)+", "+filepath.Base(b)) {
			t.Errorf("%q is answered from %q: %v", path, got, err)
		}
	}
	if got, err := ask("", filepath.Join(b, "b.go")); err != nil || got != b {
		t.Errorf("a file of the second is answered from %q: %v", got, err)
	}
	if got, err := ask(b, "Name"); err != nil || got != b {
		t.Errorf("the second by its root is answered from %q: %v", got, err)
	}
}

// Of equals, the first of each repository come before the second of any; and of the lines
// that match a pattern each repository has its share.
func TestFairTurns(t *testing.T) {
	files := func(extra int) map[string]string {
		out := map[string]string{}
		for i := range 4 + extra {
			out[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package p\n\n// Zebra%d.\nfunc Zebra%d() {}\n", i, i)
		}
		return out
	}
	a, b, c := folder(t, files(20)), folder(t, files(0)), folder(t, map[string]string{"none.go": "package none\n"})
	repos := []workspace.Repo{{Name: "many", Root: a}, {Name: "few", Root: b}, {Name: "none", Root: c}}
	f := feature(t, workspace.New(workspace.Config{WorkDir: a, Roots: []string{a, b, c}, Repos: repos, Server: true}), code.Config{})
	got, err := f.Search(t.Context(), code.SearchInput{Query: "func Zebra", Regex: true, TopK: 10})
	if err != nil {
		t.Fatal(err)
	}
	order, n := "", map[string]int{}
	for _, h := range got.Hits {
		order += h.Repo[:1]
		n[h.Repo]++
	}
	if order != "mfmfmfmfmm" {
		t.Errorf("lines of a pattern are in the order %s", order)
	}
	for _, in := range []code.SearchInput{{Query: "func Zebra", Regex: true, TopK: 6}, {Query: "Zebra1", TopK: 6}} {
		in.Trees.Repos = []string{"few"}
		one, err := f.Search(t.Context(), in)
		if err != nil || len(one.Hits) == 0 || one.Root != b {
			t.Fatalf("one by name: %+v, %v", one, err)
		}
		in.Trees.Repos, in.Paths = nil, []string{"f01.go"}
		two, err := f.Search(t.Context(), in)
		if err != nil || len(two.Repos) != 2 || len(two.Hits) < 2 || two.Hits[0].Repo == two.Hits[1].Repo {
			t.Errorf("a path that two have is answered by %v: %v", two.Repos, err)
		}
		for _, h := range two.Hits {
			if filepath.Base(h.Path) != "f01.go" {
				t.Errorf("asked about f01.go, told of %s", h.Path)
			}
		}
	}
	for path, kind := range map[string]fault.Kind{"f99.go": fault.NotFound, filepath.Dir(a): fault.Usage, "../" + filepath.Base(b) + "/f00.go": fault.Usage} {
		if _, err := f.Search(t.Context(), code.SearchInput{Query: "Zebra", Paths: []string{path}}); fault.KindOf(err) != kind {
			t.Errorf("path %s: %v", path, err)
		}
	}
	if _, err := f.Search(t.Context(), code.SearchInput{Query: "Zebra", Trees: workspace.Trees{Repos: []string{"few", "gone"}}}); fault.KindOf(err) != fault.NotFound || !strings.Contains(fault.HintOf(err), "many, few, none") {
		t.Errorf("a repository that is not there: %v", err)
	}
}
