// Package man reads manual pages: roff with the macros of man(7) or of mdoc(7).
//
// Whatever the input, reading it ends in time that grows as its length does, and a page is
// no longer than a bounded multiple of the input. Nothing that a page names is read or run.
package man

import (
	"bytes"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

const (
	maxString = 40 // bytes that a string of the page's own stands for
	maxDepth  = 20 // of lists, and of conditions
)

var begins = lazy.Regexp(`(?m)^\.\s*(?:TH|Dd|Dt)\s`)

// Is tells a manual page from other files that are called like one: what comes before the
// first text is requests and comments, and one of them names the page.
func Is(head []byte) bool {
	at := begins.FindIndex(head)
	if at == nil {
		return false
	}
	for line := range bytes.Lines(head[:at[0]]) {
		if bytes.IndexByte(line, 0) >= 0 {
			return false
		}
	}
	first := bytes.TrimLeft(head, "\uFEFF \t\r\n")
	return len(first) > 0 && (first[0] == '.' || first[0] == '\'')
}

// curly writes quotation marks as they are printed.
var curly = strings.NewReplacer("``", "“", "''", "”")

// A reader fills a page, line by line.
type reader struct {
	lines   []string
	at      int // of the next line
	flow    flow.Flow
	strings map[string]string
	macros  map[string]bool // that the page defines: their calls are left out
	mdoc    bool
	name    string // .Nm of mdoc
	close   bool   // .Sm off of mdoc: no spaces between lines
	section string

	para  []string
	from  int  // the line where para begins
	code  bool // lines stand as they are
	held  []string
	start int    // the line where held begins
	tag   bool   // the next line is the tag of an item
	kinds []kind // what is open: lists and indents
	taken bool   // the condition of the .ie before held
	dead  int    // depth of the braces of a condition that does not hold
	live  int    // and of those that do
	nest  int    // conditions in each other on one line
}

// A kind is something that is open.
type kind byte

const (
	items  kind = 'i' // items of man, ended by the next paragraph
	indent kind = 'r' // .RS
	list   kind = 'l' // .Bl
)

// Parse reads a page. Its title is its name with the section: "printf(3)". Where the page calls
// itself otherwise than its file, that is by the file if it is among its names, or if what the
// page says is cut off: tools write no more than the first letters.
func Parse(src []byte, opt markup.Options) markup.Page {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	r := &reader{lines: strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n"), strings: map[string]string{}, macros: map[string]bool{}}
	for r.at < len(r.lines) {
		r.line(r.next())
	}
	r.literal(false)
	r.shut(0)
	r.flow.Flush()
	page := r.flow.Page()
	rename(&page, opt.Path)
	return page
}

var (
	ofSection = lazy.Regexp(`^(.+)\.([1-9n][a-z]*)(?:\.(?:gz|xz|bz2|zst))?$`)
	ownTitle  = lazy.Regexp(`^(.*?)\(([^()]*)\)$`)
)

func rename(page *markup.Page, file string) {
	m := ofSection.FindStringSubmatch(path.Base(file))
	if m == nil || len(page.Blocks) == 0 || page.Blocks[0].Kind != markup.Heading {
		return
	}
	title := page.Blocks[0].Text
	name, section := title, m[2]
	if own := ownTitle.FindStringSubmatch(title); own != nil {
		name, section = own[1], own[2]
	}
	if strings.EqualFold(name, m[1]) {
		return
	}
	const cutOff = 14
	known := len(name) >= cutOff && strings.HasPrefix(strings.ToLower(m[1]), strings.ToLower(name))
	if len(page.Blocks) > 1 && page.Blocks[1].Kind == markup.Prose {
		names, _, _ := strings.Cut(page.Blocks[1].Text, " - ")
		for n := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' }) {
			known = known || strings.Trim(n, "`") == m[1]
		}
	}
	if !known {
		return
	}
	page.Blocks[0].Text = m[1] + "(" + section + ")"
	if page.Title == title {
		page.Title = page.Blocks[0].Text
	}
}

// next returns a line, with those that a backslash at its end joins to it.
func (r *reader) next() string {
	line := r.lines[r.at]
	r.at++
	if !strings.HasSuffix(line, `\`) || strings.HasSuffix(line, `\\`) || r.at == len(r.lines) {
		return line
	}
	var b strings.Builder
	for strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, `\\`) && r.at < len(r.lines) {
		b.WriteString(line[:len(line)-1])
		line = r.lines[r.at]
		r.at++
	}
	b.WriteString(line)
	return b.String()
}

// line reads a line of text, or a request.
func (r *reader) line(line string) {
	if r.dead > 0 {
		r.dead += strings.Count(line, `\{`) - strings.Count(line, `\}`)
		r.dead = max(r.dead, 0)
		return
	}
	if r.live > 0 && strings.Contains(line, `\}`) {
		r.live--
		if line = strings.Replace(line, `\}`, "", 1); strings.Trim(line, ".' \t") == "" {
			return
		}
	}
	if line == "" || line[0] != '.' && line[0] != '\'' {
		r.text(r.plain(line))
		return
	}
	name, rest := requestOf(line)
	switch name {
	case "", `\"`:
	case "de", "de1", "am", "ig":
		end := ".."
		f := strings.Fields(rest)
		if len(f) > 0 && name != "ig" {
			r.macros[f[0]] = true
			if len(f) > 1 {
				end = "." + f[1]
			}
		}
		for r.at < len(r.lines) && strings.TrimSpace(r.lines[r.at]) != end {
			r.at++
		}
		r.at++
		r.at = min(r.at, len(r.lines))
	case "ds":
		key, value, _ := strings.Cut(rest, " ")
		value = r.plain(strings.TrimPrefix(strings.TrimSpace(value), `"`))
		if len(r.strings) < 1000 {
			r.strings[key] = value[:min(len(value), maxString)]
		}
	case "if", "ie", "el":
		r.condition(name, rest)
	default:
		if r.macros[name] && !known[name] {
			return
		}
		if name == "Dd" || name == "Dt" {
			r.mdoc = true
		}
		if !r.common(name) {
			if r.mdoc {
				r.doc(name, rest)
			} else {
				r.man(name, rest)
			}
		}
	}
}

// known are macros that many pages define for systems that lack them, as others do.
var known = map[string]bool{"EX": true, "EE": true, "UR": true, "UE": true, "MT": true, "ME": true, "SY": true, "YS": true, "OP": true, "TQ": true, "Sp": true, "Vb": true, "Ve": true}

func requestOf(line string) (name, rest string) {
	line = strings.TrimLeft(line[1:], " \t")
	if strings.HasPrefix(line, `\"`) {
		return "", ""
	}
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t")
}

// condition reads .if, .ie or .el: what is shown on a terminal holds, all else does not.
func (r *reader) condition(name, rest string) {
	holds := !r.taken
	if name != "el" {
		var what string
		rest = strings.TrimLeft(rest, " \t")
		not := strings.HasPrefix(rest, "!")
		rest = strings.TrimPrefix(rest, "!")
		if i := strings.IndexAny(rest, " \t"); i >= 0 {
			what, rest = rest[:i], strings.TrimLeft(rest[i:], " \t")
		} else {
			what, rest = rest, ""
		}
		if i := strings.Index(what, `\{`); i >= 0 {
			what, rest = what[:i], what[i:]+" "+rest
		}
		holds = (what == "n") != not
		if name == "ie" {
			r.taken = holds
		}
	}
	block, braced := strings.CutPrefix(rest, `\{`)
	switch {
	case braced && !holds:
		r.dead = max(1+strings.Count(block, `\{`)-strings.Count(block, `\}`), 0)
	case braced:
		if r.live < maxDepth {
			r.live++
		}
		if block = strings.Trim(block, `\ `); block != "" && r.nest < maxDepth {
			r.nest++
			r.line(block)
			r.nest--
		}
	case holds && rest != "" && r.nest < maxDepth:
		r.nest++
		r.line(rest)
		r.nest--
	}
}

// text adds a line of text.
func (r *reader) text(s string) {
	switch {
	case r.code:
		if len(r.held) == 0 {
			r.start = r.at
		}
		r.held = append(r.held, s)
	case strings.TrimSpace(s) == "":
		r.paragraph()
	case r.tag:
		r.tag = false
		r.item(s)
	default:
		if len(r.para) == 0 {
			r.from = r.at
		} else if !r.close {
			r.para = append(r.para, " ")
		}
		r.para = append(r.para, curly.Replace(strings.TrimSpace(s)))
	}
}

// paragraph ends one.
func (r *reader) paragraph() {
	if len(r.para) > 0 {
		r.flow.Para(strings.Join(r.para, ""), r.from)
		r.para = nil
	}
}

// literal begins or ends lines that stand as they are.
func (r *reader) literal(on bool) {
	r.paragraph()
	r.tag = false
	if !on && r.code {
		for len(r.held) > 0 && strings.TrimSpace(r.held[len(r.held)-1]) == "" {
			r.held = r.held[:len(r.held)-1]
		}
		for len(r.held) > 0 && strings.TrimSpace(r.held[0]) == "" {
			r.held = r.held[1:]
		}
		if len(r.held) > 0 {
			lang := ""
			if strings.HasPrefix(strings.TrimSpace(r.held[0]), "#include") {
				lang = "c"
			}
			r.flow.Add(markup.Block{Kind: markup.Code, Text: strings.Join(r.held, "\n"), Lang: lang, Line: max(r.start, 1)})
		}
		r.held = nil
	}
	r.code = on
}

// heading begins a section.
func (r *reader) heading(level int, words string) {
	r.literal(false)
	r.shut(0)
	words = strings.TrimSpace(words)
	if words == "NAME" {
		return // what the page is about stands under its title
	}
	if words != "" {
		r.flow.Add(markup.Block{Kind: markup.Heading, Level: level, Text: words, Line: r.at})
	}
}

// open begins what shut ends.
func (r *reader) open(k kind) {
	r.paragraph()
	r.kinds = append(r.kinds, k)
	if k != indent && len(r.kinds) <= maxDepth {
		r.flow.Open()
	}
}

// shut ends all that is open but the first n.
func (r *reader) shut(n int) {
	r.paragraph()
	for len(r.kinds) > n {
		k := r.kinds[len(r.kinds)-1]
		if k != indent && len(r.kinds) <= maxDepth {
			r.flow.Shut()
		}
		r.kinds = r.kinds[:len(r.kinds)-1]
	}
}

// innermost reports whether what was opened last is a k.
func (r *reader) innermost(k kind) bool {
	return len(r.kinds) > 0 && r.kinds[len(r.kinds)-1] == k
}

// item begins an item that a tag names.
func (r *reader) item(tag string) {
	tag = strings.TrimSpace(tag)
	switch tag {
	case "", "•", "-", "*", "o", "·", "+":
		r.flow.Item("- ", false, r.at)
	default:
		if n := strings.TrimRight(tag, ".)"); n != "" && strings.Trim(n, "0123456789") == "" {
			r.flow.Item(n+". ", false, r.at)
			return
		}
		r.flow.Item("- "+strings.TrimSuffix(tag, ":")+": ", true, r.at)
	}
}

// common reads requests that both families have; false where it is none of them.
func (r *reader) common(name string) bool {
	switch name {
	case "nf", "EX", "Vb":
		if r.code {
			r.text("")
			return true
		}
		r.literal(true)
	case "fi", "EE", "Ve":
		r.literal(false)
	case "sp", "Sp":
		if r.code {
			r.text("")
			return true
		}
		r.paragraph()
	case "br":
		r.paragraph()
	case "TS":
		r.table()
	case "so", "ad", "na", "nh", "hy", "ne", "in", "ti", "ta", "ll", "pl", "ps", "ft", "nr", "rm", "tr", "PD", "DT", "UC", "AT", "bp", "IX", "cs", "ss",
		"hw", "lf", "mk", "rt", "tm", "als", "ec", "eo", "evc", "ev", "it", "wh", "vs", "do", "nx", "return", "\\}":
	default:
		return false
	}
	return true
}

// table reads what tbl would: rows of cells between tabs.
func (r *reader) table() {
	r.paragraph()
	from, sep := r.at, "\t"
	var rows [][]string
	var parts []string          // of a cell that has lines of its own
	format, cell := true, false // format: the lines that say how; cell: in such a cell
	end := func() {
		if cell && len(rows) > 0 {
			last := rows[len(rows)-1]
			last[len(last)-1] = strings.Join(parts, " ")
		}
		parts, cell = nil, false
	}
	for r.at < len(r.lines) {
		line := r.next()
		request, rest := "", ""
		if strings.HasPrefix(line, ".") {
			request, rest = requestOf(line)
		}
		switch {
		case request == "TE":
			r.at = min(r.at, len(r.lines))
			end()
			r.rows(rows, from)
			return
		case format:
			if i := strings.Index(line, "tab("); i >= 0 && len(line) > i+5 {
				sep = line[i+4 : i+5]
			}
			format = !strings.HasSuffix(strings.TrimSpace(line), ".")
			continue
		case request == "T&":
			format = true
			continue
		case request != "":
			if cell && fonts[request] {
				parts = append(parts, r.font(request, rest))
			}
			continue
		case strings.Trim(line, "_= ") == "":
			continue
		}
		after := false
		if cell {
			if !strings.HasPrefix(line, "T}") {
				parts = append(parts, r.plain(line))
				continue
			}
			end()
			after = true
			if line = strings.TrimPrefix(line[2:], sep); line == "" {
				continue
			}
		}
		cells := strings.Split(line, sep)
		for i, c := range cells {
			if cell = c == "T{"; cell {
				c = ""
			}
			cells[i] = r.plain(c)
		}
		if after && len(rows) > 0 {
			rows[len(rows)-1] = append(rows[len(rows)-1], cells...)
		} else {
			rows = append(rows, cells)
		}
	}
	end()
	r.rows(rows, from)
}

func (r *reader) rows(rows [][]string, from int) {
	for _, row := range rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	r.flow.Table(rows, from)
}
