package claims

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A change that takes a name out of the code breaks each document that still writes it. That the
// name is the project's own needs no further sign: its code had it, at the revision that is compared with.

// lost is what a change took out of the program.
type lost struct {
	a     *Auditor
	names map[string]bool // with whether the code declared it
	wrote map[string]bool // words that options were declared by
	fold  map[string]bool // the names without case and separators
}

// lost reads what the files of a change were. What tests and examples had is no loss.
func (a *Auditor) lost(c *Change) *lost {
	l := &lost{a, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for file, raw := range c.was {
		language := syntax.Language(file, raw)
		flags := discover.PathFlags(file)
		if !syntax.Source(language) || syntax.Prose(language) || flags&(corpus.Prose|corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated|corpus.Minified) != 0 || apart.MatchString(file) {
			continue
		}
		e := &Evidence{wrote: l.wrote}
		lines := strings.Split(string(raw), "\n")
		lx := lexer{text: raw, marks: marksOf(language), whole: e.write, word: func(w []byte, r role, line int) {
			name := string(w)
			if r == inComment || len(w) < 3 || a.ev.has(exact(name)) > 0 {
				return
			}
			l.names[name] = l.names[name] || r == declared || line <= len(lines) && len(lines[line-1]) <= mostLine && declaresOne(lines[line-1], name)
		}}
		lx.run()
	}
	// A name of what the audit does not judge may be meant: that of a site, of a generated file.
	for name := range a.names().beyond() {
		delete(l.names, name)
	}
	for name := range l.names {
		l.fold[fold2(name)] = true
	}
	return l
}

// mostLine is how many bytes a line has at most that a person wrote.
const mostLine = 2000

func declaresOne(line, name string) bool {
	return declaredIn([]byte(line), name) || methodLike(line, name)
}

// methodLike reports whether a line declares a method of a name without a word for it, as
// JavaScript, Java and C do.
func methodLike(line, name string) bool {
	before, after, ok := strings.Cut(line, name+"(")
	return ok && strings.HasSuffix(strings.TrimSpace(after), "{") && !strings.ContainsAny(before, "=().,;:\"'") && strings.TrimSpace(before) != "new" && (before == "" || !wordByte(before[len(before)-1]))
}

// name reports whether a name is lost: bare says that the document only writes it, and does not
// call it or name what it belongs to.
func (l *lost) name(name string, bare bool) bool {
	declared, ok := l.names[name]
	switch {
	case !ok || shown.MatchString(name):
		return false
	case !distinct(name), strings.ToUpper(name) == name && !strings.Contains(name, "_"): // "BSD", "LINE"
		return declared && !bare && len(name) > 4 && !generic()[strings.ToLower(name)]
	case strings.ToUpper(name) == name:
		_, there := l.a.names().has(name, variableName)
		return !there && !foreignFamily.MatchString(name)
	}
	return true
}

// flag reports whether an option is lost, of which a line speaks: nothing of the code has a form of
// its name. Other programs have options of the same names.
func (l *lost) flag(name, line string) bool {
	if k := l.a.names(); k.shown["--"+name] || k.elsewhere(&named{name: "--" + name, sort: flagName, text: line}) || foreignLine(k, line) {
		return false
	}
	name = strings.TrimPrefix(name, "no-")
	if !strings.ContainsAny(name, "-_") {
		low := strings.ToLower(name)
		return l.wrote[low] && !l.a.ev.wrote[low]
	}
	if _, there := l.a.names().has("--"+name, flagName); there {
		return false
	}
	return l.fold[fold2(name)] || l.wrote[strings.ToLower(name)]
}

// foreignLine reports whether a line runs another program.
func foreignLine(k *known, line string) bool {
	m := prompt.FindStringSubmatch(line)
	return m != nil && otherTool.MatchString("`"+m[2]+"`") && !k.mentionsOwn(line)
}

var (
	// What a document says of what is no more.
	ofBefore      = lazy.Regexp(`(?i)\b(?:removed|renamed|deprecated|no longer|replace[sd] by|formerly|previously|used to|instead of|(?:was|were) called|superseded|dropped|obsolete|legacy|older versions?|before version|prior to)\b`)
	sectionBefore = lazy.Regexp(`(?i)\b(?:changelog|change log|history|migrat\w*|upgrad\w*|release notes|what'?s new|removed|deprecat\w*|legacy|obsolete|breaking)\b`)
	autodoc       = lazy.Regexp(`^\s*\.\. (?:[\w:]+:)?auto\w+:: ([\w.]+)`)
	soleName      = lazy.Regexp(`^[@.#:]?(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*([A-Za-z_$][\w$]*[!?]?)(?:\(.*\))?$`)
)

// Broken returns what documents name that a change took out of the code, by place, each name once a
// document; not what those findings have that are known already.
func (a *Auditor) Broken(c *Change, known []Finding) []Finding {
	if a.Tree.Unknown() > 0 {
		return nil // what was not read may have it still
	}
	l := a.lost(c)
	if len(l.names)+len(l.wrote) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i := range known {
		if f := &known[i]; f.Rule == GhostRule {
			for _, name := range append([]string{f.Name}, f.named...) {
				seen[f.Path+"\x00"+strings.TrimPrefix(name, "--")] = true
				seen[f.Path+"\x00"+last(chainOf(name))] = true
			}
		}
	}
	var out []Finding
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if d.Flags&corpus.Example != 0 || apartPage(d.Text) || sectionBefore.MatchString(path.Base(d.Path)) {
			continue
		}
		l.page(d, func(name string, line int, text string) {
			if key := d.Path + "\x00" + strings.TrimPrefix(name, "--"); !seen[key] {
				seen[key] = true
				out = append(out, Finding{Rule: GhostRule, Severity: "high", Place: Place{d.Path, line}, Name: name, broken: true,
					Message: fmt.Sprintf("the changes take %s out of the code, and it is documented: %s", name, short(strings.TrimSpace(text)))})
			}
		})
	}
	sorting.Stable(out, func(a, b Finding) int { return cmp.Or(byPlace(a.Place, b.Place), cmp.Compare(a.Name, b.Name)) })
	for i := range out {
		out[i].Fingerprint = out[i].fingerprint()
	}
	return out
}

// page calls found with what a document writes that is lost.
func (l *lost) page(d *Source, found func(name string, line int, text string)) {
	lines := strings.Split(string(d.Text), "\n")
	fenced, skip := false, 0 // the level of the heading below which nothing counts
	var around *example
	for n, line := range lines {
		if fence.MatchString(line) {
			if fenced = !fenced; fenced {
				around = exampleAt(lines, n+1, fence.MatchString)
			}
			continue
		}
		if m := atx.FindStringSubmatch(line); m != nil && !fenced {
			if level := len(m[1]); skip == 0 || level <= skip {
				skip = 0
				if sectionBefore.MatchString(m[2]) {
					skip = level
				}
			}
		}
		if skip > 0 {
			continue
		}
		at := func(name string) { found(name, n+1, line) }
		switch {
		case fenced:
			l.code(line, around, at)
		case indented(line):
			if around == nil || n >= around.end {
				around = exampleAt(lines, n, func(s string) bool { return s != "" && !indented(s) })
			}
			l.code(line, around, at)
			l.prose(line, at)
		default:
			l.prose(line, at)
		}
	}
}

func indented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// An example is a block of code of a document. Which of its lines have a name is known once the
// first is asked for.
type example struct {
	lines []string
	end   int // of its lines in the document
	at    map[string][]int
	own   map[string]bool // names that were asked for
}

// exampleAt returns the example that begins on a line.
func exampleAt(lines []string, from int, end func(string) bool) *example {
	to := len(lines)
	if i := slices.IndexFunc(lines[from:], end); i >= 0 {
		to = from + i
	}
	return &example{lines: lines[from:to], end: to}
}

// declares reports whether an example declares a name itself, or sets it.
func (e *example) declares(name string) bool {
	if e.at == nil {
		e.at, e.own = map[string][]int{}, map[string]bool{}
		for i, line := range e.lines {
			for _, w := range nameRE.FindAllString(line, -1) {
				if at := e.at[w]; len(at) == 0 || at[len(at)-1] != i {
					e.at[w] = append(at, i)
				}
			}
		}
	}
	own, asked := e.own[name]
	if !asked {
		own = slices.ContainsFunc(e.at[name], func(i int) bool { return declaresItself(e.lines[i], name) })
		e.own[name] = own
	}
	return own
}

// prose looks through a line that people read.
func (l *lost) prose(line string, found func(name string)) {
	if ofBefore.MatchString(spans.ReplaceAllString(line, " ")) {
		return
	}
	if m := autodoc.FindStringSubmatch(line); m != nil {
		if name := m[1][strings.LastIndexByte(m[1], '.')+1:]; l.name(name, false) {
			found(name)
		}
	}
	for _, m := range spans.FindAllStringSubmatch(strings.ReplaceAll(line, "``", "`"), -1) {
		span := strings.TrimSpace(m[1])
		of := soleName.FindStringSubmatch(span)
		for _, w := range nameRE.FindAllString(span, -1) {
			if l.name(w, of == nil || of[1] != w) {
				found(w)
			}
		}
	}
	for _, m := range longFlag.FindAllStringSubmatch(strings.NewReplacer("`", " ", " ", "  ").Replace(line), -1) {
		if l.flag(m[1], line) {
			found("--" + m[1])
		}
	}
	for _, m := range upper.FindAllStringSubmatch(spans.ReplaceAllString(line, " "), -1) {
		if l.name(m[1], true) {
			found(m[1])
		}
	}
}

// code looks through a line of an example. What the example itself declares is its own.
func (l *lost) code(line string, around *example, found func(name string)) {
	if remark.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "--") {
		return
	}
	bare := inQuotes.ReplaceAllString(line, "_")
	for _, at := range nameRE.FindAllStringIndex(bare, -1) {
		name, before, after := bare[at[0]:at[1]], bare[:at[0]], bare[at[1]:]
		used := strings.HasPrefix(after, "(") || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "::")
		if l.name(name, !used) && !around.declares(name) {
			found(name)
		}
	}
	for _, m := range longFlag.FindAllStringSubmatch(strings.ReplaceAll(line, " ", "  "), -1) {
		if l.flag(m[1], line) {
			found("--" + m[1])
		}
	}
}

// declaresItself reports whether a line of code declares a name, or sets it: an argument by its
// name, which a comma ends, is none.
func declaresItself(line, name string) bool {
	if declaresOne(line, name) {
		return true
	}
	if strings.ToUpper(name) == name {
		return false // a variable of the environment is set to be used
	}
	line = strings.TrimLeft(strings.TrimSpace(line), "$@")
	for _, word := range []string{"const ", "let ", "var ", "local ", "auto ", "final "} {
		line = strings.TrimPrefix(line, word)
	}
	if words := strings.Fields(line); len(words) > 2 && words[0] == "set" && slices.Contains(words[1:3], name) {
		return true // of the fish shell
	}
	rest, ok := strings.CutPrefix(line, name)
	if !ok || strings.HasSuffix(line, ",") {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	return strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}
