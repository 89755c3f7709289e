package claims

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Documents name much that is not their project's: what a language brings along, other
// packages, what a reader writes. A name that no code has is a ghost only where the
// document presents it as the project's own, and nothing speaks for another owner. The
// rest is Unsure, with the reason: of the names that public projects as they are have
// nowhere in their code, nine in ten are somebody else's (eval/audit).

// A written is a name where a document writes it.
type written struct {
	named
	path, section string
	at            int // of the statement that has it, in the features; -1 where none has
}

// standardNames are the names of the standard libraries of Java, JavaScript, Python and
// Rust that consist of several words, as javap, a walk over the global object, dir() and
// the index of std list them: standard.txt.
var standardNames = lazy.Deflated(standardPack)

//go:embed standard.pack
var standardPack string

var standard = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(standardNames()) {
		m[name] = true
	}
	return m
})

// beyond takes the names of what is neither code nor a document, hyphens included.
func (k *known) beyond() map[string]bool {
	if k.aside == nil {
		k.aside = map[string]bool{}
		for i := range k.a.Tree.Aside {
			if syntax.Prose(k.a.Tree.Aside[i].Language) {
				continue // what a document is made into has its mistakes
			}
			hyphened(k.a.Tree.Aside[i].Text, func(w []byte) {
				if !k.aside[string(w)] {
					k.aside[string(w)] = true
				}
			})
		}
	}
	return k.aside
}

// hyphened yields the names of a text, which may have hyphens inside.
func hyphened(b []byte, yield func(w []byte)) {
	in := func(c byte) bool { return c == '$' || c < 0x80 && wordByte(c) }
	for from := 0; from < len(b); {
		if c := b[from]; !in(c) || c >= '0' && c <= '9' {
			from++
			continue
		}
		to := from + 1
		for to < len(b) && (in(b[to]) || b[to] == '-' && to+1 < len(b) && in(b[to+1]) && b[to+1] != '_' && b[to+1] != '$') {
			to++
		}
		yield(b[from:to])
		from = to
	}
}

// foreignFlags takes the flags that a block of code gives to other programs.
func (k *known) foreignFlags(b *block) {
	for _, line := range b.raw {
		for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == ';' || r == '&' }) {
			m := prompt.FindStringSubmatch(strings.TrimSpace(piece))
			if m == nil || !otherTool.MatchString("`"+path.Base(m[2])+"`") || k.own[fold2(path.Base(m[2]))] || k.mentionsOwn(m[3]) {
				continue
			}
			for _, f := range longFlag.FindAllStringSubmatch(strings.ReplaceAll(m[3], " ", "  "), -1) {
				k.shown["--"+f[1]] = true
			}
		}
	}
}

// ofOthers reports whether a block of code calls other programs, and none of the project's.
func (k *known) ofOthers(b *block) bool {
	got, ok := k.strange[b]
	if !ok {
		got = k.callsOthers(b)
		k.strange[b] = got
	}
	return got
}

func (k *known) callsOthers(b *block) bool {
	return slices.ContainsFunc(b.raw, otherTool.MatchString) && !slices.ContainsFunc(b.raw, func(line string) bool {
		m := prompt.FindStringSubmatch(line)
		return m != nil && k.own[fold2(path.Base(m[2]))]
	})
}

// strangersFile reports whether what introduces some settings says that they are of
// another program: it links to its place, or names a file of its own.
func (k *known) strangersFile(lead string) bool {
	return strings.Contains(lead, "/.config/") && !k.mentionsOwn(strings.Map(func(r rune) rune {
		if r == '/' || r == '`' || r == '.' {
			return ' '
		}
		return r
	}, lead))
}

// strangers returns the names of other projects that documents link to, each with its document.
func (k *known) strangers(pages [][]block) map[string]bool {
	all := map[string]bool{}
	for i := range pages {
		for j := range pages[i] {
			b := &pages[i][j]
			if b.kind == Fenced {
				continue
			}
			for _, raw := range b.raw {
				for _, m := range projectLink.FindAllStringSubmatch(raw, -1) {
					if name := path.Base(m[1]); !k.own[fold2(name)] {
						all[k.a.Tree.Docs[i].Path+"\x00"+fold2(name)] = true
					}
				}
			}
		}
	}
	return all
}

var projectLink = lazy.Regexp(`(?:github\.com|gitlab\.com|docs\.rs|crates\.io/crates|pypi\.org/project|npmjs\.com/package|pkg\.go\.dev|hex\.pm/packages|rubygems\.org/gems|nuget\.org/packages|hackage\.haskell\.org/package)/((?:@?[\w.-]+/)?[\w.-]+)/?[)>\s"#?]`)

var library = lazy.Regexp(`\b(\w[\w.-]*\w) (?:library|package|plugin|module|gem|crate|framework|tool|extension)\b`)

// little begins what is said of what stands as the project's own, without enough that shows it.
const little = "little shows that "

// Doubts that say nothing against a name that the code once declared.
const (
	asideHas     = "what is neither code nor a document has it"
	exampleCalls = "an example of the documents calls it"
)

// doubts returns of each name that is missing why it is no sure ghost, or nothing.
func (k *known) doubts(names []written, pages [][]block) map[string]string {
	foreign, on := map[string]string{}, map[string]*grounds{}
	strangers := k.strangers(pages)
	beside, members := k.beside(names), k.members(names)
	for i := range names {
		n := &names[i]
		id := n.id()
		why := k.foreign(n)
		for _, title := range n.of.section {
			if why == "" && strangers[n.path+"\x00"+fold2(title)] && len(chainOf(n.name)) == 1 {
				why = "its section is about " + title
			}
		}
		for _, m := range library.FindAllStringSubmatch(n.text, -1) {
			if why == "" && strangers[n.path+"\x00"+fold2(m[1])] {
				why = "the sentence names " + m[1]
			}
		}
		if why != "" && foreign[id] == "" {
			foreign[id] = why
		}
		if on[id] == nil {
			on[id] = &grounds{}
		}
		k.ground(on[id], n, beside, members)
	}
	// History takes seconds, and is asked about those alone that it decides.
	weak := func(id string) bool {
		_, name, _ := strings.Cut(id, " ")
		return foreign[id] == asideHas && !k.asideDeclares(last(chainOf(name))) || foreign[id] == exampleCalls
	}
	past := k.past(names, func(id string) bool { return foreign[id] == "" && !on[id].enough() || weak(id) })
	for i := range names {
		n := &names[i]
		if id := n.id(); n.asked(past) && (!n.loose || n.called && n.member || !n.member && n.name[0] >= 'A' && n.name[0] <= 'Z') {
			told := n.told(past)
			if on[id].add(told, onPast); told && weak(id) {
				foreign[id] = ""
			}
			on[id].add(!told, onPastCode)
			on[id].add(told && len(*on[id]) > 1, onPastMore)
		}
	}
	k.grounding, k.exampled = map[string]string{}, map[string]bool{}
	out := map[string]string{}
	for id, by := range on {
		ok := by.enough()
		if sort, name, _ := strings.Cut(id, " "); (ok || by.inExample()) && foreign[id] == "" && k.commented(sort, name) {
			foreign[id] = "a comment of the code speaks of it"
		}
		switch {
		case foreign[id] != "":
			out[id] = foreign[id]
		case len(*by) == 0:
			out[id] = "nothing shows that the name is the project's own"
		case !ok:
			out[id] = little + "the name is the project's own: " + by.said()
			k.exampled[id] = by.inExample()
		default:
			k.grounding[id] = by.said()
		}
	}
	return out
}

// commented reports whether a comment of the code speaks of a name, which is not one misspelt.
func (k *known) commented(sort, name string) bool {
	n := len(subwords(name))
	if _, there := k.word(last(chainOf(name))); there {
		return false // of another type
	}
	return (sort == codeName || sort == keyName) && n > 1 && k.remarked(name) && (n < 3 || !k.misspelt(last(chainOf(name))))
}

// A row of names is what is defined beside each other: in a table, a list, or by
// headings of a section.
type rowOf struct {
	path, section string
	kind          Kind
}

// Headings are beside each other in the whole of a page: a reference has one for each name.
func (n *written) row() rowOf {
	if n.of.kind == Heading {
		return rowOf{n.path, "", Heading}
	}
	return rowOf{n.path, n.section, n.of.kind}
}

// beside counts the names that are defined beside each other and that the code has, and
// those that it has not.
func (k *known) beside(names []written) map[rowOf][2]int {
	out := map[rowOf][2]int{}
	seen := map[rowOf]map[string]bool{}
	for i := range names {
		n := &names[i]
		r := n.row()
		if !n.defined || seen[r][n.name] {
			continue
		}
		if seen[r] == nil {
			seen[r] = map[string]bool{}
		}
		seen[r][n.name] = true
		c := out[r]
		if _, ok := k.has(n.name, n.sort); ok {
			c[0]++
		} else {
			c[1]++
		}
		out[r] = c
	}
	return out
}

// foreign says to whom else a name may belong, or "".
func (k *known) foreign(n *written) string {
	parts := chainOf(n.name)
	if (n.sort == codeName || n.sort == keyName) && standard()[parts[len(parts)-1]] && len(parts) == 1 {
		return "a standard library has the name"
	}
	switch {
	case n.handed != "" && k.here[n.handed] < 3:
		return "the program may hand it on"
	case n.sort == flagName && n.of.next != nil && n.of.next.kind == Fenced && strings.HasSuffix(strings.TrimSpace(n.of.text), ":") && k.ofOthers(n.of.next):
		return "it introduces a call of another program"
	case n.sort == flagName && nodeFlag.MatchString(n.name) && strings.Contains(strings.ToLower(n.text), "node"):
		return "it is a flag of Node.js"
	case k.otherProgram(n) != "":
		return "the sentence names " + k.otherProgram(n)
	case n.parameter, k.positional(n):
		return "it is a parameter"
	case n.linked != "":
		first, _, _ := strings.Cut(strings.TrimLeft(n.linked, "`"), "::")
		if strings.Contains(n.linked, "::") && k.deps[strings.ToLower(strings.ReplaceAll(first, "_", "-"))] || strings.Contains(n.linked, "::") && k.deps[strings.ToLower(first)] {
			return "its link leads to " + first
		}
	}
	if n.sort != fileName && k.beyond()[strings.TrimLeft(parts[len(parts)-1], "-")] && humped(strings.ReplaceAll(parts[len(parts)-1], "-", "_")) {
		return asideHas
	}
	if n.sort == codeName && len(parts) == 1 && !n.defined && n.of.kind != Fenced && k.bare[n.name] {
		return exampleCalls
	}
	if n.sort == variableName {
		if family := strings.ToLower(familyOf(n.name)); k.deps[family] && !k.own[family] {
			return "it begins as names of " + family + " do"
		}
		return ""
	}
	if n.sort == codeName && len(parts) > 1 {
		for _, m := range inPackage.FindAllStringSubmatch(n.text, -1) {
			if m[2] == parts[len(parts)-2] && !k.isDeclaredPackage(m[1]) {
				return "it is of " + m[1]
			}
		}
	}
	if n.sort != fileName && n.sort != commandName && len(parts) == 1 {
		if w := k.a.titled(last(n.of.section)); w != "" && !n.defined {
			return "its section is about " + w
		}
	}
	for _, s := range n.of.section[max(0, len(n.of.section)-2):] {
		if dep := k.names(s, true); dep != "" {
			return "its section is about " + dep
		}
	}
	if n.sort == fileName || n.sort == commandName {
		return ""
	}
	if dep := k.names(n.text, false); dep != "" && !(len(parts) > 1 && n.of.kind == Fenced) {
		return "the sentence names " + dep
	}
	return ""
}

// inPackage is a type with the package of Java or its like that it is of.
var inPackage = lazy.Regexp(`\b((?:java|javax|jakarta|kotlinx?|scala|androidx?|org|com|net|io)(?:\.[a-z]\w*)+)\.([A-Z]\w*)`)

// chainOf returns the parts of a name that are joined by what languages join them by.
func chainOf(name string) []string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#>", r) })
	if len(parts) == 0 {
		return []string{name}
	}
	return parts
}

var capitalised = lazy.Regexp("`[^`]+`|\\b[A-Z][\\w.-]*|[\\w]+[-_][\\w-]+")

// names returns what a text names of what the project depends on, or "". Words of prose
// are names where they are written as such; those of a title are.
func (k *known) names(s string, title bool) string {
	for _, m := range capitalised.FindAllString(s, -1) {
		for _, w := range packageRE.FindAllString(m, -1) {
			if low := strings.ToLower(w); len(low) > 2 && k.deps[low] && !k.own[fold2(low)] && !k.declaredHere(low) && !k.a.Tree.exists(low) {
				return w
			}
		}
	}
	if title {
		for _, w := range packageRE.FindAllString(s, -1) {
			if low := strings.ToLower(w); len(low) > 3 && k.deps[low] && !generic()[low] && !k.own[fold2(low)] && !k.declaredHere(low) {
				return w
			}
		}
	}
	return ""
}

var packageRE = lazy.Regexp(`[A-Za-z][\w.-]*\w`)

// declaredHere reports whether the program itself declares a name, tests aside.
func (k *known) declaredHere(name string) bool {
	k.parse()
	return k.whole[name]
}

// kin reports whether a name is made as several that the program declares: it begins or
// ends with a word as they do.
func (k *known) kin(name string) bool {
	k.parse()
	words := subwords(name)
	if len(words) < 2 {
		return false
	}
	first, last := words[0], words[len(words)-1]
	for i := 2; i < len(words); i++ {
		if _, ok := k.fold[strings.Join(words[:i], "")]; ok {
			return true // what it begins with is declared
		}
	}
	return !common[first] && len(first) > 1 && k.heads[first] >= kindred || !common[last] && len(last) > 2 && k.tails[last] >= kindred
}

// common are words that names of any program begin or end with.
var common = map[string]bool{"get": true, "set": true, "is": true, "has": true, "to": true, "on": true, "new": true, "with": true, "create": true, "make": true, "add": true, "remove": true, "do": true, "use": true, "from": true, "for": true, "in": true, "the": true, "my": true, "test": true, "name": true, "id": true, "type": true, "value": true, "data": true, "list": true, "size": true}

// kindred is how many names a program has to declare that begin or end as another does.
const kindred = 2

// parse takes the names that the program declares.
func (k *known) parse() {
	if k.whole != nil {
		return
	}
	k.whole, k.heads, k.tails, k.typed = map[string]bool{}, map[string]int{}, map[string]int{}, map[string]bool{}
	for i := range k.a.Tree.Code {
		f := &k.a.Tree.Code[i]
		if f.Flags&(corpus.Test|corpus.Example) != 0 || syntax.Covers(f.Language) == syntax.Nothing {
			continue
		}
		facts := syntax.Facts(f.Path, f.Language, f.Text)
		for j := range facts.Decls {
			name := facts.Decls[j].Name
			if d := &facts.Decls[j]; typeKind(d.Kind.String()) {
				k.typed[name] = k.typed[name] || takesMembers(f.Language, f.Text, d.NameAt)
			}
			if k.whole[name] || facts.Decls[j].Traits&corpus.Local != 0 {
				continue
			}
			k.whole[name] = true
			if words := subwords(name); len(words) > 1 {
				k.heads[words[0]]++
				k.tails[words[len(words)-1]]++
			}
		}
	}
}

// subwords are the words that a name is made of, in small letters.
func subwords(name string) []string {
	var out []string
	start := 0
	r := []rune(strings.TrimRight(name, "!?"))
	cut := func(to int) {
		if w := strings.ToLower(strings.Trim(string(r[start:to]), "_-$")); w != "" {
			out = append(out, w)
		}
		start = to
	}
	for i := 1; i < len(r); i++ {
		switch {
		case r[i] == '_' || r[i] == '-', unicode.IsUpper(r[i]) && unicode.IsLower(r[i-1]),
			unicode.IsUpper(r[i]) && i+1 < len(r) && unicode.IsLower(r[i+1]) && unicode.IsUpper(r[i-1]):
			cut(i)
		}
	}
	cut(len(r))
	return out
}

// within reports whether words stand in others one after the other.
func within(all, words []string) bool {
	for i := range all {
		if i+len(words) <= len(all) && slices.Equal(all[i:i+len(words)], words) {
			return true
		}
	}
	return false
}
