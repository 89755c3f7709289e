package regex

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// show writes a query with trigrams spelled by the first characters that fold so.
func show(q Query) string {
	var parts []string
	for _, g := range q.Trigrams {
		parts = append(parts, spell(g))
	}
	for _, sub := range q.Sub {
		parts = append(parts, show(sub))
	}
	switch q.Op {
	case All:
		return "all"
	case None:
		return "none"
	case And:
		return strings.Join(parts, " ")
	}
	return "(" + strings.Join(parts, "|") + ")"
}

func spell(g Gram) string {
	var b []byte
	for _, class := range []byte{byte(g >> 12), byte(g >> 6 & 63), byte(g & 63)} {
		for c := byte(0); ; c++ {
			if folds[c] == class && (c < 'A' || c > 'Z') {
				b = append(b, c)
				break
			}
		}
	}
	return strings.ReplaceAll(string(b), "\t", " ")
}

func TestQuery(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"", "all"},
		{"ab", "all"},
		{"abc", "abc"},
		{"Hello", "ell hel llo"},
		{"(?i)task", "ask tas"}, // also for taſK
		{"hello|world", "(ell hel llo|orl rld wor)"},
		{"abc|ab", "all"},
		{"abc|abcd|abcde", "abc"},
		{"abc|abd|abe", "(abc|abd|abe)"},
		{"a[bc]d", "(abd|acd)"},
		{"abc?d", "(abd|abc bcd)"},
		{"colou?r", "col olo (lor|lou our)"},
		{"(Read|Write)(Byte|Rune)?", "(ead rea|ite rit wri)"},
		{"foo(bar|baz)qux", "foo oba oob qux (arq bar rqu|azq baz zqu)"},
		{"(foo|bar.*)baz", "baz (bar|foo)"},
		{"foo.*bar", "bar foo"},
		{"[a-z]foo", "foo"},
		{"foo[12]bar", "bar foo (oo1 o1b 1ba|oo2 o2b 2ba)"},
		{"foo[0-9][0-9]bar", "bar foo (oo0|oo1|oo2|oo3|oo4|oo5|oo6|oo7|oo8|oo9) (0ba|1ba|2ba|3ba|4ba|5ba|6ba|7ba|8ba|9ba)"},
		{"a.*bc[de]fg", "(bcd|bce) (cdf dfg|cef efg)"},
		{"pq(r(s.*))", "pqr qrs"},
		{"abc.|(def.|ghi.)", "(abc|def|ghi)"},
		{"(abc)+", "abc"},
		{"(abc)*", "all"},
		{"x{3,}", "xxx"},
		{`\bfoo\b`, "foo"},
		{`func \w+\(`, "fun nc  unc"},
		{"a.b.c", "all"},
		{`(?s)abc.def`, "abc def"},
		{`ab\x{fffd}`, "all"}, // also matches ab and a byte that is not UTF-8
		{"abc[^\\x00-\\x{10ffff}]", "none"},
	} {
		p, err := Compile(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(p.Query()); got != c.want {
			t.Errorf("Compile(%q).Query() = %s, want %s", c.pattern, got, c.want)
		}
	}
}

func TestQueryKnowsUnicodeFolds(t *testing.T) {
	for _, c := range []struct{ pattern, text string }{
		{"task", "taſk"}, {"task", "tas\u212a"}, {"MASK", "maſ\u212a"}, {"kelvin", "\u212aELVIN"},
		{"ſt", "ST"}, {"été", "ÉTÉ"}, {"Σίσυφος", "σίσυφοΣ"},
	} {
		for _, pattern := range []string{"(?i)" + c.pattern, c.text} {
			p, err := Compile(pattern, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var trigrams Set
			GramSet([]byte(c.text), &trigrams)
			if !p.Match([]byte(c.text)) || !p.Query().Match(trigrams.Has) {
				t.Errorf("Compile(%q): Match(%q) %v, query %s", pattern, c.text, p.Match([]byte(c.text)), show(p.Query()))
			}
		}
	}
}

func TestQueryStaysSmall(t *testing.T) {
	var words []string
	for range 5000 {
		words = append(words, strings.Repeat(string(rune('a'+rand.IntN(26))), 3)+string(rune(0x4e00+rand.IntN(20000)))+"xyz")
	}
	for _, pattern := range []string{strings.Join(words, "|"), strings.Repeat("[a-h][0-9]", 200), strings.Repeat("(ab?c?)", 200)} {
		p, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := p.Query().size(); n > maxQuery {
			t.Errorf("Compile(%.30q...).Query() has %d trigrams, want at most %d", pattern, n, maxQuery)
		}
	}
}

func TestFold(t *testing.T) {
	for b := range 256 {
		if folds[byte(b)] > 63 {
			t.Errorf("folds[%q] = %d, want at most 63", byte(b), folds[byte(b)])
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		if folds[byte(c)] != folds[byte(c-32)] {
			t.Errorf("folds[%q] = %d, folds[%q] = %d", c, folds[byte(c)], c-32, folds[byte(c-32)])
		}
	}
	owner := map[byte]rune{}
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_.(){}[];:,=<>\"/-*#&+! \n" {
		if other, taken := owner[folds[byte(c)]]; taken {
			t.Errorf("folds[%q] = folds[%q]", c, other)
		}
		owner[folds[byte(c)]] = c
	}
	if folds['\t'] != folds[' '] || folds['\r'] != folds['\n'] {
		t.Error("blanks or line ends differ")
	}
}

func TestGramSet(t *testing.T) {
	var s Set
	for _, text := range []string{"", "ab", "abc", "abcabc", "Foo\tbar\r\n", "taſk\u212a", "\xff\xfe\x00日本語"} {
		want := map[Gram]bool{}
		plain := []byte(strings.NewReplacer("ſ", "s", "\u212a", "K").Replace(text))
		for i := 0; i+3 <= len(plain); i++ {
			want[Gram(folds[plain[i]])<<12|Gram(folds[plain[i+1]])<<6|Gram(folds[plain[i+2]])] = true
		}
		s.Reset()
		GramSet([]byte(text), &s)
		if len(s.Trigrams()) != len(want) {
			t.Errorf("GramSet(%q) has %d trigrams, want %d", text, len(s.Trigrams()), len(want))
		}
		for g := Gram(0); g < Trigrams; g++ {
			if s.Has(g) != want[g] {
				t.Errorf("GramSet(%q) has %q: %v", text, spell(g), s.Has(g))
			}
		}
	}
}
