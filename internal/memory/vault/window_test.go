package vault

import (
	"fmt"
	"strings"
	"testing"
)

func TestWindows(t *testing.T) {
	section := func(name string, lines int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n", name)
		for i := range lines {
			fmt.Fprintf(&b, "Line %d of the section says something of its own.\n", i)
		}
		return b.String()
	}
	text := section("2025-03-02 Standup", 20) + "## Details\n" + section("Second", 50)
	got := windows(strings.Split(text, "\n"), 1, 400, 80)
	if len(got) < 3 {
		t.Fatalf("%d windows", len(got))
	}
	if got[0].heading != "2025-03-02 Standup" || timeOf(got[0].day).Format("2006-01-02") != "2025-03-02" {
		t.Errorf("the first window is under %q of day %d", got[0].heading, got[0].day)
	}
	// A heading parts windows where there is one in time; then nothing is repeated.
	if got[1].first != got[0].last+1 && got[1].first != got[0].last+2 {
		t.Errorf("the second window begins at line %d, the first ends at %d", got[1].first, got[0].last)
	}
	last := got[len(got)-1]
	before := got[len(got)-2]
	if last.heading != "Second" || last.day != 0 || last.first > before.last {
		t.Errorf("the last window %d-%d is under %q, the one before ends at %d", last.first, last.last, last.heading, before.last)
	}
	if n := windows(nil, 1, 400, 80); n != nil {
		t.Error("windows of nothing")
	}
	if n := windows([]string{"", "  ", ""}, 1, 400, 80); n != nil {
		t.Error("windows of blank lines")
	}
	one := windows([]string{"", "a", "", "b", ""}, 10, 400, 80)
	if len(one) != 1 || one[0].first != 11 || one[0].last != 13 || one[0].text != "a\n\nb" {
		t.Errorf("%+v", one)
	}
	code := windows(strings.Split("# Top\n```sh\n# a comment\nx\n```\ntext", "\n"), 1, 20, 0)
	if h := code[len(code)-1].heading; h != "Top" {
		t.Errorf("a comment in code became the heading %q", h)
	}
}

func TestLargeNote(t *testing.T) {
	text := strings.Repeat("word and another word, ", 60_000) // 1.4 MB in one line
	got := windows([]string{"# Big", text}, 1, 400, 80)
	if len(got) < 500 {
		t.Errorf("%d windows of %d bytes", len(got), len(text))
	}
}

// Whatever the input, the windows are in order, quote their lines, hold about
// the tokens asked for at most, and omit blank lines alone.
func FuzzWindows(f *testing.F) {
	f.Add("# A\n\ntext\nmore text\n", 100, 20)
	f.Add(strings.Repeat("word ", 300)+"\nx", 40, 10)
	f.Add("```\n# a\n```\n~~~\n日本語のテキスト\n", 20, 15)
	f.Add(strings.Repeat("日", 300), 30, 10)
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		text = strings.ToValidUTF8(text, "?")
		size, overlap = 32+abs(size)%500, abs(overlap)%300
		lines := strings.Split(text, "\n")
		seen := make([]bool, len(lines))
		before := 0
		for _, w := range windows(lines, 1, size, overlap) {
			if w.first < before || w.last < w.first || w.last > len(lines) {
				t.Fatalf("a window of lines %d-%d after one that begins at %d, of %d lines", w.first, w.last, before, len(lines))
			}
			before = w.first
			if strings.TrimSpace(w.text) == "" {
				t.Fatal("a blank window")
			}
			if all := strings.Join(lines[w.first-1:w.last], "\n"); w.text != all && (w.first != w.last || !strings.Contains(all, w.text)) {
				t.Fatalf("lines %d-%d are %q, the window says %q", w.first, w.last, all, w.text)
			}
			// Line ends between lines may cost one each, and so may each cut.
			if n := Tokens(w.text); n > size*5/4+2*(w.last-w.first)+4 {
				t.Fatalf("a window of %d tokens, at most %d were asked for: %q", n, size, w.text)
			}
			for i := w.first; i <= w.last; i++ {
				seen[i-1] = true
			}
		}
		for i, line := range lines {
			if !seen[i] && strings.TrimSpace(line) != "" {
				t.Fatalf("line %d is in no window: %q", i+1, line)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
