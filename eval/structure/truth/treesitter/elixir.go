package main

import (
	tselixir "github.com/smacker/go-tree-sitter/elixir"
)

// Functions are the clauses of def and its kin. Calls have parentheses, arguments
// or a block; what declares, imports or branches is none, nor is what a module
// attribute for types holds. Imports are printed by leaves.
func elixir() language {
	return language{
		grammar:    bundled(tselixir.GetLanguage()),
		extensions: "ex exs",
		functions:  map[string]rule{"call": elixirDef},
		imports:    map[string]rule{"call": elixirImport},
		calls:      map[string]rule{"call": elixirCall},
	}
}

const (
	elixirDefs = "def defp defmacro defmacrop defguard defguardp defdelegate defn defnp"
	elixirUses = "alias import require use"
	elixirForm = "defmodule defprotocol defimpl defstruct defexception defoverridable if unless case cond for with try receive quote fn"
	elixirType = "spec type typep opaque callback macrocallback"
)

// elixirHead returns the name of what a def defines, or nil.
func elixirHead(def *node) *node {
	if !def.is("call") || !set(elixirDefs)[def.get("target").textOr("")] {
		return nil
	}
	h := def.get("#arguments 0")
	if h.is("binary_operator") && h.get("operator").textOr("") == "when" {
		h = h.get("left")
	}
	switch {
	case h.is("call"):
		return h.get("target")
	case h.is("binary_operator", "unary_operator"):
		return h.get("operator")
	}
	return h
}

func elixirDef(n *node) []fact {
	h := elixirHead(n)
	if !h.is("identifier", "operator_identifier") && (h == nil || h.named) {
		return nil
	}
	return name(h)
}

func elixirImport(n *node) []fact {
	a := n.get("#arguments 0")
	if !set(elixirUses)[n.get("target").textOr("")] || a == nil {
		return nil
	}
	if a.is("dot") && a.get("right").is("tuple") {
		var out []fact
		for _, k := range a.get("right").all("#alias") {
			out = append(out, path(a.get("left").text+"."+k.text, k)...)
		}
		return out
	}
	if !a.is("alias") {
		return nil
	}
	return path(a.text, a)
}

func elixirCall(n *node) []fact {
	to := n.get("target")
	if to.is("dot") {
		to = to.get("right")
	}
	if !to.is("identifier") || n.get("#arguments") == nil && n.get("#do_block") == nil {
		return nil
	}
	if n.get("target") == to && (set(elixirDefs)[to.text] || set(elixirUses)[to.text] || set(elixirForm)[to.text]) {
		return nil
	}
	if n.up.is("unary_operator") && n.up.get("operator").textOr("") == "@" {
		return nil
	}
	for k := n; k.up != nil; k = k.up {
		if h := elixirHead(k.up.up); h != nil && h == to {
			return nil
		}
		if k.is("call") && k.up.is("unary_operator") && set(elixirType)[k.get("target").textOr("")] {
			return nil
		}
	}
	if d := n.inside("call"); d != nil && elixirHead(d) == to {
		return nil
	}
	return name(to)
}
