package vault

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A JudgedPair is two notes that were compared, and their signs by the names of Signs: what
// eval/memory fits the profile to.
type JudgedPair struct {
	Old, Later string
	Signs      []float64
}

// Signs are what tells that a later note is in the place of an older one, where a question led
// to both.
var Signs = [...]string{
	"meaning", "words", "word of change", "category", "title", "words of the question", "meaning of the question",
	"has what the older has of the question", "has it or a word of change", "score",
	"phrase",
}

// The signs that take time to read, and the one that a vector is made for.
const (
	signMeaning = 0
	signWords   = 1
	signPhrase  = 10
)

// weighting is what the signs count for, and how much they must come to.
type weighting struct {
	of    [len(Signs)]float64
	least float64
}

func signWeights() *weighting {
	w := &weighting{least: rank.Memory().Constant("in its place")}
	for n, name := range Signs {
		w.of[n] = rank.Memory().Constant("in its place: " + name)
	}
	return w
}

func (w *weighting) sum(signs [len(Signs)]float64) float64 {
	l := -w.least
	for n, by := range w.of {
		l += by * signs[n]
	}
	return l
}

// most is what the sum comes to at most, if some signs are not read yet: a sign is 1 at most, and
// of sums in one order rounding keeps which is larger.
func (w *weighting) most(signs [len(Signs)]float64, unread ...int) float64 {
	for _, n := range unread {
		signs[n] = truth(w.of[n] > 0)
	}
	return w.sum(signs)
}

// inPlace is how likely a later note is in the place of an older one: above 0 it is taken to
// be. Signs that take time are read only where the others leave that open.
func (s *searcher) inPlace(w *weighting, old, later *matter, of, by *candidate) float64 {
	var x [len(Signs)]float64
	all := s.judged != nil
	x[2], x[3] = truth(later.changes), truth(old.category == later.category)
	x[4] = shared(old.titled, later.titled)
	lacks := s.q.share(of.matched &^ by.matched)
	x[5], x[6] = s.q.share(of.matched&by.matched), min(of.meaning, by.meaning)
	x[7], x[8] = 1-lacks, 1-lacks*truth(!later.changes)
	x[9] = by.score
	if !all && w.most(x, signMeaning, signWords, signPhrase) < 0 {
		return -1
	}
	x[signMeaning], x[signWords] = old.common(later)
	if !all && w.most(x, signPhrase) < 0 {
		return -1
	}
	x[signPhrase] = phrase(old.said, later.said)
	l := w.sum(x)
	if (all || l > 0) && (s.q.named(old, later) || s.q.ofAnother(old, later)) {
		return -1
	}
	if all {
		*s.judged = append(*s.judged, JudgedPair{old.path, later.path, slices.Clone(x[:])})
	}
	return l
}

// ofAnother reports whether a question asks by two words in a row, as "billing api", for what an
// older note has so and a later one has of another kind, as "admin api". A word of change before
// the second, as "new api", names no kind.
func (q *question) ofAnother(old, later *matter) bool {
	for i := 0; i+1 < len(q.content); i++ {
		kind, thing := q.content[i], q.content[i+1]
		if !old.has(kind, thing) || !later.has(thing) || later.has(kind) || kind == thing || !follows(old.text, func(before string) bool { return text.English(before) == kind }, thing) {
			continue
		}
		if follows(later.text, func(before string) bool { return before != "" && !speaksOfChange(before) }, thing) {
			return true
		}
	}
	return false
}

// has reports whether a note has all of some stems.
func (m *matter) has(stems ...string) bool {
	for _, s := range stems {
		if _, ok := m.words[s]; !ok {
			return false
		}
	}
	return true
}

// follows reports whether a text has a stem, as a word between spaces, somewhere after a word that
// is as wanted: "" for a word of grammar, the end of a clause, or none.
func follows(s string, wanted func(before string) bool, stem string) bool {
	words := strings.Fields(text.Fold(prose(s)))
	lang, before := text.Language(words), ""
	for _, w := range words {
		word := strings.TrimFunc(w, func(r rune) bool { return !alnumRune(r) })
		if strings.IndexFunc(word, func(r rune) bool { return !alnumRune(r) || text.Pairs(r) }) >= 0 {
			before = "" // code, or a script without spaces
			continue
		}
		if text.English(word) == stem && wanted(before) {
			return true
		}
		if before = word; text.Grammar(lang, word) || !strings.HasSuffix(w, word) {
			before = ""
		}
	}
	return false
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// sharedWords is shared for two titles.
func sharedWords(a, b string) float64 { return shared(wordsOf(a), wordsOf(b)) }

// shared is the part of the words of the shorter of two titles that the other has too.
func shared(x, y []string) float64 {
	if len(x) > len(y) {
		x, y = y, x
	}
	n := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return float64(n) / float64(max(len(x), 1))
}

// longPhrase is how many words two notes have in a row where one can only be the other after an
// edit; more tell no more.
const longPhrase = 8

// A wordNumber is the number of a word of a text, below it whether it counts for one word or, as a
// pair of ideographs, for half of one.
type wordNumber uint32

// inRow returns the numbers of words as they follow each other; the same word has the same
// number in all texts that are given the same map.
func inRow(words []string, known map[string]wordNumber) []wordNumber {
	out := make([]wordNumber, len(words))
	for i, w := range words {
		n, ok := known[w]
		if !ok {
			n = wordNumber(len(known)) << 1
			if r, _ := utf8.DecodeRuneInString(w); text.Pairs(r) {
				n |= 1
			}
			known[w] = n
		}
		out[i] = n
	}
	return out
}

// phrase is how long the longest run of words is that two texts have in common, as a part of
// longPhrase, at most 1. Of what is about two things, as two servers, the words agree, but not in
// a row.
func phrase(a, b []wordNumber) float64 {
	const whole = 2 * longPhrase
	most, row := 0, make([]int, len(b)+1)
	for _, w := range a {
		counts := 2 - int(w&1)
		for k := len(b); k > 0; k-- {
			if b[k-1] != w {
				row[k] = 0
				continue
			}
			row[k] = row[k-1] + counts
			most = max(most, row[k])
		}
		if most >= whole {
			return 1
		}
	}
	return float64(most) / whole
}
