package claims

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Graph is which files of a project import which; of a large one, which folders do.
type Graph struct {
	Nodes   []string // the largest, by name
	Edges   [][2]int // from importer to imported
	Left    int      // nodes that were omitted
	Folders bool     // the nodes are folders
}

// mostNodes is how many files, or else folders, a drawing has: each has a line of text.
const mostNodes = 300

// Imports returns the graph of a project's imports: of its files, or where these are too
// many to be read, of its folders.
func Imports(p *facts.Project) Graph {
	if g := among(p, func(file string) string { return file }); g.Left == 0 {
		return g
	}
	g := among(p, path.Dir)
	g.Folders = true
	return g
}

// among returns the graph of a project's imports, of what its files are parts of.
func among(p *facts.Project, of func(file string) string) Graph {
	size := map[string]int{}
	edges := map[[2]string]bool{}
	for i := range p.Docs {
		if p.Docs[i].Flags&(corpus.Test|corpus.Example|corpus.Generated|corpus.Vendored|corpus.Prose) != 0 || syntax.Covers(p.Docs[i].Language) != syntax.Everything {
			continue
		}
		from := of(p.Docs[i].Path)
		size[from]++
		h := p.Head(i)
		for k := range h.Imports {
			for _, d := range p.Import(i, &h.Imports[k]).Docs {
				if to := of(p.Docs[d].Path); to != from {
					edges[[2]string{from, to}] = true
				}
			}
		}
	}
	var g Graph
	for d := range size {
		g.Nodes = append(g.Nodes, d)
	}
	sorting.Stable(g.Nodes, func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), strings.Compare(a, b)) })
	g.Left = max(0, len(g.Nodes)-mostNodes)
	g.Nodes = g.Nodes[:len(g.Nodes)-g.Left]
	slices.Sort(g.Nodes)
	for e := range edges {
		a, oka := slices.BinarySearch(g.Nodes, e[0])
		b, okb := slices.BinarySearch(g.Nodes, e[1])
		if oka && okb {
			g.Edges = append(g.Edges, [2]int{a, b})
		}
	}
	sorting.Stable(g.Edges, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return g
}
