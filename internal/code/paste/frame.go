package paste

import (
	_ "embed" // templates.txt
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// The frames of traces. Each names a path and a line, and most a function: before it on
// the line, behind it, or on the line before.
var (
	// File "x.py", line 3, in f
	python = lazy.Regexp(`File "([^"]+)", line (\d+)(?:, in (\S+))?`)
	// at a.b.C.m(C.java:1)
	java = lazy.Regexp(`\bat (?:[\w.@/-]+//?)?([\w$.<>]+)\.([\w$<>]+)\(([\w$]+\.\w+):(\d+)\)`)
	// #1 /x/C.php(12): a\C->m()
	php = lazy.Regexp(`#\d+ ([^\s(]+\.\w+)\((\d+)\): ((?:[\w\\]+(?:->|::))?\w+)`)
	// at A.B.M(String s) in C:\x\B.cs:line 12
	csharp = lazy.Regexp(`\bat ([\w.<>+|\[\]\x60]+)\(.*\) in (.+?):line (\d+)`)
	// at f (x.js:1:2), at x.js:1:2, at async C.m [as n] (file:///x.js:1:2)
	script = lazy.Regexp(`\bat (?:async )?(?:(new )?([\w$.<>#]+)(?: \[as (\w+)\])? \()?(?:file://|webpack:///?)?([^\s()]+?\.\w+):(\d+):\d+\)?`)
	// #0  0x1234 in f (a=1) at x.c:12
	debugger = lazy.Regexp(`^\s*#\d+\s+(?:0x[0-9a-fA-F]+ in )?([\w:~<>]+) ?\(.*\) at ([^\s:]+):(\d+)`)
	// x.rb:12:in 'C#m', Rakefile:3:in `block (2 levels) in m'
	ruby = lazy.Regexp(`([\w./\\@+~-]*[\w@+-]):(\d+):in [\x60'"](?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )*([^'"\x60\s]+)['"\x60]`)
	// x.ex:12: M.f/1, x.ex:12: anonymous fn/1 in M.f/2
	elixir = lazy.Regexp(`([\w./-]+\.exs?):(\d+): (?:anonymous fn/\d+ in )?([\w.]+[?!]?)/\d+`)
	// x.lua:12: in function 'f', x.py:12: in f, x.go:12 +0x1d, x.rs:1:2, x.php on line 12
	plain = lazy.Regexp(`((?:[A-Za-z]:)?[\w./\\@+~-]*[\w@+-]\.[A-Za-z]\w{0,5})(?::| on line |\(| line )(\d+)\b(?::\d+)?\)?:?(?:\s?in (?:function |method )?[\x60'<"]?((?:[\w:.]+[#.])?[\w?!]+))?`)
)

// frame reads a line of a stack trace.
func (r *reader) frame(s string) bool {
	if !strings.ContainsAny(s, ":(\"") || !strings.ContainsAny(s, ".'\x60") {
		return false
	}
	p := Place{Sort: Traced}
	switch {
	case r.marked(s, &p):
	case submatch(plain, s, &p, 1, 2, 3):
		p.Owner, p.Name = dottedFunction(p.Name)
		// A line of prose that mentions a place is no frame: its words count.
		if prose(s) {
			r.add(p)
			return false
		}
	default:
		return false
	}
	if p.Name == "" {
		switch {
		case strings.HasSuffix(p.Path, ".go"):
			p.Owner, p.Name = goFunction(r.before)
		case strings.HasSuffix(p.Path, ".rs"):
			p.Owner, p.Name = rustFunction(r.before)
		}
	}
	if strings.IndexFunc(p.Name, notName) >= 0 {
		p.Name = ""
	}
	if p.Name == "" || strings.IndexFunc(p.Owner, notName) >= 0 {
		p.Owner = ""
	}
	if n := len(r.Places); r.add(p) && (r.inward || p.Name != "") {
		r.quoting = n + 1 // Python and its tools show the line below
	}
	r.piece(Path, tail(p.Path))
	if p.Name != "" {
		r.piece(Frame, p.Name)
	}
	if failure.MatchString(s) {
		r.piece(Message, s)
	}
	return true
}

// marked reads a frame by what its language alone writes.
func (r *reader) marked(s string, p *Place) bool {
	switch {
	case submatch(python, s, p, 1, 2, 3):
		r.inward = true
	case submatch(php, s, p, 1, 2, 3), submatch(debugger, s, p, 2, 3, 1),
		submatch(ruby, s, p, 1, 2, 3), submatch(elixir, s, p, 1, 2, 3):
		p.Owner, p.Name = dottedFunction(p.Name)
	case submatch(csharp, s, p, 2, 3, 1):
		p.Owner, p.Name = csharpFunction(p.Name)
	case submatch(java, s, p, 3, 4, 2):
		m := java.FindStringSubmatch(s)
		if pkg := m[1]; strings.Contains(pkg, ".") {
			p.Path = strings.ReplaceAll(pkg[:strings.LastIndexByte(pkg, '.')], ".", "/") + "/" + m[3]
		}
		p.Owner, p.Name = javaFunction(m[1], m[2])
	case submatch(script, s, p, 4, 5, 2):
		m := script.FindStringSubmatch(s)
		p.Owner, p.Name = scriptFunction(m[2], m[3], m[1] != "")
	default:
		return false
	}
	return true
}

// notName reports whether a character is in no name of a function.
func notName(c rune) bool {
	return c < 0x80 && c != '_' && c != '$' && c != '?' && c != '!' && c != '=' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// tail returns the file of a path and its folder: what is above is the reporter's machine.
func tail(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		i = strings.LastIndexByte(path[:i], '/')
		path = path[i+1:]
	}
	if i := strings.LastIndexByte(path, '.'); i > 0 {
		path = path[:i]
	}
	return path
}

// submatch fills a place from the groups of a pattern.
func submatch(re *lazy.Pattern, s string, p *Place, path, line, name int) bool {
	m := re.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	p.Path, p.Line, p.Name = m[path], number(m[line]), m[name]
	return true
}

// prose reports whether a line has more words than a frame has.
func prose(s string) bool {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if w = strings.Trim(w, ".,;:()\"'`"); len(w) > 1 && strings.IndexFunc(w, func(c rune) bool { return c < 'A' || c > 'z' || c > 'Z' && c < 'a' }) < 0 {
			n++
		}
	}
	return n >= 6
}

// endTrace gives the frames of the trace that has ended their distance to what failed.
func (r *reader) endTrace() {
	of := r.Places[min(r.trace, len(r.Places)):]
	n := 0
	for i := range of {
		at := i
		if r.inward {
			at = len(of) - 1 - i
		}
		if of[at].Sort == Traced {
			of[at].Deep = n
			n++
		}
	}
	r.trace, r.inward = len(r.Places), false
}

var (
	named  = lazy.Regexp(`[\w./\\@+~-]*[\w@+-]\.[A-Za-z]\w{0,5}\b`)
	dotted = lazy.Regexp(`\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){1,7}`)
	slash  = lazy.Regexp(`[\w.@+-]+(?:[/\\][\w.@+-]+)+`)
)

// paths finds the paths and modules that a line of text or code names.
func (r *reader) paths(s string) {
	if strings.Contains(s, ".") {
		for _, p := range named.FindAllString(s, 32) {
			r.add(Place{Path: p, Sort: Mention})
		}
	}
	if strings.ContainsAny(s, `/\`) {
		for _, p := range slash.FindAllString(s, 32) {
			r.add(Place{Path: p, Sort: Mention})
		}
	}
	if strings.ContainsAny(s, ".:") {
		for _, m := range dotted.FindAllString(s, 32) {
			parts := strings.FieldsFunc(m, func(c rune) bool { return c == '.' || c == ':' })
			r.add(Place{Path: strings.Join(parts, "/"), Sort: Module})
		}
	}
}

//go:embed templates.txt
var templateLines string

// templates are the headings and the lines of issue templates, folded, without marks.
var templates = strings.Fields(templateLines)

// machines are the headings after which templates ask for the reporter's machine.
var machines = []string{"environment", "system", "version", "operating_system", "platform", "checklist", "prerequisites", "output_of_pip", "dependencies"}

var (
	listed  = lazy.Regexp(`^\s*[-*]?\s*\[[ xX]\]`)
	pinned  = lazy.Regexp(`^\s*[-*]?\s*[\w.-]+\s*(==|@|=>|:|\s{2,}|\|)\s*v?\d+\.\d[\w.+-]*\s*(\||$)`)
	facts   = lazy.Regexp(`(?i)^\s*[-*]?\s*\**(os|platform|operating system|python|node|npm|ruby|java|jdk|go|rust|rustc|php|browser|version|arch|architecture|kernel|shell|terminal|pip|package manager)( version)?\**\s*[:=]`)
	ordinal = lazy.Regexp(`^\s*(\d+[.)]\s*)?$`)
)

// boilerplate reports whether a line is of the template, or describes the machine. What a pattern
// needs is looked for first: most lines have none of it.
func boilerplate(s string) bool {
	return strings.Contains(s, "[") && listed.MatchString(s) || strings.Contains(s, ".") && strings.ContainsAny(s, "0123456789") && pinned.MatchString(s) ||
		strings.ContainsAny(s, ":=") && facts.MatchString(s) || ordinal.MatchString(s) || slices.Contains(templates, folded(s))
}

func machine(s string) bool {
	s = folded(s)
	return slices.ContainsFunc(machines, func(m string) bool { return strings.Contains(s, m) })
}

// folded returns the words of a heading joined by underscores.
func folded(s string) string {
	if len(s) > 80 {
		return ""
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return (c < 'a' || c > 'z') && c < 0x80 }), "_")
}
