package main

import (
	"regexp"
	"strings"

	tszig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
)

// Functions are fn declarations with and without bodies, and tests that have a
// name. Calls of builtins do not count; T{…} is one where T is a name. A name in
// quotes that needs none is the name that is in them.
func zig() language {
	callee := descent{"identifier": "", "field_expression": "member"}
	calls := func(steps string) rule {
		return func(n *node) []fact { return zigNames(callee.at(steps)(n)) }
	}
	return language{
		grammar:    tszig.Language,
		extensions: "zig zon",
		functions: map[string]rule{
			"function_declaration": func(n *node) []fact { return zigNames(at("name")(n)) },
			"test_declaration":     zigTest,
		},
		imports: map[string]rule{"builtin_function": zigImport},
		calls: map[string]rule{
			"call_expression":    calls("function"),
			"struct_initializer": calls("0"),
		},
	}
}

var zigQuoted = regexp.MustCompile(`^@"([A-Za-z_][A-Za-z0-9_]*)"$`)

func zigNames(facts []fact) []fact {
	for i := range facts {
		facts[i].Name = zigQuoted.ReplaceAllString(facts[i].Name, "$1")
	}
	return facts
}

func zigTest(n *node) []fact {
	if s := n.get("#string"); s != nil {
		return renamed(s, strings.Trim(s.text, `"`))
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
