package main

import (
	"strings"

	tsrust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
)

// Functions are fn items with and without bodies, and closures that a let binds
// to a name. What is in the parentheses of a macro's call is not parsed; there a
// name before a parenthesis is a call, and one before `!` and a bracket a macro's.
// Nothing in macro_rules! counts. Use trees are printed by leaves, each at the
// line of its last name.
func rust() language {
	callee := descent{
		"identifier": "", "type_identifier": "", "field_identifier": "", "field_expression": "field",
		"scoped_identifier": "name", "scoped_type_identifier": "name", "generic_function": "function", "generic_type": "type",
		"generic_type_with_turbofish": "type", "self": "", "crate": "", "super": "",
	}
	return language{
		grammar:    tsrust.Language,
		extensions: "rs",
		functions: map[string]rule{
			"function_item":           at("name"),
			"function_signature_item": at("name"),
			"let_declaration":         closure,
		},
		imports: map[string]rule{
			"use_declaration":          func(n *node) []fact { return useTree(n.get("argument"), "") },
			"mod_item":                 rustModule,
			"extern_crate_declaration": func(n *node) []fact { return path(n.get("name").text, n.get("name")) },
		},
		calls: map[string]rule{
			"call_expression":   callee.at("function"),
			"macro_invocation":  callee.at("macro"),
			"struct_expression": callee.at("name"),
			"token_tree":        tokenCalls,
		},
		skip: set("macro_definition attribute_item inner_attribute_item"),
	}
}

func closure(n *node) []fact {
	if !n.get("value").is("closure_expression") || !n.get("pattern").is("identifier") {
		return nil
	}
	return name(n.get("pattern"))
}

func rustModule(n *node) []fact {
	if n.get("body") != nil {
		return nil
	}
	return path(n.get("name").text, n.get("name"))
}

func useTree(n *node, prefix string) []fact {
	join := func(s string) string { return strings.TrimPrefix(prefix+"::"+s, "::") }
	if n == nil {
		return nil
	}
	switch n.kind {
	case "use_as_clause":
		p := n.get("path")
		return leaf(p, join(plain(p)))
	case "use_wildcard":
		return []fact{{Path: join(plain(n)), Line: n.last}}
	case "scoped_use_list":
		if p := n.get("path"); p != nil {
			prefix = join(plain(p))
		} else if prefix == "" {
			prefix = ""
		}
		return useTree(n.get("list"), prefix)
	case "use_list":
		var out []fact
		for _, k := range n.kids {
			if k.named {
				out = append(out, useTree(k, prefix)...)
			}
		}
		return out
	case "identifier", "scoped_identifier", "self", "crate", "super":
		return leaf(n, join(plain(n)))
	}
	return nil
}

// leaf is a path at the line of its end.
func leaf(n *node, text string) []fact {
	return []fact{{Path: text, Line: n.last}}
}

// plain returns the text of a path without spaces.
func plain(n *node) string {
	return strings.Join(strings.Fields(n.text), "")
}

func tokenCalls(n *node) []fact {
	if n.inside("macro_invocation") == nil {
		return nil
	}
	var out []fact
	for i, k := range n.kids {
		if k.kind != "identifier" || i > 0 && n.kids[i-1].text == "fn" {
			continue
		}
		rest := n.kids[i+1:]
		if len(rest) > 0 && opens(rest[0], "(") || len(rest) > 1 && rest[0].text == "!" && opens(rest[1], "([{") {
			out = append(out, name(k)...)
		} else if len(rest) > 2 && rest[0].text == "::" && rest[1].text == "<" && turbofish(rest[1:]) {
			out = append(out, name(k)...)
		}
	}
	return out
}

func opens(n *node, with string) bool {
	return n.kind == "token_tree" && strings.ContainsAny(n.text[:1], with)
}

// turbofish reports whether generic arguments are followed by a parenthesis.
func turbofish(rest []*node) bool {
	depth := 0
	for i, k := range rest {
		switch k.text {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		}
		if depth <= 0 {
			return i+1 < len(rest) && opens(rest[i+1], "(")
		}
	}
	return false
}
