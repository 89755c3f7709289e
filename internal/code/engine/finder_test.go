package engine

import (
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name, query, said string
		want              int // occurrences of the first term
	}{
		{"a word", "duration", "a Duration, durations; DURATION_MAX", 3},
		{"a part of a name", "duration", "parseDuration parse_duration HTTPDuration", 3},
		{"inside a word", "marshal", "unmarshal", 0},
		{"the beginning of another word", "pacer", "package paced pacer", 1},
		{"forms", "queries", "query Queries queried", 3},
		{"two parts", "parseDuration", "parseDuration(ParseDurations) parse", 2},
		{"an acronym", "http", "HTTPServer httpServer HTTPD", 2},
		{"nothing but signs before", "yaml", "\"yaml:\" x.yaml 8yaml", 3},
		{"at the end", "yaml", "yam", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFinder((&Sought{Query: tt.query}).needles())
			counts := make([]uint8, len(f.needles))
			f.find([]byte(tt.said), counts)
			if int(counts[0]) != tt.want {
				t.Errorf("%s in %q: %d, want %d", tt.query, tt.said, counts[0], tt.want)
			}
		})
	}
}

func TestNeedles(t *testing.T) {
	s := Sought{Query: "where is the retry of an fs query", Words: []string{"backoff", "retryPolicy"}}
	var terms []string
	for _, n := range s.needles() {
		terms = append(terms, n.term)
	}
	slices.Sort(terms)
	if want := []string{"backoff", "policy", "query", "retry", "retrypolicy"}; !slices.Equal(terms, want) {
		t.Errorf("%q, want %q", terms, want)
	}
}

// TestPoolOfCandidates holds that as many chunks are ranked for a hundred hits as for ten: their files' evidence is of
// all of them, and the first ten must not depend on how many follow.
func TestPoolOfCandidates(t *testing.T) {
	for most, want := range map[int]int{1: 256, 10: 256, 100: 256, 256: 256, 1000: 1000} {
		if got := candidates(most); got != want {
			t.Errorf("%d hits are of %d candidates, want %d", most, got, want)
		}
	}
}
