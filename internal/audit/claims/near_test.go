package claims

import (
	"slices"
	"testing"
)

func TestForgottenNeighboursAreFoundAgain(t *testing.T) {
	tree := &Tree{Code: []Source{{Path: "a.go", Language: "go", Text: []byte("package a\n\nfunc alarm() { notice() }\n")}}}
	// Words are alike by their first letter.
	model := &Model{Dims: 2, Embed: func(dst []float32, text []byte) {
		clear(dst)
		dst[min(1, int(text[0]-'a'))] = 1
	}}
	fresh := func() *neighbours { return newNeighbours(model, Gather(tree.Code, false)) }
	n := fresh()
	if got := n.of("alert"); !slices.ContainsFunc(got, func(a alt) bool { return a.term == "alarm" }) {
		t.Fatalf("of(alert) = %v, want alarm among them", got)
	}
	n.forget()
	if n.table != nil || n.words != nil {
		t.Error("the table is kept")
	}
	if got, want := n.of("note"), fresh().of("note"); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("of(note) after forget = %v, want %v", got, want)
	}
	(*neighbours)(nil).forget() // where there is no model
}
