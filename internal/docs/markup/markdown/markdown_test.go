package markdown

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// show is a page as tests write it: line, kind, and what else a block says, then its text.
func show(p markup.Page) string {
	var b strings.Builder
	if p.Title != "" {
		fmt.Fprintf(&b, "title %s\n", p.Title)
	}
	if p.Description != "" {
		fmt.Fprintf(&b, "description %s\n", p.Description)
	}
	for _, k := range p.Blocks {
		fmt.Fprintf(&b, "%d ", k.Line)
		switch k.Kind {
		case markup.Prose:
			b.WriteString("prose")
		case markup.Heading:
			fmt.Fprintf(&b, "h%d #%s", k.Level, k.Anchor)
		case markup.Code:
			b.WriteString(strings.TrimSpace("code " + k.Lang))
		case markup.Table:
			b.WriteString("table")
		}
		for line := range strings.SplitSeq("\n"+k.Text, "\n") {
			if line != "" {
				b.WriteString("    " + line)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

var files = map[string]string{
	"/docs_src/first.py": "import fastapi\n\napp = fastapi.FastAPI()\n\n\ndef last():\n    pass\n",
	"/docs/_tip.md":      "A *shared* tip.\n",
	"/loop.md":           "{! /loop.md !}\nonce\n",
	"/ex/app.ts":         "// #docregion app\n@Component({})\nclass App {}\n// #enddocregion app\nclass Other {}\n",
}

var world = markup.Options{
	Path: "docs/en/page.md",
	Include: func(path string) ([]byte, error) {
		if s, ok := files[path]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	},
	Doc: func(_, name string) (string, bool) {
		return "What *it* does.", name == "pkg.Thing"
	},
}

type example struct{ name, src, want string }

func check(t *testing.T, examples []example, read func([]byte, markup.Options) markup.Page) {
	t.Helper()
	for _, e := range examples {
		if d := cmp.Diff(strings.TrimPrefix(e.want, "\n"), show(read([]byte(strings.TrimPrefix(e.src, "\n")), world))); d != "" {
			t.Errorf("%s (-want +got):\n%s", e.name, d)
		}
	}
}

func TestParse(t *testing.T) {
	check(t, plainExamples, Parse)
}

func TestParseMDX(t *testing.T) {
	check(t, mdxExamples, ParseMDX)
}

// Neither of these may read the page of another, nor end in an error.
func TestIncludeFails(t *testing.T) {
	for _, src := range []string{"{* ../../../../etc/passwd *}", "--8<-- \"gone.md\"", "{! gone.md !}", "<<< @/gone.js"} {
		got := show(Parse([]byte(src), markup.Options{Path: "docs/a.md", Include: func(string) ([]byte, error) { return nil, errors.New("outside") }}))
		if want := strings.Trim(strings.Fields(src)[1], `"`); !strings.Contains(got, want) {
			t.Errorf("Parse(%q) = %q, want a line that names %s", src, got, want)
		}
	}
}

// What a page takes from files is bounded however often it asks.
func TestIncludeBudget(t *testing.T) {
	big := strings.Repeat("word ", 20000)
	src := strings.Repeat("{! big.md !}\n\n", 1000)
	p := Parse([]byte(src), markup.Options{Include: func(string) ([]byte, error) { return []byte(big), nil }})
	if n := size(p); n > 1<<20+2*len(src) {
		t.Errorf("a page of %d bytes became %d", len(src), n)
	}
}

func size(p markup.Page) int {
	n := len(p.Title) + len(p.Description)
	for _, b := range p.Blocks {
		n += len(b.Text) + len(b.Lang)
	}
	return n
}

// hostile are inputs that repeat what a careless reader takes quadratic time for.
func hostile(n int) []string {
	var out []string
	for _, s := range []string{
		"[", "[a](", "[a](<b", "*a **a ", "a `b ``c ", "> ", "- ", "**", "<a b={", "{", "{`", "<A x='", "<!--", "<Foo>\n", "</Foo>", "- a\n  ", "a\n:b\n",
		"!!! note\n    ", "::: a\n", "::: a.b\n\n", "<script>", "<pre>\n", "<docs-code>\n", "<table><tr><td>", "```{note}\n", "\n", "export const x = {\n",
		"<A x={[1,", "--8<--\n", "/*", "{'\\'", "<A\n\n", "1. ", "{ //", "<details>\n", "|a",
		"<dl>\n", "<ul>\n<li>\n", "</dt>", "<blockquote>\n", "> <dl>\n",
	} {
		out = append(out, strings.Repeat(s, n/len(s)))
	}
	out = append(out,
		strings.Repeat("a|", n/4)+"\n"+strings.Repeat("-|", n/4)+"\n"+strings.Repeat("a\n", n/8),
		strings.Repeat("a|", 300)+"\n"+strings.Repeat("-|", 300)+"\n"+strings.Repeat("a\n", n/4))
	var nested strings.Builder
	for i := 0; nested.Len() < n; i++ {
		nested.WriteString(strings.Repeat(" ", i*2) + "- a\n")
	}
	return append(out, nested.String())
}

func TestHostile(t *testing.T) {
	for _, src := range hostile(64 << 10) {
		for _, read := range []func([]byte, markup.Options) markup.Page{Parse, ParseMDX} {
			if n := size(read([]byte(src), markup.Options{})); n > 8*len(src)+1024 {
				t.Errorf("%.20q…, %d bytes, became %d", src, len(src), n)
			}
		}
	}
	for i, few := range hostile(1 << 10) {
		n, linear := 64<<10, testaid.Linear
		if strings.HasPrefix(few, "1. 1.") {
			n, linear = 512<<10, testaid.LinearBeyond // nested deeper than lists are read, it is dearer at once, and linear from there on
		}
		for _, read := range []func([]byte, markup.Options) markup.Page{Parse, ParseMDX} {
			if err := linear(n, func(n int) { read([]byte(hostile(n)[i]), markup.Options{}) }); err != nil {
				t.Errorf("%.20q…: %v", few, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, e := range append(plainExamples, mdxExamples...) {
		f.Add(e.src)
	}
	for _, s := range hostile(64) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + strings.Count(src, "\r") + strings.Count(src, "\f") + strings.Count(src, "\v") + 1
		for _, read := range []func([]byte, markup.Options) markup.Page{Parse, ParseMDX} {
			p := read([]byte(src), markup.Options{})
			if n := size(p); n > 8*len(src)+1024 {
				t.Errorf("%d bytes became %d", len(src), n)
			}
			for _, b := range p.Blocks {
				if b.Line < 1 || b.Line > lines {
					t.Errorf("a block at line %d of %d", b.Line, lines)
				}
				if strings.ContainsAny(b.Text, tableMark+labelMark) {
					t.Errorf("a mark is left in %q", b.Text)
				}
			}
		}
	})
}

var update = flag.Bool("update", false, "rewrite the golden files")

// The pages of testdata are written for these tests, in the manner of the tools that
// they are named after.
func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.md*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pages {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read := Parse
		if strings.HasSuffix(file, ".mdx") {
			read = ParseMDX
		}
		got := show(read(src, world))
		if *update {
			if err := os.WriteFile(file+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", file, d)
		}
	}
}

// TestBounded holds that what the parser reads in time that grows with the square of its
// length stays short: a paragraph, and the links that it may open.
func TestBounded(t *testing.T) {
	for _, piece := range []string{"[a](", "[", "![", "[a][", "x [^a]\n", "[a]\n", "<x [a](", "| [a](", "> [a](", "*a", "word ", "|a *a_b", "<x *a_b", "<a> *a_b", "| *a_b\n"} {
		var d draft
		for _, n := range []int{1, 4} {
			d = newDraft(strings.Repeat(piece, n<<18/len(piece))).bound()
			size, links, most := 0, 0, 0
			for _, line := range d.lines {
				if blank(line) {
					size, links = 0, 0
				}
				size += len(line) + 1
				links += strings.Count(line, "[")
				if most = max(most, links); size > maxParagraph+2 || links > maxLinks {
					t.Fatalf("%q: a paragraph of %d bytes with %d brackets", piece, size, links)
				}
			}
			if got, want := len(strings.Join(d.lines, "")), len(strings.Join(newDraft(strings.Repeat(piece, n<<18/len(piece))).lines, "")); got < want*9/10 {
				t.Errorf("%q: %d of %d bytes are left", piece, got, want)
			}
		}
	}
	// A table is not cut for its links, and neither is an ordinary paragraph.
	table := "| a | b |\n|---|---|\n" + strings.Repeat("| [a](b) | [c](d) |\n", 500)
	if got := strings.Join(newDraft(table).bound().lines, "\n"); got != table {
		t.Error("a table with 1,000 links is cut")
	}
	prose := strings.Repeat("see [a](b) and [c](d)\n", 120)
	if got := strings.Join(newDraft(prose).bound().lines, "\n"); got != prose {
		t.Error("a paragraph with 240 links is cut")
	}
}

// Tags of template engines are of the source of a page and not of the page.
func TestTemplates(t *testing.T) {
	opt := markup.Options{Path: "content/en/docs/a.md", Include: func(p string) ([]byte, error) {
		if p == "/content/includes/x/y.md" {
			return []byte("---\ntitle: Y\n---\nIncluded {{< param v >}}words."), nil
		}
		return nil, fs.ErrNotExist
	}}
	for _, tc := range []struct{ in, want string }{
		{"{{% alert title=\"Mind\" color=\"warning\" %}}\nThe gap.\n{{% /alert %}}\n\nAfter.", "Warning: Mind\nThe gap.|After."},
		{"{{< call-out \"tip\" \"Do\" >}} it {{< /call-out >}}", "it"},
		{"See [pods]({{< ref \"/docs/pods.md\" >}}) and {{< glossary_tooltip text=\"nodes\" term_id=\"node\" >}}.", "See pods and nodes."},
		{"{{< include \"/x/y.md\" >}}", "Included words."},
		{"{{< tabpane text=true >}}\n{{% tab header=\"Go\" %}}\nRun it.\n{{% /tab %}}\n{{< /tabpane >}}", "Go:\nRun it."},
		{"{{< tabpane lang=\"bash\" >}}\n{{< tab header=\"A\" >}}\nmake all\n{{< /tab >}}\n{{< /tabpane >}}", "A:|```bash make all"},
		{"{{< highlight go >}}\nx := 1\n{{< /highlight >}}", "```go x := 1"},
		{"```sh\nget {{< param \"rel\" >}}\n```", "```sh get <rel>"},
		{"```sh\nget v{{< version-ngf >}}/x {{< nic-version >}}\n```", "```sh get v<version-ngf>/x <nic-version>"},
		{"Write `{{</* x */>}}` for it.", "Write `{{< x >}}` for it."},
		{"{{< new-in 0.1.2 />}}\n\nText.", "New in 0.1.2.|Text."},
		{"{% if site.x %}\nText {{ site.y }}here.\n{% endif %}\n\n{% raw %}`{{ kept }}`{% endraw %}", "Text here.|`{{ kept }}`"},
		{"## page.goto\n* since: v1.8\n- returns: <[null]>", "#page.goto|- returns: <[null]>"},
		{"{{< multitabs id=\"x\"\n  tab1=\"A\"\n  tab2=\"B\" >}}\n\nOne.\n\n-tab-sep-\n\nTwo.\n{{< /multitabs >}}", "One.|Two."},
		{"Vue shows {{ message }} so.", "Vue shows {{ message }} so."},
	} {
		var got []string
		for _, b := range Parse([]byte(tc.in), opt).Blocks {
			switch b.Kind {
			case markup.Code:
				b.Text = "```" + b.Lang + " " + b.Text
			case markup.Heading:
				b.Text = "#" + b.Text
			}
			got = append(got, b.Text)
		}
		if s := strings.Join(got, "|"); s != tc.want {
			t.Errorf("%q is read as %q, want %q", tc.in, s, tc.want)
		}
	}
	// A component that closes itself ends before the code below it.
	page := ParseMDX([]byte("<rem025 />\n```ts\nx\n```"), markup.Options{})
	if len(page.Blocks) != 1 || page.Blocks[0].Kind != markup.Code {
		t.Errorf("%+v", page.Blocks)
	}
}
