package text

import (
	"slices"
	"strings"
	"testing"
)

// A name that is three edits away is another name, however long it is, and of a name of
// three letters one may differ.
func TestNearestLimits(t *testing.T) {
	for _, c := range []struct{ word, name, want string }{
		{"abcdefgxy", "abcdefghi", "abcdefghi"},
		{"abcdefxyz", "abcdefghi", ""},
		{"abd", "abc", "abc"},
		{"ad", "ab", "ab"},
		{"xbcdy", "abcde", ""},
	} {
		if got := Nearest(c.word, []string{c.name}); got != c.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", c.word, c.name, got, c.want)
		}
	}
	if got := Nearest("abcd", []string{"abce", "abcf"}); got != "abce" {
		t.Errorf("of two as near: %q, want the first", got)
	}
}

// A name in its exact form keeps its case and marks, is no term of any text, and is told from
// others by its first 64 bytes.
func TestExact(t *testing.T) {
	long := strings.Repeat("n", 64)
	for name, want := range map[string]string{"getURL_v2": "=getURL_v2", "größe": "=größe", "": "=", long: "=" + long, long + "x": "=" + long} {
		if got := Exact(name); got != want {
			t.Errorf("Exact(%q) = %q, want %q", name, got, want)
		}
	}
	if got := string(AppendExact([]byte("a"), "b")); got != "a=b" {
		t.Errorf("appended to a: %q", got)
	}
}

// Words of 64 letters are stemmed, longer ones stay as they are: they are no words.
func TestPorterLimits(t *testing.T) {
	long := strings.Repeat("b", 59)
	if got := porter(long + "acats"); got != long+"acat" {
		t.Errorf("of 64 letters: %q", got)
	}
	if got, want := porter(long+"bacats"), long+"bacats"; got != want {
		t.Errorf("of 65 letters: %q", got)
	}
	if got := porter("as"); got != "as" {
		t.Errorf("of two letters: %q", got)
	}
}

// A run of 64 bytes is a word, and one byte more is data.
func TestLongestWord(t *testing.T) {
	for _, n := range []int{maxWord - 1, maxWord, maxWord + 1} {
		word := strings.Repeat("q", n)
		var got []string
		Words([]byte("a "+word+" z"), func(w []byte) { got = append(got, string(w)) })
		if slices.Contains(got, word) != (n <= 64) {
			t.Errorf("of %d bytes: %q", n, got)
		}
	}
}
