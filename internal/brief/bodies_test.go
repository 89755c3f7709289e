package brief_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/brief"
)

// TestNoWordOfTask holds that a brief shows nothing in the place of an answer if no file has a word of the
// task, and that one word, or a guessed one, is enough for bodies.
func TestNoWordOfTask(t *testing.T) {
	f, _ := project(t, shop, false)
	for _, tt := range []struct {
		name, task string
		words      []string
		shown      bool
	}{
		{"no word", "zxqvw frobnicatorx", nil, false},
		{"one word", "zxqvw discount", nil, true},
		{"a guessed word", "zxqvw frobnicatorx", []string{"discount"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, said := ask(t, f, brief.Input{Task: tt.task, Words: tt.words})
			if (len(b.Where) > 0) != tt.shown || strings.Contains(said, "no file has a word of the task") == tt.shown {
				t.Errorf("files shown: %d, want any: %v\n%s", len(b.Where), tt.shown, said)
			}
		})
	}
}

// TestCallerFirst holds that a file that calls another that is shown comes before it, whichever of the two has
// more of the task's words.
func TestCallerFirst(t *testing.T) {
	const caller = "package app\n\nfunc Start() {\n\tdeliverParcel()\n}\n"
	const callee = "package app\n\n// deliverParcel: parcel, courier, parcel, courier.\nfunc deliverParcel() {\n\tprintln(\"courier parcel\")\n}\n"
	const apart = "package app\n\nfunc Start() {\n\tprintln(\"parcel\")\n}\n"
	for _, tt := range []struct {
		name, first string
		isFirst     string
	}{
		{"it calls the other", caller, "a.go"},
		{"it only has a word in common", apart, "b.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := project(t, fmt.Sprintf("-- go.mod --\nmodule example.com/app\n-- a.go --\n%s-- b.go --\n%s", tt.first, callee), false)
			b, said := ask(t, f, brief.Input{Task: "the courier of a parcel is late: deliverParcel"})
			if len(b.Where) != 2 || b.Where[0].File != tt.isFirst {
				t.Errorf("want two files, %s first\n%s", tt.isFirst, said)
			}
		})
	}
}

// TestFilesOfOneLine holds that likely files without room for their bodies are named with a line each, and no
// file twice.
func TestFilesOfOneLine(t *testing.T) {
	var files strings.Builder
	files.WriteString("-- go.mod --\nmodule example.com/app\n")
	for i := range 20 {
		fmt.Fprintf(&files, "-- parcel%d.go --\npackage app\n\nfunc SendParcel%d() {\n%s}\n", i, i, strings.Repeat("\tprintln(\"courier parcel\")\n", 30))
	}
	f, _ := project(t, files.String(), false)
	b, said := ask(t, f, brief.Input{Task: "the courier of a parcel is late", Tokens: 1200})
	seen, lines := map[string]bool{}, 0
	for _, w := range b.Where {
		if seen[w.File] {
			t.Errorf("%s is shown twice", w.File)
		}
		seen[w.File] = true
		if strings.Contains(said, "\n"+w.File+":3 func SendParcel") {
			lines++
		}
	}
	if lines == 0 || len(seen)-lines < 2 {
		t.Errorf("%d files, %d of them with a line alone\n%s", len(seen), lines, said)
	}
}

// TestTestsBesideCode holds that a brief shows the code, and names the tests that stand beside it as those that may
// break, not as callers.
func TestTestsBesideCode(t *testing.T) {
	f, _ := project(t, `
-- Cargo.toml --
[package]
name = "t"
-- src/lib.rs --
pub struct Store { items: Vec<String> }

impl Store {
    /// Keeps an item.
    pub fn keep_item(&mut self, item: &str) { self.items.push(item.to_owned()); }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keep_item_keeps_an_item() {
        let mut store = super::Store { items: vec![] };
        store.keep_item("item");
    }
}
`, false)
	_, said := ask(t, f, brief.Input{Task: "keep an item in the store twice"})
	for _, want := range []string{"pub fn keep_item(", "(test: 11 keep_item_keeps_an_item)"} {
		if !strings.Contains(said, want) {
			t.Errorf("want %q in\n%s", want, said)
		}
	}
	for _, not := range []string{"let mut store", "calls Store.keep_item"} {
		if strings.Contains(said, not) {
			t.Errorf("%q is in\n%s", not, said)
		}
	}
}
