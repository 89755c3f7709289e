package rst

import (
	"cmp"
	"strings"
	"unicode/utf8"

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
	for i := 0; i < len(lines); {
		text := lines[i].text
		if text == "" {
			i++
			continue
		}
		if p.label != "" && !strings.HasPrefix(text, "..") && !p.titleAt(lines, i) {
			p.label = "" // it names something else
		}
		i = max(p.element(lines, i), i+1)
	}
	p.depth--
}

// element reads what begins on line i and returns the line after it.
func (p *parser) element(lines []line, i int) int {
	text := lines[i].text
	switch {
	case text[0] == ' ':
		return p.quotation(lines, i)
	case bullet(text) > 0:
		return p.bullets(lines, i)
	case strings.HasPrefix(text, ".. ") || text == "..":
		return p.explicit(lines, i)
	case strings.HasPrefix(text, "__ "):
		return i + 1 // the address of an anonymous link
	case strings.HasPrefix(text, ">>> ") || text == ">>>":
		return p.doctest(lines, i)
	case text == "|" || strings.HasPrefix(text, "| "):
		return p.verse(lines, i)
	case text[0] == '+' && gridBorder(text):
		return p.grid(lines, i)
	case text[0] == '=' && simpleBorder(text):
		if end := p.simple(lines, i); end > i {
			return end
		}
	case p.docs && strings.HasPrefix(text, "```"):
		return p.fence(lines, i)
	}
	if _, _, ok := field(text); ok {
		return p.namedItems(lines, i, field, p.fieldName)
	}
	if width, _ := enumerator(text); width > 0 && follows(lines, i, width) {
		return p.enumerated(lines, i)
	}
	if _, _, ok := option(text); ok {
		return p.options(lines, i)
	}
	if end := p.title(lines, i); end > i {
		return end
	}
	return p.text(lines, i)
}

// extent returns the line after the indented block that begins on line i, without
// blank lines at its end.
func extent(lines []line, i int) int {
	end := i
	for ; i < len(lines); i++ {
		if text := lines[i].text; text != "" {
			if text[0] != ' ' {
				break
			}
			end = i + 1
		}
	}
	return end
}

// within reads lines in which no title may stand.
func (p *parser) within(lines []line) {
	titles := p.titles
	p.titles = false
	p.body(lines)
	p.titles = titles
}

func (p *parser) quotation(lines []line, i int) int {
	end := extent(lines, i)
	p.within(flushLeft(lines[i:end]))
	return end
}

// text reads a paragraph or an item of a definition list.
func (p *parser) text(lines []line, i int) int {
	if i+1 < len(lines) && lines[i+1].text != "" && lines[i+1].text[0] == ' ' && !strings.HasSuffix(lines[i].text, "::") {
		return p.definitions(lines, i)
	}
	end := i + 1
	for end < len(lines) && lines[end].text != "" && lines[end].text[0] != ' ' {
		end++
	}
	text := words(lines[i:end])
	literal := strings.HasSuffix(text, "::")
	if literal {
		text = strings.TrimSuffix(text, ":")
		if trimmed := strings.TrimSuffix(text, ":"); trimmed == "" || strings.HasSuffix(trimmed, " ") {
			text = strings.TrimSpace(trimmed)
		}
	}
	if text != "" {
		p.Para(p.inline(text), lines[i].num)
	}
	if literal {
		return p.literal(lines, end)
	}
	return end
}

// literal reads the literal block after a paragraph that ends with "::".
func (p *parser) literal(lines []line, i int) int {
	at := i
	for at < len(lines) && lines[at].text == "" {
		at++
	}
	if at == len(lines) {
		return at
	}
	first := lines[at].text
	if first[0] == ' ' {
		end := extent(lines, at)
		p.code(lines[at:end], p.lang, 0)
		return end
	}
	if c := first[0]; at > i && punctuation(c) {
		end := at
		for end < len(lines) && lines[end].text != "" && lines[end].text[0] == c {
			end++
		}
		p.code(lines[at:end], p.lang, 0)
		return end
	}
	return i
}

func (p *parser) doctest(lines []line, i int) int {
	end := i
	for end < len(lines) && lines[end].text != "" {
		end++
	}
	p.code(lines[i:end], "python", 0)
	return end
}

// fence reads a fenced block of Markdown, which docstrings have.
func (p *parser) fence(lines []line, i int) int {
	for end := i + 1; end < len(lines); end++ {
		if lines[end].text == "```" {
			lang, _, _ := strings.Cut(strings.TrimSpace(strings.Trim(lines[i].text, "`")), " ")
			p.code(lines[i+1:end], lang, 0)
			return end + 1
		}
	}
	return p.text(lines, i)
}

// verse reads a line block.
func (p *parser) verse(lines []line, i int) int {
	var rows []string
	at := i
	for ; i < len(lines); i++ {
		text := lines[i].text
		switch {
		case text == "|" || strings.HasPrefix(text, "| "):
			rows = append(rows, text[1:])
			continue
		case text != "" && text[0] == ' ' && len(rows) > 0:
			rows[len(rows)-1] += " " + strings.TrimSpace(text)
			continue
		}
		break
	}
	for j := range rows {
		rows[j] = p.inline(strings.TrimSpace(rows[j]))
	}
	p.Para(strings.Join(rows, "\n"), lines[at].num)
	return i
}

// punctuation reports whether c may adorn a title.
func punctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// adorned reports whether s is one sign of punctuation over and over.
func adorned(s string) bool {
	return len(s) > 1 && punctuation(s[0]) && strings.Trim(s, s[:1]) == ""
}

// titleAt reports whether a title begins on line i.
func (p *parser) titleAt(lines []line, i int) bool {
	text, _, _ := titleIn(lines, i)
	return text != ""
}

// titleIn returns the title on line i, its style and the line after it.
func titleIn(lines []line, i int) (title, style string, end int) {
	text := lines[i].text
	if i+1 == len(lines) || lines[i+1].text == "" {
		return "", "", i
	}
	next := lines[i+1].text
	if adorned(text) || len(text) == 1 && punctuation(text[0]) {
		if i+2 < len(lines) && len(text) > 1 && lines[i+2].text != "" && lines[i+2].text[0] == text[0] && adorned(lines[i+2].text) &&
			(len(text) > 3 || len(text) >= utf8.RuneCountInString(next)) {
			return strings.TrimSpace(next), text[:1] + text[:1], i + 3
		}
		if !adorned(next) {
			return "", "", i
		}
	}
	if text[0] == ' ' || !(adorned(next) || len(next) == 1 && len(text) == 1 && punctuation(next[0])) {
		return "", "", i
	}
	if len(next) < 4 && len(next) < utf8.RuneCountInString(text) {
		return "", "", i
	}
	return text, next[:1], i + 2
}

// title reads a title or a transition.
func (p *parser) title(lines []line, i int) int {
	title, style, end := titleIn(lines, i)
	if title == "" {
		if text := lines[i].text; adorned(text) && len(text) > 3 && (i+1 == len(lines) || lines[i+1].text == "") {
			return i + 1 // a transition
		}
		return i
	}
	text := p.inline(title)
	if !p.titles {
		p.Para(text, lines[i].num)
		return end
	}
	level := 0
	for n, s := range p.styles {
		if s == style {
			level = n + 1
		}
	}
	if level == 0 && len(p.styles) < 2*len("=-~^\"'`#*+.:_") {
		p.styles = append(p.styles, style)
	}
	level = cmp.Or(level, len(p.styles))
	num := lines[i].num
	if len(style) == 2 && end-i == 3 {
		num = lines[i+1].num
	}
	p.Add(markup.Block{Kind: markup.Heading, Text: text, Level: level, Anchor: p.anchor(text), Line: num})
	return end
}

// anchor returns the id of a section: its label, else what Sphinx makes of its
// title. A title that says the same again has an id that only Sphinx can count.
func (p *parser) anchor(title string) string {
	label := p.label
	p.label = ""
	id := slug(title)
	again := p.ids[id]
	p.ids[id] = true
	switch {
	case label != "":
		return slug(label)
	case again:
		return ""
	}
	return id
}
