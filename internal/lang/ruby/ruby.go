// Package ruby reads Ruby: classes, modules and methods, calls with and without
// parentheses, what is required, and what is known of the types of variables.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package ruby

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

var grammar = scan.New(scan.Lexis{
	Letters: "@$",
	Keywords: `BEGIN END __FILE__ __LINE__ alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or
redo rescue retry return self super then true undef unless until when while yield`,
	Ops:    []string{"&.", "=~", "!~", "<=>", "<<", ">>", "<<=", ">>=", "**="},
	NotOps: []string{"?.", "??", "??=", "<-", "|>", ":=", "!==", "++", "--"},
	At:     "\"'`/%<:?!=#$\\_",
})

// Read returns the facts of a Ruby text.
func Read(src []byte) corpus.Facts {
	g := *grammar
	g.Special = (&lexer{budget: 16 * len(src)}).special
	return g.Read(src, func(s *scan.Source) {
		f := &file{Source: s, classBody: -1}
		f.keys()
		if !f.match(false) {
			s.Out.Missed++
			f.match(true)
		}
		f.read()
	})
}
