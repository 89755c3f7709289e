package syntax

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// heads reads "kind: word word; kind: word".
func heads(list string) map[string]corpus.Kind {
	kinds := map[string]corpus.Kind{"function": corpus.Function, "class": corpus.Class, "interface": corpus.Interface, "struct": corpus.Struct,
		"enum": corpus.Enum, "trait": corpus.Trait, "type": corpus.Type, "constant": corpus.Constant, "variable": corpus.Variable,
		"module": corpus.Module, "macro": corpus.Macro, "test": corpus.TestCase}
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

func underscore(name, _ string) bool { return name[0] == '_' }

func withoutWord(ws ...string) func(string, string) bool {
	return func(_, before string) bool {
		for _, w := range ws {
			if strings.Contains(before, w) {
				return false
			}
		}
		return true
	}
}

func withWord(ws ...string) func(string, string) bool {
	return func(name, before string) bool { return !withoutWord(ws...)(name, before) }
}

// grammars are the languages that are read by patterns.
var grammars = func() map[string]*grammar {
	js := cLike()
	js.long = []string{"`"}
	rust := cLike()
	rust.nested, rust.apostrophe, rust.quotes, rust.raw = true, true, "", [][2]string{{"r#\"", "\"#"}}
	rust.long = []string{`"`}
	c := cLike()
	triple := cLike()
	triple.long = []string{`"""`}
	csharp := cLike()
	csharp.long, csharp.raw = []string{`"""`}, [][2]string{{`@"`, `"`}}
	php := cLike()
	php.line, php.heredoc, php.quotes, php.long = []string{"//", "#"}, true, "", []string{`"`, `'`}
	py := hash(`"'`)
	py.long = []string{`"""`, `'''`}
	ruby := hash("")
	ruby.long, ruby.heredoc, ruby.block = []string{`"`, `'`}, true, [][2]string{{"\n=begin", "\n=end"}}
	lua := lexis{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}, {"--[==[", "]==]"}}, raw: [][2]string{{"[[", "]]"}}, quotes: `"'`}
	shell := hash("")
	shell.raw, shell.heredoc = [][2]string{{"'", "'"}}, true
	elixir := hash(`"`)
	elixir.long = []string{`"""`, `'''`}
	haskell := lexis{line: []string{"-- ", "--|", "---"}, block: [][2]string{{"{-", "-}"}}, nested: true, quotes: `"`, apostrophe: true}
	zig := lexis{line: []string{"//", `\\`}, quotes: `"`, apostrophe: true}
	swift := triple
	swift.nested = true
	const jsMods = "export default async declare abstract public private protected static readonly override get set"
	const jsHeads = "function: function; class: class; "
	const javaMods = "public private protected static final abstract sealed non-sealed default synchronized native strictfp transient"
	m := map[string]*grammar{
		"python":     {lexis: py, ends: indent, modifier: words("async"), heads: heads("function: def; class: class"), nested: true, private: underscore, shapes: []shape{constant}},
		"javascript": {lexis: js, modifier: words(jsMods), heads: heads(jsHeads), nested: true, shapes: []shape{assigned, call(0)}},
		"typescript": {lexis: js, modifier: words(jsMods + " const"), heads: heads(jsHeads + "interface: interface; type: type; enum: enum; module: namespace module"),
			nested: true, shapes: []shape{assigned, call(0)}, private: func(_, before string) bool { return strings.Contains(before, "private") }},
		"rust": {lexis: rust, modifier: words("pub async unsafe const extern default"), nested: true,
			heads:   heads("function: fn; struct: struct union; enum: enum; trait: trait; type: type impl; module: mod; constant: const static; macro: macro_rules!"),
			private: withoutWord("pub", "macro_rules")},
		"java": {lexis: triple, modifier: words(javaMods), heads: heads("class: class record; interface: interface @interface; enum: enum"), shapes: []shape{call(1)},
			private: withWord("private")},
		"c": {lexis: c, modifier: words("static typedef const extern inline"), heads: heads("struct: struct union; enum: enum"), shapes: []shape{macro, call(1)}, private: withWord("static")},
		"cpp": {lexis: c, modifier: words("static typedef const extern inline template export constexpr"), heads: heads("class: class; struct: struct union; enum: enum; module: namespace; type: concept"),
			shapes: []shape{macro, call(1)}, private: withWord("static")},
		"csharp": {lexis: csharp, modifier: words("public private protected internal static abstract sealed partial readonly unsafe async override virtual new file ref"),
			heads: heads("class: class record; interface: interface; struct: struct; enum: enum; module: namespace"), shapes: []shape{call(1)}, private: withWord("private")},
		"ruby": {lexis: ruby, ends: closer, modifier: words("private protected public module_function"), heads: heads("function: def; class: class; module: module"), shapes: []shape{constant}},
		"php": {lexis: php, modifier: words("public private protected static abstract final readonly"),
			heads: heads("function: function; class: class; interface: interface; trait: trait; enum: enum; module: namespace"), private: withWord("private")},
		"kotlin": {lexis: triple, ends: lines, modifier: words("public private protected internal open abstract final sealed data inline inner value enum annotation companion override suspend operator infix tailrec external expect actual const lateinit fun"),
			heads: heads("function: fun; class: class; interface: interface; class: object; type: typealias; constant: val; variable: var"), private: withWord("private")},
		"swift": {lexis: swift, ends: lines, modifier: words("public private fileprivate internal open final static class override mutating indirect lazy weak required convenience nonisolated async"),
			heads:   heads("function: func init deinit; class: class actor; struct: struct; enum: enum; interface: protocol; type: extension typealias; constant: let; variable: var"),
			private: withWord("private")},
		"scala": {lexis: triple, ends: lines, modifier: words("private protected override final abstract sealed implicit lazy case inline transparent open given"),
			heads:   heads("function: def; class: class object; trait: trait; enum: enum; type: type; constant: val; variable: var"),
			private: withWord("private")},
		"lua":     {lexis: lua, ends: closer, modifier: words("local"), heads: heads("function: function"), shapes: []shape{assigned}, nested: true, private: withWord("local")},
		"bash":    {lexis: shell, ends: closer, heads: heads("function: function"), shapes: []shape{shellFunction}},
		"elixir":  {lexis: elixir, ends: closer, heads: heads("module: defmodule defprotocol defimpl; function: def defp; macro: defmacro defmacrop defguard; test: test describe"), private: withWord("defp", "defmacrop")},
		"haskell": {lexis: haskell, ends: indent, heads: heads("type: data newtype type instance; class: class"), shapes: []shape{equation}},
		"zig": {lexis: zig, ends: braces, modifier: words("pub export inline extern"), nested: true,
			heads: heads("function: fn; constant: const; variable: var; test: test"), private: withoutWord("pub")},
		"dart":       {lexis: triple, modifier: words("abstract static final const external sealed base factory"), heads: heads("class: class mixin; enum: enum; type: extension typedef"), shapes: []shape{call(1)}, private: underscore},
		"groovy":     {lexis: triple, modifier: words(javaMods), heads: heads("class: class; interface: interface; enum: enum; function: def"), shapes: []shape{call(1)}},
		"perl":       {lexis: hash(`"'`), heads: heads("function: sub; module: package"), nested: true},
		"julia":      {lexis: py, ends: closer, modifier: words("mutable abstract"), heads: heads("function: function; macro: macro; struct: struct; module: module; type: type"), nested: true},
		"r":          {lexis: hash(`"'`), shapes: []shape{arrow}},
		"sql":        {lexis: lexis{line: []string{"--"}, block: [][2]string{{"/*", "*/"}}, quotes: `'`}, modifier: words("CREATE create OR or REPLACE replace TEMP TEMPORARY UNIQUE unique MATERIALIZED"), heads: heads("struct: TABLE table VIEW view; function: FUNCTION function PROCEDURE procedure TRIGGER trigger; type: TYPE type INDEX index")},
		"protobuf":   {lexis: c, heads: heads("struct: message; enum: enum; interface: service; function: rpc")},
		"graphql":    {lexis: hash(`"`), heads: heads("type: type input scalar union; interface: interface; enum: enum")},
		"hcl":        {lexis: hash(""), heads: heads("type: resource data; variable: variable output; module: module provider")},
		"ocaml":      {lexis: lexis{block: [][2]string{{"(*", "*)"}}, nested: true, quotes: `"`}, ends: indent, modifier: words("rec"), heads: heads("function: let; type: type; module: module")},
		"fsharp":     {lexis: lexis{line: []string{"//"}, block: [][2]string{{"(*", "*)"}}, quotes: `"`}, ends: indent, modifier: words("rec inline private"), heads: heads("function: let member; type: type; module: module")},
		"clojure":    {lexis: lexis{line: []string{";"}, quotes: ""}, ends: indent, shapes: []shape{lisp}},
		"erlang":     {lexis: lexis{line: []string{"%"}, quotes: `"'`}, ends: indent, shapes: []shape{equation}},
		"powershell": {lexis: hash(`"'`), heads: heads("function: function Function filter; class: class; enum: enum")},
		"objc":       {lexis: c, heads: heads("interface: @interface @protocol; class: @implementation"), shapes: []shape{macro, call(1)}},
		"vim":        {lexis: lexis{line: []string{`"`}}, ends: closer, heads: heads("function: function function! func func!")},
		"nix":        {lexis: hash(`"`), shapes: []shape{}},
	}
	m["cpp"].heads["struct"] = corpus.Struct
	return m
}()
