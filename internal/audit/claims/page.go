package claims

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
)

// HTML writes a report as one page that needs nothing beside it. Places lead to the
// person's editor, and to the forge where it is known how that names a file.
func (r *Report) HTML() string {
	about := []any{r.Target, r.Generated.UTC().Format("2 January 2006, 15:04 UTC")}
	p := render.New("Drift Report", about...)
	p.Root, p.Forge = r.Target, r.Forge
	shades := map[Shade]int{}
	for i := range r.Shadows {
		s := &r.Shadows[i]
		if len(s.Members) == 0 {
			shades[s.shade()]++
		}
		for k := range s.Members {
			shades[s.Members[k].Shade]++
		}
	}
	score, _, _ := strings.Cut(r.Scored(), ":")
	p.Card(score, "drift score", "ghosts")
	p.Card(len(r.Ghosts), fmt.Sprintf("ghosts of %d claims", r.Features), "ghosts")
	p.Card(shades[Orphaned], fmt.Sprintf("orphaned of %d declarations", r.Declared), "shadows")
	p.Card(shades[Drifted], "documented otherwise", "drifted")
	p.Card(len(r.Links), "broken links", "links")
	p.Card(shades[Partial], "partly documented", "shadows")
	p.Card(len(r.Verified), "verified", "verified")
	p.Card(len(r.Resolved), "resolved", "resolved")
	r.pageGhosts(p)
	r.pageShadows(p)
	r.pageRest(p)
	r.Graph.page(p)
	return p.String()
}

// shade is that of a row, also where it is of a report that was read again.
func (r *ShadowRow) shade() Shade {
	word, _, _ := strings.Cut(r.Class, " ")
	return cmp.Or(r.Shade, Shade(word))
}

func (r *Report) pageGhosts(p *render.Page) {
	end := p.Section("ghosts", "Ghosts", "Ghosts: documented, and in no code", len(r.Ghosts), "No claim is without code that is certain to be the project's to have.")
	defer end()
	var rows [][]any
	for i := range r.Ghosts {
		g := &r.Ghosts[i]
		rows = append(rows, []any{g.Feature, render.Place(g.Source), g.Class, g.Searched, g.Ticket})
	}
	p.Table([]string{"Claim", "Document", "Verdict", "Searched", "Ticket"}, rows)
}

// pageShadows writes what documents have otherwise, and then a section for each module with
// what they do not know of it.
func (r *Report) pageShadows(p *render.Page) {
	var drifted [][]any
	var modules []*ShadowRow
	n := 0
	for i := range r.Shadows {
		s := &r.Shadows[i]
		if s.shade() == Drifted {
			drifted = append(drifted, []any{s.Module, render.Place(s.Location), render.Place(s.Doc), s.Difference, s.Ticket})
			continue
		}
		n += len(s.Members)
		modules = append(modules, s)
	}
	end := p.Section("drifted", "Documented otherwise", "Documented otherwise", len(drifted), "No document has a declaration otherwise than the code.")
	p.Table([]string{"Declaration", "Code", "Document", "Difference", "Ticket"}, drifted)
	end()
	r.pageLinks(p)
	end = p.Section("shadows", "Shadows", "Shadows: exported, and in no document", n, "Documents name all that the code exports.")
	defer end()
	for _, s := range modules {
		var rows [][]any
		orphaned := 0
		for k := range s.Members {
			m := &s.Members[k]
			if m.Shade == Orphaned {
				orphaned++
			}
			rows = append(rows, []any{m.Name, render.Place(m.Location), fmt.Sprintf("%s (%s)", m.Shade, m.Shade.Risk()), render.Place(m.Doc), m.Dependents, s.Ticket})
		}
		what := fmt.Sprintf("%d orphaned, %d partial", orphaned, len(rows)-orphaned)
		if s.Untold {
			what += ", none documented"
		}
		p.Folded(s.Module, what, []string{"Declaration", "Code", "Class", "Nearest document", "Used by", "Ticket"}, rows)
	}
}

func (r *Report) pageLinks(p *render.Page) {
	end := p.Section("links", "Broken links", "Broken links", len(r.Links), "Every link of a document into the repository leads somewhere.")
	defer end()
	rows := slice.Map(r.Links, func(l Link) []any { return []any{l.Target, render.Place(l.Place.String()), l.Why} })
	p.Table([]string{"Link", "Document", "Broken"}, rows)
}

// pageRest writes what is as it should be: collapsed, by document.
func (r *Report) pageRest(p *render.Page) {
	end := p.Section("verified", "Verified", "Verified", len(r.Verified), "No claim was found in the code.")
	var docs []string
	of := map[string][][]any{}
	for i := range r.Verified {
		v := &r.Verified[i]
		doc := pathOf(v.Source)
		if of[doc] == nil {
			docs = append(docs, doc)
		}
		of[doc] = append(of[doc], []any{v.Feature, render.Place(v.Source), render.Place(v.Code), fmt.Sprintf("%.0f%%", 100*v.Confidence)})
	}
	for _, doc := range docs {
		p.Folded(doc, fmt.Sprintf("%d claims", len(of[doc])), []string{"Claim", "Document", "Code", "Confidence"}, of[doc])
	}
	end()
	end = p.Section("resolved", "Resolved", "Resolved", len(r.Resolved), "Nothing of a former report is fixed yet.")
	defer end()
	rows := slice.Map(r.Resolved, func(x Resolution) []any { return []any{x.Item, x.Type, x.Date, x.Evidence} })
	p.Table([]string{"Item", "Type", "Date", "Evidence"}, rows)
}

// page draws the graph.
func (g *Graph) page(p *render.Page) {
	what := "files"
	if g.Folders {
		what = "folders"
	}
	end := p.Section("imports", "Dependencies", "Dependencies", len(g.Nodes), "No imports were read.")
	defer end()
	if len(g.Nodes) == 0 {
		return
	}
	p.F("<p>Which %s import which: an arrow leads from a box to what it imports. ", what)
	if g.Left > 0 {
		p.F("%d smaller %s are not drawn. ", g.Left, what)
	}
	p.F("A box that is pointed at shows its arrows alone; a name shows its own imports.</p>\n")
	p.Graph(g.drawing())
}

// drawing is the graph with a box for each folder, and its nodes by their full names. What a
// node imports is said by its title, and by the table of the page.
func (g *Graph) drawing() *render.Graph {
	in, out := make([][]string, len(g.Nodes)), make([][]string, len(g.Nodes))
	for _, e := range g.Edges {
		out[e[0]], in[e[1]] = append(out[e[0]], g.Nodes[e[1]]), append(in[e[1]], g.Nodes[e[0]])
	}
	d := &render.Graph{Label: "which folders import which", Edges: g.Edges}
	for n, name := range g.Nodes {
		d.Nodes = append(d.Nodes, render.Node{Box: path.Dir(name), Text: path.Base(name), Title: name + "\nimports: " + listed(out[n]) + "\nimported by: " + listed(in[n])})
	}
	return d
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
