package docs

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/source"
)

const (
	aPage = "# Page\n\nIt explains how the thing is done, and why, in a sentence or two.\n"
	aLog  = "# Changes\n\n## 2.1.0\n\n- Retries are counted from one.\n- A call may be stopped.\n\n## 2.0.0\n\n- Everything is new.\n"
	legal = "# License\n\nCopyright (c) 2020 The authors. Permission is hereby granted, free of charge, to any person.\n"
)

// What is called like something that is no documentation is judged by what it says, and by
// what is around it.
func TestExcluded(t *testing.T) {
	for _, tc := range []struct {
		path, text string
		also       []string // other pages of the tree
		want       Reason
	}{
		// Names that real pages have too.
		{path: "docs/third-party.md", text: aPage},
		{path: "docs/third_party/index.md", text: aPage, want: dependency},
		{path: "docs/third-party-notices.md", text: legal, want: license},
		{path: "docs/release-notes/4.1.md", text: aPage + strings.Repeat("Variadic tuples can be labelled, and labels are checked.\n\n```ts\ntype A = [x: 1]\n```\n\n", 9)},
		{path: "docs/release-notes/4.1.md", text: aLog + strings.Repeat("- One more thing was repaired in this version.\n", 30), want: changelog},
		{path: "docs/copying-files.md", text: aPage},
		{path: "docs/copying.md", text: aPage},
		{path: "COPYING.md", text: legal, want: license},
		{path: "docs/versionhistory.md", text: aLog},
		{path: "docs/version_history.md", text: aPage},
		{path: "docs/worker_8hpp_source.html", text: aPage, want: indexes},
		{path: "docs/classtf_1_1Executor-members.html", text: aPage, want: indexes},
		{path: "docs/apidocs/index-all.html", text: aPage, want: indexes},
		{path: "docs/classtf_1_1Executor.html", text: aPage},
		{path: "docs/open_source.html", text: aPage},
		{path: "docs/changes-feed.md", text: aPage},
		{path: "docs/changes.md", text: aPage},
		{path: "docs/changes.md", text: aLog},
		{path: "Changelog.md", text: "# Changelog\n\n" + strings.Repeat("### `0.11.0` — November 20, 2020\n\n###### NEW\n\n**New helpers.** They say how a thing is done.\n\n```ts\nassert(a)\n```\n\nAnd more of it.\n\nAnd more.\n\n", 4)},
		{path: "docs/changes.rst", text: "Changes\n=======\n\n.. include:: ../CHANGES.rst\n"},
		{path: "docs/changes/hooks.md", text: aPage + strings.Repeat("The hook is given the environment, which it did not have before.\n", 20)},
		{path: "changelog.d/1234.bugfix.rst", text: "A crash is repaired.\n", want: changelog},
		{path: "docs/license-server.md", text: aPage},
		{path: "docs/license.md", text: legal, want: license},
		{path: "docs/release-1.2.0.rst", text: aPage, want: changelog},
		{path: "docs/sanity/changelog.rst", text: "changelog\n=========\n\nThe linter checks fragments. A section is required:\n\n- major_changes\n- minor_changes\n- bugfixes\n- a\n- b\n- c\n- d\n- e\n\nNew modules are not included.\n"},
		// Codes of languages that are words.
		{path: "docs/ml/models.md", text: aPage},
		{path: "docs/ml/models.md", text: aPage, also: []string{"docs/zh/models.md"}, want: translation},
		{path: "docs/ml/models.md", text: aPage, also: []string{"docs/models.md"}, want: translation},
		{path: "docs/id/models.md", text: aPage, also: []string{"docs/en/models.md"}, want: translation},
		{path: "docs/ja/models.md", text: aPage, want: translation},
		{path: "i18n/ml/models.md", text: aPage, want: translation},
		{path: "doc/manual-src/ru/a.rst", text: aPage, also: []string{"doc/manual-src/en/a.rst", "doc/manual-src/en/b.rst"}, want: translation},
		{path: "doc/manual-src/pt/c.rst", text: aPage, also: []string{"doc/manual-src/en/a.rst"}},
		{path: "translation/zh-CN/manual/src/a.md", text: aPage, want: translation},
		{path: "docs_CN/a.md", text: aPage, also: []string{"docs/a.md"}, want: translation},
		{path: "docs_CN/a.md", text: aPage, also: []string{"docs/b.md"}},
		{path: "docs/guide-zh/a.md", text: aPage, also: []string{"docs/guide/a.md"}, want: translation},
		{path: "plugins/vector-es/a.md", text: aPage, also: []string{"plugins/vector/a.md"}}, // of Elasticsearch
		{path: "Vision_CN.md", text: aPage, also: []string{"Vision.md"}, want: translation},
		{path: "Vision_CN.md", text: aPage},
		{path: "docs/Keys_zh-TW.md", text: aPage, also: []string{"docs/Keys_en.md"}, want: translation},
		{path: "docs/guide.it.md", text: aPage},
		{path: "docs/guide.it.md", text: aPage, also: []string{"docs/guide.md"}, want: translation},
		{path: "toolkit/forms.html", text: "{% macro field(x) %}\n<p>{{ x }}</p>\n{% endmacro %}\n<p>a</p><p>b</p>\n", want: templates},
		{path: "docs/guide.html", text: "---\ntitle: Guide\n---\n<p>Some words.</p>{% include x.html %}\n<p>a</p>\n"},
		{path: "docs/page.html", text: "<!DOCTYPE html>\n<html><body><h1>Page</h1><pre>{% if x %}</pre></body></html>\n"},
		{path: "README_CN.md", text: aPage, also: []string{"README.md"}, want: translation},
		{path: "README.中文.md", text: aPage, also: []string{"README.md"}, want: translation},
		{path: "docs/v2_zh.md", text: aPage, also: []string{"docs/v2.md"}, want: translation},
		{path: "docs/module_es.md", text: aPage},
		// Tests, and pages about them.
		{path: "test/source/_posts/a.md", text: aPage, want: tests},
		{path: "pkg/tests/integration/docs/index.md", text: aPage, want: tests},
		{path: "docs/test/mocking.md", text: aPage},
		{path: "docs/testing/fixtures/intro.md", text: aPage},
		{path: "playground/css/README.md", text: aPage, want: tests},
		{path: "docs/old/a.md", text: aPage, want: outdated},
		{path: ".github/x.md", text: aPage, want: hidden},
		{path: "docs/_templates/x.md", text: aPage, want: templates},
		{path: "CODE_OF_CONDUCT.md", text: aPage, want: housework},
		{path: "docs/contributing.md", text: aPage},
		{path: "docs/plan.txt", text: "no markup", want: plainTexts},
	} {
		files := map[string]string{"README.md": "# L", tc.path: tc.text}
		for _, p := range tc.also {
			files[p] = aPage
		}
		src, err := source.Open(t.Context(), tree(t, files), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, lift := range []bool{false, true} {
			sel := selection{lift: lift}
			got, err := sel.pages(t.Context(), src)
			if err != nil {
				t.Fatal(err)
			}
			var why Reason
			for _, e := range got.excluded {
				if slices.Contains(e.Examples, tc.path) {
					why = e.Reason
				}
			}
			want := tc.want
			if lift && want.lifted() {
				want = ""
			}
			if why != want || (want == "") != slices.Contains(got.paths, tc.path) {
				t.Errorf("%s beside %v, lifted %v: excluded as %q, want %q (pages %v)", tc.path, tc.also, lift, why, want, got.paths)
			}
		}
		src.Close()
	}
}

// Every page of a source is read or counted, and a refresh reads what the ingest did.
func TestNothingLeftOutSilently(t *testing.T) {
	dir := tree(t, map[string]string{
		"README.md": aPage, "release-2.1.0.md": aLog, "docs/a.md": aPage, "docs/ja/a.md": aPage, "docs/b.md": aPage, "node_modules/x/README.md": aPage, ".git/x.md": aPage,
	})
	f := feature(t, dir)
	var notes []string
	ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { notes = append(notes, format+" "+args[0].(string)) }})
	where := Where{Source: dir, ID: "/a/b", Exclude: []string{"docs/b.md"}}
	got, err := f.Ingest(ctx, IngestInput{Where: where})
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(got.Libraries[0].Excluded)
	const want = `[{"reason":"changelog","pages":1,"examples":["release-2.1.0.md"]},{"reason":"dependency","pages":1,"examples":["node_modules/x/README.md"]},` +
		`{"reason":"matches --exclude","pages":1,"examples":["docs/b.md"]},{"reason":"translation","pages":1,"examples":["docs/ja/a.md"]}]`
	if string(out) != want || err != nil || got.Libraries[0].Pages != 2 {
		t.Errorf("%s, %v\nwant %s", out, err, want)
	}
	if s := strings.Join(notes, "\n"); !strings.Contains(s, "3 pages excluded: 1 changelog (release-2.1.0.md), 1 dependency (node_modules/x/README.md), 1 translation (docs/ja/a.md); --docs-path GLOB reads some of them, --include-excluded") {
		t.Errorf("it says %s", s)
	}
	where.IncludeExcluded = true
	if got, err = f.Ingest(ctx, IngestInput{Where: where}); err != nil || got.Libraries[0].Pages != 4 {
		t.Fatalf("%+v, %v: want 4 pages", got, err)
	}
	again, err := f.Refresh(ctx, RefreshInput{ID: "/a/b", Full: true})
	if err != nil || again.Libraries[0].Pages != 4 {
		t.Errorf("a refresh reads %+v, %v", again, err)
	}
	seen, err := f.Preview(ctx, PreviewInput{Where: Where{Source: dir, Include: []string{"docs"}}})
	if err != nil || seen.Library.Pages != 2 || len(seen.Excluded) == 0 || seen.Excluded[0].Reason != unselected || seen.Excluded[0].Pages != 3 {
		t.Errorf("a preview of a folder: %+v, %v", seen, err)
	}
}

// A snippet that only names files which are not there is left out and counted.
func TestUnfilledSnippets(t *testing.T) {
	const page = "Title\n=====\n\nIt is explained.\n\nExamples\n--------\n\n" + "%s" + "\n\nMore\n----\n\n"
	rst := strings.Replace(page, "%s", ".. literalinclude:: gone.py\n\n.. literalinclude:: lost.py", 1) + strings.Repeat("There is more to say of it. ", 20) + "\n"
	f := feature(t, tree(t, map[string]string{"docs/a.rst": strings.Replace(rst, "It is explained.", strings.Repeat("It is explained. ", 40), 1), "docs/b.md": aPage}))
	where := Where{Source: ".", ID: "/a/b"}
	seen, err := f.Preview(t.Context(), PreviewInput{Where: where})
	if err != nil || len(seen.Excluded) != 1 || seen.Excluded[0].Reason != unfilled || seen.Excluded[0].Sections != 1 || seen.Excluded[0].Examples[0] != "docs/a.rst" {
		t.Fatalf("%+v, %v", seen, err)
	}
	var b strings.Builder
	if err := seen.WriteText(&b, false); err != nil || !strings.Contains(b.String(), "# excluded: 1 section, includes of files that are not there, and nothing else: docs/a.rst\n") || strings.Contains(b.String(), "not included") {
		t.Errorf("%s, %v", b.String(), err)
	}
	got, err := f.Ingest(t.Context(), IngestInput{Where: where})
	if err != nil || got.Libraries[0].Snippets != 3 || len(got.Libraries[0].Excluded) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
