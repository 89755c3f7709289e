package flow

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func TestFlow(t *testing.T) {
	var f Flow
	f.Para("one", 1)
	f.Lead("Note: ", 2)
	f.Para("two", 3)
	f.Open()
	f.Item("- ", false, 4)
	f.Para("a", 4)
	f.Para("more", 5)
	f.Open()
	f.Item("1. ", false, 6)
	f.Para("b\nc", 6)
	f.Shut()
	f.Item("- term: ", true, 7)
	f.Item("- ", false, 8)
	f.Add(markup.Block{Kind: markup.Code, Text: "x", Line: 8})
	f.Para("after", 9)
	f.Shut()
	f.Table([][]string{{"a", "", "b"}, {"", ""}, {"c", ""}}, 10)
	f.Lead("Alone: ", 11)
	page := f.Page()
	want := []markup.Block{
		{Text: "one", Line: 1}, {Text: "Note: two", Line: 2},
		{Text: "- a\n\n  more\n\n  1. b\n    c\n\n- term", Line: 4},
		{Kind: markup.Code, Text: "x", Line: 8}, {Text: "after", Line: 9},
		{Kind: markup.Table, Text: "a |  | b\nc", Line: 10}, {Text: "Alone:", Line: 11},
	}
	for i, b := range page.Blocks {
		if i >= len(want) || b != want[i] {
			t.Errorf("block %d = %+v, want one of %+v", i, b, want)
		}
	}
	if len(page.Blocks) != len(want) {
		t.Errorf("%d blocks, want %d", len(page.Blocks), len(want))
	}
}

// A long list becomes several blocks, of which each begins with an item.
func TestLongList(t *testing.T) {
	var f Flow
	f.Open()
	for i := range 100 {
		f.Item("- ", false, i+1)
		f.Para(strings.Repeat("word ", 10), i+1)
	}
	f.Shut()
	blocks := f.Page().Blocks
	for _, b := range blocks {
		if !strings.HasPrefix(b.Text, "- ") || len(b.Text) > tidy+100 {
			t.Errorf("block of %d bytes: %q", len(b.Text), b.Text)
		}
	}
	if len(blocks) < 3 {
		t.Errorf("%d blocks", len(blocks))
	}
}
