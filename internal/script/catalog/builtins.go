package catalog

import (
	_ "embed"
	"strings"
	"sync"
)

// A builtinModule is a table of functions, or a function, that every script has without require.
type builtinModule struct {
	Name        string
	Description string
	Keywords    string
	Functions   []Quickref
	asked       string // the tasks that it is for, in the words of people who have them
}

// builtinHeaders has a header for each of them, as modules have.
//
//go:embed builtins.txt
var builtinHeaders string

var readBuiltins = sync.OnceValue(func() (all []builtinModule) {
	for header := range strings.SplitSeq(strings.TrimSpace(builtinHeaders), "\n\n") {
		m := Parse(header)
		b := builtinModule{Name: m.Module, Description: m.Description, Keywords: strings.Join(m.Keywords, ", "), Functions: m.Quickrefs}
		eachTag(header, func(t tag) {
			if t.name == "asked" {
				b.asked = t.value
			}
		})
		all = append(all, b)
	}
	return all
})

// Builtins returns the tables that scripts have without require, in the order of `context`.
func Builtins() []builtinModule { return readBuiltins() }
