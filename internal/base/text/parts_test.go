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
	if len(word) > maxWord {
		return []string{word}
	}
	var letters []string // each with its marks; those of none are omitted
	for _, r := range word {
		switch n := len(letters); {
		case !unicode.IsMark(r):
			letters = append(letters, string(r))
		case n > 0 && letters[n-1] != "_":
			letters[n-1] += string(r)
		}
	}
	classAt := func(i int) int { return class([]rune(letters[i])[0]) }
	start := 0
	end := func(i int) {
		if i > start {
			parts = append(parts, strings.Join(letters[start:i], ""))
		}
		start = i
	}
	for i := range letters {
		c := classAt(i)
		if c == none {
			end(i)
			start = i + 1
			continue
		}
		if i == start {
			continue
		}
		switch p := classAt(i - 1); {
		case c == lower && p == upper && i-1 > start:
			end(i - 1) // HTTPServer: the last capital begins the next part
		case c == upper && p != upper, (c == digit) != (p == digit):
			end(i)
		}
	}
	end(len(letters))
	return parts
}

func FuzzParts(f *testing.F) {
	for _, s := range []string{"getURLPath_v2", "HTTPServer2", "__a__", "aB1cÄéX", "ABCd", "1a2B", "AE\u0301b\u0301_\u0301C\u03011"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		if got, want := Parts(s), slowParts(s); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}
