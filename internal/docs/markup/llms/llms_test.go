package llms

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	page, links := Parse([]byte(`# FastHTML

> A *small*
> library.

Words [in between](https://x.y/no).

## Docs

- [Quick start](https://x.y/start.md): how to begin
- [A [b] c](/docs/a_(b).md "T") - a note
* https://x.y/bare.md what it is
- no link
- [here](#there)

` + "```md\n- [sample](https://x.y/sample)\n```" + `

## Optional

1. [Extra](extra.md)
`))
	want := []Link{
		{Title: "Quick start", URL: "https://x.y/start.md", Note: "how to begin", Section: "Docs", Line: 10},
		{Title: "A [b] c", URL: "/docs/a_(b).md", Note: "a note", Section: "Docs", Line: 11},
		{Title: "https://x.y/bare.md", URL: "https://x.y/bare.md", Note: "what it is", Section: "Docs", Line: 12},
		{Title: "Extra", URL: "extra.md", Section: "Optional", Optional: true, Line: 22},
	}
	if d := cmp.Diff(want, links); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
	if page.Title != "FastHTML" || page.Description != "A *small* library." || len(page.Blocks) != 10 {
		t.Errorf("page = %q, %q, %d blocks, want FastHTML, its summary, 10 blocks", page.Title, page.Description, len(page.Blocks))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# a\n> b\n- [c](d): e\n- <https://f> g")
	f.Fuzz(func(t *testing.T, src string) {
		_, links := Parse([]byte(src))
		valid := strings.ToValidUTF8(src, "\uFFFD")
		for _, l := range links {
			if l.URL == "" || !strings.Contains(valid, l.URL) || !strings.Contains(strings.ReplaceAll(valid, "\r\n", "\n"), l.Note) {
				t.Errorf("link %+v is not quoted from %q", l, src)
			}
		}
	})
}
