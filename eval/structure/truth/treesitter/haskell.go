package main

import (
	tshaskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"
)

// Functions are equations with patterns, wherever they are, and bindings of names
// at top level, in classes and in instances; what a class requires too. The
// equations of one name in a row are one function. Operators are named by their
// sign. Calls are the heads of applications in expressions, and of records made.
func haskell() language {
	return language{
		grammar:    tshaskell.Language,
		extensions: "hs",
		functions: map[string]rule{
			"function":  equation,
			"bind":      haskellBind,
			"signature": required,
		},
		imports: map[string]rule{"import": func(n *node) []fact { return path(plain(n.get("module")), n.get("module")) }},
		calls: map[string]rule{
			"apply":  haskellApply,
			"record": haskellRecord,
		},
	}
}

// equationName returns the name that an equation defines, or nil.
func equationName(n *node) *node {
	if n == nil {
		return nil
	}
	if id := n.get("name"); id != nil {
		if id.is("prefix_id") {
			return id.get("0")
		}
		return id
	}
	if in := n.get("#infix"); in != nil {
		op := in.get("operator")
		if op.is("infix_id") {
			return op.get("0")
		}
		return op
	}
	return equationName(n.get("#function_head_parens"))
}

func equation(n *node) []fact {
	id := equationName(n)
	if id == nil {
		return nil
	}
	if before := n.next(-1); before.is("function", "bind") {
		if b := equationName(before); b != nil && b.text == id.text {
			return nil
		}
	}
	return name(id)
}

func haskellBind(n *node) []fact {
	if n.get("name") == nil || n.inside("local_binds") != nil || !n.up.is("declarations", "class_declarations", "instance_declarations") {
		return nil
	}
	return equation(n)
}

func required(n *node) []fact {
	if !n.up.is("class_declarations") {
		return nil
	}
	var out []fact
	ids := []*node{n.get("name")}
	if n.get("name") == nil && n.get("names") != nil {
		ids = n.get("names").all("name")
	}
	for _, id := range ids {
		if id.is("prefix_id") {
			id = id.get("0")
		}
		out = append(out, name(id)...)
	}
	return out
}

func haskellApply(n *node) []fact {
	if n.up.is("apply") && n.field == "function" || !isExpression(n) {
		return nil
	}
	head := n
	for head.is("apply") {
		head = head.get("function")
	}
	head = descent{"variable": "", "constructor": "", "qualified": "id", "projection": "field", "field_name": "0"}.name(head)
	return name(head)
}

func haskellRecord(n *node) []fact {
	c := n.get("expression")
	if c.is("qualified") {
		c = c.get("id")
	}
	if !c.is("constructor") || !isExpression(n) {
		return nil
	}
	return name(c)
}

// isExpression reports whether n is evaluated: not a pattern, not a type.
func isExpression(n *node) bool {
	for ; n.up != nil; n = n.up {
		switch n.field {
		case "patterns", "pattern", "type", "kind", "context", "parameter", "result", "constructor", "field", "left_type", "constraint", "synonym", "constructors":
			if !n.is("field_update") {
				return false
			}
		case "match":
			return true
		}
		switch n.up.kind {
		case "match", "exp", "guard", "top_splice":
			return true
		}
	}
	return false
}
