package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A block is a piece of a document that may promise something.
type block struct {
	kind    Kind // Heading, Bullet, Checklist, Row or Prose
	text    string
	line    int
	section []string // the headings above it
	under   sense    // what those headings say of it
	header  []string // of a row: the table's
	cells   []string // of a row
	// away says that it begins with a link to somebody else's place, leads that it
	// begins with one to another page of the documents.
	away, leads bool
	step        bool     // it is an item of a numbered list
	lead        string   // of an item or of code: the paragraph that introduces it
	raw         []string // its lines as they are
	lang        string   // of code: what its fence says
}

var (
	atx     = lazy.Regexp(`^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$`)
	setext  = lazy.Regexp(`^(=+|-{3,}|~{3,}|\^{3,})\s*$`)
	item    = lazy.Regexp(`^\s*([-*+•]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?(.*)$`)
	fence   = lazy.Regexp("^\\s*(```+|~~~+)")
	divider = lazy.Regexp(`^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$`)
	comment = lazy.Regexp(`(?s)<!--.*?-->`)
	markup  = lazy.Regexp(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])|<[^>\s][^>]*>`)
	link    = lazy.Regexp(`\[((?:[^\[\]]|\[[^\[\]]*\])+)\](\([^)]*\)|\[[^\]]*\])`)
	anchor  = lazy.Regexp(`\s*\{#[\w.:-]+\}\s*$`)
	// Of the roles of reStructuredText these lead to other pages; the others are code.
	pointer  = lazy.Regexp("(?::\\w+)?:(?:ref|doc|term|numref|issue|pr|pull|pep|rfc|user|download):`~?!?([^`<]*?)\\s*(?:<[^`]*>)?`")
	others   = lazy.Regexp("\\[`?[\\w.-]+/[\\w.-]+`?\\]\\(\\s*<?https?://")
	begins   = lazy.Regexp(`^[\W_]*\[[^\]]+\]\(\s*<?https?://`)
	leads    = lazy.Regexp("^[\\W_]*\\[(`?)[^\\]]+\\]\\(\\s*<?(?:[^)\\s:]*\\.(?:md|mdx|rst|html?|txt|adoc)(?:#[^)\\s]*)?|#[^)\\s]*|\\.{0,2}/[\\w/.-]*)(?:\\s[^)]*)?>?\\)")
	away     = lazy.Regexp(`\[[^\]]+\]\(\s*<?https?://`)
	slanted  = lazy.Regexp(`(^|[\s(])_([^_\s][^_]*)_([\s).,;:]|$)`)
	emphasis = lazy.Regexp(`\*\*|__`)
)

// blocks cuts a document, Markdown or reStructuredText, along its lines.
func blocks(text string) []block {
	var r lineReader
	text = comment.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	r.places = placesOf(text)
	for i := prefaced(lines); i < len(lines); i++ {
		line := lines[i]
		switch m := fence.FindStringSubmatch(line); {
		case asciidoc(lines, i):
			r.flush()
			first, mark := i+1, strings.TrimSpace(line)
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != mark; i++ {
			}
			lang := ""
			if _, after, ok := strings.Cut(lines[max(0, first-2)], "[source,"); ok {
				lang = strings.Trim(after, "] ")
			}
			r.out = append(r.out, block{kind: Fenced, line: first + 1, section: r.path(), under: r.under, lead: r.lead, raw: lines[first:min(i, len(lines))], lang: lang})
			continue
		case imported.MatchString(line):
			r.flush()
			continue
		case m != nil:
			r.flush()
			first := i + 1
			for i++; i < len(lines) && !closes(lines[i], m[1]); i++ {
			}
			r.out = append(r.out, block{kind: Fenced, line: first + 1, section: r.path(), under: r.under, lead: r.lead, raw: lines[first:min(i, len(lines))], lang: strings.TrimLeft(strings.TrimSpace(lines[first-1]), "`~ ")})
			// User stories are often set as if they were code.
			if body := strings.Join(lines[first:min(i, len(lines))], " "); len(body) < 600 && asA.MatchString(body) {
				r.out = append(r.out, block{kind: Prose, text: clean(body), line: first + 1, section: r.path(), under: r.under})
			}
			continue
		case i+1 < len(lines) && strings.TrimSpace(line) != "" && line[0] != '[' && setext.MatchString(lines[i+1]) && !strings.Contains(line, "|") && !item.MatchString(line) && len(r.text) == 0:
			level := strings.IndexByte("=-~^", lines[i+1][0]) + 1
			r.heading(level, line, i+1)
			i++
			continue
		}
		if m := literal.FindStringSubmatch(line); m != nil && (m[2] != "" || strings.HasSuffix(strings.TrimSpace(line), "::")) {
			if end := r.literal(lines, i, m); end > i {
				i = end
				continue
			}
		}
		if m := atx.FindStringSubmatch(line); m != nil {
			r.heading(len(m[1]), m[2], i+1)
			continue
		}
		if strings.Contains(line, "|") && i+1 < len(lines) && divider.MatchString(lines[i+1]) && strings.Contains(lines[i+1], "|") {
			r.flush()
			header := cells(line)
			for i += 2; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
				r.out = append(r.out, block{kind: Row, raw: lines[i : i+1], away: away.MatchString(lines[i]), text: clean(strings.Trim(strings.TrimSpace(lines[i]), "|")), line: i + 1, section: r.path(), under: r.under, header: header, cells: cells(lines[i])})
			}
			i--
			continue
		}
		r.line(line, i+1)
	}
	r.flush()
	return r.out
}

// literal is what reStructuredText begins a block of code with: a directive, or a paragraph
// that ends with two colons.
var literal = lazy.Regexp(`^(\s*)(?:\.\. (code-block|sourcecode|code|prompt|parsed-literal)::\s*(\w*)|.*::\s*$)`)

// literal reads the indented block after a line, and returns its last line, or at where
// there is none.
func (r *lineReader) literal(lines []string, at int, m []string) int {
	end, first := at, 0
	for i := at + 1; i < len(lines); i++ {
		t := strings.TrimLeft(lines[i], " \t")
		if t == "" {
			continue
		}
		if len(lines[i])-len(t) <= len(m[1]) {
			break
		}
		if first == 0 && strings.HasPrefix(t, ":") && m[2] != "" {
			continue // an option of the directive
		}
		if first == 0 {
			first = i
		}
		end = i
	}
	if first == 0 {
		return at
	}
	if m[2] == "" {
		r.line(lines[at], at+1)
	}
	r.flush()
	r.out = append(r.out, block{kind: Fenced, line: first + 1, section: r.path(), under: r.under, lead: r.lead, raw: lines[first : end+1], lang: m[3]})
	return end
}

// imported is a line of MDX that is code.
var imported = lazy.Regexp(`^(?:import|export)\s.*(?:\sfrom\s+["']|\bconst\b)`)

var delimiter = lazy.Regexp(`^(?:-{4,}|\.{4,})\s*$`)

// asciidoc reports whether a line begins a delimited block of AsciiDoc: no line of text is
// before it that it could be under.
func asciidoc(lines []string, at int) bool {
	if !delimiter.MatchString(lines[at]) {
		return false
	}
	before := ""
	if at > 0 {
		before = strings.TrimSpace(lines[at-1])
	}
	if before != "" && before[0] != '[' && before[0] != '.' && before != "+" {
		return false
	}
	mark := strings.TrimSpace(lines[at])
	return (before != "" || mark[0] == '.') && slices.ContainsFunc(lines[at+1:min(len(lines), at+400)], func(l string) bool { return strings.TrimSpace(l) == mark })
}

// prefaced returns at which line a document begins behind the settings of its page.
func prefaced(lines []string) int {
	if len(lines) == 0 || strings.TrimRight(lines[0], " ") != "---" {
		return 0
	}
	for i := 1; i < min(len(lines), 100); i++ {
		if strings.TrimRight(lines[i], " ") == "---" {
			return i + 1
		}
	}
	return 0
}

// closes reports whether a line ends what a fence began: it says nothing more.
func closes(line, mark string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, mark) && strings.Trim(t, mark[:1]) == ""
}

// A lineReader is where in a document one is.
type lineReader struct {
	out   []block
	heads []string
	level []int
	kind  Kind
	text  []string
	raw   []string
	at    int
	under sense
	lead  string
	step  bool // the item is numbered
	away  bool // the heading is a link to somebody else's place
	// places are the names that the document gives to what is elsewhere.
	places map[string]bool
}

func (r *lineReader) path() []string { return append([]string(nil), r.heads...) }

func (r *lineReader) heading(level int, text string, line int) {
	r.flush()
	r.lead = ""
	for len(r.level) > 0 && r.level[len(r.level)-1] >= level {
		r.level, r.heads = r.level[:len(r.level)-1], r.heads[:len(r.heads)-1]
	}
	r.under = senseOf(r.heads)
	raw := text
	gone := begins.MatchString(text) || others.MatchString(text)
	text = clean(text)
	r.out = append(r.out, block{kind: Heading, raw: []string{raw}, text: text, line: line, section: r.path(), under: r.under, away: gone})
	r.away = gone
	r.level, r.heads = append(r.level, level), append(r.heads, text)
	r.under = senseOf(r.heads)
}

func (r *lineReader) line(line string, n int) {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		r.flush()
		return
	}
	if strings.HasPrefix(trimmed, ":::") {
		// An admonition: its title is the first that it says, its marks say nothing.
		r.flush()
		if _, title, ok := strings.Cut(trimmed, "["); ok {
			r.kind, r.at, r.raw, r.text = Prose, n, []string{line}, []string{strings.TrimRight(title, "]") + "."}
		}
		return
	}
	if m := item.FindStringSubmatch(line); m != nil {
		r.flush()
		r.kind, r.at, r.text, r.raw, r.step = Bullet, n, []string{m[3]}, []string{m[3]}, len(m[1]) > 1
		if m[2] != "" {
			r.kind = Checklist
		}
		return
	}
	if len(r.text) == 0 {
		// What is indented this far outside a list is code.
		if indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"); indented || strings.HasPrefix(trimmed, ".. ") || strings.HasPrefix(trimmed, ":") {
			if indented {
				r.out = append(r.out, block{kind: Fenced, line: n, section: r.path(), under: r.under, lead: r.lead, raw: []string{line}})
			}
			return
		}
		r.kind, r.at, r.raw = Prose, n, nil
	}
	r.raw = append(r.raw, line)
	r.text = append(r.text, strings.TrimPrefix(strings.TrimPrefix(trimmed, ">"), " "))
}

func (r *lineReader) flush() {
	if len(r.text) > 0 {
		whole := strings.Join(r.text, " ")
		if text := clean(whole); text != "" {
			b := block{kind: r.kind, text: text, raw: r.raw, line: r.at, section: r.path(), under: r.under, step: r.step, away: r.away || begins.MatchString(whole) || r.beginsElsewhere(whole) || others.MatchString(whole) || foreign(whole), leads: leads.MatchString(whole)}
			switch {
			case r.kind != Prose:
				b.lead = r.lead
			case strings.HasSuffix(strings.TrimRight(text, "*_ "), ":"):
				r.lead = text
			default:
				r.lead = ""
			}
			r.out = append(r.out, b)
		}
	}
	r.text, r.step = nil, false
}

// placesOf returns the names that a document gives to places of others: "[box]: https://box.dev".
func placesOf(text string) map[string]bool {
	var out map[string]bool
	if strings.Contains(text, "]: ") {
		for _, m := range placed.FindAllStringSubmatch(text, -1) {
			if out == nil {
				out = map[string]bool{}
			}
			out[strings.ToLower(m[1])] = true
		}
	}
	return out
}

var (
	placed   = lazy.Regexp(`(?m)^ {0,3}\[([^\]\n]+)\]:\s+<?https?://`)
	beginsAt = lazy.Regexp(`^[\W_]*\[([^\]]+)\](?:\[([^\]]*)\])?(?:[^(]|$)`)
)

// beginsElsewhere reports whether a text begins with a link to somebody else's place by its name.
func (r *lineReader) beginsElsewhere(s string) bool {
	m := beginsAt.FindStringSubmatch(s)
	return m != nil && r.places[strings.ToLower(cmp.Or(m[2], m[1]))]
}

// elsewhereOn are links to projects, where projects are kept.
var elsewhereOn = lazy.Regexp("\\[[^\\[\\]`]+\\]\\(\\s*<?https?://(?:www\\.)?(?:github\\.com|gitlab\\.com|bitbucket\\.org|codeberg\\.org|npmjs\\.com|npmjs\\.org|pypi\\.org|crates\\.io|rubygems\\.org|packagist\\.org)/[^)]*\\)")

// foreign reports whether a text says hardly more than which other project it is of.
func foreign(s string) bool {
	rest := elsewhereOn.ReplaceAllString(s, " ")
	return rest != s && len(contentOf(clean(rest))) <= 1
}

// clean removes from a text what is only its form; `code` and **strong** stay.
func clean(s string) string {
	s = pointer.ReplaceAllString(s, "$1")
	// What stands in code has no form of its own: "a[b][c]" is no link.
	var kept []string
	s = spans.ReplaceAllStringFunc(s, func(code string) string {
		if !strings.ContainsAny(code, "[<") || strings.Contains(code, "](") {
			return code
		}
		kept = append(kept, code)
		return "`\x01`"
	})
	s = anchor.ReplaceAllString(markup.ReplaceAllString(s, " "), "")
	s = link.ReplaceAllString(s, "$1")
	s = strings.ReplaceAll(s, "``", "`")
	s = slanted.ReplaceAllString(s, "$1$2$3")
	for _, code := range kept {
		s = strings.Replace(s, "`\x01`", code, 1)
	}
	return strings.Join(strings.Fields(s), " ")
}

// cells returns the cells of a row of a table.
func cells(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	out := strings.Split(line, "|")
	for i := range out {
		out[i] = clean(strings.ReplaceAll(out[i], "\x00", "|"))
	}
	return out
}
