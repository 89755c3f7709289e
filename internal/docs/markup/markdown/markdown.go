// Package markdown reads Markdown as tools for documentation write it: GitHub's, with
// the containers, admonitions, tabs, includes and components of MkDocs, VitePress,
// Docusaurus, Svelte, Angular and MyST, and MDX.
//
// Whatever the input, reading it ends, in time that grows as the input does, and a page
// is no longer than a small multiple of the input and of what opt answers, of which a
// page takes no more than a fixed sum. Text that is not understood stays as prose.
package markdown

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// Parse reads a page of Markdown. Components in capitals on lines of their own are read
// as in MDX; other tags as HTML.
func Parse(src []byte, opt markup.Options) markup.Page {
	return parse(src, opt, false)
}

// ParseMDX reads a page of MDX: tags are JSX, braces hold expressions, imports and
// exports are code, and nothing is code for its indentation alone.
func ParseMDX(src []byte, opt markup.Options) markup.Page {
	return parse(src, opt, true)
}

func parse(src []byte, opt markup.Options, mdx bool) markup.Page {
	d := newDraft(clean(src))
	meta := d.front()
	if !mdx {
		budget := min(4*len(src)+64<<10, 1<<20)
		d = untemplate(d, opt, &budget, 0)
	}
	d = flow(d, opt, len(src))
	if mdx || strings.Contains(d.text(), "<") {
		var found front
		d, found = strip(d, opt, mdx)
		meta.fill(found)
	}
	d = d.bound()
	w := &walker{src: []byte(d.text()), draft: d, mdx: mdx, wantRefs: opt.Refs, slugs: map[string]int{}, last: slices.Max(append([]int{1}, d.nums...))}
	w.starts = lineStarts(w.src)
	root := grammars[mdx]().Parse(text.NewReader(w.src), parser.WithContext(&refs{Context: parser.NewContext(), names: crossNames(w.src)}))
	w.children(root)
	w.flush()
	w.settle()
	page := markup.Page{Title: meta.title, Description: meta.description, Blocks: w.blocks, Refs: w.refs}
	page.Title = cmp.Or(w.title(meta.title != ""), page.Title)
	return page
}

// grammars are made once: a parser has no state of a page.
var grammars = map[bool]func() parser.Parser{
	false: sync.OnceValue(func() parser.Parser { return grammar(false) }),
	true:  sync.OnceValue(func() parser.Parser { return grammar(true) }),
}

// grammar is CommonMark with tables, strikethrough, task lists and definition lists.
// Footnotes are left where they stand: flow has made paragraphs of them.
func grammar(mdx bool) parser.Parser {
	blocks := parser.DefaultBlockParsers()
	if mdx {
		kept := blocks[:0:0]
		for _, b := range blocks {
			switch p := b.Value.(parser.BlockParser); p {
			case parser.NewCodeBlockParser():
				continue
			case parser.NewFencedCodeBlockParser(), parser.NewParagraphParser():
				b.Value = indented{p}
			}
			kept = append(kept, b)
		}
		blocks = kept
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithBlockParsers(
			util.Prioritized(definitionList{}, 101),
			util.Prioritized(description{}, 102)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(boxReader{}, 0),
			util.Prioritized(strikeReader{}, 500)),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(tableReader{}, 200)),
		parser.WithASTTransformers(util.Prioritized(pipeReader{}, 0)),
	)
}

// indented is a parser of blocks that may begin anywhere on a line.
type indented struct{ parser.BlockParser }

func (indented) CanAcceptIndentedLine() bool { return true }

// title is the first heading of level 1, unless it comes after others of which it is not the
// title; or, where front matter names the page no better, a heading that it opens with.
func (w *walker) title(named bool) string {
	below := 0
	for _, b := range w.blocks {
		if b.Kind == markup.Heading {
			if b.Level == 1 {
				return b.Text
			}
			below++
		}
		if below > 1 {
			break
		}
	}
	if !named && len(w.blocks) > 0 && w.blocks[0].Kind == markup.Heading {
		return w.blocks[0].Text
	}
	return ""
}
