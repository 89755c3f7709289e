// Package rst reads reStructuredText as Sphinx projects write it.
//
// Whatever the input, reading it ends, in time and space proportional to the input
// and to what opt answers, of which a page takes no more than a fixed sum. Text that
// is not understood stays as prose.
package rst

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

const (
	// maxDepth bounds how deep lists, quotations and directives lie in one another.
	maxDepth = 24
	// maxIncluded bounds the bytes that a page takes from other files and docstrings.
	maxIncluded = 1 << 20
	// maxIncludes bounds how deep files include one another.
	maxIncludes = 8
)

// A line is what stands on a line of the source, without tabs and trailing space.
type line struct {
	text string
	num  int
}

// A parser reads one page.
type parser struct {
	*flow.Flow
	opt    markup.Options
	styles []string // adornments of titles, in the order of their levels
	lang   string   // of code that does not say
	module string
	class  string // the class whose body this is
	desc   string

	subs          map[string]string // substitutions by name
	targets       map[string]bool   // names that a reference of this file may have
	labels        map[string]string // labels before titles, with their titles
	label         string            // a label before what comes next
	ids           map[string]bool   // anchors of titles
	includeBudget int               // bytes left to take from elsewhere
	substBudget   int               // bytes left for what substitutions add
	depth         int
	includes      int
	titles        bool   // a title may stand here
	docs          bool   // this is a docstring
	dir           string // folder of the included file, relative to the page's
}

// Parse reads a page. Lines of what it includes count as the line that includes it.
func Parse(src []byte, opt markup.Options) markup.Page {
	p := &parser{
		Flow: &flow.Flow{}, opt: opt, includeBudget: maxIncluded, substBudget: len(src) + 1024, titles: true,
		subs: map[string]string{}, targets: map[string]bool{}, labels: map[string]string{}, ids: map[string]bool{},
	}
	lines := split(string(src), 0)
	p.survey(lines)
	p.body(dropMeta(lines))
	page := p.Page()
	page.Description = p.desc
	return page
}

// split cuts text into lines. Their numbers count from one, or are all num.
func split(src string, num int) []line {
	return flow.Split(src, num, func(text string, num int) line { return line{expand(text), num} })
}

// expand puts spaces for tabs, with stops at every eighth column.
func expand(s string) string {
	if !strings.ContainsAny(s, "\t\f\v\r\x00") {
		return s
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch r {
		case '\t':
			for n := 8 - col%8; n > 0; n-- {
				b.WriteByte(' ')
				col++
			}
		case '\f', '\v', '\r', 0:
			b.WriteByte(' ')
			col++
		default:
			b.WriteRune(r)
			col++
		}
	}
	return b.String()
}

// metadata are fields at the top of a file that are for Sphinx, not for a reader.
var metadata = map[string]bool{"orphan": true, "tocdepth": true, "nocomments": true, "nosearch": true, "no-search": true, "no-toc": true,
	"html_theme.sidebar_secondary.remove": true, "html_theme.sidebar_primary.remove": true, "github_url": true, "full-width": true,
	"hide-toc": true, "notoc": true, "layout": true}

// dropMeta cuts the fields for Sphinx off the top of a file.
func dropMeta(lines []line) []line {
	for i, l := range lines {
		if l.text == "" {
			continue
		}
		name, _, ok := field(l.text)
		if !ok || !metadata[name] {
			return lines[i:]
		}
	}
	return nil
}

// survey notes what may be referred to from anywhere in a file.
func (p *parser) survey(lines []line) {
	for i, l := range lines {
		text := strings.TrimLeft(l.text, " ")
		switch {
		case strings.HasPrefix(text, ".. |"):
			p.surveySub(lines, i, text[4:])
		case strings.HasPrefix(text, ".. _"):
			name, _, ok := target(text[4:])
			if !ok {
				continue
			}
			p.targets[refName(name)] = true
			if title := titleAfter(lines, i); title != "" {
				p.labels[refName(name)] = title
			}
		case strings.HasPrefix(text, "__ "), strings.HasPrefix(text, ".. __:"):
			p.targets["_"] = true
		case i > 0 && adorned(text) && lines[i-1].text != "" && len(lines[i-1].text) < 200:
			p.targets[refName(lines[i-1].text)] = true
		}
	}
}

// surveySub notes the substitution that line i defines. What comes after its
// first bar is rest.
func (p *parser) surveySub(lines []line, i int, rest string) {
	name, def, ok := strings.Cut(rest, "|")
	if !ok || name == "" || len(name) > 100 {
		return
	}
	kind, value, ok := strings.Cut(strings.TrimSpace(def), "::")
	if !ok {
		return
	}
	more := lines[i+1:]
	switch kind {
	case "replace":
		words := []string{strings.TrimSpace(value)}
		for j := 0; j < len(more) && j < 20 && indent(more[j].text) > indent(lines[i].text) && more[j].text != ""; j++ {
			words = append(words, strings.TrimSpace(more[j].text))
		}
		p.subs[refName(name)] = strings.TrimSpace(strings.Join(words, " "))
	case "unicode":
		p.subs[refName(name)] = unicodeText(value)
	case "image":
		alt := ""
		for j := 0; j < len(more) && j < 8 && indent(more[j].text) > 0; j++ {
			if key, v, ok := field(strings.TrimSpace(more[j].text)); ok && key == "alt" {
				alt = v
			}
		}
		p.subs[refName(name)] = alt
	}
}

// titleAfter returns the title that follows the label on line i, or "".
func titleAfter(lines []line, i int) string {
	for j := i + 1; j < len(lines) && j < i+12; j++ {
		text := lines[j].text
		switch {
		case text == "" || strings.HasPrefix(text, ".. _") || strings.HasPrefix(text, ".. index::"):
		case text[0] == ' ':
			return ""
		case adorned(text) && j+1 < len(lines):
			return strings.TrimSpace(lines[j+1].text)
		case j+1 < len(lines) && adorned(lines[j+1].text):
			return text
		default:
			return ""
		}
	}
	return ""
}

// indent returns the number of leading spaces.
func indent(s string) int {
	return len(s) - len(strings.TrimLeft(s, " "))
}

// dedent returns lines without their first n columns, or what of those is space.
func dedent(lines []line, n int) []line {
	return slice.Map(lines, func(l line) line { return line{l.text[min(n, indent(l.text)):], l.num} })
}

// flush left: dedent by what all lines have in common.
func flushLeft(lines []line) []line {
	least := -1
	for _, l := range lines {
		if n := indent(l.text); l.text != "" && (least < 0 || n < least) {
			least = n
		}
	}
	if least <= 0 {
		return lines
	}
	return dedent(lines, least)
}

// trim drops blank lines at both ends.
func trim(lines []line) []line {
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// join returns the text of lines with a line feed between them.
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

// words returns the text of lines with a space between them.
func words(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		if text := strings.TrimSpace(l.text); text != "" {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// code adds lines as code that begins on line num, or on the first of them.
func (p *parser) code(lines []line, lang string, num int) {
	lines = trim(lines)
	if len(lines) == 0 {
		return
	}
	if num == 0 {
		num = lines[0].num
	}
	p.Add(markup.Block{Kind: markup.Code, Text: join(flushLeft(lines)), Lang: lang, Line: num})
}
