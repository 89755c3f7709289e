package code

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/work"
)

// readsData are parts of the names of clients that hand their model the structured content
// of an answer alone, without its text; the others hand it the text, or both.
var readsData = []string{"claude-code", "claude code", "visual studio code", "vscode"}

// once keeps what a hit quotes in one of the two forms of an answer, because a model may
// be given both and pay for both: the text has the snippets and the data where they are
// or, for a client whose model sees the data alone, the other way round.
func (a *SearchAnswer) once(r *request, p work.Report) {
	if !r.in.References {
		return
	}
	if p.TextAlone {
		for i := range a.Hits {
			a.Hits[i].Snippet = ""
		}
		a.passages, a.terse = nil, true
		return
	}
	data := false
	for _, name := range readsData {
		data = data || strings.Contains(strings.ToLower(p.Client), name)
	}
	if a.passages != nil {
		a.onceDeep(data)
		return
	}
	for i := range a.Hits {
		h := &a.Hits[i]
		if !data {
			h.quote, h.Snippet = h.Snippet, ""
			continue
		}
		if !a.regex {
			h.narrow(a.full)
		}
	}
	a.terse = data
}

// narrow reduces a hit to the lines that a text would show.
func (h *SearchHit) narrow(full bool) {
	lines := strings.SplitAfter(h.Snippet, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	first, last := h.window(len(lines), full)
	if last-first == len(lines) || len(h.Snippet) != h.Span.ByteEnd-h.Span.ByteStart { // a hit with withheld lines has no place to refer to
		return
	}
	h.Span.ByteStart += len(strings.Join(lines[:first], ""))
	h.Snippet = strings.Join(lines[first:last], "")
	h.Span.ByteEnd = h.Span.ByteStart + len(h.Snippet)
	h.Span.LineStart += first
	h.Span.LineEnd = h.Span.LineStart + last - first - 1
	h.focus = 0
}

// onceDeep keeps the lines of the files in one of the two forms: in the text, or in the first hit of
// each file.
func (a *SearchAnswer) onceDeep(data bool) {
	for i := range a.Hits {
		a.Hits[i].Snippet = ""
	}
	if a.terse = data; !data {
		return
	}
	for _, p := range a.passages {
		if len(p.Kept) > 0 {
			p.hit.Text = p.texts(a.focus)
		}
	}
}
