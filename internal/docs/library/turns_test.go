package library

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// A question in words has sections and declarations in turn; one by name has its answers as they are.
func TestTakeTurns(t *testing.T) {
	tests := []struct {
		name, question string
		found          string // evidence and title; a title with a capital is of a section
		want           string
	}{
		{"the guide comes first, then in turn", "stop a call early", "1 a .9 b .8 c .7 Guide .6 More", "Guide a More b c"},
		{"a declaration with twice the evidence stays first", "stop a call early", "2.1 a .9 b .8 c 1 Guide .6 More", "a Guide b More c"},
		{"sections with more evidence stay together", "stop a call early", "1 One .9 Two .8 Three .7 a", "One Two Three a"},
		{"a declaration of a name that came already follows the others", "stop a call early", ".9 x.stop .8 y.stop .7 z.cancel .6 Guide", "Guide x.stop z.cancel y.stop"},
		{"by name", "what is call.cancel for", "1 a .9 b .8 Guide", "a b Guide"},
		{"one word", "cancel", "1 a .9 b .8 Guide", "a b Guide"},
		{"no section", "stop a call early", "1 x.stop .9 y.stop .8 c", "x.stop y.stop c"},
		{"no declaration", "stop a call early", "1 One .9 Two", "One Two"},
		{"what is not ranked stays behind", "stop a call early", "1 a .9 Guide 0 Tail 0 z", "Guide a Tail z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := search{q: readQuestion(tt.question)}
			var found []ranked
			fields := strings.Fields(tt.found)
			for i := 0; i < len(fields); i += 2 {
				var evidence float64
				if _, err := fmt.Sscan(fields[i], &evidence); err != nil {
					t.Fatal(err)
				}
				r := ranked{declares: fields[i+1] == strings.ToLower(fields[i+1])}
				r.s.Title, r.s.Score = fields[i+1], rank.Docs().Score(rank.Variant{Kind: rank.Question}, evidence)
				found = append(found, r)
			}
			before := make([]float64, len(found))
			for i := range found {
				before[i] = found[i].s.Score
			}
			var got []string
			for i, r := range s.takeTurns(found) {
				got = append(got, r.s.Title)
				if r.s.Score != before[i] {
					t.Errorf("place %d has the score %g, want that of the place, %g", i+1, r.s.Score, before[i])
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("takeTurns(%s) = %q, want %q", tt.found, strings.Join(got, " "), tt.want)
			}
		})
	}
}
