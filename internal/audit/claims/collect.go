package claims

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/work"
)

// A cut is what a block says by itself, whatever the code has.
type cut struct {
	features []Feature
	left     []Left
	names    []named
	acts     []string // sentences that say what the program does
}

// cuts cuts the documents, page by page on all processors: this looks at nothing but their texts.
func (a *Auditor) cuts() (pages [][]block, out [][]cut) {
	docs := a.Tree.Docs
	pages, out = make([][]block, len(docs)), make([][]cut, len(docs))
	work.Each(context.Background(), len(docs), 1, func() func(int) {
		return func(i int) {
			d := &docs[i]
			page := blocks(string(d.Text))
			pages[i] = page
			for j := 1; j < len(page); j++ {
				page[j-1].next = &page[j]
			}
			if promisesNothing(d) || instructive.MatchString(d.Path) {
				return
			}
			out[i] = make([]cut, len(page))
			for j := range page {
				b, c := &page[j], &out[i][j]
				c.features, c.left = statements(d.Path, b)
				c.names = namesOf(b)
				if len(c.features) == 0 {
					c.acts = acting(b)
				}
			}
		}
	})
	return pages, out
}

// promisesNothing reports whether a document is an example, or about something apart from the program: of
// one that shows how something is built with it only what it copies of the program counts.
func promisesNothing(d *Source) bool {
	return d.Flags&corpus.Example != 0 || apartPage(d.Text)
}

// Features returns what the documents of the tree promise, each once: statements, and
// the names that they write.
func (a *Auditor) Features() (features []Feature, left []Left) {
	k := a.names()
	pages, cuts := a.cuts()
	for i := range pages {
		for j := range pages[i] {
			if pages[i][j].kind == Fenced {
				k.show(&pages[i][j])
			}
		}
	}
	strange := a.translations()
	var names []written
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if promisesNothing(d) {
			continue
		}
		former := k.formerTitles(pages[i])
		for j := range pages[i] {
			b, c := &pages[i][j], &cut{}
			if cuts[i] != nil {
				c = &cuts[i][j]
			}
			if slices.ContainsFunc(b.section, func(s string) bool { return former[s] }) {
				continue // what an earlier version had
			}
			before := len(features)
			if !strange[i] {
				f, l := c.features, c.left
				if more := a.told(d.Path, b, c.acts); len(more) > 0 {
					f, l = more, nil
				}
				for _, f := range f {
					if why := a.idle(&f); why != "" {
						left = append(left, Left{f.Place, short(f.Text), why})
					} else {
						features = append(features, f)
					}
				}
				left = append(left, l...)
			}
			got := c.names
			if b.kind == Fenced {
				got = k.exampleNames(b, cuts[i] == nil)
			}
			for _, n := range got {
				at := slices.IndexFunc(features[before:], func(f Feature) bool { return strings.Contains(f.Text, n.name) })
				if at >= 0 {
					at += before
				}
				if strange[i] && n.sort != variableName && n.sort != fileName {
					continue // which other program a sentence is about is known in English alone
				}
				n.text = near(n.text, n.name)
				names = append(names, written{n, d.Path, strings.Join(b.section, " › "), at})
			}
			for _, n := range k.misspelled(b) {
				if !slices.ContainsFunc(got, func(o named) bool { return last(chainOf(o.name)) == n.name }) {
					features = append(features, k.feature(&written{n, d.Path, strings.Join(b.section, " › "), -1}, ""))
				}
			}
		}
	}
	features = append(features, k.judged(names, features, pages)...)
	return Merge(features), left
}

// nearby is how much of a text is read on each side of a name, in bytes: a statement may have thousands of names.
const nearby = 400

// near returns what stands around a name in a text, the same for names that stand beside each other: the whole text, unless
// it is so long that most of it says nothing of the name.
func near(text, name string) string {
	at := strings.Index(text, name)
	if len(text) <= 3*nearby || at < 0 {
		return text[:min(len(text), 3*nearby)]
	}
	cell := at / nearby * nearby
	return strings.ToValidUTF8(text[max(0, cell-nearby):min(len(text), cell+2*nearby)], "")
}

// exampleNames returns the names that a block of code has; of one that builds what is its reader's own
// those that it takes out of the project or uses.
func (k *known) exampleNames(b *block, readers bool) []named {
	var got []named
	if !readers {
		got = k.codeNames(b)
	}
	if lang := fenceOf(b.lang); (k.langs[spoken(lang)] || lang == "") && !b.under.past && !notHere.MatchString(b.lead) {
		k.imports(b, func(i int, name string) {
			got = append(got, named{name: name, sort: codeName, line: b.line + i, text: strings.TrimSpace(b.raw[i]), of: b, called: true, taken: true})
		})
	}
	type placed struct {
		line int
		name string
	}
	has := map[placed]bool{}
	for i := range got {
		has[placed{got[i].line, last(chainOf(got[i].name))}] = true
	}
	for _, n := range k.used(b) {
		if at := (placed{n.line, n.name}); !has[at] {
			has[at] = true
			got = append(got, n)
		}
	}
	return got
}

// judged makes features of the names that are the project's own to have, but for those
// that a statement is about: these are noted there.
func (k *known) judged(names []written, features []Feature, pages [][]block) []Feature {
	k.count(names)
	doubts := k.doubts(names, pages)
	var out []Feature
	for i := range names {
		n := &names[i]
		_, there := k.has(n.name, n.sort)
		meant := ""
		if !there {
			meant = k.meant(n.name, n.sort)
		}
		if !there && meant == "" && (!k.claimed(&n.named) || k.shortened(&n.named)) {
			continue
		}
		doubt := ""
		if !there && meant == "" {
			doubt = doubts[n.id()]
		}
		if n.loose && (there || doubt != "" && !k.exampled[n.id()]) {
			continue // of most that an example writes nothing is to be said
		}
		if n.at >= 0 && (there || features[n.at].Name == "") {
			if !there {
				features[n.at].Name, features[n.at].Sort, features[n.at].Doubt, features[n.at].Meant = n.name, n.sort, doubt, meant
				features[n.at].Ground = k.groundOf(n, meant, doubt)
			}
			continue
		}
		out = append(out, k.feature(n, doubt))
	}
	return out
}

// feature makes one of a name.
func (k *known) feature(n *written, doubt string) Feature {
	f := Feature{Kind: Name, Text: n.text, Section: n.section, Name: n.name, Sort: n.sort, Doubt: doubt, Place: Place{n.path, n.line}}
	if _, there := k.has(n.name, n.sort); !there {
		f.Meant = cmp.Or(n.means, k.meant(n.name, n.sort))
		f.Ground = k.groundOf(n, f.Meant, doubt)
	}
	return f
}

// count counts of the names of a sort how many the code has.
func (k *known) count(names []written) {
	clear(k.here)
	clear(k.gone)
	clear(k.told)
	clear(k.flags)
	k.compose(names)
	counted := map[string]bool{}
	for i := range names {
		n := &names[i]
		if id := n.path + " " + n.name; n.sort == flagName && !counted[id] {
			counted[id] = true
			if _, ok := k.has(n.name, n.sort); ok {
				k.flags[n.path]++
			}
		}
		id := n.sort + " " + n.name
		if counted[id] {
			continue
		}
		counted[id] = true
		_, there := k.has(n.name, n.sort)
		of := ""
		switch n.sort {
		case commandName:
			of, _, _ = strings.Cut(n.name, " ")
		case endpointName:
			if there && !k.routed(n.name) {
				continue // words that code has somewhere make no path
			}
			of = "/"
		case variableName:
			if there {
				k.told[familyOf(n.name)]++
			}
			continue
		case flagName:
		default:
			continue
		}
		if there {
			k.here[of]++
		} else {
			k.gone[of]++
		}
	}
}

// routed reports whether a text of the code has the path of an endpoint, up to its first parameter.
func (k *known) routed(name string) bool {
	if at := strings.IndexAny(name, "{:<*"); at >= 0 {
		name = name[:at]
	}
	name = strings.TrimRight(name, "/")
	return name != "" && k.spelt(name)
}

// compose finds the prefixes that the program puts before the names of its options to make
// variables of the environment, where no line of code has both together: of a family of
// which several variables are nowhere as they are written, most are an option behind it.
func (k *known) compose(names []written) {
	gone, options := map[string]map[string]bool{}, map[string]int{}
	for i := range names {
		n := &names[i]
		family := familyOf(n.name)
		if n.sort != variableName || family == "" || gone[family][n.name] {
			continue
		}
		if _, ok := k.word(n.name); ok {
			continue
		}
		if gone[family] == nil {
			gone[family] = map[string]bool{}
		}
		gone[family][n.name] = true
		_, rest, _ := strings.Cut(strings.TrimLeft(n.name, "_"), "_")
		if _, ok := k.hasFlag(strings.ToLower(strings.ReplaceAll(rest, "_", "-"))); ok {
			options[family]++
		}
	}
	for family, n := range options {
		if n >= fewOptions && 2*n > len(gone[family]) {
			k.prefixes[fold2(family)] = true
		}
	}
}

// fewOptions is how many variables have to be an option behind a prefix, so that it is
// no coincidence.
const fewOptions = 3

// idle says why a statement is none that the code can bear out, or "": it is about what
// an example declares, about another program, or says nothing but names.
func (a *Auditor) idle(f *Feature) string {
	if f.ID != "" || f.Kind == Story {
		return ""
	}
	first := strings.Trim(strings.SplitN(f.Text, " ", 2)[0], "*:,.")
	switch {
	case f.Kind == Prose && (conditional.MatchString(f.Text) || aloof.MatchString(f.Text)):
		return "it speaks of a case or of others, not of the program"
	case len(first) > 2 && !strings.ContainsAny(first, "`-_") && strings.ToUpper(first) == first && !a.spoken(first):
		return "its subject is another"
	case needs.MatchString(f.Section) && strings.HasPrefix(strings.ToLower(path.Base(f.Path)), "readme"):
		return "it is what its reader needs"
	}
	if f.Kind == Heading && aloof.MatchString(f.Text) {
		return "it is a title"
	}
	if foreignLetters(f.Text) > 0 {
		return "it is in another language"
	}
	k := a.names()
	coded := false
	for _, m := range spans.FindAllStringSubmatch(f.Text, -1) {
		if w := nameRE.FindString(m[1]); shown.MatchString(w) && humped(w) && !k.declared(w) {
			return "it is about a name of an example"
		}
		for _, n := range classify(strings.TrimSpace(m[1]), false) {
			if _, ok := k.has(n.name, n.sort); ok {
				coded = true
				continue
			}
			n.text = f.Text
			if !k.claimed(&n) {
				return "it is about a name of an example or of another program"
			}
			coded = true
		}
		if word, _, ok := strings.Cut(m[1], " "); ok && otherTool.MatchString("`"+word+"`") && !k.own[fold2(word)] {
			return "it is about another program"
		}
	}
	plain := spans.ReplaceAllString(f.Text, " ")
	switch {
	case coded:
	case len(contentPlain(plain)) < 2:
		return "it says nothing that code could bear out"
	case f.Kind == Heading && otherTool.MatchString(f.Text):
		return "it is about another program"
	}
	return ""
}

var needs = lazy.Regexp(`(?i)(^|› )\W*(system )?requirements\W*$`)

// translations says which documents are in another language than most, or are beside
// an original that they translate: what they promise is the original's, but for names.
func (a *Auditor) translations() []bool {
	out := make([]bool, len(a.Tree.Docs))
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if m := localized.FindStringSubmatch(d.Path); m != nil {
			out[i] = true
			continue
		}
		out[i] = foreignLetters(string(d.Text[:min(len(d.Text), 1<<16)])) > .15
	}
	return out
}

// foreignLetters is which part of the letters of a text are of scripts other than Latin.
func foreignLetters(s string) float64 {
	n, foreign := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
			if r >= 0x370 {
				foreign++
			}
		}
	}
	return float64(foreign) / float64(max(n, 1))
}

// localized is a path that says in which language its document is, other than English.
var localized = lazy.Regexp(`(?i)(?:^|[/._-])(?:zh|ja|ko|fr|de|es|pt|it|ru|uk|pl|tr|vi|id|fa|ar|he|nl|cs|hu|ro|sv|th|hi|bn)(?:[-_](?:[a-z]{2}|hans|hant))?(?:/|\.(?:md|mdx|rst|adoc|txt)$)|(?:^|[/._-])(?:chinese|japanese|korean|french|german|spanish|portuguese|russian)\b`)
