package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A note is found by the questions that it answers, its keywords and its other names; none is shown as its text.
func TestWording(t *testing.T) {
	const text = "Each worker keeps at most four links to pgbouncer."
	for name, c := range map[string]struct {
		front, ask string
		first      bool
	}{
		"without":           {"", "why do we exhaust the database connections", false},
		"asked":             {"asked: [\"Why do we exhaust the database connections?\"]", "why do we exhaust the database connections", true},
		"asked, below":      {"asked:\n  - Why do we exhaust the database connections?\n  - Who pools?", "why do we exhaust the database connections", true},
		"asked another":     {"asked: [\"Why is the lift slow?\"]", "why do we exhaust the database connections", false},
		"keywords":          {"keywords: [exhaust, connections]", "connections exhaust", true},
		"another name":      {"aliases: [connection ceiling]", "connection ceiling", true},
		"a tag is no title": {"tags: [connections]", "why do we exhaust the database connections", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := meant(t, nil)
			front := ""
			if c.front != "" {
				front = "---\n" + c.front + "\n---\n\n"
			}
			write(t, m, "right.md", front+text+"\n")
			for i := range 8 {
				write(t, m, fmt.Sprintf("other-%d.md", i), fmt.Sprintf("The database of branch %d is cleaned on day %d; connections to it close.\n", i, i))
			}
			order, hits := hitsOf(t, m, Query{Text: c.ask})
			if got := len(order) > 0 && order[0] == "right.md"; got != c.first {
				t.Errorf("found %v", order)
			}
			if c.first && hits["right.md"].Text != text {
				t.Errorf("it shows %q", hits["right.md"].Text)
			}
		})
	}
}

func TestStoreWording(t *testing.T) {
	m := fresh(t, nil)
	s := keep(t, m, Note{Content: "---\nasked: Who pools?\ntags: [db]\n---\nFour links to pgbouncer.", Wording: Wording{
		Asked: []string{"Why  do we\nrun out: of links?", "", "Why do we run out: of links?", "The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789"}, Keywords: []string{"pool"}}})
	b, err := os.ReadFile(filepath.Join(m.cfg.Vault, s.Path))
	if err != nil || !strings.Contains(string(b), "\nasked: [\"Why do we run out: of links?\", \"The key is [redacted:") || !strings.Contains(string(b), ", \"Who pools?\"]\nkeywords: [\"pool\"]\n") ||
		strings.Contains(string(b), "ghp_") || s.Redacted != 1 || strings.Count(string(b), "asked:") != 1 {
		t.Errorf("%s\n%+v %v", b, s, err)
	}
	if again := keep(t, m, Note{Content: "Four links to pgbouncer.", Wording: Wording{Asked: []string{"How many links?"}}}); !again.Exists || !again.Linked {
		t.Errorf("%+v", again)
	}
	if b, err = os.ReadFile(filepath.Join(m.cfg.Vault, s.Path)); err != nil || !strings.Contains(string(b), "\nasked: [\"How many links?\"]\nkeywords: [\"pool\"]\n") {
		t.Errorf("%s %v", b, err)
	}
}

func TestReword(t *testing.T) {
	for name, c := range map[string]struct{ was, want string }{
		"no front matter": {"Text.\n", "---\nasked: [\"Q?\"]\n---\n\nText.\n"},
		"one line":        {"---\nasked: [\"Old?\"]\ntags: [a]\n---\nText.\n", "---\nasked: [\"Q?\"]\ntags: [a]\n---\nText.\n"},
		"a list below":    {"---\nasked:\n  - Old?\n- Older?\ntags: [a]\n---\n- Text.\n", "---\nasked: [\"Q?\"]\ntags: [a]\n---\n- Text.\n"},
		"last key":        {"---\ntags: [a]\nasked:\n  - Old?\n---\nText.\n", "---\ntags: [a]\nasked: [\"Q?\"]\n---\nText.\n"},
		"said already":    {"---\nasked: [\"Q?\"]\n---\nText.\n", "---\nasked: [\"Q?\"]\n---\nText.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			m := fresh(t, nil)
			write(t, m, "a.md", c.was)
			changed, err := m.Reword(t.Context(), "a.md", Wording{Asked: []string{"Q?"}})
			b, _ := os.ReadFile(filepath.Join(m.cfg.Vault, "a.md"))
			if err != nil || string(b) != c.want || changed != (c.was != c.want) {
				t.Errorf("%q, want %q; %v %v", b, c.want, changed, err)
			}
		})
	}
}

func TestUnasked(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "asked.md", "---\nasked: [\"Who?\"]\n---\nText.\n")
	write(t, m, "b.md", "# Title\n\nText.\n")
	write(t, m, "c.md", "---\nkeywords: [a]\n---\nText.\n")
	write(t, m, "digest.md", "---\nsession: claude/1\n---\nText.\n")
	write(t, m, "empty.md", "\n")
	first, all, err := m.Unasked(t.Context(), 1)
	if err != nil || all != 2 || !slices.Equal(first, []Unasked{{"b.md", "Title", "# Title\n\nText."}}) {
		t.Errorf("%+v %d %v", first, all, err)
	}
}
