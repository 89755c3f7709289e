package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

const (
	// maxParagraph is the size at which a paragraph is cut: what is in one is
	// read in time that may grow with the square of its length.
	maxParagraph = 16 << 10
	// maxLinks is how many brackets a paragraph may open: each may look through the rest of
	// it for the end of a link.
	maxLinks = 256
	// maxNest bounds how deep lists and quotations lie in one another.
	maxNest = 24
	// maxCells bounds the cells of a table.
	maxCells = 1 << 16
	// maxIndent is where indentation stops to mean more.
	maxIndent = 2 * maxNest
)

// A draft is a page on its way to the Markdown parser: lines, each with the number of
// the line of the source that it stands for.
type draft struct {
	lines []string
	nums  []int
	whole string // the lines as one text, or "" where nobody has asked for it
}

// room returns a draft that is empty, with room for about as many lines as d has.
func (d *draft) room() draft {
	n := len(d.lines) + len(d.lines)/8 + 8
	return draft{lines: make([]string, 0, n), nums: make([]int, 0, n)}
}

func (d *draft) add(line string, num int) {
	d.lines = append(d.lines, line)
	d.nums = append(d.nums, num)
}

// text returns the lines as one text. What is added later is not in it.
func (d *draft) text() string {
	if d.whole == "" {
		d.whole = strings.Join(d.lines, "\n")
	}
	return d.whole
}

// Marks that cannot be in a cleaned source: of a table that is held in a fence, and
// of a label that belongs to the paragraph after it.
const (
	tableMark = "\x01"
	labelMark = "\x02"
)

// clean returns src as valid text whose lines end in \n and that holds no control
// characters.
func clean(src []byte) string {
	s := string(src)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	s = strings.TrimPrefix(s, "\uFEFF")
	if !controlled(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\f' || r == '\v':
			return '\n'
		case r < ' ' && r != '\n' && r != '\t':
			return ' '
		}
		return r
	}, s)
}

// controlled reports whether s has control characters other than those that pages have.
func controlled(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' {
			return true
		}
	}
	return false
}

func newDraft(s string) draft {
	n := strings.Count(s, "\n") + 1
	d := draft{lines: make([]string, 0, n), nums: make([]int, 0, n), whole: s}
	n = 0
	for line := range strings.SplitSeq(s, "\n") {
		n++
		d.add(line, n)
	}
	return d
}

// A fence is the opening of a block of code.
type fence struct {
	mark   byte
	length int
	indent int
	info   string
}

var fenceStart = lazy.Regexp("^((?:[ \t]*(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t]))*[ \t]*)(`{3,}|~{3,})(.*)$")

// openFence returns the fence that a line opens.
func openFence(line string) (fence, bool) {
	// Most lines begin with a letter.
	at := leading(line, " \t>-*+.)0123456789")
	if rest := line[at:]; !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return fence{}, false
	}
	if at == leading(line, " \t") {
		n := leading(line[at:], line[at:at+1])
		info := line[at+n:]
		if line[at] == '`' && strings.Contains(info, "`") {
			return fence{}, false
		}
		return fence{mark: line[at], length: n, indent: at, info: strings.TrimSpace(info)}, true
	}
	m := fenceStart.FindStringSubmatch(line)
	if m == nil || m[2][0] == '`' && strings.Contains(m[3], "`") {
		return fence{}, false
	}
	return fence{mark: m[2][0], length: len(m[2]), indent: len(m[1]), info: strings.TrimSpace(m[3])}, true
}

// closes says whether a line ends the code.
func (f fence) closes(line string) bool {
	line = line[leading(line, " \t>"):]
	if line == "" || line[0] > ' ' && line[0] < utf8.RuneSelf && line[0] != f.mark {
		return false
	}
	line = strings.TrimSpace(line)
	if len(line) < f.length || line[0] != f.mark {
		return false
	}
	return strings.Trim(line, string(f.mark)) == ""
}

func indentOf(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// dedent takes up to n columns of indentation away.
func dedent(line string, n int) string {
	col := 0
	for i := range len(line) {
		if col >= n {
			return strings.Repeat(" ", col-n) + line[i:]
		}
		switch line[i] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return line[i:]
		}
	}
	return ""
}

func blank(line string) bool { return leading(line, " \t") == len(line) }

// leading returns how many bytes s begins with that are of a set: a few signs of ASCII.
func leading(s, set string) int {
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

var dataURI = lazy.Regexp(`data:[a-z]+/[a-zA-Z0-9.+-]+;base64,[A-Za-z0-9+/=]{64,}`)

// htmlBlock is how a block of HTML begins, which is not read as a paragraph is. The tags
// are those with which CommonMark lets one begin whatever else is on the line.
var htmlBlock = lazy.Regexp(`(?i)^[ \t>]*<(?:!--|\?|![a-z]|!\[CDATA\[|/?(?:pre|script|style|textarea|address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t/>]|$))`)

// bound makes what is left cheap to parse: paragraphs are of limited length, and so are
// the depth of what is nested and the width of what is indented.
func (d draft) bound() draft {
	out := d.room()
	var in *fence
	size, limit, links := 0, maxParagraph, 0
	rows, columns := 0, 0
	for i, line := range d.lines {
		num := d.nums[i]
		if in != nil {
			if in.closes(line) {
				in = nil
			}
			out.add(line, num)
			continue
		}
		if f, ok := openFence(line); ok {
			in, size, links = &f, 0, 0
			out.add(shallow(line), num)
			continue
		}
		if blank(line) {
			size, rows, columns, links = 0, 0, 0, 0
			out.add("", num)
			continue
		}
		if strings.Contains(line, "data:") {
			line = dataURI.ReplaceAllString(line, "data:")
		}
		if size == 0 {
			limit = maxParagraph
			if at := leading(line, " \t>"); at < len(line) && line[at] == '<' && htmlBlock.MatchString(line) {
				limit = 16 * maxParagraph
			}
		}
		line = shallow(line)
		if rows++; columns == 0 && leading(line, " \t>|:-") == len(line) {
			if columns = strings.Count(line, "|") + 1; rows == 2 {
				limit = 16 * maxParagraph // it is a table
			}
		}
		if rows*columns > maxCells {
			// The parser fills short rows up to the width of the table.
			out.add("", num)
			size, rows, columns, links = 0, 1, 0, 0
		}
		for {
			room := limit - size
			if columns == 0 { // the cells of a table are read one by one
				room = min(room, opening(line, maxLinks-links))
			}
			if len(line) <= room {
				break
			}
			if size == 0 {
				at := cut(line, room)
				out.add(line[:at], num)
				line = strings.TrimLeft(line[at:], " \t")
			}
			out.add("", num)
			size, limit, links = 0, maxParagraph, 0
		}
		out.add(line, num)
		size += len(line) + 1
		links += strings.Count(line, "[")
	}
	return out
}

// opening returns where line opens the nth bracket after as many, or all of its length.
func opening(line string, n int) int {
	for at := 0; ; n-- {
		next := strings.IndexByte(line[at:], '[')
		if next < 0 {
			return len(line)
		}
		if at += next; n <= 0 {
			return at
		}
		at++
	}
}

// cut returns where a line that is too long may be cut.
func cut(line string, at int) int {
	if i := strings.LastIndexByte(line[:at], ' '); i > at/2 {
		return i
	}
	for at > 1 && !utf8.RuneStart(line[at]) {
		at--
	}
	return at
}

// shallow escapes what would open more blocks on one line than maxNest, and takes away
// indentation that would nest deeper.
func shallow(line string) string {
	if n := indentOf(line); n > maxIndent {
		line = dedent(line, n-maxIndent)
	}
	if len(line) > 3*maxNest && leading(line, " \t>-*+:_=") == len(line) {
		// Marks alone say no more for being many.
		return line[:3*maxNest]
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			continue
		case c == '>':
			depth++
		case c == '-' || c == '*' || c == '+' || c == ':':
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
				return line // it opens nothing: "------" is the line under a heading
			}
			depth++
		case c >= '0' && c <= '9' && i+1 < len(line) && (line[i+1] == '.' || line[i+1] == ')'):
			depth++
			i++
		default:
			return line
		}
		if depth > maxNest {
			return line[:i] + "\\" + line[i:]
		}
	}
	return line
}
