package vault

import (
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// An answer is not sure if it lacks a name, a number or a version of the question, however near the rest is.
func TestDoubtUnnamed(t *testing.T) {
	for _, tt := range []struct {
		ask, first string
		sure       bool
	}{
		{"When was version 2.1.0 of the parser released?", "two.md", true},
		{"When was version 1.2.0 of the parser released?", "one.md", true},
		{"When was version 4.2.0 of the parser released?", "", false},
		{"Which rack is host build03 in?", "host.md", true},
		{"Which rack is host build04 in?", "", false},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			m := meant(t, nil)
			write(t, m, "one.md", "Version 1.2.0 of the parser was released on 6 April.\n")
			write(t, m, "two.md", "Version 2.1.0 of the parser was released on 9 May.\n")
			write(t, m, "host.md", "The host build03 is in rack E5.\n")
			order, hits := hitsOf(t, m, Query{Text: tt.ask})
			if len(order) == 0 || tt.first != "" && order[0] != tt.first {
				t.Fatalf("found %v", order)
			}
			if got := hits[order[0]].Score >= rank.Sure; got != tt.sure {
				t.Errorf("%s scores %.2f, sure is to be %v", order[0], hits[order[0]].Score, tt.sure)
			}
		})
	}
}

// Beside a note that has all words of a prompt, recall does not tell another one of its form.
func TestRecallOfLikeNotes(t *testing.T) {
	m := meant(t, nil)
	for _, name := range []string{"orders", "catalog", "billing", "search"} {
		write(t, m, name+".md", "The service "+name+" alerts when p95 is above 200 ms.\n")
	}
	sync1(t, m)
	if r := recall(t, m, Recollection{Prompt: "at what p95 does the service orders alert?"}); len(r.Places) != 1 || r.Places[0] != "orders.md#L1-1" {
		t.Errorf("told are %v", r.Places)
	}
	if r := recall(t, m, Recollection{Prompt: "at what p95 does the service orders alert?", Told: []string{"orders.md#L1-1"}}); r.Block != "" {
		t.Errorf("what was told makes room for another service: %s", r.Block)
	}
}
