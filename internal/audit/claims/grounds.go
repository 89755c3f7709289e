package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Of the names that documents of public projects write and no code has, most are somebody else's,
// however like the project's own they look. A ground is what speaks for the project. Each was counted on
// public projects: of the names that were reported with it, how many were wrong indeed
// (eval/runs/2026-11-27-audit.txt says on which). One that was right in four of five shows that a name is
// the project's own and makes it a confirmed ghost; with the others a person must look.

// A ground is what speaks for a name being the project's own.
type ground struct {
	why         string
	right, read int  // of what was reported with it; 0 of 0: not counted, or right in half and less where it was without a count
	promised    bool // it needs no counting: the document is there to say what is to be
	loose       bool // it also speaks for a name that only an example uses
}

var (
	onList     = &ground{why: "a list of what the program offers has it", right: 0, read: 3}
	onSpec     = &ground{why: "a document of what the program is to do lists it", promised: true}
	onRow      = &ground{why: "names of the code are defined beside it", right: 10, read: 11}
	onTitle    = &ground{why: "its title or row is made as names of the code are", right: 9, read: 17}
	onNear     = &ground{why: "the code declares nearly the same name", right: 14, read: 24}
	onWord     = &ground{why: "the code declares it with a word more or less", right: 1, read: 3}
	onSibling  = &ground{why: "others of its sentence that begin so are of the code", right: 1, read: 1}
	onType     = &ground{why: "what it is of is declared here"}
	onMembers  = &ground{why: "others of the same type beside it are of the code", right: 7, read: 11, loose: true}
	onCall     = &ground{why: "the project's own command is called with it", right: 0, read: 6}
	onPage     = &ground{why: "its page has other flags of the program", right: 2, read: 10}
	onFamily   = &ground{why: "it begins as other variables of the program do", right: 7, read: 32}
	onPrefix   = &ground{why: "it begins with the project's name"}
	onRoutes   = &ground{why: "the code has other endpoints of the documents", right: 0, read: 9}
	onMove     = &ground{why: "the file is elsewhere now", right: 6, read: 7}
	onSettings = &ground{why: "settings of the program stand beside it", right: 0, read: 1}
	onImport   = &ground{why: "an example takes it from the project's own package", right: 3, read: 5, loose: true}
	onChain    = &ground{why: "an example calls it on what the project makes", right: 0, read: 2}
	onFront    = &ground{why: "the README calls it, and it is made as names of the code are", right: 0, read: 1}
	onEnding   = &ground{why: "the code declares it with another ending of a word", right: 4, read: 4}
	onPastCode = &ground{why: "the code had it once"}
	onPast     = &ground{why: "the code had it once, and documents with it", right: 8, read: 16, loose: true}
	onPastMore = &ground{why: "more than its past speaks for it", right: 9, read: 10} // beside onPast
)

// enoughRead is of how many names at least a ground has to have been right, so that one is enough.
const enoughRead = 5

// sure reports whether a ground shows that a name is the project's own.
func (g *ground) sure() bool {
	return g.promised || g.read >= enoughRead && float64(g.right) >= weigh().right*float64(g.read)
}

// grounds are those of one name, each once.
type grounds []*ground

func (g *grounds) add(ok bool, more *ground) {
	if ok && !slices.Contains(*g, more) {
		*g = append(*g, more)
	}
}

// enough reports whether a name is the project's own by its grounds.
func (g grounds) enough() bool { return slices.ContainsFunc(g, (*ground).sure) }

// inExample reports whether they speak for a name that only an example uses.
func (g grounds) inExample() bool {
	return slices.ContainsFunc(g, func(one *ground) bool { return one.loose })
}

// said are the grounds in words, the sure ones first.
func (g grounds) said() string {
	var out []string
	for _, sure := range []bool{true, false} {
		for _, one := range g {
			if one.sure() == sure {
				out = append(out, one.why)
			}
		}
	}
	return strings.Join(out, "; ")
}

// groundOf says why a name is reported.
func (k *known) groundOf(n *written, meant, doubt string) string {
	if meant != "" || doubt != "" {
		return ""
	}
	return k.grounding[n.id()]
}

// id is what all places of a name have in common.
func (n *written) id() string { return n.sort + " " + n.name }

// ground adds what shows that a document presents a name as the project's own.
func (k *known) ground(out *grounds, n *written, beside map[rowOf][2]int, members map[string]map[string]bool) {
	parts := chainOf(n.name)
	last := parts[len(parts)-1]
	if n.beside {
		out.add(k.misspelt(last), onNear)
		return
	}
	if n.of.under.invited && n.of.kind != Fenced && n.sort != fileName {
		out.add(true, onList)
		out.add(featuresPage.MatchString(n.path), onSpec)
	}
	// A setting of one word may be handed on to another package.
	c := beside[n.row()]
	out.add(n.defined && c[0] >= 3 && c[0] >= 3*c[1] && (n.sort != keyName || n.of.kind == Row || len(subwords(last)) > 1), onRow)
	// A heading or a row of a table that is made of a name is there for it.
	if n.of.kind == Heading || n.of.kind == Row && n.defined {
		out.add(n.sort == flagName && k.here[""] >= 3, onPage)
		out.add(k.kin(last), onTitle)
	}
	switch n.sort {
	case flagName:
		out.add(n.of.kind == Fenced, onCall)
		out.add(n.defined || k.here[""] >= 3 && (k.flags[n.path] >= 2 || frontPage(n.path)), onPage)
	case variableName:
		begins := familyOf(n.name)
		out.add(k.misspelt(n.name), onNear)
		out.add(k.own[fold2(begins)], onPrefix)
		out.add(k.told[begins] >= 2 && k.families[begins] >= 2, onFamily)
	case commandName:
		out.add(n.of.lang != "" || strings.ContainsAny(n.text[:1], "$>%"), onCall)
	case endpointName:
		out.add(k.here["/"] >= 2, onRoutes)
	case fileName:
		at := strings.TrimPrefix(n.name, "./")
		out.add(n.of.kind != Fenced && !anyProject.MatchString(path.Base(at)) && (k.a.renamed(at) || k.a.moved(at)), onMove)
	case keyName:
		out.add(n.of.kind == Fenced, onSettings) // it has looked at what is beside it
		out.add(n.of.kind != Fenced && k.ending(last) != "", onEnding)
		out.add(k.misspelt(last), onNear)
	default:
		k.groundCode(out, n, parts, members)
	}
}

// members returns the members of types that each document names and a file of the code declares with them.
func (k *known) members(names []written) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for i := range names {
		n := &names[i]
		parts := chainOf(n.name)
		if n.sort != codeName || len(parts) < 2 {
			continue
		}
		of, member := parts[len(parts)-2], parts[len(parts)-1]
		if of == "" || of[0] < 'A' || of[0] > 'Z' || !k.declaredHere(of) || !k.declaredHere(member) || !k.together(of, member) {
			continue
		}
		id := n.path + "\x00" + of
		if out[id] == nil {
			out[id] = map[string]bool{}
		}
		out[id][member] = true
	}
	return out
}

// groundCode adds what shows that a name of code is the project's own.
func (k *known) groundCode(out *grounds, n *written, parts []string, members map[string]map[string]bool) {
	last := parts[len(parts)-1]
	if len(parts) > 1 {
		of := parts[len(parts)-2]
		out.add(k.own[fold2(of)] || of[0] >= 'A' && of[0] <= 'Z' && k.declaredHere(of), onType)
		out.add(len(members[n.path+"\x00"+of]) >= 2, onMembers)
	}
	out.add(n.taken, onImport)
	if n.loose {
		return
	}
	out.add(len(parts) == 1 && n.of.kind == Fenced, onChain) // codeNames has looked at what it is called on
	out.add(k.misspelt(last), onNear)
	out.add(k.between(last), onWord)
	out.add(n.of.kind != Fenced && k.ending(last) != "", onEnding)
	out.add(k.sibling(n, last), onSibling)
	// The README calls what is the project's.
	out.add(n.called && n.sort == codeName && len(parts) == 1 && n.of.kind != Fenced && frontPage(n.path) && k.kin(last), onFront)
	// "the method X of Y"
	m := member.FindStringSubmatch(n.text)
	out.add(m != nil && m[1] == n.name && k.declared(m[2]), onType)
}

// ending returns the name that the program declares and that another is but for the ending of one of its words, or "": a
// text may make several of its last.
func (k *known) ending(name string) string {
	got, ok := k.ended[name]
	if !ok {
		got = k.otherEnding(name)
		k.ended[name] = got
	}
	return got
}

func (k *known) otherEnding(name string) string {
	words := subwords(name)
	if len(words) < 2 || len(words) > 8 || standard()[name] {
		return ""
	}
	for i, w := range words {
		for cut := range strings.SplitSeq(endings, " ") {
			stem := strings.TrimSuffix(w, cut)
			if len(stem) < 3 || cut != "" && stem == w {
				continue
			}
			for end := range strings.SplitSeq(endings, " ") {
				other := stem + end
				if other == w || i == len(words)-1 && strings.TrimSuffix(strings.TrimSuffix(other, "s"), "e") == strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e") || !inflected(w, other) {
					continue
				}
				joined := strings.Join(words[:i], "") + other + strings.Join(words[i+1:], "")
				if k.lexicon().defined[joined] && !standard()[k.spelling(joined)] {
					return k.spelling(joined)
				}
			}
		}
	}
	return ""
}

// endings are those of words, with none.
const endings = " s es d ed r er or n y al ly e ing ies"

// anyProject are names that files of a language's projects have: a document tells its reader of them.
var anyProject = lazy.Regexp(`(?i)^(?:main|lib|mod|index|app|tests?|config|settings|setup|__init__|__main__|conftest|program|package|readme)\.\w+$`)

var member = lazy.Regexp("`([\\w.]+)(?:\\(\\))?` (?:method|function|field|property|option|class|test|attribute)?\\s*(?:in|of|on) (?:the )?`([\\w.]+)`")
