package vault

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestCollects(t *testing.T) {
	for _, tt := range []struct{ ask, about, category string }{
		{"list all decisions about the queue", "queue", "decisions"},
		{"List the decisions on authentication", "authentication", "decisions"},
		{"show me all our preferences for commit messages", "commit messages", "preferences"},
		{"How many incidents did the gateway have?", "incidents did the gateway have?", ""},
		{"all notes about Kafka", "Kafka", ""},
		{"please list every decision we made about caching", "caching", "decisions"},
		{"Nenne alle Entscheidungen zur Datenbank", "Datenbank", "decisions"},
		{"wie viele Ausfälle gab es", "Ausfälle gab es", ""},
		{"list all decisions", "list all decisions", "decisions"},
	} {
		about, category, ok := collects(tt.ask)
		if !ok || about != tt.about || category != tt.category {
			t.Errorf("%q: %q, %q, %v; want %q, %q", tt.ask, about, category, ok, tt.about, tt.category)
		}
	}
	for _, ask := range []string{"why do the tests run on every commit", "which database do we use", "allow list of the gateway", "listen port", "listing page", "allgemeine Regeln"} {
		if about, _, ok := collects(ask); ok || about != ask {
			t.Errorf("%q wants %q", ask, about)
		}
	}
}

// Who wants everything about something gets a hit for each note of it, those of the
// category first, and how many there are; others get the best few.
func TestCollect(t *testing.T) {
	m := fresh(t, nil)
	for i, what := range strings.Fields("retries idempotency refunds currencies webhooks ledgers invoices payouts disputes rounding limits receipts") {
		write(t, m, fmt.Sprintf("decisions/p%d.md", i), fmt.Sprintf("---\ncategory: decisions\ncreated_at: 2025-0%d-03T09:00:00Z\n---\n# Payments: %s\n\nFor payments we decided how %s work: rule %d of the %s handbook.\n\n## Why\n\nThe payments team asked for it because of %s.\n", 1+i%9, what, what, i, what, what))
	}
	write(t, m, "facts/p.md", "---\ncategory: facts\n---\nPayments are settled by a bank in Vienna.\n")
	for i := range 60 {
		write(t, m, fmt.Sprintf("decisions/o%d.md", i), fmt.Sprintf("---\ncategory: decisions\n---\n# Service %d\n\nService %d keeps its logs for %d days, and we decided to list all of its owners.\n", i, i, i+3))
	}
	sync1(t, m)
	a, err := m.Search(context.Background(), Query{Text: "list all decisions about payments"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, h := range a.Hits {
		if seen[h.Path] {
			t.Errorf("%s is there twice", h.Path)
		}
		seen[h.Path] = true
		if want := "decisions/p"; i < 12 && !strings.HasPrefix(h.Path, want) {
			t.Errorf("hit %d is %s", i, h.Path)
		}
	}
	if a.Total != 13 || len(a.Hits) != 13 || a.Hits[12].Path != "facts/p.md" {
		t.Errorf("%d hits of %d: %v", len(a.Hits), a.Total, paths(t, m, Query{Text: "list all decisions about payments"}))
	}
	if a, err := m.Search(context.Background(), Query{Text: "list all decisions about payments", Max: 4}); err != nil || len(a.Hits) != 4 || a.Total != 13 {
		t.Errorf("%d hits of %d, %v", len(a.Hits), a.Total, err)
	}
	if a, err := m.Search(context.Background(), Query{Text: "what did we decide about payments"}); err != nil || len(a.Hits) > DefaultMax || a.Total != 0 {
		t.Errorf("%d hits of %d, %v", len(a.Hits), a.Total, err)
	}
}
