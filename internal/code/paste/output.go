package paste

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// An Output is a line that a program may have printed. The code that printed it has its
// words in strings, in their order, with placeholders where the line has values.
type Output struct {
	words []int          // each by its number
	size  []int          // bytes of each
	known map[string]int // the numbers, from 1, of the words in lower case
}

const (
	leastWords   = 4   // of a line: fewer are printed everywhere
	mostWords    = 80  // that are read of a line
	mostOfString = 240 // words of a string that is compared
	mostOutputs  = 6   // lines of a text
	leastMatched = 3   // words that a string and a line have in common
	leastLetters = 14  // bytes of those words
	leastTold    = 8   // words of a comment, which may as well be about what a question is about
	leastRun     = 5   // words that follow each other in both: those are no chance
	mostLines    = 4   // of a text that may be one message, and no log
	mostMessage  = 1200
	longestLine  = 4 << 10 // bytes of a line of code that is read
)

// Outputs returns the lines that a query may have from a program: those of a short one and
// all of it, as a terminal breaks lines, and of a longer one its title and what its reader
// took for messages. A question has none.
func Outputs(query string) (out []Output) {
	query = strings.TrimSpace(query)
	lines := strings.Split(query, "\n")
	switch {
	case len(lines) > mostLines || len(query) > mostMessage:
		lines = lines[:0]
		for _, p := range Read(query).Pieces {
			if p.Field == Message || p.Field == Title {
				lines = append(lines, p.Text)
			}
		}
	case len(lines) > 1:
		lines = append(lines, strings.Join(lines, " "))
	}
	for _, l := range lines {
		if o := outputOf(stamp.ReplaceAllString(l, "")); len(o.words) >= leastWords && len(out) < mostOutputs {
			out = append(out, o)
		}
	}
	return out
}

// outputOf reads a line; of a question it has no words.
func outputOf(line string) Output {
	o := Output{known: map[string]int{}}
	if strings.HasSuffix(strings.TrimSpace(line), "?") && !strings.ContainsAny(line, "\"'`:") {
		return o
	}
	text.EachWord(line, func(w []byte) {
		if len(o.words) == mostWords {
			return
		}
		word := string(lower(make([]byte, 0, len(w)), w))
		if o.known[word] == 0 {
			o.known[word] = len(o.known) + 1
		}
		o.words, o.size = append(o.words, o.known[word]), append(o.size, len(w))
	})
	for _, asks := range [...]string{"how", "what", "where", "which", "who", "why", "when"} {
		if o.known[asks] == 1 {
			return Output{}
		}
	}
	return o
}

var (
	// placeholder is what a string has where its output has a value, and escapes.
	placeholder = lazy.Regexp(`%\(\w+\)\w|%[-+#0]*\d*(?:\.\d+)?[a-zA-Z]|[$#]?\{\{?[^{}\n]*\}?\}|\\\([^)\n]*\)|\$\w+|\\[a-z]|</?\w*>`)
	comment     = lazy.Regexp(`^\s*(//|/?\*|#|--|;|%|<!--)`)
)

// Printed returns how many bytes of the output's words the strings of a text have: of each
// string that has hardly any other words, in their order, of each that has nearly all of
// them, and of each with a run of them. A line outside quotes, as a template and a file of
// messages have, has to have most of the words, or half of them and a placeholder.
func (o *Output) Printed(code []byte) (size int) {
	said := make([]bool, len(o.words))
	for len(code) > 0 {
		var line []byte
		if line, code, _ = bytes.Cut(code, []byte("\n")); len(line) > longestLine {
			continue // data
		}
		mark(said, o.outside(line))
		for s := range quoted(line) {
			mark(said, o.in(s, leastMatched))
		}
	}
	for i, is := range said {
		if is {
			size += o.size[i]
		}
	}
	return size
}

// outside returns which words of the output a line has as a whole. What sort of line it is matters only where it
// has some: hardly any has.
func (o *Output) outside(line []byte) []int {
	at := o.in(line, max(leastWords, min(nearly(len(o.words)), (len(o.words)+1)/2)))
	if at == nil {
		return nil
	}
	least := nearly(len(o.words))
	switch {
	case comment.Match(line):
		least = max(leastTold, least)
	case placeholder.Match(line):
		least = 0
	}
	if len(at) < least {
		return nil
	}
	return at
}

func mark(said []bool, at []int) {
	for _, i := range at {
		said[i] = true
	}
}

// nearly returns how many of n words are nearly all.
func nearly(n int) int { return (n*4 + 4) / 5 }

// in returns which words of the output a string has, in their order; nil where they are fewer
// than least, or say too little.
func (o *Output) in(s []byte, least int) []int {
	// Hardly any string has enough of the words; an escape may stand at the beginning of one.
	if len(s) < leastLetters || o.common(s) < least-1 {
		return nil
	}
	if bytes.ContainsAny(s, `%{\$<`) {
		s = []byte(placeholder.ReplaceAllString(string(s), " "))
	}
	var words [mostOfString]int
	low := make([]byte, 0, 64)
	n, common := 0, 0
	text.Words(s, func(w []byte) {
		if n < mostOfString {
			words[n] = o.known[string(lower(low, w))]
			common += min(words[n], 1)
		}
		n++
	})
	if n > mostOfString || common < least {
		return nil
	}
	at, run, span := inOrder(words[:n], o.words)
	size := 0
	for _, i := range at {
		size += o.size[i]
	}
	whole := len(at) >= nearly(n)
	cut := len(at) >= max(leastWords, nearly(len(o.words))) && span*2 <= len(at)*3
	if len(at) < least || size < leastLetters || !whole && !cut && run < leastRun {
		return nil
	}
	return at
}

// common returns how many words of a string are words of the output.
func (o *Output) common(s []byte) (n int) {
	var low [64]byte
	text.Words(s, func(w []byte) {
		if o.known[string(lower(low[:0], w))] > 0 {
			n++
		}
	})
	return n
}

// lower appends a word to b, with the letters of ASCII in lower case.
func lower(b, word []byte) []byte {
	for _, c := range word {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		b = append(b, c)
	}
	return b
}

// inOrder returns where b has the longest common subsequence of a and b, numbers of which 0
// is equal to none, how long the longest part of it is that both have without a gap, and how
// much of a it is taken from.
func inOrder(a, b []int) (at []int, run, span int) {
	var long [mostOfString + 1][mostWords + 1]uint8 // of the ends of both
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	here, first := 0, 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			if len(at) == 0 {
				first = i
			}
			at, span = append(at, j), i+1-first
			i, j, here = i+1, j+1, here+1
			run = max(run, here)
			continue
		case long[i+1][j] >= long[i][j+1]:
			i++
		default:
			j++
		}
		here = 0
	}
	return at, run, span
}

// quoted yields the strings of a line: between quotes, and between the tags of a markup.
func quoted(line []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for i := 0; i < len(line); i++ {
			end := i
			switch q := line[i]; q {
			case '>':
				end += max(0, bytes.IndexByte(line[i:], '<'))
			case '"', '\'', '`':
				if end = unquoted(line, i); end == len(line) && q == '\'' {
					end = i // an apostrophe
				}
			}
			if end > i && !yield(line[i+1:min(end, len(line))]) {
				return
			}
			i = end
		}
	}
}

// unquoted returns where the quote at i ends, or how long the line is.
func unquoted(line []byte, i int) int {
	for end := i + 1; end < len(line); end++ {
		switch line[end] {
		case line[i]:
			return end
		case '\\':
			end++
		}
	}
	return len(line)
}
