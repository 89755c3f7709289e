package markdown

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// outline is a parsed page as text: the kinds of its nodes, and what of the source they have.
func outline(p parser.Parser, src []byte) string {
	var b strings.Builder
	depth := 0
	_ = ast.Walk(p.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		kind := n.Kind().String()
		if kind == "TextBlock" { // how tight a list is matters to HTML alone
			kind = "Paragraph"
		}
		fmt.Fprintf(&b, "%*s%s", depth, "", kind)
		if t, ok := n.(*ast.Text); ok {
			fmt.Fprintf(&b, " %q", t.Segment.Value(src))
		} else if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				fmt.Fprintf(&b, " %d:%q", line.Start, line.Value(src))
			}
		}
		b.WriteByte('\n')
		depth++
		return ast.WalkContinue, nil
	})
	return b.String()
}

// What is read here is read as goldmark's extensions read it.
func TestExtensions(t *testing.T) {
	theirs := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithBlockParsers(util.Prioritized(extension.NewDefinitionListParser(), 101), util.Prioritized(extension.NewDefinitionDescriptionParser(), 102)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(extension.NewTaskCheckBoxParser(), 0), util.Prioritized(extension.NewStrikethroughParser(), 500)),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)))
	ours := grammar(false)
	seen := map[string]int{}
	check := func(src string) {
		t.Helper()
		got, want := outline(ours, []byte(src)), outline(theirs, []byte(src))
		if got != want {
			t.Fatalf("%q:\n%s\nwant\n%s", src, got, want)
		}
		for _, kind := range []string{"TableCell", "TaskCheckBox", "Strikethrough", "DefinitionDescription", "DefinitionTerm"} {
			seen[kind] += strings.Count(want, kind)
		}
	}
	check("| a | b |\n|:--|--:|\n| `x\\|y` | ~~z~~ |\n| one \\| two | three | four |\n")
	check("text before\na | b\n--|--\n1 | `a\\|b\\|c` \\| `d\\|`\n| 2 |\n\nafter\n")
	check("- [ ] todo\n- [x]\tdone\n- [X]done\n- [y] none\n\n  [ ] nor this\n")
	check("term\nother\n: first\n\n  more\n: second\n\nnext\n\n:   third\n\n        code\n\nend\n")
	pages, err := filepath.Glob(filepath.Join("testdata", "*.md"))
	if more, wrong := filepath.Glob(filepath.Join("..", "..", "..", "..", "docs", "*.md")); err == nil {
		pages, err = append(pages, more...), wrong
	}
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(string(src))
	}
	pieces := []string{"|", "|", "\\|", "`", "``", "-", "--", ":-:", ":--", "|---|---|", "\n", "\n", "\n\n", " ", "    ", "\t", "a", "b c", "[x] ", "- [ ] ", "- ", "1. ", "~", "~~", ":", ": ", "\n: ", "\n:   ", "> ", "é", "*", "[a](b)", "# "}
	r := rand.New(rand.NewPCG(1, 2))
	for range 6_000 {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		check(b.String())
	}
	for kind, n := range seen {
		if n < 100 {
			t.Errorf("%d of %s: too few to say anything", n, kind)
		}
	}
}
