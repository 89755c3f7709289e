// Package markuptest holds what reads markup to what its pages say, and to what every reader promises.
package markuptest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/docs/markup"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A Reader reads a page.
type Reader func(src []byte) markup.Page

// A Case is a page and how Show writes it.
type Case = struct{ Name, Source, Want string }

// Show writes a page for people: a line a block.
func Show(page markup.Page) string {
	var b strings.Builder
	for _, k := range page.Blocks {
		text := strings.ReplaceAll(k.Text, "\n", "\n  ")
		switch k.Kind {
		case markup.Heading:
			fmt.Fprintf(&b, "%d h%d %s #%s\n", k.Line, k.Level, text, k.Anchor)
		case markup.Code:
			fmt.Fprintf(&b, "%d code %s\n  %s\n", k.Line, k.Lang, text)
		case markup.Table:
			fmt.Fprintf(&b, "%d table\n  %s\n", k.Line, text)
		default:
			fmt.Fprintf(&b, "%d %s\n", k.Line, text)
		}
	}
	return b.String()
}

// Cases reads each case.
func Cases(t *testing.T, read Reader, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if got := Show(read([]byte(c.Source))); got != c.Want {
			t.Errorf("%s: Parse(%q) =\n%s\nwant\n%s", c.Name, c.Source, got, c.Want)
		}
	}
}

// Golden compares each page of testdata that has an ending with the file beside it; -update
// rewrites these.
func Golden(t *testing.T, ending string, read Reader) {
	t.Helper()
	pages, err := filepath.Glob("testdata/*" + ending)
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, name := range pages {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page := read(src)
		got := fmt.Sprintf("%s: %s\n%s", page.Title, page.Description, Show(page))
		golden := strings.TrimSuffix(name, ending) + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: Parse =\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Promises holds a page to what every reader promises: text is UTF-8, lines are of the source,
// headings have a level, and there are at most so many bytes of text.
func Promises(t *testing.T, src []byte, page markup.Page, most int) {
	t.Helper()
	size, lines := 0, strings.Count(string(src), "\n")+1
	for _, b := range page.Blocks {
		size += len(b.Text)
		if !utf8.ValidString(b.Text) {
			t.Errorf("block %q is not UTF-8", b.Text)
		}
		if b.Line < 1 || b.Line > lines {
			t.Errorf("line %d of %d", b.Line, lines)
		}
		if b.Kind == markup.Heading && b.Level < 1 {
			t.Errorf("heading %q of level %d", b.Text, b.Level)
		}
	}
	if size > most {
		t.Errorf("%d bytes out of %d", size, len(src))
	}
}

// Linear reads each piece over and over, up to so many bytes: what is ten times as long may not
// take a hundred times as long.
func Linear(t *testing.T, bytes int, pieces []string, read func(t *testing.T, src []byte)) {
	t.Helper()
	for _, s := range pieces {
		if err := testaid.Linear(bytes, func(n int) { read(t, []byte(strings.Repeat(s, n/len(s)))) }); err != nil {
			t.Errorf("%q over and over: %v", s, err)
		}
	}
}
