package claims

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// known is what names mean in a project: those that its code writes, those that belong
// to others, and those that its documents make up for their examples.
type known struct {
	a      *Auditor
	fold   map[string]int32 // of names without case and separators: the spot where one stands first
	own    map[string]bool  // what the project and its programs are called
	others map[string]bool  // what it depends on and imports
	shown  map[string]bool  // what the code of documents declares itself
	// shownFold is the same of names of several words, however they are written.
	shownFold map[string]bool
	dotted    map[string]bool // what the code writes with dots or hyphens in quotes
	families  map[string]int  // how variables of the environment begin: how many do
	prefixes  map[string]bool // what the code puts before names: "TASK_"
	said      map[string]bool // names that any text of the code was searched for, and whether it has them
	heard     map[string]bool // words that were looked for, and whether the code has them
	langs     map[string]bool // in which most of the code is written
	// Of each program how many words that it is called with are known and are not; of ""
	// how many flags. Where most are not, they are the reader's.
	here, gone map[string]int
	deps       map[string]bool // what manifests say that the project needs, in small letters
	composes   map[string]bool // prefixes that any name may follow, as a reader likes
	flags      map[string]int  // of documents: how many flags they name that the code has
	told       map[string]int  // of families of variables: how many the documents tell that the code has
	// What the program declares: the names, and the words that they begin and end with.
	whole        map[string]bool
	heads, tails map[string]int
	aside        map[string]bool // names of what is neither code nor a document
	bare         map[string]bool // what the examples of documents call, of nothing
	words        *lexicon
	near         *kindreds
	folded       string                    // all of fold, a name a line
	typed        map[string]bool           // types that the program declares: whether one of that name takes members from elsewhere
	cases        map[string]string         // of names that the program declares, in small letters: how it writes them
	packages     map[string]bool           // of Java and its like that the code declares
	owned        map[ownership]bool        // that were asked for
	holding      map[string]map[int32]bool // the files that have a type
	scopes       map[string]bool           // of its packages of JavaScript: "@peck"
	published    map[string]bool           // names of its packages of JavaScript, those in any scope as "@/name"
	grounding    map[string]string         // of names that are reported: why
	tags         map[string]bool           // of fields, that name variables of the environment
	fielded      map[string]bool           // flags that are made of fields
	exampled     map[string]bool           // names that only examples use and that something speaks for
	asideHas     map[string]bool           // names that what lies among the documents was searched for, and whether it declares them
	ended        map[string]string         // names that were asked for with other endings, and the name of the code
	stems        map[string]bool           // what files and folders of the code are called, without endings
	tools        map[string][]string       // sentences that were asked about: the other programs that they name
	strange      map[*block]bool           // blocks of code that were asked about: whether they call others' programs
}

// section is where a name stands, the outermost heading first.
func (n *named) section() []string {
	if n.of == nil {
		return nil
	}
	return n.of.section
}

// fold2 is a name without what different places write differently.
func fold2(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == '.' || r == '$' || r == '!' || r == '?':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

var (
	envPrefix  = lazy.Regexp(`(?i)env\w*prefix\w*["']?[^\w"'\n]{1,6}["'](\w+)["']`)
	namePrefix = lazy.Regexp(`(?:\bp|P)refix\w*[^"'\n]{1,12}["']([A-Z][A-Z0-9]+)_?["']`)
	imports    = lazy.Regexp(`(?m)^\s*(?:import|from|use|using|require|require_once|#include|extern crate|@import)\b[ (]*([^\n;]*)|\brequire\(\s*["']([^"']+)["']\)|^\s*"([\w./-]+)"\s*$`)
	depends    = lazy.Regexp(`(?m)^\s*(?:"([@\w./-]+)"\s*:\s*"[\^~>=<*\d]|([\w-]+)\s*=\s*(?:["'{][\^~>=<*\d{\s]|\{)|["']?([\w.-]+)(?:\[[\w,]+\])?\s*(?:[><=~!]=)|(?:require\s+)?([\w.-]+(?:/[\w.-]+)+) v\d|\s*(?:gem|add(?:_runtime|_development)?_dependency)\s*\(?["']([\w-]+)["']|<artifactId>([\w.-]+)</artifactId>)`)
	programs   = lazy.Regexp(`(?m)\bUse:\s*"([\w-]+)|^\s*name\s*=\s*["']([\w-]+)["']|\bprog(?:ram)?(?:_?name)?\s*[=(:]\s*["']([\w-]+)["']|^([\w-]+)\s*=\s*"[\w.]+:\w+"|\.(?:add_)?executables?\s*(?:=|<<)\s*\[?["']([\w-]+)["']`)
	ofCommand  = lazy.Regexp(`^Use:\s*"([\w-]+)`)
	ofProgram  = lazy.Regexp(`^prog(?:ram)?(?:_?name)?\s*[=(:]\s*["']([\w-]+)["']`)
	declares   = lazy.Regexp(`(?m)\b(?:defp?|defmacrop?|defguard|class|func|function|fn|const|let|var|struct|enum|type|interface|trait|module|record|val|impl|static|extends|new|import|from|use|require|package|namespace)\s+(?:\([^)]*\)\s*)?(?:self\.)?\*?([A-Za-z_$][\w$]*)|^\s*(?:[\w<>\[\], ]+ )?([A-Za-z_$][\w$]*)\s*(?::\s*[\w\[\]<>]+\s*)?:?=[^=]|\b(?:import|from|use)\b[^\n{]*\{?([^}\n]*)\}?|\|(\w+)\||\(([\w, :*&=]*)\)\s*(?:=>|\{|->|:)`)
)

// manifests are files that say what a project is called and what it needs.
var manifests = lazy.Regexp(`(?i)(^|/)(package\.json|Cargo\.toml|pyproject\.toml|setup\.(py|cfg)|requirements[\w./-]*\.txt|go\.mod|Gemfile|[\w-]+\.gemspec|composer\.json|pom\.xml|build\.gradle(\.kts)?|[\w.-]+\.csproj|[\w-]+\.cabal|mix\.exs)$`)

// knows returns what names mean in the tree.
func (a *Auditor) names() *known {
	if a.known != nil {
		return a.known
	}
	k := &known{a: a, fold: map[string]int32{}, own: map[string]bool{}, others: map[string]bool{}, shown: map[string]bool{}, families: map[string]int{}, prefixes: map[string]bool{}, langs: map[string]bool{}, heard: map[string]bool{}, said: map[string]bool{}, here: map[string]int{}, gone: map[string]int{}, deps: map[string]bool{}, composes: map[string]bool{}, told: map[string]int{}, bare: map[string]bool{}, flags: map[string]int{}, scopes: map[string]bool{}, owned: map[ownership]bool{}, holding: map[string]map[int32]bool{}, asideHas: map[string]bool{}, published: map[string]bool{}, ended: map[string]string{}, tools: map[string][]string{}, strange: map[*block]bool{}}
	a.known = k
	a.ev.posts.Each(func(t string, list []index.Posting) {
		name, ok := strings.CutPrefix(t, "=")
		if !ok || name == "" {
			return
		}
		if f := fold2(name); f != "" {
			if _, ok := k.fold[f]; !ok {
				k.fold[f] = list[0].Place()
			}
		}
		if strings.HasSuffix(name, "_") && len(name) > 2 {
			k.prefixes[fold2(name)] = true
		}
		if family := familyOf(name); family != "" {
			k.families[family]++
		}
	})
	k.own[fold2(path.Base(strings.ReplaceAll(a.Tree.Root, `\`, "/")))] = true
	size := map[string]int{}
	for i := range a.Tree.Code {
		k.file(&a.Tree.Code[i], size)
	}
	most := 0
	for _, n := range size {
		most = max(most, n)
	}
	for l, n := range size {
		if 4*n >= most {
			k.langs[spoken(l)] = true
		}
	}
	for i := range a.Tree.Docs {
		if title := lineOf(a.Tree.Docs[i].Text, 1); strings.HasPrefix(title, "# ") && !strings.Contains(a.Tree.Docs[i].Path, "/") {
			k.own[fold2(strings.TrimSpace(title[2:]))] = true
		}
	}
	return k
}

// file takes what a file of code says of names.
func (k *known) file(f *Source, size map[string]int) {
	text := string(f.Text)
	if f.Flags&(corpus.Test|corpus.Example) == 0 && syntax.Source(f.Language) && !syntax.Inert(f.Language) {
		size[f.Language] += len(text)
	}
	k.takePrefixes(text)
	if manifests.MatchString(f.Path) {
		k.manifest(f.Path, text)
		return
	}
	if !syntax.Source(f.Language) {
		return
	}
	if strings.HasPrefix(f.Path, "cmd/") && strings.Count(f.Path, "/") > 1 {
		k.own[fold2(strings.Split(f.Path, "/")[1])] = true
	}
	k.takePrograms(text)
	k.takeImports(text)
}

// takePrograms takes what a program of a file calls itself.
func (k *known) takePrograms(text string) {
	for _, p := range []struct {
		begins string
		is     *lazy.Pattern
	}{{"Use:", ofCommand}, {"prog", ofProgram}} {
		for at := 0; ; {
			i := strings.Index(text[at:], p.begins)
			if i < 0 {
				break
			}
			at += i
			if at == 0 || !wordByte(text[at-1]) {
				if m := p.is.FindStringSubmatch(text[at:]); m != nil {
					k.own[fold2(m[1])] = true
				}
			}
			at += len(p.begins)
		}
	}
}

// mostImports is how many lines of a file may import something: what follows is no head of a file.
const mostImports = 200

// importing are what lines begin with that import something.
var importing = []string{"import", "from", "use", "using", "require", "#include", "extern crate", "@import"}

// takeImports takes what a file imports. A line that imports begins with one of few words, or
// requires.
func (k *known) takeImports(text string) {
	found := 0
	for line := range strings.Lines(text) {
		head := strings.TrimLeft(line, " \t")
		if head == "" || head[0] != '"' && !slices.ContainsFunc(importing, func(w string) bool { return strings.HasPrefix(head, w) }) && !strings.Contains(head, "require(") {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(strings.TrimRight(line, "\n"), mostImports-found) {
			for _, w := range nameRE.FindAllString(m[1]+" "+m[2]+" "+m[3], 12) {
				k.others[w] = true
			}
			if found++; found == mostImports {
				return
			}
		}
	}
}

// takePrefixes takes what a text calls a prefix. Both patterns have the word in them and stay on
// its line, and few lines have it.
func (k *known) takePrefixes(text string) {
	for at := 0; ; {
		i := strings.IndexAny(text[at:], "xX")
		if i < 0 {
			return
		}
		if last := at + i + 1; last < len("prefix") || !strings.EqualFold(text[last-len("prefix"):last], "prefix") {
			at = last
			continue
		}
		from := strings.LastIndexByte(text[:at+i], '\n') + 1
		end := strings.IndexByte(text[at+i:], '\n')
		if end < 0 {
			end = len(text) - at - i
		}
		line := text[from : at+i+end]
		at += i + end
		for _, m := range envPrefix.FindAllStringSubmatch(line, -1) {
			k.prefixes[fold2(m[1])], k.composes[fold2(m[1])] = true, true
		}
		for _, m := range namePrefix.FindAllStringSubmatch(line, -1) {
			k.prefixes[fold2(m[1])] = true
		}
	}
}

// manifest takes what a manifest says.
func (k *known) manifest(name, text string) {
	if path.Base(name) == "package.json" {
		var p struct {
			Name string
			Bin  any
		}
		if json.Unmarshal([]byte(text), &p) == nil {
			if p.Name != "" {
				k.own[fold2(path.Base(p.Name))] = true
			}
			if scope, rest, ok := strings.Cut(p.Name, "/"); ok {
				k.scopes[scope], k.published["@/"+rest] = true, true
			} else {
				k.published[p.Name] = true
			}
			if bins, ok := p.Bin.(map[string]any); ok {
				for b := range bins {
					k.own[fold2(b)] = true
				}
			}
		}
	} else if m, ok := syntax.Manifest(name, []byte(text)); ok && m.Module != "" {
		k.own[fold2(path.Base(m.Module))] = true
	}
	for _, m := range programs.FindAllStringSubmatch(text, -1) {
		if own := cmp.Or(m[2], m[4], m[5]); own != "" {
			k.own[fold2(own)] = true
		}
	}
	for _, m := range depends.FindAllStringSubmatch(text, -1) {
		if dep := cmp.Or(m[1], m[2], m[3], m[4], m[5], m[6]); len(dep) > 2 {
			k.others[path.Base(dep)] = true
			k.deps[strings.ToLower(path.Base(dep))] = true
		}
	}
}

// show takes the names that a block of code of a document declares.
func (k *known) show(b *block) {
	text := consoles.ReplaceAllString(jsonKeys.ReplaceAllString(strings.Join(b.raw, "\n"), " "), "")
	for _, m := range bareCall.FindAllStringSubmatch(text, -1) {
		k.bare[m[1]] = true
	}
	for _, m := range inQuotes.FindAllString(text, -1) {
		for _, f := range longFlag.FindAllStringSubmatch(m, -1) {
			k.shown["--"+f[1]] = true
		}
	}
	k.foreignFlags(b)
	for _, m := range valued.FindAllString(text, -1) {
		for _, w := range nameRE.FindAllString(m, -1) {
			k.shown[w] = true
		}
	}
	if configured(b.lang) {
		// The settings of another program are its own.
		if len(k.settings(b, fenceOf(b.lang))) == 0 {
			for _, re := range []*lazy.Pattern{yamlKey, tomlKey, jsonKey} {
				for _, line := range b.raw {
					if m := re.FindStringSubmatch(line); m != nil {
						k.shown[m[1]] = true
					}
				}
			}
		}
		return
	}
	k.declaresMore(text)
	own := map[string]bool{} // what it takes out of the project's own packages is no name of its own
	k.imports(b, func(_ int, name string) { own[last(chainOf(name))] = true })
	for _, m := range declares.FindAllStringSubmatch(text, -1) {
		taken := len(own) > 0 && takes.MatchString(m[0])
		for _, part := range m[1:] {
			for _, w := range nameRE.FindAllString(part, -1) {
				if !taken || !own[w] {
					k.shown[w] = true
				}
			}
		}
	}
}

var takes = lazy.Regexp(`\b(?:import|require)\b`)

// valued is what code and settings write as a value, and what a tree of files shows.
var jsonKeys = lazy.Regexp(`"[\w-]+"\s*:`)

var (
	consoles = lazy.Regexp(`(?m)^\s*(?:>>>|\.\.\.|In \[\d+\]:|irb[^>]*>) `)
	bareCall = lazy.Regexp(`(?:^|[^\w.:>#])([A-Za-z_]\w*)\(`)
)

var valued = lazy.Regexp(`"[^"\n]*"|'[^'\n]*'|[:=]\s+[\w./-]+\s*$|[├└│].*`)

func (k *known) mentionsOwn(line string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool { return k.own[fold2(path.Base(w))] })
}

// familyOf is how the name of a variable of the environment begins.
func familyOf(name string) string {
	trimmed := strings.TrimLeft(name, "_")
	head, rest, ok := strings.Cut(trimmed, "_")
	if !ok || len(head) < 2 || rest == "" || strings.ToUpper(trimmed) != trimmed {
		return ""
	}
	return head
}

// has returns where the code has a name, as far as its sort asks for.
func (k *known) has(name, sort string) (Place, bool) {
	switch sort {
	case flagName:
		return k.hasFlag(strings.TrimPrefix(name, "--"))
	case variableName:
		if k.composed(name) || k.tagged(name) {
			return Place{k.a.Tree.Code[0].Path, 1}, true
		}
	case fileName:
		return k.lies(strings.TrimPrefix(name, "./"))
	case endpointName:
		for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '.' }) {
			if _, ok := k.fold[fold2(part)]; !ok && !strings.ContainsAny(part, ":{<*") {
				return Place{}, false
			}
		}
		return Place{name, 1}, true
	case commandName:
		_, sub, _ := strings.Cut(name, " ")
		return k.word(sub)
	}
	if p, ok := k.a.Tree.named[name]; ok && strings.Contains(name, ".") {
		return Place{p, 1}, true
	}
	last := name[max(strings.LastIndexAny(name, ".:#>"), -1)+1:]
	if sort == codeName && k.miscased(last) != "" {
		return Place{}, false
	}
	if parts := chainOf(name); sort == codeName && len(parts) > 1 && !k.belongs(parts[len(parts)-2], last) {
		return Place{}, false
	}
	return k.word(last)
}

// lies returns where a file is, or what a folder of code declares: "pkg/server.TestStart".
func (k *known) lies(name string) (Place, bool) {
	if k.a.Tree.exists(name) {
		return Place{name, 1}, true
	}
	dir, of, ok := strings.Cut(path.Base(name), ".")
	if !ok || !humped(of) || !k.a.Tree.exists(path.Join(path.Dir(name), dir)) {
		return Place{}, false
	}
	return k.word(of)
}

// word returns where the code has a name, or composes it.
func (k *known) word(name string) (Place, bool) {
	if spot, ok := k.fold[fold2(name)]; ok {
		return k.place(spot), true
	}
	if len(name) > 12 && k.series(name) {
		return Place{k.a.Tree.Code[0].Path, 1}, true
	}
	if of, ok := k.nested(name); ok {
		return k.place(k.fold[of]), true
	}
	// Many programs put names together of a prefix and the rest.
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	if strings.ToUpper(name) != name && len(parts) < 3 {
		parts = nil
	}
	for i := 1; i < len(parts); i++ {
		head, tail := fold2(strings.Join(parts[:i], "")), fold2(strings.Join(parts[i:], ""))
		if spot, ok := k.fold[tail]; ok && k.prefixes[head] {
			return k.place(spot), true
		}
		// A metric has a prefix that another place sets, "TASK_%s_VERSION" has a middle.
		for _, before := range []string{"_", "s_"} {
			at := k.a.ev.posts.Of(exact(before + strings.Join(parts[i:], "_")))
			if len(at) > 0 && (len(parts)-i > 1 || k.prefixes[fold2(parts[0])]) {
				return k.place(at[0].Place()), true
			}
		}
	}
	return Place{}, false
}

// place is where a spot is.
func (k *known) place(spot int32) Place {
	p := &k.a.ev.spots[spot]
	return Place{k.a.ev.files[p.file].Path, int(p.first)}
}

// claimed reports whether a name that the code has not is one of the project's own, so
// that it should have it.
func (k *known) claimed(n *named) bool {
	if standsForAny(k.unowned(n.name)) {
		return false
	}
	switch n.sort {
	case flagName:
		return !k.shown[n.name] && k.here[""] > 0 && (k.gone[""] <= 2 || k.here[""] >= 3*k.gone[""]) && !placeholder.MatchString(n.name) && !k.elsewhere(n)
	case variableName:
		family := familyOf(n.name)
		switch {
		case k.own[fold2(family)]:
			return true
		case k.shown[n.name] || foreignFamily.MatchString(n.name):
			return false
		case k.families[family] > 1:
			return true
		}
		return environment.MatchString(n.text) && k.families[family] > 0
	case commandName:
		program, of, _ := strings.Cut(n.name, " ")
		if of == "completion" || of == "completions" || of == "help" || of == "version" {
			return false // libraries for commands give these to every program
		}
		return k.here[program] >= 3 && k.here[program] >= 3*k.gone[program]
	case fileName:
		dir, _, _ := strings.Cut(n.name, "/")
		return strings.Contains(path.Base(n.name), ".") && !strings.HasSuffix(n.name, ".md") && !would.MatchString(n.text) && k.a.Tree.exists(dir) && !strings.Contains(n.name, "@")
	case keyName:
		return !k.shown[n.name] && !k.elsewhere(n)
	case endpointName:
		return true
	}
	parts := strings.FieldsFunc(n.name, func(r rune) bool { return strings.ContainsRune(".:#>-", r) })
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if derived.MatchString(last) || k.shows(last) || k.elsewhere(n) {
		return false
	}
	if len(parts) == 1 || n.taken {
		return true
	}
	of := parts[len(parts)-2]
	if k.own[fold2(of)] || k.declared(of) || k.declaredHere(of) {
		return true
	}
	return false
}

// declared reports whether the code declares a type or a module of a name.
func (k *known) declared(name string) bool {
	return slices.ContainsFunc(k.a.ev.posts.Of(exact(name)), func(p index.Posting) bool { return role(p.Level()) == declared })
}
