package main

import (
	"strings"

	tsbash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
)

// Calls are the literal words of commands, declarations and unset included.
func bash() language {
	return language{
		grammar:    tsbash.Language,
		extensions: "sh bash bats",
		functions:  map[string]rule{"function_definition": at("name")},
		imports: map[string]rule{"command": func(n *node) []fact {
			w := n.get("argument")
			if c := n.get("name").textOr(""); c != "source" && c != "." || !w.is("word", "string", "raw_string") || strings.ContainsAny(w.text, "$`") {
				return nil
			}
			return path(unquote(w.text), w)
		}},
		calls: map[string]rule{
			"command_name":        at("#word"),
			"declaration_command": func(n *node) []fact { return name(n.kids[0]) },
			"unset_command":       func(n *node) []fact { return name(n.kids[0]) },
		},
	}
}
