package render

import (
	"io"
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｱ": 1, "Ａ": 2, "🎉": 2, "한글": 4, "a\u200db": 2, "\x1b[1mab\x1b[0m": 2, "…": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		s          string
		most       int
		head, tail string
	}{
		{"internal/base", 20, "internal/base", "internal/base"},
		{"internal/base", 13, "internal/base", "internal/base"},
		{"internal/base", 8, "interna…", "…al/base"},
		{"日本語", 4, "日…", "…語"},
		{"日本語", 5, "日本…", "…本語"},
	} {
		if got := Head(tc.s, tc.most); got != tc.head {
			t.Errorf("Head(%q, %d) = %q, want %q", tc.s, tc.most, got, tc.head)
		}
		if got := Tail(tc.s, tc.most); got != tc.tail {
			t.Errorf("Tail(%q, %d) = %q, want %q", tc.s, tc.most, got, tc.tail)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name, line, hang string
		most             int
		want             string
	}{
		{"it fits", "# one two", "#   ", 9, "# one two"},
		{"any width", "# one two three", "#   ", 0, "# one two three"},
		{"one too long", "# one two", "#   ", 8, "# one\n#   two"},
		{"the first words keep their indentation", "  a bc de", "    ", 6, "  a bc\n    de"},
		{"a word that has no room stays whole", "# abcdefghij k", "# ", 6, "#\n# abcdefghij\n# k"},
		{"wide characters", "# 日本 日本", "# ", 8, "# 日本\n# 日本"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Wrap(tt.line, tt.most, tt.hang); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	var tab Table
	if !tab.Empty() {
		t.Error("a new table is not empty")
	}
	tab.Row("PLACE", "NAME", ">CALLS", "KIND")
	tab.Row("internal/subject/graph/calls.go:440", "a.very.long.name.of.a.function.indeed", 12, "")
	tab.Row("a.go:1", "日本\n", 7, "")
	whole := "" +
		"PLACE                                NAME                                   CALLS\n" +
		"internal/subject/graph/calls.go:440  a.very.long.name.of.a.function.indeed     12\n" +
		"a.go:1                               日本<U+000A>                               7\n"
	if got := tab.Text(0); got != whole {
		t.Errorf("as wide as it is:\n%s", got)
	}
	for most, want := range map[int]string{
		60: "" +
			"PLACE                                NAME              CALLS\n" +
			"internal/subject/graph/calls.go:440  a.very.long.nam…     12\n" +
			"a.go:1                               日本<U+000A>          7\n",
		40: "" + // the first cell is whole, and its row goes on below it
			"PLACE                NAME          CALLS\n" +
			"internal/subject/graph/calls.go:440\n" +
			"                     a.very.long…     12\n" +
			"a.go:1               日本<U+000A>      7\n",
	} {
		got := tab.Text(most)
		for line := range strings.Lines(got) {
			if n := Width(strings.TrimSuffix(line, "\n")); n > most {
				t.Errorf("%d columns of %d: %s", n, most, line)
			}
		}
		if got != want {
			t.Errorf("in %d columns:\n%s", most, got)
		}
	}
	// What cannot fit is broken by the terminal, and nothing of it is lost beyond that.
	if got := tab.Text(3); !strings.Contains(got, "12\n") {
		t.Errorf("in 3 columns:\n%s", got)
	}
}

// A table that is too wide loses columns from the right, and never a part of its first one.
func TestTableDropsColumns(t *testing.T) {
	rows := func(id string) *Table {
		var tab Table
		tab.Row("LIBRARY", "VERSION", ">PAGES", "INGESTED", "SOURCE")
		tab.Row(id, "3.15.2", 12, "2026-11-29", "https://github.com/encode/django-rest-framework")
		return &tab
	}
	tests := []struct {
		name, id, want string
		most           int
	}{
		{"room for all", "/a/b", "" +
			"LIBRARY  VERSION  PAGES  INGESTED    SOURCE\n" +
			"/a/b     3.15.2      12  2026-11-29  …b.com/encode/django-rest-framework\n", 72},
		{"as wide as it is", "/a/b", "" +
			"LIBRARY  VERSION  PAGES  INGESTED    SOURCE\n" +
			"/a/b     3.15.2      12  2026-11-29  https://github.com/encode/django-rest-framework\n", 0},
		{"one is dropped", "/encode/django-rest-framework", "" +
			"LIBRARY                        VERSION  PAGES  INGESTED\n" +
			"/encode/django-rest-framework  3.15.2      12  2026-11-29\n" +
			"# no room for SOURCE: a wider terminal or --json has it\n", 60},
		{"a path is not cut to its last letters: another is dropped", "/a/django-rest-framework", "" +
			"LIBRARY                   VERSION  PAGES  INGESTED\n" +
			"/a/django-rest-framework  3.15.2      12  2026-11-29\n" +
			"# no room for SOURCE: a wider terminal or --json has it\n", 70},
		{"two are dropped, and the row goes on below", "/encode/django-rest-framework-documentation", "" +
			"LIBRARY                      VERSION  PAGES\n" +
			"/encode/django-rest-framework-documentation\n" +
			"                             3.15.2      12\n" +
			"# no room for INGESTED, SOURCE: a wider\n#   terminal or --json has it\n", 44},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := rows(tt.id).Text(tt.most); got != tt.want {
				t.Errorf("in %d columns:\n%s\nwant\n%s", tt.most, got, tt.want)
			}
		})
	}
}

type narrow struct{ io.Writer }

func (narrow) Columns() int { return 7 }

func TestColumns(t *testing.T) {
	if got := Columns(io.Discard); got != 0 {
		t.Errorf("a writer that is no terminal has %d columns", got)
	}
	if got := Columns(narrow{}); got != 7 {
		t.Errorf("Columns = %d", got)
	}
}
