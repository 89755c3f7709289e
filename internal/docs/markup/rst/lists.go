package rst

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// bullet returns the width of the bullet with which text begins and the space
// after it, or 0.
func bullet(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if !strings.ContainsRune("*-+•‣⁃", r) {
		return 0
	}
	if len(text) == n {
		return n
	}
	if text[n] != ' ' {
		return 0
	}
	return n + indent(text[n:])
}

// itemEnd returns the line after the list item that begins on line i.
func itemEnd(lines []line, i int) int {
	return max(extent(lines, i+1), i+1)
}

// itemBody returns the lines of an item without its mark, which is width wide.
func itemBody(lines []line, width int) []line {
	body := dedent(lines, width)
	body[0] = line{lines[0].text[min(width, len(lines[0].text)):], lines[0].num}
	return body
}

// skipBlank returns the first line from i on that is not blank.
func skipBlank(lines []line, i int) int {
	for i < len(lines) && lines[i].text == "" {
		i++
	}
	return i
}

// items reads a list: next returns the mark of the item on a line and its width,
// which is 0 where there is none.
func (p *parser) items(lines []line, i int, next func(i int) (mark string, width int)) int {
	p.Open()
	for i < len(lines) {
		mark, width := next(i)
		if width == 0 {
			break
		}
		end := itemEnd(lines, i)
		p.Item(mark, false, lines[i].num)
		p.within(itemBody(lines[i:end], width))
		i = skipBlank(lines, end)
	}
	p.Shut()
	return i
}

func (p *parser) bullets(lines []line, i int) int {
	sign, _ := utf8.DecodeRuneInString(lines[i].text)
	return p.items(lines, i, func(i int) (string, int) {
		if r, _ := utf8.DecodeRuneInString(lines[i].text); r != sign {
			return "", 0
		}
		return "- ", bullet(lines[i].text)
	})
}

// enumerator returns the width of the enumerator with which text begins and the
// space after it, and what it says: "1", "a", "iv", "#".
func enumerator(text string) (width int, value string) {
	i := 0
	open := strings.HasPrefix(text, "(")
	if open {
		i++
	}
	from := i
	for i < len(text) && i-from < 9 && (alnum(text[i]) || text[i] == '#') {
		i++
	}
	value = text[from:i]
	if i == len(text) || value == "" || open && text[i] != ')' || text[i] != '.' && text[i] != ')' {
		return 0, ""
	}
	if i+1 < len(text) && text[i+1] != ' ' {
		return 0, ""
	}
	_, err := strconv.Atoi(value)
	if err != nil && value != "#" && len(value) > 1 && strings.Trim(strings.ToLower(value), "ivxlcdm") != "" {
		return 0, ""
	}
	return i + 1 + indent(text[i+1:]), value
}

// follows reports whether what follows line i agrees that it is enumerated.
func follows(lines []line, i, width int) bool {
	if i+1 == len(lines) || lines[i+1].text == "" {
		return true
	}
	next := lines[i+1].text
	if next[0] == ' ' {
		return indent(next) >= min(width, 2)
	}
	w, _ := enumerator(next)
	return w > 0
}

func (p *parser) enumerated(lines []line, i int) int {
	count := 0
	kind := func(value string) int {
		if value == "#" {
			return 0
		}
		if value[0] <= '9' {
			return 1
		}
		return 2
	}
	return p.items(lines, i, func(i int) (string, int) {
		width, value := enumerator(lines[i].text)
		if width == 0 || !follows(lines, i, width) {
			return "", 0
		}
		count++
		if kind(value) == 0 {
			value = strconv.Itoa(count)
		}
		return value + ". ", width
	})
}

// field returns the name and the rest of a line ":name: rest".
func field(text string) (name, rest string, ok bool) {
	if len(text) < 3 || text[0] != ':' || text[1] == ':' || text[1] == ' ' || text[1] == '`' {
		return "", "", false
	}
	for i := 1; i < len(text) && i < 200; i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			return "", "", false
		case ':':
			if i+1 == len(text) || text[i+1] == ' ' {
				return text[1:i], strings.TrimSpace(text[i+1:]), text[i-1] != ' '
			}
		}
	}
	return "", "", false
}

// namedItems reads a list of which each item has a name, which cut takes off its first line and show writes.
func (p *parser) namedItems(lines []line, i int, cut func(string) (name, rest string, ok bool), show func(string) string) int {
	p.Open()
	for i < len(lines) {
		name, rest, ok := cut(lines[i].text)
		if !ok {
			break
		}
		end := itemEnd(lines, i)
		body := flushLeft(lines[i+1 : end])
		if rest != "" {
			body = append([]line{{rest, lines[i].num}}, body...)
		}
		p.Item("- "+show(name)+": ", true, lines[i].num)
		p.within(body)
		i = skipBlank(lines, end)
	}
	p.Shut()
	return i
}

// fieldName returns what a field of a description says, as Sphinx shows it.
func (p *parser) fieldName(name string) string {
	kind, arg, _ := strings.Cut(name, " ")
	arg = strings.TrimSpace(arg)
	switch kind {
	case "param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "var", "ivar", "cvar", "tparam":
		if arg == "" {
			break
		}
		if at := strings.LastIndexByte(arg, ' '); at > 0 {
			return "`" + arg[at+1:] + "` (" + arg[:at] + ")"
		}
		return "`" + strings.ReplaceAll(arg, "\\", "") + "`"
	case "type", "vartype", "paramtype", "kwtype":
		if arg != "" {
			return "Type of `" + arg + "`"
		}
	case "raises", "raise", "except", "exception", "throws":
		if arg != "" {
			return "Raises `" + arg + "`"
		}
		return "Raises"
	case "return", "returns":
		return "Returns"
	case "rtype":
		return "Return type"
	case "yield", "yields":
		return "Yields"
	}
	return p.inline(name)
}

// option returns the options at the beginning of an item of an option list, and
// their description.
func option(text string) (name, rest string, ok bool) {
	if len(text) < 2 || text[0] != '-' && text[0] != '/' || text[1] == ' ' || text[0] == '/' && !alnum(text[1]) {
		return "", "", false
	}
	name, rest, _ = strings.Cut(text, "  ")
	for _, one := range strings.Split(name, ", ") {
		words := strings.Fields(strings.ReplaceAll(one, "=", " "))
		if len(words) == 0 || len(words) > 2 {
			return "", "", false
		}
		flag := strings.TrimPrefix(strings.TrimPrefix(words[0], "-"), "-")
		if flag == words[0] && (words[0][0] != '/' || len(words[0]) > 2) || flag == "" || !alnum(flag[0]) || strings.ContainsAny(flag, "`*|:") {
			return "", "", false
		}
		if len(words) == 2 && !alnum(words[1][0]) && words[1][0] != '<' {
			return "", "", false
		}
	}
	return name, strings.TrimSpace(rest), true
}

func (p *parser) options(lines []line, i int) int {
	// Without a description it is a paragraph that begins with a dash.
	if _, rest, _ := option(lines[i].text); rest == "" && (i+1 == len(lines) || lines[i+1].text == "" || lines[i+1].text[0] != ' ') {
		return p.text(lines, i)
	}
	return p.namedItems(lines, i, option, func(name string) string { return "`" + name + "`" })
}

// definitions reads a definition list.
func (p *parser) definitions(lines []line, i int) int {
	p.Open()
	for i+1 < len(lines) && lines[i].text != "" && lines[i].text[0] != ' ' {
		next := lines[i+1].text
		text := lines[i].text
		if next == "" || next[0] != ' ' || bullet(text) > 0 || strings.HasPrefix(text, "..") || strings.HasSuffix(text, "::") {
			break
		}
		if _, _, ok := field(text); ok {
			break
		}
		end := itemEnd(lines, i)
		p.Item("- "+strings.TrimSuffix(p.inline(text), ":")+": ", true, lines[i].num)
		p.within(flushLeft(lines[i+1 : end]))
		i = skipBlank(lines, end)
	}
	p.Shut()
	return i
}
