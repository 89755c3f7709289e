package main

import (
	"slices"
	"strings"
	"unicode"
)

// stopwords are left out of the comparison: words that are in any text and say
// nothing about its subject.
var stopwords = wordSet(`a about after again all also always am an and any are as at be because been before being
but by can cannot could did do does doing done don't each either else even ever every for from get gets go going got had
has have having he her here him his how i if in into is it its itself just let like many may me might more most much must
my myself need never no nor not of off on once one only or other our out over own per same shall she should since so some
still such than that the their them then there these they thing this those though through to too under until up upon us
use used using very want was way we were what when where whether which while who whom whose why will with within without
would yes yet you your
aber alle als am an auch auf aus bei beim bin bis da damit darf das dass dem den der des die dies dieser doch dort du durch
ein eine einem einen einer eines er es etwas für habe haben hat hier ich ihm ihn ihr im in ist ja kann kein keine man mein
meine mich mir mit muss nach nicht nie noch nur ob oder ohne schon sein seit sich sie sind so soll um und uns vom von vor
wann warum was weil wenn wer werden wie wieder wir wird wo zu zum zur zwischen über`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// stemLength is short, so that more words count as the same than a reader would
// say: contract, contracts and contractor are one, expire and expiry too.
const stemLength = 5

// contentWords returns the stems of a text's words that are no stopwords, each
// once, in order. Of Japanese it returns the pairs of neighbours among characters
// that are not hiragana: words are not separated there, and hiragana is grammar.
func contentWords(text string) []string {
	var out []string
	add := func(w string) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != 'ー'
	}) {
		w = strings.TrimSuffix(strings.Trim(w, "'"), "'s")
		if w == "" || stopwords[w] {
			continue
		}
		if strings.IndexFunc(w, japanese) < 0 {
			add(stem(w))
			continue
		}
		for _, run := range strings.FieldsFunc(w, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) {
			rs := []rune(run)
			for i := range max(1, len(rs)-1) {
				add(string(rs[i:min(i+2, len(rs))]))
			}
		}
	}
	return out
}

func japanese(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func stem(w string) string {
	rs := []rune(w)
	if len(rs) > 3 && rs[len(rs)-1] == 's' {
		rs = rs[:len(rs)-1]
	}
	return string(rs[:min(len(rs), stemLength)])
}

// How large a part of a question's content words its answer may have: a note, and
// a section of documentation, which is longer, so that it has more words by chance.
const (
	maxShared     = 1.0 / 3
	maxSharedDocs = 1.0 / 2
)

// shared returns how large a part of a question's content words, of 0 to 1, is in
// the text, and which those are. A question without content words shares nothing.
func shared(question, text string) (float64, []string) {
	ws := contentWords(question)
	if len(ws) == 0 {
		return 0, nil
	}
	there := map[string]bool{}
	for _, w := range contentWords(text) {
		there[w] = true
	}
	var both []string
	for _, w := range ws {
		if there[w] {
			both = append(both, w)
		}
	}
	return float64(len(both)) / float64(len(ws)), both
}
