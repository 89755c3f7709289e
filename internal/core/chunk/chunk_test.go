package chunk_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/chunk"
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range chunk.Split(corpus.Document{Text: []byte(tt.text)}, nil, tt.size) {
				got = append(got, tt.text[c.Start:c.End])
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
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
