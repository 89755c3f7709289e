// Package html reads the content of pages of documentation that were made by a
// generator: Sphinx, Doxygen, Javadoc, mdBook, Docusaurus, Texinfo, DocBook and
// their like. Navigation around the content is omitted.
//
// Whatever the input, reading it ends, in time and space proportional to it.
package html

import (
	"cmp"
	_ "embed" // around.txt
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// Parse reads a page. It asks nothing of opt.
func Parse(src []byte, _ markup.Options) markup.Page {
	root := tree(utf8Text(src))
	w := &walker{}
	main := content(root)
	isH1 := func(n *node) bool { return n.tag == "h1" || title(n) }
	if main != root && main.find(isH1) == nil {
		if h1 := visible(root, isH1); h1 != nil {
			w.heading(h1, 1)
		}
	}
	w.walk(main)
	w.paragraph()
	page := w.Page()
	if page.Title == "" {
		if n := root.find(func(n *node) bool { return n.tag == "title" }); n != nil {
			page.Title = squeeze(n)
		}
	}
	if n := root.find(func(n *node) bool {
		return n.tag == "meta" && (n.attr["name"] == "description" || n.attr["property"] == "og:description")
	}); n != nil {
		page.Description = strings.Join(strings.Fields(n.attr["content"]), " ")
	}
	return page
}

// visible returns the first element for which ok holds outside of what is omitted.
func visible(n *node, ok func(*node) bool) *node {
	for _, k := range n.kids {
		if k.tag == "" || hidden(k) {
			continue
		}
		if ok(k) {
			return k
		}
		if found := visible(k, ok); found != nil {
			return found
		}
	}
	return nil
}

// content returns the element that holds what the page is about.
func content(root *node) *node {
	body := cmp.Or(root.find(func(n *node) bool { return n.tag == "body" }), root)
	for _, ok := range []func(*node) bool{
		func(n *node) bool { return n.tag == "main" || n.attr["role"] == "main" },
		func(n *node) bool { return n.tag == "article" },
		func(n *node) bool {
			return n.has("theme-doc-markdown", "markdown-body", "markdown-section", "rst-content", "md-content", "body", "documentwrapper")
		},
		func(n *node) bool {
			switch n.attr["id"] {
			case "content", "main-content", "main", "bodyContent":
				return n.tag == "div" || n.tag == "section"
			}
			return false
		},
	} {
		var found []*node
		n := collect(body, ok, &found)
		// Several are parts of a page; a small one is not what it is about.
		if n == 1 && found[0].size*3 > body.size {
			if inner := found[0]; inner.tag == "main" {
				var articles []*node
				if collect(inner, func(n *node) bool { return n.tag == "article" }, &articles) == 1 && articles[0].size*2 > inner.size {
					return articles[0]
				}
			}
			return found[0]
		}
	}
	return body
}

// collect appends the outermost elements for which ok holds.
func collect(n *node, ok func(*node) bool, found *[]*node) int {
	for _, k := range n.kids {
		switch {
		case k.tag == "":
		case ok(k):
			*found = append(*found, k)
		default:
			collect(k, ok, found)
		}
	}
	return len(*found)
}

//go:embed around.txt
var aroundNames string

var (
	// unseen are elements with nothing to read.
	unseen = lazy.Words(`script style noscript template nav svg iframe object select button input textarea canvas audio video map head form-field
		dialog rustdoc-toolbar rustdoc-search`)
	// around are classes of what generators put around the content.
	around    = lazy.Words(aroundNames)
	aroundIDs = lazy.Words(`top side-nav nav-path navigation sidebar toc table-of-contents searchbox MSearchSelectWindow MSearchResultsWindow
		doc-content-nav searchresults TableOfContents menu nav main-nav globaltoc page-toc SEC_Contents SEC_Shortcontents`)
	aroundRoles = lazy.Words("navigation search banner contentinfo doc-toc toolbar tablist")
	asides      = lazy.Words(`footnote-list footnote admonition note tip warning caution danger important seealso starlight-aside aside sidebar topic
		versionadded versionchanged deprecated hint callout alert info`)
)

// hidden reports whether an element is omitted.
func hidden(n *node) bool {
	_, off := n.attr["hidden"]
	switch {
	case n.attr["style"] != "" && markup.IsInvisible(n.attr["style"], strings.Join(n.class, " "), n.attr["role"], false):
		return true
	case unseen.Has(n.tag), off && !n.has("item-table"), aroundRoles.Has(n.attr["role"]), aroundIDs.Has(n.attr["id"]) && n.tag != "h1" && n.tag != "h2" && n.tag != "a" && n.tag != "body" && n.tag != "main":
		return true
	case n.tag == "aside":
		return !n.is(asides) || n.has("contents")
	case n.tag == "footer", n.has("footer") && n.tag != "section":
		return true
	case n.has("contents") && (n.has("topic", "local") || n.tag == "nav"):
		return true
	case n.tag == "header" || n.has("header") && n.tag == "div":
		return n.find(func(n *node) bool { return isHeading(n) || title(n) || n.tag == "p" && n.has("title") }) == nil
	case n.tag == "div" && n.has("summary"): // Doxygen's links; Javadoc's has tables
		return n.find(func(n *node) bool { return n.tag != "a" && n.tag != "span" && n.tag != "" }) == nil
	case n.tag == "body", n.tag == "main", n.tag == "article", n.tag == "html":
		return false
	}
	if n.attr["aria-hidden"] == "true" && n.tag != "code" && n.tag != "pre" {
		return true
	}
	return n.is(around) && !(n.has("sidebar") && n.find(isHeadingPara) != nil)
}

// isHeadingPara reports whether n is the title of a box in the text.
func isHeadingPara(n *node) bool { return n.has("sidebar-title") }

func isHeading(n *node) bool {
	return len(n.tag) == 2 && n.tag[0] == 'h' && n.tag[1] >= '1' && n.tag[1] <= '6'
}

// title reports whether n is Doxygen's name of a page. Asciidoctor has the class "title" for those of blocks.
func title(n *node) bool {
	return n.tag == "div" && n.has("headertitle") || n.has("refentrytitle") && n.tag == "h1"
}

// text appends what can be read below n, as it stands.
func text(b *strings.Builder, n *node) {
	if n.tag == "" {
		b.WriteString(n.text)
		return
	}
	if hidden(n) {
		return
	}
	if n.tag == "br" {
		b.WriteByte('\n')
	}
	for _, k := range n.kids {
		// Doxygen's lines are elements, with a line feed between them that is not seen.
		if k.tag == "" && n.has("fragment") && strings.TrimSpace(k.text) == "" {
			continue
		}
		text(b, k)
	}
	if n.tag == "div" || n.tag == "p" || n.tag == "li" || n.tag == "tr" {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
	}
}

// squeeze returns the text of n on one line.
func squeeze(n *node) string {
	var b strings.Builder
	text(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// preformatted returns the text of n with its lines.
func preformatted(n *node) string {
	var b strings.Builder
	text(&b, n)
	lines := strings.Split(strings.NewReplacer("\r", "", "\u00a0", " ", "\u200b", "").Replace(b.String()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// code adds the text of n as code.
func (w *walker) code(n *node, lang string) {
	w.paragraph()
	if s := preformatted(n); s != "" {
		w.Add(markup.Block{Kind: markup.Code, Text: s, Lang: lang, Line: n.line})
		w.id = ""
	}
}

// inlineCode returns the text of n as code within a line.
func inlineCode(n *node) string { return flow.Code(squeeze(n)) }
