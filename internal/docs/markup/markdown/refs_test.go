package markdown

import (
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func TestRefs(t *testing.T) {
	tests := []struct {
		name, doc string
		want      []markup.Ref
	}{
		{"links and images", "# T\n\nSee [a\nb](docs/a.md#x) and ![p](p.png).\n", []markup.Ref{{Kind: markup.Link, Target: "docs/a.md#x", Line: 3}, {Kind: markup.Image, Target: "p.png", Line: 4}}},
		{"a definition stands for its uses", "[a][r] and [b][r]\n\n[r]: x.md\n", []markup.Ref{{Kind: markup.Link, Target: "x.md", Line: 3}}},
		{"the first span of an item", "- **`--all`** as `x`\n- see `y`\n", []markup.Ref{
			{Kind: markup.Span, Target: "--all", Line: 1, First: true}, {Kind: markup.Span, Target: "x", Line: 1}, {Kind: markup.Span, Target: "y", Line: 2}}},
		{"the first span of a row", "| a | b |\n|---|---|\n| `k` | `v` |\n", []markup.Ref{{Kind: markup.Span, Target: "k", Line: 3, First: true}, {Kind: markup.Span, Target: "v", Line: 3}}},
		{"tags", "<p>\n<img src=\"l.png\">\n</p>\n\nHere <a id=\"m\"></a> and <a href='n.md'>n</a>.\n", []markup.Ref{
			{Kind: markup.Image, Target: "l.png", Line: 2}, {Kind: markup.Mark, Target: "m", Line: 5}, {Kind: markup.Link, Target: "n.md", Line: 5}}},
		{"code has none", "```\n[a](b.md)\n```\n<!-- [c](d.md) -->\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.doc), markup.Options{Refs: true}).Refs; !slices.Equal(got, tt.want) {
				t.Errorf("Parse(%q).Refs = %+v, want %+v", tt.doc, got, tt.want)
			}
			if got := Parse([]byte(tt.doc), markup.Options{}).Refs; got != nil {
				t.Errorf("unexpected refs: %+v", got)
			}
		})
	}
}
