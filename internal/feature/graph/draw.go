package graph

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// mostDrawn bounds the arrows of a drawing: more of them nobody can read.
const mostDrawn = 200

// A drawing is an answer as a graph. It is empty where none was asked for.
type drawing struct {
	dot    bool
	asked  bool
	arrows [][2]string
	cut    int
}

// Drawing reports whether the answer is to be drawn: then its text is the drawing,
// and there is no other form.
func (d *drawing) Drawing() bool { return d.asked }

func newDrawing(arrows [][2]string, dot bool) drawing {
	slices.SortFunc(arrows, func(a, b [2]string) int {
		if c := strings.Compare(a[0], b[0]); c != 0 {
			return c
		}
		return strings.Compare(a[1], b[1])
	})
	arrows = slices.Compact(arrows)
	d := drawing{dot: dot, asked: true, arrows: arrows}
	if len(arrows) > mostDrawn {
		d.arrows, d.cut = arrows[:mostDrawn], len(arrows)-mostDrawn
	}
	return d
}

func (d *drawing) draw(w io.Writer) error {
	var b strings.Builder
	ids := map[string]string{}
	id := func(name string) string {
		if ids[name] == "" {
			ids[name] = fmt.Sprintf("n%d", len(ids))
		}
		return ids[name]
	}
	if d.dot {
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
		if d.dot {
			comment = "//"
		}
		fmt.Fprintf(&b, "%s %d arrows omitted; ask about a part with --path\n", comment, d.cut)
	}
	_, err := io.WriteString(w, b.String())
	return err
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
func (s *session) drawFolders(docs []int, dot bool) drawing {
	var arrows [][2]string
	for edge := range s.folders(docs) {
		arrows = append(arrows, edge)
	}
	return newDrawing(arrows, dot)
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
