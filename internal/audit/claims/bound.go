package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a name of an example stands for is certain only where nothing on its page may give it to anything else: every
// place that has the name takes it out of the project, makes it, calls it, or hands it on.

// A sample is a block of an example, with what it imports.
type sample struct {
	*block
	lang, text string
	imports    [][2]int // where in the text something is imported
}

// A specimen is the examples of a page, and what their names are.
type specimen struct {
	samples []sample
	foreign map[string]bool // names that come from elsewhere, or under another name than they are declared
	rebound map[string]bool // names that may be given to something else
	of      map[string]construct
	modules []string // of Go, that the project has
}

// A construct is where a variable is made of a class, first.
type construct struct {
	class, on    string
	sample, line int
}

var (
	pyModules   = lazy.Regexp(`(?m)^[ \t]*import[ \t]+([^\n(;#]+)`)
	jsTakesFrom = lazy.Regexp(`\bimport\s+(?:type\s+)?([^'"();=]*?)\s*\bfrom\s*['"]([^'"\n]+)['"]`)
	jsRequires  = lazy.Regexp(`\b(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*(?:await\s+)?(?:import|require)\s*\(\s*['"]([^'"\n]+)['"]`)
	goImport    = lazy.Regexp(`(?m)^[ \t]*(?:import[ \t]+)?(?:([\w.]+)[ \t]+)?"([^"\s]+)"[ \t]*(?://.*)?$`)
	goModule    = lazy.Regexp(`(?m)^module[ \t]+"?([^\s"]+)`)
	goVersion   = lazy.Regexp(`^v\d+$`)
	// What binds the names that follow it, or begins a line whose brackets do.
	binder  = lazy.Regexp(`\b(?:def|function|func|fn|class|lambda|case|with|for|async|import|from|except|catch|while|if|switch|interface|type)\b`)
	hands   = lazy.Regexp(`\b(?:return|await|in|of|not|yield|new|package|and|or|print|raise|throw|typeof|else)[ \t]+$`)
	declare = lazy.Regexp(`\b(?:def|function|func|fn|class|interface|type|get|set|static|as|async|const|let|var|global|nonlocal)[ \t*]+$`)
	sets    = lazy.Regexp(`^(?:\??\.\w+)+[ \t]*(?:[-+*/|&]?=[^=]|:[^:])`)
)

// exampleOf reads the examples of a page.
func (k *known) exampleOf(page []block, modules []string) *specimen {
	e := &specimen{modules: modules, foreign: map[string]bool{}, rebound: map[string]bool{}, of: map[string]construct{}}
	for j := range page {
		lang := languageOf(&page[j])
		if lang == "" {
			continue
		}
		s := sample{block: &page[j], lang: lang, text: strings.Join(page[j].raw, "\n")}
		if lang == "python" {
			s.text = doctest.ReplaceAllString(s.text, "")
		}
		k.importsOf(&s, e)
		e.samples = append(e.samples, s)
	}
	made := e.constructs()
	for j := range e.samples {
		s := &e.samples[j]
		for _, at := range nameRE.FindAllStringIndex(s.text, -1) {
			if name := s.text[at[0]:at[1]]; !e.rebound[name] && !made[[2]int{j, at[0]}] && !s.plain(at[0], at[1]) {
				e.rebound[name] = true
			}
		}
	}
	return e
}

// importsOf finds what a sample imports, and what of that is none of the project's as it declares it.
func (k *known) importsOf(s *sample, e *specimen) {
	takes := func(m []int, names string, own bool) {
		s.imports = append(s.imports, [2]int{m[0], m[1]})
		for item := range strings.SplitSeq(names, ",") {
			if words := nameRE.FindAllString(item, -1); !own || len(words) > 1 && words[0] != "type" || strings.Contains(item, "*") {
				for _, w := range words {
					e.foreign[w] = true
				}
			}
		}
	}
	switch s.lang {
	case "python":
		for _, m := range pyTakes.FindAllStringSubmatchIndex(s.text, -1) {
			of, _, _ := strings.Cut(s.text[m[2]:m[3]], ".")
			var names strings.Builder
			for line := range strings.Lines(s.text[m[4]:m[5]]) {
				line, _, _ = strings.Cut(line, "#")
				names.WriteString(line)
			}
			takes(m, names.String(), k.isPackage(of))
		}
		for _, m := range pyModules.FindAllStringSubmatchIndex(s.text, -1) {
			s.imports = append(s.imports, [2]int{m[0], m[1]})
			for item := range strings.SplitSeq(s.text[m[2]:m[3]], ",") {
				words := nameRE.FindAllString(item, -1)
				if len(words) > 0 && !k.isPackage(words[0]) || len(words) > 1 && words[1] != "as" && words[len(words)-2] == "as" {
					e.foreign[words[0]], e.foreign[last(words)] = true, true
				}
			}
		}
	case "typescript":
		for _, re := range []*lazy.Pattern{jsTakesFrom, jsRequires} {
			for _, m := range re.FindAllStringSubmatchIndex(s.text, -1) {
				names, from := s.text[m[2]:m[3]], s.text[m[4]:m[5]]
				whole, rest, listed := strings.Cut(names, "{")
				takes(m, whole, false) // whatever a package is as a whole
				if listed {
					takes(m, rest, from[0] != '.' && k.ownPackage(from))
				}
			}
		}
	case "go":
		for _, m := range goImport.FindAllStringSubmatchIndex(s.text, -1) {
			s.imports = append(s.imports, [2]int{m[0], m[1]})
			from := s.text[m[4]:m[5]]
			name := path.Base(from)
			if goVersion.MatchString(name) {
				name = path.Base(path.Dir(from))
			}
			if m[2] >= 0 {
				e.foreign[s.text[m[2]:m[3]]] = true
			} else if !e.ownGo(from) {
				e.foreign[name] = true
			}
		}
	}
}

// ownGo reports whether an import path of Go is of a module of the project, or may be: none says what it is called.
func (e *specimen) ownGo(from string) bool {
	return slices.ContainsFunc(e.modules, func(m string) bool { return from == m || strings.HasPrefix(from, m+"/") }) || len(e.modules) == 0 && strings.Contains(from, ".")
}

// goModules returns what the modules of Go of a tree are called.
func (t *Tree) goModules() (out []string) {
	for _, list := range [][]Source{t.Code, t.Aside} {
		for i := range list {
			if path.Base(list[i].Path) == "go.mod" {
				if m := goModule.FindSubmatch(list[i].Text); m != nil {
					out = append(out, string(m[1]))
				}
			}
		}
	}
	return out
}

// constructs finds the variables that are made of a class, and returns where they are.
func (e *specimen) constructs() map[[2]int]bool {
	at := map[[2]int]bool{}
	for j := range e.samples {
		s := &e.samples[j]
		if s.lang == "go" {
			continue
		}
		line, counted := 0, 0
		for _, m := range builds.FindAllStringSubmatchIndex(s.text, -1) {
			name, class, on := s.text[m[2]:m[3]], s.text[m[8]:m[9]], ""
			if m[6] >= 0 {
				on = s.text[m[6]:m[7]]
			}
			_, end := arguments(s.text[m[1]:min(len(s.text), m[1]+longestCall)])
			if (m[4] >= 0) != (s.lang == "typescript") || end < 0 {
				continue
			}
			end += m[1] + 1
			if end >= counted {
				line += strings.Count(s.text[counted:end], "\n")
			} else { // it is a value of the one before, over several lines
				line -= strings.Count(s.text[end:counted], "\n")
			}
			counted = end
			rest, below, _ := strings.Cut(s.text[end:], "\n")
			rest = strings.TrimSpace(rest)
			next := strings.TrimSpace(below)
			if s.lang == "python" {
				next = "" // a line that goes on says so at its end
			}
			if rest != "" && rest != ";" && rest[0] != '#' && !strings.HasPrefix(rest, "//") || rest != ";" && next != "" && strings.ContainsRune(".?[(+!", rune(next[0])) {
				continue
			}
			switch before, again := e.of[name]; {
			case !again:
				e.of[name] = construct{class, on, j, line}
			case before.class != class || before.on != on:
				continue
			}
			at[[2]int{j, m[2]}] = true
		}
	}
	return at
}

// plain reports whether the name at a place of a sample is used there, and given to nothing.
func (s *sample) plain(from, to int) bool {
	text := s.text
	if slices.ContainsFunc(s.imports, func(in [2]int) bool { return in[0] <= from && to <= in[1] }) {
		return true
	}
	begin := max(strings.LastIndexByte(text[:from], '\n')+1, from-longestCall)
	before, after := text[begin:from], text[to:min(len(text), to+longestCall)]
	switch {
	case strings.HasSuffix(before, "..."):
		return false
	case strings.HasSuffix(before, ".") || inRemark(before, s.lang):
		return true
	case before != "" && strings.IndexByte("\"'`/-", before[len(before)-1]) >= 0 || after != "" && strings.IndexByte("\"'`", after[0]) >= 0:
		return true // a word of a text
	case declare.MatchString(before):
		return false
	case s.lang == "python" && before == "" && (after == "" || after[0] == '\n'):
		return true // it is shown
	}
	next := strings.TrimLeft(after, " \t\n")
	if len(next) > 1 && next[0] == '.' && next[1] != '.' || strings.HasPrefix(next, "?.") {
		head := strings.TrimSpace(before)
		return !sets.MatchString(next) && !strings.HasSuffix(head, "for") && !strings.HasSuffix(head, "del")
	}
	if strings.HasPrefix(after, "(") {
		_, end := arguments(after[1:])
		return end >= 0 && !s.opens(text[to+end+2:])
	}
	if hands.MatchString(before) {
		return !strings.HasPrefix(next, "=") && !strings.HasPrefix(next, ":=")
	}
	return s.argument(from, to)
}

// opens reports whether what follows the brackets behind a name makes them parameters.
func (s *sample) opens(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->") || s.lang == "typescript" && strings.HasPrefix(rest, ":")
}

// argument reports whether the name at a place is a value of a call.
func (s *sample) argument(from, to int) bool {
	text, depth, open := s.text, 0, -1
	for i := from - 1; i >= max(0, from-longestCall) && open < 0; i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				open = i
			}
		}
	}
	if open < 1 || text[open] != '(' || !wordByte(text[open-1]) {
		return false
	}
	if binder.MatchString(text[strings.LastIndexByte(text[:open], '\n')+1 : open]) {
		return false
	}
	args, end := arguments(text[open+1 : min(len(text), open+longestCall)])
	if end < 0 || open+1+end < to || slices.ContainsFunc(args, func(v string) bool { return strings.Contains(v, "lambda") || strings.Contains(v, "=>") }) {
		return false
	}
	rest := strings.TrimLeft(text[open+end+2:], " \t\n")
	if strings.HasPrefix(rest, ":") || s.opens(rest) {
		return false
	}
	left, right := strings.TrimRight(text[open:from], " \t\n"), strings.TrimLeft(text[to:], " \t\n")
	keyed := s.lang == "python" && strings.HasPrefix(right, "=")
	return strings.IndexByte("(,=", left[len(left)-1]) >= 0 && (keyed || right != "" && strings.IndexByte("),", right[0]) >= 0)
}

// inRemark reports whether the line before a name begins a remark.
func inRemark(before, lang string) bool {
	sign := "//"
	if lang == "python" {
		sign = "#"
	}
	head, _, ok := strings.Cut(before, sign)
	return ok && strings.Count(head, `"`)%2 == 0 && strings.Count(head, "'")%2 == 0 && strings.Count(head, "`")%2 == 0 || lang != "python" && strings.HasPrefix(strings.TrimSpace(before), "*")
}

var (
	renaming = lazy.Regexp(`([\w$*.]+)[ \t]+as[ \t]+([A-Za-z_$][\w$]*)`)
	pyGives  = lazy.Regexp(`(?m)^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=[^=]`)
	jsGives  = lazy.Regexp(`\bexports\.(\w+)[ \t]*=|(?m:^)[ \t]*export[ \t]+(?:const|let|var)[ \t]+(\w+)`)
)

// regiven returns the names that the code gives to what it declares under another one.
func (a *Auditor) regiven() map[string]bool {
	out := map[string]bool{}
	for i := range a.Tree.Code {
		f := &a.Tree.Code[i]
		var gives *lazy.Pattern
		switch f.Language {
		case "python":
			gives = pyGives
		case "javascript", "typescript":
			gives = jsGives
		default:
			continue
		}
		for _, m := range renaming.FindAllSubmatch(f.Text, -1) {
			if from := string(m[1]); last(strings.Split(from, ".")) != string(m[2]) {
				out[string(m[2])] = true
			}
		}
		for _, m := range gives.FindAllSubmatch(f.Text, -1) {
			out[string(slices.Concat(m[1:]...))] = true
		}
	}
	return out
}
