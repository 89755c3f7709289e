package render

import (
	"fmt"
	"slices"
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

// maxAligned is the width up to which cells are aligned where a line may be of any length: spaces after longer ones cost a
// program that reads them as much as text does.
const maxAligned = 40

// least and leastPath are how narrow a column of texts, and one of paths, may become before columns are dropped.
const least, leastPath = 12, 24

// Text returns the table in at most a number of columns of a terminal, if possible; 0 means any number, for a program. The
// first column is never cut, because it is what one types next: other texts are cut, paths at their beginning and others at
// their end; then columns are dropped from the right, which a last line says; then rows whose first cell is long go on below it.
func (t *Table) Text(most int) string {
	if t.Empty() {
		return ""
	}
	widths := t.widths()
	dropped := t.fit(widths, most)
	first := slices.IndexFunc(widths, func(w int) bool { return w >= 0 })
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			if widths[i] < 0 {
				continue
			}
			switch {
			case most <= 0: // nothing is cut
			case i == first && Width(cell) > widths[i]:
				b.WriteString(cell + "\n")
				cell = ""
			case i == first:
			case strings.Contains(cell, "/"):
				cell = Tail(cell, widths[i])
			default:
				cell = Head(cell, widths[i])
			}
			pad := strings.Repeat(" ", max(0, widths[i]-Width(cell)))
			if t.right[i] {
				cell, pad = pad, cell
			}
			if i != first {
				line.WriteString(columnGap)
			}
			line.WriteString(cell + pad)
		}
		if s := strings.TrimRight(line.String(), " "); s != "" { // a head of empty names is none
			b.WriteString(s + "\n")
		}
	}
	if len(dropped) > 0 {
		b.WriteString(Note(most, "no room for %s: a wider terminal or --json has it", strings.Join(dropped, ", ")))
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

// fit narrows columns until the table fits, and returns the heads of those that it drops. If it does not fit, first cells
// that are longer than most of a line do not widen their column, and two of the other columns remain.
func (t *Table) fit(widths []int, most int) (dropped []string) {
	if most <= 0 {
		for i, w := range widths {
			widths[i] = min(w, maxAligned)
		}
		return nil
	}
	var shown []int
	for i, w := range widths {
		if w >= 0 {
			shown = append(shown, i)
		}
	}
	smallest := func(i int) int { // to which a column may be narrowed: rows with a long first cell go on below it
		if t.right[i] {
			return widths[i]
		}
		if i != shown[0] && slices.ContainsFunc(t.rows[1:], func(row []string) bool { return i < len(row) && strings.Contains(row[i], "/") }) {
			return min(widths[i], leastPath)
		}
		return min(widths[i], least)
	}
	if len(shown) > 0 && total(widths) > most {
		widths[shown[0]] = min(widths[shown[0]], most*5/8)
	}
	for ; len(shown) > 3; shown = shown[:len(shown)-1] {
		over := total(widths) - most
		for _, i := range shown[1:] {
			over -= widths[i] - smallest(i)
		}
		if over <= 0 {
			break
		}
		i := shown[len(shown)-1]
		widths[i], dropped = -1, append([]string{t.rows[0][i]}, dropped...)
	}
	for total(widths) > most {
		widest := shown[0]
		for _, i := range shown[1:] {
			if widths[i] > smallest(i) && (widest == shown[0] || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widths[widest] <= smallest(widest) {
			break
		}
		widths[widest]--
	}
	return dropped
}

// total is how many columns of a terminal the columns of a table take.
func total(widths []int) int {
	n := -len(columnGap)
	for _, w := range widths {
		if w >= 0 {
			n += len(columnGap) + w
		}
	}
	return n
}
