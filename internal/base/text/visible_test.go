package text

import (
	"strings"
	"testing"
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
	if got, want := VisiblePainted("\x1b[1m\x1b[36ma\u202e\x1b[0m\x1b[2J\x1b[38;5;1mx"), "\x1b[1m\x1b[36ma<U+202E>\x1b[0m<U+001B>[2J<U+001B>[38;5;1mx"; got != want {
		t.Errorf("VisiblePainted = %q, want %q", got, want)
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
