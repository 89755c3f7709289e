package vault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCopyOf(t *testing.T) {
	for _, tt := range []struct{ rel, kind, target string }{
		{"a/Plan (Anna's conflicted copy 2024-03-02).md", linkCopy, "a/Plan.md"},
		{"Plan (conflicted copy 2024-03-02 101500).md", linkCopy, "Plan.md"},
		{"Plan (In Konflikt stehende Kopie von Anna 2024-03-02).md", linkCopy, "Plan.md"},
		{"Plan.sync-conflict-20240302-101500-ABC2DEF.md", linkCopy, "Plan.md"},
		{"Plan 2.md", linkPerhapsCopy, "Plan.md"},
		{"Plan (draft).md", "", ""},
		{"Plan (on conflicts).md", "", ""},
		{"Plan-2.md", "", ""},
		{"2024.md", "", ""},
	} {
		if got := copyOf(tt.rel); got.kind != tt.kind || got.target != tt.target {
			t.Errorf("copyOf(%q) = %q %q, want %q %q", tt.rel, got.kind, got.target, tt.kind, tt.target)
		}
	}
}

// A copy of a synchronising service is marked and behind its original, though it has more of the question; a note
// with a number is no copy.
func TestCopiesOfServices(t *testing.T) {
	for name, c := range map[string]struct {
		path, text string
		isCopy     bool
	}{
		"Dropbox":       {"Plan (Anna's conflicted copy 2024-03-02).md", "# Plan\n\nThe wombat digs a burrow by the river at night.", true},
		"Syncthing":     {"Plan.sync-conflict-20240302-101500-ABC2DEF.md", "# Plan\n\nThe wombat digs a burrow by the river at night.", true},
		"iCloud":        {"Plan 2.md", "# Plan\n\nThe wombat digs a burrow by the river at night.", true},
		"another title": {"Plan 2.md", "# Plan 2\n\nThe wombat digs a burrow by the river at night.", false},
		"no original":   {"Other 2.md", "# Plan\n\nThe wombat digs a burrow by the river at night.", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := meant(t, nil)
			write(t, m, "Plan.md", "# Plan\n\nThe wombat digs.\n")
			write(t, m, c.path, c.text+"\n")
			order, hits := hitsOf(t, m, Query{Text: "does the wombat dig a burrow by the river at night"})
			first, original := c.path, ""
			if c.isCopy {
				first, original = "Plan.md", "Plan.md"
			}
			if len(order) != 2 || order[0] != first || hits[c.path].CopyOf != original || hits[c.path].Superseded != "" {
				t.Errorf("found %v, %+v", order, hits[c.path])
			}
			found, _, err := m.Audit(t.Context())
			if err != nil || (len(found) == 1 && found[0].Kind == "conflicts" && found[0].Path == c.path) != c.isCopy {
				t.Errorf("audit: %+v %v", found, err)
			}
		})
	}
}

// A link to a picture that is there is not broken, and is no link between notes.
func TestAttachments(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "![[plan.png]] ![[missing.png]] [[media/plan.png]] [[nowhere]] [[b]]\n")
	write(t, m, "b.md", "Text.\n")
	if err := os.MkdirAll(filepath.Join(m.cfg.Vault, "media"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.cfg.Vault, "media", "plan.png"), []byte{1}, 0o600); err != nil {
		t.Fatal(err)
	}
	sync1(t, m)
	links, _, err := m.Web(t.Context())
	var got []string
	for _, l := range links {
		if got = append(got, l.To); l.Broken {
			got[len(got)-1] += " broken"
		}
	}
	if want := []string{"b.md", "missing.png broken", "nowhere broken"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

func TestDecodeBytes(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"Windows-1252", "Gr\xf6\xdfe \x96 \x80 5", "Größe – € 5"},
		{"UTF-8 with a damaged byte", "Größe \xf6", "Größe \uFFFD"},
		{"a byte that Windows-1252 does not have", "Gr\xf6\x81e", "Gr\uFFFDe"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(decodeBytes([]byte(tt.raw))); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	m := fresh(t, nil)
	write(t, m, "latin.md", "Das B\xfcro ist gr\xfcn gestrichen.\n")
	write(t, m, "~$latin.md", "Das B\xfcro ist rot gestrichen.\n")
	order, hits := hitsOf(t, m, Query{Text: "wie ist das Büro gestrichen", Mode: Words})
	if len(order) != 1 || hits["latin.md"].Text != "Das Büro ist grün gestrichen." {
		t.Errorf("%v %+v", order, hits)
	}
	if _, err := m.Reword(t.Context(), "latin.md", Wording{Asked: []string{"Ist das Büro grün?"}}); err == nil || !strings.Contains(err.Error(), "not in UTF-8") {
		t.Errorf("%v", err)
	}
}

// A note is found by its path in either of Unicode's normal forms, and by no other name.
func TestOtherForm(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "Cafe\u0301.md", "Open from nine.\n")
	for path, want := range map[string]bool{"Café.md": true, "Cafe\u0301.md": true, "Cafe.md": false, "Càfe.md": false} {
		got, err := m.Get(t.Context(), path, 0, 0)
		if (err == nil) != want || want && got.Path != "Cafe\u0301.md" {
			t.Errorf("%q: %+v %v", path, got, err)
		}
	}
}
