package asciidoc

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// tableMark reports whether s begins a table, and by which sign its cells are
// separated: "|===", ",===", ":===", "!===".
func tableMark(s string) (mark, sep string, ok bool) {
	if len(s) < 4 || strings.IndexByte("|,:!", s[0]) < 0 || strings.Trim(s[1:], "=") != "" {
		return "", "", false
	}
	return s, s[:1], true
}

// table reads a table.
func (p *parser) table(lines []line, i int) int {
	mark, sep, _ := tableMark(lines[i].text)
	end := i + 1
	for end < len(lines) && lines[end].text != mark {
		end++
	}
	s := p.take()
	p.anchor = ""
	p.caption(lines[i].num)
	inner := lines[i+1 : end]
	if sep == "," || s.named["format"] == "csv" || sep == ":" || s.named["format"] == "dsv" {
		p.values(inner, sep, lines[i].num)
		return min(end+1, len(lines))
	}
	if own := s.named["separator"]; len(own) == 1 {
		sep = own
	}
	p.Table(p.rows(inner, sep[0], s.cols), lines[i].num)
	return min(end+1, len(lines))
}

// values reads a table of comma-separated values.
func (p *parser) values(lines []line, sep string, num int) {
	r := csv.NewReader(strings.NewReader(join(lines)))
	r.LazyQuotes, r.TrimLeadingSpace, r.FieldsPerRecord = true, true, -1
	if sep == ":" {
		r.Comma = ':'
	}
	var rows [][]string
	for {
		row, err := r.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.Para(words(lines), num)
			}
			break
		}
		for n := range row {
			row[n] = p.inline(strings.Join(strings.Fields(row[n]), " "))
		}
		rows = append(rows, row)
	}
	p.Table(rows, num)
}

// rows cuts the lines of a table into its rows. Without a number of columns it is
// that of the first line with cells.
func (p *parser) rows(lines []line, sep byte, cols int) [][]string {
	var cells []string
	var spans []int
	first := 0 // cells on the first line
	for _, l := range lines {
		text := l.text
		had := len(cells)
		for {
			at := separator(text, sep)
			before := text
			if at >= 0 {
				before = text[:at]
			}
			content, times, span := spec(before, at >= 0)
			if len(cells) > 0 {
				last := &cells[len(cells)-1]
				*last = strings.TrimSpace(*last + " " + strings.TrimSpace(content))
			}
			if at < 0 {
				break
			}
			for range times {
				cells, spans = append(cells, ""), append(spans, span)
			}
			text = text[at+1:]
		}
		if first == 0 && len(cells) > had {
			for _, span := range spans {
				first += span
			}
		}
	}
	cols = cmp.Or(cols, max(first, 1))
	var rows [][]string
	var row []string
	width := 0
	for n, cell := range cells {
		row = append(row, p.inline(strings.ReplaceAll(cell, `\`+string(sep), string(sep))))
		if width += spans[n]; width >= cols {
			rows, row, width = append(rows, row), nil, 0
		}
	}
	return append(rows, row)
}

// separator returns the place of the next sign that separates cells, or -1.
func separator(s string, sep byte) int {
	for at := 0; at < len(s); at++ {
		if s[at] == sep && (at == 0 || s[at-1] != '\\') {
			return at
		}
	}
	return -1
}

// spec cuts what the next cell is to be, "2+a", "3*", off the end of the text
// before it.
func spec(s string, more bool) (content string, times, span int) {
	if !more || s == "" || s[len(s)-1] == ' ' {
		return s, 1, 1
	}
	at := strings.LastIndexByte(s, ' ') + 1
	word := s[at:]
	if strings.Trim(word, "0123456789+*.<>^adehlmsv") != "" || len(word) > 8 || len(word) > 1 && strings.ContainsAny(word[:len(word)-1], "adehlmsv") {
		return s, 1, 1
	}
	times, span = 1, 1
	if n, _, ok := strings.Cut(word, "*"); ok {
		times = min(max(number(n), 1), 20)
	} else if n, _, ok := strings.Cut(word, "+"); ok {
		n, _, _ = strings.Cut(n, ".")
		span = min(max(number(n), 1), 20)
	}
	return s[:at], times, span
}
