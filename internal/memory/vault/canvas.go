package vault

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A canvas is a drawing of cards in the format of jsoncanvas.org, as Obsidian writes it.
type canvas struct {
	Nodes []card `json:"nodes"`
	Edges []struct {
		From  string `json:"fromNode"`
		To    string `json:"toNode"`
		Label string `json:"label"`
	} `json:"edges"`
}

// A card has the field of its type: text, file, link or group.
type card struct {
	ID    string  `json:"id"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Text  string  `json:"text"`
	File  string  `json:"file"`
	URL   string  `json:"url"`
	Label string  `json:"label"`
}

func isCanvas(rel string) bool { return strings.EqualFold(path.Ext(rel), ".canvas") }

// noteText returns the Markdown of a file of the vault: of a canvas its cards from top to bottom, and its labelled
// edges. A file that is no canvas, whatever its name says, is its own text.
func noteText(rel string, raw []byte) []byte {
	var c canvas
	if !isCanvas(rel) || json.Unmarshal(raw, &c) != nil {
		return raw
	}
	sorting.Stable(c.Nodes, func(a, b card) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
	var parts []string
	names := map[string]string{}
	for i := range c.Nodes {
		text := c.Nodes[i].markdown()
		if text == "" {
			continue
		}
		parts = append(parts, text)
		first, _, _ := strings.Cut(text, "\n")
		names[c.Nodes[i].ID] = shorten(strings.TrimLeft(first, "# "), 80)
	}
	for _, e := range c.Edges {
		if from, to := names[e.From], names[e.To]; from != "" && to != "" && e.Label != "" {
			parts = append(parts, from+" → "+to+": "+e.Label)
		}
	}
	return []byte(strings.Join(parts, "\n\n") + "\n")
}

func (c *card) markdown() string {
	switch {
	case c.File != "":
		return "[[" + c.File + "]]"
	case c.URL != "":
		return c.URL
	case c.Label != "" && c.Text == "":
		return "## " + strings.Join(strings.Fields(c.Label), " ")
	}
	return strings.TrimSpace(c.Text)
}

// editable refuses a note that only the program that drew it can change.
func editable(rel string) error {
	if isCanvas(rel) {
		return fault.New(fault.Usage, "%s is a canvas, which memory only reads", rel).Or("change it in the program that drew it")
	}
	return nil
}
