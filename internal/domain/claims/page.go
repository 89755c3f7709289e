package claims

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// A page is a report as it is looked at: what a document or a file says is text in it and
// never markup, and it asks nobody for anything.
type page struct {
	strings.Builder
	root  string
	forge func(path string) string
}

// HTML writes a report as one page that needs nothing beside it. Places lead to the
// person's editor, and to the forge where it is known how that names a file.
func (r *Report) HTML() string {
	p := &page{root: r.Target, forge: r.Forge}
	sum := sha256.Sum256([]byte(script))
	p.f(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'">
<title>Drift Report</title><style>%s</style></head><body>
<header><h1>Drift Report</h1><p>%s<br>%s</p></header>
`, base64.StdEncoding.EncodeToString(sum[:]), style, html.EscapeString(r.Target), r.Generated.UTC().Format("2 January 2006, 15:04 UTC"))
	shades := map[Shade]int{}
	for i := range r.Shadows {
		shades[r.Shadows[i].shade()]++
	}
	p.f(`<div class="cards">`)
	card := func(n, what, to string) {
		p.f(`<a class="card" href="#%s"><b>%s</b><span>%s</span></a>`, to, html.EscapeString(n), html.EscapeString(what))
	}
	score, _, _ := strings.Cut(r.Scored(), ":")
	card(score, "drift score", "ghosts")
	card(strconv.Itoa(len(r.Ghosts)), fmt.Sprintf("ghosts of %d claims", r.Features), "ghosts")
	card(strconv.Itoa(shades[Orphaned]), fmt.Sprintf("orphaned of %d declarations", r.Declared), "shadows")
	card(strconv.Itoa(shades[Drifted]), "documented otherwise", "drifted")
	card(strconv.Itoa(len(r.Links)), "broken links", "links")
	card(strconv.Itoa(shades[Partial]), "partly documented", "shadows")
	card(strconv.Itoa(len(r.Verified)), "verified", "verified")
	card(strconv.Itoa(len(r.Resolved)), "resolved", "resolved")
	p.f("</div>\n<nav><a href=\"#ghosts\">Ghosts</a><a href=\"#drifted\">Documented otherwise</a><a href=\"#links\">Broken links</a><a href=\"#shadows\">Shadows</a><a href=\"#verified\">Verified</a><a href=\"#resolved\">Resolved</a><a href=\"#imports\">Dependencies</a>" +
		"<label>Filter <input id=\"filter\" type=\"search\" placeholder=\"name, file or class\" disabled></label><output id=\"count\"></output></nav>\n<main>\n")
	p.ghosts(r)
	p.shadows(r)
	p.rest(r)
	p.imports(&r.Graph)
	p.f("</main><script>%s</script></body></html>\n", script)
	return p.String()
}

func (p *page) f(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// shade is that of a row, also where it is of a report that was read again.
func (r *ShadowRow) shade() Shade {
	word, _, _ := strings.Cut(r.Class, " ")
	return cmp.Or(r.Shade, Shade(word))
}

// A cellOf is what a row has in a column: a text, or a place.
type cellOf struct {
	text  string
	place bool
}

func said(s string) cellOf { return cellOf{s, false} }

func at(s string) cellOf { return cellOf{s, true} }

func (p *page) table(header []string, rows [][]cellOf) {
	p.f(`<table><thead><tr>`)
	for _, h := range header {
		p.f(`<th scope="col">%s</th>`, html.EscapeString(h))
	}
	p.f("</tr></thead><tbody>\n")
	for _, row := range rows {
		p.f("<tr>")
		for i, c := range row {
			p.f(`<td data-of="%s">`, html.EscapeString(header[i]))
			if c.place {
				p.place(c.text)
			} else {
				p.f("%s", html.EscapeString(visible(c.text)))
			}
			p.f("</td>")
		}
		p.f("</tr>\n")
	}
	p.f("</tbody></table>\n")
}

// visible shows the characters that would change what stands beside them.
func visible(s string) string { return text.Visible(strings.Join(strings.Fields(s), " ")) }

// place links a file and its line to the editor, and to the forge.
func (p *page) place(at string) {
	file := pathOf(at)
	line := strings.TrimPrefix(strings.TrimPrefix(at, file), ":")
	if at == "" || line == "" {
		p.f("%s", html.EscapeString(visible(at)))
		return
	}
	full := (&url.URL{Path: path.Join("/", filepath.ToSlash(p.root), file)}).EscapedPath()
	p.f(`<a href="vscode://file%s:%s" title="open in the editor">%s</a>`, html.EscapeString(full), html.EscapeString(url.PathEscape(line)), html.EscapeString(visible(at)))
	if p.forge == nil {
		return
	}
	if to := p.forge(file); strings.HasPrefix(to, "https://") {
		p.f(` <a class="forge" href="%s#L%s" title="on the forge" aria-label="on the forge" rel="noreferrer">↗</a>`, html.EscapeString(to), html.EscapeString(url.PathEscape(line)))
	}
}

// section opens a part of the page; one without rows says so.
func (p *page) section(id, title string, n int, none string) {
	p.f("<section id=\"%s\"><h2>%s <small>%d</small></h2>\n", id, title, n)
	if n == 0 {
		p.f("<p>%s</p>\n", none)
	}
}

func (p *page) ghosts(r *Report) {
	p.section("ghosts", "Ghosts: documented, and in no code", len(r.Ghosts), "No claim is without code that is certain to be the project's to have.")
	var rows [][]cellOf
	for i := range r.Ghosts {
		g := &r.Ghosts[i]
		rows = append(rows, []cellOf{said(g.Feature), at(g.Source), said(g.Class), said(g.Searched), said(g.Ticket)})
	}
	if len(rows) > 0 {
		p.table([]string{"Claim", "Document", "Verdict", "Searched", "Ticket"}, rows)
	}
	p.f("</section>\n")
}

// shadows writes what documents have otherwise, and then a section for each module with
// what they do not know of it, those with most orphans first.
func (p *page) shadows(r *Report) {
	var drifted [][]cellOf
	type module struct {
		name     string
		rows     [][]cellOf
		orphaned int
	}
	var modules []*module
	of := map[string]*module{}
	n := 0
	for i := range r.Shadows {
		s := &r.Shadows[i]
		if s.shade() == Drifted {
			drifted = append(drifted, []cellOf{said(s.Module), at(s.Location), at(s.Doc), said(s.Difference), said(s.Ticket)})
			continue
		}
		n++
		name := Module(s.Path())
		m := of[name]
		if m == nil {
			m = &module{name: name}
			of[name] = m
			modules = append(modules, m)
		}
		if s.shade() == Orphaned {
			m.orphaned++
		}
		m.rows = append(m.rows, []cellOf{said(s.Module), at(s.Location), said(s.Class), at(s.Doc), said(s.Dependents), said(s.Ticket)})
	}
	p.section("drifted", "Documented otherwise", len(drifted), "No document has a declaration otherwise than the code.")
	if len(drifted) > 0 {
		p.table([]string{"Declaration", "Code", "Document", "Difference", "Ticket"}, drifted)
	}
	p.f("</section>\n")
	p.links(r)
	p.section("shadows", "Shadows: exported, and in no document", n, "Documents name all that the code exports.")
	slices.SortStableFunc(modules, func(a, b *module) int {
		return cmp.Or(cmp.Compare(b.orphaned, a.orphaned), strings.Compare(a.name, b.name))
	})
	for _, m := range modules {
		p.f("<details><summary><b>%s</b> <span>%d orphaned, %d partial</span></summary>\n", html.EscapeString(visible(m.name)), m.orphaned, len(m.rows)-m.orphaned)
		p.table([]string{"Declaration", "Code", "Class", "Nearest document", "Used by", "Ticket"}, m.rows)
		p.f("</details>\n")
	}
	p.f("</section>\n")
}

func (p *page) links(r *Report) {
	p.section("links", "Broken links", len(r.Links), "Every link of a document into the repository leads somewhere.")
	if len(r.Links) > 0 {
		var rows [][]cellOf
		for _, l := range r.Links {
			rows = append(rows, []cellOf{said(l.Target), at(l.Place.String()), said(l.Why)})
		}
		p.table([]string{"Link", "Document", "Broken"}, rows)
	}
	p.f("</section>\n")
}

// rest writes what is as it should be: collapsed, by document.
func (p *page) rest(r *Report) {
	p.section("verified", "Verified", len(r.Verified), "No claim was found in the code.")
	var docs []string
	of := map[string][][]cellOf{}
	for i := range r.Verified {
		v := &r.Verified[i]
		doc := pathOf(v.Source)
		if of[doc] == nil {
			docs = append(docs, doc)
		}
		of[doc] = append(of[doc], []cellOf{said(v.Feature), at(v.Source), at(v.Code), said(fmt.Sprintf("%.0f%%", 100*v.Confidence))})
	}
	for _, doc := range docs {
		p.f("<details><summary><b>%s</b> <span>%d claims</span></summary>\n", html.EscapeString(visible(doc)), len(of[doc]))
		p.table([]string{"Claim", "Document", "Code", "Confidence"}, of[doc])
		p.f("</details>\n")
	}
	p.f("</section>\n")
	p.section("resolved", "Resolved", len(r.Resolved), "Nothing of a former report is fixed yet.")
	if len(r.Resolved) > 0 {
		var rows [][]cellOf
		for _, x := range r.Resolved {
			rows = append(rows, []cellOf{said(x.Item), said(x.Type), said(x.Date), said(x.Evidence)})
		}
		p.table([]string{"Item", "Type", "Date", "Evidence"}, rows)
	}
	p.f("</section>\n")
}

func (p *page) imports(g *Graph) {
	what := "files"
	if g.Folders {
		what = "folders"
	}
	p.section("imports", "Dependencies", len(g.Nodes), "No imports were read.")
	if len(g.Nodes) > 0 {
		p.f("<p>Which %s import which: an arrow leads from a box to what it imports. ", what)
		if g.Left > 0 {
			p.f("%d smaller %s are not drawn. ", g.Left, what)
		}
		p.f("A box that is pointed at shows its arrows alone; a name shows its own imports.</p>\n<div class=\"graph\" tabindex=\"0\">%s</div>\n", g.SVG())
	}
	p.f("</section>\n")
}
