package apidoc

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// maxOverloads is how many signatures an entry shows.
const maxOverloads = 6

// A gathering makes one entry of all that a file says of a name.
type gathering struct {
	lang   string
	order  []*gathered
	groups map[string]*gathered
}

type gathered struct {
	entry      Entry
	signatures []string
	said       doc
}

// add takes a declaration. Those with one trail are one entry, whose line is that of the first.
func (g *gathering) add(e Entry, signature string, said doc) {
	key := strings.Join(e.Trail, "\x00")
	of := g.groups[key]
	if of == nil {
		of = &gathered{entry: e}
		if g.groups == nil {
			g.groups = map[string]*gathered{}
		}
		g.groups[key], g.order = of, append(g.order, of)
	}
	if !slices.Contains(of.signatures, signature) && len(of.signatures) < maxOverloads {
		of.signatures = append(of.signatures, signature)
	}
	of.said.add(said)
}

// entries returns an entry for each name, in the order in which they were added.
func (g *gathering) entries() (out []Entry) {
	for _, of := range g.order {
		sign := cutBalanced(strings.Join(of.signatures, "\n"), g.lang, maxSignature+maxBody)
		code := markup.Block{Kind: markup.Code, Lang: g.lang, Text: sign, Line: of.entry.Line}
		of.entry.Blocks = append([]markup.Block{code}, of.said.blocks(g.lang, of.entry.Line)...)
		out = append(out, of.entry)
	}
	return out
}
