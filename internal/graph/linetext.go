package graph

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/text"
)

// linesAt returns the lines of a text on which some offsets are.
func linesAt(src []byte, offsets []int) map[int]bool {
	out := map[int]bool{}
	sorted := slices.Sorted(slices.Values(offsets))
	line, from := 1, 0
	for _, at := range sorted {
		if at < from || at > len(src) {
			continue
		}
		line += bytes.Count(src[from:at], []byte{'\n'})
		from = at
		out[line] = true
	}
	return out
}

// withoutSecrets returns a text with marks in place of secrets, line by line as it is; empty where that cannot be done.
func withoutSecrets(src []byte) []byte {
	clean, n := redact.Files.Text(src)
	switch {
	case n == 0:
		return src
	case bytes.Count(clean, []byte{'\n'}) == bytes.Count(src, []byte{'\n'}):
		return clean
	}
	return nil
}

// lineAround returns a line without its indentation: of a long one the part around an offset.
func lineAround(line []byte, offset int) string {
	if len(line) > maxLine {
		begin := max(0, min(offset-maxLine/3, len(line)-maxLine))
		line = line[begin : begin+maxLine]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(line), ""))
}

// chainBefore returns the line in which the chain begins that a line goes on with, as in "tab" before ".close()", and a space;
// "" for a line that begins by itself. from is where the line begins.
func chainBefore(src []byte, from int) string {
	skipped := ""
	for n := 0; n < maxChain && goesOn(src[from:]); n++ {
		end := from - 1
		if end <= 0 {
			return ""
		}
		from = 1 + bytes.LastIndexByte(src[:end], '\n')
		if line := src[from:end]; !goesOn(line) {
			return lineAround(line, len(line)) + skipped + " "
		}
		skipped = " …"
	}
	return ""
}

// maxChain is how many lines back the beginning of a chain is looked for.
const maxChain = 6

// goesOn reports whether a line begins with a dot that belongs to the line before it.
func goesOn(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	for _, sign := range []string{"?.", "->", "::"} {
		if bytes.HasPrefix(line, []byte(sign)) {
			return true
		}
	}
	return len(line) > 1 && line[0] == '.' && letter(line[1])
}

// lineTexts reads lines of files, which come in order of files.
type lineTexts struct {
	*session
	file  string
	lines [][]byte
}

// at returns a line, from 1, as it is shown; offset is in it.
func (l *lineTexts) at(file string, line, offset int) string {
	if l.lines == nil || l.file != file {
		src, _ := l.v.Text(file)
		l.set(file, src)
	}
	if line < 1 || line > len(l.lines) {
		return ""
	}
	return lineAround(l.lines[line-1], offset)
}

// set reads the lines of a file whose text is known.
func (l *lineTexts) set(file string, src []byte) {
	if l.server {
		src = withoutSecrets(src)
	}
	l.file, l.lines = file, bytes.Split(src, []byte{'\n'})
}

// A site is the place of an entry of an answer, whose line is shown.
type site struct {
	file         string
	at           int
	line, column *int // column may be nil
	text         *string
}

// usualLimit is how many entries an answer has where a call does not say; one with lines has more where its budget holds them.
const usualLimit = 50

// setLines sets the lines of some of n entries, which are in order of files: a page of so many from one on. It returns the entry
// that the page ends before and how many tokens are left for other lines.
func (s *session) setLines(from, limit, n, tokens int, entry func(i int) site) (to, left int) {
	budget := text.Bytes(cmp.Or(tokens, usualTokens))
	share := budget - budget/leastShare
	lines, size := lineTexts{session: s}, 0
	var src []byte
	var starts []int
	for to = from; to < n; to++ {
		x := entry(to)
		if lines.file != x.file {
			src, _ = s.v.Text(x.file)
			lines.set(x.file, src)
			starts = lineStarts(src)
			size += len(x.file) + 1
		}
		if x.at <= len(src) {
			line, _ := slices.BinarySearch(starts, x.at+1)
			offset := x.at - starts[line-1]
			*x.line, *x.text = line, lines.at(x.file, line, offset)
			if !s.server {
				*x.text = chainBefore(src, starts[line-1]) + *x.text
			}
			if x.column != nil {
				*x.column = offset + 1
			}
		}
		size += len(*x.text) + 40
		if full := limit > 0 && to-from >= limit; full && (limit != usualLimit || size > share) {
			break
		}
	}
	return to, text.Tokens(max(budget-size, budget/leastShare))
}

// lineStarts returns where the lines of a text begin.
func lineStarts(src []byte) []int {
	out := []int{0}
	for i, c := range src {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}
