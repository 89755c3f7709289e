package library

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// What only names the code after it is no snippet.
func TestLabelStaysWithItsCode(t *testing.T) {
	for _, lines := range []int{3, 200} {
		page := markup.Page{Title: "State", Blocks: []markup.Block{
			{Kind: markup.Heading, Level: 2, Text: "Methods", Line: 1},
			{Kind: markup.Prose, Text: "`Signature`:", Line: 3},
			{Kind: markup.Code, Lang: "go", Text: strings.Repeat("func (s *State) Get(key string) (any, bool)\n", lines), Line: 3},
		}}
		for _, s := range snippetsIn(page, "a.md", "") {
			if !strings.Contains(s.Content, "func (s *State) Get") || !strings.Contains(s.Content, "Signature") {
				t.Errorf("with %d lines: %q", lines, s.Content)
			}
		}
	}
}
