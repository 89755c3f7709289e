package index

import (
	"fmt"
	"slices"
	"testing"
)

func TestPostingsInMemory(t *testing.T) {
	p := NewPostings()
	b, a := p.Term("b"), p.Term("a")
	if p.Term("none") == a || p.Term("b") != b {
		t.Fatal("terms are confused")
	}
	for _, x := range []struct {
		term, place int32
		level       uint8
	}{{a, 1, 2}, {a, 1, 3}, {a, 1, 1}, {b, 1, 1}, {a, 4, 1}, {a, 1, 1}, {a, 1<<29 - 1, 7}} {
		p.Add(x.term, x.place, x.level)
	}
	var of []string
	for _, x := range p.Of("a") {
		of = append(of, fmt.Sprintf("%d:%d", x.Place(), x.Level()))
	}
	if want := []string{"1:3", "4:1", "1:1", "536870911:7"}; !slices.Equal(of, want) {
		t.Errorf("Of(a) = %q, want %q", of, want)
	}
	if p.Of("none") != nil || p.Of("other") != nil {
		t.Error("a term without places has postings")
	}
}
