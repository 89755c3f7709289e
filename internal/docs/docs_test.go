package docs

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// tree writes files and returns their folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lib")
	write(t, dir, files)
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func feature(t *testing.T, dir string) *Feature {
	t.Helper()
	f := New(Config{WorkDir: dir, DB: filepath.Join(t.TempDir(), "sub", "docs.db"), Temp: t.TempDir(), Now: func() time.Time { return time.Unix(1e9, 0) }})
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestPages(t *testing.T) {
	const rst = "Title\n=====\n\n.. note:: x\n"
	all := map[string]string{
		"README.md": "# L", "CHANGELOG.md": "x", "LICENSE.md": "x", "CONTRIBUTING.md": "x", "SECURITY.md": "x", "README.zh-CN.md": "x", ".github/x.md": "x",
		"docs/guide.md": "x", "docs/security.md": "x", "docs/api/index.mdx": "x", "docs/ref.rst": rst, "docs/topics/db.txt": rst, "docs/requirements.txt": "a==1", "docs/words.txt": "one two",
		"docs/ja/guide.md": "x", "docs/pt-br/guide.md": "x", "docs/en/guide.md": "x", "docs/is/guide.md": "x", "i18n/de/docs/guide.md": "x", "docs/legacy/old.md": "x", "archive/old.md": "x",
		"docs/index.html": "<h1>x</h1>", "docs/note.ipynb": `{"cells":[]}`, "docs/manual.adoc": "= x", "docs/more.rdoc": "= x", "History.rdoc": "=== 1.0\n\n* x\n",
		"node_modules/x/README.md": "x", "test/fixtures/page.md": "x", "src/main.go": "package main", "tools.txt": rst,
	}
	dir := tree(t, all)
	src, err := source.Open(context.Background(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for _, tc := range []struct {
		name             string
		include, exclude []string
		wide             bool
		want             string
	}{
		{"by default", nil, nil, false, "CHANGELOG.md History.rdoc README.md docs/api/index.mdx docs/en/guide.md docs/guide.md docs/is/guide.md docs/manual.adoc docs/more.rdoc docs/note.ipynb docs/ref.rst docs/security.md docs/topics/db.txt"},
		{"a folder", []string{"docs/api"}, nil, false, "docs/api/index.mdx"},
		{"a file that is left out by default", []string{"LICENSE.md"}, nil, false, "LICENSE.md"},
		{"a folder that is left out by default", []string{"docs/legacy/**"}, nil, false, "docs/legacy/old.md"},
		{"a translation by name", []string{"docs/ja/*.md"}, nil, false, "docs/ja/guide.md"},
		{"one kind", []string{"**/*.rst", "docs/**/*.txt"}, []string{"**/words.txt", "docs/requirements.txt"}, false, "docs/ref.rst docs/topics/db.txt"},
		{"braces", []string{"docs/{api,en}/**"}, nil, false, "docs/api/index.mdx docs/en/guide.md"},
		{"HTML when asked for", []string{"docs/*.html"}, nil, false, "docs/index.html"},
		{"what is excluded", []string{"docs"}, []string{"docs/{api,en,is,topics}", "**/*.{rst,rdoc,adoc,ipynb,html,txt}"}, false, "docs/guide.md docs/security.md"},
		{"folders that a project names", []string{"docs/api"}, nil, true, "CHANGELOG.md History.rdoc README.md docs/api/index.mdx"},
		{"nothing", []string{"none/**"}, nil, false, ""},
	} {
		sel, err := newSelection(tc.include, tc.exclude)
		if err != nil {
			t.Fatal(err)
		}
		sel.wide = tc.wide
		got, err := sel.pages(context.Background(), src)
		if err != nil || strings.Join(got.paths, " ") != tc.want {
			t.Errorf("%s: %v, %v\nwant %s", tc.name, got.paths, err, tc.want)
		}
	}
	for _, g := range []string{"/etc/*", "../x", "a/../../b", "["} {
		if _, err := newSelection([]string{g}, nil); fault.KindOf(err) != fault.Usage {
			t.Errorf("the glob %q is taken: %v", g, err)
		}
	}
}

// TestDeepFolders holds that folders are looked into only so deep, and that a person is
// told of the others: to open a file takes longer the deeper it is.
func TestDeepFolders(t *testing.T) {
	deep := strings.Repeat("d/", 300)
	dir := tree(t, map[string]string{deep[:2*source.MaxDepth] + "in.md": "# In\n\nText.", deep + "out.md": "# Out\n\nText.", deep[:20] + "near.md": "# Near\n\nText."})
	var notes []string
	ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
	f := feature(t, dir)
	got, err := f.Preview(ctx, PreviewInput{Where: Where{Source: dir}})
	if err != nil || got.Library.Pages != 2 {
		t.Fatalf("%+v, %v, want 2 pages", got, err)
	}
	const note = "1 folder omitted: more than 100 levels deep"
	if !slices.Contains(notes, note) {
		t.Errorf("notes %q, want %q", notes, note)
	}
	notes = nil
	dir = tree(t, map[string]string{deep + "out.md": "# Out"})
	if _, err := f.Preview(ctx, PreviewInput{Where: Where{Source: dir}}); fault.KindOf(err) != fault.NotFound || !slices.Contains(notes, note) {
		t.Errorf("%v, notes %q", err, notes)
	}
}

func TestHTMLWhereThereIsLittleElse(t *testing.T) {
	dir := tree(t, map[string]string{"README.md": "# x", "html/a.html": "<p>a", "html/b.html": "<p>b", "html/genindex.html": "<p>i", "html/_sources/a.rst.txt": "A\n===\n", "html/_static/x.html": "x"})
	src, err := source.Open(context.Background(), dir, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var sel selection
	got, err := sel.pages(context.Background(), src)
	if want := []string{"README.md", "html/a.html", "html/b.html"}; err != nil || !slices.Equal(got.paths, want) {
		t.Errorf("%v, %v, want %v", got.paths, err, want)
	}
}

func ask(t *testing.T, f *Feature, id, query string) string {
	t.Helper()
	a, err := f.Query(context.Background(), QueryInput{ID: id, Query: query})
	if err != nil {
		return "error: " + err.Error()
	}
	var b bytes.Buffer
	if err := a.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Who replaces what another source gave is told so, and no one else.
func TestReplacesAnotherSource(t *testing.T) {
	dir := tree(t, map[string]string{"a/x.md": "# Alpha\n\nThe valve.", "b/x.md": "# Beta\n\nThe pump."})
	f := feature(t, dir)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, tc := range []struct{ source, id, version, want string }{
		{a, "/org/lib", "", ""},
		{a, "/org/lib", "", ""}, // the same again
		{b, "/org/other", "", ""},
		{b, "/org/lib", "2", ""},
		{b, "/org/lib", "", "/org/lib/latest was read from " + a + " before, which it replaces; --id or --version keeps both"},
		{b, "/org/lib", "", ""},
		{a, "/org/lib", "2", "/org/lib/2 was read from " + b + " before, which it replaces; --id or --version keeps both"},
	} {
		var notes []string
		ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
		if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: tc.source, ID: tc.id, Version: tc.version}}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(notes, "\n"); got != tc.want {
			t.Errorf("%s as %s %s: %q, want %q", tc.source, tc.id, tc.version, got, tc.want)
		}
	}
}

func TestIngestRefresh(t *testing.T) {
	ctx := context.Background()
	dir := tree(t, map[string]string{
		"context7.json": `{"projectTitle":"The Lib","description":"It libs.","folders":["docs"],"excludeFiles":["draft.md"],"rules":["Use it."]}`,
		"package.json":  `{"name":"thelib"}`,
		"docs/a.md":     "# Alpha\n\nThe alpha valve opens.\n",
		"docs/b.md":     "# Beta\n\n{* ../src/beta.py *}\n\nThe beta pump.\n",
		"docs/draft.md": "# Draft\n\nNot this.\n",
		"src/beta.py":   "speed = 'slow'\n",
		"other/x.md":    "# Other\n\nNot this either.\n",
	})
	f := feature(t, dir)
	in := IngestInput{Where: Where{Source: dir, ID: "/org/lib"}}
	done, err := f.Ingest(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	lib := done.Libraries[0]
	if lib.Title != "The Lib" || lib.Description != "It libs." || lib.Pages != 2 || lib.Version != "latest" || !slices.Equal(lib.Aliases, []string{"thelib"}) || !slices.Equal(lib.Rules, []string{"Use it."}) {
		t.Errorf("ingested %+v", lib)
	}
	if got := ask(t, f, "/org/lib", "alpha valve"); !strings.Contains(got, "The alpha valve opens.") {
		t.Errorf("answer %q", got)
	}
	if got := ask(t, f, "/org/lib", "beta pump speed"); !strings.Contains(got, "slow") {
		t.Errorf("an included file is not there: %q", got)
	}
	refresh := func(want string, kept, read int) {
		t.Helper()
		r, err := f.Refresh(ctx, RefreshInput{ID: "/org/lib"})
		if err != nil {
			t.Fatal(err)
		}
		if d := r.Libraries[0]; d.Kept != kept || d.Read != read {
			t.Errorf("kept %d and read %d pages, want %d and %d", d.Kept, d.Read, kept, read)
		}
		if got := ask(t, f, "/org/lib", "beta pump speed alpha valve"); !strings.Contains(got, want) {
			t.Errorf("after a refresh: %q, want %q", got, want)
		}
	}
	refresh("slow", 1, 1) // what includes is read again: nobody knows whether the other file changed
	write(t, dir, map[string]string{"src/beta.py": "speed = 'quick'\n"})
	refresh("quick", 1, 1)
	write(t, dir, map[string]string{"docs/a.md": "# Alpha\n\nThe alpha valve closes.\n"})
	refresh("closes", 0, 2)
	if err := os.Remove(filepath.Join(dir, "docs", "b.md")); err != nil {
		t.Fatal(err)
	}
	refresh("closes", 1, 0)
	if got := ask(t, f, "/org/lib", "beta pump"); strings.Contains(got, "beta pump") {
		t.Errorf("a page that is gone still answers: %q", got)
	}
	// A failed ingest leaves what was there.
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/org/lib", Include: []string{"none/*.md"}}}); fault.KindOf(err) != fault.NotFound || fault.HintOf(err) == "" {
		t.Errorf("an ingest of nothing: %v", err)
	}
	if got := ask(t, f, "/org/lib", "alpha"); !strings.Contains(got, "closes") {
		t.Errorf("after a failed ingest: %q", got)
	}
}

// A repository is asked whether it moved, but not where it is to be read again in any case.
func TestUnchanged(t *testing.T) {
	f := feature(t, t.TempDir())
	j := &job{in: IngestInput{Where: Where{Source: "https://127.0.0.1:1/a/b.git"}, Quiet: true}}
	l := library.Library{Commit: "0123456789", Ref: "main"}
	if same, err := f.unchanged(t.Context(), &l, j); same || err == nil {
		t.Errorf("a repository that is out of reach: %v, %v", same, err)
	}
	l.ByWords = true
	if same, err := f.unchanged(t.Context(), &l, j); same || err != nil {
		t.Errorf("with vectors of another model: %v, %v", same, err)
	}
}

func TestVersions(t *testing.T) {
	ctx := context.Background()
	dir := tree(t, map[string]string{"a.md": "# A\n\nfirst words\n"})
	f := feature(t, dir)
	for version, text := range map[string]string{"1.0.0": "one", "2.1.0": "two"} {
		write(t, dir, map[string]string{"a.md": "# A\n\n" + text + " words\n"})
		if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "org/lib", Version: version}}); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]string{
		"/org/lib": "two words", "/org/lib/1.0.0": "one words", "/org/lib@2.1.0": "two words", "/org/lib@1.9.0": "one words",
		"/org/lib@0.1.0": "error: no version", "/org/none": "error: no library /org/none",
	} {
		if got := ask(t, f, id, "words"); !strings.Contains(got, want) {
			t.Errorf("%s answers %q, want %q", id, got, want)
		}
	}
	if _, err := f.Remove(ctx, RemoveInput{ID: "/org/lib", Version: "2.1.0"}); err != nil {
		t.Error(err)
	}
	if got := ask(t, f, "/org/lib", "words"); !strings.Contains(got, "one words") {
		t.Errorf("after a removal: %q", got)
	}
	_, err := f.Remove(ctx, RemoveInput{ID: "/org/none"})
	if fix := fault.FixOf(err); fault.KindOf(err) != fault.NotFound || fix == nil || fix.Op != "docs resolve" || fix.Args[0].Value != "none" {
		t.Errorf("removing what is not there: %v, fix %+v", err, fix)
	}
}

func TestExportImport(t *testing.T) {
	ctx := context.Background()
	dir := tree(t, map[string]string{"a.md": "# A\n\nsome words\n"})
	f, g := feature(t, dir), feature(t, dir)
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/org/lib"}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "lib.db")
	if _, err := f.Export(ctx, ExportInput{ID: "/org/lib", Out: file}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Export(ctx, ExportInput{ID: "/org/lib", Out: f.cfg.DB}); fault.KindOf(err) != fault.Usage {
		t.Errorf("an export onto itself: %v", err)
	}
	if _, err := f.Export(ctx, ExportInput{ID: "/org/lib", Out: dir}); fault.KindOf(err) != fault.Usage {
		t.Errorf("an export onto a folder: %v", err)
	}
	if _, err := g.Import(ctx, ImportInput{Path: "lib.db"}); err != nil {
		t.Fatal(err)
	}
	a, _ := f.List(ctx, ListInput{})
	b, _ := g.List(ctx, ListInput{})
	// How it was read is not taken over, and is under the checksum.
	if b.Libraries[0].Checksum == a.Libraries[0].Checksum {
		t.Error("the copy says that it was read here")
	}
	b.Libraries[0].Checksum = a.Libraries[0].Checksum
	if diff := cmp.Diff(a.Libraries, b.Libraries); diff != "" {
		t.Error(diff)
	}
	if got := ask(t, g, "/org/lib", "words"); !strings.Contains(got, "some words") {
		t.Errorf("the copy answers %q", got)
	}
}

// The last of two that write at once leaves one file; the first has kept its own.
func TestClosedWhileOthersWrite(t *testing.T) {
	ctx := context.Background()
	if err := closed(ctx, "docs.db", fmt.Errorf("close docs.db: %w", store.ErrShared)); err != nil {
		t.Errorf("closed beside another writer: %v, want no error", err)
	}
	full := errors.New("disk full")
	if err := closed(ctx, "docs.db", full); !errors.Is(err, full) {
		t.Errorf("closed = %v, want %v", err, full)
	}
}

func TestUnwritable(t *testing.T) {
	err := unwritable("docs.db", fmt.Errorf("write: %w", syscall.ENOSPC))
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(fault.HintOf(err), "free some space") {
		t.Errorf("a full disk: %v of kind %d, hint %q", err, fault.KindOf(err), fault.HintOf(err))
	}
	for _, err := range []error{nil, errors.New("no such page")} {
		if got := unwritable("docs.db", err); got != err {
			t.Errorf("unwritable(%v) = %v, want the same", err, got)
		}
	}
}

func TestServer(t *testing.T) {
	ctx := context.Background()
	dir := tree(t, map[string]string{"a.md": "# A\n\nsome words\n"})
	w := feature(t, dir)
	s := New(Config{WorkDir: dir, DB: w.cfg.DB, Server: true})
	defer s.Close()
	r, err := s.Resolve(ctx, ResolveInput{Name: "lib"})
	if err != nil || len(r.Libraries) != 0 {
		t.Errorf("a server without a file: %v, %v", r, err)
	}
	if _, err := s.Query(ctx, QueryInput{ID: "/org/lib", Query: "words"}); err == nil {
		t.Error("a server without a file answers")
	} else if text, ok := Say(err); !ok || text != library.NoLibrary {
		t.Errorf("a server without a file says %q, %v", text, ok)
	}
	if _, err := w.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/org/lib"}}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "/org/lib", "words"); !strings.Contains(got, "some words") {
		t.Errorf("after an ingest by another: %q", got)
	}
	write(t, dir, map[string]string{"a.md": "# A\n\nother words\n"})
	if _, err := w.Refresh(ctx, RefreshInput{ID: "/org/lib"}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "/org/lib", "words"); !strings.Contains(got, "other words") {
		t.Errorf("after a refresh by another: %q", got)
	}
	if _, err := s.Remove(ctx, RemoveInput{ID: "/org/lib"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a server removes: %v", err)
	}
	if _, err := s.Query(ctx, QueryInput{ID: "/org/none", Query: "words"}); err == nil {
		t.Error("an unknown library answers")
	} else if text, ok := Say(err); !ok || text != library.NoLibrary {
		t.Errorf("an unknown library: %q, %v", text, ok)
	}
}

// Two files: both are asked, the first that knows the library answers.
func TestSeveralFiles(t *testing.T) {
	ctx := context.Background()
	var dbs []string
	for _, name := range []string{"one", "two"} {
		dir := tree(t, map[string]string{"a.md": "# A\n\nwords of " + name + "\n"})
		f := feature(t, dir)
		if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/org/" + name}}); err != nil {
			t.Fatal(err)
		}
		dbs = append(dbs, f.cfg.DB)
	}
	s := New(Config{DBs: dbs, Server: true})
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if got := ask(t, s, "/org/"+name, "words"); !strings.Contains(got, "words of "+name) {
			t.Errorf("/org/%s answers %q", name, got)
		}
	}
	if r, err := s.Resolve(ctx, ResolveInput{Name: "one"}); err != nil || len(r.Libraries) != 1 {
		t.Errorf("resolve: %v, %v", r, err)
	}
	gone := New(Config{DBs: []string{filepath.Join(t.TempDir(), "none.db")}, Server: true})
	defer gone.Close()
	if err := gone.Check(ctx); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestPresets(t *testing.T) {
	all, err := presets()
	if err != nil || len(all) < 20 {
		t.Fatalf("%d presets, %v", len(all), err)
	}
	names := map[string]string{}
	for i := range all {
		p := &all[i]
		for _, n := range append([]string{p.Name, p.ID}, p.Aliases...) {
			n = strings.ToLower(n)
			if names[n] != "" && names[n] != p.Name {
				t.Errorf("%s and %s are both called %s", p.Name, names[n], n)
			}
			names[n] = p.Name
		}
		if p.Title == "" || p.Description == "" || !source.IsGit(p.Repo, t.TempDir()) || !strings.HasPrefix(p.ID, "/") || p.Trust <= 0 || p.Trust > 10 || len(p.Include) == 0 {
			t.Errorf("preset %+v lacks something", p)
		}
		for _, g := range [][]string{p.Include, p.Exclude, p.Paths} {
			if _, err := newSelection(g, nil); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		if p.Tag != "" && fill(p.Tag, "v1.2.3") == p.Tag {
			t.Errorf("%s: the tag %s has no place for a version", p.Name, p.Tag)
		}
	}
	for _, tc := range []struct{ preset, version, ref, include string }{
		{"nextjs", "v16.0.0", "v16.0.0", "docs/**/*.mdx"},
		{"sqlalchemy", "2.0.52", "rel_2_0_52", "doc/build/**/*.rst"},
		{"svelte", "5.1.0", "svelte@5.1.0", "documentation/docs/**/*.md"},
		{"express", "4.21.2", "", "src/content/docs/en/4x/**"},
		{"express", "", "", "src/content/docs/en/5x/**"},
		{"react", "19", "", "src/content/**/*.md"},
		{"tailwindcss", "3.4.1", "v3", "src/docs/**/*.mdx"},
	} {
		p, err := presetOf(tc.preset)
		if err != nil {
			t.Fatal(err)
		}
		in := Where{Version: tc.version}
		p.apply(&in)
		if in.Ref != tc.ref || in.Include[0] != tc.include {
			t.Errorf("%s %s reads %s at %q, want %s at %q", tc.preset, tc.version, in.Include[0], in.Ref, tc.include, tc.ref)
		}
	}
	if _, err := presetOf("reakt"); fault.KindOf(err) != fault.NotFound || !strings.Contains(fault.HintOf(err), "react") {
		t.Errorf("an unknown preset: %v", err)
	}
}

func TestContext7(t *testing.T) {
	c := context7{Folders: []string{"docs/", "./api", "a/b", "..", ""}, ExcludeFolders: []string{"old", "./x"}, ExcludeFiles: []string{"CHANGES.md"}}
	if diff := cmp.Diff([]string{"**/docs", "api", "a/b"}, c.include()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"**/old", "x", "**/CHANGES.md"}, c.exclude()); diff != "" {
		t.Error(diff)
	}
	dir := tree(t, map[string]string{"context7.json": "{", "a.md": "# A\n\nsome words\n"})
	var notes []string
	ctx := work.With(context.Background(), work.Report{Note: func(format string, args ...any) { notes = append(notes, format) }})
	if _, err := feature(t, dir).Ingest(ctx, IngestInput{Where: Where{Source: dir}}); err != nil || len(notes) != 1 {
		t.Errorf("a broken context7.json: %v, notes %v", err, notes)
	}
	// One field that is none of its kind does not take the others along.
	for text, want := range map[string]string{
		`{"rules":"Use it.","projectTitle":"It"}`: "context7.json of the source: rules is not read, it must be a list of texts",
		`{"rules":["Use it."],"projectTitle":7}`:  "context7.json of the source: projectTitle is not read, it must be a text",
		`[]`:                                      "context7.json of the source is not read: it is no object",
	} {
		c, note := readContext7(fstest.MapFS{"context7.json": {Data: []byte(text)}})
		if note != want || (c.Title == "It") != (len(c.Rules) == 0 && text != "[]") {
			t.Errorf("%s: %+v, %q", text, c, note)
		}
	}
}

func TestAutodoc(t *testing.T) {
	dir := tree(t, map[string]string{
		"docs/api.rst":    "API\n===\n\n.. autofunction:: lib.core.run\n",
		"lib/__init__.py": "from .core import run\n",
		"lib/core.py":     "def run(x):\n    \"\"\"Spin the flywheel.\"\"\"\n",
	})
	f := feature(t, dir)
	if _, err := f.Ingest(context.Background(), IngestInput{Where: Where{Source: dir, ID: "/org/lib"}}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, f, "/org/lib", "flywheel"); !strings.Contains(got, "Spin the flywheel.") {
		t.Errorf("answer %q", got)
	}
}

// An archive with more pages than are read is refused before it is unpacked, and one
// that is narrowed, or says itself where its pages are, is not.
func TestTooManyPages(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "lib.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for i := range maxPages + 1 {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("lib/p/%d.md", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	f := feature(t, dir)
	unpacked := false
	say := func(stage string, _, _ int64) { unpacked = unpacked || strings.HasPrefix(stage, "Looking for pages") }
	_, err = f.Ingest(work.With(t.Context(), work.Report{Progress: say}), IngestInput{Where: Where{Source: "lib.zip", ID: "/a/b"}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "100001 of its files are pages, more than 100000") || unpacked {
		t.Errorf("%v, unpacked %v", err, unpacked)
	}
	if left, _ := os.ReadDir(f.cfg.Temp); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	paths := []string{"context7.json"}
	for i := range maxPages + 1 {
		paths = append(paths, fmt.Sprintf("p/%d.md", i))
	}
	for name, w := range map[string]struct {
		in   Where
		want bool
	}{"context7.json": {Where{}, false}, "include": {Where{Include: []string{"docs"}}, false},
		"exclude": {Where{Exclude: []string{"p"}, Include: []string{"**"}}, false}, "all": {Where{Include: []string{"p"}}, true}} {
		if err := tooMany(w.in, paths); (err != nil) != w.want {
			t.Errorf("%s: %v, want an error: %v", name, err, w.want)
		}
	}
}

// Pages in UTF-16 are read as what they say, whatever their format.
func TestUTF16(t *testing.T) {
	encode := func(s string, big bool) string {
		out := []byte{}
		for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
			if big {
				out = append(out, byte(u>>8), byte(u))
			} else {
				out = append(out, byte(u), byte(u>>8))
			}
		}
		return string(out)
	}
	dir := tree(t, map[string]string{
		"docs/a.md":      encode("# Grüße\n\nThe walrus is routed north.\n\n```go\nroute()\n```\n", false),
		"docs/b.rst":     encode("Otter\n=====\n\nThe otter is compiled twice.\n", true),
		"docs/c.adoc":    encode("= Heron\n\nThe heron is cached for ever.\n", false),
		"docs/topic.txt": encode("Lynx\n====\n\n.. note:: The lynx is optional.\n", true),
	})
	f := feature(t, dir)
	if _, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: dir, ID: "/a/b"}}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"walrus routed": "The walrus is routed north.", "Grüße": "Grüße", "otter compiled": "The otter is compiled twice.", "heron cached": "The heron is cached for ever.", "lynx optional": "The lynx is optional."} {
		if got := ask(t, f, "/a/b", query); !strings.Contains(got, want) || strings.Contains(got, "\x00") {
			t.Errorf("%s: %.300q", query, got)
		}
	}
}

// The sources of examples are read as guides, and those of their tests not.
func TestExamples(t *testing.T) {
	dir := tree(t, map[string]string{
		"README.md": "# Lib\n\nSends requests.\n", "lib.py": "def send():\n    \"\"\"Send a request.\"\"\"\n",
		"examples/chat/main.py": "# Chat over sockets between browsers.\n\nimport lib\n\nlib.send()\n", "examples/chat/test_main.py": "import lib  # chat over sockets tested\n",
	})
	f := feature(t, dir)
	tests := []struct {
		name  string
		noAPI bool
		want  string
	}{
		{"with the reference", false, "### Example: chat\n\nSource: examples/chat/main.py\n\nChat over sockets between browsers.\n\n```python\nimport lib\n\nlib.send()\n```"},
		{"pages alone", true, "### Lib\n\nSource: README.md#lib\n\nSends requests."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: dir, ID: "/a/lib", NoAPI: tt.noAPI}}); err != nil {
				t.Fatal(err)
			}
			got := ask(t, f, "/a/lib", "how to chat over sockets and send requests")
			if !strings.Contains(got, tt.want) || strings.Contains(got, "tested") || tt.noAPI && strings.Contains(got, "Example") {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The public declarations of a tree are part of its documentation, each found by its name;
// a refresh reads again what changed, and --no-api leaves them out.
func TestAPIReference(t *testing.T) {
	dir := tree(t, map[string]string{
		"README.md":   "# Lib\n\nA page that says how requests are sent.\n",
		"session.py":  "class Session:\n    '''Keeps connections.'''\n    def get(self, url, timeout=None):\n        '''Send a GET request.'''\n",
		"test_it.py":  "def test_get(): pass\n",
		"empty.py":    "import os\n",
		"types.d.ts":  "/** Options of a call. */\nexport interface Options { timeout?: number }\n",
		"types.js":    "/** Options again. */\nexports.Options = class Options {}\n",
		"big/main.go": "package main\n\n// Run runs.\nfunc Run() {}\n",
	})
	f := feature(t, dir)
	in := IngestInput{Where: Where{Source: dir, ID: "/a/lib"}}
	got, err := f.Ingest(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if d := got.Libraries[0]; d.Pages != 3 || d.Sources != 2 || d.Snippets != 4 || !strings.Contains(d.line(), "Indexed 4 snippets from 1 page and 2 source files") {
		t.Errorf("%+v: %s", d, d.line())
	}
	if s := ask(t, f, "/a/lib", "Session.get signature"); !strings.HasPrefix(s, "### Session.get\n\nSource: session.py#L3\n\n```python\ndef get(self, url, timeout=None):\n```\n\nSend a GET request.") {
		t.Errorf("it says %s", s)
	}
	write(t, dir, map[string]string{"session.py": "class Session:\n    '''Keeps connections.'''\n    def fetch(self, url):\n        '''Fetch it.'''\n"})
	again, err := f.Refresh(t.Context(), RefreshInput{ID: "/a/lib"})
	if err != nil || again.Libraries[0].Kept != 2 || again.Libraries[0].Sources != 2 {
		t.Errorf("%+v, %v", again, err)
	}
	if s := ask(t, f, "/a/lib", "Session.fetch"); !strings.HasPrefix(s, "### Session.fetch\n") {
		t.Errorf("after a refresh: %s", s)
	}
	in.NoAPI = true
	if got, err = f.Ingest(t.Context(), in); err != nil || got.Libraries[0].Pages != 1 || got.Libraries[0].Sources != 0 {
		t.Errorf("without an API reference: %+v, %v", got, err)
	}
}

// TestPage holds that a page is read whole and in its order, and only as far as the tokens go.
func TestPage(t *testing.T) {
	f := feature(t, tree(t, nil))
	long := "# Guide\n\n## First\n\nAlpha.\n\n## Second\n\n" + strings.Repeat("All is well here. ", 200) + "\n\n## Third\n\nGamma.\n"
	source := tree(t, map[string]string{"guide.md": long, "other.md": "# Other\n\nDelta.\n"})
	if _, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: source, ID: "/acme/retry"}}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		in       QueryInput
		want     []string // in their order
		without  string
		notFound bool
	}{
		{"whole", QueryInput{ID: "/acme/retry", Page: "guide.md", Tokens: 20000}, []string{"Alpha.", "All is well", "Gamma."}, "Delta.", false},
		{"what fits", QueryInput{ID: "/acme/retry", Page: "guide.md", Tokens: 100}, []string{"of this page did not fit", "Alpha."}, "Gamma.", false},
		{"no such page", QueryInput{ID: "/acme/retry", Page: "absent.md", Tokens: 100}, nil, "", true},
		{"no such library", QueryInput{ID: "/acme/absent", Page: "guide.md", Tokens: 100}, nil, "", true},
		{"a word is no library", QueryInput{ID: "retry", Page: "guide.md", Tokens: 100}, nil, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Query(t.Context(), tt.in)
			if tt.notFound {
				if fault.KindOf(err) != fault.NotFound {
					t.Errorf("error %v, want not found", err)
				}
				return
			}
			var b strings.Builder
			if err := errors.Join(err, a.WriteText(&b, false)); err != nil {
				t.Fatal(err)
			}
			rest := b.String()
			for _, want := range tt.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("without %q, or in another order:\n%s", want, b.String())
				}
				rest = after
			}
			if tt.without != "" && strings.Contains(b.String(), tt.without) {
				t.Errorf("with %q:\n%s", tt.without, b.String())
			}
		})
	}
}
