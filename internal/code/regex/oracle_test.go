package regex

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// slow is Each as one would write it first: package regexp, a line at a time.
func slow(pattern string, opt Options, text []byte) ([]Match, error) {
	if opt.Fixed {
		pattern = regexp.QuoteMeta(pattern)
	}
	if opt.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	var out []Match
	if opt.Multiline {
		spans, err := slowSpans("(?m)"+pattern, opt.Word, text)
		return slowLines(text, spans), err
	}
	for at, line := range lines(text) {
		spans, err := slowSpans(pattern, opt.Word, line)
		if err != nil {
			return nil, err
		}
		for i := range spans {
			spans[i].Start += at
			spans[i].End += at
		}
		out = append(out, slowLines(text, spans)...)
	}
	return out, nil
}

// lines yields the lines of text without their newlines.
func lines(text []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(text); {
			end := lineEnd(text, at)
			if !yield(at, text[at:end]) {
				return
			}
			at = end + 1
		}
	}
}

func slowSpans(pattern string, word bool, text []byte) ([]corpus.Span, error) {
	var out []corpus.Span
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	if !word {
		for _, at := range re.FindAllIndex(text, -1) {
			out = append(out, corpus.Span{Start: at[0], End: at[1]})
		}
		return out, nil
	}
	const notWord = `[^\pL\pM\p{Nd}\p{Nl}\p{Pc}\p{Other_Alphabetic}\p{Join_Control}]`
	last, pos := -1, 0
	for n, at := 0, 0; at <= len(text); n++ {
		size := 1
		if at < len(text) {
			_, size = utf8.DecodeRune(text[at:])
		}
		if before, k := utf8.DecodeLastRune(text[:at]); at >= pos && (k == 0 || !isWord(before)) {
			re, err := regexp.Compile(fmt.Sprintf(`\A(?s:.{%d})(%s)(?:\z|%s)`, n, pattern, notWord))
			if err != nil {
				return nil, err
			}
			if m := re.FindSubmatchIndex(text); m != nil && !(m[2] == m[3] && m[2] == last) {
				out = append(out, corpus.Span{Start: m[2], End: m[3]})
				last = m[3]
				pos = max(m[3], at+size*btoi(m[2] == m[3]))
			}
		}
		at += size
	}
	return out, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// slowLines places spans, and drops the matches of nothing that do not count.
func slowLines(text []byte, spans []corpus.Span) []Match {
	var all []Match
	for _, s := range spans {
		if s.Start == len(text) && (s.Start == 0 || text[s.Start-1] == '\n') {
			continue
		}
		m := Match{Span: s, Line: 1 + bytes.Count(text[:s.Start], []byte("\n"))}
		m.LineSpan.Start = bytes.LastIndexByte(text[:s.Start], '\n') + 1
		last := s.End
		if s.Len() > 0 {
			last--
		}
		m.LineSpan.End = lineEnd(text, last)
		all = append(all, m)
	}
	var out []Match
	for i, m := range all {
		counts := m.Len() > 0 || i == 0 || all[i-1].Len() > 0 || all[i-1].Line != m.Line
		for j, other := range all {
			if m.Len() == 0 && j != i && other.Len() > 0 &&
				other.LineSpan.Start <= m.Start && m.Start <= other.LineSpan.End {
				counts = false
			}
		}
		if counts {
			out = append(out, m)
		}
	}
	return out
}

// check holds Each, Match and Query to their promises on one text.
func check(t rapid.TB, pattern string, opt Options, text []byte) {
	t.Helper()
	p, err := Compile(pattern, opt)
	if err != nil {
		return
	}
	want, err := slow(pattern, opt, text)
	if err != nil {
		t.Skip(err)
	}
	p.limit = []int{maxMemory, 1, 100, 200}[len(text)%4] // it forgets more or less often
	var got []Match
	p.Each(text, func(m Match) bool { got = append(got, m); return true })
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("Compile(%q, %+v).Each(%q) = %v, want %v", pattern, opt, text, got, want)
	}
	if p.Match(text) != (len(want) > 0) {
		t.Fatalf("Compile(%q, %+v).Match(%q) = %v, with matches %v", pattern, opt, text, !(len(want) > 0), want)
	}
	var trigrams Set
	GramSet(text, &trigrams)
	if q := p.Query(); len(want) > 0 && !q.Match(trigrams.Has) {
		t.Fatalf("Compile(%q, %+v) matches %q, which lacks %v", pattern, opt, text, q)
	}
}

// patternOf draws a pattern of some depth.
func patternOf(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kinds := 4
		if depth > 0 {
			kinds = 12
		}
		sub := func() string { return patternOf(depth-1).Draw(t, "sub") }
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0, 1:
			return rapid.SampledFrom([]string{"a", "b", "ab", "foo", "sk", "K", "task", "é", "ſ", "_", "-", "x", "foobar", " ", "\u212a", "世界"}).Draw(t, "text")
		case 2:
			return rapid.SampledFrom([]string{".", `\w`, `\W`, `\d`, `\s`, `\S`, "[ab]", "[^a]", "[a-z]", "[^\n]", `[\s_]`, "[k-t]", "[ſs]", "[Aa]", `\pL`, `(?s:.)`, "[é-ü]", `[^\w\s]`, `\n`, `\x{fffd}`}).Draw(t, "class")
		case 3:
			return rapid.SampledFrom([]string{"^", "$", `\b`, `\B`, "", `\A`, `\z`, `(?-m:^)`, `(?-m:$)`}).Draw(t, "assertion")
		case 4:
			return "(" + sub() + "|" + sub() + ")"
		case 5:
			return "(?:" + sub() + ")" + rapid.SampledFrom([]string{"*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{2,}"}).Draw(t, "times")
		case 6:
			return "(?i:" + sub() + ")"
		case 7:
			return sub() + "|" + sub() + "|" + sub()
		}
		return sub() + sub()
	})
}

func textOf() *rapid.Generator[string] {
	pieces := []string{"a", "b", "A", "foo", "FOO", "bar", "foobar", "task", "sk", "k", "K", "s", "ſ", "\u212a", "é", "É", "_", "-", " ", "\n", "\n", "\r\n", "\t", ".", "x", "1", "\xff", "\xe2", "\x84\xaa", "\xc5", "\xbf", "世界", "界", "\u0301", "\x00", "�", "ab", "-foo-"}
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20), func(s []string) string { return strings.Join(s, "") })
}

func options(bits uint8) Options {
	return Options{IgnoreCase: bits&1 != 0, Fixed: bits&2 != 0, Word: bits&4 != 0, Multiline: bits&8 != 0}
}

func TestEachAgreesWithRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := patternOf(3).Draw(t, "pattern")
		opt := options(rapid.SampledFrom([]uint8{0, 0, 1, 4, 5, 8, 9, 12, 2, 3, 6, 7, 11}).Draw(t, "options"))
		for range 3 {
			check(t, pattern, opt, []byte(textOf().Draw(t, "text")))
		}
	})
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"foo|bar", `\bfoo\w+`, "(?i)task", "a.*?b", "[^x]+$", "^$", "", `\s+\n`, "(a|ab)(c|bcd)", `\d{2,}`, "é", "x*"} {
		for bits := range uint8(16) {
			f.Add(s, []byte("foo bar\n task TAſK é\xff\nxyz 123\r\n\nabcd"), bits)
		}
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, bits uint8) {
		opt := options(bits)
		if len(pattern) > 100 || len(text) > 300 || opt.Word && len(text) > 40 {
			return // the slow twin is slow
		}
		check(t, pattern, opt, text)
	})
}
