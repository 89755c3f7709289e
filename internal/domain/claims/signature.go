package claims

import (
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A signed is a signature that a document gives.
type signed struct {
	at       Place
	owner    string // what stands before the name and a dot
	args     []string
	declared bool // it begins with a word that declares
}

var (
	signature = lazy.Regexp(`(?:\b(func|def|function|fn|fun)\s+(?:\(\s*(?:\w+\s+)?\*?(\w+)\s*\)\s*)?)?(?:\b(\w+)(?:\.|::))?\b([A-Za-z_]\w*)\(`)
	plainName = lazy.Regexp(`^[A-Za-z_]\w*$`)
)

// sign takes the signatures out of a piece of code of a document.
func (m *mentions) sign(code string, at Place, fenced bool) {
	for _, loc := range signature.FindAllStringSubmatchIndex(code, -1) {
		sub := func(i int) string {
			if loc[2*i] < 0 {
				return ""
			}
			return code[loc[2*i]:loc[2*i+1]]
		}
		args, ok := arguments(code[loc[1]:])
		if !ok {
			continue
		}
		s := signed{at: at, owner: sub(2), args: args, declared: sub(1) != ""}
		if s.owner == "" {
			s.owner = sub(3)
		}
		// In a block of code what does not declare calls; in a line of prose a name
		// with its parameters is how many documents write a signature.
		if s.declared || !fenced && loc[0] == 0 {
			m.signs[sub(4)] = append(m.signs[sub(4)], s)
		}
	}
}

// arguments cuts what follows an opening bracket at its commas, up to the closing
// one.
func arguments(s string) ([]string, bool) {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ']', '}', '>':
			if i == 0 || s[i-1] != '=' && s[i-1] != '-' {
				depth--
			}
		case ')':
			if depth == 0 {
				if last := strings.TrimSpace(s[start:i]); last != "" {
					out = append(out, last)
				}
				return out, true
			}
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return nil, false
}

// differs says where and how a document has a declaration otherwise than the code.
// Where any signature that documents give of it agrees, or where it is not certain
// which declaration is meant, nothing does.
func (m *mentions) differs(d *Declaration, names map[string]int) (Place, string) {
	if d.Kind != "function" && d.Kind != "method" {
		return Place{}, ""
	}
	owner := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]
	var at Place
	why := ""
	for _, s := range m.signs[d.Name] {
		if names[d.Name] > 1 && (owner == "" || s.owner != owner) {
			continue
		}
		w := differing(d, &s)
		if w == "" {
			return Place{}, ""
		}
		if w != unknown && why == "" {
			at, why = s.at, w
		}
	}
	return at, why
}

// unknown says that a signature is no evidence for or against.
const unknown = "?"

// differing compares a signature with a declaration.
func differing(d *Declaration, s *signed) string {
	params := d.Params
	if len(params) > 0 && (d.Language == "python" || d.Language == "rust") && isSelf(params[0]) {
		params = params[1:]
	}
	args := s.args
	if len(args) > 0 && isSelf(args[0]) {
		args = args[1:]
	}
	for _, a := range args {
		if strings.Contains(a, "...") && strings.Trim(a, ". ") == "" || a == "…" {
			return unknown // it leaves something out on purpose
		}
	}
	if d.Language == "go" {
		return differingGo(params, args, s.declared)
	}
	if len(args) == 0 && !s.declared {
		return unknown // name() is how documents write a name
	}
	have := map[string]bool{}
	open := false
	var list []string
	for _, p := range params {
		n := paramName(p)
		list = append(list, n)
		have[n] = true
		open = open || strings.HasPrefix(p, "*") || strings.HasPrefix(p, "...") || strings.HasPrefix(p, "{")
	}
	for _, a := range args {
		n := paramName(a)
		named := strings.Contains(a, "=") || strings.Contains(a, ":") || s.declared
		switch {
		case !plainName.MatchString(n):
			return unknown
		case have[n] || open:
		case named:
			return fmt.Sprintf("the document has a parameter %s, the code has (%s)", n, strings.Join(list, ", "))
		}
	}
	switch {
	case len(args) > len(params) && !open:
		return fmt.Sprintf("the document has %d parameters, the code %d", len(args), len(params))
	case s.declared && len(args) < len(params) && !open:
		return fmt.Sprintf("the document has %d parameters, the code %d", len(args), len(params))
	}
	return ""
}

func isSelf(p string) bool {
	p = strings.TrimLeft(p, "&* ")
	return p == "self" || p == "cls" || p == "mut self" || strings.HasPrefix(p, "self:") || p == "this"
}

// paramName is the name of a parameter as written in most languages.
func paramName(p string) string {
	p = strings.TrimLeft(p, "*&. [")
	if i := strings.IndexAny(p, ":=? ]"); i >= 0 {
		p = p[:i]
	}
	return strings.TrimSpace(p)
}

// differingGo compares parameters as Go writes them: "a, b int".
func differingGo(params, args []string, declared bool) string {
	typed := false
	for _, a := range args {
		typed = typed || strings.ContainsAny(a, " \t")
	}
	if !declared && !typed {
		return unknown // it is a call
	}
	kinds := make([]string, len(args))
	last := ""
	for i := len(args) - 1; i >= 0; i-- {
		if k := strings.IndexAny(args[i], " \t"); k > 0 && plainName.MatchString(args[i][:k]) {
			last = args[i][k:]
		} else if !typed {
			last = args[i]
		}
		kinds[i] = tight(last)
	}
	if len(args) != len(params) {
		return fmt.Sprintf("the document has %d parameters, the code %d", len(args), len(params))
	}
	for i, p := range params {
		kind := p
		if k := strings.IndexAny(p, " \t"); k > 0 && plainName.MatchString(p[:k]) {
			kind = p[k:]
		}
		if tight(kind) != kinds[i] {
			return fmt.Sprintf("the document has %s as parameter %d, the code %s", kinds[i], i+1, tight(kind))
		}
	}
	return ""
}

// tight is a type without what does not tell it apart: spaces, and the package
// that a document writes and its own code does not.
func tight(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "interface{}", "any")
	return qualifier.ReplaceAllString(s, "")
}

var qualifier = lazy.Regexp(`\b[a-z]\w*\.`)
