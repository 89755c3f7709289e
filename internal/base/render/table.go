package render

import (
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A Table is rows of cells, the first of them the heads, which no row has more of; a head that begins with ">" is of a
// column of numbers. Columns that are empty but for their heads are not shown.
type Table struct {
	rows  [][]string
	right []bool
}

// Row adds a row.
func (t *Table) Row(cells ...any) {
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

// Empty reports whether no row was added.
func (t *Table) Empty() bool { return len(t.rows) == 0 }

// columnGap stands between two columns.
const columnGap = "  "

// least is how narrow a column may become before the terminal breaks lines instead.
const least = 12

// Text returns the table in at most a number of columns of a terminal, if possible; 0 means any number. Texts that do not fit
// are cut: paths and the first column, which is a place, at their beginning, others at their end.
func (t *Table) Text(most int) string {
	if t.Empty() {
		return ""
	}
	widths := t.widths()
	fit(widths, most)
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		first := true
		for i, cell := range row {
			if widths[i] < 0 {
				continue
			}
			if !first {
				line.WriteString(columnGap)
			}
			if first || strings.Contains(cell, "/") {
				cell = Tail(cell, widths[i])
			} else {
				cell = Head(cell, widths[i])
			}
			first = false
			pad := strings.Repeat(" ", max(0, widths[i]-Width(cell)))
			if t.right[i] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		if s := strings.TrimRight(line.String(), " "); s != "" { // a head of empty names is none
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

// widths are those of the columns, -1 for one that is not shown.
func (t *Table) widths() []int {
	out := make([]int, len(t.right))
	for i := range out {
		out[i] = -1
	}
	for k, row := range t.rows {
		for i, cell := range row {
			if k > 0 && cell != "" {
				out[i] = max(out[i], Width(cell))
			}
		}
	}
	for i, head := range t.rows[0] {
		if out[i] >= 0 {
			out[i] = max(out[i], Width(head))
		}
	}
	return out
}

// fit narrows columns until the table fits, the widest first; the first column gives way
// when no other can.
func fit(widths []int, most int) {
	if most <= 0 {
		return
	}
	for {
		total, shown := 0, 0
		first, widest := -1, -1
		for i, w := range widths {
			if w < 0 {
				continue
			}
			if shown++; shown == 1 {
				first = i
			} else if w > least && (widest < 0 || w > widths[widest]) {
				widest = i
			}
			total += w
		}
		over := total + len(columnGap)*(shown-1) - most
		if over <= 0 {
			return
		}
		if widest < 0 {
			if widest = first; first < 0 || widths[first] <= least {
				return
			}
		}
		widths[widest]--
	}
}
