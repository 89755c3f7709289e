package rst

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// A span is text with inline markup while it is read.
type span struct {
	*parser
	s    string
	b    strings.Builder
	none [256]bool // no end of markup that begins with this sign lies ahead
}

// inline returns text without its markup, but for `code`.
func (p *parser) inline(text string) string {
	if !strings.ContainsAny(text, "`*|_\\") && !strings.Contains(text, "  ") {
		return text
	}
	t := span{parser: p, s: text}
	for i := 0; i < len(text); {
		if n := t.markup(i); n > i {
			i = n
			continue
		}
		if text[i] != ' ' || i == 0 || text[i-1] != ' ' {
			t.b.WriteByte(text[i])
		}
		i++
	}
	return t.b.String()
}

// markup reads the markup that begins at i and returns where it ends, or i.
func (t *span) markup(i int) int {
	s := t.s[i:]
	switch s[0] {
	case '\\':
		if len(s) == 1 {
			return i
		}
		if s[1] != ' ' {
			t.b.WriteByte(s[1])
		}
		return i + 2
	case '`':
		if strings.HasPrefix(s, "``") {
			return t.literal(i)
		}
		return t.interpreted(i, i, "")
	case ':':
		return t.role(i)
	case '*':
		return t.emphasis(i)
	case '|':
		return t.substitution(i)
	case '[':
		return t.note(i)
	case '_':
		if strings.HasPrefix(s, "_`") && t.starts(i, 2) {
			if end := t.end(i+2, "`"); end > 0 {
				t.b.WriteString(unescape(t.s[i+2 : end]))
				return end + 1
			}
			return i
		}
		return t.reference(i)
	}
	return i
}

// starts reports whether markup may begin at i with a mark of n bytes.
func (t *span) starts(i, n int) bool {
	if i+n >= len(t.s) || t.s[i+n] == ' ' {
		return false
	}
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(t.s[:i])
	if strings.ContainsRune(`'"([{<`, r) {
		return strings.IndexByte(`'")]}>`, t.s[i+n]) != strings.IndexRune(`'"([{<`, r)
	}
	return r == ' ' || strings.ContainsRune("-/:=,|", r) || r > 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// end returns where the mark lies that ends the markup whose text begins at i, or
// a negative number. That there is none holds for all that begins later.
func (t *span) end(i int, mark string) int {
	none := &t.none[mark[0]+byte(len(mark))]
	if *none {
		return -1
	}
	for at := i; ; {
		n := strings.Index(t.s[at:], mark)
		if n < 0 {
			break
		}
		at += n
		end := at + len(mark)
		if mark == "``" && end < len(t.s) && t.s[end] == '`' {
			at++ // the last two of three
			continue
		}
		escaped := mark != "``" && at > i && t.s[at-1] == '\\'
		if at > i && t.s[at-1] != ' ' && !escaped && (end == len(t.s) || !alnum(t.s[end]) && t.s[end] < utf8.RuneSelf || !t.letter(end)) {
			return at
		}
		at += len(mark)
	}
	*none = true
	return -1
}

// letter reports whether a letter or digit is at i.
func (t *span) letter(i int) bool {
	r, _ := utf8.DecodeRuneInString(t.s[i:])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (t *span) literal(i int) int {
	if !t.starts(i, 2) {
		return t.keep(i, 2)
	}
	end := t.end(i+2, "``")
	if end < 0 {
		return t.keep(i, 2)
	}
	t.b.WriteString(flow.Code(t.s[i+2 : end]))
	return end + 2
}

// keep writes n bytes as they stand.
func (t *span) keep(i, n int) int {
	t.b.WriteString(t.s[i : i+n])
	return i + n
}

// interpreted reads text between backquotes at i, which belongs to a role that
// begins at from, or to one that follows, or is a link.
func (t *span) interpreted(from, i int, role string) int {
	if !t.starts(from, i-from+1) {
		return from
	}
	end := t.end(i+1, "`")
	if end < 0 {
		// `link`_s and `text`:role: end before a letter or sign that end() takes for text.
		return from
	}
	text := t.s[i+1 : end]
	rest := t.s[end+1:]
	switch {
	case role != "":
		t.b.WriteString(t.roleText(role, text))
		return end + 1
	case strings.HasPrefix(rest, "_"):
		words, address := titled(unescape(text))
		words = cmp.Or(words, address)
		t.b.WriteString(words)
		n := len(rest) - len(strings.TrimLeft(rest[:min(2, len(rest))], "_")) - max(len(rest)-2, 0)
		return end + 1 + n
	case strings.HasPrefix(rest, ":"):
		if name, n := roleName(rest); n > 0 && (n == len(rest) || rest[n] != '`') {
			t.b.WriteString(t.roleText(name, text))
			return end + 1 + n
		}
	}
	if text = unescape(text); !strings.Contains(text, " ") {
		text = flow.Code(strings.TrimLeft(text, "~."))
	} else if words, _ := titled(text); words != "" {
		text = words
	}
	t.b.WriteString(text)
	return end + 1
}

// role reads ":name:`text`" at i.
func (t *span) role(i int) int {
	name, n := roleName(t.s[i:])
	if n == 0 || i+n >= len(t.s) || t.s[i+n] != '`' || strings.HasPrefix(t.s[i+n:], "``") {
		return i
	}
	return t.interpreted(i, i+n, name)
}

// roleName returns the name in ":name:" at the beginning of s, and its length with
// both colons.
func roleName(s string) (name string, n int) {
	i := 1
	for i < len(s) && i < 60 && (alnum(s[i]) || strings.IndexByte("-_.+:", s[i]) >= 0) {
		i++
	}
	for i > 1 && s[i-1] != ':' {
		i--
	}
	if i < 3 || s[1] == ':' {
		return "", 0
	}
	return s[1 : i-1], i
}

func (t *span) emphasis(i int) int {
	mark := "*"
	if strings.HasPrefix(t.s[i:], "**") {
		mark = "**"
	}
	if !t.starts(i, len(mark)) {
		return t.keep(i, len(mark))
	}
	end := t.end(i+len(mark), mark)
	if end < 0 {
		return t.keep(i, len(mark))
	}
	t.b.WriteString(strings.ReplaceAll(unescape(t.s[i+len(mark):end]), "``", "`"))
	return end + len(mark)
}

func (t *span) substitution(i int) int {
	if !t.starts(i, 1) {
		return i
	}
	n := strings.IndexByte(t.s[i+1:min(len(t.s), i+102)], '|')
	if n < 1 || t.s[i+n] == ' ' {
		return i
	}
	text, ok := t.subs[refName(t.s[i+1:i+1+n])]
	if !ok || t.substBudget < len(text) {
		return i
	}
	t.substBudget -= len(text)
	end := i + n + 2
	for end < len(t.s) && end < i+n+4 && t.s[end] == '_' {
		end++
	}
	if t.depth < maxDepth {
		t.depth += maxDepth // a substitution in a substitution stays
		text = t.inline(text)
		t.depth -= maxDepth
	}
	t.b.WriteString(text)
	return end
}

// note reads a reference to a footnote, "[1]_".
func (t *span) note(i int) int {
	n := strings.IndexByte(t.s[i:min(len(t.s), i+80)], ']')
	if n < 2 || !strings.HasPrefix(t.s[i+n:], "]_") || strings.IndexByte(t.s[i:i+n], ' ') > 0 || i+n+2 < len(t.s) && alnum(t.s[i+n+2]) {
		return i
	}
	t.b.WriteString("[" + strings.TrimPrefix(t.s[i+1:i+n], "#") + "]")
	return i + n + 2
}

// reference drops the sign after a word that refers to a target of this file.
func (t *span) reference(i int) int {
	end := i + 1
	if end < len(t.s) && t.s[end] == '_' {
		end++
	}
	if i == 0 || !alnum(t.s[i-1]) || end < len(t.s) && (alnum(t.s[end]) || t.s[end] >= utf8.RuneSelf || strings.IndexByte("_(`*", t.s[end]) >= 0) {
		return i
	}
	if end == i+2 {
		if t.targets["_"] {
			return end
		}
		return t.keep(i, 2)
	}
	from := i
	for from > 0 && i-from < 100 && (alnum(t.s[from-1]) || strings.IndexByte("-_.:+", t.s[from-1]) >= 0) {
		from--
	}
	if t.targets[refName(strings.TrimLeft(t.s[from:i], "-_.:+"))] {
		return end
	}
	return i
}

// unescape drops the backslashes of text.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] == ' ' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// titled cuts "words <target>".
func titled(s string) (words, target string) {
	at := strings.LastIndexByte(s, '<')
	if at < 0 || !strings.HasSuffix(s, ">") || at > 0 && s[at-1] != ' ' {
		return s, ""
	}
	return strings.TrimSpace(s[:at]), strings.TrimSuffix(s[at+1:len(s)-1], "_")
}

// refName returns a name as it is compared: case and spaces do not count.
func refName(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// target cuts "name: address", with the name in backquotes or not.
func target(s string) (name, address string, ok bool) {
	if strings.HasPrefix(s, "`") {
		end := strings.Index(s[1:], "`:")
		if end < 0 {
			return "", "", false
		}
		return s[1 : end+1], strings.TrimSpace(s[end+3:]), true
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == ':' && (i+1 == len(s) || s[i+1] == ' '):
			return unescape(s[:i]), strings.TrimSpace(s[i+1:]), true
		}
	}
	return "", "", false
}

// What docutils takes for letters without their accents.
const (
	accented   = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿāăąćčďēęěğīłńňőřśşšţťūůűźżž"
	unaccented = "aaaaaaceeeeiiiinoooooouuuuyyaaaccdeeegilnnorsssttuuuzzz"
)

// slug returns what docutils makes an id of: "What's new?" is "what-s-new".
func slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if n := strings.IndexRune(accented, r); n >= 0 && r >= utf8.RuneSelf {
			r = rune(unaccented[utf8.RuneCountInString(accented[:n])])
		}
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0:
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		case r < utf8.RuneSelf:
			gap = true
		}
	}
	return b.String()
}

// unicodeText returns the text of a unicode directive: characters by number, and
// text.
func unicodeText(s string) string {
	s, _, _ = strings.Cut(s, " ..")
	var b strings.Builder
	for _, w := range strings.Fields(s) {
		hex := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(w, "U+"), "0x"), "\\u")
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil && hex != w && utf8.ValidRune(rune(n)) {
			b.WriteRune(rune(n))
		} else {
			b.WriteString(w)
		}
	}
	return b.String()
}
