package library

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// texts yields files: each "path: what it holds".
func texts(lines ...string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, l := range lines {
			path, text, _ := strings.Cut(l, ": ")
			if !yield(File{Path: path, URL: "https://example.com/" + path, Data: func() ([]byte, error) { return []byte(text), nil }}, nil) {
				return
			}
		}
	}
}

func collect(pages iter.Seq2[Page, error]) (out []Page, err error) {
	for p, err := range pages {
		if err != nil {
			return out, err
		}
		out = append(out, p)
	}
	return out, nil
}

func TestRead(t *testing.T) {
	got, err := collect(Read(context.Background(), 2, texts(
		"a.md: # Title\n\nSome *text*.",
		"b.rst: Title\n=====\n\nSome ``text``.",
		"c.txt: Title\n=====\n\n.. note:: Some text.",
		"git.txt: git-add(1)\n==========\n\nNAME\n----\ngit-add - add\n\n[[one]]\n== Two\n\nlinkgit:git-rm[1]",
		"d.html: <html><body><main><h1>Title</h1><p>Some text.</p></main></body></html>",
		"e.adoc: = Title\n\nSome text.",
		"llms.txt: # Title\n\n> Some text.\n\n- [a](https://example.com/a): note",
		"f.mdx: export const title = 'Title'\n\n<Note>Some text.</Note>",
		"g.ipynb: {\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"# Title\\n\",\"Some text.\"]}],\"nbformat\":4,\"metadata\":{}}",
		"guide/index.md: Some text without a title.",
		"h.md: ",
	)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range got {
		fmt.Fprintf(&b, "%s %d", p.Path, len(p.Hash))
		for _, s := range p.Snippets {
			fmt.Fprintf(&b, " %s (%s)", s.Title, s.URL)
		}
		b.WriteByte('\n')
	}
	want := `a.md 64 Title (https://example.com/a.md#title)
b.rst 64 Title (https://example.com/b.rst#title)
c.txt 64 Title (https://example.com/c.txt#title)
git.txt 64 NAME (https://example.com/git.txt#_name)
d.html 64 Title (https://example.com/d.html)
e.adoc 64 Title (https://example.com/e.adoc)
llms.txt 64 Title (https://example.com/llms.txt#title)
f.mdx 64 Title (https://example.com/f.mdx#L3)
g.ipynb 64 Title (https://example.com/g.ipynb#Title)
guide/index.md 64 guide (https://example.com/guide/index.md)
h.md 64
`
	if b.String() != want {
		t.Errorf("Read =\n%swant\n%s", b.String(), want)
	}
}

func TestReadKeepsOrderAndEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	boom := errors.New("boom")
	var asked atomic.Int64
	files := func(fails int) iter.Seq2[File, error] {
		return func(yield func(File, error) bool) {
			for i := range 500 {
				asked.Add(1)
				f := File{Path: fmt.Sprintf("%d.md", i), Hash: "h", Keep: i%7 == 3, Data: func() ([]byte, error) {
					if i == fails {
						return nil, boom
					}
					return []byte(strings.Repeat("word ", 1+(i*37)%400)), nil
				}}
				if !yield(f, nil) {
					return
				}
			}
			yield(File{}, boom)
		}
	}
	for _, fails := range []int{-1, 250} {
		got, err := collect(Read(context.Background(), 3, files(fails)))
		want := 500
		if fails >= 0 {
			want = fails
		}
		if !errors.Is(err, boom) || len(got) != want {
			t.Errorf("failing at %d: %d pages, %v, want %d and boom", fails, len(got), err, want)
		}
		for i, p := range got {
			if p.Path != fmt.Sprintf("%d.md", i) || p.Hash != "h" || p.Keep != (i%7 == 3) || p.Keep != (len(p.Snippets) == 0) {
				t.Fatalf("page %d is %+v", i, p)
			}
		}
	}
	asked.Store(0)
	for p, err := range Read(context.Background(), 2, files(-1)) {
		if p.Path == "10.md" || err != nil {
			break
		}
	}
	if n := asked.Load(); n > 10+2*ahead+2 {
		t.Errorf("asked for %d files, though the eleventh page was the last", n)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	n := 0
	for _, err := range Read(ctx, 2, files(-1)) {
		if n++; n == 5 {
			stop()
		}
		if err != nil && (!errors.Is(err, context.Canceled) || n > 6) {
			t.Errorf("after stopping: %v at page %d", err, n)
		}
	}
	if n != 6 {
		t.Errorf("%d pages, stopped at the fifth", n)
	}
}

func TestReadIncludes(t *testing.T) {
	f := File{Path: "guide/a.rst", Data: func() ([]byte, error) { return []byte("T\n=\n\n.. literalinclude:: x.py\n"), nil },
		Options: markup.Options{Include: func(path string) ([]byte, error) { return []byte("print('" + path + "')"), nil }}}
	got, err := collect(Read(context.Background(), 0, func(yield func(File, error) bool) { yield(f, nil) }))
	if err != nil || len(got) != 1 || len(got[0].Snippets) != 1 || !strings.Contains(got[0].Snippets[0].Content, "print('x.py')") {
		t.Errorf("Read = %+v, %v, want what is included", got, err)
	}
}

func TestPutReads(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	l := mustPut(t, db, Library{ID: "/a/b"}, Read(context.Background(), 2, texts("a.md: # Routes\n\nhow to route", "empty.md: ", "b.md: # Cache\n\nwhat is cached")))
	if got := titles(t, db, "/a/b", "routing"); l.Pages != 3 || l.Snippets != 2 || got != "Routes" {
		t.Errorf("Put = %+v, found %q", l, got)
	}
}

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		path, data string
		want       Format
	}{
		{"a/README", "", ""},
		{"a/b.py", "", ""},
		{"a.MD", "", Markdown},
		{"a.md", "text\n\n```js\nimport x from 'y'\n{/* c */}\n```\n", Markdown},
		{"a.md", "<script setup>\nimport x from 'y'\n</script>\n\ntext", Markdown},
		{"a.md", "---\ntitle: T\n---\n\nimport Tabs from '@theme/Tabs';\n", MDX},
		{"a.md", "# T\n\n## Usage {/*usage*/}\n", MDX},
		{"a.md", "# T\n\n{/* a remark */}\n", MDX},
		{"a.rst.txt", "# T\n", RST},
		{"a.md.txt", "T\n=\n\n.. note::\n", Markdown},
		{"docs/llms.txt", "", LLMs},
		{"llms-full.txt", "# T\n\n## U\n", Markdown},
		{"topics/db.txt", "======\nModels\n======\n\n.. _models:\n\nUse ``x``::\n\n  y\n", RST},
		{"git-add.txt", "git-add(1)\n==========\n\nNAME\n----\n\n[verse]\n+\nlinkgit:git-rm[1]\n\n[[x]]\n", AsciiDoc},
		{"notes.txt", "", RST},
		{"README.rdoc", "", RDoc},
		{"a.ipynb", "", Notebook},
		{".md", "", Markdown},
		{".txt", "", RST},
	} {
		if got := FormatOf(c.path, []byte(c.data)); got != c.want {
			t.Errorf("FormatOf(%q, %.20q) = %q, want %q", c.path, c.data, got, c.want)
		}
	}
}

// Whatever a file holds and whatever it is taken for: what comes of it can be put,
// and no word of the code is lost.
func FuzzSnippets(f *testing.F) {
	formats := []Format{Markdown, MDX, RST, AsciiDoc, HTML, Notebook, LLMs, RDoc}
	for i, text := range []string{
		"# T\n\ntext\n\n```go\nf()\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
		"export const title = 'T'\n\n<Tabs><Tab>\n\n```js\nx\n```\n\n</Tab></Tabs>",
		"T\n=\n\n.. code-block:: c\n\n   int x;\n\n=== ===\na   b\n=== ===\n1   2\n=== ===\n",
		"= T\n\n[source,c]\n----\nint x;\n----\n\n|===\n|a |b\n|===\n",
		"<h1>T</h1><p>x</p><pre><code class='language-c'>int x;</code></pre><table><tr><td>a</table>",
		`{"cells":[{"cell_type":"code","source":["x"],"outputs":[{"text":["y"]}]}],"nbformat":4}`,
		"# T\n> s\n## U\n- [a](b): c\n",
		"= T\n\n* a\n\n    int x;\n",
	} {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		page := Parse(data, formats[int(which)%len(formats)], markup.Options{Path: "a/b.md"})
		snippets := snippetsIn(page, "a/b.md", "https://example.com/b")
		var codes []string
		for i := range snippets {
			s := &snippets[i]
			if err := soundSnippet(s); err != nil && len(s.Content) < maxContent {
				t.Fatalf("snippet %d cannot be put: %v: %+v", i, err, s)
			}
			_, code := partsOf(s)
			for _, c := range code {
				codes = append(codes, c.Text)
			}
		}
		var want []string
		for _, b := range page.Blocks {
			if b.Kind == markup.Code && strings.TrimSpace(b.Text) != "" {
				want = append(want, strings.Trim(clean(b.Text), "\n"))
			}
		}
		if !slices.Equal(codes, want) {
			t.Fatalf("code is %q, want %q", codes, want)
		}
	})
}
