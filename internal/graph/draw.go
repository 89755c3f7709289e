package graph

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// mostDrawn bounds the arrows of a drawing: more of them nobody can read.
const mostDrawn = 200

// A Picture asks for an answer to be drawn.
type Picture struct {
	Mermaid bool `json:"mermaid,omitempty" flag:"mermaid" group:"drawing" help:"draw it as a Mermaid diagram"`
	Dot     bool `json:"dot,omitempty" flag:"dot" group:"drawing" help:"draw it as a Graphviz graph"`
	SVG     bool `json:"svg,omitempty" flag:"svg" group:"drawing" help:"draw it as an SVG image, for light and dark themes"`
}

func (p Picture) asked() bool { return p.Mermaid || p.Dot || p.SVG }

// A drawing is an answer as a graph. It is empty where none was asked for.
type drawing struct {
	as     Picture
	asked  bool
	arrows [][2]string
	cut    int
}

// Drawing reports whether the answer is to be drawn: then its text is the drawing,
// and there is no other form.
func (d *drawing) Drawing() bool { return d.asked }

func newDrawing(arrows [][2]string, as Picture) drawing {
	sorting.Stable(arrows, func(a, b [2]string) int {
		if c := strings.Compare(a[0], b[0]); c != 0 {
			return c
		}
		return strings.Compare(a[1], b[1])
	})
	arrows = slices.Compact(arrows)
	d := drawing{as: as, asked: true, arrows: arrows}
	if len(arrows) > mostDrawn {
		d.arrows, d.cut = arrows[:mostDrawn], len(arrows)-mostDrawn
	}
	return d
}

// Verbatim reports whether the answer is data for another program.
func (d *drawing) Verbatim(bool) bool { return d.as.SVG }

// graph returns the arrows as a graph with a box for each name.
func (d *drawing) graph() *render.Graph {
	g := &render.Graph{Label: "what depends on what"}
	at := map[string]int{}
	node := func(name string) int {
		n, ok := at[name]
		if !ok {
			n = len(g.Nodes)
			at[name] = n
			g.Nodes = append(g.Nodes, render.Node{Box: name})
		}
		return n
	}
	for _, a := range d.arrows {
		g.Edges = append(g.Edges, [2]int{node(a[0]), node(a[1])})
	}
	if d.cut > 0 {
		node(text.Counted("%d arrow{ is|s are} not drawn: ask about a part with --path", d.cut))
	}
	return g
}

func (d *drawing) draw(w io.Writer) error {
	if d.as.SVG {
		_, err := io.WriteString(w, d.graph().SVG())
		return err
	}
	b := render.Answer{To: w}
	ids := map[string]string{}
	id := func(name string) string {
		if ids[name] == "" {
			ids[name] = fmt.Sprintf("n%d", len(ids))
		}
		return ids[name]
	}
	if d.as.Dot {
		b.WriteString("digraph {\n  rankdir=LR;\n  node [shape=box];\n")
		for _, a := range d.arrows {
			fmt.Fprintf(&b, "  %s -> %s;\n", label(a[0], '\\'), label(a[1], '\\'))
		}
		b.WriteString("}\n")
	} else {
		b.WriteString("graph LR\n")
		for _, a := range d.arrows {
			b.WriteString("  ")
			for i, name := range a {
				_, known := ids[name]
				if b.WriteString(id(name)); !known {
					b.WriteString("[" + label(name, '#') + "]")
				}
				if i == 0 {
					b.WriteString(" --> ")
				}
			}
			b.WriteByte('\n')
		}
	}
	if d.cut > 0 {
		comment := "%%"
		if d.as.Dot {
			comment = "//"
		}
		fmt.Fprint(&b, text.Counted("%s %d arrow{s} omitted; ask about a part with --path\n", comment, d.cut))
	}
	return b.End()
}

// label writes a name between quotes, with the escapes of Mermaid or of DOT.
func label(name string, escape byte) string {
	name = text.Line(name)
	if escape == '#' {
		return `"` + strings.NewReplacer(`"`, "#quot;", "#", "#35;").Replace(name) + `"`
	}
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(name) + `"`
}

// drawFolders draws which folders import from which.
func (s *session) drawFolders(docs []int, as Picture) drawing {
	return newDrawing(slices.Collect(maps.Keys(s.folders(docs))), as)
}

// folders returns which folders import from which, and how often.
func (s *session) folders(docs []int) map[[2]string]int {
	edges := map[[2]string]int{}
	for _, d := range docs {
		h := s.p.Head(d)
		from := path.Dir(s.p.Docs[d].Path)
		for k := range h.Imports {
			got := s.leads(d, &h.Imports[k])
			var to string
			for _, t := range got.Docs {
				if dir := path.Dir(s.p.Docs[t].Path); dir != to && dir != from {
					to = dir
					edges[[2]string{from, to}]++
				}
			}
		}
	}
	return edges
}

// picture returns a map as a graph: a box for each file with its signatures, and an arrow from
// a file to those that it imports.
func (s *session) picture(m *Map) *render.Graph {
	g := &render.Graph{Label: "the files that matter most, their signatures, and what imports what"}
	at := map[string]int{} // the first node of each file
	for i := range m.Files {
		f := &m.Files[i]
		at[f.File] = len(g.Nodes)
		for k := range f.Symbols {
			x := &f.Symbols[k]
			g.Nodes = append(g.Nodes, render.Node{Box: f.File, Text: text.Clip(x.Signature, mostLine), Title: f.File + ":" + itoa(x.Line) + "\n" + x.Signature})
		}
	}
	for i := range m.Files {
		d, ok := s.doc(m.Files[i].File)
		if !ok {
			continue
		}
		h := s.p.Head(d)
		for k := range h.Imports {
			// Of a package of many files one stands for all: the first of the map.
			first := len(g.Nodes)
			for _, to := range s.leads(d, &h.Imports[k]).Docs {
				if n, shown := at[s.p.Docs[to].Path]; shown && to != d {
					first = min(first, n)
				}
			}
			if first < len(g.Nodes) {
				g.Edges = append(g.Edges, [2]int{at[m.Files[i].File], first})
			}
		}
	}
	return g
}

// mostLine is how many characters of a signature a picture has.
const mostLine = 90

// picture returns a review as a graph: the changed files with what changed in them, the files and tests
// that this reaches with what reaches there, and an arrow for each call from these to those.
func (r *reviewed) picture(out *Review) *render.Graph {
	g := &render.Graph{Label: "what a change reaches", Rows: []render.Kind{render.Test, render.Reached, render.Changed}}
	at := map[string]int{}
	add := func(file, title string, kind render.Kind, lines []string) {
		if _, ok := at[file]; ok {
			return
		}
		at[file] = len(g.Nodes)
		g.Nodes = append(g.Nodes, render.Node{Box: file, Kind: kind})
		if n := len(lines) - mostLines; n > 0 {
			lines = append(slices.Clone(lines[:mostLines]), fmt.Sprintf("and %d more", n))
		}
		for _, line := range lines {
			g.Nodes = append(g.Nodes, render.Node{Box: file, Text: text.Clip(line, mostLine), Title: title, Kind: kind})
		}
	}
	for i := range out.Files {
		f := &out.Files[i]
		lines := slice.Map(f.Symbols, func(x ChangedSymbol) string { return x.Name + " " + x.what() })
		add(f.File, f.File, render.Changed, lines)
	}
	for _, part := range []struct {
		kind render.Kind
		list []Reached
	}{{render.Reached, out.Reached}, {render.Test, out.Tests}} {
		for i := range part.list {
			x := &part.list[i]
			via := "by " + strings.Join(x.Via, ", ")
			add(x.File, x.File+"\n"+via, part.kind, append(slices.Clone(x.Functions), via))
		}
	}
	for _, a := range r.arrows {
		from, ok := at[r.s.p.Docs[a[0]].Path]
		to, also := at[r.s.p.Docs[a[1]].Path]
		if ok && also && r.touched[a[1]] && !r.touched[a[0]] {
			g.Edges = append(g.Edges, [2]int{from, to})
		}
	}
	return g
}

// mostLines is how many lines a box of a change has.
const mostLines = 10
