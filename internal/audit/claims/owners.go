package claims

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	// Documents that are kept of former versions speak of code that is no more.
	versionName = lazy.Regexp(`^(?:version[-_])?v?(\d+(?:\.(?:\d+|x))*)$`)
	// What the text below a title says of what the title names.
	removedNote = lazy.Regexp(`(?i)^\W*(?:(?:note|warning|caution|danger|important|info)\W+)?(?:(?:this|the) [\w-]+ (?:was|has been|is|were|have been) )?(?:removed|deprecated|obsolete|no longer|superseded|not (?:yet )?(?:supported|implemented|available))\b`)
	// What introduces a list of what is not to be used, or not there.
	disclaims = lazy.Regexp(`(?i)\b(?:avoid|do not|don'?t|never|cannot|can'?t|must not|should not|no longer|removed|not supported|not available|unsupported|deprecated)\b`)
	linkEnd   = lazy.Regexp(`\]\([^)\n]*\)`)
	// What a document tells its reader of what the reader gains.
	persuades = lazy.Regexp(`(?i)^\W*(?:build|improve|make|boost|save|enjoy|get|keep|focus|spend|reduce|simplify|increase|forget|stop)\b`)
	// What an example declares beside what has a keyword: a member of somebody's type, and a
	// variable behind its type.
	declaresOn   = lazy.Regexp(`\b(?:fun|func|def)\s+(?:<[^>\n]*>\s*)?[\w.<>?]+\.(\w+)\s*\(`)
	declaresVar  = lazy.Regexp(`(?m)^\s*((?:(?:static|const|constexpr|constinit|final|public|private|protected|readonly|extern|inline|mutable|volatile|unsigned|signed|auto)\s+)*[A-Za-z_][\w:.]*(?:<[^;=\n]*>)?[\s*&?]+)([A-Za-z_]\w*)\s*(?:;|\{|=[^=]|\[)`)
	notDeclaring = lazy.Regexp(`^\s*(?:return|throw|delete|goto|else|case|new|await|yield|using|break|import|package|from|raise|del|assert|export|if|while|for|switch)\b`)
	toolName     = lazy.Regexp("`([a-z][a-z0-9_-]+)`")
)

// newest leaves out the documents of former versions: of folders that are named by versions
// the last one counts, and of those that a generator of sites keeps none.
func newest(docs []Source) []Source {
	last := map[string]string{} // the folder with versions: the newest
	count := map[string]map[string]bool{}
	at := func(p string) (dir, version string) {
		parts := strings.Split(path.Dir(p), "/")
		for i, part := range parts {
			if m := versionName.FindStringSubmatch(part); m != nil {
				return strings.Join(parts[:i], "/"), m[1]
			}
		}
		return "", ""
	}
	for i := range docs {
		dir, v := at(docs[i].Path)
		if v == "" {
			continue
		}
		if count[dir] == nil {
			count[dir] = map[string]bool{}
		}
		count[dir][v] = true
		if last[dir] == "" || later(v, last[dir]) {
			last[dir] = v
		}
	}
	return slices.DeleteFunc(docs, func(s Source) bool {
		dir, v := at(s.Path)
		return v != "" && (strings.Contains("/"+dir+"/", "/versioned_docs/") || len(count[dir]) > 1 && v != last[dir])
	})
}

// later reports whether a version is after another.
func later(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		part := func(v []string) int {
			if i >= len(v) {
				return 0
			}
			n, err := strconv.Atoi(v[i])
			if err != nil {
				return 1 << 30 // "x" is any of them
			}
			return n
		}
		if c := cmp.Compare(part(x), part(y)); c != 0 {
			return c > 0
		}
	}
	return false
}

// declaresMore takes the names that an example declares without a keyword.
func (k *known) declaresMore(text string) {
	for _, m := range declaresOn.FindAllStringSubmatch(text, -1) {
		k.shown[m[1]] = true
	}
	for _, m := range definesC.FindAllStringSubmatch(text, -1) {
		if !notDeclaring.MatchString(m[1]) {
			k.shown[m[2]] = true
		}
	}
	for _, m := range declaresVar.FindAllStringSubmatch(text, -1) {
		if !notDeclaring.MatchString(m[1]) {
			k.shown[m[2]] = true
		}
	}
}

// definesC is how languages of the family of C define what is called.
var definesC = lazy.Regexp(`(?m)^[ \t]*((?:[A-Za-z_][\w:<>\[\],*&]*[ \t]+)+)[*&]?([A-Za-z_]\w*)[ \t]*\([^;{}]*\)[^;{}\n]*\{`)

// shows reports whether an example of the documents declares a name, however it writes it.
func (k *known) shows(name string) bool {
	if k.shown[name] {
		return true
	}
	if !humped(name) {
		return false
	}
	if k.shownFold == nil {
		k.shownFold = map[string]bool{}
		for n := range k.shown {
			if humped(n) {
				k.shownFold[fold2(n)] = true
			}
		}
	}
	return k.shownFold[fold2(name)]
}

// unowned is a name without what the project is called: that may be a word which elsewhere
// stands for any.
func (k *known) unowned(name string) string {
	at := strings.IndexAny(name, " _-.:/")
	if at > 0 && k.own[fold2(name[:at])] {
		return name[at+1:]
	}
	return name
}

// disclaimed reports whether what is around a block says that what it names is not to be used.
func disclaimed(b *block) bool {
	switch b.kind {
	case Heading:
		return strings.Contains(b.text, "~~") || b.next != nil && b.next.kind != Heading && removedNote.MatchString(b.next.text)
	case Bullet, Checklist:
		return disclaims.MatchString(b.lead)
	}
	return false
}

// nested reports whether a variable of the environment is composed of a prefix that the code
// has and of the keys of a setting, one in another: "APP_SERVER__PORT".
func (k *known) nested(name string) (string, bool) {
	head, _, ok := strings.Cut(strings.TrimLeft(name, "_"), "_")
	at := strings.LastIndex(name, "__")
	if !ok || at < 1 || at+2 >= len(name) || !k.prefixes[fold2(head)] {
		return "", false
	}
	_, ok = k.fold[fold2(name[at+2:])]
	return fold2(name[at+2:]), ok
}

// composed reports whether a variable of the environment begins with a prefix that the code puts
// before the keys of its settings, and has only words that the code has: "APP_CACHE_DIR" of
// "cache.dir".
func (k *known) composed(name string) bool {
	parts := strings.FieldsFunc(strings.TrimLeft(name, "_"), func(r rune) bool { return r == '_' })
	if len(parts) < 3 || !k.prefixes[fold2(parts[0])] {
		return false
	}
	return !slices.ContainsFunc(parts[1:], func(w string) bool {
		_, ok := k.fold[fold2(w)]
		return !ok
	})
}

// dottedTexts calls do with what a text has in quotes of three words and more, of small letters and
// digits, between which are dots or hyphens.
func dottedTexts(text []byte, do func([]byte)) {
	for i := 0; i < len(text); i++ {
		if !quote(text[i]) {
			continue
		}
		parts, end := 0, i+1
		for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
			for end < len(text) && (text[end] >= 'a' && text[end] <= 'z' || text[end] >= '0' && text[end] <= '9') {
				end++
			}
			if parts++; end == len(text) || text[end] != '.' && text[end] != '-' {
				break
			}
			end++
		}
		if parts > 2 && end < len(text) && quote(text[end]) && text[end-1] != '.' && text[end-1] != '-' {
			do(text[i+1 : end])
			i = end
		}
	}
}

func quote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// series reports whether a name is one that the code writes with dots, as metrics are called: each
// system that keeps them joins its words, and adds what it counts, in its own way.
func (k *known) series(name string) bool {
	if len(subwords(name)) < 3 {
		return false
	}
	if k.dotted == nil {
		k.dotted = map[string]bool{}
		for i := range k.a.Tree.Code {
			dottedTexts(k.a.Tree.Code[i].Text, func(s []byte) { k.dotted[fold2(string(s))] = true })
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' })
	for n := len(words); n > 1; n-- {
		if k.dotted[fold2(strings.Join(words[:n], ""))] {
			return true
		}
	}
	return k.dotted[fold2(name)]
}

// apartPage reports whether a page says at its beginning that it is about another package, or about
// what is not there.
func apartPage(text []byte) bool {
	return ofItsOwn.Match(text[:min(len(text), 1000)]) || notThere.Match(text[:min(len(text), 400)])
}

var (
	ofItsOwn = lazy.Regexp(`(?i)\b(?:in|as|into|to) (?:an? |its |their )?(?:separate|own|external|dedicated) \[?(?:nuget |npm |python |maven )?(?:package|library|repository|project|module|gem|crate|plugin)\b`)
	notThere = lazy.Regexp(`(?i)\b(?:these|this|the following|all of (?:these|them))\b[^.]*\b(?:not (?:yet )?(?:a )?part of|(?:have|has) (?:only |not yet )?been (?:proposed|planned|removed|dropped|discontinued)|(?:are|is) (?:not yet|no longer) (?:implemented|available|part))\b`)
	nodeFlag = lazy.Regexp(`^--(?:experimental|harmony|inspect|max-old|enable-source|es-module|loader|import|trace)\b`)
)

// formerTitles returns the titles of a page that name a version of the project where another names
// a later one.
func (k *known) formerTitles(page []block) map[string]bool {
	newest := map[string]string{}
	each := func(do func(title, of, version string)) {
		for i := range page {
			if m := versionTitle.FindStringSubmatch(page[i].text); m != nil && page[i].kind == Heading && (k.own[fold2(strings.ReplaceAll(m[1], " ", ""))] || strings.EqualFold(m[1], "version")) {
				do(page[i].text, strings.ToLower(m[1]), m[2])
			}
		}
	}
	each(func(_, of, v string) {
		if newest[of] == "" || later(v, newest[of]) {
			newest[of] = v
		}
	})
	out := map[string]bool{}
	each(func(title, of, v string) {
		if v != newest[of] {
			out[title] = true
		}
	})
	return out
}

var (
	versionTitle = lazy.Regexp(`^(\w[\w ]*?),? [vV]?(\d+(?:\.\d+)*)(?:\.x)?$`)
	commitItem   = lazy.Regexp(`^\W*[0-9a-f]{7,40}\b\W`)
)

// otherProgram returns the program that a sentence names before a flag, where it is none of the
// project's.
func (k *known) otherProgram(n *written) string {
	if n.sort != flagName || n.of.kind == Fenced {
		return ""
	}
	before, _, _ := strings.Cut(n.text, n.name)
	for _, m := range toolName.FindAllStringSubmatch(before, -1) {
		_, ok := k.fold[fold2(m[1])]
		titled := slices.Contains(strings.Fields(last(n.of.section)), m[1]) && !k.declaredHere(m[1])
		if (!ok || titled) && !k.own[fold2(m[1])] {
			return m[1]
		}
	}
	return ""
}

// positional reports whether a name is an argument of what its section is about, in a project
// whose languages tell arguments by their places: then it is called as a document likes.
func (k *known) positional(n *written) bool {
	if n.sort != codeName && n.sort != keyName {
		return false
	}
	for l := range k.langs {
		switch l {
		case "python", "ruby", "kotlin", "swift", "csharp", "scala", "php", "r", "julia", "ocaml":
			return false
		}
	}
	for _, s := range n.of.section {
		if _, args, ok := strings.Cut(s, "("); ok && slices.Contains(nameRE.FindAllString(args, -1), n.name) {
			return true
		}
	}
	return false
}
