package scan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The numbers are told by two lists in one order: a name too many in one of them
// would give every keyword behind it the number of its neighbour.
func TestVocabulary(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "keyword.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST && g.Lparen.IsValid() {
			for _, s := range g.Specs {
				for _, n := range s.(*ast.ValueSpec).Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	words := strings.Fields(vocabulary)
	if len(words) != int(KOther)-1 || names[len(words)] != "KOther" {
		t.Fatalf("%d words, and KOther is %d", len(words), KOther)
	}
	named := map[string]string{"Self": "selftype", "__FILE__": "filename", "__LINE__": "linenumber", "__extension__": "gnuextension"}
	for i, w := range words {
		want, ok := named[w]
		if !ok {
			want = strings.ToLower(strings.NewReplacer("_", "", "@", "at").Replace(w))
		}
		if got := strings.ToLower(names[i][1:]); got != want {
			t.Fatalf("keyword %d is %s in the one list and %q in the other", i+1, names[i], w)
		}
	}
}
