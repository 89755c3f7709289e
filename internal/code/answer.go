package code

import (
	"fmt"
	"io"
	"slices"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Span is where a hit lies: bytes half-open, lines one-based and inclusive.
type Span struct {
	ByteStart int `json:"byte_start"`
	ByteEnd   int `json:"byte_end"`
	LineStart int `json:"line_start"`
	LineEnd   int `json:"line_end"`
}

// A SearchHit is one place in the code.
type SearchHit struct {
	Repo      string        `json:"repo,omitempty"` // its name, where several are asked
	Path      string        `json:"path"`           // absolute
	Span      Span          `json:"span"`
	Encoding  string        `json:"encoding,omitempty"` // where the file is not UTF-8: Span is of the text in UTF-8
	Language  string        `json:"language"`
	Symbol    string        `json:"symbol"`
	Snippet   string        `json:"snippet,omitempty"`   // none in references
	Score     float64       `json:"score"`               // 0..1
	Text      []HitText     `json:"text,omitempty"`      // what one would open the file for, within the budget, where a model reads the data
	CutLines  int           `json:"cut_lines,omitempty"` // omitted at the snippet's end by the budget
	ChunkHash string        `json:"chunk_hash"`
	Epoch     int64         `json:"index_epoch"`
	Explain   []rank.Signal `json:"explain,omitempty"`

	exact bool   // the query is its path, or names what it declares with its scope
	shown string // the path as people read it
	focus int    // the line of the snippet to show first, from 0
	quote string // of a reference: the snippet, for the text alone
	// found is what a pattern matched, as offsets of the snippet; nil where none was asked for,
	// or they are not known.
	found []corpus.Span
}

// A Pagination says how to go on.
type Pagination struct {
	Cursor    string `json:"cursor"`
	HasMore   bool   `json:"has_more"`
	Available int    `json:"total_available"`
}

// A SearchAnswer is the hits of a search, best first, or in the order of the tree for
// a pattern.
type SearchAnswer struct {
	Query      string      `json:"query"`
	Mode       string      `json:"mode"`
	Root       string      `json:"root"`
	Roots      []string    `json:"roots,omitempty"` // where it is more than one
	Repos      []string    `json:"repos,omitempty"` // their names, in the same order
	Hits       []SearchHit `json:"hits"`
	Pagination Pagination  `json:"pagination"`
	Degraded   string      `json:"degraded,omitempty"` // what evidence could not be had
	Stale      int         `json:"stale,omitempty"`    // changed files that the answer does not know
	Unwritten  string      `json:"index_not_written,omitempty"`
	corpus.Extent
	NotCovered *corpus.NotCovered `json:"not_covered,omitempty"` // where nothing was found
	Cut        int                `json:"cut,omitempty"`         // hits omitted by the budget
	Unmatched  bool               `json:"unmatched,omitempty"`   // none of the query's words is in the index: the hits are by meaning alone
	Missing    []string           `json:"missing,omitempty"`     // words of the query that no file has in any form
	Asked      *Asked             `json:"asked,omitempty"`       // where it is explained
	Notes      []string           `json:"notes,omitempty"`

	briefs   []brief       // what the text has instead of the hits
	passages []*hitPassage // what the text has instead of the hits, where a program reads it
	focus    func(line []byte) int
	goOn     string // the cursor after them
	behind   int    // how many hits that is
	files    bool
	regex    bool
	full     bool
	terse    bool // the data has the snippets, the text none
	at       moment
	fresh    bool // nothing had to be indexed for it
	below    bool // there were hits, all below the threshold
	judged   bool // whether it is weak, and what is missing, was asked
	stops    bool // the query has stop words alone
	weak     bool // none of the hits has the score of an answer, nor most of the words
}

// Untold returns the notes that the answer's text does not show, or its lines.
func (a *SearchAnswer) Untold(lines bool) []string {
	if !lines && !a.files || len(a.Hits) > 0 && a.Degraded == "" && a.Stale == 0 && a.Unwritten == "" && a.Cut == 0 && !a.Unmatched && !a.weak {
		return nil
	}
	return a.Notes
}

// lacking reports whether an answer has nothing to show and does not know the whole
// tree.
func (a *SearchAnswer) lacking() bool {
	return len(a.Hits) == 0 && a.Pagination.Available == 0 && !a.Complete
}

// Verdict is the error of an answer that is no answer yet.
func (a *SearchAnswer) Verdict() error {
	if !a.lacking() {
		return nil
	}
	return fault.New(fault.Stale, "%s", a.Lack())
}

const (
	textLines = 12 // of a snippet that people are shown at once
	fewLines  = 3  // that are shown rather than counted, because the notice about them would cost as much
)

// WriteText writes the answer as people and models read it.
func (a *SearchAnswer) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	first := a.firstNote()
	if !a.files {
		a.Asked.write(&b)
		if first != "" {
			b.Note("%s", first)
		}
	}
	if len(a.briefs) > 0 && !a.files {
		a.writeBriefs(&b, colour)
	} else if a.passages != nil && !a.terse {
		a.writePassages(&b, colour)
	} else if a.regex && !a.files {
		a.writeMatches(&b, colour)
	} else {
		for i := range a.Hits {
			a.writeHit(&b, &a.Hits[i], i, colour)
		}
	}
	if !a.files {
		for _, n := range a.Notes {
			if n != first {
				b.Note("%s", n)
			}
		}
	}
	return b.End()
}

// firstNote returns the note that stands before the hits, because it is of every one of them, or "".
func (a *SearchAnswer) firstNote() string {
	switch {
	case len(a.Hits) == 0:
		return ""
	case a.Unmatched:
		return noWords + byMeaning
	case a.stops:
		return onlyStops
	}
	return a.Lack()
}

// writeHit writes hit i as the text of the answer has it.
func (a *SearchAnswer) writeHit(b *render.Answer, h *SearchHit, i int, colour bool) {
	if a.terse {
		bare := *h
		bare.Snippet, bare.quote = "", ""
		h = &bare
	}
	switch {
	case a.files:
		before := a.Hits[:i]
		if a.regex { // hits of a file follow each other, and are many
			before = before[max(0, i-1):]
		}
		if !slices.ContainsFunc(before, func(x SearchHit) bool { return x.shown == h.shown }) {
			fmt.Fprintln(b, h.shown)
		}
	case a.regex:
		h.writeMatch(b, i > 0, colour)
	default:
		if i > 0 && (h.text() != "" || !a.terse && a.Hits[i-1].text() != "") {
			b.WriteByte('\n')
		}
		h.write(b, colour, a.full)
	}
}

// heading is the line that says where a hit is, what it is and how it scores.
func (h *SearchHit) heading(colour bool) string {
	s := fmt.Sprintf("%s:%d-%d", text.Painted(colour, bold+cyan, text.Line(h.shown)), h.Span.LineStart, h.Span.LineEnd)
	if h.Symbol != "" {
		s += "  " + text.Painted(colour, green, text.Line(h.Symbol))
	}
	s += fmt.Sprintf("  %.3f", h.Score)
	if h.Repo != "" {
		s += fmt.Sprintf("  [%s]", text.Line(h.Repo))
	}
	return s
}

func (h *SearchHit) write(b *render.Answer, colour, full bool) {
	b.WriteString(h.heading(colour) + "\n")
	b.WriteString(rank.Explanation(h.Explain))
	if h.text() == "" {
		return
	}
	lines := h.lines(h.Span.LineStart, colour)
	first, last := h.window(len(lines), full)
	if first > 0 {
		fmt.Fprintln(b, text.Painted(colour, faint, text.Counted("%6s  … %d line{s} above", "", first)))
	}
	for i, line := range lines[first:last] {
		fmt.Fprintf(b, "%s  %s\n", text.Painted(colour, faint, fmt.Sprintf("%6d", h.Span.LineStart+first+i)), line)
	}
	if rest := len(lines) - last; rest > 0 {
		fmt.Fprintln(b, text.Painted(colour, faint, text.Counted("%6s  … %d line{s} below", "", rest)))
	}
	if h.CutLines > 0 {
		fmt.Fprintln(b, text.Painted(colour, faint, text.Counted("%6s  … %d line{s} omitted by the budget", "", h.CutLines)))
	}
}

// text returns the snippet, wherever it is kept.
func (h *SearchHit) text() string { return h.Snippet + h.quote }

// window returns which of n lines of a snippet are shown: [first, last).
func (h *SearchHit) window(n int, full bool) (first, last int) {
	if full || n <= textLines {
		return 0, n
	}
	first = max(0, min(h.focus-2, n-textLines))
	last = first + textLines
	if first <= fewLines {
		first = 0
	}
	if n-last <= fewLines {
		last = n
	}
	return first, last
}

// writeMatch writes lines as grep does: path:line:text, a dash for context.
func (h *SearchHit) writeMatch(b *render.Answer, more, colour bool) {
	if h.text() == "" {
		fmt.Fprintf(b, "%s:%s\n", text.Painted(colour, cyan, text.Line(h.shown)), text.Painted(colour, green, fmt.Sprint(h.Span.LineStart)))
		return
	}
	lines := h.lines(h.Span.LineStart-h.focus, colour)
	if len(lines) > 1 && more {
		b.WriteString("--\n")
	}
	for j, line := range lines {
		sep := ":"
		if j < h.focus || j > h.focus+h.Span.LineEnd-h.Span.LineStart {
			sep = "-"
		}
		n := h.Span.LineStart - h.focus + j
		fmt.Fprintf(b, "%s%s%s%s%s\n", text.Painted(colour, cyan, text.Line(h.shown)), sep, text.Painted(colour, green, fmt.Sprint(n)), sep, line)
	}
}

// Verbatim reports whether the text is data: names that a program is given are those of
// the files.
func (a *SearchAnswer) Verbatim(terminal bool) bool { return a.files && !terminal }

// WriteLines writes one hit a line.
func (a *SearchAnswer) WriteLines(w io.Writer) error { return codec.WriteLines(w, a.Hits) }

// Shown returns the path as people read it: relative to the working directory
// where it lies there.
func (h *SearchHit) Shown() string { return h.shown }
