package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A signed is a signature that a document gives.
type signed struct {
	at       Place
	owner    string // what stands before the name and a dot
	receiver bool   // the owner is that of a method in Go
	under    string // the headings above it
	args     []string
	declared bool // it begins with a word that declares
	prose    bool // it is in a line of text
	titled   bool // it is what a heading says: the signature, but for what may be omitted
	member   bool // it begins with a dot: it is called on something
}

var (
	signature = lazy.Regexp(`(?:\b(func|def|function|fn|fun)\s+(?:\(\s*(?:\w+\s+)?\*?(\w+)\s*\)\s*)?)?(?:\b(\w+)(?:\.|::))?\b([A-Za-z_]\w*)\(`)
)

// heading takes the signature that a heading begins with, and reports whether there is one.
func (m *mentions) heading(line string, at Place) bool {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level < len(m.under) {
		m.under[level] = line
		clear(m.under[level+1:])
	}
	title := strings.Trim(strings.NewReplacer("`", "", "**", "", `\`, "").Replace(strings.TrimLeft(line, "# ")), " #")
	title, dotted := strings.CutPrefix(title, ".")
	title = strings.Trim(title, ".")
	if loc := signature.FindStringIndex(title); loc != nil && loc[0] == 0 {
		m.signed(title, at, false, true)
		if all := m.signs[signature.FindStringSubmatch(title)[4]]; dotted && len(all) > 0 && all[len(all)-1].at == at {
			all[len(all)-1].member = true
		}
		return true
	}
	return false
}

func (m *mentions) signed(code string, at Place, fenced, titled bool) {
	const longest = 8 << 10 // bytes of parameters
	spoken := strings.IndexAny(code, "#/\"'*")
	for _, loc := range signature.FindAllStringSubmatchIndex(code, -1) {
		sub := func(i int) string {
			if loc[2*i] < 0 {
				return ""
			}
			return code[loc[2*i]:loc[2*i+1]]
		}
		args, end := arguments(code[loc[1]:min(len(code), loc[1]+longest)])
		if end < 0 || sub(1) != "" && spoken >= 0 && spoken < loc[0] {
			continue // what a comment or a string speaks of is no declaration
		}
		s := signed{at: at, owner: sub(2), receiver: sub(2) != "", under: strings.Join(m.under[:], " "), args: args, declared: sub(1) != "", prose: !fenced, titled: titled && loc[0] == 0}
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

// arguments cuts what follows an opening bracket at its commas, up to the closing one,
// and returns where that is, -1 if nowhere.
func arguments(s string) (out []string, end int) {
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
				return out, i
			}
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return nil, -1
}

// differs says where and how a document has a declaration otherwise than the code.
// Where any signature that documents give of it agrees, or where it is not certain
// which declaration is meant, nothing does.
func (m *mentions) differs(d *Declaration) (Place, string) {
	if d.Kind != "function" && d.Kind != "method" {
		return Place{}, ""
	}
	owner := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]
	var at Place
	why := ""
	for _, s := range m.signs[d.Name] {
		if m.times[d.Name] > 1 && (owner == "" || s.owner != owner) || !s.of(d, owner) {
			continue
		}
		w := differing(d, &s)
		if w == "" {
			return Place{}, ""
		}
		if w != unknown && slices.ContainsFunc(m.overloads[d.Qualified()], func(o *Declaration) bool { return o != d && differing(o, &s) == "" }) {
			continue // it is of another that has the name
		}
		if w != unknown && why == "" {
			at, why = s.at, w
		}
	}
	return at, why
}

// of reports whether a signature may be of a declaration: a method's says whose it is, by
// its owner, by its own first parameter or by the headings above it.
func (s *signed) of(d *Declaration, owner string) bool {
	switch {
	case owner == "":
		return !s.receiver && !s.member
	case s.owner != "":
		return s.owner == owner || !s.receiver && s.owner[0] >= 'a' && s.owner[0] <= 'z'
	}
	return len(s.args) > 0 && isSelf(s.args[0]) || slices.Contains(nameRE.FindAllString(s.under, -1), owner)
}

// bodied reports whether the line after a declaration begins its body, and not only says
// that there is one.
func bodied(line, next string) bool {
	line = strings.TrimSpace(line)
	if !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "{") {
		return false
	}
	next = strings.Trim(next, "\t ;")
	return next != "" && next != "..." && next != "…" && next != "}" && !strings.HasPrefix(next, "```")
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
	if len(args) == 0 && (!s.declared || s.prose) {
		return unknown // name() is how documents write a name
	}
	return differingNames(d, s, parametersOf(params), parametersOf(args))
}

func isSelf(p string) bool {
	p = strings.TrimLeft(p, "&* ")
	return p == "self" || p == "cls" || p == "mut self" || strings.HasPrefix(p, "self:") || p == "this"
}

// differingGo compares parameters as Go writes them: "a, b int".
func differingGo(params, args []string, declared bool) string {
	typed := false
	args = slices.Clone(args)
	for _, a := range args {
		typed = typed || strings.ContainsAny(a, " \t")
	}
	if !declared && !typed {
		return unknown // it is a call
	}
	kinds := make([]string, len(args))
	last := ""
	for i := len(args) - 1; i >= 0; i-- {
		if name, rest, ok := strings.Cut(args[i], "..."); ok && isName(name) {
			args[i] = name + " ..." + rest
		}
		if k := strings.IndexAny(args[i], " \t"); k > 0 && isName(args[i][:k]) {
			last = args[i][k:]
		} else if !typed {
			last = args[i]
		}
		kinds[i] = tight(last)
	}
	if len(args) != len(params) {
		return counted(len(args), len(params))
	}
	if why := reordered(firstWords(args), firstWords(params)); why != "" && typed {
		return why
	}
	for i, p := range params {
		kind := p
		if k := strings.IndexAny(p, " \t"); k > 0 && isName(p[:k]) {
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

// isName reports whether a text is one name.
func isName(s string) bool { return s != "" && nameRE.FindString(s) == s }
