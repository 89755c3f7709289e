package claims

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What an example writes is copied, so that each name in it that the project does not have is one for
// whoever copies it. Most are the example's own or of other packages: those count that the code declared
// once, or that it declares nearly so.

// used returns the names of several words that an example in a language of the project writes, and that
// neither the code nor an example has as it is written.
func (k *known) used(b *block) (out []named) {
	lang := fenceOf(b.lang)
	// Without a language it is that of the code, where that is one, unless it is what a terminal shows.
	if !k.langs[spoken(lang)] && (lang != "" || len(k.langs) != 1 || slices.ContainsFunc(b.raw, prompted.MatchString)) || b.under.past || !slices.ContainsFunc(b.raw, k.speaks) {
		return nil
	}
	for i, raw := range b.raw {
		if remark.MatchString(raw) {
			continue
		}
		line := inQuotes.ReplaceAllString(raw, "_")
		if at := strings.Index(line, " //"); at >= 0 {
			line = line[:at]
		}
		for _, at := range nameRE.FindAllStringIndex(line, -1) {
			name := line[at[0]:at[1]]
			if len(name) < formerLeast || !humped(name) || standard()[name] || k.shows(name) || around(line, at[0], at[1]) {
				continue
			}
			if _, there := k.has(name, codeName); there {
				continue
			}
			rest := strings.TrimLeft(line[at[1]:], " ")
			if keyed.MatchString(rest) && !strings.HasSuffix(strings.TrimRight(line[:at[0]], " "), ".") {
				continue // a field or a variable that the example gives a value
			}
			out = append(out, named{name: name, sort: codeName, line: b.line + i, text: strings.TrimSpace(raw), of: b, loose: true,
				called: strings.HasPrefix(rest, "("), member: at[0] > 0 && strings.IndexByte(".:>", line[at[0]-1]) >= 0})
		}
	}
	return out
}

// speaks reports whether a line has a name of several words that the program declares.
func (k *known) speaks(line string) bool {
	return slices.ContainsFunc(nameRE.FindAllString(inQuotes.ReplaceAllString(line, "_"), -1), func(w string) bool { return humped(w) && k.declaredHere(w) && !k.shown[w] })
}

var prompted = lazy.Regexp(`^\s*[$%>]\s`)

// keyed is what stands behind a name that gets a value.
var keyed = lazy.Regexp(`^(?::[^:]|=[^=>]|:=|\+=)`)

// coded reports whether a line of a block has a name as code. In prose capitals are a matter of taste.
func (b *block) coded(raw, name string) bool {
	if b.kind == Fenced {
		return !remark.MatchString(raw)
	}
	return slices.ContainsFunc(spans.FindAllString(strings.ReplaceAll(raw, "``", "`"), -1), func(s string) bool { return strings.Contains(s, name) })
}

// miscased returns how the program declares a name that no text of the code has as it is written, but in
// other cases of its letters, or "": whoever copies it fails. Where the first letters differ, it is of
// another way to write names, which many programs translate.
func (k *known) miscased(name string) string {
	if len(name) < formerLeast || !humped(name) {
		return ""
	}
	if k.cases == nil {
		k.parse()
		k.cases = map[string]string{}
		for declared := range k.whole {
			if !humped(declared) {
				continue // of other words
			}
			low := strings.ToLower(declared)
			if had := k.cases[low]; had == "" || declared < had {
				k.cases[low] = declared
			}
		}
	}
	declared := k.cases[strings.ToLower(name)]
	if declared == "" || declared == name || declared[0] != name[0] || standard()[name] || k.shown[name] || k.whole[name] || k.spelt(name) || k.beyond()[name] {
		return ""
	}
	return declared
}

// slip returns the name of one word that another, which is no word, misspells, or "": what the program
// declares or a file of it is called.
func (k *known) slip(w string) string {
	if k.a.Words == nil || len(w) < shortestSlip || w != strings.ToLower(w) || k.spelt(w) || k.beyond()[w] || standard()[w] || shown.MatchString(w) {
		return "" // without the words that there are, each of another package would be one
	}
	for _, other := range k.lexicon().corrections(k, w) {
		if k.a.Words(other) && (k.declaredHere(other) || k.isFile(other)) {
			return other
		}
	}
	return ""
}

// longestChain is how many bytes in front of a member are what it is of.
const longestChain = 200

// shortestSlip is how many letters a name of one word has that is told from others by one of them.
const shortestSlip = 6

// ofOwn reports whether what stands before the last part of a name is the project's: its own name, a
// package or a type of it.
func (k *known) ofOwn(parts []string) bool {
	return len(parts) > 1 && slices.ContainsFunc(parts[:len(parts)-1], func(of string) bool {
		return k.own[fold2(of)] || of[0] >= 'A' && of[0] <= 'Z' && humped(of) && k.declaredHere(of)
	})
}

// memberMeant returns the name of the code that a word of a line misspells, as a member of something of
// the project's, or as what an example in its language calls on anything; or "".
func (k *known) memberMeant(b *block, raw string, from, to int) string {
	if to-from < shortestSlip || from < 2 || strings.IndexByte(".:", raw[from-1]) < 0 || !wordByte(raw[from-2]) && raw[from-2] != ':' && raw[from-2] != ')' {
		return ""
	}
	at := from - 1
	for at > max(0, from-longestChain) && (wordByte(raw[at-1]) || raw[at-1] == '.' || raw[at-1] == ':') {
		at--
	}
	called := to < len(raw) && raw[to] == '(' && b.kind == Fenced && k.langs[spoken(fenceOf(b.lang))]
	if !called && (!k.ofOwn(chainOf(raw[at:to])) || at > 0 && strings.IndexByte("/@-", raw[at-1]) >= 0 || to < len(raw) && strings.IndexByte("/@-.", raw[to]) >= 0) {
		return "" // a path, an address or a file
	}
	return k.slip(raw[from:to])
}
