//go:build !slim

package check

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// A markup is a document of XML or HTML.
type markup struct{ root *node }

// A node has the names of the document, prefix included: a default namespace needs none.
type node struct {
	kind                            xpath.NodeType
	prefix, name, text              string
	attrs                           []*node
	parent, child, last, prev, next *node
}

// mostNested bounds how deep elements nest.
const mostNested = 2000

func (n *node) add(c *node) *node {
	c.parent, c.prev = n, n.last
	if n.last == nil {
		n.child = c
	} else {
		n.last.next = c
	}
	n.last = c
	return c
}

func (n *node) attribute(prefix, name, value string) {
	n.attrs = append(n.attrs, &node{kind: xpath.AttributeNode, prefix: prefix, name: name, text: value, parent: n})
}

// readMarkup reads a body as HTML, if it says so, or else as XML.
func readMarkup(a *answer) (*markup, error) {
	start := strings.ToLower(strings.TrimSpace(a.body[:min(len(a.body), 200)]))
	if strings.Contains(a.header.Get("Content-Type"), "text/html") || strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") {
		return readHTML(a.body)
	}
	root := &node{kind: xpath.RootNode}
	dec := xml.NewDecoder(strings.NewReader(a.body))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the body is UTF-8 by now
	at, depth := root, 0
	for {
		token, err := dec.RawToken()
		switch {
		case errors.Is(err, io.EOF) && at == root && root.child != nil:
			return &markup{root}, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("response body is not valid XML: it ends too early")
		case err != nil:
			return nil, fmt.Errorf("response body is not valid XML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > mostNested {
				return nil, fmt.Errorf("response body nests elements more than %d deep", mostNested)
			}
			at = at.add(&node{kind: xpath.ElementNode, prefix: t.Name.Space, name: t.Name.Local})
			for _, attr := range t.Attr {
				at.attribute(attr.Name.Space, attr.Name.Local, attr.Value)
			}
		case xml.EndElement:
			if at == root || at.prefix != t.Name.Space || at.name != t.Name.Local {
				return nil, fmt.Errorf("response body is not valid XML: line %s: </%s> ends nothing", line(dec), t.Name.Local)
			}
			at, depth = at.parent, depth-1
		case xml.CharData:
			if at != root {
				at.add(&node{kind: xpath.TextNode, text: string(t)})
			}
		case xml.Comment:
			at.add(&node{kind: xpath.CommentNode, text: string(t)})
		}
	}
}

func line(dec *xml.Decoder) string {
	n, _ := dec.InputPos()
	return strconv.Itoa(n)
}

func readHTML(body string) (*markup, error) {
	doc, err := html.Parse(strings.NewReader(body)) // it bounds the depth itself
	if err != nil {
		return nil, fmt.Errorf("response body is not valid HTML: %w", err)
	}
	root := &node{kind: xpath.RootNode}
	var copied func(from *html.Node, to *node)
	copied = func(from *html.Node, to *node) {
		for c := from.FirstChild; c != nil; c = c.NextSibling {
			switch c.Type {
			case html.ElementNode:
				n := to.add(&node{kind: xpath.ElementNode, name: c.Data})
				for _, a := range c.Attr {
					n.attribute(a.Namespace, a.Key, a.Val)
				}
				copied(c, n)
			case html.TextNode:
				to.add(&node{kind: xpath.TextNode, text: c.Data})
			case html.CommentNode:
				to.add(&node{kind: xpath.CommentNode, text: c.Data})
			}
		}
	}
	copied(doc, root)
	return &markup{root}, nil
}

// compiledXPath reads an expression.
func compiledXPath(expr string) (e *xpath.Expr, err error) {
	defer func() {
		if p := recover(); p != nil { // of the library, on what it does not expect
			err = fmt.Errorf("XPath %q: %v", expr, p)
		}
	}()
	if e, err = xpath.Compile(expr); err != nil {
		return nil, fmt.Errorf("XPath %q: %w", expr, err)
	}
	return e, nil
}

// checkXPath returns why an expression is none.
func checkXPath(expr string) error {
	_, err := compiledXPath(expr)
	return err
}

// values returns what an expression is in a document: the texts of the nodes that it selects, or one number, string or boolean.
func (m *markup) values(expr string) (found []string, scalar any, err error) {
	e, err := compiledXPath(expr)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("XPath %q: %v", expr, p)
		}
	}()
	v := e.Evaluate(&place{node: m.root})
	nodes, ok := v.(*xpath.NodeIterator)
	if !ok {
		return nil, v, nil
	}
	for nodes.MoveNext() {
		found = append(found, nodes.Current().Value())
	}
	return found, nil, nil
}

// holds reports whether an expression is true as boolean() says, and what it is.
func (m *markup) holds(expr string) (got string, ok bool, err error) {
	found, scalar, err := m.values(expr)
	if err != nil {
		return "", false, err
	}
	switch v := scalar.(type) {
	case nil:
		return "nothing", len(found) > 0, nil
	case bool:
		return "false", v, nil
	case float64:
		return number(v), v != 0 && v == v, nil
	case string:
		return strconv.Quote(v), v != "", nil
	}
	return "", false, fmt.Errorf("XPath %q: unexpected result", expr)
}

// first returns the text of what an expression selects first.
func (m *markup) first(expr string) (text string, ok bool, err error) {
	found, scalar, err := m.values(expr)
	if err != nil {
		return "", false, err
	}
	switch v := scalar.(type) {
	case nil:
		if len(found) == 0 {
			return "", false, nil
		}
		return found[0], true, nil
	case float64:
		return number(v), true, nil
	}
	return fmt.Sprint(scalar), true, nil
}

// A place is where the library is in a document.
type place struct{ node *node }

func (p *place) NodeType() xpath.NodeType  { return p.node.kind }
func (p *place) LocalName() string         { return p.node.name }
func (p *place) Prefix() string            { return p.node.prefix }
func (p *place) Copy() xpath.NodeNavigator { return &place{p.node} }

// Value is the text of a node: of an element, all text in it.
func (p *place) Value() string {
	if p.node.kind != xpath.ElementNode && p.node.kind != xpath.RootNode {
		return p.node.text
	}
	var b strings.Builder
	for n := p.node.child; n != nil; n = n.after(p.node) {
		if n.kind == xpath.TextNode {
			b.WriteString(n.text)
		}
	}
	return b.String()
}

// after returns the next node of the document within a node.
func (n *node) after(within *node) *node {
	if n.child != nil {
		return n.child
	}
	for n != within && n.next == nil {
		n = n.parent
	}
	if n == within {
		return nil
	}
	return n.next
}

func (p *place) to(n *node) bool {
	if n != nil {
		p.node = n
	}
	return n != nil
}

func (p *place) MoveToRoot() {
	for p.node.parent != nil {
		p.node = p.node.parent
	}
}

func (p *place) MoveToParent() bool   { return p.to(p.node.parent) }
func (p *place) MoveToNext() bool     { return p.to(p.node.next) }
func (p *place) MoveToPrevious() bool { return p.to(p.node.prev) }
func (p *place) MoveToChild() bool    { return p.to(p.node.child) }

func (p *place) MoveToFirst() bool {
	return p.node.prev != nil && p.to(p.node.parent.child)
}

func (p *place) MoveToNextAttribute() bool {
	if p.node.kind != xpath.AttributeNode {
		return len(p.node.attrs) > 0 && p.to(p.node.attrs[0])
	}
	all := p.node.parent.attrs
	for i, a := range all {
		if a == p.node && i+1 < len(all) {
			return p.to(all[i+1])
		}
	}
	return false
}

func (p *place) MoveTo(other xpath.NodeNavigator) bool {
	o, ok := other.(*place)
	return ok && p.to(o.node)
}
