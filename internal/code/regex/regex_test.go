package regex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// quote writes matches as line:text, with the text of the lines if it spans some.
func quote(text string, ms []Match) string {
	var out []string
	for _, m := range ms {
		s := fmt.Sprintf("%d:%s", m.Line, text[m.Start:m.End])
		if line := text[m.LineSpan.Start:m.LineSpan.End]; strings.Contains(line, "\n") {
			s += "<" + line + ">"
		}
		out = append(out, s)
	}
	return strings.ReplaceAll(strings.Join(out, ", "), "\n", "␤")
}

type eachCase struct{ flags, pattern, text, want string }

func TestEachLines(t *testing.T) {
	testEach(t, []eachCase{
		// Lines.
		{"", "a", "a ba\nb\na", "1:a, 1:a, 3:a"},
		{"", "^a|b$", "ab\nb\nca", "1:a, 1:b, 2:b"},
		{"", `a\s+b`, "a\nb a  b", "2:a  b"},
		{"", `a[^x]b`, "a\nb a-b", "2:a-b"},
		{"", `(?s)a.*b`, "a\nb\na.b", "3:a.b"},
		{"", `\Ab|c\z`, "b\nb\nc\nbc", "1:b, 2:b, 3:c, 4:b, 4:c"},
		{"", "b$", "a b\r\n", ""},
		{"", `b\s$`, "a b\r\n", "1:b\r"},
		{"", `b\r$`, "a b\r\n", "1:b\r"},
		// Matches of nothing.
		{"", "", "a\n\nb\n", "1:, 2:, 3:"},
		{"", "", "a", "1:"},
		{"", "", "", ""},
		{"", "^$", "a\n\n", "2:"},
		{"", "$", "a\nb", "1:, 2:"},
		{"", "x*", "axb\nyy\n\nx", "1:x, 2:, 3:, 4:x"},
		{"U", `\s*`, "a\n\n\nb\n", "1:␤␤␤<a␤␤>, 4:␤"},
		{"U", `\z`, "a\n", ""},
		{"U", `\z`, "a", "1:"},
		{"U", `b\n|x*`, "ab\nk\n", "1:b␤, 2:"},
		{"U", `b\n|x*`, "ab\n\nk", "1:b␤, 3:"},
		// Spanning lines.
		{"U", `b\nc|d`, "ab\ncd\n", "1:b␤c<ab␤cd>, 2:d"},
		{"U", `(?s)a.b|c.d`, "a\nb\nc\nd", "1:a␤b<a␤b>, 3:c␤d<c␤d>"},
		{"U", `a.b`, "a\nb", ""},
		{"U", `a[^x]b`, "a\nb", "1:a␤b<a␤b>"},
		{"U", `\Aa`, "a\na", "1:a"},
		{"FU", "b\nc", "ab\ncd", "1:b␤c<ab␤cd>"},
		// The preferred alternative, as Perl has it.
		{"", "foo|foobar", "foobar", "1:foo"},
		{"", "foobar|foo", "foobar foo", "1:foobar, 1:foo"},
		{"", "a+?|b", "aab", "1:a, 1:a, 1:b"},
		{"", "(?:a|^|.)*", "b", "1:"},
	})
}

func TestEachCaseAndWords(t *testing.T) {
	testEach(t, []eachCase{
		{"i", "straße", "STRAßE", "1:STRAßE"},
		{"i", "ask", "aſ\u212a ASK", "1:aſ\u212a, 1:ASK"},
		{"i", "É", "é", "1:é"},
		{"", "(?i)a(?-i)b", "Ab AB", "1:Ab"},
		{"S", "go", "Go", "1:Go"},
		{"S", "Go", "Go go", "1:Go"},
		{"S", `\Wgo`, "-GO", "1:-GO"},
		{"S", `\x47o`, "go Go", "1:Go"},
		{"S", `\pLo|[[:upper:]]x`, "GO", "1:GO"},
		{"S", `[^A]b`, "aB ab", "1:ab"},
		{"S", `\Qa.B`, "A.b a.B", "1:a.B"},
		{"S", `(?P<Name>x)`, "X", "1:X"},
		{"SF", `\Wx`, `\wX \Wx`, `1:\Wx`},
		// Words.
		{"w", "foo|foobar", "foobar foo-foo $foo foo_ éfoo", "1:foobar, 1:foo, 1:foo, 1:foo"},
		{"w", "na", "naïve na", "1:na"},
		{"w", "-1", "x-1 -1 -12", "1:-1"},
		{"w", "", "a b ab\n- x", "2:"},
		{"w", `\w*`, "a b\n- x", "1:a, 1:b, 2:x"},
		{"w", `=.`, "a == b=c =d", "1:==, 1:=d"},
		{"wF", "==", "====", "1:==, 1:=="},
		{"wF", "==", "a=== b", "1:=="},
		{"w", "f.o", "éfoo foo foé", "1:foo"},
		{"wU", `a\nb`, "a\nb\na\nbc", "1:a␤b<a␤b>"},
		{"wi", "ſk", "SK SKA", "1:SK"},
	})
}

func TestEachLiterals(t *testing.T) {
	testEach(t, []eachCase{
		// Literals that are not all there is.
		{"", "(?i:x)[AB]", "xa xB", "1:xB"},
		{"", "(?i:x)[ab]", "XA Xb", "1:Xb"},
		{"", `\w(foo\w+)`, "afoob", "1:afoob"},
		{"", `foo\w+|\wbar\w`, "xbary", "1:xbary"},
		{"", "xb", strings.Repeat("xa", 50) + "xb", "1:xb"},
		{"", `x\w*q\d`, strings.Repeat("xa", 50) + " xq1", "1:xq1"},
		// Plain text.
		{"F", "a.b(", "axb( a.b(", "1:a.b("},
		{"", "a|bc|d", "xbcad", "1:bc, 1:a, 1:d"},
		{"", "aba", "ababa", "1:aba"},
		// Bytes that are not UTF-8.
		{"", "a.b", "a\xffb a\xe4\xb8b", "1:a\xffb"},
		{"", "a..b", "a\xe4\xb8b", "1:a\xe4\xb8b"},
		{"", `a\x{fffd}b`, "a\xffb", "1:a\xffb"},
		{"", "a[^b]b", "a\xc3b", "1:a\xc3b"},
	})
}

func testEach(t *testing.T, cases []eachCase) {
	t.Helper()
	for _, c := range cases {
		p, err := Compile(c.pattern, flags(c.flags))
		if err != nil {
			t.Fatal(err)
		}
		var ms []Match
		p.Each([]byte(c.text), func(m Match) bool { ms = append(ms, m); return true })
		if got := quote(c.text, ms); got != c.want {
			t.Errorf("-%s %q in %q: %s, want %s", c.flags, c.pattern, c.text, got, c.want)
		}
		if got := p.Match([]byte(c.text)); got != (c.want != "") {
			t.Errorf("-%s %q: Match(%q) = %v", c.flags, c.pattern, c.text, got)
		}
	}
}

func flags(s string) Options {
	return Options{
		IgnoreCase: strings.Contains(s, "i"), SmartCase: strings.Contains(s, "S"), Fixed: strings.Contains(s, "F"),
		Word: strings.Contains(s, "w"), Multiline: strings.Contains(s, "U"),
	}
}

func TestEachStops(t *testing.T) {
	for _, pattern := range []string{"a", "a|b", "[ab]", "x*", "", "a+"} {
		p, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		p.Each([]byte("a\nb\na\nb\n"), func(Match) bool { n++; return n < 2 })
		if n != 2 {
			t.Errorf("%q: %d matches, want to stop at 2", pattern, n)
		}
	}
}

func TestCompileSaysWhatIsWrong(t *testing.T) {
	const plain = "for plain text use --fixed-strings"
	for _, c := range []struct{ pattern, want, hint string }{
		{"foo(", "pattern `foo(`, character 4: missing closing )", plain},
		{"foo)", "pattern `foo)`, character 4: unexpected )", plain},
		{`é(a\)[(]`, "pattern `é(a\\)[(]`, character 2: missing closing )", plain},
		{"é[a-", "pattern `é[a-`, character 2: missing closing ] [a-", plain},
		{"a[z-a]", "pattern `a[z-a]`, character 3: invalid character class range z-a", plain},
		{"*a", "pattern `*a`, character 1: missing argument to repetition operator *", plain},
		{`ab\`, "pattern `ab\\`, character 3: trailing backslash at end of expression", plain},
		{"a(?!b)", "pattern `a(?!b)`, character 2: no look-ahead, look-behind or atomic groups in RE2: (?!", "match more and read the hits, or " + plain},
		{"(?<=a)b", "pattern `(?<=a)b`, character 1: no look-ahead, look-behind or atomic groups in RE2: (?<=", "match more and read the hits, or " + plain},
		{`(a)\1`, "pattern `(a)\\1`, character 4: no back-references in RE2: \\1", "write the repeated text out, or " + plain},
		{`\u0041`, "pattern `\\u0041`, character 1: no escape \\u", `for a character by its number use \x{1F600}`},
		{`a{1001}`, "pattern `a{1001}`, character 2: invalid repeat count {1001}", "repeat at most 1000 times"},
		{"\xff", "pattern \"\\xff\", character 1: invalid UTF-8", "write the pattern in UTF-8"},
		{`a\nb`, "pattern `a\\nb` asks for a newline, and a match never leaves its line", "let matches span lines with --multiline"},
		{`ab|[\n]`, "pattern `ab|[\\n]` asks for a newline, and a match never leaves its line", "let matches span lines with --multiline"},
	} {
		_, err := Compile(c.pattern, Options{})
		if err == nil || err.Error() != c.want || fault.HintOf(err) != c.hint || fault.KindOf(err) != fault.Usage {
			t.Errorf("Compile(%q) = %v (%s), want %s (%s)", c.pattern, err, fault.HintOf(err), c.want, c.hint)
		}
		if _, err := Compile(c.pattern, Options{Fixed: true}); err != nil && c.pattern != "\xff" {
			t.Errorf("Compile(%q, Fixed) = %v", c.pattern, err)
		}
	}
}

func TestPatternServesManyGoroutines(t *testing.T) {
	p, err := Compile(`(\w+)Error\b|x{2,}`, Options{IgnoreCase: true})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("a parseError, xxx\nand no horror\n", 50))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			n := 0
			p.Each(text, func(Match) bool {
				n++
				return n > 1 || p.Match(text[:100]) // and one inside another
			})
			if n != 100 {
				t.Errorf("%d matches, want 100", n)
			}
		})
	}
	wg.Wait()
}

// Patterns and texts that are slow in one engine or another are linear here.
func TestEachIsLinear(t *testing.T) {
	ab := make([]byte, 1<<19)
	for i := range ab {
		ab[i] = "ab"[rand.IntN(2)]
	}
	for _, c := range []struct {
		flags, pattern string
		text           []byte
	}{
		{"", "(a*)*[^ab]", ab},
		{"", "(a|b)*a(a|b){18}[^ab]", ab},
		{"", strings.Repeat("a?", 30) + strings.Repeat("a", 30) + "[^ab]", ab},
		{"U", "(?s)(a.*b)+[^ab]", ab},
		{"", "ab", ab},
		{"i", "ab", ab},
		{"w", "a|b", ab},
		{"F", strings.Repeat("ab", 100) + "c" + strings.Repeat("ab", 100), ab},
		{"", "a{1000}", []byte(strings.Repeat("a", len(ab)))},
	} {
		p, err := Compile(c.pattern, flags(c.flags))
		if err != nil {
			t.Fatal(err)
		}
		if err := testaid.Linear(len(c.text), func(n int) { p.Each(c.text[:n], func(Match) bool { return true }) }); err != nil {
			t.Errorf("-%s %.40q: %v", c.flags, c.pattern, err)
		}
	}
}
