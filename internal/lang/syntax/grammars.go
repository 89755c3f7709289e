package syntax

import (
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
)

func words(list string) map[string]bool { return set.Of(strings.Fields(list)) }

// heads reads "kind: word word; kind: word".
func heads(list string) map[string]corpus.Kind {
	kinds := map[string]corpus.Kind{"function": corpus.Function, "class": corpus.Class, "interface": corpus.Interface, "struct": corpus.Struct,
		"enum": corpus.Enum, "type": corpus.Type, "variable": corpus.Variable, "module": corpus.Module, "macro": corpus.Macro}
	m := map[string]corpus.Kind{}
	for part := range strings.SplitSeq(list, ";") {
		kind, ws, _ := strings.Cut(part, ":")
		for _, w := range strings.Fields(ws) {
			m[w] = kinds[strings.TrimSpace(kind)]
		}
	}
	return m
}

func cLike() lexis {
	return lexis{line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, quotes: `"'`}
}

func hash(quotes string) lexis { return lexis{line: []string{"#"}, quotes: quotes} }

// grammars are the languages that are read by patterns: those that have no scanner.
var grammars = sync.OnceValue(func() map[string]*grammar {
	c, triple, py := cLike(), cLike(), hash(`"'`)
	triple.long, py.long = []string{`"""`}, []string{`"""`, `'''`}
	return map[string]*grammar{
		"dart":       {lexis: triple, modifier: words("abstract static final const external sealed base factory interface mixin"), heads: heads("class: class mixin; enum: enum; type: extension typedef"), shapes: []shape{call, property}, underscore: true, promises: true},
		"groovy":     {lexis: triple, modifier: words("public private protected static final abstract sealed non-sealed default synchronized native strictfp transient"), heads: heads("class: class; interface: interface; enum: enum; function: def"), shapes: []shape{call}},
		"perl":       {lexis: hash(`"'`), heads: heads("function: sub; module: package"), nested: true},
		"julia":      {lexis: py, ends: closer, modifier: words("mutable abstract"), heads: heads("function: function; macro: macro; struct: struct; module: module; type: type"), shapes: []shape{equation}, nested: true},
		"r":          {lexis: hash(`"'`), shapes: []shape{arrow}},
		"sql":        {lexis: lexis{line: []string{"--"}, block: [][2]string{{"/*", "*/"}}, quotes: `'`}, modifier: words("CREATE create OR or REPLACE replace TEMP TEMPORARY UNIQUE unique MATERIALIZED"), heads: heads("struct: TABLE table VIEW view; function: FUNCTION function PROCEDURE procedure TRIGGER trigger; type: TYPE type INDEX index")},
		"protobuf":   {lexis: c, heads: heads("struct: message; enum: enum; interface: service; function: rpc")},
		"graphql":    {lexis: hash(`"`), modifier: words("extend"), heads: heads("type: type input scalar union; interface: interface; enum: enum"), bodyless: true},
		"hcl":        {lexis: hash(""), heads: heads("type: resource data; variable: variable output; module: module provider")},
		"ocaml":      {lexis: lexis{block: [][2]string{{"(*", "*)"}}, nested: true, quotes: `"`}, ends: indent, modifier: words("rec"), heads: heads("function: let; type: type; module: module")},
		"fsharp":     {lexis: lexis{line: []string{"//"}, block: [][2]string{{"(*", "*)"}}, quotes: `"`}, ends: indent, modifier: words("rec inline private"), heads: heads("function: let member; type: type; module: module")},
		"clojure":    {lexis: lexis{line: []string{";"}, quotes: ""}, ends: indent, shapes: []shape{lisp}},
		"erlang":     {lexis: lexis{line: []string{"%"}, quotes: `"'`}, ends: indent, shapes: []shape{clause}},
		"powershell": {lexis: hash(`"'`), heads: heads("function: function Function filter; class: class; enum: enum"), dashes: true},
		"vim":        {lexis: lexis{line: []string{`"`}}, ends: closer, heads: heads("function: function function! func func!")},
		"nix":        {lexis: hash(`"`), shapes: []shape{}},
	}
})
