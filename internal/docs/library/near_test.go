package library

import "testing"

// An answer is sure if the question is near in meaning to the first two snippets, whatever their score.
func TestMarkNear(t *testing.T) {
	tests := []struct {
		name    string
		ranking Ranking
		near    []float64 // the cosines of the question with what was found
		want    bool
	}{
		{"both near", Hybrid, []float64{.5, .4, 0}, true},
		{"one alone is near", Hybrid, []float64{.6, .05, .9}, false},
		{"one snippet", Hybrid, []float64{.4}, true},
		{"by words alone", Lexical, []float64{.9, .9}, false},
		{"nothing", Hybrid, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var found []ranked
			for _, near := range tt.near {
				found = append(found, ranked{near: near, s: Snippet{Title: "A", Content: "b", Score: .2}})
			}
			s := search{ranking: tt.ranking}
			s.markNear(found)
			var a DocsAnswer
			for _, r := range found {
				a.Snippets = append(a.Snippets, r.s)
			}
			if isSure := len(found) > 0 && !a.Unsure(); isSure != tt.want {
				t.Errorf("sure is %v, want %v", isSure, tt.want)
			}
		})
	}
}
