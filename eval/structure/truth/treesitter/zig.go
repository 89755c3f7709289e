package main

import (
	tszig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
)

// Functions are fn declarations with and without bodies, and tests that have a
// name. Builtins are calls and keep their @; T{…} is one where T is a name.
func zig() language {
	callee := descent{"identifier": "", "field_expression": "member"}
	return language{
		grammar:    tszig.Language,
		extensions: "zig zon",
		functions: map[string]rule{
			"function_declaration": at("name"),
			"test_declaration":     zigTest,
		},
		imports: map[string]rule{"builtin_function": zigImport},
		calls: map[string]rule{
			"call_expression":    callee.at("function"),
			"builtin_function":   at("0"),
			"struct_initializer": callee.at("0"),
		},
	}
}

func zigTest(n *node) []fact {
	if s := n.get("#string"); s != nil {
		return renamed(s, unquote(s.text))
	}
	return at("#identifier")(n)
}

func zigImport(n *node) []fact {
	s := n.get("#arguments 0")
	if t := n.get("0"); t == nil || t.text != "@import" && t.text != "@cInclude" || !s.is("string") {
		return nil
	}
	return path(unquote(s.text), s)
}
