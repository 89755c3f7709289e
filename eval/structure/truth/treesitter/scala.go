package main

import (
	tsscala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
)

// Functions are definitions and declarations with def (a constructor is "this"),
// and vals and vars whose value is a function literal. A call has arguments or a
// block; infix calls and type arguments alone are none, annotations neither.
// A parent with arguments is a call. Imports are printed by leaves, each at the
// line of its last name, with the wildcard as written; hidden names are left out.
func scala() language {
	callee := descent{
		"identifier": "", "operator_identifier": "", "type_identifier": "", "field_expression": "field", "generic_function": "function",
		"generic_type": "type", "stable_type_identifier": "-1", "annotated_type": "0", "compound_type": "0", "projected_type": "-1",
	}
	return language{
		grammar:    tsscala.Language,
		extensions: "scala sc sbt",
		functions: map[string]rule{
			"function_definition":  at("name"),
			"function_declaration": at("name"),
			"val_definition":       scalaValue,
			"var_definition":       scalaValue,
		},
		imports: map[string]rule{"import_declaration": scalaImport, "export_declaration": scalaImport},
		calls: map[string]rule{
			"call_expression":     callee.at("function"),
			"instance_expression": func(n *node) []fact { return scalaNew(callee, n) },
			"extends_clause":      func(n *node) []fact { return parents(callee, n, "arguments") },
		},
		skip: set("annotation"),
	}
}

func scalaNew(callee descent, n *node) []fact {
	for _, k := range n.kids {
		if id := callee.name(k); id != nil {
			return name(id)
		}
	}
	return nil
}

// parents returns the parents that have arguments.
func parents(callee descent, n *node, arguments string) []fact {
	var out []fact
	for _, k := range n.kids {
		if before := k.next(-1); k.is(arguments) && !before.is(arguments) {
			out = append(out, name(callee.name(before))...)
		}
	}
	return out
}

func scalaValue(n *node) []fact {
	v := n.get("value")
	if v.is("block", "indented_block") && len(v.get("-1").all("parameters")) > 0 && v.get("0") == v.get("-1") {
		v = v.get("0")
	}
	if !v.is("lambda_expression", "case_block") || !n.get("pattern").is("identifier") {
		return nil
	}
	return name(n.get("pattern"))
}

func scalaImport(n *node) []fact {
	var out []fact
	prefix := ""
	var end *node
	for _, k := range n.kids {
		switch k.kind {
		case ",":
			out = append(out, path(prefix, end)...)
			prefix, end = "", nil
		case "identifier", "operator_identifier":
			prefix, end = join(prefix, k.text), k
		case "as_renamed_identifier", "arrow_renamed_identifier":
			end = k.get("name")
			prefix = join(prefix, end.text)
		case "namespace_wildcard":
			prefix, end = join(prefix, k.text), k
		case "namespace_selectors":
			out = append(out, selectors(k, prefix)...)
			prefix, end = "", nil
		}
	}
	return append(out, path(prefix, end)...)
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

func selectors(n *node, prefix string) []fact {
	var out []fact
	for _, k := range n.kids {
		switch k.kind {
		case "as_renamed_identifier", "arrow_renamed_identifier":
			if k.get("alias").text != "_" {
				out = append(out, path(join(prefix, k.get("name").text), k.get("name"))...)
			}
		default:
			if k.named && !k.is("comment", "block_comment") {
				out = append(out, path(join(prefix, k.text), k)...)
			}
		}
	}
	return out
}
