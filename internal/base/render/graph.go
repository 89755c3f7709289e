package render

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Graph is a drawing of nodes in named boxes, with arrows between the boxes. The width of an arrow shows its number of
// edges.
type Graph struct {
	Label string // a description for screen readers
	Nodes []Node
	Edges [][2]int // between nodes
	Rows  []Kind   // the kinds of its boxes, from top to bottom, with a legend; if empty, importers are above the imported boxes
}

// A Node is a line in a box. Text is empty where the box is all there is of it.
type Node struct {
	Box, Text string
	Title     string // the tooltip
	Kind      Kind
}

// A Kind is how a node is coloured.
type Kind string

// The kinds, by their meaning for a change.
const (
	Plain   Kind = ""
	Changed Kind = "changed"
	Reached Kind = "reached"
	Test    Kind = "test"
)

// A box is the nodes of one name as they are drawn: under it, in columns.
type box struct {
	name       string
	nodes      []int
	kind       Kind
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

func wide(label string) int { return letter * Width(label) / 10 }

// boxes gathers the nodes by their boxes.
func (g *Graph) boxes() ([]box, []int) {
	var out []box
	at, of := map[string]int{}, make([]int, len(g.Nodes))
	for n := range g.Nodes {
		x := &g.Nodes[n]
		k, ok := at[x.Box]
		if !ok {
			k = len(out)
			at[x.Box] = k
			out = append(out, box{name: x.Box})
		}
		of[n] = k
		if x.Text != "" {
			out[k].nodes = append(out[k].nodes, n)
		} else {
			out[k].kind = x.Kind
		}
	}
	for k := range out {
		b := &out[k]
		b.columns = (len(b.nodes) + tallest - 1) / tallest
		for _, n := range b.nodes {
			b.column = max(b.column, wide(g.Nodes[n].Text)+padding)
		}
		b.columns = max(1, min(b.columns, (drawn-2*padding)/max(b.column, 1)))
		rows := (len(b.nodes) + b.columns - 1) / b.columns
		b.w = 2*padding + max(b.columns*b.column, wide(b.name))
		b.h = 2*padding + (rows+1)*lineHigh
	}
	return out, of
}

// ranks places imported boxes below their importers. A box in an import cycle is on the line where the walk reached it first.
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

// place puts boxes on lines by their ranks, the highest at the top, and returns how large the
// drawing is. A line that is full goes on below itself.
func place(boxes []box, rank []int) (width, height int) {
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return rank[b] - rank[a] })
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

// SVG draws the graph as a standalone, static picture in the light or dark scheme of its viewer.
func (g *Graph) SVG() string { return string(g.svg(Markup(pictured))) }

// svg draws a box for each name with its nodes, and one arrow between two boxes. The title of a node lists the nodes that it
// reaches.
func (g *Graph) svg(style Markup) Markup {
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
	sorting.Stable(edges, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	rank := ranks(len(boxes), edges)
	if len(g.Rows) > 0 {
		for k := range boxes {
			rank[k] = len(g.Rows) - slices.Index(g.Rows, boxes[k].kind)
		}
	}
	width, height := place(boxes, rank)
	high := height
	if len(g.Rows) > 0 {
		high += lineHigh + padding
		width = max(width, 400)
	}
	w := begin(width, high, g.Label, style)
	w.F(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>` + "\n")
	for _, e := range edges {
		f, t := &boxes[e[0]], &boxes[e[1]]
		from, to, bend := f.y+f.h, t.y, between
		if t.y <= f.y { // back to where it came from, or beside it
			from, to, bend = f.y, t.y+t.h, -between
		}
		w.F(`<path class="edge" data-from="%d" data-to="%d" stroke-width="%d" d="M%d %dC%d %d %d %d %d %d" marker-end="url(#tip)"><title>%s → %s: %d</title></path>`+"\n",
			e[0], e[1], min(4, 1+count[e]/4), f.x+f.w/2, from, f.x+f.w/2, from+bend, t.x+t.w/2, to-bend, t.x+t.w/2, to, f.name, t.name, count[e])
	}
	focus := Markup(` tabindex="0"`) // on a page, where a key may choose a box
	if style != "" {
		focus = ""
	}
	for k := range boxes {
		x := &boxes[k]
		w.F(`<g class="box %s" data-box="%d"%s><rect x="%d" y="%d" width="%d" height="%d" rx="5"/><text class="name" x="%d" y="%d">%s</text>`, x.kind, k, focus, x.x, x.y, x.w, x.h, x.x+padding, x.y+padding+11, x.name)
		rows := (len(x.nodes) + x.columns - 1) / x.columns
		for i, n := range x.nodes {
			w.F(`<text class="node %s" x="%d" y="%d">%s<title>%s</title></text>`, g.Nodes[n].Kind, x.x+padding+i/rows*x.column, x.y+padding+11+(i%rows+1)*lineHigh, g.Nodes[n].Text, Code(g.Nodes[n].Title))
		}
		w.F("</g>\n")
	}
	at := padding
	for _, k := range g.Rows {
		w.F(`<text class="node %s" x="%d" y="%d">%s</text>`, k, at, height+padding, "■ "+k)
		at += wide(string(k)) + 4*padding
	}
	return Markup(w.String())
}

// A Picture is a drawing while it is written.
type Picture struct{ writer }

// NewPicture begins a standalone, static picture in the light or dark scheme of its viewer. more is style in addition to that
// of all pictures.
func NewPicture(width, height int, label string, more Markup) *Picture {
	return begin(width, height, label, Markup(pictured)+more)
}

// begin opens a picture; without a style it is a part of a page, which has it.
func begin(width, height int, label string, style Markup) *Picture {
	w := &Picture{}
	w.F(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n", width, height, width, height, label)
	if style != "" {
		w.F("<style>%s</style><rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", style, width, height)
	}
	return w
}

// String ends the picture.
func (w *Picture) String() string { return w.b.String() + "</svg>\n" }
