package named

import (
	_ "embed" // of standard.pack
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var (
	nameForm = lazy.Regexp(`^[@.:#$]?((?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*)([A-Za-z_$][\w$]*(?:-[a-z0-9]+)*)[!?]?(?:\(.*\))?(?:\s*[=:]\s*\S+|(?:\s+[A-Z<\[{][\w<>\[\]{}.-]*)+)?$`)
	exampled = lazy.Regexp(`(?i)^_*(my|your|some|foo|bar|baz|qux|example|sample|dummy|demo|test|hello|user|custom)[A-Z_]|^_*(my|your|foo|bar|baz|example)|(foo|bar|baz)$|(?i:(^|_)(foo|bar|baz|qux)_)|(?-i:[a-z]N$)|(?-i:^[A-Z_]+_[a-z]+$)`)
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
	among.owner = lastPart(strings.TrimRight(m[1], ".:#>-"))
	switch {
	case len(name) < minNear || exampled.MatchString(name) || p.shown[name]:
		return false
	case !isCompound(name) && m[1] == "" && !among.surely() && !c.isLost(name):
		return c.words.has(name) || c.misspelled(p, name, line)
	}
	if c.isUsed(name, m[1] != "") {
		c.owners(p, m[1], line)
		return true
	}
	c.missing(p, name, line, among)
	return true
}

// isKnown reports whether a name is one of the code, or of the standard library of a language.
func (c *checker) isKnown(name string) bool { return c.words.has(name) || isStandard(name) }

var ownerEnds = lazy.Regexp(`\.|::|#|->`)

// owners checks the names before the last one of a qualified name: an error where the program declares nearly one.
func (c *checker) owners(p *page, qualified string, line int) {
	for _, owner := range ownerEnds.Get().Split(qualified, -1) {
		isExample := p.shown[owner] || exampled.MatchString(owner)
		if len(owner) <= minNear || isExample || c.isKnown(owner) {
			continue
		}
		if near := c.nearDeclared(p, owner, line, group{}); near != nil {
			f := Finding{Kind: Name, Level: near.level, Name: owner, Meant: near.name, At: near.at, Why: "no code has " + owner}
			f.Fix = fixOf(&f)
			c.report(p, f, line)
		}
	}
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
	if c.isLost(name) {
		f.Level, f.Why = Error, taken(name)
	}
	if near := c.nearDeclared(p, name, line, among); near != nil {
		f.Level, f.Meant, f.At = near.level, near.name, near.at
		f.Fix = fixOf(&f)
	} else if f.Level == Unsure && among.owner == "" && c.misspelled(p, name, line) {
		return
	} else if level := c.memberLevel(p, among.owner, name); level != "" && f.Level != Error {
		f.Level, f.Why = level, f.Why+", and "+among.owner+" is the project's"
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
	prompted = lazy.Regexp(`^\s*(?:[$>%#]\s+)?(?:sudo\s+)?(?:[A-Z_]+=\S+\s+)*(?:npx\s+|uv run\s+|poetry run\s+|bundle exec\s+|python3? -m\s+|\./)?([\w.-]+)((?:\s.*)?)$`)
	// changesFolder is a line that leaves the folder of the project, or makes another.
	changesFolder = lazy.Regexp(`^\s*(?:[$>%#]\s+)?(?:cd|mkdir|git clone|npm init|npx create)\b`)
	runScript     = lazy.Regexp(`^\s+(?:run|run-script)\s+([\w:.-]+)`)
	identifier    = lazy.Regexp(`[A-Za-z_]\w*`)
)

// example checks a block of code by the rules of its language.
func (c *checker) example(p *page, b *markup.Block) {
	language := syntax.Tagged(b.Lang)
	mayRun := b.Lang == "" || language == "text" || syntax.IsShell(language)
	elsewhere := false // the block has left the folder of the project
	c.keys(p, b)
	for n, line := range strings.Split(b.Text, "\n") {
		at := b.Line + n
		elsewhere = elsewhere || changesFolder.MatchString(line)
		if c.former != nil {
			c.lostIn(p, line, at)
		}
		if c.spoken[syntax.Family(language)] || b.Lang == "" {
			c.exampleNames(p, line, at, b.Lang == "")
		}
		for _, used := range syntax.LineImports(language, line) {
			c.lineImport(p, &used, at)
		}
		if mayRun {
			c.assignments(p, line, at)
		}
		if mayRun && !elsewhere {
			commandChecker{c}.command(p, line, at)
		}
		if !mayRun {
			c.commentSpans(p, line, at)
		}
	}
}

// commentSpan is a name in backticks of a comment.
var commentSpan = lazy.Regexp("`([A-Za-z_][\\w.]*)`")

// commentSpans checks the names in backticks of a comment in an example, as code spans.
func (c *checker) commentSpans(p *page, line string, at int) {
	trimmed := strings.TrimSpace(line)
	isComment := slices.ContainsFunc([]string{"//", "#", "--"}, func(sign string) bool { return strings.HasPrefix(trimmed, sign) })
	if !isComment {
		return
	}
	for _, m := range commentSpan.FindAllStringSubmatch(line, -1) {
		c.checked++
		c.span(p, m[1], at, group{})
	}
}

// usedName is a name that an example calls or takes from something.
var usedName = lazy.Regexp(`(\.|::)?\b([A-Za-z_]\w*)\b(\()?`)

// exampleNames checks the names of several words that a line of an example uses: an error where the program declares nearly one. In a
// block that does not say its language, a name in another case may be of another language.
func (c *checker) exampleNames(p *page, line string, at int, untagged bool) {
	for _, loc := range usedName.FindAllStringSubmatchIndex(line, -1) {
		name, isCapital := line[loc[4]:loc[5]], line[loc[4]] >= 'A' && line[loc[4]] <= 'Z'
		if isMember := loc[2] >= 0 || loc[6] >= 0; !isMember && !isCapital {
			continue // it is neither called nor taken from something, nor a type
		}
		if c.words.at[name] != nil || p.shown[name] || exampled.MatchString(name) {
			continue
		}
		if loc[2] >= 0 && !c.words.has(name) {
			c.exampleMember(p, ownerOf(line[:loc[4]]), name, at)
		}
		if !isOwnForm(name) {
			continue
		}
		c.checked++
		f := Finding{Kind: Name, Level: Error, Name: name, Why: "no code has " + name}
		near := c.words.fold[foldName(name)]
		if near != "" && (untagged || len(near) != len(name) || c.declaration(near) == nil) {
			continue // another form of a name
		}
		if all := c.words.near(name, program); near == "" && len(all) > 0 && c.words.misspells(name, all[0]) {
			near = all[0]
		}
		if near == "" || p.shown[near] || !isCapital && near[0] <= 'Z' {
			continue // an object is often called as its type
		}
		if f.At = c.declaration(near); f.At != nil {
			f.Meant, f.Fix = near, near
			c.report(p, f, at)
		}
	}
}

// isOwnForm reports whether a name of an example has the form of a project's own: long, of several words, and neither an
// example's nor of a standard library.
func isOwnForm(name string) bool {
	return len(name) >= 8 && isCompound(name) && !exampled.MatchString(name) && !isStandard(name)
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
		if at := c.declaration(near); at != nil && (isPlural(name, near) || c.words.misspells(name, near)) {
			f.Level, f.Meant, f.At, f.Fix = Error, near, at, near
			break
		}
	}
	c.report(p, f, line)
}

// fixOf returns what was meant where a finding is an error.
func fixOf(f *Finding) string {
	if f.Level != Error {
		return ""
	}
	return f.Meant
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

var goVersion = lazy.Regexp(`^v\d+(/|$)`)

// standardNames are the names of the standard libraries of Java, Kotlin, JavaScript, Python and Rust.
var standardNames = lazy.Deflated(standardPack)

//go:embed standard.pack
var standardPack string

var standardSet = sync.OnceValue(func() map[string]bool {
	out := set.Of(strings.Fields(standardNames()))
	for _, language := range syntax.Keys("library-functions") {
		set.Add(out, syntax.Words(language, "library-functions")...)
	}
	return out
})

// isStandard reports whether a name is of a standard library: it is none of the project's, however near.
func isStandard(name string) bool { return standardSet()[name] }
