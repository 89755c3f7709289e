package asciidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// delimiter returns the line that ends the block which s begins, or "".
func delimiter(s string) string {
	if s == "--" {
		return s
	}
	if strings.HasPrefix(s, "```") {
		return "```"
	}
	if len(s) < 4 || strings.IndexByte("-=.*_+/", s[0]) < 0 || strings.Trim(s, s[:1]) != "" {
		return ""
	}
	return s
}

// delimited reads a block between two delimiters, the second of which may be
// missing at the end.
func (p *parser) delimited(lines []line, i int, mark string) int {
	end := i + 1
	for end < len(lines) && lines[end].text != mark {
		end++
	}
	inner := lines[i+1 : end]
	after := min(end+1, len(lines))
	num := lines[i].num
	s := p.take()
	p.anchor = ""
	if mark[0] == '/' || s.name == "comment" {
		p.title = ""
		return after
	}
	if word := admonitions[s.name]; word != "" && mark[0] != '-' && mark[0] != '.' || word != "" && mark == "--" {
		if p.title != "" {
			word += ": " + p.title
		}
		p.title = ""
		p.Lead(word+": ", num)
		p.body(inner)
		p.Settle()
		return after
	}
	p.caption(num)
	switch {
	case mark == "```":
		lang, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(lines[i].text, "`")), ",")
		p.code(inner, lang)
	case mark == "--" && s.name != "source" && s.name != "listing" && s.name != "literal", mark[0] == '=', mark[0] == '*', mark[0] == '_' && s.name != "verse":
		p.body(inner)
	case mark[0] == '_': // a verse
		for n := range inner {
			inner[n].text = p.inline(inner[n].text)
		}
		p.Para(strings.TrimSpace(join(inner)), num)
	case mark[0] == '+':
		switch s.name {
		case "latexmath", "asciimath", "stem", "":
			p.Para(words(inner), num)
		default:
			p.Para(words(inner), num)
		}
	default:
		p.code(inner, p.language(s))
	}
	return after
}

// language returns the language of a block of that style.
func (p *parser) language(s style) string {
	lang := s.lang
	if lang == "" && s.name == "source" {
		lang = p.lang
	}
	switch lang {
	case "text", "none", "plaintext":
		return ""
	}
	return lang
}

// code adds code without the signs of callouts.
func (p *parser) code(lines []line, lang string) {
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return
	}
	if len(lines) == 1 && strings.HasPrefix(lines[0].text, missing) {
		p.Para(lines[0].text, lines[0].num)
		return
	}
	least := -1
	out := make([]line, len(lines))
	for n, l := range lines {
		out[n] = line{callouts(l.text), l.num}
		if in := len(l.text) - len(strings.TrimLeft(l.text, " \t")); l.text != "" && (least < 0 || in < least) {
			least = in
		}
	}
	for n := range out {
		out[n].text = out[n].text[min(least, len(out[n].text)):]
	}
	p.Add(markup.Block{Kind: markup.Code, Text: join(out), Lang: lang, Line: lines[0].num})
}

// callouts drops the signs at the end of a line of code that refer to a list below
// it: "x = 1 // <1> <2>".
func callouts(s string) string {
	cut := false
	for {
		rest, ok := strings.CutSuffix(s, ">")
		if !ok {
			break
		}
		rest = strings.TrimSuffix(rest, "--")
		at := strings.LastIndexByte(rest, '<')
		if at < 0 {
			break
		}
		mark := strings.TrimPrefix(rest[at+1:], "!--")
		if mark == "" || mark != "." && number(mark) == 0 {
			break
		}
		s = strings.TrimRight(s[:at], " ")
		cut = true
	}
	if cut {
		for _, comment := range []string{"//", "#", "--", ";;"} {
			s = strings.TrimRight(strings.TrimSuffix(s, comment), " ")
		}
	}
	return s
}

func join(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// marker returns the mark of a list item, as it stands, and what follows it.
// Terms of a definition list have the mark "::".
func (p *parser) marker(s string) (mark, rest string) {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return "", ""
	}
	n := 0
	for n < len(s) && n < 6 && s[n] == s[0] {
		n++
	}
	switch {
	case (s[0] == '*' || s[0] == '.' || s[0] == '-' && n == 1) && n < len(s) && s[n] == ' ':
		return s[:n], strings.TrimSpace(s[n:])
	case s[0] == '<':
		if at := strings.IndexByte(s, '>'); at > 1 && at < 5 && strings.HasPrefix(s[at+1:], " ") && (s[1:at] == "." || number(s[1:at]) > 0) {
			return "<>", strings.TrimSpace(s[at+1:])
		}
	case s[0] >= '0' && s[0] <= '9' || len(s) > 2 && s[1] == '.' && s[0] >= 'a' && s[0] <= 'z':
		if at := strings.IndexByte(s, '.'); at > 0 && at < 5 && strings.HasPrefix(s[at+1:], " ") && (at == 1 || number(s[:at]) > 0) {
			return "1.", strings.TrimSpace(s[at+1:])
		}
	}
	for _, mark := range []string{"::", ";;"} {
		at := strings.Index(s, mark)
		if at <= 0 || at > maxTitle {
			continue
		}
		end := at
		for end < len(s) && end < at+4 && s[end] == mark[0] {
			end++
		}
		if end == len(s) || s[end] == ' ' {
			return s[at:end], s
		}
	}
	return "", ""
}

// list reads a list with those that lie in it.
func (p *parser) list(lines []line, i int) int {
	var open []string // marks of the lists that are open
	count := make([]int, 0, 8)
	p.take()
	terms := "" // of one definition
	for i < len(lines) {
		mark, rest := p.marker(lines[i].text)
		if mark == "" {
			break
		}
		level := -1
		for n, m := range open {
			if m == mark {
				level = n
			}
		}
		if level < 0 && len(open) < maxDepth {
			p.Open()
			open, count = append(open, mark), append(count, 0)
		}
		for level >= 0 && len(open) > level+1 {
			p.Shut()
			open, count = open[:len(open)-1], count[:len(count)-1]
		}
		count[len(count)-1]++
		text := rest
		switch {
		case mark[0] == ':' || mark[0] == ';':
			term, body, _ := strings.Cut(rest, mark)
			terms += p.inline(strings.TrimSpace(term))
			if text = strings.TrimSpace(body); text == "" && p.again(lines, i, mark) && len(terms) < maxTitle {
				terms += ", "
				i++
				continue
			}
			p.Item("- "+terms+": ", true, lines[i].num)
			terms = ""
		case mark[0] == '.' || mark == "1." || mark == "<>":
			p.Item(ordinal(count[len(count)-1]), false, lines[i].num)
		default:
			p.Item("- ", false, lines[i].num)
			text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "[ ] "), "[x] "), "[*] ")
		}
		i = p.item(lines, i, text)
	}
	for range open {
		p.Shut()
	}
	return i
}

// again reports whether another term of the same list follows the one on line i.
func (p *parser) again(lines []line, i int, mark string) bool {
	if i+1 == len(lines) || lines[i+1].text == "" {
		return false
	}
	next, _ := p.marker(lines[i+1].text)
	return next == mark
}

// item reads the text of the item on line i, of which the first line says text,
// and what is attached to it.
func (p *parser) item(lines []line, i int, text string) int {
	at := lines[i].num
	end := i + 1
	if text == "" { // the text of a term may stand below it
		for end < len(lines) && lines[end].text == "" {
			end++
		}
		if end < len(lines) && !p.plain(lines[end].text) {
			return p.attached(lines, end)
		}
	}
	var body []line
	if text != "" {
		body = append(body, line{text, at})
	}
	for end < len(lines) && lines[end].text != "" && p.plain(lines[end].text) {
		body = append(body, lines[end])
		end++
	}
	if len(body) > 0 {
		p.Para(p.inline(words(body)), at)
	}
	return p.attached(lines, end)
}

// plain reports whether a line goes on with the text of an item.
func (p *parser) plain(s string) bool {
	if mark, _ := p.marker(s); mark != "" || s == "+" || delimiter(s) != "" || strings.HasPrefix(s, "//") {
		return false
	}
	if s[0] == '[' && strings.HasSuffix(s, "]") || s[0] == '.' && len(s) > 1 && s[1] != '.' && s[1] != ' ' {
		return false
	}
	_, _, table := tableMark(s)
	level, _ := sectionTitle(s)
	return level == 0 && !table
}

// attached reads the blocks that "+" attaches to an item, and an indented one.
func (p *parser) attached(lines []line, i int) int {
	for i < len(lines) {
		next := i
		for next < len(lines) && lines[next].text == "" {
			next++
		}
		if next == len(lines) {
			return next
		}
		text := lines[next].text
		mark, _ := p.marker(text)
		switch {
		case strings.HasPrefix(text, "//") && delimiter(text) == "":
			i = next + 1
			continue
		case mark != "":
			return next
		case text == "+":
			i = next + 1
			for i < len(lines) {
				if lines[i].text == "" {
					i++
					continue
				}
				end, about := p.about(lines, i)
				if !about {
					break
				}
				i = end
			}
			if i < len(lines) && lines[i].text != "+" {
				if level, _ := sectionTitle(lines[i].text); level > 0 {
					return i
				}
				i = max(p.nested(lines, i), i+1)
			}
			continue
		case next > i && text[0] == ' ' || delimiter(text) == "--" && next == i:
			i = max(p.nested(lines, next), next+1)
			continue
		}
		return i
	}
	return i
}

// nested reads an element within an item.
func (p *parser) nested(lines []line, i int) int {
	if p.depth >= maxDepth {
		p.Para(strings.TrimSpace(lines[i].text), lines[i].num)
		return i + 1
	}
	p.depth++
	item := p.inItem
	p.inItem = true
	end := p.element(lines, i)
	p.inItem = item
	p.depth--
	return end
}
