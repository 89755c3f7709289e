// Package render writes reports as web pages and graphs as pictures, in one style, light and dark, for screens and paper.
//
// Names and texts are always text and never markup, and characters that are invisible or change the direction are shown. A
// page makes no request and needs no other file; its policy only allows its own style and script.
package render

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

var (
	//go:embed page.css
	styled string
	//go:embed picture.css
	pictured string
	//go:embed page.js
	script string
)

// Markup is HTML that must not be escaped: constants, and the output of this package.
type Markup string

// A Place is a file and its line, path:line, of a project.
type Place string

// Code is a text whose lines stay as they are.
type Code string

// A Number stands at the right of its column.
type Number string

// A Verdict is whether something passed.
type Verdict struct {
	Passed bool
	Text   string
}

// escape returns an argument as it stands in markup: numbers as they are, anything else
// as the text that fmt prints.
func escape(arg any) any {
	switch a := arg.(type) {
	case Markup:
		return string(a)
	case int, int64, float64:
		return a
	case Code:
		return html.EscapeString(text.Visible(string(a)))
	}
	return html.EscapeString(text.Visible(strings.Join(strings.Fields(fmt.Sprint(arg)), " ")))
}

// A writer collects markup.
type writer struct{ b strings.Builder }

// F adds markup. Its arguments are text, between tags or in the quotes of an attribute.
func (w *writer) F(format string, args ...any) {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = escape(a)
	}
	fmt.Fprintf(&w.b, format, safe...)
}

// A Page is a report while it is written.
type Page struct {
	writer
	title string
	about []any
	cards strings.Builder
	links strings.Builder

	// Root is the folder that places are below: they lead to the person's editor.
	Root string
	// Forge returns the address at which a file is shown, or nothing.
	Forge func(path string) string
}

// New begins a page: its title, and the lines below that.
func New(title string, about ...any) *Page { return &Page{title: title, about: about} }

// Card adds a figure to those at the top; it leads to a section.
func (p *Page) Card(figure any, what, section string) {
	var w writer
	w.F(`<a class="card" href="#%s"><b>%s</b><span>%s</span></a>`, section, fmt.Sprint(figure), what)
	p.cards.WriteString(w.b.String())
}

// Section begins a part of the page: call the result where it ends. One without rows says so.
func (p *Page) Section(id, short, title string, n int, none string) (end func()) {
	var w writer
	w.F(`<a href="#%s">%s</a>`, id, short)
	p.links.WriteString(w.b.String())
	p.F("<section id=\"%s\"><h2>%s <small>%d</small></h2>\n", id, title, n)
	if n == 0 {
		p.F("<p>%s</p>\n", none)
	}
	return func() { p.F("</section>\n") }
}

// Folded adds a table that is opened by a click on its name.
func (p *Page) Folded(name, about string, header []string, rows [][]any) {
	p.F("<details><summary><b>%s</b> <span>%s</span></summary>\n", name, about)
	p.Table(header, rows)
	p.F("</details>\n")
}

// Table adds a table, if it has rows. A cell is a Place, a Number, a Verdict, Code, Markup, or text.
func (p *Page) Table(header []string, rows [][]any) {
	if len(rows) == 0 {
		return
	}
	p.F(`<table><thead><tr>`)
	for i, h := range header {
		p.F(`<th scope="col"%s>%s</th>`, numericClass(rows[0][i]), h)
	}
	p.F("</tr></thead><tbody>\n")
	for _, row := range rows {
		p.F("<tr>")
		for i, cell := range row {
			p.F(`<td data-of="%s"%s>`, header[i], numericClass(cell))
			p.cell(cell)
			p.F("</td>")
		}
		p.F("</tr>\n")
	}
	p.F("</tbody></table>\n")
}

func numericClass(cell any) Markup {
	if _, ok := cell.(Number); ok {
		return ` class="n"`
	}
	return ""
}

func (p *Page) cell(cell any) {
	switch c := cell.(type) {
	case Place:
		p.place(string(c))
	case Code:
		if c != "" {
			p.F("<pre>%s</pre>", c)
		}
	case Verdict:
		p.F(`<b class="%s">%s</b>`, passed[c.Passed], c.Text)
	default:
		p.F("%s", cell)
	}
}

var passed = map[bool]Markup{true: "pass", false: "fail"}

// place links a file and its line to the editor, and to the forge.
func (p *Page) place(at string) {
	file, line, ok := cutLine(at)
	if !ok || p.Root == "" {
		p.F("%s", at)
		return
	}
	full := (&url.URL{Path: path.Join("/", filepath.ToSlash(p.Root), file)}).EscapedPath()
	p.F(`<a href="vscode://file%s:%s" title="open in the editor">%s</a>`, full, line, at)
	if p.Forge == nil {
		return
	}
	if to := p.Forge(file); strings.HasPrefix(to, "https://") {
		p.F(` <a class="forge" href="%s#L%s" title="on the forge" aria-label="on the forge" rel="noreferrer">↗</a>`, to, line)
	}
}

// cutLine parts a place at its last colon, if a number is behind that.
func cutLine(at string) (file, line string, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 1 || i == len(at)-1 || strings.Trim(at[i+1:], "0123456789") != "" {
		return at, "", false
	}
	return at[:i], at[i+1:], true
}

// Graph adds a drawing.
func (p *Page) Graph(g *Graph) { p.F("<div class=\"graph\" tabindex=\"0\">%s</div>\n", g.svg("")) }

// String ends the page.
func (p *Page) String() string {
	style := pictured + styled
	var w writer
	w.F(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>%s</title><style>%s</style></head><body>
<header><h1>%s</h1>`, hash(style), hash(script), p.title, Markup(style), p.title)
	for _, line := range p.about {
		w.F("<p>%s</p>", line)
	}
	w.F("</header>\n")
	if p.cards.Len() > 0 {
		w.F("<div class=\"cards\">%s</div>\n", Markup(p.cards.String()))
	}
	w.F(`<nav>%s<label>Filter <input id="filter" type="search" placeholder="part of a row" disabled></label><output id="count"></output></nav>
<main>
%s</main><script>%s</script></body></html>
`, Markup(p.links.String()), Markup(p.b.String()), Markup(script))
	return w.b.String()
}

func hash(s string) Markup {
	sum := sha256.Sum256([]byte(s))
	return Markup(base64.StdEncoding.EncodeToString(sum[:]))
}
