package main

import (
	"reflect"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// A rule says what a node is, as facts: none where it is nothing.
type rule func(n *node) []fact

// A language is its grammar and, by kinds of nodes, the rules of what counts.
type language struct {
	grammar    func() unsafe.Pointer
	extensions string              // separated by spaces
	functions  map[string]rule     // named as declared
	imports    map[string]rule     // paths as written
	calls      map[string]rule     // named by the last name of what is called
	skip       map[string]bool     // nothing below such a node counts
	prepare    func(string) string // changes a text where the grammar cannot read it; lines must stay
}

// bundled returns a grammar that the module of the parser brings along. It keeps
// the pointer to itself.
func bundled(l *sitter.Language) func() unsafe.Pointer {
	return func() unsafe.Pointer { return reflect.ValueOf(l).Elem().Field(0).UnsafePointer() }
}

// A fact is one thing at a line.
type fact struct {
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line"`
}

func name(n *node) []fact {
	if n == nil || n.text == "" || n.kind == "MISSING" {
		return nil
	}
	return []fact{{Name: n.text, Line: n.line}}
}

func path(text string, n *node) []fact {
	if n == nil || text == "" {
		return nil
	}
	return []fact{{Path: text, Line: n.line}}
}

// at is the rule that what a path of steps leads to is the name.
func at(steps string) rule {
	return func(n *node) []fact { return name(n.get(steps)) }
}

// A descent says for kinds of nodes by which step their last name is reached;
// "" where they are the name.
type descent map[string]string

// name returns the node of the last name of an expression, nil where it has none.
func (d descent) name(n *node) *node {
	for n != nil {
		step, ok := d[n.kind]
		if !ok {
			return nil
		}
		if step == "" {
			return n
		}
		n = n.get(step)
	}
	return nil
}

// at is the rule that the last name of what steps lead to is the name.
func (d descent) at(steps string) rule {
	return func(n *node) []fact { return name(d.name(n.get(steps))) }
}

func unquote(s string) string {
	return strings.Trim(s, "\"'<>`")
}

// set makes a set of words.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
