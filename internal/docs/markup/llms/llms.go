// Package llms reads llms.txt (https://llmstxt.org): a title, a summary, and sections of
// links to pages that a model should read.
//
// Whatever the input, the page holds all of its text, and every link is quoted from it.
package llms

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

// A Link is a page that the file names.
type Link struct {
	Title    string
	URL      string // as written: an address, or a path
	Note     string // what the file says of it; "" where nothing
	Section  string // the heading that it stands below; "" above the first
	Optional bool   // it may be omitted: it stands below "Optional"
	Line     int    // one-based
}

var (
	item    = lazy.Regexp(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(.*)$`)
	link    = lazy.Regexp(`^[^\[\]]{0,80}?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:[ \t]+"[^"]*")?\)\**[ \t]*(.*)$`)
	bare    = lazy.Regexp(`^<?(https?://[^\s<>]+)>?[ \t]*(.*)$`)
	heading = lazy.Regexp(`^[ ]{0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	fence   = lazy.Regexp("^[ \t]*(```+|~~~+)")
)

// Parse reads a file: its page, and the links of its lists in their order.
func Parse(src []byte) (markup.Page, []Link) {
	page := markdown.Parse(src, markup.Options{})
	var links []Link
	section, open := "", ""
	var summary []string
	quoted := false // the line before is of the summary
	n := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.ToValidUTF8(string(src), "\uFFFD"), "\r\n", "\n"), "\n") {
		n++
		if m := fence.FindStringSubmatch(line); m != nil {
			switch {
			case open == "":
				open = m[1]
			case strings.HasPrefix(m[1], open) && strings.TrimSpace(line) == m[1]:
				open = ""
			}
			continue
		}
		if open != "" {
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			if len(m[1]) > 1 {
				section = m[2]
			}
			continue
		}
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok && section == "" && (quoted || summary == nil) {
			summary = append(summary, strings.TrimSpace(s))
			quoted = true
			continue
		}
		quoted = false
		m := item.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		l := Link{Section: section, Optional: strings.EqualFold(section, "optional"), Line: n}
		var note string
		if t := link.FindStringSubmatch(m[1]); t != nil {
			l.Title, l.URL, note = strings.ReplaceAll(t[1], `\`, ""), t[2], t[3]
		} else if t := bare.FindStringSubmatch(m[1]); t != nil {
			l.Title, l.URL, note = t[1], t[1], t[2]
		}
		if l.URL == "" || strings.HasPrefix(l.URL, "#") {
			continue
		}
		l.Note = strings.TrimSpace(strings.TrimLeft(note, ":-–— \t"))
		links = append(links, l)
	}
	if summary != nil {
		page.Description = strings.Join(summary, " ")
	}
	return page, links
}
