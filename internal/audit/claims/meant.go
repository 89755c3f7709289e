package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

// A name whose words the code has but for one, which is no word at all and nearly one that would make
// it a name of the code, is that name misspelt: whoever copies it from the document fails. Of what
// else a document has that no code has, nine in ten are not the project's; of these nearly none.

// A lexicon is the words that the names of the code are made of.
type lexicon struct {
	has     map[string]bool
	by      map[[2]byte][]string // by their first letter and their length
	near    map[string][]string  // words that were asked for: those that they may be meant for
	meant   map[string]string    // names that were asked for: what they are misspelt of
	defined map[string]bool      // of what the program declares: the names without case and separators
	spelt   map[string]string    // names without case and separators: how the code writes them
	left    int                  // how many comparisons may still be made
	cut     int                  // how many words were not compared for want of them
}

// mostComparisons bounds what misspelt words may cost: a document that is full of them on purpose
// would keep an audit busy. Of what people wrote a fiftieth suffices.
const mostComparisons = 50_000_000

func (k *known) lexicon() *lexicon {
	if k.words != nil {
		return k.words
	}
	l := &lexicon{has: map[string]bool{}, by: map[[2]byte][]string{}, near: map[string][]string{}, meant: map[string]string{}, defined: map[string]bool{}, left: mostComparisons}
	k.words = l
	k.a.ev.posts.Each(func(t string, _ []index.Posting) {
		name, ok := strings.CutPrefix(t, "=")
		if !ok {
			return
		}
		for _, w := range subwords(name) {
			if !l.has[w] {
				l.has[w] = true
				if len(w) >= shortWord && len(w) <= longestWord && letters(w) {
					key := [2]byte{w[0], byte(len(w))}
					l.by[key] = append(l.by[key], w)
				}
			}
		}
	})
	for _, list := range l.by {
		slices.Sort(list)
	}
	k.parse()
	for name := range k.whole {
		l.defined[fold2(name)] = true
	}
	return l
}

const (
	shortWord   = 4  // letters: a shorter one is near too many others
	sureWord    = 6  // where nothing tells which words there are
	twoEdits    = 8  // from how many letters on two of them may be wrong
	longestWord = 40 // letters
	// A word that the model knows may be another misspelt, where it means nearly the same.
	mistakenWord = 5
)

// meant returns which name of the code another is that no code has, with one word misspelt, or "".
func (k *known) meant(name, sort string) string {
	end := strings.TrimLeft(last(chainOf(name)), "-")
	words := subwords(end)
	if len(words) == 1 && sort == codeName && k.ofOwn(chainOf(name)) {
		return k.slip(end)
	}
	if len(words) < 2 && sort != flagName || len(words) > 8 || shown.MatchString(end) || standard()[end] {
		return ""
	}
	l := k.lexicon()
	id := sort + " " + end
	if got, ok := l.meant[id]; ok {
		return got
	}
	l.meant[id] = ""
	if sort == codeName {
		if l.meant[id] = k.miscased(end); l.meant[id] != "" {
			return l.meant[id]
		}
	}
	if sort == flagName {
		if l.meant[id] = k.hyphens(end); l.meant[id] != "" {
			return l.meant[id]
		}
	}
	for i, w := range words {
		for _, other := range l.corrections(k, w) {
			better := slices.Clone(words)
			better[i] = other
			joined := strings.Join(better, "")
			if sort == flagName {
				joined = strings.Join(better, "-")
				if _, ok := k.hasFlag(joined); !ok {
					continue
				}
				joined = "--" + joined
			} else if _, ok := k.fold[joined]; !ok {
				continue
			} else if !l.defined[joined] && k.a.Words != nil && k.a.Words(w) {
				continue
			} else {
				joined = k.spelling(joined)
			}
			if sort == codeName && (standard()[joined] || joined[0] >= 'A' && joined[0] <= 'Z' && !k.declared(joined) && !k.own[fold2(joined)]) {
				return "" // a type of another package is misspelt
			}
			if !k.beyond()[end] && !k.spelt(end) {
				l.meant[id] = joined
			}
			return l.meant[id]
		}
	}
	return ""
}

// hyphens returns the flag of the program that another is but for its hyphens, or "".
func (k *known) hyphens(name string) string {
	folded := fold2(name)
	if _, ok := k.fold[folded]; !ok || len(folded) < formerLeast {
		return ""
	}
	flag := strings.Join(subwords(k.spelling(folded)), "-")
	if flag == name || !strings.Contains(flag, "-") || k.spelt("--"+name) || !k.spelt("--"+flag) && !k.spelt(`"`+flag+`"`) {
		return ""
	}
	return "--" + flag
}

// corrections returns the words of the code that one that is none may be meant for, in order.
func (l *lexicon) corrections(k *known, w string) []string {
	got, ok := l.near[w]
	if !ok {
		got = l.compare(k, w)
		l.near[w] = got
	}
	return got
}

func (l *lexicon) compare(k *known, w string) (out []string) {
	far, least := 1, shortWord
	if k.a.Words == nil {
		least = sureWord
	} else if len(w) >= twoEdits {
		far = 2
	}
	listed := k.a.Words != nil && k.a.Words(w)
	if listed { // among many texts there are misspelt ones
		far, least = 1, mistakenWord
	}
	if len(w) < least || len(w) > longestWord || !letters(w) || l.has[w] || listed && k.a.near == nil || k.a.says.has(fold(w)) > fewMentions {
		return nil
	}
	for size := len(w) - far; size <= len(w)+far; size++ {
		firsts := []byte{w[0]}
		if size == len(w) && w[1] != w[0] {
			firsts = append(firsts, w[1]) // the first two may be swapped
		}
		for _, first := range firsts {
			list := l.by[[2]byte{first, byte(size)}]
			if l.left -= len(list); l.left < 0 {
				l.cut++
				return nil
			}
			for _, c := range list {
				if (first == w[0] || c[1] == w[0]) && !inflected(w, c) && text.DistanceWithin(w, c, far) <= far && (!listed || k.a.near.alike(w, c) >= weigh().mistaken) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// Limits are what an audit left undone, which its answer might depend on.
type Limits struct {
	// Uncompared is how many words of the documents were not compared with those of the code: where
	// very many are nearly words of it, not each is.
	Uncompared int `json:"not_compared,omitempty"`
	// PastCut says that not all of the history was looked through for names that the code once had.
	PastCut bool `json:"history_cut,omitempty"`
}

// Limits returns what was left undone so far.
func (a *Auditor) Limits() Limits {
	l := Limits{PastCut: a.cut}
	if a.known != nil && a.known.words != nil {
		l.Uncompared += a.known.words.cut
	}
	if a.known != nil && a.known.near != nil {
		l.Uncompared += len(a.known.near.cut)
	}
	return l
}

// Said says the limits, each in a sentence without its full stop.
func (l Limits) Said() (out []string) {
	if l.Uncompared > 0 {
		out = append(out, "not compared with the words of the code, for misspellings: "+text.Count(l.Uncompared, "word", "words")+" of the documents, as too many are nearly words of it")
	}
	if l.PastCut {
		out = append(out, "not looked through whole, for names that the code once had: the history of the code")
	}
	return out
}

// odd returns how many letters the word of a name has that no name of the code has.
func (k *known) odd(name string) int {
	for _, w := range subwords(name) {
		if !k.lexicon().has[w] {
			return len(w)
		}
	}
	return 0
}

// fewMentions is in how many places documents may have a word that is misspelt: what they have more
// often is a word of theirs.
const fewMentions = 2

// spelling returns how the code writes a name that is given without case and separators.
func (k *known) spelling(folded string) string {
	l := k.lexicon()
	if l.spelt == nil {
		l.spelt = map[string]string{}
		k.a.ev.posts.Each(func(t string, _ []index.Posting) {
			if name, ok := strings.CutPrefix(t, "="); ok {
				if f := fold2(name); l.spelt[f] == "" || name < l.spelt[f] {
					l.spelt[f] = name
				}
			}
		})
	}
	return cmp.Or(l.spelt[folded], folded)
}

// inflected reports whether two words differ by endings alone that words take.
func inflected(a, b string) bool {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	ends := func(w string) bool {
		return endsWord.MatchString(w[i:]) && (len(w) != i+1 || w[i] != 'r' && w[i] != 'd' || w[i-1] == 'e')
	}
	return i >= 3 && ends(a) && ends(b)
}

// A single r or d ends a word behind an e alone.
var endsWord = lazy.Regexp(`^(?:|s|es|d|ed|r|er|or|n|y|al|ly|e|ing|ies)$`)

// misspelled returns the names of a block that are names of the code with a word misspelt, however
// they are written: of a short word, what the program declares.
func (k *known) misspelled(b *block) (out []named) {
	if b.under.past {
		return nil
	}
	for i, raw := range b.raw {
		for from := 0; from < len(raw); {
			if !wordByte(raw[from]) {
				from++
				continue
			}
			to := from + 1
			for to < len(raw) && wordByte(raw[to]) {
				to++
			}
			name := raw[from:to]
			if means := k.memberMeant(b, raw, from, to); means != "" && b.writes(i, name) && !k.shows(name) {
				out = append(out, named{name: name, sort: codeName, line: b.line + i, text: strings.TrimSpace(raw), of: b, called: true, means: means})
			} else if len(name) >= shortestName && (name[0] < '0' || name[0] > '9') && humped(name) && (k.misspells(name) || k.miscased(name) != "" && b.coded(raw, name)) && !around(raw, from, to) && b.writes(i, name) && !k.shows(name) {
				out = append(out, named{name: name, sort: codeName, line: b.line + i, text: strings.TrimSpace(raw), of: b})
			}
			from = to
		}
	}
	if len(out) > 0 && disclaimed(b) {
		return nil
	}
	return out
}

// shortestName is how many letters a name has to have that stands anywhere in a text.
const shortestName = 6

// misspells reports whether a name is one of the code with a word misspelt.
func (k *known) misspells(name string) bool {
	if _, there := k.word(name); there {
		return false
	}
	meant := k.meant(name, codeName)
	return meant != "" && (k.a.Words != nil && k.odd(name) >= sureWord-1 || k.lexicon().defined[fold2(meant)])
}

// around reports whether what stands beside a name makes it part of a path, an address or a handle.
func around(line string, from, to int) bool {
	return from > 0 && strings.IndexByte("/@-$%", line[from-1]) >= 0 || to < len(line) && strings.IndexByte("/@-", line[to]) >= 0
}

// writes reports whether a line of a block has a name outside of quotes in code, and of links in prose.
func (b *block) writes(i int, name string) bool {
	line := b.raw[i]
	if b.kind == Fenced {
		line = inQuotes.ReplaceAllString(line, "_")
	} else {
		line = target.ReplaceAllString(linkEnd.ReplaceAllString(line, "] "), " ")
	}
	return strings.Contains(line, name)
}
