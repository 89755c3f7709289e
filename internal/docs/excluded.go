package docs

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/source"
)

// A Reason says why a page of a source is no page of its library.
type Reason string

// The reasons. All but the last five are rules, which --include-excluded lifts.
const (
	changelog   Reason = "changelog"
	license     Reason = "license"
	housework   Reason = "project" // how the project is run: contributing, security, templates of issues
	translation Reason = "translation"
	outdated    Reason = "outdated"
	tests       Reason = "tests"
	dependency  Reason = "dependency"
	templates   Reason = "template" // of the generator of the documentation, or what it made
	hidden      Reason = "hidden"
	indexes     Reason = "generated index"
	sources     Reason = "html beside its sources"
	manuals     Reason = "manual page beside documentation"
	plainTexts  Reason = "plain text"

	unselected Reason = "outside --docs-path"
	globbed    Reason = "matches --exclude"
	tooLarge   Reason = "too large"
	tooDeep    Reason = "too deep"

	unfilled Reason = "includes of files that are not there, and nothing else"
)

// lifted reports whether --include-excluded brings back what has the reason. The pages of
// dependencies are those of other libraries.
func (r Reason) lifted() bool {
	switch r {
	case dependency, unselected, globbed, tooLarge, tooDeep, unfilled:
		return false
	}
	return true
}

// An Excluded is how many pages were excluded for a reason.
type Excluded struct {
	Reason   Reason   `json:"reason"`
	Pages    int      `json:"pages"`
	Examples []string `json:"examples"`           // the first of them
	Folders  int      `json:"folders,omitempty"`  // that were not looked into
	Sections int      `json:"sections,omitempty"` // of pages that may have others
	AtLeast  bool     `json:"at_least,omitempty"` // there were too many files to look at all
}

// examples is how many pages are named for a reason.
const examples = 3

// exclude counts a page.
func (f *found) exclude(why Reason, p string) {
	i := slices.IndexFunc(f.excluded, func(e Excluded) bool { return e.Reason == why })
	if i < 0 {
		i = len(f.excluded)
		f.excluded = append(f.excluded, Excluded{Reason: why})
	}
	e := &f.excluded[i]
	if why == tooDeep {
		e.Folders++
	} else {
		e.Pages++
	}
	if len(e.Examples) < examples {
		e.Examples = append(e.Examples, p)
	}
}

// omitted counts the pages that the source itself did not give.
func omitted(by []source.Omission) (out []Excluded) {
	for _, o := range by {
		out = append(out, Excluded{Reason: Reason(o.Why), Pages: o.Pages, Examples: append([]string{}, o.Examples...)})
	}
	return out
}

// leftOut says what a person should know was excluded: what the rules did, and limits.
func leftOut(all []Excluded) (notes []string) {
	var parts []string
	n, lift, more := 0, false, ""
	for _, e := range all {
		switch e.Reason {
		case unselected, globbed:
			continue // it was asked for
		case tooDeep:
			notes = append(notes, fmt.Sprintf("%s omitted: more than %d levels deep", text.Count(e.Folders, "folder", "folders"), source.MaxDepth))
			continue
		}
		n += e.Pages
		lift = lift || e.Reason.lifted()
		if e.AtLeast {
			more = "at least "
		}
		parts = append(parts, fmt.Sprintf("%d %s (%s)", e.Pages, e.Reason, strings.Join(e.Examples[:1], "")))
	}
	if n == 0 {
		return notes
	}
	s := more + text.Count(n, "page", "pages") + " excluded: " + strings.Join(parts, ", ") + "; --docs-path GLOB reads some of them"
	if lift {
		s += ", --include-excluded all but those of dependencies"
	}
	return append(notes, s)
}

// pageFile ends the names of files that have nothing but a page in them.
const pageFile = `\.(?:md|mdx|markdown|rst|rdoc|txt|adoc|html)$`

var (
	// A page in a folder that is called like a list of changes is a part of one if it reads like one. A list in one page is read.
	logDir = lazy.Regexp(`(?i)^(?:change[-_]?logs?(?:\.d)?|changes|history|news(?:fragments)?|release[-_]?notes|what[-_]?s[-_]?new)$`)
	// ofRelease is called for one version.
	ofRelease = lazy.Regexp(`(?i)^(?:change[-_]?log|releases?|release[-_]?notes?)[-_.]v?\d[\w.]*` + pageFile)
	// The same for the terms that the library is given under.
	legalFile = lazy.Regexp(`(?i)^(?:licen[cs]es?|copying|copyright|notice|third[-_]?party(?:[-_]?(?:notices?|licen[cs]es?))?)(?:[-_.].*)?` + pageFile)
	byCustom  = lazy.Regexp(`^(?:LICEN[CS]E|COPYING|COPYRIGHT|NOTICE)(?:[-_.].*)?(?i:` + pageFile + `)`)
	templated = lazy.Regexp(`(?i)^(?:code[-_]of[-_]conduct|pull_request_template|issue_template)(?:[-_.][\w.-]*)?` + pageFile)
	houseFile = lazy.Regexp(`(?i)^(?:contributing|contributors|authors|maintainers|security|governance|support|credits|agents|claude|copilot-instructions)(?:[-_.][\w.-]*)?` + pageFile)
	staleDir  = lazy.Regexp(`(?i)^(?:archived?|deprecated|legacy|outdated|superseded|obsolete|old|previous(?:[-_]versions?)?|versioned_docs)$`)
	othersDir = lazy.Regexp(`^(?:node_modules|bower_components|vendor|third_party|site-packages)$`)
	madeDir   = lazy.Regexp(`^(?:__pycache__|_static|_templates|_theme|_build|_layouts|_includes)$`)
	testDir   = lazy.Regexp(`(?i)^(?:__tests__|__snapshots__|__mocks__|testdata|test[-_]data)$`)
	// Below a folder of documentation these are topics.
	testTopic = lazy.Regexp(`(?i)^(?:tests?|e2e|playgrounds?|(?:test[-_]?)?fixtures?)$`)
)

// A survey is what is known of all the pages of a tree, since what one is shows in those
// around it.
type survey struct {
	fsys  fs.FS // nil: names are all that is known
	pages map[string]bool
	below map[string][]string // the pages below a folder that may be a translation
	langs map[string]bool     // what translates returned of such a folder
	kids  map[string][]string // such folders, by the folder they are in
}

// look surveys the pages of a tree.
func look(fsys fs.FS, pages []string) *survey {
	s := &survey{fsys: fsys, pages: make(map[string]bool, len(pages)), below: map[string][]string{}, langs: map[string]bool{}, kids: map[string][]string{}}
	for _, p := range pages {
		s.pages[p] = true
		for end := strings.IndexByte(p, '/'); end >= 0; {
			dir := p[:end]
			if name := path.Base(dir); language.MatchString(name) || besideDir.MatchString(name) {
				if s.below[dir] == nil && language.MatchString(name) {
					s.kids[path.Dir(dir)] = append(s.kids[path.Dir(dir)], path.Base(dir))
				}
				s.below[dir] = append(s.below[dir], p)
			}
			next := strings.IndexByte(p[end+1:], '/')
			if next < 0 {
				break
			}
			end += 1 + next
		}
	}
	return s
}

// reason returns why a file is no page by default, "" where it is one; what base, a folder
// that was named outright, is called does not count.
func (s *survey) reason(p, base string) Reason {
	name, dir := path.Base(p), path.Dir(p)
	if why := s.folder(dir, base); why != "" && (why != changelog || s.reads(p, isLog, true)) {
		return why
	}
	top := dir == "."
	switch {
	case strings.HasPrefix(name, "."):
		return hidden
	case byCustom.MatchString(name):
		return license
	case ofRelease.MatchString(name):
		return changelog
	case legalFile.MatchString(name) && s.reads(p, isLegal, false):
		return license
	case templated.MatchString(name), top && houseFile.MatchString(name):
		return housework
	case s.translatedFile(p):
		return translation
	case strings.HasSuffix(name, ".html") && s.fsys != nil && s.reads(p, isTemplate, false):
		return templates
	}
	return ""
}

var templateTag = lazy.Regexp(`\{%-?\s*(?:extends|block|macro|import|from|include|call|set|if|for)\b`)

// isTemplate reports whether a file of HTML is a part of pages that a program makes: it has
// tags of a template engine, and neither is a whole page nor begins as one of a generator of sites.
func isTemplate(lines []string) bool {
	if len(lines) == 0 || strings.HasPrefix(lines[0], "---") {
		return false
	}
	all := strings.ToLower(strings.Join(lines, "\n"))
	return templateTag.MatchString(all) && !strings.Contains(all, "<html") && !strings.Contains(all, "<!doctype")
}

// folder returns what the folders of a page, up to base, say of it. A changelog they
// only suspect.
func (s *survey) folder(dir, base string) (why Reason) {
	if base == "." {
		base = ""
	}
	rest := dir
	if base != "" {
		below, ok := strings.CutPrefix(dir+"/", base+"/")
		if !ok {
			return ""
		}
		rest = strings.TrimSuffix(below, "/")
	}
	at, docs := base, inDocs(base+"/x")
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part == "." {
			continue
		}
		at = path.Join(at, part)
		switch {
		case strings.HasPrefix(part, "."):
			return hidden
		case othersDir.MatchString(part):
			return dependency
		case madeDir.MatchString(part):
			return templates
		case testDir.MatchString(part), !docs && testTopic.MatchString(part):
			return tests
		case staleDir.MatchString(part):
			return outdated
		case s.translates(at):
			return translation
		case logDir.MatchString(part):
			why = changelog
		}
		docs = docs || inDocs(part+"/x")
	}
	return why
}

// shut reports whether a folder by its own name holds nothing that is read by default.
// There may be very much in it.
func shut(dir string) bool {
	part := path.Base(dir)
	return strings.HasPrefix(part, ".") || othersDir.MatchString(part) || madeDir.MatchString(part)
}

// history reports whether a folder is version control's own: no page is in one.
func history(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".bzr":
		return true
	}
	return false
}

// maxJudged is how much of a page is read to tell what it is.
const maxJudged = 32 << 10

// reads reports whether a page reads like what it is called. Of one that cannot be read,
// the name decides; short is what to say of one with next to nothing in it, such as an
// entry of a changelog that is put together from a folder.
func (s *survey) reads(p string, like func(lines []string) bool, short bool) bool {
	if s.fsys == nil {
		return true
	}
	f, err := s.fsys.Open(p)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }() // it was only read
	head, err := io.ReadAll(io.LimitReader(f, maxJudged))
	if err != nil {
		return true
	}
	said, _ := text.Decode(head)
	var lines []string
	for line := range strings.SplitSeq(string(said), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if stub(lines) || short && len(said) < 600 {
		return true
	}
	return like(lines)
}

var included = lazy.Regexp(`^(?:\.\. (?:mdinclude|include|changelog|literalinclude)::|--8<--|\{!|\{%|include::|<!--|` + "```" + `\{(?:include|literalinclude)\})`)

// stub reports whether a page has nothing of its own but a title and what it includes.
func stub(lines []string) bool {
	taken, own := 0, 0
	for _, l := range lines {
		switch {
		case included.MatchString(l):
			taken++
		case strings.Trim(l, "=-~#*^`") != "" && !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, ":"):
			own++
		}
	}
	return len(lines) == 0 || taken > 0 && own <= 2
}

var (
	released = lazy.Regexp(`(?i)^(?:#+|=+|\*\*)?\s*(?:[\w .@/-]{0,40}\s)?[\[\x60]?v?\d+\.\d+(?:[.\w-]*)[\]\x60]?(?:\W.{0,50})?$|^(?:#+|=+)?\s*\[?(?:unreleased|\d{4}-\d\d-\d\d)\b.{0,40}$`)
	ruled    = lazy.Regexp("^[=\\-~^*+#.`\"]{3,}$")
	changed  = lazy.Regexp(`^(?:[-*+] |\.\. (?:change|versionadded|changelog)::)`)
)

// isLog reports whether a page lists what changed from version to version: several versions are
// headings, or one is, and of the lines many are entries; or there is hardly anything but sentences
// in a list.
func isLog(lines []string) bool {
	versions, items, long, code := 0, 0, 0, false
	for i, l := range lines {
		if strings.HasPrefix(l, "```") {
			code = !code
		}
		switch {
		case code:
		case changed.MatchString(l):
			items++
			long += len(l)
		case released.MatchString(l):
			under := i+1 < len(lines) && ruled.MatchString(lines[i+1])
			if under || strings.HasPrefix(l, "#") || strings.HasPrefix(l, "==") {
				versions++
			}
		}
	}
	return versions > 3 || versions > 0 && items*6 >= len(lines) || items > 6 && items*2 >= len(lines) && long > 40*items
}

var terms = lazy.Regexp(`(?i)permission (?:is hereby granted|to use, copy)|redistribution and use|apache license|general public license|mozilla public license|without warrant(?:y|ies)|all rights reserved|copyright \(c\)|copyright ©|licensed under|public domain`)

// isLegal reports whether a page is the terms of a licence.
func isLegal(lines []string) bool { return terms.MatchString(strings.Join(lines, " ")) }

// inDocs reports whether a path is in a folder of documentation.
func inDocs(p string) bool {
	lower := strings.ToLower(p)
	for part := range strings.SplitSeq(path.Dir(lower), "/") {
		switch part {
		case "doc", "docs", "documentation", "_sources", "manual", "guide", "guides":
			return true
		}
	}
	return strings.HasSuffix(lower, ".rst.txt") || strings.HasSuffix(lower, ".md.txt")
}

// plainText tells the .txt files that programs read.
func plainText(name string) bool {
	return name == "cmakelists.txt" || name == "robots.txt" || name == "humans.txt" || strings.HasPrefix(name, "requirements") || strings.Contains(name, "wordlist") || strings.Contains(name, "spelling")
}

// generated tells the HTML pages that are indexes of the others.
func generated(lower string) bool {
	switch strings.TrimSuffix(path.Base(lower), path.Ext(lower)) {
	case "genindex", "search", "py-modindex", "modindex", "404", "genindex-all", "np-modindex", "toc", "print", "contents":
		return true
	}
	return strings.HasPrefix(path.Base(lower), "genindex") || strings.Contains("/"+lower, "/_modules/") || strings.Contains("/"+lower, "/class-use/") || listing.MatchString(path.Base(lower))
}

// listing is called what Doxygen and Javadoc list: sources, members, folders and all classes.
var listing = lazy.Regexp(`^(?:.+_8\w+_source|(?:class|struct|union|interface)\w+-members|dir_[0-9a-f]{32}|(?:functions|globals|namespacemembers)(?:_\w+)?|` +
	`index-all|allclasses(?:-index|-frame|-noframe)?|allpackages-index|overview-tree|package-(?:tree|use|summary-use)|help-doc|serialized-form|constant-values|deprecated-list)\.html$`)

// sortExcluded puts the reason with the most pages first.
func sortExcluded(all []Excluded) {
	sorting.Stable(all, func(a, b Excluded) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Reason, b.Reason))
	})
}
