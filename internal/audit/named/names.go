package named

import (
	_ "embed" // of standard.pack
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var (
	nameForm = lazy.Regexp(`^[@.:#$]?((?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*)([A-Za-z_$][\w$]*(?:-[a-z0-9]+)*)[!?]?(?:\(.*\))?(?:\s*[=:]\s*\S+)?$`)
	exampled = lazy.Regexp(`(?i)^_*(my|your|some|foo|bar|baz|qux|example|sample|dummy|demo|test|hello|user|custom)[A-Z_]|^_*(my|your|foo|bar|baz|example)|(foo|bar|baz)$`)
)

// isCompound reports whether a name is of several words.
func isCompound(name string) bool {
	trimmed := strings.Trim(name, "_$")
	if strings.ContainsAny(trimmed, "_-") {
		return true
	}
	for i := 1; i < len(trimmed); i++ {
		if trimmed[i] >= 'A' && trimmed[i] <= 'Z' && trimmed[i-1] >= 'a' && trimmed[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// nameSpan checks a span that is a name of the code.
func (c *checker) nameSpan(p *page, text string, line int, among group) bool {
	m := nameForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	name := m[2]
	among.names = without(among.names, name)
	switch {
	case len(name) < minNear || exampled.MatchString(name) || p.shown[name]:
		return false
	case !isCompound(name) && m[1] == "" && !among.surely() && !c.isLost(name):
		return false
	}
	if c.isUsed(name, m[1] != "") {
		return true
	}
	c.missing(p, name, line, among)
	return true
}

// isUsed reports whether the code has a name. A name of a single word must be used as code, unless the document writes it with its owner.
func (c *checker) isUsed(name string, qualified bool) bool {
	if isCompound(name) {
		return c.words.has(name)
	}
	uses := c.words.uses(name)
	return uses&inCode != 0 || qualified && uses != 0
}

// taken explains a finding: the changes removed a name that a document has.
func taken(name string) string { return "the changes take " + name + " out of the code" }

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool { return lastPart(s) == name })
}

// missing reports a name that no code has: an error where the program declares a near one, or declared it before.
func (c *checker) missing(p *page, name string, line int, among group) {
	f := Finding{Kind: Name, Level: Unsure, Name: name, Why: "no code has " + name}
	if among.surely() {
		f.Level = Warning
	}
	if c.isLost(name) {
		f.Level, f.Why = Error, taken(name)
	}
	for _, near := range c.words.near(name, program) {
		if p.says(near, line) || slices.Contains(among.names, near) {
			return
		}
		at := c.declaration(near)
		if at == nil && among.surely() && c.words.uses(near)&inCode != 0 {
			at = c.words.place(near)
		}
		if at == nil || isStandard(name) {
			continue
		}
		f.Level, f.Meant, f.At = Error, near, at
		break
	}
	c.report(p, f, line)
}

// isLost reports whether the former files used a name that no file has now.
func (c *checker) isLost(name string) bool {
	if c.former == nil || len(name) < 3 {
		return false
	}
	before := c.former.at[name]
	return before != nil && before.uses&inCode != 0 && !c.words.has(name)
}

// formerWords reads the former files, but for tests and examples; nil where there is none.
func formerWords(former map[string][]byte) *words {
	var files []File
	for at, text := range former {
		language, flags := syntax.Language(at, text), discover.PathFlags(at)
		if syntax.Source(language) && !syntax.Prose(language) && flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated|corpus.Minified) == 0 {
			files = append(files, File{Path: at, Language: language, Text: text})
		}
	}
	if len(files) == 0 {
		return nil
	}
	return readWords(files, len(files))
}

var (
	prompted = regexp.MustCompile(`^\s*(?:[$>%#]\s+)?(?:sudo\s+)?(?:[A-Z_]+=\S+\s+)*(?:npx\s+|uv run\s+|poetry run\s+|\./)?([\w.-]+)((?:\s.*)?)$`)
	// changesFolder is a line that leaves the folder of the project, or makes another.
	changesFolder = regexp.MustCompile(`^\s*(?:[$>%#]\s+)?(?:cd|mkdir|git clone|npm init|npx create)\b`)
	runScript     = regexp.MustCompile(`^\s+(?:run|run-script)\s+([\w:.-]+)`)
	identifier    = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// example checks a block of code by the rules of its language.
func (c *checker) example(p *page, b *markup.Block) {
	c.settings(p, b)
	language := syntax.Tagged(b.Lang)
	mayRun := b.Lang == "" || language == "text" || syntax.IsShell(language)
	elsewhere := false // the block has left the folder of the project
	for n, line := range strings.Split(b.Text, "\n") {
		at := b.Line + n
		elsewhere = elsewhere || changesFolder.MatchString(line)
		if c.former != nil {
			c.lostIn(p, line, at)
		}
		if c.spoken[syntax.Family(language)] {
			c.exampleNames(p, line, at)
		}
		for _, used := range syntax.LineImports(language, line) {
			c.lineImport(p, &used, at)
		}
		if mayRun && !elsewhere {
			c.command(p, line, at)
		}
	}
}

// usedName is a name that an example calls or takes from something.
var usedName = regexp.MustCompile(`(\.|::)?\b([A-Za-z_]\w*)\b(\()?`)

// exampleNames checks the names of several words that a line of an example uses: an error where the program declares nearly one.
func (c *checker) exampleNames(p *page, line string, at int) {
	for _, m := range usedName.FindAllStringSubmatch(line, -1) {
		name, isCapital := m[2], m[2][0] >= 'A' && m[2][0] <= 'Z'
		if isMember := m[1] != "" || m[3] != ""; !isMember && !isCapital {
			continue // it is neither called nor taken from something, nor a type
		}
		if c.words.at[name] != nil || p.shown[name] || !isOwnForm(name) {
			continue
		}
		c.checked++
		f := Finding{Kind: Name, Level: Error, Name: name, Why: "no code has " + name}
		near := c.words.fold[foldName(name)]
		if near != "" && (len(near) != len(name) || c.declaration(near) == nil) {
			continue // another form of a name
		}
		if all := c.words.within(name, 1, program); near == "" && len(all) > 0 {
			near = all[0]
		}
		if near == "" || p.shown[near] {
			continue
		}
		if f.At = c.declaration(near); f.At != nil {
			f.Meant = near
			c.report(p, f, at)
		}
	}
}

// isOwnForm reports whether a name of an example has the form of a project's own: long, of several words, and neither an
// example's nor of a standard library.
func isOwnForm(name string) bool {
	return len(name) >= 8 && isCompound(name) && !exampled.MatchString(name) && !isStandard(name)
}

var (
	yamlKey = regexp.MustCompile(`^\s*(?:- )?([A-Za-z][\w-]*):(?:\s|$)`)
	tomlKey = regexp.MustCompile(`^\s*([A-Za-z][\w-]*)\s*=`)
	jsonKey = regexp.MustCompile(`^\s*"([A-Za-z][\w-]*)"\s*:`)
)

// settings checks the keys of a block of settings of which the code has nearly all others.
func (c *checker) settings(p *page, b *markup.Block) {
	key := map[string]*regexp.Regexp{"yaml": yamlKey, "toml": tomlKey, "json": jsonKey}[syntax.Tagged(b.Lang)]
	if key == nil {
		return
	}
	var g group
	at := map[string]int{}
	for n, line := range strings.Split(b.Text, "\n") {
		if m := key.FindStringSubmatch(line); m != nil && at[m[1]] == 0 {
			at[m[1]] = b.Line + n
			g.names = append(g.names, m[1])
			if c.words.uses(m[1])&inCode != 0 {
				g.has++
			}
		}
	}
	if len(g.names) < 8 || g.has < len(g.names)-1 {
		return // settings of another program, or with names of its reader's
	}
	for _, name := range g.names {
		if c.checked++; isCompound(name) && !c.words.has(name) && !c.words.composes(name) {
			c.missing(p, name, at[name], group{names: without(g.names, name), has: g.has})
		}
	}
}

// lostIn reports the names of a line of an example that the changes took out of the code.
func (c *checker) lostIn(p *page, line string, at int) {
	for _, name := range identifier.FindAllString(line, -1) {
		usedAsCode := isCompound(name) || strings.Contains(line, name+"(") || strings.Contains(line, "."+name)
		if usedAsCode && !p.shown[name] && c.isLost(name) {
			c.report(p, Finding{Kind: Name, Level: Error, Name: name, Why: taken(name)}, at)
		}
	}
}

// imported checks a name that an example takes out of the project's own package.
func (c *checker) imported(p *page, name string, line int) {
	c.checked++
	name = strings.TrimSpace(name)
	if len(name) < 3 || c.words.has(name) {
		return
	}
	f := Finding{Kind: Import, Level: Warning, Name: name, Why: "no code has " + name + ", which the example imports from the project"}
	for _, near := range c.words.near(name, program) {
		if at := c.declaration(near); at != nil {
			f.Level, f.Meant, f.At = Error, near, at
			break
		}
	}
	c.report(p, f, line)
}

// lineImport checks the module and the names that a line of an example imports from the project.
func (c *checker) lineImport(p *page, used *syntax.LineImport, line int) {
	if used.Folder != "" {
		c.importedFolder(p, used.Folder, line)
		return
	}
	if !c.own.packages[used.Package] {
		return
	}
	for _, name := range used.Names {
		c.imported(p, name, line)
	}
}

// importedFolder checks that the module of an import has its folder.
func (c *checker) importedFolder(p *page, from string, line int) {
	for _, module := range c.own.modules {
		folder, ok := strings.CutPrefix(from, module+"/")
		if !ok || c.Exists(folder) || goVersion.MatchString(folder) {
			continue
		}
		c.checked++
		isOfAnother := func(other string) bool { return other != module && strings.HasPrefix(from+"/", other+"/") }
		if !slices.ContainsFunc(c.own.modules, isOfAnother) {
			c.report(p, Finding{Kind: Import, Level: Error, Name: from, Why: "the module has no folder " + folder}, line)
		}
	}
}

var goVersion = regexp.MustCompile(`^v\d+(/|$)`)

// command checks a line that runs a program: scripts of the project and flags of its own programs.
func (c *checker) command(p *page, line string, at int) {
	m := prompted.FindStringSubmatch(line)
	if m == nil {
		return
	}
	rest, _, _ := strings.Cut(m[2], " #")
	switch m[1] {
	case "npm", "yarn", "pnpm", "bun":
		if name := scriptIn(rest); name != "" && c.own.scripts != nil && c.isForContributors(p) {
			c.script(p, name, "package.json", c.own.scripts, at)
		}
		return
	case "make":
		if name := targetIn(rest); name != "" && c.own.targets != nil && c.isForContributors(p) {
			c.script(p, name, "Makefile", c.own.targets, at)
		}
		return
	}
	if !c.own.programs[m[1]] {
		return
	}
	rest, _, _ = strings.Cut(rest, " -- ")
	rest, _, _ = strings.Cut(rest, "|")
	for _, flag := range flagOf.FindAllStringSubmatch(rest, -1) {
		c.checked++
		c.flag(p, flag[1], at, true)
	}
}

// scriptIn returns the script that the arguments of a package manager run in this folder, or "".
func scriptIn(args string) string {
	m := runScript.FindStringSubmatch(args)
	if m == nil || strings.Contains(args, "-w") || strings.Contains(args, "--filter") {
		return "" // of another package of a workspace
	}
	return m[1]
}

// targetIn returns the only target that the arguments of make name, or "".
func targetIn(args string) string {
	words := strings.Fields(args)
	if len(words) != 1 || !identifier.MatchString(words[0]) || strings.ContainsAny(words[0], "=-$<[") {
		return ""
	}
	return words[0]
}

// isForContributors reports whether a page speaks of this tree and not of its reader's.
func (c *checker) isForContributors(p *page) bool {
	dir := path.Dir(p.file.Path)
	switch {
	case p.file.Flags&corpus.Example != 0:
		return false
	case dir == ".":
		return true
	case !isReadme(p.file.Path) || strings.Contains(dir, "/"):
		return false
	}
	return !c.Exists(dir+"/package.json") && !c.Exists(dir+"/Makefile")
}

// commandSpan checks a span that runs a script of the project or one of its programs.
func (c *checker) commandSpan(p *page, text string, line int, _ group) bool {
	first, rest, ok := strings.Cut(text, " ")
	if !ok || rest == "" || !c.own.programs[first] && !slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "make"}, first) {
		return false
	}
	c.command(p, text, line)
	return true
}

// script checks the name of a script or of a target.
func (c *checker) script(p *page, name, file string, has map[string]bool, line int) {
	c.checked++
	if has[name] {
		return
	}
	f := Finding{Kind: Script, Level: Warning, Name: name, Why: file + " has no " + name}
	for other := range has {
		if foldName(other) == foldName(name) || strings.HasPrefix(other, name+":") || strings.HasPrefix(other, name+"-") {
			f.Meant, f.Level = max(f.Meant, other), Error
		}
	}
	if at := c.words.place(f.Meant); f.Meant != "" && at != nil {
		f.At = &Place{file, c.lineOf(file, f.Meant)}
	}
	c.report(p, f, line)
}

// lineOf returns the line of a file at the root that has a name.
func (c *checker) lineOf(file, name string) int {
	for i := range c.Code {
		if c.Code[i].Path == file {
			for n, line := range strings.Split(string(c.Code[i].Text), "\n") {
				if strings.Contains(line, name) {
					return n + 1
				}
			}
		}
	}
	return 1
}

// standardNames are the names of the standard libraries of Java, Kotlin, JavaScript, Python and Rust.
var standardNames = lazy.Deflated(standardPack)

//go:embed standard.pack
var standardPack string

var standardSet = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(standardNames()) {
		out[name] = true
	}
	return out
})

// isStandard reports whether a name is of a standard library: it is none of the project's, however near.
func isStandard(name string) bool { return standardSet()[name] }
