package lua

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/text"
)

// optionsFile has a line for each builtin: how many arguments it takes where people expect it to take more ("-" otherwise), and the
// names of the options in the table that it takes. Another name is an error, because the option meant something to its author.
//
//go:embed options.txt
var optionsFile string

// An arity is a line of options.txt.
type arity struct {
	most    int // arguments; 0: any number
	options []string
}

var arities = sync.OnceValue(func() map[string]arity {
	all := map[string]arity{}
	for line := range strings.Lines(optionsFile) {
		words := strings.Fields(line)
		most, _ := strconv.Atoi(words[1]) // "-" is 0
		all[words[0]] = arity{most, words[2:]}
	}
	return all
})

// withoutExtras returns a builtin that raises where it has an argument too many. A number
// may follow, because functions that call others for each element add its index.
func withoutExtras(name string, f builtin) builtin {
	most := arities()[name].most
	if most == 0 {
		return f
	}
	return func(c call) int {
		if extra := c.Arg(most + 1); !extra.IsNil() && !extra.IsNumber() {
			c.Fail("%s: takes %d arguments; the next, a %s, would be ignored", name, most, extra.TypeName())
		}
		return f(c)
	}
}

var ordinals = [...]string{1: "first", 2: "second", 3: "third", 4: "fourth"}

// options returns argument i, a table of options, or an empty one where it is nil.
func (c call) options(i int) *table { return c.optionsAfter(0, i) }

// optionsAfter is options for a method, whose first arguments, self, messages do not count.
func (c call) optionsAfter(self, i int) *table {
	t, ok := c.asTable(i)
	if !ok {
		if !c.absent(i) {
			c.Fail("%s: %s argument must be a table or nil", c.name, ordinals[i-self])
		}
		return c.newRecord(0)
	}
	c.checkNames(c.name, "option", t, arities()[c.name].options)
	return t
}

// checkNames raises for a name in t that is not one of names. kind says in the message which names these are.
func (c call) checkNames(who, kind string, t *table, names []string) {
	if name, ok := unknownName(t, names); ok {
		c.Fail("%s: unknown %s %q%s", who, kind, name, suggestion(name, names))
	}
}

func unknownName(t *table, names []string) (name string, found bool) {
	for k := range t.All() {
		name, _ := k.Text()
		if !slices.Contains(names, name) {
			return name, true
		}
	}
	return "", false
}

// suggestion ends a message about a name that is not one of names.
func suggestion(name string, names []string) string {
	if near := cmp.Or(text.Nearest(name, names), text.Nearest(strings.ToLower(name), names)); near != "" {
		return ": did you mean " + near + "?"
	}
	if slices.Contains(arities()["http.client"].options, name) {
		return ": it is an option of http.client"
	}
	if len(names) == 0 {
		return ": there are none"
	}
	return "; use " + strings.Join(names, ", ")
}
