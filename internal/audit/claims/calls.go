package claims

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A call in an example of a document is wrong where the function that it calls is certain, and cannot be
// called so: with more or fewer values than it takes, or with the name of a parameter that it has not.

// A calling is a call of an example: of what its document takes out of the project.
type calling struct {
	at    Place
	lang  string
	args  []string
	under string // the package that it is called on, or ""
	made  bool   // it is called by "new"
}

var (
	callHead = lazy.Regexp(`(?:\b([A-Za-z_]\w*)\.)?\b([A-Za-z_]\w*)\(`)
	pyModule = lazy.Regexp(`(?m)^[ \t]*(?:>>> )?import[ \t]+(\w+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*$`)
	pathEnd  = lazy.Regexp(`/([A-Za-z_]\w*)"`)
	doctest  = lazy.Regexp(`(?m)^[ \t]*(?:>>>|\.\.\.)[ \t]`)
	failing  = lazy.Regexp(`(?i)\b(?:error|fails?|wrong|invalid|panics?|bad|raises?|throws?|incorrect|will not|won't|don't|doesn't)\b`)
	builds   = lazy.Regexp(`(?m)^[ \t]*(?:(?:>>>|const|let|var) )?([A-Za-z_]\w*)[ \t]*=[ \t]*(new[ \t]+)?(?:([A-Za-z_]\w*)\.)?([A-Z]\w*)\(`)
	// Where names stand that are bound to what comes: parameters, and what is gone through.
	binds      = lazy.Regexp(`\b(?:def|function|lambda)\b[^\n:{]*|\([^()\n]*\)\s*=>|\b\w+\s*=>|\bfor\s+[\w, ]+`)
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
	regiven := sync.OnceValue(a.regiven)
	goModules := a.Tree.goModules()
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if d.Flags&corpus.Example != 0 || promisesNothing(d) {
			continue
		}
		page := blocks(string(d.Text))
		taken, modules, declared := map[string]bool{}, map[string]bool{}, map[string]int{}
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
				declared[m[1]+m[2]]++
			}
			for _, m := range binds.FindAllString(text, -1) {
				for _, w := range nameRE.FindAllString(m, -1) {
					declared[w]++
				}
			}
		}
		imported := sync.OnceValue(func() map[string]bool {
			names := map[string]bool{}
			for _, m := range pathEnd.FindAllSubmatch(d.Text, -1) {
				names[string(m[1])] = true
			}
			return names
		})
		e := k.exampleOf(page, goModules)
		sure := func(name string) bool { return name == "" || !e.foreign[name] && !e.rebound[name] }
		for j := range e.samples {
			b, lang := e.samples[j].block, e.samples[j].lang
			if b.under.past || failing.MatchString(b.lead) || failing.MatchString(e.samples[j].text) {
				continue
			}
			b.calls(lang, func(on, name string, line int, args []string, made bool) {
				if v := e.of[on]; v.class != "" && !made {
					known := declared[v.class] == 0 && (v.on == "" && taken[v.class] || v.on != "" && modules[v.on])
					if before := j < v.sample || j == v.sample && line <= v.line; known && !before && sure(on) && sure(v.class) && sure(v.on) && !regiven()[v.class] && !regiven()[name] {
						name = v.class + "." + name
						out[name] = append(out[name], calling{Place{d.Path, b.line + line}, lang, args, on, false})
					}
					return
				}
				if declared[name] > 0 || declared[on] > 0 && on != "" && !modules[on] || lang == "go" && len(args) == 1 && strings.HasSuffix(args[0], ")") {
					return // the example's own, or a call that gives several values
				}
				own := on == "" && taken[name] || on != "" && (lang == "python" && modules[on] || lang == "go" && (k.own[fold2(on)] || imported()[on]))
				if own && sure(on) && (on != "" || sure(name)) && (lang == "go" || !regiven()[name]) {
					out[name] = append(out[name], calling{Place{d.Path, b.line + line}, lang, args, on, made})
				}
			})
		}
	}
	return out
}

// calls gives each call of a block that is written out: what it is called on, its name, its line, its values, and whether
// "new" is before it.
func (b *block) calls(lang string, put func(on, name string, line int, args []string, made bool)) {
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
			put(on, text[m[4]:m[5]], line, args, strings.HasSuffix(before, "new "))
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

// miscalled says how an example calls a declaration as it cannot be called, or "", and how many calls were compared with
// it: of a function or a method, and of a class those of its constructor.
func (a *Auditor) miscalled(d *Declaration, all []calling) (at Place, why string, compared int) {
	if len(all) == 0 || a.decorated(d) {
		return at, "", 0
	}
	in, with := "", *d
	switch {
	case d.Kind == "function" && d.Scope == "":
		if d.Language == "go" {
			in = a.packageOf(d)
		}
	case d.Kind == "method" || d.Kind == "function":
		if with.Params = unbound(d.Params); d.Language == "python" && len(with.Params) == len(d.Params) {
			return at, "", 0
		}
	case d.Kind == "class" && d.Scope == "":
		params, ok := a.constructor(d)
		if !ok {
			return at, "", 0
		}
		with.Params = params
	default:
		return at, "", 0
	}
	var takes *taking
	for i := range all {
		c := &all[i]
		if c.lang != d.Language && !(c.lang == "typescript" && d.Language == "javascript") || c.lang == "go" && c.under != in || c.made != (c.lang == "typescript" && d.Kind == "class") {
			continue
		}
		if compared++; why != "" {
			continue
		}
		if takes == nil {
			takes = takingOf(&with) // once for all calls
		}
		if wrong := takes.misfit(c); wrong != "" {
			at, why = c.at, wrong
			if d.Kind == "class" {
				why += ", for its constructor"
			}
		}
	}
	return at, why, compared
}

// unbound are parameters without the first, where that is what a method is of.
func unbound(params []string) []string {
	if len(params) > 0 && isSelf(params[0]) {
		return params[1:]
	}
	return params
}

// otherMade are bases whose heirs are made otherwise than their own constructor says.
var otherMade = lazy.Regexp(`(?i)enum|tuple|meta|model|protocol|typeddict|type$`)

// A calleeFile is what is known of a file whose declarations examples call. It is read once for all of them.
type calleeFile struct {
	lines     [][]byte
	arguments bool // something in it takes the values of calls as they come
	text      []byte
	language  string
	made      map[string]*making // nil until a class of it is asked for
}

// A making is how what a file declares at its top is made.
type making struct {
	params []string
	ok     bool // one constructor says it
	other  bool // something else may decide it
}

// calleeFile returns what is known of a file, or nil.
func (a *Auditor) calleeFile(file string) *calleeFile {
	if h, ok := a.calleeFiles[file]; ok {
		return h
	}
	if a.calleeFiles == nil {
		a.calleeFiles = map[string]*calleeFile{}
	}
	var h *calleeFile
	if i, ok := slices.BinarySearchFunc(a.Tree.Code, file, func(s Source, p string) int { return strings.Compare(s.Path, p) }); ok {
		f := &a.Tree.Code[i]
		h = &calleeFile{lines: bytes.Split(f.Text, []byte("\n")), arguments: bytes.Contains(f.Text, []byte("arguments")), text: f.Text, language: f.Language}
	}
	a.calleeFiles[file] = h
	return h
}

// constructor returns the parameters of the one constructor that a class declares itself, where nothing else may
// decide how it is made.
func (a *Auditor) constructor(d *Declaration) (params []string, ok bool) {
	h := a.calleeFile(d.Path)
	if h == nil {
		return nil, false
	}
	if h.made == nil {
		h.made = makings(syntax.Facts(d.Path, h.language, h.text).Decls, h.text)
	}
	m := h.made[d.Name]
	if m == nil || !m.ok || m.other {
		return nil, false
	}
	return m.params, true
}

// makings returns how what a file declares at its top is made, by name.
func makings(decls []corpus.Decl, text []byte) map[string]*making {
	out, of := map[string]*making{}, map[int32]*making{}
	for k := range decls {
		c := &decls[k]
		if c.Parent < 0 {
			m, again := out[c.Name]
			if !again {
				m = &making{}
				out[c.Name], of[int32(k)] = m, m
			}
			m.other = m.other || again || len(c.Marks) > 0 || slices.ContainsFunc(c.Bases, otherMade.MatchString) || bytes.Contains(text[c.NameAt:c.Body], []byte("metaclass"))
			for _, base := range c.Bases {
				m.other = m.other || out[base] != nil && out[base].other
			}
			continue
		}
		switch m := of[c.Parent]; {
		case m == nil:
		case c.Name == "__new__" || c.Name == "__call__":
			m.other = true
		case c.Name == "__init__" || c.Name == "constructor":
			m.other = m.other || m.ok || len(c.Marks) > 0
			m.params, m.ok = unbound(c.Params), true
		}
	}
	return out
}

// A taking is what a declaration takes.
type taking struct {
	language    string
	least, most int
	names       []string
	has         map[string]bool // of these
	open        bool            // it takes parameters of any name
}

func takingOf(d *Declaration) *taking {
	t := &taking{language: d.Language, has: map[string]bool{}}
	raws := slices.DeleteFunc(slices.Clone(d.Params), ofThis)
	params := parametersOf(raws)
	named := false
	for i := range params {
		p := &params[i]
		raw := raws[min(i, len(raws)-1)]
		switch {
		case raw == "*" || raw == "/":
			named = named || raw == "*"
			continue
		case strings.HasPrefix(raw, "**"):
			t.open = true
			continue
		case p.rest || strings.Contains(raw, "..."):
			t.most = 1 << 20
			continue
		}
		t.names = append(t.names, p.name)
		t.has[p.name] = true
		if !named {
			t.most++
		}
		if !p.optional && !named {
			t.least++
		}
	}
	return t
}

// misfit says why values are none of what is taken, or "".
func (t *taking) misfit(c *calling) string {
	placed, given := 0, 0
	for _, v := range c.args {
		if m := keyword.FindStringSubmatch(v); m != nil && t.language == "python" {
			given++
			if !t.open && !t.has[m[1]] {
				return fmt.Sprintf("the example gives a parameter %s, the code has (%s)", m[1], strings.Join(t.names, ", "))
			}
			continue
		}
		placed++
	}
	switch {
	case placed > t.most:
		return fmt.Sprintf("the example gives %d values, the code takes %d", placed, t.most)
	case placed+given < t.least && t.language != "javascript":
		return fmt.Sprintf("the example gives %d values, the code takes at least %d", placed+given, t.least)
	}
	return ""
}

// decorated reports whether something before a declaration may change how it is called, or something in its file takes
// the values of calls as they come.
func (a *Auditor) decorated(d *Declaration) bool {
	h := a.calleeFile(d.Path)
	if h == nil || d.Line < 1 || d.Language == "javascript" && h.arguments {
		return true
	}
	if d.Line < 2 || d.Line-2 >= len(h.lines) {
		return false
	}
	return decoratedAbove(h.lines[:d.Line-1])
}

// decoratedAbove reports whether the lines before a declaration end with a decorator: behind remarks and empty lines, and over
// several lines where its brackets are.
func decoratedAbove(lines [][]byte) bool {
	depth := 0
	for i := len(lines) - 1; i >= max(0, len(lines)-mostMarked); i-- {
		line := bytes.TrimSpace(lines[i])
		if depth == 0 && (len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//")) || line[0] == '*' || bytes.HasPrefix(line, []byte("/*"))) {
			continue
		}
		for _, c := range line {
			switch c {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				depth--
			}
		}
		if bytes.HasPrefix(line, []byte("@")) {
			return true
		}
		if depth <= 0 {
			return false
		}
	}
	return depth > 0
}

// mostMarked is over how many lines a decorator is looked for.
const mostMarked = 200

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
