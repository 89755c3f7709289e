package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// A matchLine is one line of the text of a pattern's hits.
type matchLine struct {
	number  int
	text    string
	matches bool
}

// writeMatches writes the hits of a pattern as grep does: each line once, however many hits it is beside,
// and a line of dashes between stretches where lines around the hits are shown.
func (a *SearchAnswer) writeMatches(b *render.Answer, colour bool) {
	for i := 0; i < len(a.Hits); {
		end := i + 1
		for end < len(a.Hits) && a.Hits[end].shown == a.Hits[i].shown && a.Hits[end].Repo == a.Hits[i].Repo {
			end++
		}
		a.writeFileMatches(b, a.Hits[i:end], colour)
		i = end
	}
}

// writeFileMatches writes the hits of one file, which are in order of lines.
func (a *SearchAnswer) writeFileMatches(b *render.Answer, hits []SearchHit, colour bool) {
	var lines []matchLine
	context := false
	for i := range hits {
		h := &hits[i]
		if a.terse || h.text() == "" {
			bare := *h
			bare.Snippet, bare.quote = "", ""
			bare.writeMatch(b, false, colour)
			continue
		}
		shown := h.lines(h.Span.LineStart-h.focus, colour)
		h.shortenLines(shown)
		context = context || len(shown) > 1
		for j, line := range shown {
			n := h.Span.LineStart - h.focus + j
			lines = append(lines, matchLine{n, line, n >= h.Span.LineStart && n <= h.Span.LineEnd})
		}
	}
	slices.SortStableFunc(lines, func(x, y matchLine) int {
		switch {
		case x.number != y.number:
			return x.number - y.number
		case x.matches == y.matches:
			return 0
		case x.matches:
			return -1
		}
		return 1
	})
	lines = slices.CompactFunc(lines, func(x, y matchLine) bool { return x.number == y.number })
	path := text.Painted(colour, cyan, text.Line(hits[0].shown))
	for i, l := range lines {
		if context && b.Len() > 0 && (i == 0 || lines[i-1].number < l.number-1) {
			b.WriteString("--\n")
		}
		sep := "-"
		if l.matches {
			sep = ":"
		}
		fmt.Fprintf(b, "%s%s%s%s%s\n", path, sep, text.Painted(colour, green, fmt.Sprint(l.number)), sep, l.text)
	}
}

// maxMatchLine is how many bytes of a line are shown: a file of one line is megabytes.
const maxMatchLine = 1000

// shortenLines puts what is around the first match in the place of each line that is too long.
func (h *SearchHit) shortenLines(shown []string) {
	at := 0
	for i, raw := range strings.Split(strings.TrimSuffix(h.text(), "\n"), "\n") {
		if len(raw) > maxMatchLine && i < len(shown) {
			from := 0
			for _, m := range h.found {
				if m.Start >= at && m.Start < at+len(raw) {
					from = max(0, min(m.Start-at-maxMatchLine/4, len(raw)-maxMatchLine))
					break
				}
			}
			shown[i] = text.Line(shortened(raw, from, from+maxMatchLine))
		}
		at += len(raw) + 1
	}
}

// shortened returns a part of a line, with a sign where there is more.
func shortened(line string, from, to int) string {
	part := strings.ToValidUTF8(line[from:min(to, len(line))], "")
	if from > 0 {
		part = "…" + part
	}
	if to < len(line) {
		part += "…"
	}
	return part
}
