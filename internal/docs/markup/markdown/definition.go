package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A definition is what both readers of definition lists have in common.
type definition struct{}

func (definition) Trigger() []byte                             { return []byte{':'} }
func (definition) CanInterruptParagraph() bool                 { return true }
func (definition) CanAcceptIndentedLine() bool                 { return false }
func (definition) Close(ast.Node, text.Reader, parser.Context) {}

// colon returns the rest of a line after the colon that it begins with, and the colon's
// offset; nil if there is none.
func (definition) colon(reader text.Reader, pc parser.Context) (after []byte, pos int) {
	line, _ := reader.PeekLine()
	pos = pc.BlockOffset()
	if pos < 0 || line[pos] != ':' || pc.BlockIndent() != 0 {
		return nil, pos
	}
	return line[pos+1:], pos
}

// A definitionList begins a list, or goes on with the one before a paragraph.
type definitionList struct{ definition }

func (d definitionList) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	after, pos := d.colon(reader, pc)
	if _, inside := parent.(*east.DefinitionList); inside || after == nil {
		return nil, parser.NoChildren
	}
	w, _ := util.IndentWidth(after, pos+1)
	if w < 1 {
		return nil, parser.NoChildren
	}
	if w >= 8 { // it begins with indented code
		w = 5
	}
	offset := w + pos + 1
	switch last := parent.LastChild().(type) {
	case *ast.Paragraph:
		if list, ok := last.PreviousSibling().(*east.DefinitionList); ok {
			list.Offset, list.TemporaryParagraph = offset, last
			return list, parser.HasChildren
		}
		return east.NewDefinitionList(offset, last), parser.HasChildren | parser.RequireParagraph
	case *east.DefinitionList: // one more description of the last term
		last.Offset, last.TemporaryParagraph = offset, nil
		return last, parser.HasChildren
	}
	return nil, parser.NoChildren
}

func (definitionList) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	offset := node.(*east.DefinitionList).Offset
	if w, _ := util.IndentWidth(line, reader.LineOffset()); w < offset {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(util.IndentPosition(line, reader.LineOffset(), offset))
	return parser.Continue | parser.HasChildren
}

// A description is one of a list's, whose end the list finds.
type description struct{ definition }

func (d description) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	after, pos := d.colon(reader, pc)
	list, ok := parent.(*east.DefinitionList)
	if !ok || after == nil {
		return nil, parser.NoChildren
	}
	if para := list.TemporaryParagraph; para != nil {
		list.TemporaryParagraph = nil
		for i := range para.Lines().Len() {
			term, line := east.NewDefinitionTerm(), para.Lines().At(i)
			term.Lines().Append(line.TrimRightSpace(reader.Source()))
			list.AppendChild(list, term)
		}
		para.Parent().RemoveChild(para.Parent(), para)
	}
	indent, padding := util.IndentPosition(after, pos+1, list.Offset-pos-1)
	reader.AdvanceAndSetPadding(indent+1, padding)
	return east.NewDefinitionDescription(), parser.HasChildren
}

func (description) Continue(ast.Node, text.Reader, parser.Context) parser.State {
	return parser.Continue | parser.HasChildren
}
