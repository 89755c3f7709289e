// Package excerpt chooses which lines of a source text are shown in place of all of it.
//
// Whatever is kept are whole lines of the text with their numbers, in order, each once; the lines
// between them are named by their range.
package excerpt

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A File is a source text with its lines and what it declares.
type File struct {
	Path  string
	Text  []byte
	Decls []corpus.Decl // in order of their starts; they nest

	starts []int // of the lines
}

// Read returns a text as a file, with the declarations that its language has.
func Read(path, language string, src []byte) *File {
	return New(path, src, syntax.Facts(path, language, src).Decls)
}

// New returns a text as a file, with its declarations.
func New(path string, src []byte, decls []corpus.Decl) *File {
	f := &File{Path: path, Text: src, Decls: decls}
	for at := 0; at < len(src); {
		f.starts = append(f.starts, at)
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return f
}

// Count returns how many lines the file has.
func (f *File) Count() int { return len(f.starts) }

// LineAt returns the line of an offset, from 1.
func (f *File) LineAt(at int) int { return max(1, sort.SearchInts(f.starts, at+1)) }

// Line returns a line without its end.
func (f *File) Line(n int) []byte {
	if n < 1 || n > len(f.starts) {
		return nil
	}
	end := len(f.Text)
	if n < len(f.starts) {
		end = f.starts[n]
	}
	return bytes.TrimRight(f.Text[f.starts[n-1]:end], "\r\n")
}

// Lines returns the lines of a span, without the empty ones at its end.
func (f *File) Lines(s corpus.Span) corpus.Range {
	end := min(s.End, len(f.Text))
	end = min(s.Start, end) + len(bytes.TrimRight(f.Text[min(s.Start, end):end], " \t\r\n"))
	return corpus.Range{First: f.LineAt(s.Start), Last: f.LineAt(max(s.Start, end-1))}
}

// Head returns the lines of a declaration from its name to where its body begins.
func (f *File) Head(d *corpus.Decl) corpus.Range {
	first := f.LineAt(d.NameAt)
	all := f.Lines(d.Span)
	last := min(f.LineAt(d.Body), all.Last)
	switch {
	case d.Body >= d.Span.End:
		last = all.Last
	case len(bytes.TrimSpace(f.Text[f.starts[last-1]:d.Body])) == 0: // a body on lines of its own
		last--
	}
	return corpus.Range{First: first, Last: max(first, min(last, first+maxHead))}
}

// maxHead is how many more lines a signature may have than one.
const maxHead = 8

// Around returns the index of the declaration that a line is shown with: the innermost that has it
// and is more than a variable of a function; -1 where there is none.
func (f *File) Around(line int) int {
	best := -1
	for i := range f.Decls {
		d := &f.Decls[i]
		if r := f.Lines(d.Span); line < r.First || line > r.Last || f.IsLocal(d) {
			continue
		}
		best = i
	}
	return best
}

// IsLocal reports whether a declaration is a part of a function, and read with it.
func (f *File) IsLocal(d *corpus.Decl) bool {
	if d.Kind == corpus.Section {
		return false
	}
	for p := d.Parent; p >= 0; p = f.Decls[p].Parent {
		if IsCallable(f.Decls[p].Kind) {
			return true
		}
	}
	return d.Traits&corpus.Local != 0
}

// IsCallable reports whether a kind of declaration has statements.
func IsCallable(k corpus.Kind) bool {
	return k == corpus.Function || k == corpus.Method || k == corpus.TestCase || k == corpus.Macro
}

// IsBodiless reports whether a declaration only repeats what is defined elsewhere, as a header does.
func (f *File) IsBodiless(d *corpus.Decl) bool { return IsCallable(d.Kind) && d.Body >= d.Span.End }

// Cost returns how many bytes the text of some lines takes, with what it says of those between them
// and of those of whole that are left out at its ends.
func (f *File) Cost(whole corpus.Range, kept []corpus.Range) int {
	n := 0
	for _, r := range kept {
		for i := r.First; i <= r.Last; i++ {
			n += numberWidth + min(len(f.Line(i)), maxLine+2*len("…")) + 1
		}
	}
	return n + gapBytes*len(Gaps(whole, kept))
}

const (
	numberWidth = 8
	gapBytes    = 24
	// maxLine is how many bytes of a line are shown.
	maxLine = 400
)

// Gaps returns the ranges of whole that are not kept.
func Gaps(whole corpus.Range, kept []corpus.Range) (out []corpus.Range) {
	at := whole.First
	for _, r := range kept {
		if r.First > at {
			out = append(out, corpus.Range{First: at, Last: r.First - 1})
		}
		at = max(at, r.Last+1)
	}
	if at <= whole.Last {
		out = append(out, corpus.Range{First: at, Last: whole.Last})
	}
	return out
}

// Join returns ranges in order, those that touch or overlap as one; and those as one between which
// there are at most so many lines.
func Join(ranges []corpus.Range, between int) (out []corpus.Range) {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b corpus.Range) int {
		if a.First != b.First {
			return a.First - b.First
		}
		return a.Last - b.Last
	})
	for _, r := range ranges {
		if n := len(out); n > 0 && r.First <= out[n-1].Last+1+between {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}

// CloseGaps returns ranges of lines as one where what is between them takes no more than to name it.
func (f *File) CloseGaps(kept []corpus.Range) (out []corpus.Range) {
	for _, r := range Join(kept, 0) {
		if n := len(out); n > 0 {
			between := corpus.Range{First: out[n-1].Last + 1, Last: r.First - 1}
			if f.Cost(between, []corpus.Range{between}) <= gapBytes {
				out[n-1].Last = r.Last
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// Without returns what is left of ranges where the lines of others are taken out.
func Without(ranges, others []corpus.Range) (out []corpus.Range) {
	for _, r := range ranges {
		var inside []corpus.Range
		for _, o := range Join(others, 0) {
			if o.Last >= r.First && o.First <= r.Last {
				inside = append(inside, corpus.Range{First: max(o.First, r.First), Last: min(o.Last, r.Last)})
			}
		}
		out = append(out, Gaps(r, inside)...)
	}
	return out
}

// Write writes kept lines with their numbers, and the ranges of whole between them with the names that are known
// of them. focus returns where to look in a line that is too long to be shown; nil: at its beginning.
func (f *File) Write(b io.Writer, whole corpus.Range, kept []corpus.Range, names map[corpus.Range]string, focus func(line []byte) int) {
	gaps := Gaps(whole, kept)
	gap := func(before int) {
		for len(gaps) > 0 && gaps[0].First < before {
			fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("%6s  %s  %s", "…", SayRange(gaps[0]), names[gaps[0]]), " "))
			gaps = gaps[1:]
		}
	}
	for _, r := range kept {
		gap(r.First)
		for n := r.First; n <= r.Last; n++ {
			fmt.Fprintf(b, "%6d  %s\n", n, f.Shown(n, focus))
		}
	}
	gap(whole.Last + 1)
}

// SayRange names the lines of a range.
func SayRange(r corpus.Range) string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// Shown returns a line as it is shown: of one that is too long the part around its focus.
func (f *File) Shown(n int, focus func(line []byte) int) string {
	line := f.Line(n)
	if n == 1 {
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	if len(line) <= maxLine {
		return text.Line(strings.ToValidUTF8(string(line), "\uFFFD"))
	}
	from := 0
	if focus != nil {
		from = max(0, min(focus(line)-maxLine/4, len(line)-maxLine))
	}
	part := strings.ToValidUTF8(string(line[from:min(len(line), from+maxLine)]), "")
	if from > 0 {
		part = "…" + part
	}
	if from+maxLine < len(line) {
		part += "…"
	}
	return text.Line(part)
}

// Mentions reports whether lines of a file have a name as a word.
func (f *File) Mentions(lines []corpus.Range, name string) bool {
	for _, r := range lines {
		for n := r.First; n <= r.Last; n++ {
			line := f.Line(n)
			for at := 0; ; {
				i := bytes.Index(line[at:], []byte(name))
				if i < 0 {
					break
				}
				begin, end := at+i, at+i+len(name)
				if (begin == 0 || !scan.Letter(line[begin-1])) && (end == len(line) || !scan.Letter(line[end])) {
					return true
				}
				at = end
			}
		}
	}
	return false
}
