package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/ranks.txt")

// least is the share of questions whose first answer is the right one.
const least = .9

func TestRanks(t *testing.T) {
	c, err := builtin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	all := engines()
	for _, set := range []string{"first", "said", "held"} {
		qs, err := queries(set)
		if err != nil || len(qs) < 40 {
			t.Fatal(set, len(qs), err)
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			as, err := ask(t.Context(), c, all[name], qs)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%s, %s: %d questions, recall@1 %.2f, recall@3 %.2f\n", set, name, len(as), recall(as, 1), recall(as, 3))
			if recall(as, 1) < least {
				t.Errorf("%s, %s: recall@1 %.2f, want %.2f", set, name, recall(as, 1), least)
			}
			for _, a := range as {
				if a.rank != 1 && set != "held" { // nobody is to learn from those
					fmt.Fprintf(&got, "%6d  %s: %s, not %s\n", a.rank, a.ask, a.first, strings.Join(a.want, " or "))
				}
			}
		}
	}
	const file = "testdata/ranks.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 1 && got.String() != string(want) {
		t.Errorf("the ranking is not that of %s (accept it with: go test ./eval/modules -update):\n%s", file, got.String())
	}
}
