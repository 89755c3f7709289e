package chunk_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/chunk"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		size       int
		want       []string
	}{
		{"empty", "", 8, nil},
		{"white space only", " \n\t\n", 8, nil},
		{"one line", "abc", 8, []string{"abc"}},
		{"fits exactly", "abc\nxyz\n", 8, []string{"abc\nxyz\n"}},
		{"cut at a line", "abc\nxyz\nq", 8, []string{"abc\nxyz\n", "q"}},
		{"long line kept whole", "abcdefghij\nx", 4, []string{"abcdefghij\n", "x"}},
		{"blank lines are better", "a\nb\n\nc\nd\n", 8, []string{"a\nb\n", "c\nd\n"}},
		{"a blank line first", "\na", 8, []string{"a"}},
		{"blank lines around", "\n\na\n \n", 2, []string{"a\n"}},
		{"a piece that fits exactly", "a\nb\n\nc\nd\ne\n", 6, []string{"a\nb\n", "c\nd\ne\n"}},
		{"packed until it is full", "a\nb\nc\nd\ne\n", 4, []string{"a\nb\n", "c\nd\n", "e\n"}},
		{"what precedes a long line", "a\nb\nabcdefghij\nc\nd\n", 4, []string{"a\nb\n", "abcdefghij\n", "c\nd\n"}},
		{"a size that is none", "a\nb\n", 0, []string{"a\n", "b\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range chunk.Split(corpus.Document{Text: []byte(tt.text)}, nil, tt.size) {
				got = append(got, tt.text[c.Start:c.End])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Split(%q, %d) = %q, want %q", tt.text, tt.size, got, tt.want)
			}
		})
	}
}

const source = `package p

// A is a type.
type A struct{ x int }

// M is a method
// with a comment.
func (a A) M() int {
	return a.x
}

func f() {
	one()

	two()
}
`

func TestSplitFollowsDeclarations(t *testing.T) {
	text := []byte(source)
	decls := syntax.Facts("a.go", "go", text).Decls
	chunks := chunk.Split(corpus.Document{Text: text, Language: "go"}, decls, 80)
	var got []string
	for _, c := range chunks {
		line, _, _ := strings.Cut(string(text[c.Start:c.End]), "\n")
		for _, s := range c.Symbols {
			line += " +" + s.Name
		}
		got = append(got, line)
	}
	want := []string{"package p +A", "// M is a method +M", "func f() { +f"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	// Cut inside, a function's second part knows where it is.
	for _, c := range chunk.Split(corpus.Document{Text: text}, decls, 12) {
		if bytes.Contains(text[c.Start:c.End], []byte("two()")) && c.Scope != "f" {
			t.Errorf("the scope of two() is %q, want f", c.Scope)
		}
	}
}

// cut returns the chunks of a text, one a line, with their scopes and symbols. Declarations
// are given as the text that they span, after their name.
func cut(t *testing.T, text, language string, size int, decls ...[2]string) string {
	t.Helper()
	var list []corpus.Decl
	for _, d := range decls {
		name, method := strings.CutSuffix(d[0], "()")
		at := strings.Index(text, d[1])
		x := corpus.Decl{Name: name, NameAt: at + strings.Index(d[1], name), Span: corpus.Span{Start: at, End: at + len(d[1])}, Parent: -1}
		if method {
			x.Kind, x.Traits = corpus.Method, corpus.Abstract
		}
		list = append(list, x)
	}
	var b strings.Builder
	for _, c := range chunk.Split(corpus.Document{Text: []byte(text), Language: language}, list, size) {
		b.WriteString(strings.ReplaceAll(text[c.Start:c.End], "\n", "/"))
		if c.Scope != "" {
			b.WriteString(" in " + c.Scope)
		}
		for _, s := range c.Symbols {
			b.WriteString(" +" + s.Name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The shallower a declaration, the better a place it is to cut; within one, its parts are
// packed, and know where they are.
func TestSplitByDepth(t *testing.T) {
	const text = "A{\nB{\nb1\nb2\n}\nC{\nc1\n}\n}\nD{\nd1\n}\n"
	a, b, c, d := [2]string{"A", "A{\nB{\nb1\nb2\n}\nC{\nc1\n}\n}"}, [2]string{"B", "B{\nb1\nb2\n}"}, [2]string{"C", "C{\nc1\n}"}, [2]string{"D", "D{\nd1\n}"}
	for size, want := range map[int]string{
		100: "A{/B{/b1/b2/}/C{/c1/}/}/D{/d1/}/ +A +B +C +D\n",
		30:  "A{/B{/b1/b2/}/C{/c1/}/}/ +A +B +C\nD{/d1/}/ +D\n",
		20:  "A{/B{/b1/b2/}/ +A +B\nC{/c1/}/}/ in A +C\nD{/d1/}/ +D\n",
		10:  "A{/ +A\nB{/b1/b2/ in A +B\n}/ in B\nC{/c1/}/}/ in A +C\nD{/d1/}/ +D\n",
	} {
		if got := cut(t, text, "", size, a, b, c, d); got != want {
			t.Errorf("cut to %d:\n%swant\n%s", size, got, want)
		}
	}
	// Where one ends the other begins: they are beside each other, on one line or not.
	if got, want := cut(t, "A a\nB b\nC c\n", "", 5, [2]string{"A", "A a\n"}, [2]string{"B", "B b\n"}, [2]string{"C", "C c\n"}), "A a/ +A\nB b/ +B\nC c/ +C\n"; got != want {
		t.Errorf("beside each other:\n%swant\n%s", got, want)
	}
	if got, want := cut(t, "A a\na\nB b\nC c\n", "", 8, [2]string{"A", "A a\na\n"}, [2]string{"B", "B b\n"}, [2]string{"C", "C c\n"}), "A a/a/ +A\nB b/C c/ +B +C\n"; got != want {
		t.Errorf("beside each other, and packed:\n%swant\n%s", got, want)
	}
	if got, want := cut(t, "A a\nB b\nb\nC c\n", "", 10, [2]string{"A", "A a\n"}, [2]string{"B", "B b\nb\n"}, [2]string{"C", "C c\n"}), "A a/B b/b/ +A +B\nC c/ +C\n"; got != want {
		t.Errorf("beside each other, each as good a place to cut as the others:\n%swant\n%s", got, want)
	}
	// A name may be behind what it is declared of.
	if got, want := cut(t, "{\nB b\n} A\nC\n", "", 9, [2]string{"A", "{\nB b\n} A\n"}, [2]string{"B", "B b"}, [2]string{"C", "C"}), "{/\nB b/} A/ in A +B +A\nC/ +C\n"; got != want {
		t.Errorf("named at the end:\n%swant\n%s", got, want)
	}
	// Inside a line there is no cut, and what is declared there makes none before the line.
	if got, want := cut(t, "one\n\ntwo B b\nc\n", "", 12, [2]string{"B", "B b\nc\n"}), "one/\ntwo B b/c/ +B\n"; got != want {
		t.Errorf("inside a line:\n%swant\n%s", got, want)
	}
	if got, want := cut(t, "one\n\ntwo\nthr B b\n", "", 14, [2]string{"B", "B b\n"}), "one/\ntwo/thr B b/ +B\n"; got != want {
		t.Errorf("inside a later line:\n%swant\n%s", got, want)
	}
	if got, want := cut(t, "one\n  B b\nc\n", "", 8, [2]string{"B", "B b\nc\n"}), "one/\n  B b/c/ +B\n"; got != want {
		t.Errorf("indented:\n%swant\n%s", got, want)
	}
}

// Deeper than three levels all declarations are alike; still better than a blank line.
func TestSplitDeep(t *testing.T) {
	const text = "A\nB\nC\nx\n\ny\nD\nz\n"
	var decls [][2]string
	for _, name := range []string{"A", "B", "C", "D"} {
		decls = append(decls, [2]string{name, text[strings.Index(text, name):]})
	}
	if got, want := cut(t, text, "", 9, decls...), "A/ +A\nB/C/x//y/ in A +B +C\nD/z/ in C +D\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// What an interface of Go asks for stays with it, and is no symbol of its own; elsewhere it is.
func TestSplitInterface(t *testing.T) {
	const text = "I{\nM one\nN two\n}\n"
	decls := [][2]string{{"I", "I{\nM one\nN two\n}"}, {"M()", "M one"}, {"N()", "N two"}}
	for language, want := range map[string]string{"go": "I{/M one/N two/}/ +I\n", "java": "I{/M one/N two/}/ +I +M +N\n"} {
		if got := cut(t, text, language, 100, decls...); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
	if got, want := cut(t, "F one\nG two\n", "go", 100, [2]string{"F", "F one"}, [2]string{"G()", "G two"}), "F one/G two/ +F\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Equal texts have equal hashes, and others have not.
func TestSplitHash(t *testing.T) {
	c := chunk.Split(corpus.Document{Text: []byte("a\n\nb\n\na\n")}, nil, 2)
	if len(c) != 3 || c[0].Hash != c[2].Hash || c[0].Hash == c[1].Hash {
		t.Errorf("%+v", c)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("go", source, 40)
	f.Add("", "one\ntwo\r\n\xff\n", 5)
	f.Add("python", "def a():\n  pass\n\nclass B:\n  def c(self): pass\n", 10)
	f.Fuzz(func(t *testing.T, language, text string, size int) {
		doc := corpus.Document{Language: language, Text: []byte(text)}
		at := 0
		for _, c := range chunk.Split(doc, syntax.Facts("", language, doc.Text).Decls, size) {
			if c.Start < at || c.End <= c.Start || c.End > len(text) {
				t.Fatalf("chunk %+v after byte %d of %d", c, at, len(text))
			}
			if gap := text[at:c.Start]; strings.TrimSpace(gap) != "" {
				t.Fatalf("%q is in no chunk", gap)
			}
			if first := 1 + strings.Count(text[:c.Start], "\n"); c.Lines.First != first {
				t.Fatalf("chunk at byte %d starts on line %d, it says %d", c.Start, first, c.Lines.First)
			}
			if last := 1 + strings.Count(text[:c.End-1], "\n"); c.Lines.Last != last {
				t.Fatalf("chunk to byte %d ends on line %d, it says %d", c.End, last, c.Lines.Last)
			}
			at = c.End
		}
		if rest := text[at:]; strings.TrimSpace(rest) != "" {
			t.Fatalf("%q is in no chunk", rest)
		}
	})
}

// TestSplitTests holds that a piece that begins in a test says so, and none that begins before one or after it.
func TestSplitTests(t *testing.T) {
	const text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n\n    fn c() {}\n}\n\nfn d() {}\n"
	doc := corpus.Document{Path: "a.rs", Language: "rust", Text: []byte(text)}
	var got []bool
	for _, c := range chunk.Split(doc, syntax.Facts(doc.Path, doc.Language, doc.Text).Decls, 20) {
		got = append(got, c.InTest)
	}
	if want := []bool{false, true, true, true, true, false}; !slices.Equal(got, want) {
		t.Errorf("in tests are %v, want %v", got, want)
	}
}
