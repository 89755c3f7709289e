package markdown

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// A stripper takes components off a draft: of MDX every tag and expression, of plain
// Markdown the components that begin lines. What they say stays.
type stripper struct {
	opt  markup.Options
	mdx  bool
	d    draft
	src  string
	pos  int
	row  int // of pos in d
	code *fence

	out draft
	cur strings.Builder
	num int // of the line in cur, 0 where nothing is there yet

	frames        []element
	tables        int
	waste         int // bytes that may yet be read in vain
	includeBudget int
	found         front
}

// An element is an open component.
type element struct {
	name  string
	delta int // columns by which its content is indented
	lang  string
}

const maxElements = 64

// proseProps are the attributes that people read.
var proseProps = []string{"title", "label", "header", "heading", "description", "alt", "caption", "summary", "question", "text"}

// strip takes components off d, and returns what exports of the page say of it.
func strip(d draft, opt markup.Options, mdx bool) (draft, front) {
	src := d.text()
	s := &stripper{opt: opt, mdx: mdx, d: d, src: src, out: d.room(), waste: 8*len(src) + 1024, includeBudget: min(4*len(src)+64<<10, 1<<20)}
	for s.pos < len(s.src) {
		s.line()
	}
	s.out.add(s.cur.String(), max(s.num, 1))
	return s.out, s.found
}

// put writes text that stands for the line at pos.
func (s *stripper) put(text string) {
	for text != "" {
		if s.num == 0 {
			s.num = s.d.nums[min(s.row, len(s.d.nums)-1)]
		}
		part, rest, ok := strings.Cut(text, "\n")
		s.cur.WriteString(part)
		if ok {
			s.out.add(s.cur.String(), s.num)
			s.cur.Reset()
			s.num = 0
		}
		text = rest
	}
}

// copy writes the source up to end.
func (s *stripper) copy(end int) {
	for s.pos < end {
		i := strings.IndexByte(s.src[s.pos:end], '\n')
		if i < 0 {
			s.put(s.src[s.pos:end])
			s.pos = end
			return
		}
		s.put(s.src[s.pos : s.pos+i+1])
		s.pos += i + 1
		s.row++
	}
}

func (s *stripper) skip(end int) {
	s.row += strings.Count(s.src[s.pos:end], "\n")
	s.pos = end
}

func (s *stripper) delta() int {
	n := 0
	for _, f := range s.frames {
		n += f.delta
	}
	return n
}

func (s *stripper) lineEnd() int {
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		return s.pos + i
	}
	return len(s.src)
}

func (s *stripper) newline() {
	if s.tables > 0 && s.code == nil && blank(s.cur.String()) && s.pos < len(s.src) {
		// An empty line would end the table for the reader of HTML.
		s.cur.Reset()
		s.num = 0
		s.skip(s.pos + 1)
		return
	}
	if s.pos < len(s.src) {
		s.put("\n")
		s.pos++
		s.row++
	}
}

// line reads from the start of a line: to its end, or further where a tag does.
func (s *stripper) line() {
	end := s.lineEnd()
	line := s.src[s.pos:end]
	if s.code != nil {
		if s.code.closes(line) {
			s.code = nil
		}
		if !s.whole(line, end) {
			s.put(dedent(line, s.delta()))
			s.pos = end
			s.newline()
		}
		return
	}
	if blank(line) {
		s.pos = end
		if s.tables > 0 && s.cur.Len() == 0 {
			s.skip(min(end+1, len(s.src)))
			return
		}
		s.newline()
		return
	}
	if s.mdx && (line[0] == 'i' || line[0] == 'e') && (len(s.frames) == 0 || esmLine.MatchString(line)) && esmStart.MatchString(line) {
		s.esm()
		return
	}
	if f, ok := openFence(line); ok {
		s.code = &f
		s.put(dedent(line, s.delta()))
		s.pos = end
		s.newline()
		return
	}
	if s.says(line) && s.whole(line, end) || s.verbatim(line) {
		return
	}
	n := len(line) - len(strings.TrimLeft(line, " \t"))
	if s.tables == 0 {
		s.put(strings.TrimSuffix(dedent(line[:n]+"x", s.delta()), "x"))
	}
	s.pos += n
	s.inline(n)
}

// says reports whether nothing of a line is a component: it has no tag, and no expression of
// MDX, outside of code that ends where it begins.
func (s *stripper) says(line string) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\\' || c == '<' || c == '{' && s.mdx:
			return false
		case c == '`':
			n := leading(line[i:], "`")
			end := strings.Index(line[i+n:], line[i:i+n])
			if end < 0 || strings.HasPrefix(line[i+n+end+n:], "`") {
				return false
			}
			i += n + end + n
		default:
			i++
		}
	}
	return true
}

// whole writes a line as it is, unless something is open that it belongs to.
func (s *stripper) whole(line string, end int) bool {
	if len(s.frames) > 0 || s.tables > 0 || s.num != 0 || s.cur.Len() > 0 || end == len(s.src) {
		return false
	}
	s.out.add(line, s.d.nums[min(s.row, len(s.d.nums)-1)])
	s.pos = end + 1
	s.row++
	return true
}

var (
	rawStart = lazy.Regexp(`^[ \t]*<(script|style|pre|textarea)[\s>]`)
	esmStart = lazy.Regexp(`^(?:import\s+(?:["'{*]|[\w$]+\s*(?:,|from\b)|type\s)|export\s+(?:const|let|var|function|default|async|class|type|interface|enum)\b|export\s*[{*])`)
	esmLine  = lazy.Regexp(`^import\s.*\sfrom\s+["'][^"']+["'];?\s*$`)
	esmField = lazy.Regexp(`\b(title|description)\b\s*[:=]\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|` + "`([^`]*)`)")
)

// verbatim leaves to the reader of HTML what it knows better: scripts and what is
// preformatted.
func (s *stripper) verbatim(line string) bool {
	m := rawStart.FindStringSubmatch(line)
	if m == nil || s.waste <= 0 {
		return false
	}
	stop := "</" + m[1] + ">"
	i := strings.Index(s.src[s.pos:], stop)
	if i < 0 {
		s.waste -= len(s.src) - s.pos
		return false
	}
	end := s.pos + i + len(stop)
	if m[1] == "script" || m[1] == "style" {
		s.skip(end)
		return true
	}
	if s.mdx && strings.Contains(s.src[s.pos:end], "{`") {
		return false
	}
	s.copy(end)
	return true
}

// esm passes over imports and exports, which may name the page.
func (s *stripper) esm() {
	end, ok := balance(s.src, s.pos, true)
	if !ok {
		s.waste -= len(s.src) - s.pos
		if end = strings.Index(s.src[s.pos:], "\n\n"); end < 0 {
			end = len(s.src) - s.pos
		}
		end += s.pos
	}
	text := s.src[s.pos:end]
	if strings.HasPrefix(text, "export") {
		for _, m := range esmField.FindAllStringSubmatch(text, 4) {
			value := plainJS(m[2] + m[3] + m[4])
			if m[1] == "title" {
				s.found.fill(front{title: value})
			} else {
				s.found.fill(front{description: value})
			}
		}
	}
	s.skip(end)
	s.put("")
	s.newline()
}

// inline reads the rest of a line, which begins after indent bytes of space.
func (s *stripper) inline(indent int) {
	first := true
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\n':
			s.newline()
			return
		case c == '\\' && s.pos+1 < len(s.src) && s.src[s.pos+1] != '\n':
			s.copy(s.pos + 2)
		case c == '`':
			s.copy(s.pos + s.span())
		case c == '<' && (s.comment() || s.invisible()):
			continue
		case c == '<' && s.element(first, indent):
			if s.cur.Len() > 0 && !blank(s.cur.String()) {
				first = false
			}
			continue
		case c == '{' && s.mdx && s.expression():
			continue
		default:
			i := strings.IndexAny(s.src[s.pos+1:], "\n\\`<{")
			if i < 0 {
				i = len(s.src) - s.pos - 1
			}
			if strings.Trim(s.src[s.pos:s.pos+1+i], " \t>*+-0123456789.)|#") != "" {
				first = false
			}
			s.copy(s.pos + 1 + i)
			continue
		}
		first = false
	}
}

// span returns the length of a code span, or of the ticks that open none.
func (s *stripper) span() int {
	rest := s.src[s.pos:]
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	if s.waste <= 0 {
		return n
	}
	limit := strings.Index(rest, "\n\n")
	if limit < 0 {
		limit = len(rest)
	}
	for i := n; i < limit; {
		j := strings.IndexByte(rest[i:limit], '`')
		if j < 0 {
			break
		}
		i += j
		k := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
		if k == n {
			return i + k
		}
		i += k
	}
	s.waste -= limit
	return n
}

func (s *stripper) comment() bool {
	if !strings.HasPrefix(s.src[s.pos:], "<!--") || s.waste <= 0 {
		return false
	}
	i := strings.Index(s.src[s.pos:], "-->")
	if i < 0 {
		s.waste -= len(s.src) - s.pos
		return false
	}
	s.skip(s.pos + i + 3)
	return true
}

// expression reads {…}: text where it is a string, code where it has lines.
func (s *stripper) expression() bool {
	end, ok := braces(s.src, s.pos, &s.waste)
	if !ok {
		return false
	}
	raw := s.src[s.pos:end]
	body := strings.TrimSpace(raw[1 : len(raw)-1])
	v, whole := literal(body)
	switch {
	case body == "" || strings.HasPrefix(body, "/*") && strings.HasSuffix(body, "*/") || strings.HasPrefix(body, "//"):
	case whole && v.kind == jsString && !strings.Contains(v.text, "\n"):
		s.put(v.text)
	case whole && v.kind == jsString:
		s.fenced(s.lang(), "", v.text)
	case body[0] == '<':
		s.put(words(body))
	case strings.HasPrefix(raw, "{#") || strings.HasPrefix(raw, "{.") || strings.HasPrefix(raw, "{:"):
		s.copy(end)
		return true
	case !strings.Contains(raw, "\n"):
		s.copy(end)
		return true
	default:
		if rows, ok := tableRows(body); ok {
			s.table(rows)
			break
		}
		s.fenced("jsx", "", raw)
	}
	s.skip(end)
	return true
}

func (s *stripper) lang() string {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if s.frames[i].lang != "" {
			return s.frames[i].lang
		}
	}
	return ""
}

// fenced writes code as a block.
func (s *stripper) fenced(lang, title, code string) {
	code = strings.Trim(code, "\n")
	lines := strings.Split(code, "\n")
	least := maxIndent
	for _, l := range lines {
		if !blank(l) {
			least = min(least, indentOf(l))
		}
	}
	indent := ""
	if blank(s.cur.String()) {
		indent = s.cur.String()
	}
	mark := longer(lines)
	if title != "" {
		title = ` title="` + strings.NewReplacer(`"`, "'", "\n", " ", "`", "'").Replace(title) + `"`
	}
	s.put("\n\n" + indent + mark + lang + title + "\n")
	for _, l := range lines {
		s.put(indent + dedent(l, least) + "\n")
	}
	s.put(indent + mark + "\n\n" + indent)
}

func (s *stripper) table(rows []string) {
	s.put("\n\n" + longer(rows) + tableMark + "\n" + strings.Join(rows, "\n") + "\n" + longer(rows) + "\n\n")
}
