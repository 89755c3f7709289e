package main

import (
	"path"
	"regexp"
	"strings"
)

const (
	minSection = 120 // bytes
	maxLevels  = 6
)

// A section is a heading with the text below it, up to the next heading.
type section struct {
	level int
	title string
	body  string
}

// prose makes pairs of a document: headings and sections, questions and answers,
// first sentences and what follows.
func (x *extractor) prose(rel, language, text string) {
	if strings.Contains(strings.ToLower(rel), "/test") || len(text) < 200 {
		return
	}
	var all []section
	switch language {
	case "markdown":
		all = markdown(text)
	case "rst":
		all = underlined(text)
	case "asciidoc":
		all = asciidoc(text)
	case "html":
		all = htmlSections(text)
	default:
		if all = underlined(text); len(all) < 2 {
			all = nil
		}
	}
	group := x.group(rel) + "/" + path.Base(rel)
	if len(all) < 4 {
		group = x.group(rel)
	}
	var above [maxLevels + 1]string
	for _, s := range all {
		s.level = min(max(s.level, 1), maxLevels)
		s.title = strings.Trim(plain(s.title), " #*=¶:~-_")
		above[s.level] = s.title
		for i := s.level + 1; i <= maxLevels; i++ {
			above[i] = ""
		}
		x.section(s, above[1:s.level+1], group)
	}
}

var (
	asks     = regexp.MustCompile(`(?i)^(how|what|why|when|where|which|who|can|could|is|are|does|do|should|may|will)\b.*\w`)
	number   = regexp.MustCompile(`^(§|chapter|section|appendix)?\s*[0-9A-Z]?[0-9]*(\.[0-9]+)*[.):]?\s+`)
	dull     = regexp.MustCompile(`(?i)^(table of contents|contents|index|licen[sc]e|copyright|contribut\w*|changelog|authors?|credits?|acknowledge?ments?|references|see also|bibliography|sponsors?|badges?|donat\w*|maintainers?|navigation|search|bugs?|reporting bugs|history|name|synopsis|v?[0-9. -]+)$`)
	sentence = regexp.MustCompile(`[.?!]["')]?\s+[A-Z"'(\x60]`)
)

func (x *extractor) section(s section, path []string, group string) {
	body := plain(s.body[:min(len(s.body), 4*maxText)])
	title := number.ReplaceAllString(s.title, "")
	if len(body) < minSection || !latin(body) || dull.MatchString(title) || unfit(title) || notice.MatchString(body[:min(len(body), 200)]) || !wordy(body) {
		return
	}
	p := pair{kind: "heading-section", lang: "text", group: group, text: body}
	if asks.MatchString(title) && len(words(title)) >= 3 && (strings.HasSuffix(s.title, "?") || strings.HasPrefix(strings.ToLower(title), "how ") || strings.Contains(strings.ToLower(title), "how to")) {
		p.kind, p.query = "question-answer", title
		x.emit(p)
		return
	}
	var q []string
	for _, h := range path {
		h = number.ReplaceAllString(h, "")
		if h != "" && (len(q) == 0 || q[len(q)-1] != h) {
			q = append(q, h)
		}
	}
	p.query = strings.Join(q[max(0, len(q)-3):], " ")
	n := len(words(p.query))
	headed := n >= 2 && n < 40 && latin(p.query)
	// Of one section one pair: two would be each other's negatives.
	if at := sentence.FindStringIndex(body); at != nil && at[0] > 30 && at[0] < maxQuery && len(body)-at[1] > 300 && (!headed || sum(body)%3 == 0) {
		if q := body[:at[0]+1]; q[0] != '-' && isQuery(q) {
			x.emit(pair{kind: "lead-rest", lang: "text", group: group, query: q, text: body[at[1]-1:]})
			return
		}
	}
	if headed {
		x.emit(p)
	}
}

// wordy reports whether a text is mostly words, not a table or a list of links.
func wordy(s string) bool {
	letters := 0
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			letters++
		}
	}
	return letters*100 > len(s)*55
}

var (
	atx       = regexp.MustCompile(`^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$`)
	fence     = regexp.MustCompile("^\\s*(```|~~~)")
	badge     = regexp.MustCompile(`\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|<!--.*?-->|^\[[^\]]+\]:\s.*$|\{#[^}]*\}`)
	underline = regexp.MustCompile(`^([=\-~^"'*+#` + "`" + `:._])(=+|-+|~+|\^+|"+|'+|\*+|\++|#+|` + "`+" + `|:+|\.+|_+)\s*$`)
)

func markdown(text string) []section {
	text = strings.TrimPrefix(text, "\ufeff")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if i := strings.Index(rest, "\n---"); i >= 0 {
			text = rest[i+4:]
		}
	}
	var out []section
	cur := section{level: 1}
	var body []string
	fenced := false
	end := func() {
		cur.body = strings.Join(body, "\n")
		if cur.title != "" {
			out = append(out, cur)
		}
		body = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if fence.MatchString(line) {
			fenced = !fenced
			continue
		}
		if !fenced {
			if m := atx.FindStringSubmatch(line); m != nil {
				end()
				cur = section{level: len(m[1]), title: badge.ReplaceAllString(m[2], "")}
				continue
			}
			if n := len(body); n > 0 && len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "") && strings.TrimSpace(body[n-1]) != "" && !strings.Contains(body[n-1], "|") {
				title := body[n-1]
				body = body[:n-1]
				end()
				cur = section{level: 1, title: title}
				if line[0] == '-' {
					cur.level = 2
				}
				continue
			}
			line = badge.ReplaceAllString(line, "")
		}
		body = append(body, line)
	}
	end()
	return out
}

// underlined reads reStructuredText and texts like it: headings are underlined,
// and the marks rank in the order in which they come.
func underlined(text string) []section {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	var out []section
	levels := map[byte]int{}
	cur, start := section{}, 0
	end := func(to int) {
		if cur.title != "" {
			cur.body = strings.Join(directives(lines[start:max(start, to)]), "\n")
			out = append(out, cur)
		}
	}
	for i := 1; i < len(lines); i++ {
		title := strings.TrimSpace(lines[i-1])
		if title == "" || len(title) > 120 || !underline.MatchString(lines[i]) || len(strings.TrimSpace(lines[i])) < len(title)*3/4 || len(strings.TrimSpace(lines[i])) < 3 || underline.MatchString(title) {
			continue
		}
		mark := lines[i][0]
		if levels[mark] == 0 {
			levels[mark] = len(levels) + 1
		}
		end(i - 1)
		cur, start = section{level: levels[mark], title: title}, i+1
	}
	end(len(lines))
	return out
}

var directive = regexp.MustCompile(`^\s*(\.\. |:\w[\w-]*:( |$))`)

// directives leaves out lines that are for the program that sets the text.
func directives(lines []string) []string {
	var out []string
	for _, l := range lines {
		if !directive.MatchString(l) && !underline.MatchString(l) {
			out = append(out, l)
		}
	}
	return out
}

var adocTitle = regexp.MustCompile(`^(={1,6})\s+(.+)$`)

func asciidoc(text string) []section {
	var out []section
	cur := section{}
	var body []string
	end := func() {
		if cur.title != "" {
			cur.body = strings.Join(body, "\n")
			out = append(out, cur)
		}
		body = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := adocTitle.FindStringSubmatch(line); m != nil {
			end()
			cur = section{level: len(m[1]), title: m[2]}
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") || strings.HasPrefix(line, ":") || strings.HasPrefix(line, "----") || strings.HasPrefix(line, "====") {
			continue
		}
		body = append(body, line)
	}
	end()
	return out
}
