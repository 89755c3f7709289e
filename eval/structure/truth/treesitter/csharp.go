package main

import (
	"strings"

	tscsharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
)

// Functions are methods, constructors, destructors (~T), operators (from the word
// operator to the sign or the type), indexers (this) and local functions; a
// property or an event counts once, by its name, where an accessor has a body or
// it is an arrow; so does a name that a lambda is assigned to. Delegate types are
// no functions. Calls are invocations (nameof too), `new T`, `new()` where the
// declaration around it names the type, base(…) and this(…) of constructors, and
// a base class with arguments. Nothing in attributes counts.
func csharp() language {
	callee := descent{
		"identifier": "", "member_access_expression": "name", "member_binding_expression": "name", "generic_name": "#identifier",
		"qualified_name": "name", "alias_qualified_name": "name", "conditional_access_expression": "-1", "nullable_type": "type", "predefined_type": "",
	}
	return language{
		grammar:    tscsharp.Language,
		extensions: "cs csx",
		functions: map[string]rule{
			"method_declaration":              at("name"),
			"constructor_declaration":         at("name"),
			"local_function_statement":        at("name"),
			"indexer_declaration":             at("#this"),
			"destructor_declaration":          func(n *node) []fact { return renamed(n.get("name"), "~"+n.get("name").text) },
			"operator_declaration":            func(n *node) []fact { return operator(n, "operator") },
			"conversion_operator_declaration": func(n *node) []fact { return operator(n, "type") },
			"property_declaration":            csharpProperty,
			"event_declaration":               csharpProperty,
			"variable_declarator":             func(n *node) []fact { return assignedLambda(n.get("name"), n.get("-1")) },
			"assignment_expression":           csharpAssigned,
		},
		imports: map[string]rule{"using_directive": csharpUsing},
		calls: map[string]rule{
			"invocation_expression":               callee.at("function"),
			"object_creation_expression":          callee.at("type"),
			"implicit_object_creation_expression": func(n *node) []fact { return targetTyped(callee, n) },
			"constructor_initializer":             func(n *node) []fact { return append(at("#base")(n), at("#this")(n)...) },
			"primary_constructor_base_type":       callee.at("type"),
			"base_list":                           func(n *node) []fact { return parents(callee, n, "argument_list") },
		},
		skip: set("attribute_list global_attribute"),
	}
}

// renamed is a fact at a node that is not named as its text.
func renamed(n *node, text string) []fact {
	if n == nil {
		return nil
	}
	return []fact{{Name: text, Line: n.line}}
}

// operator is named by what is written from the word operator to a field.
func operator(n *node, last string) []fact {
	word, end := n.get("#operator"), n.get(last)
	if last == "operator" {
		word, end = nil, nil
		for _, k := range n.kids {
			if k.kind == "operator" && k.field == "" {
				word = k
			} else if k.field == "operator" {
				end = k
			}
		}
	}
	if word == nil || end == nil {
		return nil
	}
	_, text, _ := strings.Cut(n.text, word.text)
	text, _, _ = strings.Cut(text, end.text)
	return renamed(word, word.text+text+end.text)
}

func csharpProperty(n *node) []fact {
	if n.get("value").is("arrow_expression_clause", "lambda_expression", "anonymous_method_expression") {
		return name(n.get("name"))
	}
	for _, a := range n.get("accessors").all("#accessor_declaration") {
		if a.get("body") != nil {
			return name(n.get("name"))
		}
	}
	return nil
}

func assignedLambda(to, value *node) []fact {
	if !value.is("lambda_expression", "anonymous_method_expression") {
		return nil
	}
	if to.is("member_access_expression") {
		to = to.get("name")
	}
	if !to.is("identifier") {
		return nil
	}
	return name(to)
}

func csharpAssigned(n *node) []fact {
	if n.get("operator") != nil && n.get("operator").text != "=" {
		return nil
	}
	return assignedLambda(n.get("left"), n.get("right"))
}

// targetTyped is the type that the declaration around a `new()` names.
func targetTyped(callee descent, n *node) []fact {
	var t *node
	switch {
	case n.up.is("variable_declarator"):
		t = n.up.up.get("type")
	case n.up.is("property_declaration"):
		t = n.up.get("type")
	}
	if id := callee.name(t); id != nil {
		return renamed(n, id.text)
	}
	return nil
}

func csharpUsing(n *node) []fact {
	alias := n.get("name")
	for _, k := range n.kids {
		if k.named && k != alias {
			return path(strings.Join(strings.Fields(k.text), " "), k)
		}
	}
	return nil
}
