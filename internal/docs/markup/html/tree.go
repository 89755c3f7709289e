package html

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// maxDepth bounds how deep elements lie in one another; what is deeper stands with
// its ancestor on that level.
const maxDepth = 200

// A node is an element, or text where its tag is "".
type node struct {
	tag   string
	text  string
	class []string
	attr  map[string]string // those that are used
	kids  []*node
	line  int
	size  int // bytes of text below it
}

func (n *node) has(names ...string) bool {
	return slices.ContainsFunc(n.class, func(c string) bool { return slices.Contains(names, c) })
}

// is reports whether one of the classes of n is in the set.
func (n *node) is(set *lazy.Set) bool {
	return slices.ContainsFunc(n.class, set.Has)
}

var (
	void   = lazy.Words("area base br col embed hr img input link meta param source track wbr")
	blocks = lazy.Words(`address article aside blockquote body center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
		head header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul`)
	kept = lazy.Words("style id name class role href alt hidden aria-hidden content lang data-lang data-language start title data-title label property")
	// closes says which open elements a new one ends, up to the element after "<".
	closes = map[string]string{
		"li": "li < ul ol menu", "dt": "dt dd < dl", "dd": "dt dd < dl", "tr": "tr td th < table", "td": "td th < tr table", "th": "td th < tr table",
		"tbody": "tr td th thead tbody < table", "tfoot": "tr td th thead tbody < table", "thead": "tr td th < table",
		"option": "option < select", "a": "a < td th li dd div p", "body": "head < html",
	}
)

// tree reads a page into elements. It has its own idea of which end tags are left
// out, not that of the standard in all its parts, and knows the lines.
func tree(src []byte) *node {
	root := &node{tag: "#root", line: 1}
	stack := []*node{root}
	z := html.NewTokenizer(bytes.NewReader(src))
	line := 1
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := z.Raw()
		at := line // of the first word
		at += bytes.Count(raw[:len(raw)-len(bytes.TrimLeft(raw, " \t\r\n"))], []byte("\n"))
		line += bytes.Count(raw, []byte("\n"))
		top := stack[len(stack)-1]
		switch kind {
		case html.TextToken:
			if text := string(z.Text()); text != "" {
				top.kids = append(top.kids, &node{text: text, line: at})
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			n := element(z, at)
			stack = implied(stack, n.tag)
			top = stack[len(stack)-1]
			top.kids = append(top.kids, n)
			if kind == html.StartTagToken && !void.Has(n.tag) && len(stack) < maxDepth {
				stack = append(stack, n)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			stack = end(stack, string(name))
		}
	}
	measure(root)
	return root
}

// element returns the element that the tokenizer stands on.
func element(z *html.Tokenizer, line int) *node {
	name, more := z.TagName()
	n := &node{tag: string(name), line: line}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch k := string(key); {
		case k == "class":
			n.class = strings.Fields(string(value))
			if len(n.class) > 16 {
				n.class = n.class[:16]
			}
		case kept.Has(k):
			if n.attr == nil {
				n.attr = map[string]string{}
			}
			if _, twice := n.attr[k]; !twice {
				n.attr[k] = string(value)
			}
		}
	}
	return n
}

// implied ends what an element of that tag ends by beginning.
func implied(stack []*node, tag string) []*node {
	if rule, ok := closes[tag]; ok {
		ended, border, _ := strings.Cut(rule, "<")
		stack = unwind(stack, strings.Fields(ended), strings.Fields(border))
	}
	if len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' {
		stack = unwind(stack, headings, []string{"td", "th", "li", "dd", "dt", "div", "blockquote", "section", "table", "article", "header"})
	}
	if blocks.Has(tag) {
		stack = unwind(stack, []string{"p"}, []string{"td", "th", "li", "dd", "dt", "div", "blockquote", "section", "table", "button", "a"})
	}
	return stack
}

var headings = []string{"h1", "h2", "h3", "h4", "h5", "h6"}

// unwind ends the outermost of the named elements above a border.
func unwind(stack []*node, names, border []string) []*node {
	to := len(stack)
	for i := len(stack) - 1; i > 0; i-- {
		tag := stack[i].tag
		if slices.Contains(names, tag) {
			to = i
		} else if slices.Contains(border, tag) {
			break
		}
	}
	return stack[:to]
}

// end ends the innermost element of that tag. An end tag does not reach out of a
// cell or, but for those of blocks, out of a block.
func end(stack []*node, tag string) []*node {
	for i := len(stack) - 1; i > 0; i-- {
		switch open := stack[i].tag; {
		case open == tag:
			return stack[:i]
		case (open == "td" || open == "th") && tag != "tr" && tag != "table" && tag != "tbody" && tag != "thead" && tag != "body" && tag != "html":
			return stack
		case blocks.Has(open) && !blocks.Has(tag) && open != "p":
			return stack
		}
	}
	return stack
}

// measure notes the bytes of text below every element.
func measure(n *node) int {
	n.size = len(strings.TrimSpace(n.text))
	if n.tag == "script" || n.tag == "style" {
		return 0
	}
	for _, k := range n.kids {
		n.size += measure(k)
	}
	return n.size
}

// find returns the first element below n, in the order of the text, for which ok
// holds, or nil.
func (n *node) find(ok func(*node) bool) *node {
	for _, k := range n.kids {
		if k.tag == "" {
			continue
		}
		if ok(k) {
			return k
		}
		if found := k.find(ok); found != nil {
			return found
		}
	}
	return nil
}

// utf8Text returns src as UTF-8. What is not is taken for Latin-1.
func utf8Text(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if utf8.Valid(src) {
		return src
	}
	out := make([]byte, 0, len(src)+len(src)/8)
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(src[i])
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out
}
