package rst

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// flat returns the text of lines as a cell of a table holds it.
func (p *parser) flat(lines []line) string {
	lines = trim(lines)
	if len(lines) == 0 {
		return ""
	}
	if len(lines) == 1 && lines[0].text[0] != ' ' && !strings.HasPrefix(lines[0].text, "..") {
		return p.inline(lines[0].text)
	}
	outer := p.Flow
	p.Flow = &flow.Flow{}
	p.within(flushLeft(lines))
	p.Flush()
	var cells []string
	for _, b := range p.Blocks {
		text := b.Text
		if b.Kind == markup.Code {
			text = flow.Code(text)
		}
		cells = append(cells, strings.Join(strings.Fields(text), " "))
	}
	p.Flow = outer
	return strings.Join(cells, " ")
}

// gridBorder reports whether s is the upper border of a grid table.
func gridBorder(s string) bool {
	return len(s) > 3 && s[0] == '+' && s[len(s)-1] == '+' && strings.Trim(s, "+-=") == "" && (s[1] == '-' || s[1] == '=')
}

// maxColumns bounds the columns of a grid table, whose cost is columns times lines.
const maxColumns = 64

// grid reads a grid table. What is none is shown as it stands.
func (p *parser) grid(lines []line, i int) int {
	end := i
	for end < len(lines) && lines[end].text != "" && strings.IndexByte("+|", lines[end].text[0]) >= 0 {
		end++
	}
	var edges []int // columns in which a border has a corner
	seen := map[int]bool{}
	for _, l := range lines[i:end] {
		if l.text[0] == '+' || strings.Contains(l.text, "+-") || strings.Contains(l.text, "-+") {
			for at, r := range []byte(l.text) {
				corner := r == '+' && (at == 0 || strings.IndexByte("-=", l.text[at-1]) >= 0 || at+1 < len(l.text) && strings.IndexByte("-=", l.text[at+1]) >= 0)
				if corner && !seen[at] && (l.text[0] == '+' && strings.Trim(l.text, "+-=") == "") {
					seen[at] = true
				}
			}
		}
	}
	for at := range len(lines[i].text) {
		if seen[at] {
			edges = append(edges, at)
		}
	}
	if len(edges) < 2 || len(edges) > maxColumns || end-i < 3 || !gridBorder(lines[end-1].text) {
		p.code(lines[i:end], "", 0)
		return end
	}
	p.Table(p.gridRows(lines[i:end], edges), lines[i].num)
	return end
}

// gridRows returns the cells of a grid table with the given edges.
func (p *parser) gridRows(lines []line, edges []int) [][]string {
	var rows [][]string
	cells := make([][]line, len(edges)-1)
	done := func() {
		row := make([]string, len(cells))
		for n, cell := range cells {
			row[n] = p.flat(cell)
			cells[n] = nil
		}
		rows = append(rows, row)
	}
	for _, l := range lines[1:] {
		text := []rune(l.text)
		if l.text[0] == '+' && strings.Trim(l.text, "+-=") == "" {
			done()
			continue
		}
		ends := false
		for n := 0; n < len(cells); {
			// A cell reaches to the next edge that has a sign on it.
			last := n + 1
			for last < len(edges)-1 && (edges[last] >= len(text) || text[edges[last]] != '|' && text[edges[last]] != '+') {
				last++
			}
			from, to := min(edges[n]+1, len(text)), min(edges[last], len(text))
			if cell := strings.TrimRight(string(text[from:max(from, to)]), " "); strings.Trim(cell, "+-=") == "" && len(cell) > 2 {
				ends = true
			} else {
				cells[n] = append(cells[n], line{strings.TrimPrefix(cell, " "), l.num})
			}
			n = last
		}
		if ends {
			done()
		}
	}
	done()
	return rows
}

// simpleBorder reports whether s is the upper border of a simple table.
func simpleBorder(s string) bool {
	return strings.Contains(s, "= ") && strings.Trim(s, "= ") == ""
}

// simple reads a simple table, or returns i.
func (p *parser) simple(lines []line, i int) int {
	end := -1
	for at, found := i+1, 0; at < len(lines); at++ {
		if text := lines[at].text; text != "" && text[0] == '=' && strings.Trim(text, "= ") == "" {
			found++
			if at+1 == len(lines) || lines[at+1].text == "" {
				end = at + 1
				// The border below the head may have a blank line after it.
				if found == 1 && !closes(lines, at) {
					continue
				}
				break
			}
		}
	}
	if end < 0 {
		return i
	}
	border := lines[i].text
	var starts []int
	for at := range len(border) {
		if border[at] == '=' && (at == 0 || border[at-1] == ' ') {
			starts = append(starts, at)
		}
	}
	if len(starts) > maxColumns {
		p.code(lines[i:end], "", 0)
		return end
	}
	p.Table(p.simpleRows(lines[i+1:end], starts), lines[i].num)
	return end
}

// closes reports whether the border on line i is the last of its table: no line
// like it follows before the text goes on with something else.
func closes(lines []line, i int) bool {
	for at := i + 1; at < len(lines) && at < i+60; at++ {
		if lines[at].text == lines[i].text {
			// It is the head of another table if a border follows that, too.
			return lines[at-1].text == ""
		}
	}
	return true
}

// simpleRows returns the cells of a simple table whose columns begin at starts.
func (p *parser) simpleRows(lines []line, starts []int) [][]string {
	var rows [][]string
	var cells [][]line
	done := func() {
		row := slice.Map(cells, p.flat)
		rows, cells = append(rows, row), nil
	}
	for _, l := range lines {
		if l.text != "" && strings.Trim(l.text, "=- ") == "" && len(l.text) > 1 && l.text[0] != ' ' && (l.text[0] == '=' || len(strings.Fields(l.text)[0]) > 2) {
			done()
			continue
		}
		text := []rune(l.text)
		row := make([]line, len(starts))
		for n, from := range starts {
			to := len(text)
			if n+1 < len(starts) {
				to = min(starts[n+1], to)
			}
			if n > 0 && from > 0 && from <= len(text) && text[from-1] != ' ' && row[n-1].text != "" {
				// It spans columns.
				row[n] = line{num: l.num}
				at := n - 1
				for at > 0 && row[at].text == "" {
					at--
				}
				row[at].text += string(text[min(from, len(text)):max(to, min(from, len(text)))])
				continue
			}
			from = min(from, len(text))
			row[n] = line{string(text[from:max(from, to)]), l.num}
		}
		for n := range row {
			row[n].text = strings.TrimRight(row[n].text, " ")
		}
		if l.text != "" && (row[0].text != "" || cells == nil) {
			if cells != nil {
				done()
			}
			cells = make([][]line, len(starts))
		}
		for n := range cells {
			cells[n] = append(cells[n], row[n])
		}
	}
	done()
	return rows
}

// csvTable reads the directive csv-table.
func (p *parser) csvTable(d directive) {
	var rows [][]string
	comma := ','
	switch delim := d.opts["delim"]; delim {
	case "":
	case "tab":
		comma = '\t'
	case "space":
		comma = ' '
	default:
		comma, _ = utf8.DecodeRuneInString(delim)
	}
	text := join(d.content)
	if file := d.opts["file"]; file != "" {
		src, _, ok := p.file(file)
		if !ok {
			return
		}
		text = string(src)
	}
	for _, part := range []string{d.opts["header"], text} {
		r := csv.NewReader(strings.NewReader(part))
		r.Comma, r.LazyQuotes, r.TrimLeadingSpace, r.FieldsPerRecord = comma, true, true, -1
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil { // a delimiter that cannot be one
				p.Para(strings.TrimSpace(part), d.num)
				break
			}
			for n := range row {
				row[n] = p.flat(split(row[n], d.num))
			}
			rows = append(rows, row)
		}
	}
	p.Table(rows, d.num)
}

// listTable reads the directive list-table: a list of lists.
func (p *parser) listTable(d directive) {
	var rows [][]string
	lines := d.content
	for i := 0; i < len(lines); {
		width := bullet(lines[i].text)
		if width == 0 {
			if lines[i].text != "" {
				p.Para(p.inline(strings.TrimSpace(lines[i].text)), lines[i].num)
			}
			i++
			continue
		}
		end := itemEnd(lines, i)
		body := itemBody(lines[i:end], width)
		var row []string
		for n := 0; n < len(body); {
			width := bullet(body[n].text)
			to := itemEnd(body, n)
			if width > 0 {
				row = append(row, p.flat(itemBody(body[n:to], width)))
			} else if text := p.flat(body[n:to]); text != "" {
				row = append(row, text)
			}
			n = to
		}
		rows = append(rows, row)
		i = end
	}
	p.Table(rows, d.num)
}
