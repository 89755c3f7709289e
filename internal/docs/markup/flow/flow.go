// Package flow puts together the blocks of a page while a reader goes through its
// source: paragraphs become blocks of their own, those of a list lines of one block.
//
// What is put in comes out, in its order, in no more than a small multiple of its
// size.
package flow

import (
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
)

const (
	// tidy is the size at which a list goes on in a new block.
	tidy = 1200
	// margin bounds how far the items of a list are indented, in levels.
	margin = 6
)

// A Flow is the blocks so far and what waits for the next. Its zero value is ready.
type Flow struct {
	Blocks []markup.Block
	list   strings.Builder
	at     int    // the line where list begins
	loose  bool   // an item of the list has several paragraphs
	deep   int    // lists that are open
	mark   string // of an item, before its first paragraph
	own    bool   // mark has words of its own
	lead   string // words before the next paragraph
	num    int    // the line of mark or lead
}

// Para adds a paragraph that begins on line num. It is written after the mark of
// its item and the words of Lead.
func (f *Flow) Para(text string, num int) {
	if strings.TrimSpace(text) != "" {
		if f.lead != "" {
			num = f.num
		}
		text, f.lead = f.lead+text, ""
		f.write(text, num)
	}
}

// Lead puts words before the next paragraph: "Note: ". They stand alone where none
// follows.
func (f *Flow) Lead(words string, num int) {
	if f.lead == "" {
		f.num = num
	}
	f.lead += words
}

func (f *Flow) write(text string, num int) {
	if f.deep == 0 {
		f.Blocks = append(f.Blocks, markup.Block{Kind: markup.Prose, Text: text, Line: num})
		return
	}
	sep := "\n\n"
	if f.mark != "" {
		if !f.loose {
			sep = "\n"
		}
		if f.deep == 1 && f.list.Len() > tidy {
			f.end()
		}
	} else {
		f.loose = f.list.Len() > 0
	}
	pad := strings.Repeat("  ", min(f.deep-1, margin))
	switch {
	case f.list.Len() > 0:
		f.list.WriteString(sep)
	case f.mark == "" && f.deep == 1:
		// It goes on after something that is not text.
		f.at = num
		f.list.WriteString(text)
		return
	case f.mark != "":
		f.at = f.num
	default:
		f.at = num
	}
	f.list.WriteString(pad)
	if f.mark == "" {
		f.list.WriteString("  ")
	}
	f.list.WriteString(f.mark)
	f.mark, f.own = "", false
	f.list.WriteString(strings.ReplaceAll(text, "\n", "\n"+pad+"  "))
}

// settle writes a mark or words that wait for a paragraph which does not come.
func (f *Flow) settle() {
	switch {
	case f.lead != "":
		text := strings.TrimRight(f.lead, " ")
		f.lead = ""
		f.write(text, f.num)
	case f.own:
		f.mark = strings.TrimRight(f.mark, ": ")
		f.write("", f.num)
	}
	f.mark, f.own = "", false
}

// end makes a block of the list so far.
func (f *Flow) end() {
	if f.list.Len() > 0 {
		f.Blocks = append(f.Blocks, markup.Block{Kind: markup.Prose, Text: f.list.String(), Line: f.at})
		f.list.Reset()
	}
	f.loose = false
}

// Flush writes all that waits.
func (f *Flow) Flush() {
	f.settle()
	f.end()
}

// Settle writes words that wait for a paragraph.
func (f *Flow) Settle() { f.settle() }

// Open begins a list, in the open one if there is one.
func (f *Flow) Open() {
	f.settle()
	f.deep++
}

// Item begins an item on line num with a mark: "- ", "1. ", or "- term: ", which has
// words of its own and is written whatever follows.
func (f *Flow) Item(mark string, own bool, num int) {
	f.settle()
	f.mark, f.own, f.num = mark, own, num
}

// Shut ends the list that was opened last.
func (f *Flow) Shut() {
	f.settle()
	if f.deep == 1 {
		f.end()
	}
	f.deep--
}

func (f *Flow) Add(b markup.Block) {
	f.Flush()
	f.Blocks = append(f.Blocks, b)
}

// Table adds rows of cells. Empty cells at the end of a row and empty rows are
// omitted.
func (f *Flow) Table(rows [][]string, num int) {
	var b strings.Builder
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if len(row) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.Join(row, " | "))
	}
	if b.Len() > 0 {
		f.Add(markup.Block{Kind: markup.Table, Text: b.String(), Line: num})
	}
}

// Page returns the page that the blocks make, named by its first heading of the
// highest level.
func (f *Flow) Page() markup.Page {
	f.deep = 0
	f.Flush()
	page := markup.Page{Blocks: f.Blocks}
	level := 0
	for _, b := range page.Blocks {
		if b.Kind == markup.Heading && (level == 0 || b.Level < level) {
			page.Title, level = b.Text, b.Level
		}
	}
	return page
}

// Code marks text as code.
func Code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
