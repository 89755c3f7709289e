package text

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"search", "similar", "index", "status", "watch", "top-k"}
	for word, want := range map[string]string{"serach": "search", "serch": "search", "idnex": "index", "statuss": "status", "topk": "top-k", "x": "", "find": "", "searches": "search"} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"flaw", "lawn", 2}, {"größe", "große", 1}, {"acbde", "abcd", 2}, {"日本", "本日", 1}} {
		if got := Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := DistanceWithin(tc.a, tc.b, 1); (got <= 1) != (tc.want <= 1) || got <= 1 && got != tc.want {
			t.Errorf("DistanceWithin(%q, %q, 1) = %d, of %d", tc.a, tc.b, got, tc.want)
		}
	}
}

// A bound changes no distance that is within it, and hides how much more the others are.
func TestDistanceWithin(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "scheduler", "scheudler", "shceduler", "schedule", "evaluate", "evalaute", "naïve", "naive", "abcdefgh", "badcfehg", strings.Repeat("long", 20), strings.Repeat("log", 26)}
	for _, a := range words {
		for _, b := range words {
			whole := Distance(a, b)
			for limit := range 5 {
				if got := DistanceWithin(a, b, limit); got != whole && (whole <= limit || got <= limit) {
					t.Errorf("within %d, %q and %q are %d apart, want %d", limit, a, b, got, whole)
				}
			}
		}
	}
}
