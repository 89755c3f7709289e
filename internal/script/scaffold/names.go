package scaffold

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/set"
)

// snake returns a name as Lua functions have it: listPets and "list-pets" are
// list_pets. It is an identifier, or "".
func snake(s string) string {
	var b strings.Builder
	before := rune(0)
	for i, r := range s {
		letter := r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if !letter {
			before = '_'
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+1:])
		cut := before == '_' || unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && unicode.IsLower(next))
		if cut && b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	out := b.String()
	if len(out) > mostName {
		out = strings.TrimRight(out[:mostName], "_")
	}
	if out != "" && out[0] >= '0' && out[0] <= '9' {
		out = "n" + out
	}
	return out
}

const mostName = 60

// Names that a function cannot have, and those that a parameter cannot have besides:
// the code of a module uses them.
const (
	words = " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "
	used  = words + "self body opts c M call escape query http json env base64 error pcall setmetatable tostring type ipairs select string table "
)

// names gives names that nothing else has.
type names struct {
	taken map[string]bool
	avoid string
}

func newNames(avoid string, taken ...string) names {
	return names{set.Of(taken), avoid}
}

// take returns name, or otherwise where it is empty, changed so far that nothing else
// has it.
func (n names) take(name, otherwise string) string {
	name = cmp.Or(name, otherwise)
	if strings.Contains(n.avoid, " "+name+" ") {
		name += "_"
	}
	out := name
	for i := 2; n.taken[out]; i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	n.taken[out] = true
	return out
}

// sentence returns text that fits into a line of a header: at most n characters, with
// nothing that ends the line or a part of it.
func sentence(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(strings.NewReplacer(" -> ", " to ", " | ", " or ").Replace(s)), " ")
	s = strings.NewReplacer(" -> ", " to ", " | ", " or ").Replace(s)
	if utf8.RuneCountInString(s) <= n {
		return strings.TrimRight(s, " .")
	}
	r := []rune(s)[:n]
	cut := string(r)
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " .,;:")
}
