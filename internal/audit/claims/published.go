package claims

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// On projects that no rule was made from, a third of what looked like orphans was none: scripts, builds and packages
// that are not published, names that a language keeps inside by a custom, and comments in forms that no rule knew. An
// orphan is sure where little of that can be: its language has been read often enough, a manifest publishes its
// folder, and nothing above it may be a comment of any form. The others are Partial, with the doubt
// (eval/runs/2026-11-28-audit.txt has the counts).

// A parcel is what a manifest says of the folder that it is in.
type parcel struct {
	kept bool   // nothing of it is published
	name string // by which it is published, folded; "" where it was not read
}

// A parcelKey is a folder and a language that a manifest in it publishes.
type parcelKey struct{ language, dir string }

var (
	// The folders of tests, examples, tools and internals, by any word of their names.
	sideFolder = lazy.Regexp(`(?i)(?:^|[/._-])(?:tests?|testing|testkit|specs?|examples?|samples?|demos?|bench(?:marks?|es)?|fixtures?|mocks?|stubs?|support|playgrounds?|sandbox|tutorials?|experiment(?:s|al)?|templates?|scaffold(?:ing)?|(?:source)?generators?|codegen|analyzers?|tools?|tooling|scripts?|cli|cmd|bin|internals?|impl|priv|private|details?|vendor(?:ed)?|third[-_]?party|compat|legacy|migrations?|refactorings?|scalafix|lint|docs?|website|it|jmh|perf|generated)(?:[/._-]|$)`)
	mainSource = lazy.Regexp(`(?:^|/)src/(?:main|\w+Main)/`)
	unshared   = lazy.Regexp(`(?im)^\s*publish\s*=\s*(?:false|\[\s*\])|<IsPackable>\s*false|<OutputType>\s*(?:Win)?Exe|Microsoft\.NET\.Test\.Sdk|Sdk="Microsoft\.NET\.Sdk\.(?:Web|Worker|BlazorWebAssembly)"|<maven\.deploy\.skip>\s*true|"type"\s*:\s*"project"|"private"\s*:\s*true|<PackFolder>analyzers|"Microsoft\.CodeAnalysis\.CSharp"|^\s*crate-type\s*=.*cdylib|^\s*proc-macro\s*=\s*true|"engines"\s*:\s*\{[^}]*"vscode"|Private :: Do Not Upload|.kotlin-dsl.`)
	// A folder with a build of its own that a build of Gradle takes in.
	includeBuild = lazy.Regexp(`\bincludeBuild\s*\(?\s*["']([^"']+)["']`)
	namedSo      = lazy.Regexp(`(?m)^\s*name\s*=\s*["']?([\w.-]+)`)
	// A line that may be of a comment, and those of comments that only give types.
	remarkish = lazy.Regexp(`^(?://|/\*|\*|#(?:[^\[]|$)|"""|'''|=end\b|<!--)|\*/$|^[)\]]+$`)
	tagOnly   = lazy.Regexp(`^(?:/\*\*|\*/|\*|(?:/\*\*|\*)\s*@(?:param|return|returns|var|throws|psalm-[\w-]+|phpstan-[\w-]+|template|extends|implements)\b.*)$`)
	markLine  = lazy.Regexp(`^(?:@[\w.:]+(?:\([^()]*\))?|#\[.*\]|\[.*\])$`)
	// A file of Go that is not built as a part of its package.
	builtApart = lazy.Regexp(`(?m)\A(?:\s*//.*\n|\s*\n)*?//go:build\b.*\b(?:go)?(?:fuzz|ignore|tools?|integration|test|e2e|bench)\b`)
	copiedFrom = lazy.Regexp(`(?im)^\s*(?://|#|\*|/\*).*\bcopied (?:verbatim )?from\b`)
	behind     = lazy.Regexp(`\S\s+(?://|#|/\*)`)
)

// manifest takes what a file says of publishing its folder, where it is a manifest.
func (s *surface) manifest(f *Source) {
	base := path.Base(f.Path)
	var languages []string
	hasName := false // which is that of the folder that it publishes
	switch {
	case base == "go.mod":
		languages = []string{"go"}
	case strings.HasSuffix(base, ".gemspec"):
		languages = []string{"ruby"}
	case base == "composer.json":
		languages = []string{"php"}
	case base == "pom.xml", base == "build.gradle", base == "build.gradle.kts":
		languages = []string{"java", "kotlin"}
	case base == "build.sbt", base == "build.sc", base == "build.mill":
		languages = []string{"scala"}
	case strings.HasSuffix(base, ".csproj"):
		languages = []string{"csharp"}
	case base == "pyproject.toml", base == "setup.py", base == "setup.cfg":
		languages, hasName = []string{"python"}, true
	case base == "settings.gradle", base == "settings.gradle.kts":
		s.composed(f)
		return
	default:
		return
	}
	p := parcel{kept: unshared.Match(f.Text)} // of manifests alone: the pattern is a slow one
	if m := namedSo.FindSubmatch(f.Text); m != nil && hasName {
		p.name = foldName(string(m[1]))
	}
	for _, l := range languages {
		key := parcelKey{l, path.Dir(f.Path)}
		if old, ok := s.parcels[key]; ok { // setup.py beside pyproject.toml
			p.kept = p.kept || old.kept
			if old.name != "" {
				p.name = old.name
			}
		}
		s.parcels[key] = p
	}
}

// composed takes the folders that a build has for itself, for its plugins.
func (s *surface) composed(f *Source) {
	head, _, _ := bytes.Cut(f.Text, []byte("dependencyResolutionManagement"))
	_, head, ok := bytes.Cut(head, []byte("pluginManagement"))
	if !ok {
		return
	}
	for _, m := range includeBuild.FindAllSubmatch(head, -1) {
		for _, l := range []string{"java", "kotlin"} {
			key := parcelKey{l, path.Join(path.Dir(f.Path), string(m[1]))}
			p := s.parcels[key]
			p.kept = true
			s.parcels[key] = p
		}
	}
}

// isPrivateName reports whether a name is kept inside by the custom of one underscore before it.
func isPrivateName(name string) bool {
	return strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__")
}

// parcelOf returns what the nearest manifest of a language says above a file, and the file below its folder.
func (s *surface) parcelOf(language, file string) (p parcel, below string, ok bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if p, ok := s.parcels[parcelKey{language, dir}]; ok {
			return p, strings.TrimPrefix(file, strings.TrimPrefix(dir+"/", "./")), true
		}
		if dir == "." || dir == "/" {
			return p, "", false
		}
	}
}

// doubt says why a declaration that no document names and no comment describes may be no orphan, or "".
func (s *surface) doubt(d *Declaration) string {
	switch d.Language {
	case "go", "ruby", "php", "java", "csharp", "python", "kotlin", "scala":
	default:
		return "too little is known of what its language keeps inside, and of where it is described"
	}
	p, below, ok := s.parcelOf(d.Language, d.Path)
	switch {
	case !ok, p.kept, !s.shipped(d, p, below):
		return "no manifest is known to publish its folder"
	case copiedFrom.Match(s.texts[d.Path]):
		return "its file says that it is copied"
	case d.Language == "go" && builtApart.Match(s.texts[d.Path]):
		return "its file is built for tests or tools alone"
	case sideFolder.MatchString(d.Path):
		return "its folder may be one of tests, examples, tools or internals"
	case syntax.Has(d.Language, "private-by-custom") && (d.Kind == "variable" || slices.ContainsFunc(strings.Split(below, "/"), isPrivateName)):
		return "a custom of Python may keep it inside"
	case d.Language == "ruby" && (s.reopened(d, below) || strings.HasSuffix(d.Name, "=")):
		return "it may be of another library, or described where its attribute is"
	case d.Scope != "" && s.inheriting[typePlace{d.Path, d.Scope}]:
		return "its type extends another, which may describe it"
	case s.written[strings.TrimRight(d.Name, "?!=")]:
		return "a text that is no document of the program names it, or may"
	case remarkNear(s.lines(d.Path), d.Line-1, d.Language), d.Language == "python" && s.assigned(d.Path)[d.Name],
		headedRun(s.lines(d.Path), d.Line-1, d.Language), s.linkedTo(d), s.ofField(d), syntax.Has(d.Language, "comments-of-groups") && s.remarked(d):
		return "what stands beside it may describe it"
	}
	return ""
}

// apartRemark reports whether a comment ends above a blank line, other than the one that a file begins with.
func apartRemark(lines [][]byte, blank int) bool {
	at := func(i int) []byte { return bytes.TrimSpace(lines[i]) }
	i := blank - 1
	switch {
	case i < 0:
		return false
	case bytes.HasSuffix(at(i), []byte("*/")):
		for least := max(blank-longestRemark, 0); i > least && !bytes.HasPrefix(at(i), []byte("/*")); {
			i--
		}
	case headline.Match(at(i)):
		for i > 0 && headline.Match(at(i-1)) {
			i--
		}
	default:
		return false
	}
	return i > 0
}

// headedRun reports whether a declaration is one of a run that a comment above the first may speak of: the lines between
// begin with the same word, go on from one that does, or are blank. A comment in the form of documentation, or that
// names the first as is the custom in Go, is of the first alone.
func headedRun(lines [][]byte, at int, language string) bool {
	if at < 0 || at >= len(lines) {
		return false
	}
	indent, word := lead(lines[at])
	first := lines[at]
	for i := at - 1; i >= max(at-longestRemark, 0); i-- {
		text := bytes.TrimSpace(lines[i])
		margin, begins := lead(lines[i])
		switch {
		case len(text) == 0, margin > indent, margin == indent && (text[0] == ']' || text[0] == ')'):
		case margin == indent && bytes.Equal(begins, word):
			first = lines[i]
		default:
			if margin != indent || !headline.Match(text) {
				return false
			}
			return !syntax.Has(language, "comments-of-groups") || !named.HasWord(first, nameRE.FindString(string(text)))
		}
	}
	return false
}

// headline is a line of a comment that is no documentation by its form.
var headline = lazy.Regexp(`^(?:(?://|#)(?:[^/!#\[]|$)|/\*[^*].*\*/$)`)

// isConstant reports whether a word is written as constants are in most languages.
func isConstant(word []byte) bool {
	return len(word) > 0 && word[0] >= 'A' && word[0] <= 'Z' && strings.Trim(string(word), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") == ""
}

// lead returns how far a line is indented, and its first word: all constants have the same.
func lead(line []byte) (margin int, word []byte) {
	text := bytes.TrimLeft(line, " \t")
	word, _, _ = bytes.Cut(bytes.TrimRight(text, "\r"), []byte(" "))
	if isConstant(word) {
		word = []byte("A")
	}
	return len(line) - len(text), word
}

// linkOf is a link in a comment to what a program declares.
var linkOf = lazy.Regexp(`\[\[([\w.$#]+)\]\]|\{@(?:link|see)\s+([\w.#]+)|\]\[([\w.]+)\]|<see\s+cref="([\w.]+)"`)

// linkedTo reports whether a comment of its file speaks of a declaration by a link, or of what all of its kind are by the
// end of their names, as "Provides [[Encoder]] instances" does of listEncoder.
func (s *surface) linkedTo(d *Declaration) bool {
	links, ok := s.links[d.Path]
	if !ok {
		links = map[string]bool{}
		for _, line := range s.lines(d.Path) {
			if !remarkish.Match(bytes.TrimSpace(line)) {
				continue
			}
			for _, m := range linkOf.FindAllSubmatch(line, -1) {
				for _, w := range nameRE.FindAllString(string(bytes.Join(m[1:], nil)), -1) {
					links[w] = true
				}
			}
		}
		s.links[d.Path] = links
	}
	if links[d.Name] {
		return true
	}
	for w := range links {
		if len(w) > 3 && strings.HasSuffix(d.Name, w) && w[0] >= 'A' && w[0] <= 'Z' {
			return true
		}
	}
	return false
}

// ofField reports whether a method gives or takes a field of its file that a comment describes.
func (s *surface) ofField(d *Declaration) bool {
	field := fieldOf(d.Name)
	if field == "" || d.Scope == "" {
		return false
	}
	for i, line := range s.lines(d.Path) {
		if at := bytes.Index(line, []byte(field)); at > 0 && hiddenField.Match(line[:at]) && named.HasWord(line[at:], field) && remarkOf(s.lines(d.Path), i, d.Language).says {
			return true
		}
	}
	return false
}

// fieldOf returns the field that a method gives or takes by its name, or "".
func fieldOf(name string) string {
	for _, begin := range []string{"set", "get", "is", "has", "with"} {
		field, ok := strings.CutPrefix(name, begin)
		if field = strings.TrimPrefix(field, "_"); ok && field != "" && field[0] >= 'A' && field[0] <= 'Z' {
			return strings.ToLower(field[:1]) + field[1:]
		}
	}
	return ""
}

// hiddenField is what stands before the name of a field that others do not see.
var hiddenField = lazy.Regexp(`^\s*(?:@\w+\s+)*(?:private|protected)\b[^(=;]*$`)

// remarked reports whether a comment of the package of Go that a declaration is of has its name: errors are often described where
// they are returned.
func (s *surface) remarked(d *Declaration) bool {
	dir := path.Dir(d.Path)
	names, ok := s.remarks[dir]
	if !ok {
		names = map[string]bool{}
		for _, file := range s.below(strings.TrimPrefix(dir+"/", "./")) {
			if path.Dir(file) != dir || !strings.HasSuffix(file, ".go") {
				continue
			}
			for _, line := range s.lines(file) {
				if _, text, ok := bytes.Cut(line, []byte("// ")); ok {
					for _, w := range nameRE.FindAllString(string(text), -1) {
						names[w] = names[w] || severalWords.MatchString(w)
					}
				}
			}
		}
		s.remarks[dir] = names
	}
	return names[d.Name]
}

// docOf is where a line of Python is about what describes a name.
var docOf = lazy.Regexp(`\n([^\s.]+)\.__doc__`)

// assigned returns the names of a file of Python that lines of it say something of in their __doc__.
func (s *surface) assigned(file string) map[string]bool {
	names, ok := s.docs[file]
	if !ok {
		for _, m := range docOf.FindAllSubmatch(s.texts[file], -1) {
			if names == nil {
				names = map[string]bool{}
			}
			names[string(m[1])] = true
		}
		s.docs[file] = names
	}
	return names
}

// shipped reports whether a file is where packages of its language have what they publish.
func (s *surface) shipped(d *Declaration, p parcel, below string) bool {
	switch d.Language {
	case "ruby":
		return strings.HasPrefix(below, "lib/")
	case "php":
		return len(s.loaded) > 0 && !s.outsideAutoload(d.Path)
	case "java", "kotlin", "scala":
		return mainSource.MatchString(below)
	case "python":
		at := strings.TrimSuffix(d.Path, below)
		for _, src := range []string{"src/", "lib/", "python/", ""} {
			rest, ok := strings.CutPrefix(below, src)
			if !ok {
				continue
			}
			top, _, inside := strings.Cut(rest, "/")
			if inside && s.texts[at+src+top+"/__init__.py"] == nil {
				return false
			}
			name := foldName(strings.TrimSuffix(top, ".py"))
			return p.name == "" && inside || p.name != "" && (strings.Contains(p.name, name) || inside && strings.Contains(name, p.name))
		}
	}
	return true
}

// reopened reports whether a declaration of Ruby is in a module that no file or folder of lib is called as: it is one of
// another library, that this one adds to.
func (s *surface) reopened(d *Declaration, below string) bool {
	top, _, _ := strings.Cut(d.Qualified(), ".")
	root, name := strings.TrimSuffix(d.Path, below), foldName(top)
	known, ok := s.tops[root]
	if !ok {
		known = map[string]bool{}
		for _, file := range s.below(root + "lib/") {
			first, _, _ := strings.Cut(file[len(root+"lib/"):], "/")
			known[foldName(strings.TrimSuffix(first, ".rb"))] = true
		}
		s.tops[root] = known
	}
	return !known[name]
}

// ended are the languages whose statements end with a sign.
var ended = map[string]bool{"csharp": true, "java": true, "php": true, "rust": true}

// longestRemark bounds how many lines are read above a declaration.
const longestRemark = 100

// remarkNear reports whether a line beside a declaration may be of a comment, of whatever form.
func remarkNear(lines [][]byte, at int, language string) bool {
	if at < 0 || at >= len(lines) || behind.Match(lines[at]) {
		return true
	}
	for i := at + 1; i < min(at+4, len(lines)); i++ {
		next := bytes.TrimSpace(lines[i])
		if remarkish.Match(next) && !tagOnly.Match(next) && (i == at+1 || next[0] == '"' || next[0] == '\'') {
			return true
		}
	}
	for i := at - 1; i >= 0; i-- {
		if at-i > longestRemark {
			return true // no declaration reads all that is above it
		}
		text := bytes.TrimSpace(lines[i])
		switch {
		case len(text) == 0:
			return apartRemark(lines, i)
		case tagOnly.Match(text), markLine.Match(text):
		case ended[language] && bytes.IndexByte([]byte(";{},(>"), text[len(text)-1]) < 0:
			return true // of an attribute of several lines, or of what else
		default:
			return remarkish.Match(text)
		}
	}
	return false
}
