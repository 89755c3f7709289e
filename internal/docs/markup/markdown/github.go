package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Tables, strikethrough and task lists as GitHub has them, and the definition lists of PHP
// Markdown Extra: the nodes of goldmark's package extension, read by the same rules. That
// package also writes HTML and finds bare addresses, and compiles the patterns for it when
// a program starts, whatever the program is asked: a seventh of the start of this one.
// TestExtensions compares the two.

// A tableReader makes tables of paragraphs that have a line of delimiters.
type tableReader struct{}

func (tableReader) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	pos, lines := node.Pos(), node.Lines()
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		columns := delimiters(at.Value(reader.Source()))
		if columns == 0 {
			continue
		}
		header := tableRow(lines.At(i-1), columns, true, reader.Source(), pc)
		if header.ChildCount() != columns {
			return
		}
		table := east.NewTable()
		table.SetPos(pos)
		table.AppendChild(table, east.NewTableHeader(header))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, tableRow(lines.At(j), columns, false, reader.Source(), pc))
		}
		parent := node.Parent()
		parent.InsertAfter(parent, node, table)
		lines.SetSliced(0, i-1)
		if lines.Len() == 0 {
			parent.RemoveChild(parent, node)
			return
		}
		last := lines.At(i - 2)
		last.Stop-- // the end of the line
		lines.Set(i-2, last)
		return
	}
}

// delimiters returns the number of columns of a line such as |---|:-:|, or 0.
func delimiters(line []byte) int {
	if w, _ := util.IndentWidth(line, 0); w > 3 || len(bytes.Trim(line, "-")) == 0 {
		return 0
	}
	columns := bytes.Split(line, []byte{'|'})
	if util.IsBlank(columns[0]) {
		columns = columns[1:]
	}
	if n := len(columns); n > 0 && util.IsBlank(columns[n-1]) {
		columns = columns[:n-1]
	}
	for _, c := range columns {
		c = bytes.Trim(c, " \t\n\f\r")
		c = bytes.TrimSuffix(bytes.TrimPrefix(c, []byte{':'}), []byte{':'})
		if len(c) == 0 || len(bytes.Trim(c, "-")) > 0 {
			return 0
		}
	}
	return len(columns)
}

// pipes is the key of the escaped bars in cells that may have code.
var pipes = parser.NewContextKey()

type pipesOfCell struct {
	cell *east.TableCell
	at   []int // offsets of the backslashes
}

// tableRow reads a row; one that is no header has as many cells as there are columns.
func tableRow(whole text.Segment, columns int, header bool, source []byte, pc parser.Context) *east.TableRow {
	segment := whole.TrimLeftSpace(source)
	segment = segment.TrimRightSpace(source)
	line := segment.Value(source)
	row := east.NewTableRow(nil)
	row.SetPos(whole.Start)
	pos, limit := 0, len(line)
	if limit > 0 && line[0] == '|' {
		pos++
	}
	if limit > 0 && line[limit-1] == '|' {
		limit--
	}
	i := 0
	for ; pos < limit; i++ {
		if i >= columns && !header {
			return row
		}
		cell := east.NewTableCell()
		cell.SetPos(whole.Start + pos - whole.Padding)
		end, escaped := cellEnd(line, pos, limit)
		if len(escaped) > 0 {
			for j := range escaped {
				escaped[j] += segment.Start
			}
			all, _ := pc.Get(pipes).([]pipesOfCell)
			pc.Set(pipes, append(all, pipesOfCell{cell, escaped}))
		}
		inside := text.NewSegment(segment.Start+pos, segment.Start+end)
		inside = inside.TrimLeftSpace(source)
		cell.Lines().Append(inside.TrimRightSpace(source))
		row.AppendChild(row, cell)
		pos = end + 1
	}
	for ; i < columns; i++ {
		row.AppendChild(row, east.NewTableCell())
	}
	return row
}

// cellEnd returns where the cell at pos ends, and the backslashes before bars that come
// after a backtick: in code they are text, which is known when the cell has been read.
func cellEnd(line []byte, pos, limit int) (end int, escaped []int) {
	tick := false
	for ; pos < limit; pos++ {
		switch {
		case line[pos] == '`':
			tick = true
		case line[pos] != '|':
		case pos == 0 || line[pos-1] != '\\':
			return pos, escaped
		case tick:
			escaped = append(escaped, pos-1)
		}
	}
	return pos, escaped
}

// pipeReader takes the backslashes before bars out of code in tables.
type pipeReader struct{}

func (pipeReader) Transform(_ *ast.Document, _ text.Reader, pc parser.Context) {
	all, _ := pc.Get(pipes).([]pipesOfCell)
	pc.Set(pipes, nil)
	for _, c := range all {
		// The walk never fails: what it calls does not.
		_ = ast.Walk(c.cell, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && n.Kind() == ast.KindCodeSpan {
				withoutBackslashes(n, c.at)
			}
			return ast.WalkContinue, nil
		})
	}
}

func withoutBackslashes(code ast.Node, at []int) {
	for c := code.FirstChild(); c != nil; {
		next := c.NextSibling()
		for _, pos := range at {
			t, ok := c.(*ast.Text)
			if !ok || pos < t.Segment.Start || pos >= t.Segment.Stop {
				continue
			}
			before := ast.NewRawTextSegment(t.Segment.WithStop(pos))
			after := ast.NewRawTextSegment(t.Segment.WithStart(pos + 1))
			code.InsertAfter(code, c, before)
			code.InsertAfter(code, before, after)
			code.RemoveChild(code, c)
			c = after
		}
		c = next
	}
}

// A boxReader reads the box of a task at the beginning of an item.
type boxReader struct{}

func (boxReader) Trigger() []byte { return []byte{'['} }

func (boxReader) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item := parent.Parent()
	if item == nil || item.Kind() != ast.KindListItem || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 3 || !bytes.ContainsRune([]byte(" \t\n\f\rxX"), rune(line[1])) || line[2] != ']' {
		return nil
	}
	block.Advance(len(line) - len(bytes.TrimLeft(line[3:], " \t\n\f\r")))
	return east.NewTaskCheckBox(line[1] == 'x' || line[1] == 'X')
}

// A strikeReader reads text between one or two tildes.
type strikeReader struct{}

func (strikeReader) Trigger() []byte { return []byte{'~'} }

func (strikeReader) IsDelimiter(b byte) bool { return b == '~' }

func (strikeReader) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (strikeReader) OnMatch(int) ast.Node { return east.NewStrikethrough() }

func (s strikeReader) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, s)
	if node == nil || node.OriginalLength > 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}
