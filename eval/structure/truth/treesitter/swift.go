package main

import (
	"strings"

	tsswift "github.com/smacker/go-tree-sitter/swift"
)

// Functions are func (operators by their sign), init, deinit, subscript, and of
// protocols what they require; a property counts once, by its name, where it is
// computed or observed, and so does a name that a closure is assigned to. Calls
// have arguments or a trailing closure; subscripts are none, patterns and what is
// in attributes neither.
func swift() language {
	callee := descent{
		"simple_identifier": "", "type_identifier": "", "navigation_expression": "suffix suffix", "prefix_expression": "target",
		"constructor_expression": "constructed_type", "user_type": "-1",
		// The grammar binds a call weaker than operators before it.
		"additive_expression": "rhs", "multiplicative_expression": "rhs", "nil_coalescing_expression": "if_nil",
		"disjunction_expression": "rhs", "conjunction_expression": "rhs", "range_expression": "end",
	}
	return language{
		grammar:    bundled(tsswift.GetLanguage()),
		extensions: "swift",
		functions: map[string]rule{
			"function_declaration":          at("name"),
			"protocol_function_declaration": swiftRequired,
			"init_declaration":              at("name"),
			"deinit_declaration":            at("#deinit"),
			"subscript_declaration":         at("#subscript"),
			"property_declaration":          swiftProperty,
			"assignment":                    swiftAssigned,
		},
		imports: map[string]rule{"import_declaration": func(n *node) []fact { return path(plain(n.get("#identifier")), n.get("#identifier")) }},
		calls: map[string]rule{
			"call_expression":        func(n *node) []fact { return swiftCall(callee, n) },
			"comparison_expression":  func(n *node) []fact { return swiftGeneric(callee, n) },
			"constructor_expression": func(n *node) []fact { return swiftType(n.get("constructed_type")) },
		},
		skip: set("attribute"),
	}
}

func swiftRequired(n *node) []fact {
	if f := name(n.get("name")); f != nil {
		return f
	}
	return name(n.get("#simple_identifier"))
}

func swiftProperty(n *node) []fact {
	var out []fact
	var id *node
	for _, k := range n.kids {
		switch {
		case k.kind == "pattern":
			id = k.get("bound_identifier")
		case k.field == "computed_value", k.kind == "willset_didset_block", k.field == "value" && k.kind == "lambda_literal":
			out = append(out, name(id)...)
		}
	}
	return out
}

func swiftAssigned(n *node) []fact {
	to := n.get("target")
	if to.is("directly_assignable_expression") {
		to = to.get("0")
	}
	if to.is("navigation_expression") {
		to = to.get("suffix suffix")
	}
	if !n.get("result").is("lambda_literal") || !to.is("simple_identifier") || n.get("operator") != nil && n.get("operator").text != "=" {
		return nil
	}
	return name(to)
}

func swiftCall(callee descent, n *node) []fact {
	suffix := n.get("#call_suffix")
	if strings.HasPrefix(suffix.get("#value_arguments").textOr(""), "[") {
		return nil
	}
	to := n.get("0")
	if to.is("constructor_expression") || set("defer _read _modify get set")[to.textOr("")] && suffix.get("#value_arguments") == nil {
		return nil // the first has a rule, the others are statements and accessors
	}
	return name(callee.name(to))
}

func swiftType(n *node) []fact {
	ids := n.all("#type_identifier")
	if len(ids) == 0 {
		return nil
	}
	return name(ids[len(ids)-1])
}

// swiftGeneric is A<B>(…), which the grammar takes for a comparison of three.
func swiftGeneric(callee descent, n *node) []fact {
	if !n.get("rhs").is("comparison_expression") || !n.get("rhs rhs").is("tuple_expression", "lambda_literal") {
		return nil
	}
	return name(callee.name(n.get("lhs")))
}
