package library

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// What a page of reStructuredText includes as Markdown is read as that.
func TestIncludeMarkdown(t *testing.T) {
	opt := markup.Options{Path: "docs/overview.rst", Include: func(string) ([]byte, error) {
		return []byte("## Use\n\nSee [this](x.md):\n\n```py\nrun()\n```\n"), nil
	}}
	p := Parse([]byte("Overview\n========\n\n.. include:: ../README.md\n   :parser: myst_parser.sphinx_\n"), RST, opt)
	var got []string
	for _, b := range p.Blocks {
		got = append(got, b.Lang+" "+strings.TrimSpace(b.Text))
	}
	if s := strings.Join(got, "|"); s != " Overview| Use| See this:|py run()" {
		t.Errorf("%q", s)
	}
}
