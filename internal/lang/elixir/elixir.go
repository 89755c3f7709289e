// Package elixir reads Elixir: modules, protocols, functions and macros, calls with
// and without parentheses, what is aliased, imported, required and used, and what is
// known of the types of variables.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package elixir

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

var grammar = scan.New(scan.Lexis{
	Keywords: `after alias and case catch cond def defdelegate defexception defguard defguardp defimpl defmacro defmacrop defmodule defoverridable defp
defprotocol defstruct do else end false fn for if import in nil not or quote receive require rescue true try unless unquote unquote_splicing
use when with`,
	Strings: []scan.String{
		{Open: `"`, Escape: '\\', Lines: true, Interp: "#{"}, {Open: `'`, Escape: '\\', Lines: true, Interp: "#{"},
	},
	Ops:    []string{"<<", ">>", "<>", "+++", "---", `\\`, "=~", "&&&", "|||", "<<<", ">>>", "<<~", "~>>", "<~", "~>", "<~>", "<|>", "^^^", "//"},
	NotOps: []string{"?.", "??", "??=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "&&=", "||="},
	At:     "~?!:#\"'",
})

// Read returns the facts of an Elixir text.
func Read(src []byte) corpus.Facts {
	g := *grammar
	g.Special = (&lexer{}).special
	return g.Read(src, func(s *scan.Source) {
		f := &file{Source: s}
		f.keys()
		if !f.match(false) {
			s.Out.Missed++
			f.match(true)
		}
		f.read()
	})
}
