package main

import (
	"strconv"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// A node is one of a tree, with what the rules ask of it.
type node struct {
	kind, field string // field is the name by which the parent knows it
	text        string
	line, last  int // from 1
	named       bool
	up          *node
	kids        []*node
}

// plant copies a tree: rules then need no C.
func plant(root *sitter.Node, src string) *node {
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	var at *node
	top := graft(c, nil, src)
	at = top
	for {
		if c.GoToFirstChild() {
			at = graft(c, at, src)
			continue
		}
		for !c.GoToNextSibling() {
			if !c.GoToParent() || at.up == nil {
				return top
			}
			at = at.up
		}
		at = graft(c, at.up, src)
	}
}

func graft(c *sitter.TreeCursor, up *node, src string) *node {
	t := c.CurrentNode()
	n := &node{kind: t.Type(), field: c.CurrentFieldName(), named: t.IsNamed(), up: up}
	n.line, n.last = int(t.StartPoint().Row)+1, int(t.EndPoint().Row)+1
	start, end := min(int(t.StartByte()), len(src)), min(int(t.EndByte()), len(src))
	n.text = src[start:end]
	if t.IsMissing() {
		n.kind = "MISSING"
	}
	if up != nil {
		up.kids = append(up.kids, n)
	}
	return n
}

// get follows a path of steps: the name of a field, "0" or "-1" for the first or
// last named child, "#kind" for the first child of a kind. It is nil, on which
// everything is nil too, where there is no such thing.
func (n *node) get(path string) *node {
	for step := range strings.FieldsSeq(path) {
		if n == nil {
			return nil
		}
		n = n.step(step)
	}
	return n
}

func (n *node) step(step string) *node {
	if kind, ok := strings.CutPrefix(step, "#"); ok {
		for _, k := range n.kids {
			if k.kind == kind {
				return k
			}
		}
		return nil
	}
	if i, err := strconv.Atoi(step); err == nil {
		var named []*node
		for _, k := range n.kids {
			if k.named && !strings.Contains(k.kind, "comment") {
				named = append(named, k)
			}
		}
		if i < 0 {
			i += len(named)
		}
		if i < 0 || i >= len(named) {
			return nil
		}
		return named[i]
	}
	for _, k := range n.kids {
		if k.field == step && k.kind != "comment" {
			return k
		}
	}
	return nil
}

// all returns the children of a kind, or of a field.
func (n *node) all(step string) []*node {
	var out []*node
	if n == nil {
		return nil
	}
	for _, k := range n.kids {
		if k.field == step || "#"+k.kind == step {
			out = append(out, k)
		}
	}
	return out
}

// is reports whether n is of one of the kinds.
func (n *node) is(kinds ...string) bool {
	if n == nil {
		return false
	}
	for _, k := range kinds {
		if n.kind == k {
			return true
		}
	}
	return false
}

// inside returns the nearest node around n of one of the kinds, or nil.
func (n *node) inside(kinds ...string) *node {
	for n = n.up; n != nil; n = n.up {
		if n.is(kinds...) {
			return n
		}
	}
	return nil
}

// next returns the sibling after n that is no comment, or nil.
func (n *node) next(by int) *node {
	if n == nil || n.up == nil {
		return nil
	}
	for i, k := range n.up.kids {
		if k == n {
			for i += by; i >= 0 && i < len(n.up.kids); i += by {
				if !strings.Contains(n.up.kids[i].kind, "comment") {
					return n.up.kids[i]
				}
			}
		}
	}
	return nil
}

// textOr returns the text of n, or what is given where there is no n.
func (n *node) textOr(none string) string {
	if n == nil {
		return none
	}
	return n.text
}
