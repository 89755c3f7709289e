package text

import (
	_ "embed" // stop.txt
	"strings"
	"sync"
	"unicode"
)

// stopWords are lists of words. A list follows its name and a colon, and ends with an empty line.
//
//go:embed stop.txt
var stopWords string

// A stopList has the words that do not describe the subject of a question. It is built at its first use, because most
// commands need none.
type stopList struct {
	lists []string // their names in stopWords
	once  sync.Once
	words map[string]struct{}
	begin Prefixes
}

func stops(lists ...string) *stopList { return &stopList{lists: lists} }

func (l *stopList) ready() *stopList {
	l.once.Do(func() {
		l.words = map[string]struct{}{}
		for _, list := range l.lists {
			_, words, _ := strings.Cut(stopWords, "\n"+list+":\n")
			words, _, _ = strings.Cut(words, "\n\n")
			for w := range strings.FieldsSeq(words) {
				l.words[w] = struct{}{}
				l.begin.Add(w)
			}
		}
	})
	return l
}

func (l *stopList) has(folded string) bool {
	_, ok := l.ready().words[folded]
	return ok
}

// longestStop is the most bytes that a stop word has.
const longestStop = 14

// Stop reports whether a word, in upper or lower case, does not describe the subject of a question to this corpus.
func (a *Analyser) Stop(word []byte) bool {
	if len(word) > longestStop || !a.stops.ready().begin.May(word) {
		return false
	}
	var low [longestStop]byte
	for i, c := range word {
		if class[c] == upper {
			c |= 0x20
		}
		low[i] = c
	}
	_, ok := a.stops.words[string(low[:len(word)])]
	return ok
}

// Stop reports whether a folded word carries no meaning in a question about code.
func Stop(word string) bool { return code.stops.has(word) }

// Language returns the language of a question, as Grammar takes it: the one in which
// most of its folded words are grammar. Without any it is English.
func Language(words []string) int {
	best, most := 0, 0
	for i, list := range grammar {
		n := 0
		for _, w := range words {
			if list.has(w) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// German is the language in which every noun has a capital.
const German = 1

// Grammar reports whether a folded word of a question in a language is only grammar. It depends on the language, because
// "son", "war" and "door" are grammar in one language and things in another.
func Grammar(language int, word string) bool {
	if grammar[language].has(word) {
		return true
	}
	// Two characters of Hiragana are mostly grammar.
	n := 0
	for _, r := range word {
		if !unicode.Is(unicode.Hiragana, r) && r != 'ー' {
			return false
		}
		n++
	}
	return n > 0 && n <= 2
}

// grammar is folded words of English, German, French, Spanish, Italian, Portuguese and
// Dutch.
var grammar = [...]*stopList{stops("english", "inNotes"), stops("german"), stops("french"), stops("spanish"), stops("italian"), stops("portuguese"), stops("dutch")}
