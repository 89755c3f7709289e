package vault

import (
	"context"
	"fmt"
	"testing"
)

// In a vault of three notes all words are rare, and two notes of one form are soon the same.
func TestAnotherKind(t *testing.T) {
	for _, c := range []struct{ ask, old, later, besides string }{
		{"on which port is the billing api", "The billing API listens on port 8080.", "The admin API listens on port 9090 since the move.", "Anna leads the billing team now."},
		{"where is the staging server", "The staging server is stage.acme.io.", "The production server is prod.acme.io since March.", "Backups run at 3 am."},
		{"in which language is the web app written", "The web app is written in TypeScript.", "The mobile app is written in Kotlin after the rewrite.", "The API is written in Go."},
	} {
		m := meant(t, nil)
		write(t, m, "facts/old.md", dated("2025-01-10", "facts", c.old))
		write(t, m, "facts/later.md", dated("2025-03-12", "facts", c.later))
		write(t, m, "facts/besides.md", dated("2025-03-14", "facts", c.besides))
		order, by := hitsOf(t, m, Query{Text: c.ask})
		if len(order) == 0 || order[0] != "facts/old.md" || by["facts/old.md"].Superseded != "" {
			t.Errorf("%q: %v, the one asked for superseded by %q", c.ask, order, by["facts/old.md"].Superseded)
		}
	}
}

// Of many notes of one form the numbers are what tells, and a number makes no matter.
func TestOnlyNumbersInCommon(t *testing.T) {
	m := meant(t, nil)
	for i := range 30 {
		write(t, m, fmt.Sprintf("facts/%d.md", i), dated("2025-01-10", "other", fmt.Sprintf("zebra fact %d of the zoo number %d", i, i)))
	}
	sync1(t, m)
	s, err := m.Store(context.Background(), Note{Content: "The queue pushes in pkg/queue.go:3 with no lock.", Title: "Queue"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Rivals) != 0 {
		t.Errorf("it may contradict %+v", s.Rivals)
	}
}

func TestFollows(t *testing.T) {
	after := func(before string) bool { return before != "" }
	for text, want := range map[string]bool{
		"The admin API listens":                     true,
		"The API listens":                           false,
		"We asked the admin. API calls are counted": false,
		"Send it to the admin, API and all":         false,
		"blocked/need-api is a label":               false,
		"api":                                       false,
	} {
		if got := follows(text, after, "api"); got != want {
			t.Errorf("follows(%q) = %v", text, got)
		}
	}
}
