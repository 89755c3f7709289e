package claims

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A box is the nodes of one folder as they are drawn: under its name, in columns.
type box struct {
	name       string
	nodes      []int
	x, y, w, h int
	columns    int
	column     int // the width of one
}

// Sizes of a drawing, in its own units: about pixels.
const (
	letter   = 73 // the width of ten letters of 12 pixels
	lineHigh = 17 // the height of a line of text
	padding  = 10
	between  = 34 // boxes: room for their edges
	drawn    = 1340
	tallest  = 12 // lines of a column
)

func wide(label string) int { return letter * utf8.RuneCountInString(label) / 10 }

// boxes gathers the nodes by their folders.
func (g *Graph) boxes() ([]box, []int) {
	var out []box
	at, of := map[string]int{}, make([]int, len(g.Nodes))
	for n, name := range g.Nodes {
		dir := path.Dir(name)
		k, ok := at[dir]
		if !ok {
			k = len(out)
			at[dir] = k
			out = append(out, box{name: dir})
		}
		of[n] = k
		out[k].nodes = append(out[k].nodes, n)
	}
	for k := range out {
		b := &out[k]
		b.columns = (len(b.nodes) + tallest - 1) / tallest
		for _, n := range b.nodes {
			b.column = max(b.column, wide(path.Base(g.Nodes[n]))+padding)
		}
		b.columns = max(1, min(b.columns, (drawn-2*padding)/max(b.column, 1)))
		rows := (len(b.nodes) + b.columns - 1) / b.columns
		b.w = 2*padding + max(b.columns*b.column, wide(b.name))
		b.h = 2*padding + (rows+1)*lineHigh
	}
	return out, of
}

// ranks puts what is imported below what imports it; what imports itself in a circle is
// on the line where the walk met it first.
func ranks(n int, edges [][2]int) []int {
	out := make([][]int, n)
	for _, e := range edges {
		out[e[0]] = append(out[e[0]], e[1])
	}
	rank, state := make([]int, n), make([]byte, n)
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
	for i := range n {
		visit(i)
	}
	return rank
}

// place puts boxes on lines, importers above what they import, and returns how large the
// drawing is. A line that is full goes on below itself.
func place(boxes []box, edges [][2]int) (width, height int) {
	rank := ranks(len(boxes), edges)
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank[b] - rank[a] })
	x, y, high := padding, padding, 0
	for i, k := range order {
		b := &boxes[k]
		if i > 0 && (rank[k] != rank[order[i-1]] || x+b.w > drawn) {
			x, y, high = padding, y+high+between, 0
		}
		b.x, b.y = x, y
		x += b.w + between/2
		high = max(high, b.h)
		width, height = max(width, b.x+b.w+padding), max(height, y+high+padding)
	}
	return width, height
}

// SVG draws a graph: a box for each folder, with its nodes by their full names; between
// boxes one arrow, as wide as there are many imports. What a node imports is said by its
// title, and by the table of the page.
func (g *Graph) SVG() string {
	if len(g.Nodes) == 0 {
		return ""
	}
	boxes, of := g.boxes()
	count := map[[2]int]int{}
	var edges [][2]int
	for _, e := range g.Edges {
		k := [2]int{of[e[0]], of[e[1]]}
		if k[0] == k[1] {
			continue
		}
		if count[k]++; count[k] == 1 {
			edges = append(edges, k)
		}
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return (a[0]-b[0])*len(boxes) + a[1] - b[1] })
	width, height := place(boxes, edges)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="which folders import which">`+"\n", width, height, width, height)
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>` + "\n")
	for _, e := range edges {
		f, t := &boxes[e[0]], &boxes[e[1]]
		from, to, bend := f.y+f.h, t.y, between
		if t.y <= f.y { // back to where it came from, or beside it
			from, to, bend = f.y, t.y+t.h, -between
		}
		fmt.Fprintf(&b, `<path class="edge" data-from="%d" data-to="%d" stroke-width="%d" d="M%d %dC%d %d %d %d %d %d" marker-end="url(#tip)"><title>%s → %s: %d</title></path>`+"\n",
			e[0], e[1], min(4, 1+count[e]/4), f.x+f.w/2, from, f.x+f.w/2, from+bend, t.x+t.w/2, to-bend, t.x+t.w/2, to, html.EscapeString(f.name), html.EscapeString(t.name), count[e])
	}
	in, out := make([][]string, len(g.Nodes)), make([][]string, len(g.Nodes))
	for _, e := range g.Edges {
		out[e[0]], in[e[1]] = append(out[e[0]], g.Nodes[e[1]]), append(in[e[1]], g.Nodes[e[0]])
	}
	for k := range boxes {
		x := &boxes[k]
		fmt.Fprintf(&b, `<g class="box" data-box="%d" tabindex="0"><rect x="%d" y="%d" width="%d" height="%d" rx="5"/><text class="name" x="%d" y="%d">%s</text>`, k, x.x, x.y, x.w, x.h, x.x+padding, x.y+padding+11, html.EscapeString(x.name))
		rows := (len(x.nodes) + x.columns - 1) / x.columns
		for i, n := range x.nodes {
			fmt.Fprintf(&b, `<text class="node" x="%d" y="%d">%s<title>%s</title></text>`, x.x+padding+i/rows*x.column, x.y+padding+11+(i%rows+1)*lineHigh,
				html.EscapeString(path.Base(g.Nodes[n])), html.EscapeString(g.Nodes[n]+"\nimports: "+listed(out[n])+"\nimported by: "+listed(in[n])))
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
