package named

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A group is a list or a table whose items begin with code spans: the others tell of the one that is missing.
type group struct {
	names []string
	has   int    // of the names, those that the code has as an option or uses
	owner string // written before the name that is checked, or ""
}

// owns reports whether a file may declare the members of the owner: its path has the name.
func (g group) owns(at string) bool {
	return len(g.owner) > 2 && strings.Contains(strings.ToLower(at), strings.ToLower(g.owner))
}

// surely reports whether all others of a group are in the code.
func (g group) surely() bool { return len(g.names) >= 5 && g.has >= len(g.names)-1 }

// groupsOf returns the group of each span that opens an item.
func (c *checker) groupsOf(p *page) map[int]group {
	out := map[int]group{}
	var members []int
	flush := func() {
		var g group
		for _, i := range members {
			name := strings.TrimLeft(headOf(p.refs[i].Target), "-")
			g.names = append(g.names, name)
			if c.words.uses(lastPart(name))&inCode != 0 {
				g.has++
			}
		}
		for _, i := range members {
			out[i] = g
		}
		members = nil
	}
	last, block := 0, -1
	for i := range p.refs {
		r := &p.refs[i]
		if r.Kind != spanRef || !r.First {
			continue
		}
		in := p.blockAt(r.Line)
		if in != block || r.Line-last > 12 {
			flush()
		}
		last, block = r.Line, in
		members = append(members, i)
	}
	flush()
	return out
}

// blockAt returns the index of the block that a line is of.
func (p *page) blockAt(line int) int {
	at := -1
	for i := range p.blocks {
		if p.blocks[i].Line > line {
			break
		}
		at = i
	}
	return at
}

// headOf is the name that a span begins with: the option without its value.
func headOf(span string) string {
	head, _, _ := strings.Cut(strings.TrimSpace(span), " ")
	head, _, _ = strings.Cut(head, "=")
	head, _, _ = strings.Cut(head, "(")
	return strings.Trim(head, ",:;[]")
}

func lastPart(name string) string {
	return name[strings.LastIndexAny(name, ".:#>")+1:]
}

var (
	flagForm = lazy.Regexp(`^(?:-\w,? ?)?--([a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*)(?:[ =\[<].*)?$`)
	flagOf   = lazy.Regexp(`(?:^|\s)--([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)`)
)

// defines reports whether the code may define a flag.
func (c *checker) defines(flag string) bool {
	bare := strings.TrimPrefix(flag, "no-")
	for _, name := range []string{flag, bare} {
		if strings.ContainsAny(name, "-_.") && c.words.has(name) || c.words.uses(name)&(optional|coded) != 0 {
			return true
		}
	}
	return flag == "help" || flag == "version"
}

// flagSpan checks a span that is an option.
func (c *checker) flagSpan(p *page, text string, line int, among group) bool {
	m := flagForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	c.flag(p, m[1], line, claim{run: among.surely() && !c.defines(m[1]), listed: p.listing && !c.runsOther(p, line)})
	return true
}

// runsOther reports whether a line has commands of other programs only in code spans: an option beside them is of one of those. A command
// of the project's own program may be written without the program: "index push".
func (c *checker) runsOther(p *page, line int) bool {
	programs := p.runs[line]
	isOwn := func(name string) bool { return c.own.programs[name] || c.options.commands[name] }
	return len(programs) > 0 && !slices.ContainsFunc(programs, isOwn)
}

// listsOptions reports whether most options that a page has in code spans are those of the program, and there are many.
func (c *checker) listsOptions(p *page) bool {
	own, all := 0, 0
	for i := range p.refs {
		if p.refs[i].Kind != spanRef {
			continue
		}
		if m := flagForm.FindStringSubmatch(p.refs[i].Target); m != nil {
			all++
			if c.options.names[m[1]] {
				own++
			}
		}
	}
	return own >= minOptions && 3*own >= 2*all
}

// A claim is how a page writes an option: with a program of the project, or in a list of its options.
type claim struct{ run, listed bool }

// flag checks an option. One that the program does not define is an error if it is the project's by what the page says, and has nearly the
// words of one that is defined; in other separators, it is always one.
func (c *checker) flag(p *page, name string, line int, of claim) {
	if near := c.options.nearestTo(name); near != "" && !p.says(near, line) && !c.isLost(name) {
		isForm := foldName(near) == foldName(name) && near == strings.ToLower(near) // libraries write fields in small letters
		isMine := of.run || of.listed || isSibling(near, name)
		if isForm || isMine && !c.options.hidden {
			f := Finding{Kind: Flag, Level: Error, Name: "--" + name, Meant: "--" + near, At: c.words.place(near), Why: "the program does not define --" + name}
			if isForm || c.words.misspells(name, near) {
				f.Fix = f.Meant
			}
			c.report(p, f, line)
			return
		}
	}
	if c.defines(name) {
		return
	}
	f := Finding{Kind: Flag, Level: Unsure, Name: "--" + name, Why: "no code has the flag --" + name}
	mine := of.run && c.options.areKnown() && !c.words.composes(name)
	switch {
	case c.isLost(name) || c.isLost(strings.ReplaceAll(name, "-", "_")):
		f.Level, f.Why = Error, taken(f.Name)
	case mine:
		f.Level = Warning
	}
	if near := c.words.nearest(name, optional); near != "" && foldName(near) != foldName(name) {
		if p.says(near, line) {
			return // the page tells of both
		}
		f.Meant, f.At = "--"+near, c.words.place(near)
		if c.words.misspells(name, near) {
			f.Level, f.Fix = Error, f.Meant
		}
	}
	c.report(p, f, line)
}

// says reports whether the lines around one have a name in code: a page that has both names tells of a renaming.
func (p *page) says(name string, line int) bool {
	return p.spans[spanAt{name, line}] || p.spans[spanAt{name, line - 1}] || p.spans[spanAt{name, line + 1}]
}

var (
	variableForm = lazy.Regexp(`^\$?\{?([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\}?(?:=.*)?$`)
	fileForm     = lazy.Regexp(`^[A-Za-z][\w-]{4,}\.(?:php|py|rb|js|ts|mjs|go|rs|java|kt|cs|sh|ex|exs|pl|lua|c|h|cpp|hpp|ya?ml|toml|json|ini|cfg|conf)$`)
	pathForm     = lazy.Regexp(`^(?:\./)?((?:[\w@.-]+/)+[\w.@-]*)$`)
)

// variableSpan checks a variable that begins as the project is called, or as several of its own do.
func (c *checker) variableSpan(p *page, text string, line int, among group) bool {
	m := variableForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	name := m[1]
	if c.words.has(name) || c.words.composes(name) || p.shown[name] {
		return true
	}
	prefix, _, _ := strings.Cut(name, "_")
	f := Finding{Kind: Variable, Level: Unsure, Name: name, Why: "no code has " + name}
	switch {
	case c.isLost(name):
		f.Level, f.Why = Error, taken(name)
	case c.own.programs[strings.ToLower(prefix)] || c.own.packages[strings.ToLower(prefix)] || among.surely():
		f.Level = Warning
	default:
		c.skip(p, Variable, name, line, elsewhere)
		return true
	}
	if near := c.words.nearest(name, inCode); near != "" && !p.says(near, line) {
		f.Meant, f.At = near, c.words.place(near)
		if c.words.misspells(name, near) {
			f.Level, f.Fix = Error, near
		}
	}
	c.report(p, f, line)
	return true
}

// setVariable is a variable that a line of a shell or of a list of settings sets.
var setVariable = lazy.Regexp(`(?:^|[\s"'-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[=:]`)

// minFamily is how many names of the program begin alike at least that are a family of their own.
const minFamily = 5

// assignments checks the variables of the project's own families that a line sets.
func (c *checker) assignments(p *page, line string, at int) {
	for _, m := range setVariable.FindAllStringSubmatch(line, -1) {
		name := m[1]
		prefix, _, _ := strings.Cut(name, "_")
		if c.words.has(name) || c.words.composes(name) || c.words.families[prefix] < minFamily {
			continue
		}
		c.checked++
		f := Finding{Kind: Variable, Level: Unsure, Name: name, Why: "no code has " + name}
		if near := c.words.nearest(name, inCode); near != "" && strings.HasPrefix(near, prefix+"_") && c.words.misspells(name, near) {
			f.Level, f.Meant, f.At, f.Fix = Error, near, c.words.place(near), near
		}
		c.report(p, f, at)
	}
}

// fileSpan checks a span that is the name of a file: a warning where one beside the page, or at the root, is called nearly so.
func (c *checker) fileSpan(p *page, text string, line int, _ group) bool {
	if !fileForm.MatchString(text) {
		return false
	}
	if len(c.base[text]) > 0 || p.shown[text] || c.words.at[strings.TrimSuffix(text, path.Ext(text))] != nil {
		return true
	}
	if strings.Count(text, ".") == 1 && c.misspelled(p, strings.TrimSuffix(text, path.Ext(text)), line) {
		return true
	}
	for _, dir := range []string{path.Dir(p.file.Path), "."} {
		if meant := c.nearPath(path.Join(dir, text)); meant != "" && path.Ext(meant) == path.Ext(text) {
			c.report(p, Finding{Kind: Path, Level: Warning, Name: text, Meant: meant, At: &Place{meant, 1}, Why: "there is no " + text}, line)
			break
		}
	}
	return true
}

// givesExample reports whether a sentence says of a name on a line that it is an example.
func (p *page) givesExample(name string, line int) bool {
	before, _, _ := strings.Cut(p.lineAt(line), name)
	before = p.lineAt(line-1) + " " + before
	at := strings.LastIndex(before, "e.g.")
	return at >= 0 && !strings.Contains(before[at+len("e.g."):], ". ") && !strings.Contains(before[at:], ")")
}

// pathSpan checks a span that is a path below a folder of the tree.
func (c *checker) pathSpan(p *page, text string, line int, _ group) bool {
	m := pathForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	at := strings.TrimSuffix(m[1], "/")
	if strings.Contains(at, "..") || path.Ext(at) == "" && !strings.HasSuffix(m[1], "/") {
		c.skip(p, Path, text, line, noForm)
		return true // names of packages and of branches look like this too
	}
	first, _, _ := strings.Cut(at, "/")
	if slices.ContainsFunc([]string{at, path.Join(path.Dir(p.file.Path), at)}, c.Exists) {
		return true
	}
	if len(c.base[path.Base(at)]) > 0 {
		for _, other := range c.base[path.Base(at)] {
			if strings.HasSuffix("/"+other, "/"+at) {
				return true
			}
		}
	}
	if first[0] == '.' || !c.Exists(first) {
		c.skip(p, Path, text, line, elsewhere)
		return true // a path of another tree
	}
	isExample := slices.ContainsFunc(strings.Split(at, "/"), func(part string) bool { return strings.HasPrefix(part, "my") })
	isExample = isExample || p.givesExample(text, line) || filledIn.MatchString(at)
	if isExample || p.shown[text] || c.isMade(at, at, false) {
		c.skip(p, Path, text, line, placeholder)
		return true
	}
	f := Finding{Kind: Path, Level: Unsure, Name: text, Why: "there is no " + at}
	if meant := c.nearPath(at); meant != "" {
		f.Level, f.Meant, f.At = Error, meant, &Place{meant, 1}
		isFolder := path.Ext(at) == ""
		if isFolder && (!strings.HasPrefix(meant, first+"/") || !slices.Contains(c.folders[path.Base(meant)], meant)) {
			f.Level = Unsure // folders of that name are in many projects, and a file is none
		} else if isGeneric(path.Base(at)) || !isReadme(p.file.Path) && !strings.HasPrefix(meant, first+"/") {
			f.Level = Unsure // of a reader's project, as src/index.js or spec/factories.rb
		}
	}
	c.report(p, f, line)
	return true
}
