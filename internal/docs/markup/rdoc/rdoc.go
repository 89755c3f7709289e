// Package rdoc reads RDoc, the markup of the guides and READMEs of Ruby's libraries.
//
// Whatever the input, reading it ends in time that grows as its length does, and a page is no longer than a bounded multiple of
// the input. No file that a page names is read.
package rdoc

import (
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
)

var (
	heading   = lazy.Regexp(`^(={1,6}) *(\S.*)$`)
	directive = lazy.Regexp(`^:(title|main|include|stopdoc|startdoc|enddoc|nodoc|doc|notnew|call-seq|section|category): *(.*)$`)
	item      = lazy.Regexp(`^([*-]|\d+\.|[a-zA-Z]\.) +(\S.*)$`)
	label     = lazy.Regexp(`^(?:\[([^\]]+)\]|(\S.*?) *::)(?: +(\S.*))?$`)
)

// A reader fills a page, line by line.
type reader struct {
	page   markup.Page
	lines  []string // of the paragraph or the list that is being read
	code   []string // of the block of code that is being read
	line   int      // where lines or code begins
	items  []int    // the indents of the open items of lists, outermost first
	margin int      // lines that stand further right are code; unknown for an item whose text begins on the next line
}

const unknown = -1

// Parse reads a page.
func Parse(src []byte, _ markup.Options) markup.Page {
	var r reader
	decoded, _ := text.Decode(src)
	n := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.ToValidUTF8(string(decoded), "\uFFFD"), "\t", "    "), "\n") {
		n++
		r.read(strings.TrimRight(line, " \r"), n)
	}
	r.endList()
	for i := range r.page.Blocks {
		if b := &r.page.Blocks[i]; b.Kind == markup.Heading && r.page.Title == "" {
			r.page.Title = b.Text
		}
	}
	return r.page
}

func (r *reader) read(line string, n int) {
	words := strings.TrimLeft(line, " ")
	indent := len(line) - len(words)
	if words == "" {
		r.readBlank()
		return
	}
	if len(r.items) > 0 && indent < r.margin && r.isAfterBlank() {
		if r.leaveItems(indent); len(r.items) == 0 {
			r.endProse()
		}
	}
	if r.margin == unknown {
		r.margin = max(indent, r.items[len(r.items)-1]+1)
	}
	isCode := indent > r.margin && (len(r.code) > 0 || !item.MatchString(words))
	switch {
	case isCode:
		if r.endProse(); len(r.code) == 0 {
			r.line = n
		}
		r.code = append(r.code, line)
	case indent == 0 && heading.MatchString(line):
		r.endList()
		m := heading.FindStringSubmatch(line)
		r.page.Blocks = append(r.page.Blocks, markup.Block{Kind: markup.Heading, Level: len(m[1]), Text: inline(m[2]), Line: n})
	case directive.MatchString(words):
		if m := directive.FindStringSubmatch(words); m[1] == "title" {
			r.page.Title = inline(m[2])
		}
	default:
		if r.endCode(); len(r.lines) == 0 {
			r.line = n
		}
		r.readText(words, indent)
	}
}

// readBlank ends a paragraph. An item of a list and a block of code go on behind it if the next line stands as far to the right.
func (r *reader) readBlank() {
	switch {
	case len(r.code) > 0:
		r.code = append(r.code, "")
	case len(r.items) > 0:
		r.lines = append(r.lines, "")
	default:
		r.endProse()
	}
}

func (r *reader) isAfterBlank() bool {
	last := append(r.lines[:len(r.lines):len(r.lines)], r.code...)
	return len(last) == 0 || last[len(last)-1] == ""
}

// readText reads a line of a paragraph or of an item.
func (r *reader) readText(words string, indent int) {
	mark, rest, isLabel := "", "", false
	if m := item.FindStringSubmatch(words); m != nil {
		mark, rest = m[1], m[2]
		if mark == "*" {
			mark = "-"
		}
	} else if m := label.FindStringSubmatch(words); m != nil {
		mark, rest, isLabel = "- "+cmp.Or(m[1], m[2])+":", m[3], true
	}
	if mark == "" {
		r.lines = append(r.lines, strings.Repeat("  ", len(r.items))+inline(words))
		return
	}
	if len(r.items) == 0 {
		r.endProse()
	}
	r.leaveItems(indent)
	r.lines = append(r.lines, strings.TrimRight(strings.Repeat("  ", len(r.items))+inline(strings.TrimRight(mark+" "+rest, " ")), " "))
	r.items = append(r.items, indent)
	if r.margin = indent + len(words) - len(rest); isLabel {
		r.margin = unknown
	}
}

// leaveItems closes the items that a line with an indent does not belong to.
func (r *reader) leaveItems(indent int) {
	for len(r.items) > 0 && r.items[len(r.items)-1] >= indent {
		r.items = r.items[:len(r.items)-1]
	}
	if len(r.items) == 0 {
		r.margin = 0
	} else {
		r.margin = indent
	}
}

func (r *reader) endList() {
	r.endProse()
	r.endCode()
	r.items, r.margin = nil, 0
}

func (r *reader) endProse() {
	if all := strings.Trim(strings.Join(r.lines, "\n"), "\n"); all != "" {
		r.page.Blocks = append(r.page.Blocks, markup.Block{Text: all, Line: r.line})
	}
	r.lines = nil
}

func (r *reader) endCode() {
	if len(r.code) == 0 {
		return
	}
	least := len(r.code[0])
	for _, l := range r.code {
		if l != "" {
			least = min(least, len(l)-len(strings.TrimLeft(l, " ")))
		}
	}
	for i, l := range r.code {
		r.code[i] = l[min(least, len(l)):]
	}
	r.page.Blocks = append(r.page.Blocks, markup.Block{Kind: markup.Code, Text: strings.TrimRight(strings.Join(r.code, "\n"), "\n"), Line: r.line})
	r.code = nil
}

var (
	coded    = lazy.Regexp(`<(?:tt|code)>([^<]*)</(?:tt|code)>`)
	plusses  = lazy.Regexp(`(^|[\s(,"'])\+([\w:#.?!=]+)\+`)
	linked   = lazy.Regexp(`\{([^{}]+)\}\[[^\]\s]+\]|(\w+)\[(?:https?:|link:|rdoc-ref:|mailto:)[^\]\s]*\]`)
	stressed = lazy.Regexp(`</?(?:b|i|em|strong|s|del)>|rdoc-ref:`)
	strong   = lazy.Regexp(`(^|[\s(])\*([\w:#.?!-]+)\*`)
	escaped  = lazy.Regexp(`\\([A-Z#:*_+<{])`)
)

// inline returns a text with its code in backquotes, its links by their words and its emphasis left out.
func inline(s string) string {
	s = linked.ReplaceAllString(s, "$1$2")
	s = plusses.ReplaceAllString(coded.ReplaceAllString(s, "`$1`"), "$1`$2`")
	s = stressed.ReplaceAllString(s, "")
	s = strong.ReplaceAllString(s, "$1$2")
	return escaped.ReplaceAllString(s, "$1")
}
