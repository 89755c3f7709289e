package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/library"
)

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		format library.Format
		text   string
		want   string
	}{
		{library.Markdown, "---\ntitle: [a](b)\n---\n\nRead on. See the [`cache` guide](/docs/cache#how) for more. End.\n\n```md\nSee [this](that).\n```\n",
			`["cache guide" in "See the cache guide for more." to /docs/cache#how]`},
		{library.Markdown, "- one [a b](x.md) and [c d](y.md) in one sentence\n- the [other page](z.md) alone\n", `["other page" in "the other page alone" to z.md]`},
		{library.RST, "Title\n=====\n\nSee :ref:`the guide <how-to>` about\n``caches``. Use :func:`open` and :doc:`other/page` too.\n\nCode::\n\n    :ref:`not this`\n",
			"[\"the guide\" in \"See the guide about caches.\" to how-to \"\\x03\" in \"Use open and \\x03 too.\" to other/page]"},
		{library.AsciiDoc, "NAME\n----\n\nSee linkgit:git-rebase[1] for what moves `commits`.\n+\nAnd <<one,the first section>> here.\n",
			`["git-rebase" in "See git-rebase for what moves commits." to git-rebase.txt "the first section" in "And the first section here." to #one]`},
		{library.HTML, `<nav><p>Go <a href="x.html">away now</a></p></nav><p>All of <a href="caches.html#top">caching <b>pages</b></a> is there.</p><pre><p>see <a href="y.html">code</a></p></pre>`,
			`["caching pages" in "All of caching pages is there." to caches.html#top]`},
	} {
		if got := fmt.Sprint(linksOf([]byte(c.text), c.format)); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.format, got, c.want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	for in, want := range map[string]string{
		"01-app/(group)/02-Guides/index.mdx": "app/guides", "library/os.rst.txt": "library/os", "a/b.html": "a/b", "/docs/a/": "docs/a", "README.md": "", "": "",
	} {
		if got := keyOf(in); got != want {
			t.Errorf("keyOf(%q) = %q, want %q", in, got, want)
		}
	}
}

// A small set from the disk to the figures.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, "small", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	filler := strings.Repeat("Nothing of interest stands in this sentence. ", 12)
	write("01-guide.md", "# Guide\n\n"+filler+"\n\n## First things first of all\n\nWhat happens to old entries is said in [eviction of entries](./cache.md#old-entries-leave), which is long.\n\n## Second\n\n"+filler)
	write("cache.md", "# Cache\n\n"+filler+"\n\n## Old entries leave\n\nThe eviction of old entries happens at night. "+filler+"\n\n## Others\n\n"+filler)
	write("other.md", "# Other\n\n"+filler)
	c, err := load(context.Background(), dir, set{name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	qs := c.questions()
	got := fmt.Sprint(qs)
	for _, want := range []string{`small words "eviction of entries"`, `small sentence "What happens to old entries is said in eviction of entries, which is long."`, `small heading "Old entries leave"`} {
		if !strings.Contains(got, want) {
			t.Errorf("questions %s, want %s among them", got, want)
		}
	}
	for _, q := range qs {
		if q.kind != "heading" && (!q.pages["cache.md"] || len(q.sections) != 1 || len(q.without) != 1 || q.without[place{"cache.md", 1}]) {
			t.Errorf("%v: %+v", q, q)
		}
	}
	results, err := c.run(context.Background(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range systems {
		for _, r := range results[system] {
			if r.page.NDCG < .6 || r.sections != nil && r.section.NDCG < .6 || r.empty {
				t.Errorf("%s: %v comes to %+v", system, r.question, r)
			}
		}
		if len(results[system]) != len(qs) {
			t.Errorf("%s answers %d of %d", system, len(results[system]), len(qs))
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		relevant []bool
		total    int
		want     figure
	}{
		{nil, 1, figure{}},
		{[]bool{true}, 1, figure{1, 1, 1}},
		{[]bool{false, true}, 1, figure{1, .5, 1 / math.Log2(3)}},
		{[]bool{false, true, true}, 2, figure{1, .5, (1/math.Log2(3) + .5) / (1 + 1/math.Log2(3))}},
		{append(make([]bool, 5), true), 1, figure{0, 1. / 6, 1 / math.Log2(7)}},
		{append(make([]bool, 10), true), 1, figure{}},
		{[]bool{true}, 10, figure{.2, 1, 0.22009}},
	} {
		got := judge(c.relevant, c.total)
		for _, d := range []float64{got.Recall5 - c.want.Recall5, got.MRR - c.want.MRR, got.NDCG - c.want.NDCG} {
			if math.Abs(d) > 1e-4 {
				t.Errorf("judge(%v, %d) = %+v, want %+v", c.relevant, c.total, got, c.want)
				break
			}
		}
	}
}

// Every set has a name of its own, and patterns that fit what it is about.
func TestSets(t *testing.T) {
	seen, held := map[string]bool{}, 0
	for _, s := range sets() {
		if seen[s.name] || len(s.packages) == 0 || len(s.keep) == 0 || s.apt == (s.version != "") {
			t.Errorf("set %+v", s)
		}
		seen[s.name] = true
		if s.held {
			held++
		}
	}
	if held < 6 || len(seen)-held < 6 {
		t.Errorf("%d sets, %d of them held out", len(seen), held)
	}
	s := set{root: "usr/share/doc/python3*/html/_sources", keep: []string{"*.rst.txt"}, drop: []string{"whatsnew/**", "about*"}}
	for in, want := range map[string]string{
		"./usr/share/doc/python3.11/html/_sources/library/os.rst.txt": "library/os.rst.txt", "./usr/share/doc/python3.11/html/_sources/whatsnew/3.rst.txt": "",
		"./usr/share/doc/python3.11/html/_sources/about.rst.txt": "", "./usr/share/doc/python3.11/html/index.html": "", "./usr/share": "",
	} {
		if got, ok := s.path(in); ok != (want != "") || ok && got != want {
			t.Errorf("path(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

// String is what a test compares, and shows where it differs.
func (l link) String() string { return fmt.Sprintf("%q in %q to %s", l.words, l.sentence, l.to) }

// TestUnder tells a section that answers from one that is called alike.
func TestUnder(t *testing.T) {
	s := library.Snippet{Title: "Retry API", Breadcrumb: "Got > Retry API", Content: "text\n\n#### `limit`\n\nmore"}
	for heading, want := range map[string]bool{"retry": true, "limit": true, "got": true, "ret": false, "limits": false, "more": false} {
		if got := under(&s, []string{"none", heading}); got != want {
			t.Errorf("under %q: %v, want %v", heading, got, want)
		}
	}
	all, err := readAsked()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if slices.ContainsFunc(a.Answers, func(of []string) bool { return len(of) == 0 }) {
			t.Errorf("%s has a question without an answer", a.Repo)
		}
	}
}

func TestGuideAnswers(t *testing.T) {
	section := library.Snippet{Title: "Proxying", Breadcrumb: "Tips > Proxying", Path: "docs/tips.md"}
	method := library.Snippet{Title: "AxiosHeaders#concat", Breadcrumb: "lib > AxiosHeaders#concat", Path: "lib/headers.js"}
	tests := []struct {
		name, answer string
		snippet      *library.Snippet
		want         bool
	}{
		{"a heading", "Proxying", &section, true},
		{"a heading in backquotes", "`Proxying`", &section, true},
		{"the heading around it", "Tips", &section, true},
		{"a page", "tips.md#", &section, true},
		{"a heading of a page", "tips.md#Proxying", &section, true},
		{"a heading of another page", "options.md#Proxying", &section, false},
		{"another heading of the page", "tips.md#Cookies", &section, false},
		{"a name with #", "AxiosHeaders#concat", &method, true},
		{"a name with a point", "AxiosHeaders.concat", &section, false},
		{"another name with #", "AxiosHeaders#get", &method, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := guideQuestion{Answers: []string{tt.answer}}
			if got := q.isAnswer(tt.snippet); got != tt.want {
				t.Errorf("%s answers %s: %v, want %v", tt.snippet.Breadcrumb, tt.answer, got, tt.want)
			}
		})
	}
}

func TestGuideQuestions(t *testing.T) {
	all, err := readGuideQuestions()
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, q := range all {
		if q.Ask == "" || len(q.Answers) == 0 {
			t.Errorf("%+v is not a question with an answer", q)
		}
		if !slices.Contains([]string{"how", "name"}, q.Kind) || !slices.Contains([]string{"dev", "aside"}, q.Split) {
			t.Errorf("%+v is of no kind or part that there is", q)
		}
	}
}
