package graph

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// A table is the text of an answer: rows in columns, and lines between them.
type table struct {
	b      bytes.Buffer
	rows   render.Table
	placed []placed
}

// Placed is text at an offset. It is laid out when it is known how wide the terminal is.
type placed struct {
	at   int
	text func(columns int) string
}

func (t *table) row(cells ...any) { t.rows.Row(cells...) }

// flush ends the rows so far.
func (t *table) flush() {
	if !t.rows.Empty() {
		rows := t.rows
		t.placed = append(t.placed, placed{t.b.Len(), rows.Text})
		t.rows = render.Table{}
	}
}

// code writes a line of code with a remark behind it. On a terminal the code is cut; a remark that would leave it less than
// half of the line goes below it, because names are cut only where a line has no room for one.
func (t *table) code(code, about string) {
	code, about = text.Line(code), text.Line(about)
	t.placed = append(t.placed, placed{t.b.Len(), func(columns int) string {
		line := code + about
		if columns > 0 && render.Width(line) > columns {
			if room := columns - render.Width(about); room < columns/2 {
				about = render.Head(strings.TrimLeft(about, " "), columns)
				indent := strings.Repeat(" ", min(columns/10, columns-render.Width(about)))
				return render.Head(code, columns) + "\n" + indent + about + "\n"
			} else {
				line = render.Head(code, room) + about
			}
		}
		return line + "\n"
	}})
}

func (t *table) line(format string, args ...any) {
	t.b.WriteString(text.Line(fmt.Sprintf(format, args...)) + "\n")
}

// note writes a line about the answer.
func (t *table) note(format string, args ...any) {
	t.placed = append(t.placed, placed{t.b.Len(), func(columns int) string { return render.Note(columns, format, args...) }})
}

// notes ends a text with what its answer lacks, and how to go on.
func (t *table) notes(nc corpus.NotCovered, notes []string, p *Page, shown int) {
	if nc.Files > 0 {
		t.note("not covered: %s (%s)", count(nc.Files, "file"), nc.String())
	}
	if shown == 0 && nc.Ignored > 0 {
		t.note("ignored files and folders: %d", nc.Ignored)
	}
	for _, n := range notes {
		t.note("%s", n)
	}
	if p != nil {
		t.note("%d of %d shown; more with cursor %s", shown, p.Total, p.Cursor)
	}
}

func (t *table) write(w io.Writer) error {
	t.flush()
	var out bytes.Buffer
	at := 0
	for _, p := range t.placed {
		out.Write(t.b.Bytes()[at:p.at])
		out.WriteString(p.text(render.Columns(w)))
		at = p.at
	}
	out.Write(t.b.Bytes()[at:])
	_, err := w.Write(out.Bytes())
	return err
}

func count(n int, of string) string { return text.Count(n, of, of+"s") }
