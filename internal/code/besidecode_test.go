package code_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
)

// rustStore is a file whose tests have the words of a question more often than what they test.
func rustStore() map[string]string {
	return map[string]string{"Cargo.toml": "[package]\nname = \"t\"\n", "src/lib.rs": `pub struct Store { items: Vec<String> }

impl Store {
    /// Keeps an item.
    pub fn keep_item(&mut self, item: &str) { self.items.push(item.to_owned()); }
}
` + strings.Repeat("\n// A line of no matter.\nconst fn nothing() {}\n", 60) + `
#[cfg(test)]
mod tests {
    #[test]
    fn keep_item_keeps_the_item_in_the_store() {
        let store_keeps_item = keep_item(item);
        assert!(store.keep_item(item).keeps(item));
    }
}
`}
}

// TestNoTestsBesideCode holds that a search without tests shows none that stand beside the code, and that
// one for tests shows them.
func TestNoTestsBesideCode(t *testing.T) {
	_, ask := piped(t, rustStore())
	const testLine = 180 // and further down
	const in, test = "pub fn keep_item(", "fn keep_item_keeps_the_item_in_the_store"
	for _, c := range []struct {
		name, query string
		noTests     bool
		want, not   string
	}{
		{"without tests", "how does the store keep an item", true, in, test},
		{"code first", "how does the store keep an item", false, in, ""},
		{"tests asked for", "test that the store keeps the item", false, test, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, said := ask(code.SearchInput{Query: c.query, NoTests: c.noTests, Budget: new(400)})
			if first := a.Hits[0].Span.LineStart < testLine; first != (c.want == in) {
				t.Errorf("the first hit is of the code: %v, at %+v", first, a.Hits[0].Span)
			}
			for _, h := range a.Hits {
				if c.noTests && strings.HasSuffix(h.Path, "lib.rs") && h.Span.LineStart >= testLine {
					t.Errorf("a test is a hit: %+v", h.Span)
				}
			}
			if !strings.Contains(said, c.want) || c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("want %q and not %q in\n%s", c.want, c.not, said)
			}
		})
	}
}

// TestPatternNoTests holds the same of a pattern, and that other lines of the file are found.
func TestPatternNoTests(t *testing.T) {
	_, ask := piped(t, rustStore())
	for _, c := range []struct {
		noTests bool
		want    int
	}{{false, 4}, {true, 1}} {
		t.Run(fmt.Sprint(c.noTests), func(t *testing.T) {
			if a, said := ask(code.SearchInput{Query: "keep_item", Regex: true, NoTests: c.noTests}); len(a.Hits) != c.want {
				t.Errorf("%d lines, want %d:\n%s", len(a.Hits), c.want, said)
			}
		})
	}
}
