package claims

import (
	"cmp"
	"fmt"
	"html"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Graph is which folders of a project import which.
type Graph struct {
	Nodes []string // the largest, by name
	Edges [][2]int // from importer to imported
	Left  int      // folders that were omitted
}

// mostNodes is how many folders a drawing has.
const mostNodes = 60

// Folders returns the graph of a project's imports.
func Folders(p *facts.Project) Graph {
	size := map[string]int{}
	edges := map[[2]string]bool{}
	for i := range p.Docs {
		if p.Docs[i].Flags&(corpus.Test|corpus.Example|corpus.Generated|corpus.Vendored|corpus.Prose) != 0 || syntax.Covers(p.Docs[i].Language) != syntax.Everything {
			continue
		}
		from := path.Dir(p.Docs[i].Path)
		size[from]++
		h := p.Head(i)
		for k := range h.Imports {
			for _, d := range p.Import(i, &h.Imports[k]).Docs {
				if to := path.Dir(p.Docs[d].Path); to != from {
					edges[[2]string{from, to}] = true
				}
			}
		}
	}
	var g Graph
	for d := range size {
		g.Nodes = append(g.Nodes, d)
	}
	slices.SortFunc(g.Nodes, func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), strings.Compare(a, b)) })
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
	slices.SortFunc(g.Edges, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return g
}

// ranks puts what is imported below what imports it; what imports itself in a
// circle is on the line where the walk met it first.
func (g *Graph) ranks() []int {
	out := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		out[e[0]] = append(out[e[0]], e[1])
	}
	rank, state := make([]int, len(g.Nodes)), make([]byte, len(g.Nodes))
	var visit func(n int) int
	visit = func(n int) int {
		switch state[n] {
		case 1:
			return -1
		case 2:
			return rank[n]
		}
		state[n] = 1
		for _, to := range out[n] {
			rank[n] = max(rank[n], visit(to)+1)
		}
		state[n] = 2
		return rank[n]
	}
	for n := range g.Nodes {
		visit(n)
	}
	return rank
}

// SVG draws a graph: importers above, what they import below.
func (g *Graph) SVG() string {
	if len(g.Nodes) == 0 {
		return ""
	}
	const wide, high, gapX, gapY, perLine = 150, 26, 14, 58, 8
	rank := g.ranks()
	lines := map[int][]int{}
	top := 0
	for n, r := range rank {
		lines[r] = append(lines[r], n)
		top = max(top, r)
	}
	x, y := make([]int, len(g.Nodes)), make([]int, len(g.Nodes))
	row, width := 0, 0
	for r := top; r >= 0; r-- {
		for k, n := range lines[r] {
			if k > 0 && k%perLine == 0 {
				row++
			}
			x[n], y[n] = gapX+k%perLine*(wide+gapX), gapX+row*(high+gapY)
			width = max(width, x[n]+wide+gapX)
		}
		row++
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="which folders import which">`+"\n", width, row*(high+gapY))
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>` + "\n")
	for _, e := range g.Edges {
		f, t := e[0], e[1]
		fmt.Fprintf(&b, `<path class="edge" d="M%d %d C%d %d %d %d %d %d" marker-end="url(#tip)"><title>%s → %s</title></path>`+"\n",
			x[f]+wide/2, y[f]+high, x[f]+wide/2, y[f]+high+gapY/2, x[t]+wide/2, y[t]-gapY/2, x[t]+wide/2, y[t], html.EscapeString(g.Nodes[f]), html.EscapeString(g.Nodes[t]))
	}
	for n, name := range g.Nodes {
		label := name
		if r := []rune(label); len(r) > 22 {
			label = "…" + string(r[len(r)-21:])
		}
		fmt.Fprintf(&b, `<g class="node"><rect x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d">%s</text><title>%s</title></g>`+"\n",
			x[n], y[n], wide, high, x[n]+wide/2, y[n]+17, html.EscapeString(label), html.EscapeString(name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// HTML writes a report as one page that needs nothing beside it.
func (r *Report) HTML(format string) string {
	var b strings.Builder
	esc := html.EscapeString
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Drift Report</title>\n<style>%s</style></head><body>\n<h1>Drift Report</h1>\n", style)
	fmt.Fprintf(&b, "<p>Generated: %s<br>Target: %s</p>\n<h2>Drift Score: %s</h2>\n", r.Generated.UTC().Format("2006-01-02T15:04:05Z"), esc(r.Target), esc(r.Scored()))
	for _, t := range r.tables(format) {
		fmt.Fprintf(&b, "<h2>%s</h2>\n<table><tr>", esc(t.title))
		for _, h := range t.header {
			fmt.Fprintf(&b, "<th>%s</th>", esc(h))
		}
		b.WriteString("</tr>\n")
		for _, row := range t.rows {
			b.WriteString("<tr>")
			for _, c := range row {
				fmt.Fprintf(&b, "<td>%s</td>", esc(c))
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</table>\n")
	}
	b.WriteString("<h2>Dependencies</h2>\n")
	b.WriteString(r.Graph.SVG())
	if r.Graph.Left > 0 {
		fmt.Fprintf(&b, "<p>%d smaller folders are not drawn.</p>\n", r.Graph.Left)
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}th{background:#f2f2f2}
svg{width:100%;height:auto}.edge{fill:none;stroke:#889;stroke-width:1}.node rect{fill:#eef3fa;stroke:#567}.node text{font:12px system-ui,sans-serif;text-anchor:middle}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th{background:#262626}th,td{border-color:#444}.node rect{fill:#243040}.node text{fill:#ddd}}`
