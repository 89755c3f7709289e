package main

import (
	"strings"

	tsc "github.com/tree-sitter/tree-sitter-c/bindings/go"
	tscpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
)

// Function definitions and prototypes count, but no prototypes in bodies: in C++
// these are variables as often. The name is without its scope and its template
// arguments. Macros are no functions. Casts with the look of a template are no
// calls, nor are constructions without an expression: `T x(1);`, initializers.
// What a macro defines is named by its argument: TEST(suite, name) { … }. What
// stands in #if 0 is not read.
func c() language {
	return language{
		grammar:    tsc.Language,
		extensions: "c h",
		functions:  map[string]rule{"function_declarator": prototype},
		imports:    map[string]rule{"preproc_include": include},
		calls:      map[string]rule{"call_expression": called},
		skip:       set("decltype noexcept attribute_specifier attribute_declaration gnu_asm_expression ms_declspec_modifier preproc_defined"),
	}
}

func cpp() language {
	l := c()
	l.grammar = tscpp.Language
	l.extensions = "cc cpp cxx c++ hpp hh hxx h ipp inl tcc"
	l.functions["operator_cast"] = conversion
	l.functions["lambda_expression"] = lambda
	l.calls["new_expression"] = cNames().at("type")
	l.calls["compound_literal_expression"] = cNames().at("type")
	return l
}

// cNames leads to the last name of a callee or a type.
func cNames() descent {
	return descent{
		"identifier": "", "field_identifier": "", "type_identifier": "", "operator_name": "", "destructor_name": "",
		"field_expression": "field", "qualified_identifier": "name", "template_function": "name",
		"template_method": "name", "template_type": "name", "dependent_name": "-1",
	}
}

func called(n *node) []fact {
	if inCondition(n) || unread(n) {
		return nil
	}
	f := cNames().at("function")(n)
	if len(f) > 0 && strings.HasSuffix(f[0].Name, "_cast") && set("static_cast dynamic_cast const_cast reinterpret_cast")[f[0].Name] {
		return nil
	}
	return f
}

// inCondition reports whether n is in the condition of an #if.
func inCondition(n *node) bool {
	for ; n.up != nil; n = n.up {
		if n.up.is("preproc_if", "preproc_elif") {
			return n.field == "condition"
		}
	}
	return false
}

// prototype is the rule of a declarator with parameters: a function where what
// is declared is a name, and not a pointer to a function.
func prototype(n *node) []fact {
	if unread(n) {
		return nil
	}
	to := n.get("declarator")
	if to.is("parenthesized_declarator") {
		to = to.get("0")
	}
	id := cNames().name(to)
	if id == nil {
		return nil
	}
	top := declaration(n)
	if top == nil || !top.is("function_definition") && top.inside("compound_statement", "parameter_list", "function_definition") != nil && top.inside("compound_statement", "field_declaration_list").is("compound_statement") {
		return nil
	}
	if f := byMacro(n, id); f != nil {
		return f
	}
	return name(id)
}

// byMacro returns the name that a macro with a body behind it gives to a function.
func byMacro(n, id *node) []fact {
	args := strings.Split(strings.Trim(n.get("parameters").textOr(""), "()"), ",")
	if def := n.up; !def.is("function_definition") || !macro(def.get("type").textOr("")) || !macro(id.text) {
		return nil
	}
	word := func(s string) bool {
		return s != "" && strings.Trim(s, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	}
	at := len(args) - 1
	for _, a := range args {
		if !word(strings.TrimSpace(a)) || len(args) > 3 {
			at = 0
		}
	}
	text := strings.TrimSpace(args[at])
	if !word(text) || text == "void" {
		return nil
	}
	before, _, _ := strings.Cut(n.text, text)
	return []fact{{Name: text, Line: n.line + strings.Count(before, "\n")}}
}

// macro reports whether a name has no small letters.
func macro(name string) bool { return strings.ToUpper(name) == name }

// lambda is named by what it is assigned to.
func lambda(n *node) []fact {
	if unread(n) {
		return nil
	}
	switch {
	case n.up.is("init_declarator") && n.field == "value":
		to := n.up.get("declarator")
		for to.is("pointer_declarator", "reference_declarator") {
			to = to.get("-1")
		}
		return name(cNames().name(to))
	case n.up.is("assignment_expression") && n.field == "right":
		return cNames().at("left")(n.up)
	}
	return nil
}

// unread reports whether n is in a branch that the preprocessor never takes.
func unread(n *node) bool {
	for ; n.up != nil; n = n.up {
		if n.up.is("preproc_if") && n.field != "alternative" && n.up.get("condition").textOr("") == "0" {
			return true
		}
	}
	return false
}

func conversion(n *node) []fact {
	if declaration(n) == nil && !n.up.is("qualified_identifier") {
		return nil
	}
	text, _, _ := strings.Cut(n.text, "(")
	return []fact{{Name: strings.TrimSpace(text), Line: n.line}}
}

// declaration returns the declaration that a declarator is the head of, or nil.
func declaration(n *node) *node {
	for n = n.up; n != nil; n = n.up {
		switch n.kind {
		case "function_definition", "declaration", "field_declaration":
			return n
		case "pointer_declarator", "reference_declarator", "attributed_declarator", "init_declarator", "parenthesized_declarator",
			"function_declarator", "array_declarator", "qualified_identifier":
		default:
			return nil
		}
	}
	return nil
}

func include(n *node) []fact {
	p := n.get("path")
	if !p.is("string_literal", "system_lib_string") || unread(n) {
		return nil
	}
	return path(unquote(p.text), p)
}
