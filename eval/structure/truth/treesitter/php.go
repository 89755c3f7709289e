package main

import (
	tsphp "github.com/tree-sitter/tree-sitter-php/bindings/go"
	"strings"
)

// Functions are functions and methods, and variables (with their $) and
// properties that a closure is assigned to. Calls are those of names and of
// variables, of methods and of static methods, and new T. Imports are printed by
// leaves, each at the line of its last name; includes where the path is literal.
func php() language {
	callee := descent{"name": "", "qualified_name": "#name", "variable_name": ""}
	method := descent{"name": ""}
	assigned := descent{"variable_name": "", "member_access_expression": "name", "scoped_property_access_expression": "name", "name": ""}
	return language{
		grammar:    tsphp.LanguagePHP,
		extensions: "php phtml inc",
		functions: map[string]rule{
			"function_definition": at("name"),
			"method_declaration":  at("name"),
			"assignment_expression": func(n *node) []fact {
				if !n.get("right").is("anonymous_function", "arrow_function") {
					return nil
				}
				return assigned.at("left")(n)
			},
		},
		imports: map[string]rule{
			"namespace_use_declaration": phpUse,
			"include_expression":        phpInclude,
			"include_once_expression":   phpInclude,
			"require_expression":        phpInclude,
			"require_once_expression":   phpInclude,
		},
		calls: map[string]rule{
			"function_call_expression":        callee.at("function"),
			"member_call_expression":          method.at("name"),
			"nullsafe_member_call_expression": method.at("name"),
			"scoped_call_expression":          method.at("name"),
			"object_creation_expression":      func(n *node) []fact { return name(descent{"name": "", "qualified_name": "#name"}.name(n.get("0"))) },
		},
		skip: set("attribute_list"),
	}
}

func phpUse(n *node) []fact {
	prefix, clauses := "", n.all("#namespace_use_clause")
	if g := n.get("#namespace_use_group"); g != nil {
		prefix = n.get("#namespace_name").textOr("") + "\\"
		clauses = g.all("#namespace_use_clause")
	}
	var out []fact
	for _, c := range clauses {
		if p := c.get("0"); p != nil {
			out = append(out, fact{Path: strings.TrimPrefix(prefix+p.text, "\\"), Line: p.last})
		}
	}
	return out
}

func phpInclude(n *node) []fact {
	s := n.get("0")
	if s.is("parenthesized_expression") {
		s = s.get("0")
	}
	if !s.is("string", "encapsed_string") || strings.Contains(s.text, "$") {
		return nil
	}
	return path(unquote(s.text), s)
}
