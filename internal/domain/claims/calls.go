package claims

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// A call in an example of a document is wrong where the function that it calls is certain, and cannot be
// called so: with more or fewer values than it takes, or with the name of a parameter that it has not.

// A calling is a call of an example: of what its document takes out of the project.
type calling struct {
	at    Place
	lang  string
	args  []string
	under string // the package that it is called on, or ""
}

var (
	callHead   = lazy.Regexp(`(?:\b([A-Za-z_]\w*)\.)?\b([A-Za-z_]\w*)\(`)
	pyModule   = lazy.Regexp(`(?m)^[ \t]*(?:>>> )?import[ \t]+(\w+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*$`)
	doctest    = lazy.Regexp(`(?m)^[ \t]*(?:>>>|\.\.\.)[ \t]`)
	failing    = lazy.Regexp(`(?i)\b(?:error|fails?|wrong|invalid|panics?|bad|raises?|throws?|incorrect|will not|won't|don't|doesn't)\b`)
	redeclares = lazy.Regexp(`\b(?:def|func|function|class|fn|lambda|as)\s+(\w+)|\b(\w+)\s*(?::?=|:)\s`)
)

// languageOf returns what language of code a block shows, of those whose calls are checked, or "".
func languageOf(b *block) string {
	switch lang := fenceOf(b.lang); lang {
	case "python", "py", "pycon", "python3", "py3":
		return "python"
	case "go", "golang":
		return "go"
	case "js", "javascript", "ts", "typescript", "jsx", "tsx", "mjs":
		return "typescript"
	}
	return ""
}

// exampleCalls returns the calls of examples by the name of what they call, where their document takes that
// out of the project.
func (a *Auditor) exampleCalls() map[string][]calling {
	k := a.names()
	out := map[string][]calling{}
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if d.Flags&corpus.Example != 0 || promisesNothing(d) {
			continue
		}
		page := blocks(string(d.Text))
		taken, modules, declared := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for j := range page {
			b := &page[j]
			lang := languageOf(b)
			if lang == "" {
				continue
			}
			k.imports(b, func(_ int, name string) { taken[last(chainOf(name))] = true })
			text := strings.Join(b.raw, "\n")
			if lang == "python" {
				for _, m := range pyModule.FindAllStringSubmatch(text, -1) {
					if k.isPackage(m[1]) && (m[2] == "" || len(m[2]) > 1) {
						modules[m[1]] = true
						if m[2] != "" {
							modules[m[2]] = true
						}
					}
				}
			}
			for _, m := range redeclares.FindAllStringSubmatch(text, -1) {
				declared[m[1]+m[2]] = true
			}
		}
		for j := range page {
			b := &page[j]
			if lang := languageOf(b); lang != "" && !b.under.past && !failing.MatchString(b.lead) && !failing.MatchString(strings.Join(b.raw, "\n")) {
				b.calls(lang, func(on, name string, line int, args []string) {
					if declared[name] || declared[on] && on != "" && !modules[on] || lang == "go" && len(args) == 1 && strings.HasSuffix(args[0], ")") {
						return // the example's own, or a call that gives several values
					}
					if on == "" && taken[name] || on != "" && (lang == "python" && modules[on] || lang == "go" && (k.own[fold2(on)] || bytes.Contains(d.Text, []byte("/"+on+"\"")))) {
						out[name] = append(out[name], calling{Place{d.Path, b.line + line}, lang, args, on})
					}
				})
			}
		}
	}
	return out
}

// calls gives each call of a block that is written out: what it is called on, its name, its line and its values.
func (b *block) calls(lang string, put func(on, name string, line int, args []string)) {
	text := strings.Join(b.raw, "\n")
	if lang == "python" {
		text = doctest.ReplaceAllString(text, "")
	}
	line, counted := 0, 0
	for _, m := range callHead.FindAllStringSubmatchIndex(text, -1) {
		line += strings.Count(text[counted:m[0]], "\n")
		counted = m[0]
		before := text[max(0, m[0]-longestCall):m[0]]
		first := strings.LastIndexByte(before, '\n') + 1
		if first == 0 && m[0] > longestCall {
			continue // in the midst of data
		}
		if before = before[first:]; strings.HasSuffix(before, ".") || strings.HasSuffix(before, "@") || strings.Count(before, `"`)%2 == 1 || strings.Count(before, "'")%2 == 1 || strings.ContainsAny(before, "#`") || strings.Contains(before, "//") {
			continue
		}
		on := ""
		if m[2] >= 0 {
			on = text[m[2]:m[3]]
		}
		if args, ok := valuesOf(text[m[1]:min(len(text), m[1]+longestCall)]); ok {
			put(on, text[m[4]:m[5]], line, args)
		}
	}
}

// longestCall bounds how much is read of a call, and of its line before it, in bytes.
const longestCall = 1000

// valuesOf cuts the values of a call at their commas, up to its closing bracket, and reports whether they are all
// written out: none is left out, spread, or beyond what this reads.
func valuesOf(s string) (out []string, ok bool) {
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'', '`':
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 || strings.HasPrefix(s[i:], `"""`) || strings.Contains(s[i:i+1+end], `\`) {
				return nil, false
			}
			i += end + 1
		case '#', '<', '\\', ';':
			return nil, false
		case '/':
			if i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '*') || strings.TrimSpace(s[start:i]) == "" {
				return nil, false // a remark, or a pattern
			}
		case '(', '[', '{':
			depth++
		case ']', '}', ')':
			if depth == 0 {
				if rest := strings.TrimSpace(s[start:i]); rest != "" {
					out = append(out, rest)
				}
				return out, c == ')' && !slices.ContainsFunc(out, unwritten)
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

// unwritten reports whether a value stands for several or for any.
func unwritten(v string) bool {
	return v == "" || strings.HasPrefix(v, "*") || strings.HasPrefix(v, "lambda") || strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, " for ")
}

var keyword = lazy.Regexp(`^([A-Za-z_]\w*)\s*=(?:[^=]|$)`)

// miscalled says how an example calls a declaration as it cannot be called, or "".
func (a *Auditor) miscalled(d *Declaration, all []calling) (Place, string) {
	if len(all) == 0 || d.Kind != "function" || d.Scope != "" || a.decorated(d) {
		return Place{}, ""
	}
	in := ""
	if d.Language == "go" {
		in = a.packageOf(d)
	}
	for i := range all {
		c := &all[i]
		if c.lang != d.Language && !(c.lang == "typescript" && d.Language == "javascript") || c.lang == "go" && c.under != in {
			continue
		}
		if why := misfit(d, c); why != "" {
			return c.at, why
		}
	}
	return Place{}, ""
}

// misfit says why values are none of a declaration, or "".
func misfit(d *Declaration, c *calling) string {
	params := parametersOf(d.Params)
	least, most, names := 0, 0, []string{}
	open, named := false, false
	for i := range params {
		p := &params[i]
		raw := d.Params[min(i, len(d.Params)-1)]
		switch {
		case raw == "*" || raw == "/":
			named = named || raw == "*"
			continue
		case strings.HasPrefix(raw, "**"):
			open = true
			continue
		case p.rest || strings.Contains(raw, "..."):
			most = 1 << 20
			continue
		}
		names = append(names, p.name)
		if !named {
			most++
		}
		if !p.optional && !named {
			least++
		}
	}
	placed, given := 0, []string{}
	for _, v := range c.args {
		if m := keyword.FindStringSubmatch(v); m != nil && d.Language == "python" {
			given = append(given, m[1])
			if !open && !slices.Contains(names, m[1]) {
				return fmt.Sprintf("the example gives a parameter %s, the code has (%s)", m[1], strings.Join(names, ", "))
			}
			continue
		}
		placed++
	}
	switch {
	case placed > most:
		return fmt.Sprintf("the example gives %d values, the code takes %d", placed, most)
	case placed+len(given) < least && d.Language != "javascript":
		return fmt.Sprintf("the example gives %d values, the code takes at least %d", placed+len(given), least)
	}
	return ""
}

// decorated reports whether something before a declaration may change how it is called, or something in its file takes
// the values of calls as they come.
func (a *Auditor) decorated(d *Declaration) bool {
	i, ok := slices.BinarySearchFunc(a.Tree.Code, d.Path, func(s Source, p string) int { return strings.Compare(s.Path, p) })
	if !ok {
		return true
	}
	text := a.Tree.Code[i].Text
	if d.Language == "javascript" && bytes.Contains(text, []byte("arguments")) {
		return true
	}
	for range d.Line - 2 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	above, _, _ := bytes.Cut(text, []byte("\n"))
	above = bytes.TrimSpace(above)
	// A decorator may end on a line of its own.
	return d.Line < 1 || d.Line > 1 && (bytes.HasPrefix(above, []byte("@")) || bytes.HasPrefix(above, []byte(")")))
}

// packageOf returns what a declaration of Go is called on from outside.
func (a *Auditor) packageOf(d *Declaration) string {
	i, ok := slices.BinarySearchFunc(a.Tree.Code, d.Path, func(s Source, p string) int { return strings.Compare(s.Path, p) })
	if !ok {
		return path.Base(path.Dir(d.Path))
	}
	if m := packageHead.FindSubmatch(a.Tree.Code[i].Text[:min(len(a.Tree.Code[i].Text), 4096)]); m != nil {
		return string(m[1])
	}
	return ""
}
