package vault

import (
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Guesses find a note that has none of the question's words; wrong ones do not displace the note that
// the question names, and what nothing has changes nothing.
func TestGuesses(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "broker.md", "# Broker\n\nRabbitMQ was replaced by Kafka: consumers fell behind.\n")
	write(t, m, "valve.md", "# Valve pressure\n\nThe valve pressure is six bars.\n")
	write(t, m, "stairs.md", "# Stairs\n\nThe stairs have twelve steps and a banister.\n")
	sync1(t, m)
	tests := []struct {
		name  string
		query string
		words []string
		first string
	}{
		{"right", "why do messages pile up", []string{"Kafka consumers broker"}, "broker.md"},
		{"wrong", "how high is the valve pressure", []string{"Kafka", "consumers"}, "valve.md"},
		{"absent", "how high is the valve pressure", []string{"zygote"}, "valve.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, mode := range []Mode{Hybrid, Words} {
				a, err := m.Search(t.Context(), Query{Text: tt.query, Words: tt.words, Mode: mode, Explain: true})
				if err != nil {
					t.Fatal(err)
				}
				if len(a.Hits) == 0 || a.Hits[0].Path != tt.first {
					t.Fatalf("mode %d: %+v, want %s first", mode, a.Hits, tt.first)
				}
				explained := slices.ContainsFunc(a.Hits[0].Explain, func(s rank.Signal) bool { return s.Name == "guessed words" })
				if explained != (tt.name == "right") {
					t.Errorf("mode %d: the breakdown is %v", mode, a.Hits[0].Explain)
				}
			}
		})
	}
}
