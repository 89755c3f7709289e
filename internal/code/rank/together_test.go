package rank

import (
	"math"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func rankedAt(doc, chunk uint32, value float64) Ranked {
	return Ranked{Candidate: corpus.Candidate{Ref: corpus.Ref{Chunk: chunk}, Doc: doc, Terms: 1}, Value: value, Words: 1,
		Breakdown: []Signal{{Name: "own", Value: value, Adds: value}}}
}

func TestTogether(t *testing.T) {
	tests := []struct {
		name          string
		ranked, asked []Ranked
		want          []uint32 // chunks
	}{
		{"guesses that only the query's words agree with decide", []Ranked{rankedAt(1, 1, .5), rankedAt(2, 2, .4)}, []Ranked{rankedAt(2, 2, .9), rankedAt(1, 1, .1)}, []uint32{2, 1}},
		{"what the guesses alone find does not pass what the query found", []Ranked{rankedAt(1, 1, .5)}, []Ranked{rankedAt(2, 2, .9)}, []uint32{1, 2}},
		{"another chunk of the best file lifts the file's best", []Ranked{rankedAt(1, 1, .5), rankedAt(2, 2, .4), rankedAt(2, 3, .2)}, []Ranked{rankedAt(2, 3, .9)}, []uint32{2, 1, 3}},
		{"nothing was asked", []Ranked{rankedAt(1, 1, .5), rankedAt(2, 2, .4)}, nil, []uint32{1, 2}},
		{"nothing was found by the query", nil, []Ranked{rankedAt(2, 2, .9)}, []uint32{2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Together(tt.ranked, tt.asked)
			if len(got) != len(tt.want) {
				t.Fatalf("%d candidates, want %d", len(got), len(tt.want))
			}
			for i, x := range got {
				if x.Chunk != tt.want[i] {
					t.Errorf("candidate %d is chunk %d, want %d", i, x.Chunk, tt.want[i])
				}
				sum := 0.0
				for _, s := range x.Breakdown {
					sum += s.Adds
				}
				if math.Abs(sum-x.Value) > 1e-9 || x.Value > 1 {
					t.Errorf("chunk %d: the breakdown adds up to %v, the score is %v", x.Chunk, sum, x.Value)
				}
			}
		})
	}
	alone := Together(nil, []Ranked{rankedAt(2, 2, .9)})[0]
	if alone.Terms != 0 || alone.Words != 0 {
		t.Errorf("a candidate of the guesses alone has terms %b and words %v of another plan", alone.Terms, alone.Words)
	}
}
