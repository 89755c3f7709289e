package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "a\r\nb\r\n": "a\nb\n", "a\r": "a", "a\rb": "a<U+000D>b",
		"\x1b[2Jx": "<U+001B>[2Jx", "\x1b]0;title\a": "<U+001B>]0;title<U+0007>", "\u009b2J": "<U+009B>2J", "\x7f": "<U+007F>",
		"if \u202e x \u2066": "if <U+202E> x <U+2066>", "a\u200bb\u200f": "a<U+200B>b<U+200F>", "\ufeffx": "<U+FEFF>x", "\U000e0041": "<U+E0041>", "\u2028": "<U+2028>",
		"👩\u200d💻 می\u200cخواهم": "👩\u200d💻 می\u200cخواهم", "a\xffb\xe9\xff": "a<0xFF>b<0xE9><0xFF>", "\uFFFD\xef\xbf": "\uFFFD<0xEF><0xBF>", "": "",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]bool{"a b\t.go": true, "größe": true, "": true, "a\nb": false, "a\u202eb": false, "a\xff": false, "a\r": false} {
		if got := IsLine(in); got != want {
			t.Errorf("IsLine(%q) = %t, want %t", in, got, want)
		}
	}
	if got, want := VisiblePainted("\x1b[1m\x1b[36ma\u202e\x1b[0m\x1b[2J\x1b[38;5;1mx"), "\x1b[1m\x1b[36ma<U+202E>\x1b[0m<U+001B>[2J<U+001B>[38;5;1mx"; got != want {
		t.Errorf("VisiblePainted = %q, want %q", got, want)
	}
}

// Exactly these characters are shown by their numbers.
func TestHidden(t *testing.T) {
	var got []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		first := r
		for hidden(r) {
			r++
		}
		if r > first {
			got = append(got, fmt.Sprintf("%x-%x", first, r-1))
		}
	}
	want := "0-8 b-1f 7f-9f 61c-61c 180e-180e 200b-200b 200e-200f 2028-202e 2060-2064 2066-206f feff-feff fff9-fffb e0000-e007f"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("hidden are %s,\nwant %s", got, want)
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "a\nb\x1b": "a<U+000A>b<U+001B>", "": ""} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	for number, want := range map[int]string{1: "x\ufeff", 2: "\ufeffx\ufeff"} {
		if got := Unmarked("\ufeffx\ufeff", number); got != want {
			t.Errorf("Unmarked as line %d = %q, want %q", number, got, want)
		}
	}
}

// What is painted keeps the colours that are set as ours are, and no other sequence.
func TestPainted(t *testing.T) {
	for in, kept := range map[string]bool{
		"\x1b[m": true, "\x1b[0m": true, "\x1b[31m": true, "\x1b[1;31m": true, "\x1b[01;31m": true,
		"\x1b[1;31;4m": false, "\x1b[131m": false, "\x1b[;1m": false, "\x1b[1;m": false, "\x1b[1": false, "\x1b[1x": false, "\x1b[-1m": false, "\x1b": false,
	} {
		want := in
		if !kept {
			want = strings.ReplaceAll(in, "\x1b", "<U+001B>")
		}
		if got := VisiblePainted("a" + in + "b"); got != "a"+want+"b" {
			t.Errorf("VisiblePainted(%q) = %q, want %q", "a"+in+"b", got, "a"+want+"b")
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[31mb\r\n\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Visible(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, hidden) >= 0 || Visible(got) != got {
			t.Errorf("Visible(%q) = %q", s, got)
		}
	})
}

func TestClip(t *testing.T) {
	for s, want := range map[string]string{"": "", "short": "short", "éééééé": "éééééé", "ééééééé": "ééééé…", "a bcd efg": "a bcd…"} {
		if got := Clip(s, 6); got != want {
			t.Errorf("Clip(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestLog(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "ends\n": "ends", "a\n::error ::b\r\n  c": "a\n  | ::error ::b\n  |   c",
		"x ##[add-mask]y ##vso[task.x]": "x ##<U+005B>add-mask]y ##vso<U+005B>task.x]", "# [a]": "# [a]",
	} {
		if got := Log(in); got != want {
			t.Errorf("Log(%q) = %q, want %q", in, got, want)
		}
	}
}
