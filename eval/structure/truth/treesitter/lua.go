package main

import (
	tslua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
)

// Functions have a name, or are the value of a variable or of a field of a table.
func lua() language {
	last := descent{"identifier": "", "dot_index_expression": "field", "method_index_expression": "method"}
	return language{
		grammar:    tslua.Language,
		extensions: "lua",
		functions: map[string]rule{
			"function_declaration": last.at("name"),
			"assignment_statement": func(n *node) []fact {
				var out []fact
				values := n.get("#expression_list").all("value")
				for i, to := range n.get("#variable_list").all("name") {
					if i < len(values) && values[i].is("function_definition") {
						out = append(out, name(last.name(to))...)
					}
				}
				return out
			},
			"field": func(n *node) []fact {
				if !n.get("value").is("function_definition") {
					return nil
				}
				return last.at("name")(n)
			},
		},
		imports: map[string]rule{"function_call": func(n *node) []fact {
			s := n.get("arguments 0")
			if n.get("name").textOr("") != "require" || !s.is("string") {
				return nil
			}
			return path(s.get("content").textOr(""), s)
		}},
		calls: map[string]rule{"function_call": last.at("name")},
	}
}
