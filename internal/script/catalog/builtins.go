package catalog

import (
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

// A builtinModule is a table of functions, or a function, that every script has without require.
type builtinModule struct {
	Name        string
	Description string
	Keywords    string
	Functions   []Quickref
	asked       string // the tasks that it is for, in the words of people who have them
}

// readBuiltins reads a file that has a header for each of them, as modules have.
var readBuiltins = sync.OnceValue(func() (all []builtinModule) {
	headers, _ := stdlib.Source("_builtins")
	for header := range strings.SplitSeq(strings.TrimSpace(string(headers)), "\n\n") {
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
