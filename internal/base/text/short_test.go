package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What is cut is cut between characters, says so, and is no longer than it may be.
func TestShort(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"abc", 0, "…"},
		{"aäb", 2, "a…"}, {"aäb", 3, "aä…"}, {"ä\xffb", 2, "ä…"}, {"日本", 4, "日…"},
	} {
		if got := Short(tt.s, tt.n); got != tt.want {
			t.Errorf("Short(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{" a \n\t b ", 3, "a b"}, {"a  b  c", 3, "a b…"}, {"日本語", 2, "日本…"}, {"日本語", 3, "日本語"}, {" \n", 0, ""},
	} {
		if got := OneLine(tt.s, tt.n); got != tt.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
	if got := Short(strings.Repeat("日", 100), 200); !utf8.ValidString(got) || len(got) > 200+len("…") {
		t.Errorf("%q", got)
	}
}
