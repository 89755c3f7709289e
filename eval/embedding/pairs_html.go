package main

import (
	"html"
	"regexp"
	"strings"
)

var (
	htmlDrop  = regexp.MustCompile(`(?is)<(script|style|nav|head|header|footer|svg|form|select)\b.*?</(script|style|nav|head|header|footer|svg|form|select)\s*>|<!--.*?-->|<a [^>]*class="(headerlink|headeranchor|sourcelink|anchor)"[^>]*>.*?</a>`)
	htmlHead  = regexp.MustCompile(`(?is)<h([1-6])\b[^>]*>(.*?)</h[1-6]\s*>`)
	htmlBlock = regexp.MustCompile(`(?i)</?(p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|pre|br|section|article|blockquote)\b[^>]*>`)
	htmlTag   = regexp.MustCompile(`<[^>]{1,900}>`)
	pilcrow   = strings.NewReplacer("¶", "", "\u00a0", " ", "\u200b", "")
)

// htmlText returns the words of a piece of a page.
func htmlText(s string) string {
	s = htmlBlock.ReplaceAllString(s, "\n")
	s = htmlTag.ReplaceAllString(s, "")
	return pilcrow.Replace(html.UnescapeString(s))
}

// htmlSections reads the headings of a page and what follows them.
func htmlSections(text string) []section {
	text = htmlDrop.ReplaceAllString(text, " ")
	heads := htmlHead.FindAllStringSubmatchIndex(text, 2000)
	var out []section
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		end = min(end, h[1]+20_000)
		out = append(out, section{
			level: int(text[h[2]] - '0'),
			title: strings.Join(strings.Fields(htmlText(text[h[4]:h[5]])), " "),
			body:  htmlText(text[h[1]:end]),
		})
	}
	return out
}
