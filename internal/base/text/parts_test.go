package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestParts(t *testing.T) {
	for word, want := range map[string][]string{
		"": nil, "_": nil, "word": {"word"}, "getURLPath_v2": {"get", "URL", "Path", "v", "2"}, "HTTPServer2": {"HTTP", "Server", "2"}, "__init__": {"init"},
		"useEffect": {"use", "Effect"}, "ABC": {"ABC"}, "aB": {"a", "B"}, "x86_64": {"x", "86", "64"}, "größeÄndern": {"größe", "Ändern"}, "2D": {"2", "D"},
	} {
		if got := Parts(word); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// slowParts is the slow and obvious way, a character at a time.
func slowParts(word string) (parts []string) {
	const (
		none = iota
		lower
		upper
		digit
	)
	class := func(r rune) int {
		switch {
		case r == '_':
			return none
		case unicode.IsDigit(r):
			return digit
		case unicode.IsUpper(r):
			return upper
		}
		return lower
	}
	runes := []rune(word)
	start := 0
	end := func(i int) {
		if i > start {
			parts = append(parts, string(runes[start:i]))
		}
		start = i
	}
	for i, r := range runes {
		c := class(r)
		if c == none {
			end(i)
			start = i + 1
			continue
		}
		if i == start {
			continue
		}
		switch p := class(runes[i-1]); {
		case c == lower && p == upper && i-1 > start:
			end(i - 1) // HTTPServer: the last capital begins the next part
		case c == upper && p != upper, (c == digit) != (p == digit):
			end(i)
		}
	}
	end(len(runes))
	return parts
}

func FuzzParts(f *testing.F) {
	for _, s := range []string{"getURLPath_v2", "HTTPServer2", "__a__", "aB1cÄéX", "ABCd", "1a2B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		if got, want := Parts(s), slowParts(s); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}
