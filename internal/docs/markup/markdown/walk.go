package markdown

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// A walker makes blocks of a parsed page.
type walker struct {
	draft  draft
	src    []byte
	starts []int // offsets of the lines of src
	mdx    bool
	slugs  map[string]int
	blocks []markup.Block

	wantRefs bool
	refs     []markup.Ref
	opening  bool // the next text begins a row of a table

	label     string // a note's name that the next paragraph begins with
	labelLine int
	last      int // line of the source
	labelAt   int // depth of lists where it stands

	depth    int      // of lists; in one, text goes to items
	items    []string // lines of the list so far
	itemLine int
	bullet   bool   // the next text begins an item
	mark     string // of the item: "- ", or its number
	nextMark string // of the item that is read next

	rows    []string // of a table of HTML that is open
	rowLine int
}

func lineStarts(src []byte) []int {
	starts := append(make([]int, 0, bytes.Count(src, []byte{'\n'})+1), 0)
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return starts
		}
		at += i + 1
		starts = append(starts, at)
	}
}

// line returns the line of the source that stands for an offset of src.
func (w *walker) line(offset int) int {
	i := sort.SearchInts(w.starts, offset+1) - 1
	return w.draft.nums[min(max(i, 0), len(w.draft.nums)-1)]
}

func (w *walker) lineOf(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			at := n.Lines().At(0).Start
			if f, ok := n.(*ast.FencedCodeBlock); ok {
				if f.Info != nil {
					return w.line(f.Info.Segment.Start)
				}
				return w.line(w.starts[max(sort.SearchInts(w.starts, at+1)-2, 0)])
			}
			return w.line(at)
		}
		if n.Pos() >= 0 {
			return w.line(n.Pos())
		}
	}
	return 1
}

func (w *walker) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c)
	}
}

func (w *walker) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		w.prose(w.inline(n), w.lineOf(n))
	case *ast.Blockquote:
		w.quote(n)
	case *ast.List:
		w.list(n)
	case *ast.ListItem, *east.DefinitionTerm:
		w.bullet, w.mark = true, w.nextMark
		if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
			w.prose(w.inline(n), w.lineOf(n))
			break
		}
		w.children(n)
	case *east.DefinitionList:
		w.list(n)
	case *ast.FencedCodeBlock:
		w.fenced(n)
	case *ast.CodeBlock:
		w.emit(markup.Block{Kind: markup.Code, Text: strings.Trim(w.raw(n), "\n"), Line: w.lineOf(n)})
	case *ast.HTMLBlock:
		text := w.raw(n)
		if n.HasClosure() {
			text += string(n.ClosureLine.Value(w.src))
		}
		w.html(text, w.lineOf(n))
	case *east.Table:
		w.table(n)
	case *ast.LinkReferenceDefinition:
		w.ref(markup.Link, string(n.Destination), n.Pos(), false)
	case *ast.ThematicBreak:
	default:
		w.children(n)
	}
}

func (w *walker) raw(n ast.Node) string {
	var b strings.Builder
	if lines := n.Lines(); lines.Len() > 0 {
		b.Grow(max(0, lines.At(lines.Len()-1).Stop-lines.At(0).Start))
	}
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(w.src))
	}
	return b.String()
}

// trimLines takes the blanks off both sides of every line break.
func trimLines(text string) string {
	if strings.IndexByte(text, '\n') < 0 || !strings.Contains(text, " \n") && !strings.Contains(text, "\t\n") && !strings.Contains(text, "\n ") && !strings.Contains(text, "\n\t") {
		return text
	}
	return spaces.ReplaceAllString(text, "\n")
}

var spaces = lazy.Regexp(`[ \t]*\n[ \t]*`)

// prose adds a paragraph: to the list that it is in, or as a block.
func (w *walker) prose(text string, line int) {
	text = strings.TrimSpace(trimLines(text))
	if text == "" {
		return
	}
	if label, ok := strings.CutPrefix(text, labelMark); ok {
		w.settle()
		w.label, w.labelLine, w.labelAt = label, line, w.depth
		return
	}
	if w.label != "" && w.labelAt != w.depth {
		w.settle()
	}
	if w.label != "" {
		sep := ": "
		if strings.ContainsAny(w.label, ":.?! ") {
			sep = "\n"
		}
		if !strings.HasPrefix(strings.ToLower(text), strings.ToLower(w.label)) {
			text = w.label + sep + text
		}
		line, w.label = w.labelLine, ""
	}
	if w.depth == 0 {
		w.emit(markup.Block{Kind: markup.Prose, Text: text, Line: line})
		return
	}
	if len(w.items) == 0 {
		w.itemLine = line
	}
	indent := strings.Repeat("  ", w.depth-1)
	first := indent + "  "
	if w.bullet {
		first = indent + w.mark
		w.bullet = false
	}
	w.items = append(w.items, first+strings.ReplaceAll(text, "\n", "\n"+indent+"  "))
}

// settle gives a label that nothing followed a block of its own.
func (w *walker) settle() {
	if w.label == "" {
		return
	}
	text := w.label
	w.label = ""
	w.prose(text, w.labelLine)
}

// flush ends the list, or the part of it before what is no text.
func (w *walker) flush() {
	if len(w.items) > 0 {
		b := markup.Block{Kind: markup.Prose, Text: strings.Join(w.items, "\n"), Line: w.itemLine}
		w.items = nil
		w.put(b)
	}
	if len(w.rows) > 0 {
		b := markup.Block{Kind: markup.Table, Text: strings.Join(w.rows, "\n"), Line: w.rowLine}
		w.rows = nil
		w.put(b)
	}
}

func (w *walker) emit(b markup.Block) {
	w.flush()
	w.settle()
	w.put(b)
}

func (w *walker) put(b markup.Block) {
	b.Text = strings.ReplaceAll(b.Text, labelMark, "")
	// Braces and tags within each other are made lines of their own, which the source has not.
	b.Line = min(b.Line, w.last)
	if strings.TrimSpace(b.Text) != "" {
		w.blocks = append(w.blocks, b)
	}
}

func (w *walker) list(n ast.Node) {
	w.depth++
	number, isOrdered := 0, false
	if l, ok := n.(*ast.List); ok {
		number, isOrdered = l.Start, l.IsOrdered()
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if w.nextMark = "- "; isOrdered {
			w.nextMark = strconv.Itoa(number) + ". "
			number++
		}
		w.block(c)
	}
	w.depth--
	w.bullet = false
	if w.depth == 0 {
		w.flush()
	}
}

func (w *walker) heading(n *ast.Heading) {
	words := strings.ReplaceAll(w.inline(n), "\n", " ")
	var source string
	if n.Lines().Len() > 0 {
		last := n.Lines().At(n.Lines().Len() - 1)
		source = strings.TrimRight(string(last.Value(w.src)), "\n")
	}
	anchor := ""
	if !strings.Contains(source, "{") {
	} else if m := customID.FindStringSubmatch(source); m != nil {
		anchor = m[1]
		if i := strings.LastIndexByte(words, '{'); i >= 0 {
			words = words[:i]
		}
	} else if attrTail.MatchString(source) {
		words = attrTail.ReplaceAllString(words, "")
	}
	words = strings.TrimRight(strings.TrimSpace(words), "\\ ")
	if anchor == "" {
		anchor = w.slug(words)
	}
	w.emit(markup.Block{Kind: markup.Heading, Text: words, Level: n.Level, Anchor: anchor, Line: w.lineOf(n)})
}

var alert = lazy.Regexp(`^\[!([A-Za-z]+)\][+-]?[ \n]*`)

// quote reads a quotation, which may be one of GitHub's alerts.
func (w *walker) quote(n *ast.Blockquote) {
	first := true
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p, ok := c.(*ast.Paragraph)
		if !ok || !first {
			first = false
			w.block(c)
			continue
		}
		first = false
		text, line := w.inline(p), w.lineOf(p)
		if m := alert.FindStringSubmatch(text); m != nil {
			w.prose(labelMark+kindName(m[1]), line)
			text = text[len(m[0]):]
		}
		w.prose(text, line)
	}
}

func (w *walker) table(n *east.Table) {
	var rows []string
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		var cells []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			w.opening = c == r.FirstChild()
			cells = append(cells, strings.Join(strings.Fields(w.inline(c)), " "))
		}
		w.opening = false
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		if len(cells) > 0 {
			rows = append(rows, strings.Join(cells, " | "))
		}
	}
	w.emit(markup.Block{Kind: markup.Table, Text: strings.Join(rows, "\n"), Line: w.lineOf(n)})
}

func (w *walker) fenced(n *ast.FencedCodeBlock) {
	info := ""
	if n.Info != nil {
		info = string(n.Info.Segment.Value(w.src))
	}
	text, line := strings.Trim(w.raw(n), "\n"), w.lineOf(n)
	if strings.HasPrefix(info, tableMark) {
		w.emit(markup.Block{Kind: markup.Table, Text: text, Line: line})
		return
	}
	lang, title := codeInfo(info)
	if strings.Contains(text, "<font color=") || strings.Contains(text, "<span style=") {
		text = html.UnescapeString(colour.ReplaceAllString(text, ""))
	}
	if title != "" && text != "" {
		w.prose("`"+title+"`:", line)
	}
	w.emit(markup.Block{Kind: markup.Code, Text: text, Lang: lang, Line: line})
}

// colour is how a recorded terminal is shown, by termynal and its like.
var colour = lazy.Regexp(`</?(?:font|span|u|b|i)(?:[ \t][^<>]*)?>`)

var (
	codeTitle = lazy.Regexp(`(?:^|[\s{,])(?:title|filename|file|fileName|header|name)=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))`)
	codeGroup = lazy.Regexp(`(?:^|[^\[])\[([^\[\]"',{}]+)\](?:[^\]]|$)`)
	codePath  = lazy.Regexp(`^[\w./@()\[\]-]*[/.][\w./@()\[\]-]+$`)
	codeClass = lazy.Regexp(`^\{[^}]*?\.([\w+#-]+)`)
)

// codeInfo takes apart what stands after a fence: the language, and the name of the file.
func codeInfo(info string) (lang, title string) {
	info = strings.TrimSpace(info)
	if !strings.ContainsAny(info, " \t{:,=[") {
		return info, ""
	}
	if strings.Contains(info, "=") {
		if m := codeTitle.FindStringSubmatch(info); m != nil {
			title = m[1] + m[2] + m[3]
		}
	}
	if strings.HasPrefix(info, "{") {
		if m := codeClass.FindStringSubmatch(info); m != nil {
			return m[1], title
		}
		lang, _, _ = strings.Cut(strings.TrimLeft(info, "{ "), "}")
		lang, _, _ = strings.Cut(lang, " ")
		lang = strings.TrimRight(lang, ",")
		if strings.Contains(lang, "=") {
			lang = ""
		}
		return lang, title
	}
	lang, rest, _ := strings.Cut(info, " ")
	if strings.Contains(lang, "=") {
		return "", title
	}
	if i := strings.IndexAny(lang, "{:,["); i >= 0 {
		lang, rest = lang[:i], lang[i:]+" "+rest
	}
	if title == "" {
		if m := codeGroup.FindStringSubmatch(rest); m != nil && strings.Trim(m[1], "0123456789 -.") != "" {
			title = m[1]
		} else if f := strings.Fields(rest); len(f) > 0 && codePath.MatchString(f[0]) && !strings.ContainsAny(f[0], "{}") {
			title = f[0]
		}
	}
	return lang, title
}
