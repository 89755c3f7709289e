package asciidoc

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// attributes puts the values of attributes for their names in braces. The values
// are not looked at again.
func (p *parser) attributes(s string) string {
	if strings.IndexByte(s, '{') < 0 {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		end := strings.IndexByte(rest[:min(len(rest), 80)], '}')
		if end > 0 && !strings.HasSuffix(before, `\`) && !strings.HasSuffix(before, "$") {
			value, known := p.attrs[strings.ToLower(rest[:end])]
			if known && p.substBudget >= len(value) {
				p.substBudget -= len(value)
				b.WriteString(value)
				s = rest[end+1:]
				continue
			}
		}
		b.WriteByte('{')
		s = rest
	}
}

// A span is text with inline markup while it is read.
type span struct {
	s    string
	b    strings.Builder
	none map[string]bool // marks that do not come again
	deep int             // of texts within marks
}

// inline returns text without its markup, but for `code`.
func (p *parser) inline(text string) string {
	text = p.attributes(p.attributes(text))
	if !strings.ContainsAny(text, "`*_+#^~[<:\\({&") {
		return text
	}
	t := span{s: text, none: map[string]bool{}}
	return strings.TrimSpace(t.read())
}

func (t *span) read() string {
	for i := 0; i < len(t.s); {
		if n := t.markup(i); n > i {
			i = n
			continue
		}
		t.b.WriteByte(t.s[i])
		i++
	}
	return t.b.String()
}

func word(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

// markup reads the markup that begins at i and returns where it ends, or i.
func (t *span) markup(i int) int {
	s := t.s[i:]
	switch s[0] {
	case '\\':
		if len(s) > 1 && strings.IndexByte("`*_+#^~[<{:", s[1]) >= 0 {
			t.b.WriteByte(s[1])
			return i + 2
		}
	case '`', '*', '_', '#', '+':
		return t.quoted(i)
	case '<':
		if strings.HasPrefix(s, "<<") {
			return t.reference(i)
		}
	case '[':
		if strings.HasPrefix(s, "[[") { // an anchor
			if end := t.find(i, "]]"); end > 0 && strings.IndexByte(t.s[i:end], ' ') < 0 {
				return end + 2
			}
		}
		// The style of the text in marks after it: [.path]_x_.
		if end := strings.IndexByte(s[:min(len(s), 60)], ']'); end > 1 && end+1 < len(s) && strings.IndexByte("`*_#", s[end+1]) >= 0 && (s[1] == '.' || s[1] == '#') {
			return i + end + 1
		}
	case '(':
		if strings.HasPrefix(s, "((") { // a term of the index
			hidden := strings.HasPrefix(s, "(((")
			if end := t.find(i+2, "))"); end > 0 {
				if hidden {
					return end + 2 + len(t.s[end+2:]) - len(strings.TrimPrefix(t.s[end+2:], ")"))
				}
				t.b.WriteString(t.s[i+2 : end])
				return end + 2
			}
		}
	case '&':
		if end := strings.IndexByte(s[:min(len(s), 12)], ';'); end > 2 {
			if is := html.UnescapeString(s[:end+1]); is != s[:end+1] {
				t.b.WriteString(strings.NewReplacer("\u00a0", " ", "\u200b", "").Replace(is))
				return i + end + 1
			}
		}
	case '{':
		// What the build sets stands before the path of an address.
		if end := strings.IndexAny(s[1:min(len(s), 60)], " {}\n[") + 1; end > 1 && s[end] == '}' {
			open := strings.IndexAny(s[end:min(len(s), end+400)], " \n[")
			if open > 0 && s[end+open] == '[' {
				if to := t.find(i+end+open, "]"); to > 0 {
					t.b.WriteString(t.s[i+end+open+1 : to])
					return to + 1
				}
			}
		}
	default:
		if i == 0 || !word(t.s[i-1]) {
			return t.macro(i)
		}
	}
	return i
}

// find returns where mark lies next, or a negative number.
func (t *span) find(i int, mark string) int {
	if t.none[mark] {
		return -1
	}
	at := strings.Index(t.s[min(i, len(t.s)):], mark)
	if at < 0 {
		t.none[mark] = true
		return -1
	}
	return i + at
}

// quoted reads text between signs, single at the borders of words or double
// anywhere.
func (t *span) quoted(i int) int {
	sign := t.s[i : i+1]
	double := i+1 < len(t.s) && t.s[i+1] == sign[0]
	mark := sign
	if double {
		mark = sign + sign
	}
	from := i + len(mark)
	end := -1
	if mark == "``" { // two of them and two apostrophes are a pair of quotes
		if quote := t.find(from, "''"); quote > 0 && !strings.Contains(t.s[from:min(quote, from+maxTitle)], "`") && quote-from < maxTitle {
			t.b.WriteString(`"` + t.s[from:quote] + `"`)
			return quote + 2
		}
	}
	switch {
	case from >= len(t.s):
	case double:
		if end = t.find(from, mark); end == from {
			end = -1
		}
	case (i == 0 || !word(t.s[i-1])) && t.s[from] != ' ':
		end = t.close(from, sign)
	}
	if end < 0 {
		t.b.WriteString(mark)
		return from
	}
	text := t.s[from:end]
	if sign == "`" {
		plain := strings.TrimSuffix(strings.TrimPrefix(text, "+"), "+")
		t.b.WriteString(flow.Code(strings.NewReplacer("{empty}", "", `\`, "").Replace(plain)))
		return end + len(mark)
	}
	if sign == "+" {
		t.b.WriteString(text)
		return end + len(mark)
	}
	for len(text) > 2 && strings.IndexByte("*_#", text[0]) >= 0 && text[len(text)-1] == text[0] {
		text = text[1 : len(text)-1]
	}
	if strings.Contains(text, ":") && strings.Contains(text, "[") { // the words of a link
		inner := span{s: text, none: map[string]bool{}, deep: t.deep + 1}
		if inner.deep < 4 {
			text = inner.read()
		}
	}
	t.b.WriteString(text)
	return end + len(mark)
}

// close returns where the sign lies that ends a text at the border of a word.
func (t *span) close(from int, sign string) int {
	key := "single " + sign
	if t.none[key] {
		return -1
	}
	for at := from; ; at++ {
		n := strings.Index(t.s[at:], sign)
		if n < 0 {
			break
		}
		at += n
		if at > from && t.s[at-1] != ' ' && (at+1 == len(t.s) || !word(t.s[at+1]) && t.s[at+1] != '[') {
			return at
		}
	}
	t.none[key] = true
	return -1
}

// reference reads "<<anchor,words>>".
func (t *span) reference(i int) int {
	end := t.find(i+2, ">>")
	if end < 0 || end == i+2 || end-i > maxTitle {
		return i
	}
	anchor, words, ok := strings.Cut(t.s[i+2:end], ",")
	if !ok {
		words = strings.TrimPrefix(anchor, "#")
	}
	t.b.WriteString(strings.TrimSpace(words))
	return end + 2
}

// macros are the inline macros that are known; their text is in brackets. Of those
// that are false nothing is read.
var macros = map[string]bool{"link": true, "xref": true, "mailto": true, "kbd": true, "btn": true, "menu": true, "footnote": true, "pass": true,
	"image": false, "icon": false, "anchor": false, "indexterm": false, "indexterm2": true, "stem": true, "latexmath": true,
	"asciimath": true, "http": true, "https": true, "ftp": true, "irc": true, "footnoteref": true}

// macro reads "name:target[text]" at i.
func (t *span) macro(i int) int {
	n := i
	for n < len(t.s) && n-i < 16 && t.s[n] >= 'a' && t.s[n] <= 'z' || n < len(t.s) && n > i && n-i < 16 && t.s[n] == '2' {
		n++
	}
	if n == i || n == len(t.s) || t.s[n] != ':' {
		return i
	}
	name := t.s[i:n]
	read, known := macros[name]
	to := n + 1
	for to < len(t.s) && to-n < 500 && t.s[to] != '[' && t.s[to] != ' ' && t.s[to] != '\n' {
		to++
	}
	if to == len(t.s) || t.s[to] != '[' || to == n+1 && !known {
		if strings.HasPrefix(name, "http") || name == "ftp" { // an address without words, as it stands
			t.b.WriteString(t.s[i:to])
			return to
		}
		return i
	}
	end := t.find(to, "]")
	if end < 0 {
		return i
	}
	target, words := strings.TrimLeft(t.s[n+1:to], "/"), t.s[to+1:end]
	words = strings.TrimSuffix(words, "^")
	switch {
	case name == "linkgit":
		words = target + "(" + words + ")"
	case !known && words == "":
		words = target
	case !known:
		return i
	case !read:
		return end + 1
	case name == "footnote" || name == "footnoteref":
		words = "[" + words + "]"
		if i > 0 && t.s[i-1] != ' ' {
			words = " " + words
		}
	case name == "menu" && words != "":
		words = target + " > " + words
	case words == "" && name != "pass":
		words = strings.TrimPrefix(t.s[n+1:to], "#")
		if strings.HasPrefix(name, "http") {
			words = t.s[i:to]
		}
	default:
		if before, _, ok := strings.Cut(words, ",window="); ok {
			words = before
		} else if before, _, ok := strings.Cut(words, ",role="); ok {
			words = before
		}
		words = strings.Trim(words, `"`)
	}
	t.b.WriteString(words)
	return end + 1
}
