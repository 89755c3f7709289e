package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

const drawn = `{"nodes":[
 {"id":"b","type":"text","text":"Orders go to the queue.\nThe key is ghp_16C7e42F292c6912E7710c838347Ae178B4a","x":0,"y":300,"width":1,"height":1},
 {"id":"a","type":"text","text":"The wombat digs a burrow.","x":0,"y":20.5,"width":1,"height":1},
 {"id":"c","type":"file","file":"Plan.md","x":400,"y":20.5,"width":1,"height":1},
 {"id":"g","type":"group","label":"Night\nshift","x":-20,"y":-20,"width":900,"height":600},
 {"id":"u","type":"link","url":"https://example.com/dig","x":0,"y":900,"width":1,"height":1}],
 "edges":[{"id":"e","fromNode":"a","fromSide":"right","toNode":"b","label":"then"},{"id":"f","fromNode":"a","toNode":"gone","label":"nowhere"}]}`

const drawnText = "## Night shift\n\nThe wombat digs a burrow.\n\n[[Plan.md]]\n\nOrders go to the queue.\nThe key is [redacted:github-token]\n\n" +
	"https://example.com/dig\n\nThe wombat digs a burrow. → Orders go to the queue.: then"

// The cards of a canvas are read from top to bottom. A file that only has the name, or only the form, is its own text.
func TestNoteText(t *testing.T) {
	for name, c := range map[string]struct{ rel, raw, want string }{
		"no canvas":         {"a.md", drawn, drawn},
		"no JSON":           {"a.canvas", "the wombat", "the wombat"},
		"another JSON":      {"a.canvas", `["the wombat"]`, `["the wombat"]`},
		"empty":             {"a.canvas", "{}", "\n"},
		"in upper case":     {"A.CANVAS", `{"nodes":[{"type":"text","text":"x"}]}`, "x\n"},
		"half a step apart": {"a.canvas", `{"nodes":[{"text":"two","y":1.5,"x":-9},{"text":"one","y":1}]}`, "one\n\ntwo\n"},
		"a card's heading": {"a.canvas", `{"nodes":[{"id":"1","text":"# One\n\ntext"},{"id":"2","text":"two","y":1}],"edges":[{"fromNode":"1","toNode":"2","label":"to"}]}`,
			"# One\n\ntext\n\ntwo\n\nOne → two: to\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(noteText(c.rel, []byte(c.raw))); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A canvas is found, shown and audited as a note is, and never written.
func TestCanvas(t *testing.T) {
	m := meant(t, nil)
	write(t, m, "Board.canvas", drawn)
	write(t, m, "Plan.md", "# Plan\n\nSee [[Board.canvas]].\n")
	order, hits := hitsOf(t, m, Query{Text: "does the wombat dig a burrow"})
	if len(order) == 0 || order[0] != "Board.canvas" || strings.Contains(hits["Board.canvas"].Text, "ghp_") {
		t.Fatalf("found %v: %+v", order, hits["Board.canvas"])
	}
	got, err := m.Get(t.Context(), "Board.canvas", 0, 0)
	if err != nil || got.Text != drawnText {
		t.Errorf("shown:\n%s\n%v", got.Text, err)
	}
	links, err := m.Links(t.Context(), "Plan.md", 1)
	if err != nil || len(links.Links) != 2 || links.Links[0].Broken || links.Links[1].Broken {
		t.Errorf("links: %+v %v", links.Links, err)
	}
	found, _, err := m.Audit(t.Context())
	if err != nil || len(found) != 1 || found[0].Kind != "secret" {
		t.Errorf("audit: %+v %v", found, err)
	}
	if first, _, err := m.Unasked(t.Context(), 9); err != nil || len(first) != 1 || first[0].Path != "Plan.md" {
		t.Errorf("without questions: %+v %v", first, err)
	}
	if _, err := m.Edit(t.Context(), Change{Path: "Board.canvas", Text: "digs"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("edited: %v", err)
	}
	if _, err := m.Reword(t.Context(), "Board.canvas", Wording{Asked: []string{"Who digs?"}}); fault.KindOf(err) != fault.Usage {
		t.Errorf("reworded: %v", err)
	}
	if raw, err := os.ReadFile(filepath.Join(m.cfg.Vault, "Board.canvas")); err != nil || string(raw) != drawn {
		t.Errorf("the file is now %q %v", raw, err)
	}
}

// A canvas stays where it is when notes are merged: two of them merged line by line would be none.
func TestCanvasIsNotSent(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "Board.canvas", drawn)
	write(t, m, "facts/a.md", "one\n")
	if out := swap(t, m, remoteFor(t)); out.Sent != 1 || out.Skipped["is a canvas"] != 1 {
		t.Errorf("%+v", out)
	}
	if raw, err := os.ReadFile(filepath.Join(m.cfg.Vault, "Board.canvas")); err != nil || string(raw) != drawn {
		t.Errorf("the file is now %q %v", raw, err)
	}
}
