package library

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// maxChars is how long a snippet becomes, in characters. Only one that is a single
// block of code may be longer.
const maxChars = 1500

// maxReference is the same of an entry of an API reference: one that is cut says in its
// second part what it is about nowhere but in its title.
const maxReference = 4000

// small is the length of a section that is joined to the one beside it.
const small = 250

// What is longer was not written by people for people. Code is omitted, of the
// others the end.
const (
	maxCode   = 2 << 20 // bytes
	maxLang   = 64
	maxAnchor = 1 << 10
)

// cut makes snippets of a page by its sections of level 2 and 3, by those of level 4 where these are too long, and by those whose
// heading is a name. A block of code is never cut, but one of more than 2 MiB omitted; prose and tables are where they must be,
// tables between rows, of which each part has the first. path is the page's own, url its address, or "". It returns how many
// sections were left out, too, since they are unfilled.
func cut(p markup.Page, path, url string) (out []Snippet, left int) {
	all := sections(p, path)
	n := len(all)
	all = slices.DeleteFunc(all, unfilled)
	for _, s := range join(joinFourth(all)) {
		for _, pieces := range pack(s.pieces, maxChars) {
			out = append(out, s.snippet(pieces, path, url))
		}
	}
	return out, n - len(all)
}

// unfilled reports whether a section says nothing but which files should be in it, which are not there.
func unfilled(s section) bool {
	absent := false
	for i := range s.pieces {
		for line := range strings.SplitSeq(s.pieces[i].text, "\n") {
			switch line = strings.TrimSpace(line); {
			case strings.HasPrefix(line, "(not included: ") && strings.HasSuffix(line, ")"):
				absent = true
			case line != "" && !strings.HasPrefix(line, "#"):
				return false
			}
		}
	}
	return absent
}

// reference makes a snippet of each entry, or several of one that says very much.
func reference(entries []apidoc.Entry, path, url string) (out []Snippet) {
	for i := range entries {
		e := &entries[i]
		s := section{line: e.Line}
		for _, words := range e.Trail {
			s.trail = append(s.trail, titleOf(clean(words)))
		}
		for j := range e.Blocks {
			b := e.Blocks[j]
			b.Text, b.Lang = clean(b.Text), clean(b.Lang)
			s.pieces = append(s.pieces, piecesOf(&b)...)
		}
		for _, pieces := range pack(s.pieces, maxReference) {
			one := s.snippet(pieces, path, url)
			one.Line = e.Line
			out = append(out, one)
		}
	}
	return out
}

// A piece is what a snippet is put together from. It is Markdown.
type piece struct {
	text string
	code bool
	lang string
	line int
	size int // in characters
}

func newPiece(text string, line int) piece {
	return piece{text: text, line: line, size: utf8.RuneCountInString(text)}
}

// A section is what stands under one heading.
type section struct {
	trail  []string // the headings, from the page's own to this one
	levels []int    // of those after the first
	level  int
	anchor string
	line   int
	pieces []piece
	size   int
}

// sections returns the sections of a page that are not empty.
func sections(p markup.Page, path string) []section {
	title := cmp.Or(titleOf(clean(p.Title)), nameOf(path))
	var out []section
	isLog := IsChangelog(path)
	s := section{trail: []string{title}, level: 1}
	end := func() {
		if len(s.pieces) > 0 {
			out = append(out, s)
		}
	}
	for i := range p.Blocks {
		b := p.Blocks[i]
		b.Text, b.Lang, b.Anchor = clean(b.Text), clean(b.Lang), clean(b.Anchor)
		b.Lang, b.Anchor = b.Lang[:byteOf(b.Lang, maxLang)], b.Anchor[:byteOf(b.Anchor, maxAnchor)]
		if b.Kind == markup.Heading && isSection(&b, isLog) {
			end()
			s = s.next(&b, title)
			continue
		}
		for _, pc := range piecesOf(&b) {
			s.pieces = append(s.pieces, pc)
			s.size += pc.size + 2
		}
	}
	end()
	return out
}

// isSection reports whether a heading begins a section. In a list of changes those of versions do: "Fixed" alone says nothing.
func isSection(heading *markup.Block, isLog bool) bool {
	if isLog && heading.Level > 1 {
		return version.MatchString(heading.Text)
	}
	return heading.Level <= 4 || names(heading.Text)
}

// version is what the heading of a version has, or of what comes next.
var version = lazy.Regexp(`(?i)\d\.\d|\d{4}-\d\d|\bv?\d+$|unreleased`)

// names reports whether a heading is a name of the code and not words on it: ".addAll(fns, options?)",
// "`--watch`", "queue.size", "`Result.map` (method)". What stands under it is an entry of an API, however deep.
func names(heading string) bool {
	if m := codeHead.FindStringSubmatch(heading); m != nil {
		return apiName.MatchString(m[1])
	}
	return apiName.MatchString(heading) && !word.MatchString(heading)
}

var (
	codeHead = lazy.Regexp("^[*_]*`([^`]+)`[*_]*(?: ?\\([^()]*\\))?$")
	apiName  = lazy.Regexp(`^(?:new )?(?:[.#@$]|--?)?[A-Za-z_]\w*(?:(?:[.#:]|::|->|-)[A-Za-z_]\w*)*(?:[?!]|\(.*\))?$`)
	// word is what may be a word of English: "Deep", "read-only", "Why?", "FAQ".
	word = lazy.Regexp(`^(?:[A-Z]?[a-z]+(?:-[A-Za-z]+)*|[A-Z]+s?)[?!]?$`)
)

// clean returns s as a database holds it: valid, and without NUL.
func clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// next returns the section that heading b begins after s.
func (s *section) next(b *markup.Block, title string) section {
	n := section{level: b.Level, anchor: b.Anchor, line: b.Line}
	words := titleOf(b.Text)
	// A page may skip a level: what stands beside each other has the same headings around it.
	keep := 0
	for keep < len(s.levels) && s.levels[keep] < b.Level {
		keep++
	}
	n.trail = append(n.trail, s.trail[:min(len(s.trail), 1+keep)]...)
	n.levels = append(n.levels, s.levels[:keep]...)
	switch {
	case words == "":
	case b.Level <= 1:
		// A page of several top headings: each stands beside the page's title.
		n.trail, n.levels = n.trail[:0], nil
		if words != title {
			n.trail, n.levels = append(n.trail, title), []int{1}
		}
		n.trail = append(n.trail, words)
	default:
		n.trail, n.levels = append(n.trail, words), append(n.levels, b.Level)
	}
	if len(n.trail) == 0 {
		n.trail = []string{title}
	}
	return n
}

// titleOf returns the words of a heading, of one that is no heading the first.
func titleOf(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return s[:byteOf(s, 200)]
}

// nameOf returns a title for a page without one: "getting-started.md" is
// "getting started", and "routing/index.md" is "routing".
func nameOf(path string) string {
	name := func(path string) string {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if i := strings.IndexByte(base, '.'); i > 0 {
			base = base[:i]
		}
		return titleOf(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' {
				return ' '
			}
			return r
		}, base))
	}
	own := name(path)
	if i := strings.LastIndexByte(path, '/'); i > 0 && (own == "index" || own == "README") {
		own = cmp.Or(name(path[:i]), own)
	}
	return cmp.Or(own, "untitled")
}

func piecesOf(b *markup.Block) []piece {
	switch b.Kind {
	case markup.Heading:
		if words := strings.Join(strings.Fields(b.Text), " "); words != "" {
			return splitProse(strings.Repeat("#", min(max(b.Level, 4), 6))+" "+words, b.Line, maxChars)
		}
	case markup.Code:
		if code := unmarked(b.Text); strings.TrimSpace(code) != "" && len(code) <= maxCode {
			lang := b.Lang
			if lang == "" {
				lang = guess(code)
			}
			pc := newPiece(fenced(lang, code), b.Line)
			pc.code, pc.lang = true, lang
			return []piece{pc}
		}
	case markup.Table:
		return tablePieces(strings.Trim(b.Text, "\n"), b.Line)
	default:
		if t := strings.TrimSpace(b.Text); t != "" {
			return splitProse(quoteFences(nameLink.ReplaceAllString(t, "$1$2$3")), b.Line, maxChars)
		}
	}
	return nil
}

// nameLink is a link of rustdoc to a declaration by its name alone, which no reader sees in brackets.
var nameLink = lazy.Regexp("(^|[\\s(])\\[(`[^`\n]+`)\\]([\\s.,;:!?)]|$)")

// quoteFences keeps a paragraph from opening a block of code.
func quoteFences(t string) string {
	if !strings.Contains(t, "```") {
		return t
	}
	lines := strings.Split(t, "\n")
	for i, l := range lines {
		if fenceOf(l) != "" {
			lines[i] = " " + l
		}
	}
	return strings.Join(lines, "\n")
}

// tablePieces cuts a table that is too long between rows.
func tablePieces(t string, line int) []piece {
	if strings.TrimSpace(t) == "" {
		return nil
	}
	t = quoteFences(t)
	if utf8.RuneCountInString(t) <= maxChars {
		return []piece{newPiece(t, line)}
	}
	head, rest, _ := strings.Cut(t, "\n")
	if utf8.RuneCountInString(head) > maxChars/3 {
		return splitProse(t, line, maxChars)
	}
	var out []piece
	part, size, at := head, utf8.RuneCountInString(head), line
	room := maxChars - size - 1
	for i, row := range strings.Split(rest, "\n") {
		for _, r := range splitProse(row, line+1+i, room) {
			if part != head && size+1+r.size > maxChars {
				out = append(out, newPiece(part, at))
				part, size, at = head, utf8.RuneCountInString(head), r.line
			}
			part += "\n" + r.text
			size += 1 + r.size
		}
	}
	return append(out, newPiece(part, at))
}

// splitProse cuts a text of more than limit characters at the best place there
// is: between paragraphs, lines, sentences, words, or where it must.
func splitProse(t string, line, limit int) []piece {
	var out []piece
	for t != "" {
		end := byteOf(t, limit)
		if end < len(t) {
			end = seam(t, end)
		}
		part := t[:end]
		if s := strings.TrimRight(part, " \t\n"); s != "" {
			out = append(out, newPiece(s, line))
		}
		line += strings.Count(part, "\n")
		rest := strings.TrimLeft(t[end:], "\n")
		line += len(t[end:]) - len(rest)
		t = rest
	}
	return out
}

// byteOf returns where the first n characters of t end.
func byteOf(t string, n int) int {
	if len(t) <= n {
		return len(t)
	}
	for i := range t {
		if n == 0 {
			return i
		}
		n--
	}
	return len(t)
}

// seam returns where to cut t, at end or before it.
func seam(t string, end int) int {
	for _, mark := range []string{"\n\n", "\n", ". ", " "} {
		if i := strings.LastIndex(t[:end], mark); i > end/3 {
			return i + len(mark)
		}
	}
	return end
}

// joinFourth puts the sections of the fourth level into the section that they are in, where it is no longer than a snippet with all of
// them: a section that is cut says at each part what the part is about.
func joinFourth(in []section) (out []section) {
	for i := 0; i < len(in); {
		s, size, end := in[i], in[i].size, i+1
		for ; end < len(in) && in[end].isFourth() && s.level < 4; end++ {
			size += in[end].size + len(in[end].trail[len(in[end].trail)-1]) + len("#### \n\n\n\n")
		}
		if size > maxChars {
			end = i + 1
		}
		for _, sub := range in[i+1 : end] {
			s.add(&sub)
		}
		out, i = append(out, s), end
	}
	return out
}

// isFourth reports whether a section stands under a heading of the fourth level that is no name.
func (s *section) isFourth() bool { return s.level == 4 && !names(s.trail[len(s.trail)-1]) }

// add puts another section with its heading behind a section.
func (s *section) add(sub *section) {
	head := sub.heading()
	s.pieces = append(append(s.pieces[:len(s.pieces):len(s.pieces)], head), sub.pieces...)
	s.size += sub.size + head.size + 2
}

// heading returns the heading of a section as a part of another.
func (s *section) heading() piece {
	return newPiece(strings.Repeat("#", min(max(s.level+1, 4), 6))+" "+s.trail[len(s.trail)-1], s.line)
}

// isKinOf reports whether a section stands beside another, under the same headings, or below it.
func (s *section) isKinOf(o *section) bool {
	above, depth := s.trail[:len(s.trail)-1], len(o.trail)
	isBelow := len(above) >= depth && slices.Equal(above[:depth], o.trail)
	return s.level >= o.level && (isBelow || slices.Equal(above, o.trail[:depth-1]))
}

// isSymbol reports whether a section is that of a symbol, whose address is its name.
func (s *section) isSymbol() bool {
	return s.level > 4 && s.anchor != "" && strings.HasSuffix(s.anchor, member(s.trail[len(s.trail)-1]))
}

// join puts a small section and the one before it together where both fit.
func join(in []section) []section {
	var out []section
	for _, s := range in {
		if len(out) > 0 {
			last := &out[len(out)-1]
			// A section joins those of its own parent and the parent itself, never what
			// stands above it on another branch.
			if s.isKinOf(last) && !s.isSymbol() && min(last.size, s.size) < small && last.size+s.size+s.heading().size+2 <= maxChars {
				last.add(&s)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// pack deals the pieces of a section out to snippets, in their order.
func pack(pieces []piece, limit int) [][]piece {
	var out [][]piece
	var now []piece
	size := 0
	for _, p := range pieces {
		if len(now) > 0 && size+2+p.size > limit {
			var carry []piece
			// What introduces code goes with it, and a heading with what it is over.
			if last := now[len(now)-1]; len(now) > 1 && !last.code && last.size+2+p.size <= limit &&
				(p.code && last.size < 400 || strings.HasPrefix(last.text, "####")) {
				now, carry = now[:len(now)-1], []piece{last}
			}
			if len(now) == 1 && p.code && labels(now[0].text) {
				now, size = append(now, p), size+2+p.size // a label alone says nothing
				continue
			}
			out = append(out, now)
			now, size = carry, 0
			for _, c := range carry {
				size += c.size
			}
		}
		if len(now) > 0 {
			size += 2
		}
		now = append(now, p)
		size += p.size
	}
	if len(now) > 0 {
		out = append(out, now)
	}
	return out
}

// labels reports whether a text says no more than what the code after it is.
func labels(t string) bool {
	const most = 60
	return len(t) < most && strings.HasSuffix(t, ":") && !strings.Contains(t, "\n")
}

func (s *section) snippet(pieces []piece, path, url string) Snippet {
	out := Snippet{Title: s.trail[len(s.trail)-1], Breadcrumb: strings.Join(s.trail, " > "), Path: path, Line: pieces[0].line}
	if s.line > 0 && len(s.pieces) > 0 && pieces[0].line == s.pieces[0].line {
		out.Line = s.line
	}
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
		out.Language = cmp.Or(out.Language, p.lang)
	}
	out.Content = strings.Join(texts, "\n\n")
	out.Tokens = tokensOf(out.Content)
	url = cmp.Or(url, path)
	switch {
	case s.anchor != "":
		url += "#" + s.anchor
	case out.Line > 1:
		url += "#L" + strconv.Itoa(out.Line)
	}
	out.URL = url
	return out
}
