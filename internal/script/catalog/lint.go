package catalog

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Fault is something about a module that would mislead its readers.
type Fault struct {
	Module string `json:"module"`
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"` // from 1; 0: of the whole file
	Rule   string `json:"rule"`
	Text   string `json:"text"`
}

func (f Fault) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.Path, f.Line, f.Rule, f.Text) }

// A linter checks one module against the rules.
type linter struct {
	m      *Module
	src    string
	meta   Meta
	tags   []tag
	faults []Fault
}

func (l *linter) say(line int, rule, format string, args ...any) {
	l.faults = append(l.faults, Fault{l.m.Name, l.m.Path, line, rule, fmt.Sprintf(format, args...)})
}

// Lint returns what is wrong with a module of the catalogue, whose text is src, in
// the order of its lines. compile, if not nil, returns why Lua could not run a text.
func (c *Catalog) Lint(m *Module, src string, compile func(chunk string, src []byte) error) []Fault {
	l := linter{m: m, src: src, meta: Parse(src)}
	eachTag(src, func(t tag) { l.tags = append(l.tags, t) })
	l.header()
	l.description()
	l.keywords()
	l.env()
	l.quickrefs(c.aliased(l.meta))
	if to := l.meta.Alias; to != "" && c.Named(to) == nil {
		l.say(0, "alias", "there is no module %s", to)
	}
	if compile != nil {
		if err := compile(m.Chunk(), []byte(src)); err != nil {
			l.say(0, "syntax", "%v", err)
		}
	}
	sort.SliceStable(l.faults, func(i, j int) bool { return l.faults[i].Line < l.faults[j].Line })
	return l.faults
}

// header checks that the header has the lines that it must have.
func (l *linter) header() {
	if want := "--- @module " + l.m.Name; len(l.tags) == 0 || l.tags[0].text != want {
		l.say(1, "module", "the first line is not %q", want)
	}
	count := map[string]int{}
	for _, t := range l.tags {
		count[t.name]++
		switch t.name {
		case "":
			l.say(t.line, "tag", "a line of the header without a tag: comments with two dashes go below it")
		case "auth", "quickref", "module", "description", "keywords", "synonyms", "asked", "env":
			if t.value == "" {
				l.say(t.line, t.name, "nothing after @%s", t.name)
			} else if !strings.HasPrefix(t.text, "--- @"+t.name+" ") {
				l.say(t.line, "tag", "a tag is written: --- @%s ...", t.name)
			}
		default:
			l.say(t.line, "tag", "@%s is not known: module, description, keywords, synonyms, asked, env, auth and quickref are", t.name)
		}
	}
	for _, name := range []string{"module", "description", "keywords"} {
		if count[name] == 0 {
			l.say(1, name, "the header has no @%s", name)
		}
	}
	for _, name := range []string{"module", "description", "keywords", "synonyms", "env"} {
		if count[name] > 1 {
			l.say(1, name, "the header has %d lines of @%s", count[name], name)
		}
	}
	for i, text := range strings.Split(l.src, "\n") {
		if i >= len(l.tags) && strings.HasPrefix(text, "--- @") {
			l.say(i+1, "tag", "below the header, where nothing is read")
		}
	}
}

// at returns the line of the first tag of a name, or 1.
func (l *linter) at(name string) int {
	for _, t := range l.tags {
		if t.name == name {
			return t.line
		}
	}
	return 1
}

func (l *linter) description() {
	d := l.meta.Description
	if d == "" {
		return
	}
	if n := utf8.RuneCountInString(d); n > mostDescription {
		l.say(l.at("description"), "description", "%d characters, at most %d", n, mostDescription)
	}
	names := append([]string{l.m.Short()}, l.meta.Keywords...)
	if !slices.ContainsFunc(names, func(name string) bool { return startsWith(d, name) }) {
		l.say(l.at("description"), "description", "it begins neither with the service's name nor with a keyword")
	}
}

// startsWith reports whether a text begins with a name, whatever is between their letters.
func startsWith(said, name string) bool {
	name = text.Letters(name)
	return name != "" && strings.HasPrefix(text.Letters(said), name)
}

// keywords checks both lists: of the words that the service has for what it does, and of those with which people ask for it.
func (l *linter) keywords() {
	seen := map[string]bool{}
	for _, of := range []struct {
		tag   string
		words []string
	}{{"keywords", l.meta.Keywords}, {"synonyms", l.meta.Synonyms}} {
		at := l.at(of.tag)
		for _, k := range of.words {
			if k != strings.ToLower(k) {
				l.say(at, of.tag, "%q is not in lower case", k)
			}
			if seen[k] {
				l.say(at, of.tag, "%q is listed twice", k)
			}
			seen[k] = true
		}
		if of.tag == "keywords" && len(of.words) > 0 && !seen[strings.ToLower(l.m.Short())] {
			l.say(at, of.tag, "the service's name, %q, is not among them", l.m.Short())
		}
	}
}

var (
	variableName = lazy.Regexp(`^[A-Z_][A-Z0-9_]*$`)
	readsEnv     = lazy.Regexp(`\benv\s*\.\s*get\s*\(?\s*(?:"([^"\n]*)"|'([^'\n]*)')`)
)

// env checks that the variables of the header are those that the code reads.
func (l *linter) env() {
	at := l.at("env")
	read := map[string]bool{}
	code := l.src
	for _, i := range readsEnv.FindAllStringSubmatchIndex(code, -1) {
		lo, hi := i[2], i[3]
		if lo < 0 {
			lo, hi = i[4], i[5]
		}
		name := code[lo:hi]
		if commented(code, i[0]) || read[name] {
			continue
		}
		read[name] = true
		if !slices.Contains(l.meta.Env, name) {
			l.say(1+strings.Count(code[:i[0]], "\n"), "env", "%s is read, and is not in @env", name)
		}
	}
	for i, name := range l.meta.Env {
		switch {
		case !variableName.MatchString(name):
			l.say(at, "env", "%q is not a valid variable name", name)
		case slices.Contains(l.meta.Env[:i], name):
			l.say(at, "env", "%s is listed twice", name)
		case !read[name] && !quoted(code, name):
			l.say(at, "env", "%s is not read anywhere", name)
		}
	}
}

// quoted reports whether the code has a string that is the name, as one that hands it to a function of its own does.
func quoted(code, name string) bool {
	return strings.Contains(code, `"`+name+`"`) || strings.Contains(code, "'"+name+"'")
}

// commented reports whether two dashes stand before i in its line.
func commented(code string, i int) bool {
	return strings.Contains(code[strings.LastIndexByte(code[:i], '\n')+1:i], "--")
}

// quickrefs checks that each function has one, and each of them a function.
func (l *linter) quickrefs(to Meta) {
	type key struct{ sep, name string }
	has := map[key]int{} // the line of its quickref
	for _, t := range l.tags {
		if t.name != "quickref" || t.value == "" {
			continue
		}
		q, ok := readQuickref(t.value)
		if !ok {
			l.say(t.line, "quickref", "it is written: signature -> what it returns | what it does")
			continue
		}
		f, ok := readFunction(q.Signature)
		if !ok || f.Signature() != q.Signature {
			l.say(t.line, "quickref", "%q is not a signature: write c:name(a, b) or M.name(a, b)", q.Signature)
			continue
		}
		k := key{f.sep(), f.Name}
		if has[k] > 0 {
			l.say(t.line, "quickref", "%s has one in line %d", f.Name, has[k])
			continue
		}
		has[k] = t.line
		i := slices.IndexFunc(to.Functions, func(g Function) bool { return g.Name == f.Name && g.Method == f.Method })
		switch {
		case i < 0:
			l.say(t.line, "quickref", "there is no function %s", f.Signature())
		case f.Helper():
			l.say(t.line, "quickref", "%s is a helper", f.Name)
		case !slices.Equal(to.Functions[i].Params, f.Params):
			l.say(t.line, "quickref", "the function is %s", to.Functions[i].Signature())
		}
	}
	alias := l.meta.Alias != ""
	if alias && len(has) == 0 {
		return // an alias has the quickrefs of the module whose table it returns
	}
	for _, f := range to.Functions {
		k := key{f.sep(), f.Name}
		if has[k] == 0 && !f.Helper() && !f.constructor() {
			line := f.Line
			if alias {
				line = 0
			}
			l.say(line, "quickref", "%s has none", f.Signature())
			has[k] = f.Line
		}
	}
}

func (f Function) sep() string {
	if f.Method {
		return ":"
	}
	return "."
}

// constructor reports whether the function makes what the others are called on: how is told by @auth.
func (f Function) constructor() bool { return !f.Method && f.Name == "client" }
