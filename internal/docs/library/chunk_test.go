package library

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func heading(level int, text, anchor string, line int) markup.Block {
	return markup.Block{Kind: markup.Heading, Level: level, Text: text, Anchor: anchor, Line: line}
}

func prose(text string, line int) markup.Block { return markup.Block{Text: text, Line: line} }

// snippetsIn are those of a page.
func snippetsIn(p markup.Page, path, url string) []Snippet {
	out, _ := cut(p, path, url)
	return out
}

func code(lang, text string, line int) markup.Block {
	return markup.Block{Kind: markup.Code, Lang: lang, Text: text, Line: line}
}

// filler returns n characters of sentences.
func filler(n int) string { return strings.Repeat("All is well. ", n/13+1)[:n-1] + "." }

// outline returns what matters of snippets, one a line.
func outline(snippets []Snippet) string {
	var b strings.Builder
	for _, s := range snippets {
		fmt.Fprintf(&b, "%s | %s | %s | %s %d\n", s.Breadcrumb, s.URL, s.Language, s.Path, s.Line)
	}
	return b.String()
}

// A link of rustdoc to a name stands without its brackets, as people see it; brackets of code stay.
func TestNameLinks(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a link", "See [`Router::nest`], ([`Json`]) and [`Path`].", "See `Router::nest`, (`Json`) and `Path`."},
		{"an index", "Write `list`[`0`] or a[`key`].", "Write `list`[`0`] or a[`key`]."},
		{"words", "See [the guide].", "See [the guide]."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := snippetsIn(markup.Page{Title: "Docs", Blocks: []markup.Block{prose(tt.text, 1)}}, "p/docs.md", "u")
			if len(got) != 1 || got[0].Content != tt.want {
				t.Errorf("%q becomes %+v, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestSnippets(t *testing.T) {
	long := filler(400)
	for _, c := range []struct {
		name   string
		blocks []markup.Block
		want   string
	}{
		{"nothing", nil, ""},
		{"empty sections", []markup.Block{heading(1, "Docs", "", 1), heading(2, "A", "a", 3), heading(2, "B", "b", 5), prose("  ", 6)}, ""},
		{"one without a heading", []markup.Block{prose("text", 1)}, "Docs | u | | p/docs.md 1\n"},
		{"sections", []markup.Block{
			heading(1, "Docs", "", 1), prose(long, 3), heading(2, "Routing", "routing", 5), prose(long, 7), code("go", "f()", 9),
			heading(3, "Middleware", "mw", 12), prose(long, 13), heading(2, "Cache", "", 15), prose(long, 16),
		}, `Docs | u | | p/docs.md 1
Docs > Routing | u#routing | go | p/docs.md 5
Docs > Routing > Middleware | u#mw | | p/docs.md 12
Docs > Cache | u#L15 | | p/docs.md 15
`},
		{"deeper headings stay", []markup.Block{heading(2, "A", "a", 1), prose(long, 2), heading(4, "Deep", "", 3), prose(long, 4)}, "Docs > A | u#a | | p/docs.md 1\n"},
		{"a level left out", []markup.Block{heading(3, "A", "a", 1), prose(long, 2), heading(2, "B", "b", 3), prose(long, 4)}, "Docs > A | u#a | | p/docs.md 1\nDocs > B | u#b | | p/docs.md 3\n"},
		{"names of the code, however deep", []markup.Block{heading(2, "Queue", "q", 1), prose(long, 2), heading(4, ".add(fn, options?)", "add", 3), prose(long, 4), heading(4, "`size`", "size", 5), prose(long, 6), heading(4, "read-only", "", 7), prose(filler(900), 8)},
			"Docs > Queue | u#q | | p/docs.md 1\nDocs > Queue > .add(fn, options?) | u#add | | p/docs.md 3\nDocs > Queue > `size` | u#size | | p/docs.md 5\nDocs > Queue > read-only | u#L7 | | p/docs.md 7\n"},
		{"deeper headings of a section that is too long", []markup.Block{heading(3, "Updating", "up", 1), prose(long, 2), heading(4, "From v3 to v4", "v4", 3), prose(filler(900), 4), heading(5, "Deeper", "", 5), prose(long, 6), heading(4, "From v2 to v3", "v3", 7), prose(filler(900), 8)},
			"Docs > Updating | u#up | | p/docs.md 1\nDocs > Updating > From v3 to v4 | u#v4 | | p/docs.md 3\nDocs > Updating > From v2 to v3 | u#v3 | | p/docs.md 7\n"},
		{"deeper headings without a section", []markup.Block{heading(1, "Docs", "", 1), heading(4, "One", "one", 2), prose(long, 3), heading(4, "Two", "two", 4), prose(long, 5)},
			"Docs > One | u#one | | p/docs.md 2\nDocs > Two | u#two | | p/docs.md 4\n"},
		{"beside each other though a level is left out", []markup.Block{heading(1, "Docs", "", 1), heading(3, "A", "a", 2), prose(long, 3), heading(3, "B", "b", 4), prose(long, 5)},
			"Docs > A | u#a | | p/docs.md 2\nDocs > B | u#b | | p/docs.md 4\n"},
		{"small ones are joined", []markup.Block{heading(2, "A", "a", 1), prose("one", 2), heading(3, "B", "b", 3), prose("two", 4), heading(3, "C", "c", 5), prose("three", 6)},
			"Docs > A | u#a | | p/docs.md 1\n"},
		{"but not with those of another section", []markup.Block{heading(2, "2.0", "v2", 1), heading(3, "Added", "a", 2), prose("one", 3), heading(2, "1.0", "v1", 4), heading(3, "Fixed", "f", 5), prose("two", 6)},
			"Docs > 2.0 > Added | u#a | | p/docs.md 2\nDocs > 1.0 > Fixed | u#f | | p/docs.md 5\n"},
		{"a small one joins the one that it is in", []markup.Block{heading(2, "A", "a", 1), prose(long, 2), heading(3, "B", "b", 3), prose("two", 4)},
			"Docs > A | u#a | | p/docs.md 1\n"},
		{"but not across branches", []markup.Block{heading(3, "A", "a", 1), prose("one", 2), heading(2, "B", "b", 3), prose("two", 4)},
			"Docs > A | u#a | | p/docs.md 1\nDocs > B | u#b | | p/docs.md 3\n"},
	} {
		got := outline(snippetsIn(markup.Page{Title: "Docs", Blocks: c.blocks}, "p/docs.md", "u"))
		if strings.ReplaceAll(got, " |  |", " | |") != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
	joined := snippetsIn(markup.Page{Blocks: []markup.Block{heading(2, "A", "a", 1), prose("one", 2), heading(2, "B", "b", 3), code("sh", "two", 4)}}, "get-started.md", "")
	if len(joined) != 1 || joined[0].Content != "one\n\n#### B\n\n```sh\ntwo\n```" || joined[0].Breadcrumb != "get started > A" || joined[0].URL != "get-started.md#a" {
		t.Errorf("two small sections = %+v", joined)
	}
}

func TestSnippetsAreCut(t *testing.T) {
	big := strings.Repeat("x = 1\n", 500)
	p := markup.Page{Title: "Docs", Blocks: []markup.Block{
		heading(2, "A", "a", 1), prose(filler(1400), 2), prose("See this:", 3), code("py", filler(300), 4), code("js", big, 9), prose(filler(5000), 600),
		{Kind: markup.Table, Text: "name | what\n" + strings.Repeat("row | "+filler(60)+"\n", 60), Line: 700},
	}}
	got := snippetsIn(p, "p", "")
	for i, s := range got {
		text, blocks := partsOf(&s)
		if n := utf8.RuneCountInString(s.Content); n > maxChars && (text != "" || len(blocks) != 1) {
			t.Errorf("snippet %d has %d characters", i, n)
		}
		if strings.Contains(s.Content, "row | ") && !strings.HasPrefix(s.Content[strings.Index(s.Content, "name"):], "name | what\nrow | ") {
			t.Errorf("part of a table without its head: %.60q", s.Content)
		}
	}
	if !strings.HasPrefix(got[1].Content, "See this:\n\n```py\n") {
		t.Errorf("code is parted from what introduces it: %.40q", got[1].Content)
	}
	if !slices.ContainsFunc(got, func(s Snippet) bool { return strings.Contains(s.Content, big) }) {
		t.Error("a block of code was cut")
	}
}

// What nobody wrote for people does not keep the rest from being read.
func TestSnippetsBound(t *testing.T) {
	p := markup.Page{Title: "Docs\x00", Blocks: []markup.Block{
		heading(2, "A", strings.Repeat("a", 1<<20), 1), prose("before\xff", 2), code(strings.Repeat("x", 1<<20), "f()", 3), code("js", strings.Repeat("x = 1\n", maxCode/6+1), 9), prose("after", 600),
	}}
	got := snippetsIn(p, "p", "")
	for _, s := range got {
		if err := soundSnippet(&s); err != nil {
			t.Errorf("%.60q cannot be put: %v", s.Content, err)
		}
	}
	if len(got) != 1 || got[0].Breadcrumb != "Docs\uFFFD > A" || !strings.HasPrefix(got[0].Content, "before\uFFFD\n\n```xxx") || !strings.HasSuffix(got[0].Content, "f()\n```\n\nafter") {
		t.Errorf("%d snippets: %.200q", len(got), got[0].Content)
	}
}

// Whatever the page: code is whole, in order and only once; every word is there;
// and only a single block of code is longer than a snippet may be.
func TestSnippetsKeepAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[a-zé`|#.]{1,12}")
		text := rapid.Custom(func(t *rapid.T) string {
			n := rapid.SampledFrom([]int{1, 3, 30, 600}).Draw(t, "words")
			sep := rapid.SampledFrom([]string{" ", "\n", "\n\n", ". "}).Draw(t, "between")
			return strings.Join(rapid.SliceOfN(word, n, n).Draw(t, "text"), sep)
		})
		var blocks []markup.Block
		var codes, words []string
		for i := range rapid.IntRange(0, 12).Draw(t, "blocks") {
			b := markup.Block{Kind: markup.Kind(rapid.IntRange(0, 3).Draw(t, "kind")), Text: text.Draw(t, "block"), Line: i + 1}
			switch b.Kind {
			case markup.Heading:
				b.Level = rapid.IntRange(1, 6).Draw(t, "level")
			case markup.Code:
				b.Text = strings.Trim(b.Text, "\n")
				codes = append(codes, b.Text)
			case markup.Prose:
				words = append(words, strings.Fields(b.Text)...)
			}
			blocks = append(blocks, b)
		}
		var gotCodes []string
		var all strings.Builder
		for _, s := range snippetsIn(markup.Page{Blocks: blocks}, "page.md", "") {
			prose, found := partsOf(&s)
			for _, c := range found {
				gotCodes = append(gotCodes, c.Text)
			}
			all.WriteString(prose + "\n")
			if n := utf8.RuneCountInString(s.Content); n > maxChars && (prose != "" || len(found) != 1) {
				t.Fatalf("a snippet of %d characters: %q", n, s.Content)
			}
			if s.Title == "" || strings.TrimSpace(s.Content) == "" || s.Tokens <= 0 || s.Line <= 0 {
				t.Fatalf("%+v lacks something", s)
			}
		}
		if !slices.Equal(gotCodes, codes) {
			t.Fatalf("code is %q, want %q", gotCodes, codes)
		}
		have := strings.Fields(all.String())
		i := 0
		for _, w := range have {
			if i < len(words) && w == words[i] {
				i++
			}
		}
		if i < len(words) {
			t.Fatalf("%q is missing", words[i])
		}
	})
}

// codeBlock is a block of code of a snippet.
type codeBlock struct{ Lang, Text string }

// partsOf returns the prose and the code of a snippet apart.
func partsOf(s *Snippet) (prose string, code []codeBlock) {
	var b strings.Builder
	for rest := s.Content; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		ticks := fenceOf(line)
		if ticks == "" {
			b.WriteString(line)
			b.WriteByte('\n')
			rest = after
			continue
		}
		body, next, found := strings.Cut("\n"+after, "\n"+ticks+"\n")
		if !found {
			body, next = strings.TrimSuffix("\n"+after, "\n"+ticks), ""
		}
		code = append(code, codeBlock{line[len(ticks):], strings.TrimPrefix(body, "\n")})
		rest = strings.TrimPrefix(next, "\n")
	}
	return strings.TrimSpace(b.String()), code
}
