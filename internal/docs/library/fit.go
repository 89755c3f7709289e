package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A piece of a snippet is prose or one block of code.
type contentPiece struct {
	text  string // without its fences, of code
	fence string // the line that opens it; "" of prose
}

// fit cuts a snippet to a budget of tokens: a block of code at statements, where most of the words of the question are, and prose at
// paragraphs. The content says which lines these are and how to see all.
func (s Snippet) fit(tokens int, words []string) Snippet {
	whole := text.Tokens(len(s.Text()) + len(Separator))
	if whole <= tokens {
		return s
	}
	empty := s
	empty.Content = ""
	hint := fmt.Sprintf("; all of it takes %d tokens (docs query --tokens %d), and a narrower question shows another part.)", whole, (whole/100+1)*100)
	room := max(text.Bytes(tokens)-len(empty.Text())-len(Separator)-len(hint)-len("(Lines 1000-1000 of 10000"), minRoom)
	var out []string
	for _, p := range splitContent(s.Content) {
		full := p.text
		if p.fence != "" {
			full = fencedAs(p.fence, p.text)
		}
		if len(full) <= room {
			out = append(out, full)
			room -= len(full) + 2
			continue
		}
		said := "(The beginning"
		if p.fence != "" {
			lines := strings.Split(p.text, "\n")
			from, to := linesThatFit(lines, room-2*len(p.fence), words)
			out = append(out, fencedAs(p.fence, strings.Join(lines[from:to], "\n")))
			said = fmt.Sprintf("(Lines %d-%d of %d", from+1, to, len(lines))
		} else if cut := proseThatFits(p.text, room); cut != "" {
			out = append(out, cut+" …")
		}
		out = append(out, said+hint)
		break
	}
	s.Content, s.Cut = strings.Join(out, "\n\n"), true
	s.Tokens = tokensOf(s.Content)
	return s
}

// minRoom is how many bytes of a snippet are shown at least.
const minRoom = 60

func fencedAs(fence, code string) string {
	return fence + "\n" + code + "\n" + fence[:len(fence)-len(strings.TrimLeft(fence, "`"))]
}

// splitContent splits content at its paragraphs and blocks of code.
func splitContent(content string) (out []contentPiece) {
	var lines []string
	fence, ticks := "", ""
	end := func() {
		if body := strings.Join(lines, "\n"); fence != "" || strings.TrimSpace(body) != "" {
			out = append(out, contentPiece{strings.Trim(body, "\n"), fence})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(content, "\n") {
		open := fenceOf(line)
		switch {
		case ticks != "" && strings.TrimRight(line, " ") == ticks:
			end()
			fence, ticks = "", ""
		case ticks == "" && open != "":
			end()
			fence, ticks = line, open
		case ticks == "" && strings.TrimSpace(line) == "":
			end()
		default:
			lines = append(lines, line)
		}
	}
	end()
	return out
}

// proseThatFits returns the beginning of a paragraph up to the end of a line, a sentence or a word.
func proseThatFits(s string, room int) string {
	s = s[:min(room, len(s))]
	for _, end := range []string{"\n", ". ", " "} {
		if n := strings.LastIndex(s, end); n > 0 {
			return strings.ToValidUTF8(s[:n+len(end)-1], "")
		}
	}
	return ""
}

// linesThatFit returns which lines of code to show in so many bytes: whole statements around the one that has most of some words.
func linesThatFit(lines []string, room int, words []string) (from, to int) {
	starts := statementStarts(lines)
	best, most := 0, 0
	for i, at := range starts {
		if n := wordsIn(lines[at:endOf(starts, i, len(lines))], words); n > most {
			best, most = i, n
		}
	}
	from, to = starts[best], starts[best]
	size := 0
	for i := best; i < len(starts); i++ {
		end := endOf(starts, i, len(lines))
		if size += bytesOf(lines[to:end]); size > room {
			size -= bytesOf(lines[to:end])
			break
		}
		to = end
	}
	for i := best - 1; i >= 0 && to > from; i-- {
		if size += bytesOf(lines[starts[i]:from]); size > room {
			break
		}
		from = starts[i]
	}
	if to > from {
		return from, to
	}
	// Not one statement fits: its first lines.
	for to = from + 1; to < len(lines) && bytesOf(lines[from:to+1]) <= room; {
		to++
	}
	return from, to
}

func endOf(starts []int, i, all int) int {
	if i+1 < len(starts) {
		return starts[i+1]
	}
	return all
}

func bytesOf(lines []string) (n int) {
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

// wordsIn counts the words that some lines have.
func wordsIn(lines, words []string) (n int) {
	all := strings.ToLower(strings.Join(lines, "\n"))
	for _, w := range words {
		if len(w) > 2 && strings.Contains(all, strings.ToLower(w)) {
			n++
		}
	}
	return n
}

// statementStarts returns the lines on which the statements of code begin that are indented least; 0 is always one.
func statementStarts(lines []string) []int {
	least := -1
	indent := func(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }
	for _, l := range lines {
		if n := indent(l); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	starts := []int{0}
	for i, l := range lines[1:] {
		t := strings.TrimSpace(l)
		if t == "" || indent(l) != least {
			continue
		}
		if isEnd := strings.ContainsAny(t[:1], ")]}") || t == "end" || strings.HasPrefix(t, "</"); !isEnd {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// areTwins reports whether two long snippets say nearly the same, as the synchronous and the asynchronous form of an example do.
func areTwins(a, b string) bool {
	words := func(s string) map[string]bool {
		out := map[string]bool{}
		text.Words([]byte(s), func(w []byte) { out[string(w)] = true })
		return out
	}
	inA, inB := words(a), words(b)
	both := 0
	for w := range inA {
		if inB[w] {
			both++
		}
	}
	return 100*both >= minAlike*(len(inA)+len(inB)-both)
}

// minAlike is how many of 100 words of two snippets both have, if they are twins.
const minAlike = 80

// hasTwin reports whether an answer has a twin of a snippet: of a short one only under the same title.
func (a *DocsAnswer) hasTwin(s *Snippet, isLong bool) bool {
	return slices.ContainsFunc(a.Snippets, func(o Snippet) bool { return (isLong || o.Title == s.Title) && areTwins(o.Content, s.Content) })
}
