package html

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// A walker goes through the content and writes it down.
type walker struct {
	flow.Flow
	buf   strings.Builder // the paragraph so far
	gap   bool            // a space comes before its next word
	line  int             // where it begins
	id    string          // an anchor before what comes next
	langs []string        // of code, by the elements around it
	boxes int             // notes that are open

	last    markup.Block // the heading of the section, which is none of a symbol
	symbols int          // definitions of symbols that are open
}

// paragraph ends the paragraph.
func (w *walker) paragraph() {
	text := strings.TrimSpace(w.buf.String())
	w.buf.Reset()
	w.gap = false
	if strings.Trim(text, "\u00b6#\u00a7\u200b") == "" && len(text) < 8 {
		return
	}
	w.Para(text, w.line)
	w.id = ""
}

// word adds text to the paragraph as it stands.
func (w *walker) word(text string, line int) {
	if text == "" {
		return
	}
	if w.buf.Len() == 0 {
		w.line = line
	} else if w.gap {
		w.buf.WriteByte(' ')
	}
	w.gap = false
	w.buf.WriteString(text)
}

// run adds text with spaces for its line feeds.
func (w *walker) run(text string, line int) {
	words := strings.Fields(text)
	if len(words) == 0 {
		w.gap = w.gap || text != "" && w.buf.Len() > 0
		return
	}
	before := len(text) - len(strings.TrimLeft(text, " \t\r\n\u00a0"))
	w.gap = w.gap || before > 0 && w.buf.Len() > 0
	w.word(words[0], line)
	for _, s := range words[1:] {
		w.buf.WriteByte(' ')
		w.buf.WriteString(s)
	}
	w.gap = strings.TrimRight(text, " \t\r\n\u00a0") != text
}

// walk writes down what is below n.
func (w *walker) walk(n *node) {
	for _, k := range n.kids {
		w.node(k)
	}
}

// node writes down an element or text.
func (w *walker) node(n *node) {
	if n.tag == "" {
		w.run(n.text, n.line)
		return
	}
	if hidden(n) {
		return
	}
	if id := n.attr["id"]; id != "" && !isHeading(n) {
		w.id = id
	} else if name := n.attr["name"]; n.tag == "a" && name != "" {
		w.id = name
	}
	switch n.tag {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.paragraph()
		if w.boxes > 0 {
			w.caption(n)
			return
		}
		w.heading(n, int(n.tag[1]-'0'))
	case "pre":
		w.code(n, w.language(n))
	case "code", "tt", "kbd", "samp":
		if n.size > 0 && n.find(func(n *node) bool { return n.tag == "pre" || n.tag == "p" }) == nil {
			w.word(inlineCode(n), n.line)
			return
		}
		w.walk(n)
	case "s", "del", "strike":
		w.word("~~"+squeeze(n)+"~~", n.line)
	case "br":
		if w.buf.Len() > 0 {
			w.buf.WriteByte('\n')
			w.gap = false
		}
	case "img":
		if n.has("math", "tex") {
			w.word(strings.TrimSpace(n.attr["alt"]), n.line)
		}
	case "ul", "ol", "menu":
		w.list(n)
	case "dl":
		w.definitions(n)
	case "table":
		w.table(n)
	case "a":
		if !sign(n) {
			w.walk(n)
		}
	default:
		w.box(n)
	}
}

// sign reports whether a link is only there to be copied.
func sign(n *node) bool {
	if n.size == 0 || n.size > 12 || !strings.Contains(n.attr["href"], "#") {
		return false
	}
	return strings.Trim(squeeze(n), "\u00b6#\u00a7\u25c6\u200b\u221e \u00a0\U0001f517") == ""
}

// notes are classes of boxes with a title.
var notes = lazy.Words(`admonition note warning tip caution important danger hint seealso attention theme-admonition alert callout markdown-alert
	starlight-aside custom-block admonitionblock`)

// box writes down an element that is none of the others.
func (w *walker) box(n *node) {
	if !blocks.Has(n.tag) {
		w.walk(n)
		return
	}
	w.paragraph()
	switch {
	case n.has("admonition-title", "markdown-alert-title", "custom-block-title", "starlight-aside__title", "sidebar-title", "topic-title") ||
		len(n.class) > 0 && strings.HasPrefix(n.class[0], "admonitionHeading"):
		w.caption(n)
		return
	case n.has("memproto", "member-signature", "type-signature"):
		w.word(inlineCode(n), n.line)
		w.paragraph()
		return
	case n.tag == "div" && n.has("fragment"):
		w.code(n, "")
		return
	case n.tag == "div" && n.has("summary-table"):
		w.grid(n)
		return
	case title(n) && n.tag == "div" && w.boxes == 0:
		w.heading(n, 1)
		return
	}
	lang := langOf(n)
	w.langs = append(w.langs, lang)
	note := n.is(notes) && n.tag != "body" && n.tag != "section" && n.tag != "article"
	if note {
		w.boxes++
	}
	w.walk(n)
	w.paragraph()
	if note {
		w.Settle()
		w.boxes--
	}
	w.langs = w.langs[:len(w.langs)-1]
}

// caption puts the title of a box before its text.
func (w *walker) caption(n *node) {
	if text := strings.TrimSuffix(squeeze(n), ":"); text != "" {
		if text == strings.ToLower(text) && text[0] >= 'a' {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		w.Lead(text+": ", n.line)
	}
}

// heading adds a heading with the anchor it has, or what is around it.
func (w *walker) heading(n *node, level int) {
	anchor := n.attr["id"]
	if anchor == "" {
		if a := n.find(func(n *node) bool {
			return n.attr["id"] != "" && n.tag != "button" || n.tag == "a" && n.attr["name"] != ""
		}); a != nil {
			if anchor = a.attr["id"]; anchor == "" {
				anchor = a.attr["name"]
			}
		}
	}
	anchor = cmp.Or(anchor, w.id)
	w.id = ""
	inner := &walker{}
	inner.walk(n)
	inner.paragraph()
	text := joined(inner)
	text = strings.TrimRight(text, "\u00b6#\u00a7 ")
	if text != "" {
		w.last = markup.Block{Kind: markup.Heading, Text: text, Level: level, Anchor: anchor, Line: n.line}
		w.Add(w.last)
	}
}

func (w *walker) list(n *node) {
	if n.has("toc", "toc-numbered-mark") {
		return
	}
	w.paragraph()
	w.Open()
	count := 1
	if start, err := strconv.Atoi(n.attr["start"]); err == nil && start > 0 && start < 1e6 {
		count = start
	}
	for _, k := range n.kids {
		if k.tag != "li" {
			w.node(k)
			w.paragraph()
			continue
		}
		mark := "- "
		if n.tag == "ol" {
			mark = strconv.Itoa(count) + ". "
			count++
		}
		w.Item(mark, false, k.line)
		w.walk(k)
		w.paragraph()
	}
	w.Shut()
}

// signatures are classes of definitions whose terms are signatures.
var signatures = lazy.Words(`py c cpp js rst std function method class attribute data exception describe classmethod staticmethod property
	option cmdoption envvar setting confval type macro member var struct enum decorator object`)

func (w *walker) definitions(n *node) {
	w.paragraph()
	objects := n.is(signatures) && !n.has("simple", "field-list")
	if !objects {
		w.Open()
	}
	w.symbols++
	hasSymbols := w.terms(n, objects)
	w.symbols--
	w.paragraph()
	if !objects {
		w.Shut()
	}
	if hasSymbols && w.symbols == 0 && w.last.Text != "" {
		w.Add(w.last) // the text behind symbols is of the section again
	}
}

// terms writes down the terms and definitions below n, and reports whether one is of a symbol.
func (w *walker) terms(n *node, objects bool) (hasSymbols bool) {
	var names []string
	at := n.line
	isTwin := false // the signature before is of the same definition
	item := func() {
		if len(names) > 0 {
			w.Item("- "+strings.Join(names, ", ")+": ", true, at)
		}
		names = nil
	}
	for _, k := range n.kids {
		switch {
		case k.tag == "dt" && (objects || k.has("sig")):
			w.paragraph()
			if name := described(k); name != "" && !isTwin {
				w.Add(markup.Block{Kind: markup.Heading, Text: name, Level: symbolLevel, Anchor: k.attr["id"], Line: k.line})
				isTwin, hasSymbols = true, true
			}
			w.word(inlineCode(k), k.line)
			w.paragraph()
		case k.tag == "dt":
			w.paragraph()
			inner := &walker{}
			inner.walk(k)
			inner.paragraph()
			if names == nil {
				at = k.line
			}
			names = append(names, strings.TrimSuffix(joined(inner), ":"))
		case k.tag == "dd":
			w.paragraph()
			item()
			w.walk(k)
			w.paragraph()
			isTwin = false
		case k.tag == "div":
			item()
			hasSymbols = w.terms(k, objects) || hasSymbols
		default:
			w.node(k)
		}
	}
	item()
	return hasSymbols
}

// symbolLevel is the level of the heading that the signature of a symbol gets: below those of pages.
const symbolLevel = 5

// described returns the name of the symbol whose signature a term is, as Sphinx writes it, "" for every other: the type before the
// name and, where there is none, the module.
func described(term *node) string {
	at := term.find(func(n *node) bool { return n.has("descname") })
	id := term.attr["id"]
	if at == nil || id == "" {
		return ""
	}
	name := strings.Join(strings.Fields(squeeze(at)), " ")
	around, isPath := strings.CutSuffix(id, "."+name)
	if !isPath || name == "" {
		return name
	}
	parts := strings.Split(around, ".")
	for i, part := range parts {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			parts = parts[i:]
			break
		}
	}
	return strings.Join(append(parts, name), ".")
}

// table writes down a table. A row that holds more than a line of text is not one.
func (w *walker) table(n *node) {
	w.paragraph()
	if n.has("highlighttable", "lntable", "rouge-table") {
		if pre := n.find(func(n *node) bool {
			return n.tag == "td" && (n.has("code", "rouge-code") || n.has("lntd")) && !n.has("linenos") && n.find(isLnt) == nil
		}); pre != nil {
			w.walk(pre)
			return
		}
	}
	var rows [][]string
	at := n.line
	done := func() {
		w.Table(rows, at)
		rows = nil
	}
	w.rows(n, func(row *node) {
		if row.tag != "tr" {
			done()
			w.node(row)
			w.paragraph()
			return
		}
		if row.find(func(n *node) bool { return n.tag == "pre" || n.tag == "table" || isHeading(n) }) != nil {
			done()
			for _, cell := range row.kids {
				w.walk(cell)
				w.paragraph()
			}
			return
		}
		if rows == nil {
			at = row.line
		}
		rows = append(rows, cells(row))
		w.id = ""
	})
	done()
}

// grid writes down a table that Javadoc makes of elements beside each other. A cell of the first column
// begins a row, as the first of the head does.
func (w *walker) grid(n *node) {
	var rows [][]string
	for _, k := range n.kids {
		switch {
		case k.tag == "" || hidden(k):
			continue
		case len(rows) > 0 && (k.has("col-second", "col-last") || k.has("col-constructor-name") && len(rows[len(rows)-1]) == 1 && n.has("three-column-summary")):
			rows[len(rows)-1] = append(rows[len(rows)-1], cells(&node{kids: []*node{k}})...)
		default:
			rows = append(rows, cells(&node{kids: []*node{k}}))
		}
	}
	w.Table(rows, n.line)
	w.id = ""
}

func isLnt(n *node) bool { return n.has("lnt", "linenos", "lineno") }

// rows calls do with every row, and with what is none.
func (w *walker) rows(n *node, do func(*node)) {
	for _, k := range n.kids {
		switch k.tag {
		case "thead", "tbody", "tfoot":
			w.rows(k, do)
		case "", "colgroup", "col":
			if strings.TrimSpace(k.text) != "" {
				do(k)
			}
		default:
			if !hidden(k) {
				do(k)
			}
		}
	}
}

// cells returns the texts of the cells of a row.
func cells(row *node) []string {
	var out []string
	for _, k := range row.kids {
		if k.tag == "" && strings.TrimSpace(k.text) == "" || hidden(k) {
			continue
		}
		inner := &walker{}
		inner.node(&node{tag: "div", kids: []*node{k}, line: k.line})
		out = append(out, joined(inner))
	}
	return out
}

// joined returns all that was written on one line.
func joined(w *walker) string {
	return strings.Join(slice.Map(w.Page().Blocks, func(b markup.Block) string { return strings.Join(strings.Fields(b.Text), " ") }), " ")
}

// language returns the language of code in n, or around it.
func (w *walker) language(n *node) string {
	if lang := langOf(n); lang != "" {
		return lang
	}
	if k := n.find(func(n *node) bool { return n.tag == "code" }); k != nil {
		if lang := langOf(k); lang != "" {
			return lang
		}
	}
	for i := len(w.langs) - 1; i >= 0 && i >= len(w.langs)-3; i-- {
		if w.langs[i] != "" {
			return w.langs[i]
		}
	}
	return ""
}

// langOf returns the language that the classes of an element name.
func langOf(n *node) string {
	lang := cmp.Or(n.attr["data-lang"], n.attr["data-language"])
	for i, c := range n.class {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-", "brush:"} {
			if name, ok := strings.CutPrefix(c, prefix); ok && lang == "" {
				lang = strings.TrimSuffix(name, ";")
			}
		}
		switch {
		case lang != "":
		case c == "rust" && n.tag == "pre":
			lang = c
		case (c == "sourceCode" || c == "hljs" || c == "src" || c == "brush:" || c == "programlisting" && n.tag == "pre") && i+1 < len(n.class):
			lang = strings.TrimPrefix(n.class[i+1], "src-")
		}
	}
	switch strings.ToLower(lang) {
	case "none", "text", "default", "plaintext", "notranslate", "txt", "plain", "nohighlight":
		return ""
	}
	return lang
}
