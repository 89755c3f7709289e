package main

import (
	tskotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
)

// A property with an accessor that has a body counts as one function of its
// name, and one whose value is a lambda too. A secondary constructor is named
// "constructor"; primary constructors and init blocks do not count. Delegation to
// a constructor is a call, `this`, `super` or the class above; infix calls are
// none, and annotations neither.
func kotlin() language {
	callee := descent{
		"identifier": "", "navigation_expression": "-1", "user_type": "#identifier", "this": "", "super": "",
	}
	// A qualified type has its identifiers in a row.
	constructed := func(n *node) []fact {
		ids := n.get("#user_type").all("#identifier")
		if n.inside("annotation", "file_annotation") != nil || len(ids) == 0 {
			return nil
		}
		return name(ids[len(ids)-1])
	}
	return language{
		grammar:    tskotlin.Language,
		extensions: "kt kts",
		functions: map[string]rule{
			"function_declaration":  at("name"),
			"secondary_constructor": at("#constructor"),
			"property_declaration":  kotlinProperty,
		},
		imports: map[string]rule{"import": kotlinImport},
		calls: map[string]rule{
			"call_expression":             callee.at("0"),
			"constructor_invocation":      constructed,
			"constructor_delegation_call": func(n *node) []fact { return name(n.kids[0]) },
		},
		skip: set("annotation file_annotation"),
	}
}

func kotlinProperty(n *node) []fact {
	id := n.get("#variable_declaration #identifier")
	for _, k := range n.kids {
		switch k.kind {
		case "lambda_literal", "anonymous_function":
			return name(id)
		case "getter", "setter":
			if k.get("#function_body") != nil {
				return name(id)
			}
		}
	}
	// The accessors of a property that ends its line are siblings in this grammar.
	for k := n.next(1); k.is("getter", "setter"); k = k.next(1) {
		if k.get("#function_body") != nil {
			return name(id)
		}
	}
	return nil
}

func kotlinImport(n *node) []fact {
	p := n.get("0")
	if p == nil {
		return nil
	}
	text := plain(p)
	if n.get("#*") != nil {
		text += ".*"
	}
	return path(text, p)
}
