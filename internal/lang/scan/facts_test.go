package scan

import (
	"fmt"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Where missing brackets make declarations cross, the inner one ends with the one
// around; one whose name is behind that begins at its name, and none is lost.
func TestSettle(t *testing.T) {
	decl := func(name string, start, at, end int) corpus.Decl {
		return corpus.Decl{Name: name, NameAt: at, Body: end, Span: corpus.Span{Start: start, End: end}}
	}
	f := corpus.Facts{
		Decls: []corpus.Decl{decl("behind", 8, 30, 40), decl("a", 0, 1, 20), decl("cut", 5, 6, 25), decl("before", 50, 49, 60)},
		Calls: []corpus.Call{{Callee: "y", At: 9}, {Callee: "x", At: 3}},
	}
	Settle(&f)
	got := ""
	for _, d := range f.Decls {
		got += fmt.Sprintf("%s %v, ", d.Name, d.Span)
	}
	if want := "a {0 20}, cut {5 20}, behind {30 40}, "; got != want || f.Missed != 1 || f.Calls[0].Callee != "x" {
		t.Errorf("declarations are %s%d missed, the first call is %s; want %s1 missed, x", got, f.Missed, f.Calls[0].Callee, want)
	}
}

// The mark of an unresolved merge is neither code nor the comment of what follows.
func TestConflict(t *testing.T) {
	g := New(Lexis{Line: []string{"//"}, Special: (*Lexer).Conflict, At: "<=>"})
	src := "<<<<<<< HEAD\na\n======= \nb\n>>>>>>> x\n\tc == d\n<<<<<< e"
	g.Read([]byte(src), func(s *Source) {
		got := ""
		for i := range s.Toks {
			got += string(s.Bytes(i)) + " "
		}
		if want := "a b c == d < < < < < < e "; got != want || len(s.Comments) > 0 {
			t.Errorf("tokens are %s and %d comments, want %s", got, len(s.Comments), want)
		}
	})
}
