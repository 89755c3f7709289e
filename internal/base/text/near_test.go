package text

import "testing"

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
