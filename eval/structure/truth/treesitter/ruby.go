package main

import (
	"strings"

	tsruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
)

// Functions are def, and names that a lambda is assigned to. Calls have a
// receiver, arguments or a block: a bare word alone is none, nor is what is
// assigned to. super counts with arguments, yield never.
func ruby() language {
	return language{
		grammar:    tsruby.Language,
		extensions: "rb rake gemspec ru",
		functions: map[string]rule{
			"method":           at("name"),
			"singleton_method": at("name"),
			"assignment":       rubyLambda,
		},
		imports: map[string]rule{"call": rubyRequire},
		calls:   map[string]rule{"call": rubyCall},
	}
}

func rubyLambda(n *node) []fact {
	r := n.get("right")
	made := r.is("call") && r.get("receiver") == nil && set("lambda proc")[r.get("method").textOr("")] && r.get("block") != nil
	if !r.is("lambda") && !made || !n.get("left").is("identifier", "constant", "instance_variable", "class_variable", "global_variable") {
		return nil
	}
	return name(n.get("left"))
}

func rubyRequire(n *node) []fact {
	method := n.get("method").textOr("")
	steps := map[string]string{"require": "0", "require_relative": "0", "load": "0", "autoload": "1"}[method]
	s := n.get("arguments")
	if s = s.get(steps); steps == "" || n.get("receiver") != nil || !s.is("string") || s.get("#interpolation") != nil {
		return nil
	}
	return path(unquote(s.text), s)
}

func rubyCall(n *node) []fact {
	if n.field == "left" && n.up.is("assignment", "operator_assignment") || n.up.is("left_assignment_list") {
		return nil
	}
	m := n.get("method")
	if m.is("operator") && strings.TrimSpace(m.text) == "" {
		return nil
	}
	return name(m)
}
