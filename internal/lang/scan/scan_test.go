package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

var sample = New(Lexis{
	Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Letters: "$", Keywords: "if new await function",
	Strings: []String{{Open: `"`, Escape: '\\'}, {Open: "`", Escape: '\\', Lines: true, Interp: "${"}},
	Before:  []string{"new", "await"}, Postfix: "!", Generic: true,
})

func tokens(src string) string {
	var b strings.Builder
	sample.Read([]byte(src), func(s *Source) {
		for i := range s.Toks {
			fmt.Fprintf(&b, "%s|", s.Bytes(i))
		}
	})
	return b.String()
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a.b(1, \"x\\\"y\") // no\nc", `a|.|b|(|1|,|"x\"y"|)|c|`},
		{"`a ${b(`x`)} c` d", "`a |${|b|(|`x`|)|}| c`|d|"},
		{"x?.y => 1.5e-3 + 0x1F..2", "x|?.|y|=>|1.5e-3|+|0x1F|..|2|"},
		{"\"open\nnext", "\"open|next|"},
		{"/* never closed", ""},
		{"\xef\xbb\xbfif b", "if|b|"},
		{"\u00a0if é\u00a0b", "if|é|b|"},
	} {
		if got := tokens(c.src); got != c.want {
			t.Errorf("tokens of %q = %s, want %s", c.src, got, c.want)
		}
	}
}

// An expression that begins with the last sign of Interp has that sign.
func TestInterp(t *testing.T) {
	g := New(Lexis{Letters: "$", Strings: []String{{Open: `"`, Escape: '\\', Interp: "{$"}}})
	g.Read([]byte(`"a {b} {$c} d" e`), func(s *Source) {
		if got, want := fmt.Sprintf("%s|%s|%s|%s|%s", s.Bytes(0), s.Bytes(1), s.Bytes(2), s.Bytes(4), s.Bytes(5)), `"a {b} |{|$c| d"|e`; got != want {
			t.Errorf("tokens = %s, want %s", got, want)
		}
	})
}

func TestChains(t *testing.T) {
	for _, c := range []struct{ src, receiver, chain string }{
		{"HERE()", "", "HERE()"},
		{"a.b.HERE(1)", "a.b", "a.b.HERE()"},
		{"new A<B>(1, 2)[3].c!.HERE()", "A()[].c", "A()[].c.HERE()"},
		{"(await f(1)).HERE()", "f()", "f().HERE()"},
		{"`t`.HERE()", "?", ""},
		{"(a + b).HERE()", "?", "?.HERE()"},
		{"if (x) HERE()", "", ""},
		{"[1].HERE()", "?", ""},
		{"f()().HERE()", "f()()", "f()().HERE()"},
	} {
		sample.Read([]byte(c.src), func(s *Source) {
			at := -1
			for i := range s.Toks {
				if s.Is(i, "HERE") {
					at = i
				}
			}
			if got := s.Receiver(at); got != c.receiver {
				t.Errorf("receiver in %q = %q, want %q", c.src, got, c.receiver)
			}
			if got, _ := s.Chain(0); got != c.chain && c.chain != "" {
				t.Errorf("chain of %q = %q, want %q", c.src, got, c.chain)
			}
		})
	}
}

func TestDoc(t *testing.T) {
	src := "x // about x\n// one\n// two\nf()\n\n// far\n\ng()"
	sample.Read([]byte(src), func(s *Source) {
		if d := s.Doc(strings.Index(src, "f()")); src[d.Start:d.End] != "// one\n// two" {
			t.Errorf("the comment above f is %q", src[d.Start:d.End])
		}
		if d := s.Doc(strings.Index(src, "g()")); d != (corpus.Span{}) {
			t.Errorf("the comment above g is %q", src[d.Start:d.End])
		}
	})
}

// Parentheses in each other, and comments on one line, cost no more than their length.
func TestDeep(t *testing.T) {
	n := 100000
	for _, src := range []string{strings.Repeat("(", n) + "x" + strings.Repeat(").f()", n), strings.Repeat("/**/ f(); ", n)} {
		sample.Read([]byte(src), func(s *Source) {
			for i := range s.Toks {
				if s.Is(i, "f") {
					s.Receiver(i)
					s.Doc(s.At(i))
				}
			}
		})
	}
}

// FuzzTokens holds the package's promise.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a(b[c{d)e", "`a${`b${c}`}`", ")]}", "\"\\", "`${${${", "/*/", "<<<>>>", "a<b>(c)<d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		sample.Read([]byte(src), func(s *Source) {
			end := uint32(0)
			for i, tok := range s.Toks {
				if tok.At < end || tok.End < tok.At || int(tok.End) > len(src) {
					t.Fatalf("token %d of %q is %d..%d after %d", i, src, tok.At, tok.End, end)
				}
				end = tok.End
				if tok.Kind == Open && int(tok.Pair) <= i {
					t.Fatalf("bracket %d of %q pairs with %d", i, src, tok.Pair)
				}
				s.Chain(i)
				s.Receiver(i)
				s.Angle(i)
				s.AngleBack(i)
				s.Split(i, ",", true)
				s.Doc(int(tok.At))
				s.Call(i, i, false)
			}
		})
	})
}
