package graph

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
)

// A table is text under way: lines, and rows that are aligned when it is flushed.
// A column whose head begins with > is aligned to the right.
type table struct {
	b     bytes.Buffer
	rows  [][]string
	right []bool
}

func (t *table) row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = text.Line(fmt.Sprint(c))
	}
	if len(t.rows) == 0 {
		t.right = make([]bool, len(row))
		for i := range row {
			row[i], t.right[i] = strings.CutPrefix(row[i], ">")
		}
	}
	t.rows = append(t.rows, row)
}

// flush writes the rows, without the columns that are empty but for their heads.
func (t *table) flush() {
	var widths []int
	filled := make([]bool, len(t.right))
	for _, r := range t.rows[min(1, len(t.rows)):] {
		for i, c := range r {
			filled[i] = filled[i] || c != ""
		}
	}
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range t.rows {
		var line strings.Builder
		for i, c := range r {
			if !filled[i] {
				continue
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if line.Len() > 0 {
				line.WriteString("  ")
			}
			if t.right[i] {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		if text := strings.TrimRight(line.String(), " "); text != "" { // a head of empty names is none
			t.b.WriteString(text + "\n")
		}
	}
	t.rows = nil
}

func (t *table) line(format string, args ...any) {
	t.b.WriteString(text.Line(fmt.Sprintf(format, args...)) + "\n")
}

// notes ends a text with what its answer lacks, and how to go on.
func (t *table) notes(nc corpus.NotCovered, notes []string, p *Page, shown int) {
	if nc.Files > 0 {
		t.line("# not covered: %s (%s)", count(nc.Files, "file"), nc.String())
	}
	if shown == 0 && nc.Ignored > 0 {
		t.line("# ignored files and folders: %d", nc.Ignored)
	}
	for _, n := range notes {
		t.line("# %s", n)
	}
	if p != nil {
		t.line("# %d of %d shown; more with cursor %s", shown, p.Total, p.Cursor)
	}
}

func (t *table) write(w io.Writer) error {
	t.flush()
	_, err := w.Write(t.b.Bytes())
	return err
}

func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
