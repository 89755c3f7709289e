package asciidoc

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// body reads the elements of lines, one after another.
func (p *parser) body(lines []line) {
	if p.depth >= maxDepth {
		for _, l := range lines {
			p.Para(strings.TrimSpace(l.text), l.num)
		}
		return
	}
	p.depth++
	item := p.inItem
	p.inItem = false
	for i := 0; i < len(lines); {
		if lines[i].text == "" {
			i++
			continue
		}
		i = max(p.element(lines, i), i+1)
	}
	p.inItem = item
	p.depth--
}

// element reads what begins on line i and returns the line after it.
func (p *parser) element(lines []line, i int) int {
	text := lines[i].text
	if end, ok := p.about(lines, i); ok {
		return end
	}
	if mark := delimiter(text); mark != "" {
		return p.delimited(lines, i, mark)
	}
	if _, _, table := tableMark(text); table {
		return p.table(lines, i)
	}
	if level, title := sectionTitle(text); level > 0 {
		p.heading(title, level, lines[i].num)
		return i + 1
	}
	if end := p.underlined(lines, i); end > i {
		return end
	}
	if text == "'''" || text == "<<<" || text == "---" || text == "***" || text == "* * *" || text == "- - -" {
		return i + 1
	}
	if name, arg, list, ok := macro(text); ok && (p.blockMacro(name, lines[i].num) || name == "include-code" && p.includeCode(arg, list, lines[i].num)) {
		return i + 1
	}
	if mark, _ := p.marker(text); mark != "" {
		p.caption(lines[i].num)
		return p.list(lines, i)
	}
	if text[0] == ' ' || text[0] == '\t' {
		return p.literal(lines, i)
	}
	return p.paragraph(lines, i)
}

// about reads a line that says something about the block after it, or that is
// nothing to read.
func (p *parser) about(lines []line, i int) (int, bool) {
	text := lines[i].text
	switch {
	case strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///"):
		return i + 1, true
	case strings.HasPrefix(text, "[[") && strings.HasSuffix(text, "]]"):
		p.anchor, _, _ = strings.Cut(text[2:len(text)-2], ",")
		return i + 1, true
	case text[0] == '[' && strings.HasSuffix(text, "]") && len(text) > 1:
		if p.styled(text[1:len(text)-1], lines, i) {
			return i + 1, true
		}
	case text[0] == '.' && len(text) > 1 && text[1] != '.' && text[1] != ' ':
		p.title = p.inline(text[1:])
		return i + 1, true
	case text == "+":
		return i + 1, true
	}
	if name, value, ok := attribute(text); ok {
		p.set(name, value)
		return i + 1, true
	}
	return i, false
}

// styled reads the attributes of a block.
func (p *parser) styled(list string, lines []line, i int) bool {
	if i+1 == len(lines) {
		return false
	}
	s := listed(p.attributes(list))
	if at := strings.IndexByte(s.name, '#'); at >= 0 {
		p.anchor, _, _ = strings.Cut(s.name[at+1:], ".")
		p.anchor, _, _ = strings.Cut(p.anchor, "%")
		s.name = s.name[:at]
	}
	p.anchor = cmp.Or(s.named["id"], p.anchor)
	s.name, _, _ = strings.Cut(s.name, "%")
	s.name, _, _ = strings.Cut(s.name, ".")
	if p.style.name != "" && s.name == "" {
		s.name, s.lang = p.style.name, p.style.lang
	}
	p.style = s
	return true
}

// listed cuts "name,lang,key=value".
func listed(list string) style {
	s := style{named: map[string]string{}}
	for n := 0; list != "" && n < 40; n++ {
		var item string
		if at := strings.IndexAny(list, `,"`); at >= 0 && list[at] == '"' {
			inner, rest, _ := strings.Cut(list[at+1:], `"`)
			item = list[:at] + inner
			_, list, _ = strings.Cut(rest, ",")
		} else {
			item, list, _ = strings.Cut(list, ",")
		}
		item = strings.TrimSpace(item)
		key, value, named := strings.Cut(item, "=")
		switch {
		case named:
			s.named[strings.TrimSpace(key)] = strings.TrimSpace(value)
		case n == 0:
			s.name = strings.ToLower(item)
		case n == 1:
			s.lang = item
		}
	}
	s.lang = cmp.Or(s.named["language"], s.lang)
	cols := s.named["cols"]
	if before, _, ok := strings.Cut(cols, "*"); ok && number(before) > 0 {
		s.cols = min(number(before), 100)
	} else if cols != "" {
		s.cols = min(len(strings.FieldsFunc(cols, func(r rune) bool { return r == ',' || r == ';' })), 100)
	}
	return s
}

// take returns the style of the block that begins.
func (p *parser) take() style {
	s := p.style
	p.style = style{}
	return s
}

// caption writes the title of the block that begins.
func (p *parser) caption(num int) {
	if p.title != "" {
		p.Para(p.title, num)
	}
	p.title = ""
}

// sectionTitle cuts "== Title".
func sectionTitle(s string) (level int, title string) {
	for level < len(s) && level < 7 && s[level] == s[0] {
		level++
	}
	if s[0] != '=' && s[0] != '#' || level > 6 || level == len(s) || s[level] != ' ' {
		return 0, ""
	}
	title = strings.TrimSpace(s[level:])
	title = strings.TrimSuffix(title, " "+s[:level])
	if title == "" {
		return 0, ""
	}
	return level, title
}

// underlined reads a title with a line below it, as old pages have.
func (p *parser) underlined(lines []line, i int) int {
	text := lines[i].text
	if i+1 == len(lines) || len(lines[i+1].text) < 3 || len(text) > maxTitle || text[0] == ' ' {
		return i
	}
	under := lines[i+1].text
	level := strings.IndexByte("=-~^+", under[0]) + 1
	if level == 0 || strings.Trim(under, under[:1]) != "" {
		return i
	}
	if d := len(under) - len([]rune(text)); d < -2 || d > 2 || strings.Trim(text, "-=.*_+|") == "" || text[0] == '[' {
		return i
	}
	p.heading(text, level, lines[i].num)
	return i + 2
}

func (p *parser) heading(title string, level, num int) {
	if p.style.name == "discrete" || p.style.name == "float" {
		p.anchor = ""
	}
	p.style, p.title = style{}, ""
	anchor := p.anchor
	p.anchor = ""
	if rest, ok := strings.CutPrefix(title, "[["); ok {
		if id, words, ok := strings.Cut(rest, "]]"); ok {
			anchor, title = id, strings.TrimSpace(words)
		}
	}
	text := strings.TrimSpace(p.inline(title))
	if text == "" {
		return
	}
	if anchor != "" {
		p.section = anchor
	}
	if anchor == "" && level > 1 {
		anchor = p.slug(text)
	}
	p.Add(markup.Block{Kind: markup.Heading, Text: text, Level: level, Anchor: anchor, Line: num})
}

// slug returns what Asciidoctor makes an id of: "What's new?" is "_whats_new".
func (p *parser) slug(title string) string {
	prefix, set := p.attrs["idprefix"]
	if !set {
		prefix = "_"
	}
	sep, set := p.attrs["idseparator"]
	if !set || len(sep) > 1 || sep > "~" {
		sep = "_"
	}
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ' || r == '-' || r == '.' || string(r) == sep:
			gap = b.Len() > 0
		case r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
			if gap {
				b.WriteString(sep)
			}
			b.WriteRune(r)
			gap = false
		}
	}
	return prefix + b.String()
}

// admonitions are the words that make a paragraph a note.
var admonitions = map[string]string{"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution"}

// literal reads an indented paragraph: code.
func (p *parser) literal(lines []line, i int) int {
	end := i
	for end < len(lines) && lines[end].text != "" {
		end++
	}
	if s := p.take(); s.name == "normal" {
		p.Para(p.inline(words(lines[i:end])), lines[i].num)
		return end
	}
	p.caption(lines[i].num)
	p.code(lines[i:end], "")
	return end
}

// paragraph reads a paragraph, in the style that was given for it.
func (p *parser) paragraph(lines []line, i int) int {
	end := i + 1
	for end < len(lines) && lines[end].text != "" && delimiter(lines[end].text) == "" && lines[end].text != "+" {
		if strings.HasPrefix(lines[end].text, "[[") || lines[end].text[0] == '[' && strings.HasSuffix(lines[end].text, "]") {
			break
		}
		if mark, _ := p.marker(lines[end].text); p.inItem && mark != "" {
			break
		}
		end++
	}
	s := p.take()
	p.anchor = ""
	p.caption(lines[i].num)
	switch s.name {
	case "source", "listing", "literal":
		p.code(lines[i:end], p.language(s))
		return end
	case "comment":
		return end
	}
	text := words(lines[i:end])
	if s.name == "verse" {
		rows := slice.Map(lines[i:end], func(l line) string { return p.inline(l.text) })
		p.Para(strings.Join(rows, "\n"), lines[i].num)
		return end
	}
	if word := admonitions[s.name]; word != "" {
		p.Lead(word+": ", lines[i].num)
	}
	if word, rest, ok := strings.Cut(text, ": "); ok && word == strings.ToUpper(word) && admonitions[strings.ToLower(word)] != "" {
		text = admonitions[strings.ToLower(word)] + ": " + rest
	}
	p.Para(p.inline(text), lines[i].num)
	return end
}

// words returns the text of lines with a space between them, or a line feed where
// one ends with " +".
func words(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		text := strings.Join(strings.Fields(l.text), " ")
		if strings.HasPrefix(text, "//") {
			continue
		}
		text, hard := strings.CutSuffix(text, " +")
		b.WriteString(text)
		if hard {
			b.WriteByte('\n')
		} else if i+1 < len(lines) {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

// blockMacro reads a macro that is a line of its own.
func (p *parser) blockMacro(name string, num int) bool {
	switch name {
	case "image", "video", "audio":
		p.caption(num)
	case "toc", "ifdef", "endif":
	default:
		return false
	}
	p.take()
	return true
}

// ordinal returns "1. " for the count of an item.
func ordinal(n int) string { return strconv.Itoa(n) + ". " }
