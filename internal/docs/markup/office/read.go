package office

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// A reader makes blocks of paragraphs.
type reader struct {
	flow.Flow
	styles map[string]style
	open   bool // it is an OpenDocument, which has its text right in its paragraphs
	slides bool

	number int // of the paragraph
	deep   int // lists that are open in the Flow
	code   []string
	begun  int // the paragraph where code begins

	para  paragraph
	in    bool // a paragraph
	said  bool // an element that holds text
	run   bool // what follows is set as code
	spans []bool
	lists int    // of an OpenDocument
	shape string // what a shape of a slide is for
	rows  [][]string
	table int // tables around
}

// A paragraph is what is read of one.
type paragraph struct {
	style   string
	level   int // of a heading
	item    int // of a list: how deep
	text    strings.Builder
	open    bool // a part that is set as code
	code    int  // bytes of text that are set as code
	letters int
}

// aside are elements that hold no text of the document itself.
var aside = map[string]bool{
	"Fallback": true, "tracked-changes": true, "annotation": true, "note": true, "table-of-content": true, "alphabetical-index": true,
	"bibliography": true, "del": true, "moveFrom": true, "instrText": true, "tabs": true,
}

// maxDeep is how deep elements may be within each other: a decoder keeps those that are open.
const maxDeep = 256

// tokens calls yield for what is in a file, as far as it is well-formed, without what is aside.
func tokens(data []byte, yield func(xml.Token)) {
	d := xml.NewDecoder(bytes.NewReader(data))
	deep, out := 0, 0 // out: how deep the element is that is aside
	for {
		token, err := d.Token()
		if err != nil || deep > maxDeep {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			if deep++; out == 0 && aside[t.Name.Local] {
				out = deep
			}
		case xml.EndElement:
			if deep--; out > 0 {
				if deep < out {
					out = 0
				}
				continue
			}
		}
		if out == 0 {
			yield(token)
		}
	}
}

// read reads a file of the document.
func (r *reader) read(data []byte) {
	tokens(data, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			r.start(t)
		case xml.EndElement:
			r.end(t.Name.Local)
		case xml.CharData:
			if r.in && (r.said || r.open) {
				r.write(string(t))
			}
		}
	})
	if r.in {
		r.paragraph()
	}
	r.tables()
	r.lists, r.spans, r.said, r.shape = 0, nil, false, ""
}

func (r *reader) start(t xml.StartElement) {
	switch t.Name.Local {
	case "p", "h":
		if r.in {
			r.paragraph() // a box within it
		}
		r.in, r.para = true, paragraph{style: attr(t, "style-name"), item: r.lists}
		if t.Name.Local == "h" {
			n, _ := strconv.Atoi(attr(t, "outline-level")) // without one it is of the highest
			r.para.level = min(max(n, 1), 6)
		}
	case "list":
		r.lists++
	case "tbl", "table":
		if r.table++; r.table == 1 {
			r.flush()
			r.rows = nil
		}
	case "tr", "table-row":
		if r.table == 1 {
			r.rows = append(r.rows, nil)
		}
	case "tc", "table-cell":
		if n := len(r.rows); n > 0 && r.table == 1 {
			r.rows[n-1] = append(r.rows[n-1], "")
		}
	case "sp":
		r.shape = "other"
	case "ph":
		r.shape = attr(t, "type")
	case "page":
		r.slides = r.open
	case "frame":
		r.shape = cmp.Or(attr(t, "class"), "other")
	default:
		if r.in {
			r.within(t)
		}
	}
}

// within reads what is said within a paragraph.
func (r *reader) within(t xml.StartElement) {
	switch t.Name.Local {
	case "pStyle":
		r.para.style = attr(t, "val")
	case "outlineLvl":
		r.para.level = level(attr(t, "val"))
	case "numPr":
		r.para.item = max(r.para.item, 1)
	case "ilvl":
		n, _ := strconv.Atoi(attr(t, "val")) // without one it is the first
		r.para.item = min(max(n, 0), 6) + 1
	case "pPr":
		if n, err := strconv.Atoi(attr(t, "lvl")); err == nil {
			r.para.item = min(max(n, 0), 6) + 1
		}
	case "buNone":
		r.para.item = -1 // it is no item after all
	case "r":
		r.run = false
	case "rStyle":
		r.run = r.run || r.codeOf(attr(t, "val"))
	case "rFonts":
		r.run = r.run || monospaced(attr(t, "ascii"))
	case "latin":
		r.run = r.run || monospaced(attr(t, "typeface"))
	case "span":
		r.spans = append(r.spans, r.run)
		r.run = r.run || r.codeOf(attr(t, "style-name"))
	case "t":
		r.said = true
	case "tab":
		r.write("\t")
	case "br", "cr", "line-break":
		r.write("\n")
	case "s":
		n, err := strconv.Atoi(attr(t, "c"))
		if err != nil {
			n = 1
		}
		r.write(strings.Repeat(" ", min(max(n, 1), 80)))
	}
}

func (r *reader) end(name string) {
	switch name {
	case "t":
		r.said = false
	case "span":
		if n := len(r.spans); n > 0 {
			r.run, r.spans = r.spans[n-1], r.spans[:n-1]
		}
	case "r":
		r.run = false
	case "p", "h":
		if r.in {
			r.paragraph()
		}
	case "list":
		r.lists = max(r.lists-1, 0)
	case "sp", "frame":
		r.shape = ""
	case "tbl", "table":
		if r.table = max(r.table-1, 0); r.table == 0 {
			r.tables()
		}
	}
}

// write adds text to a paragraph.
func (r *reader) write(s string) {
	p := &r.para
	if blank := strings.TrimSpace(s) == ""; !blank {
		p.letters += len(s)
		if r.run {
			p.code += len(s)
		}
		if r.run != p.open {
			p.text.WriteByte(marker)
			p.open = r.run
		}
	}
	p.text.WriteString(strings.ReplaceAll(s, string(rune(marker)), ""))
}

// marker is before and after what is set as code; XML may not hold it.
const marker = 0x01

// paragraph adds the one that was read.
func (r *reader) paragraph() {
	p := &r.para
	r.in, r.said, r.run = false, false, false
	r.number++
	if p.open {
		p.text.WriteByte(marker)
	}
	text := p.text.String()
	bare := strings.ReplaceAll(text, string(rune(marker)), "")
	level := p.level
	if level == 0 {
		level = r.headingOf(p.style)
	}
	if r.slides && (r.shape == "title" || r.shape == "ctrTitle") {
		level = 2
	}
	if r.table > 0 {
		r.cell(quoted(text))
		return
	}
	words := strings.Join(strings.Fields(bare), " ")
	switch {
	case level == 0 && (p.letters > 0 && p.code == p.letters || r.codeOf(p.style)):
		if len(r.code) == 0 {
			r.shutAll()
			r.begun = r.number
		}
		r.code = append(r.code, strings.Split(strings.TrimRight(strings.ReplaceAll(bare, "\u00a0", " "), " \n\t"), "\n")...)
		return
	case words == "" && len(r.code) > 0 && level == 0:
		r.code = append(r.code, "") // an empty line of code is not always set as code
		return
	case words == "" || r.contents(p.style):
		return
	}
	r.listing()
	if r.slides && level == 0 && (r.shape == "" || r.shape == "body" || r.shape == "obj") && p.item == 0 {
		p.item = 1
	}
	switch {
	case level > 0:
		r.shutAll()
		r.Add(markup.Block{Kind: markup.Heading, Text: words, Level: level, Line: r.number})
	case p.item > 0:
		r.listAt(p.item)
		r.Item("- ", false, r.number)
		r.Para(quoted(text), r.number)
	default:
		r.shutAll()
		r.Para(quoted(text), r.number)
	}
}

// quoted returns the text of a paragraph with its code as Markdown marks it.
func quoted(text string) string {
	parts := strings.Split(text, string(rune(marker)))
	for i := range parts {
		if i%2 == 1 {
			words := strings.Join(strings.Fields(parts[i]), " ")
			lead := parts[i][:len(parts[i])-len(strings.TrimLeft(parts[i], " \n\t"))]
			parts[i] = lead + flow.Code(words) + parts[i][len(strings.TrimRight(parts[i], " \n\t")):]
		}
	}
	lines := strings.Split(strings.Join(parts, ""), "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// cell adds a paragraph to the last cell.
func (r *reader) cell(text string) {
	n := len(r.rows)
	if n == 0 || len(r.rows[n-1]) == 0 {
		return
	}
	to := &r.rows[n-1][len(r.rows[n-1])-1]
	*to = strings.TrimSpace(*to + " " + strings.Join(strings.Fields(text), " "))
}

// tables adds the table that was read.
func (r *reader) tables() {
	if len(r.rows) > 0 {
		r.Table(r.rows, r.number)
	}
	r.rows, r.table = nil, 0
}

// listing adds the code that was read.
func (r *reader) listing() {
	for len(r.code) > 0 && r.code[len(r.code)-1] == "" {
		r.code = r.code[:len(r.code)-1]
	}
	if len(r.code) > 0 {
		r.Add(markup.Block{Kind: markup.Code, Text: strings.Join(r.code, "\n"), Line: r.begun})
	}
	r.code = nil
}

// listAt opens and shuts lists so that items are so deep.
func (r *reader) listAt(deep int) {
	for ; r.deep < deep; r.deep++ {
		r.Open()
	}
	for ; r.deep > deep; r.deep-- {
		r.Shut()
	}
}

func (r *reader) shutAll() { r.listAt(0) }

func (r *reader) flush() {
	r.listing()
	r.shutAll()
}

func (r *reader) page() markup.Page {
	r.flush()
	return r.Page()
}
