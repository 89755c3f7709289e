// Package syntax turns source text into facts: declarations, imports, calls, and
// what is known of the types of names.
//
// Whatever the input, the declarations are in order of their starts, their spans
// nest and never cross and lie in the text, and the text at NameAt is the name.
// It takes time linear in the text, and nesting is bounded.
//
// Go is parsed by go/parser, the languages that have a scanner by that; what is
// left is read by patterns over a copy of the text in which comments and strings
// are blanked: what a line declares is told by its first words, where the
// declaration ends by brackets, by indentation or by a closing word.
package syntax

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/clang"
	"github.com/assay-dev/assay/internal/lang/csharp"
	"github.com/assay-dev/assay/internal/lang/ecma"
	"github.com/assay-dev/assay/internal/lang/elixir"
	"github.com/assay-dev/assay/internal/lang/haskell"
	"github.com/assay-dev/assay/internal/lang/jvm"
	"github.com/assay-dev/assay/internal/lang/lua"
	"github.com/assay-dev/assay/internal/lang/php"
	"github.com/assay-dev/assay/internal/lang/python"
	"github.com/assay-dev/assay/internal/lang/ruby"
	"github.com/assay-dev/assay/internal/lang/rust"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/lang/shell"
	"github.com/assay-dev/assay/internal/lang/swift"
	"github.com/assay-dev/assay/internal/lang/zig"
)

const (
	maxText  = 4 << 20 // bytes; longer texts are data
	maxDepth = 64      // of nesting
)

// A Cover says how much is known of a language.
type Cover uint8

// The covers, each more than the one before.
const (
	Nothing      Cover = iota
	Declarations       // by patterns: what is declared, not what is called
	Everything         // imports, calls and bindings too
)

// Covers returns how much Facts knows of a language.
func Covers(language string) Cover {
	if language == "go" || rooms[language].read != nil {
		return Everything
	}
	if _, ok := grammars()[language]; ok {
		return Declarations
	}
	return Nothing
}

// Facts returns what the text of a file says of its structure, as its language has
// it.
func Facts(name, language string, text []byte) corpus.Facts {
	if len(text) > maxText {
		return corpus.Facts{Missed: 1}
	}
	var f corpus.Facts
	read := roomOf(name, language).read
	switch g, ok := grammars()[language]; {
	case language == "go":
		f = golang(text)
	case read != nil:
		f = read(text)
	case language == "markdown", language == "rst", language == "asciidoc":
		f.Decls = headings(language, text)
	case ok:
		f.Decls = g.read(text)
	}
	typeTexts(language, text, f.Calls)
	bindLambdas(language, text, &f)
	f.Bindings = append(f.Bindings, boundTypes(language, f.Decls, text)...)
	scan.Sort(&f)
	typeByComments(language, text, &f)
	f.Decls = nest(f.Decls, text)
	place(&f)
	return f
}

// place gives everything the declaration around it.
func place(f *corpus.Facts) {
	imports, calls, bindings := f.Imports, f.Calls, f.Bindings
	in := int32(-1)
	// give hands out everything before an offset.
	give := func(to int) {
		for len(imports) > 0 && imports[0].At < to {
			imports[0].In = owner(f, in, imports[0].At)
			imports = imports[1:]
		}
		for len(calls) > 0 && calls[0].At < to {
			calls[0].In = owner(f, in, calls[0].At)
			calls = calls[1:]
		}
		for len(bindings) > 0 && bindings[0].At < to {
			bindings[0].In = in
			bindings = bindings[1:]
		}
	}
	for i, d := range f.Decls {
		for in >= 0 && f.Decls[in].Span.End <= d.Span.Start {
			give(f.Decls[in].Span.End)
			in = f.Decls[in].Parent
		}
		give(d.Span.Start)
		in = int32(i)
	}
	for in >= 0 {
		give(f.Decls[in].Span.End)
		in = f.Decls[in].Parent
	}
	give(maxText + 1)
}

// nest drops the declarations that lie, makes crossing spans nest by cutting the
// inner one short, and gives each its scope. They are in order.
func nest(found []corpus.Decl, text []byte) []corpus.Decl {
	out := found[:0]
	for _, d := range found {
		if d.Span.Start < 0 || d.Span.End > len(text) || d.NameAt < d.Span.Start || d.Name == "" ||
			d.NameAt+len(d.Name) > d.Span.End || string(text[d.NameAt:d.NameAt+len(d.Name)]) != d.Name {
			continue
		}
		d.Body = min(max(d.Body, d.NameAt+len(d.Name)), d.Span.End)
		out = append(out, d)
	}
	var open []int
	kept := out[:0]
	for _, d := range out {
		for len(open) > 0 && kept[open[len(open)-1]].Span.End <= d.Span.Start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			around := &kept[open[len(open)-1]]
			if d.Span.End > around.Span.End {
				if d.NameAt+len(d.Name) > around.Span.End {
					continue
				}
				d.Span.End = around.Span.End
				d.Body = min(d.Body, d.Span.End)
			}
			if d.Scope == "" {
				d.Scope = around.Qualified()
			}
		}
		if len(open) == maxDepth {
			continue
		}
		d.Parent = -1
		if len(open) > 0 {
			d.Parent = int32(open[len(open)-1])
		}
		kept = append(kept, d)
		open = append(open, len(kept)-1)
	}
	return kept
}

// owner returns the declaration that something at an offset inside declaration in
// belongs to: what stands before the name, as a decorator does, to the one around.
func owner(f *corpus.Facts, in int32, at int) int32 {
	for in >= 0 && at < f.Decls[in].NameAt && f.Decls[in].Traits&corpus.Extension == 0 {
		in = f.Decls[in].Parent
	}
	return in
}

// A room reads a language: read its facts, and tokens the tokens of a text, where names are found so.
type room struct {
	read   func([]byte) corpus.Facts
	tokens func([]byte) *scan.Source
}

// rooms are those of the languages and, behind a language, of the extensions of files in which it is written in another way.
var rooms = map[string]room{
	"bash":              {shell.Read, nil},
	"c":                 {clang.ReadC, func(b []byte) *scan.Source { return clang.Tokens(b, false, false) }},
	"c.h":               {clang.ReadHeader, cppTokens},
	"cpp":               {clang.ReadCPP, cppTokens},
	"cpp.h":             {clang.ReadHeader, cppTokens},
	"csharp":            {csharp.Read, csharp.Tokens},
	"elixir":            {elixir.Read, elixir.Tokens},
	"haskell":           {haskell.Read, haskell.Tokens},
	"java":              {jvm.ReadJava, jvm.JavaTokens},
	"javascript":        {ecma.ReadJS, func(b []byte) *scan.Source { return ecma.Tokens(b, false, true) }},
	"kotlin":            {jvm.ReadKotlin, jvm.KotlinTokens},
	"lua":               {lua.Read, lua.Tokens},
	"objc":              {clang.ReadObjC, objcTokens},
	"objc.h":            {clang.ReadHeader, objcTokens},
	"objc.m":            {clang.ReadObjC, func(b []byte) *scan.Source { return clang.Tokens(b, false, true) }},
	"objc.mm":           {clang.ReadObjCPP, objcTokens},
	"php":               {php.Read, php.Tokens},
	"python":            {python.Read, python.Tokens},
	"ruby":              {ruby.Read, ruby.Tokens},
	"rust":              {rust.Read, rust.Tokens},
	"scala":             {jvm.ReadScala, jvm.ScalaTokens},
	"swift":             {swift.Read, swift.Tokens},
	"typescript":        {ecma.ReadTS, func(b []byte) *scan.Source { return ecma.Tokens(b, true, false) }},
	"typescript.astro":  {ecma.ReadAstro, nil},
	"typescript.svelte": {ecma.ReadMarkup, nil},
	"typescript.tsx":    {ecma.ReadTSX, func(b []byte) *scan.Source { return ecma.Tokens(b, true, true) }},
	"typescript.vue":    {ecma.ReadMarkup, nil},
	"zig":               {zig.Read, zig.Tokens},
}

func cppTokens(b []byte) *scan.Source { return clang.Tokens(b, true, false) }

func objcTokens(b []byte) *scan.Source { return clang.Tokens(b, true, true) }

// roomOf returns the room that reads a file.
func roomOf(name, language string) room {
	if r, ok := rooms[language+strings.ToLower(path.Ext(name))]; ok {
		return r
	}
	return rooms[language]
}
