package text

import "strings"

// porter returns the same stem of a word as FTS5's tokenizer of that name: M. F. Porter, An algorithm for suffix stripping,
// 1980. A character other than a to z counts as a consonant.
func porter(word string) string {
	if len(word) < 3 || len(word) > 64 {
		return word
	}
	return step5(replaceSuffix(replaceSuffix(replaceSuffix(step1(word), step2, 0), step3, 0), step4, 1))
}

// English returns the stem of a word from a to z as porter has it; others are their
// own stems.
func English(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return porter(word)
}

// consonant reports whether the letter at i is one; y is after a vowel.
func consonant(w string, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts the changes from vowels to consonants.
func measure(w string) (m int) {
	before := true
	for i := range len(w) {
		c := consonant(w, i)
		if c && !before {
			m++
		}
		before = c
	}
	return m
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func double(w string) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// cvc reports whether w ends as "hop" does, to which an e belongs.
func cvc(w string) bool {
	n := len(w)
	return n >= 3 && consonant(w, n-3) && !consonant(w, n-2) && consonant(w, n-1) && strings.IndexByte("wxy", w[n-1]) < 0
}

func step1(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "sses"), len(w) > 3 && strings.HasSuffix(w, "ies"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		w = w[:len(w)-1]
	}
	if len(w) > 3 && strings.HasSuffix(w, "eed") {
		if measure(w[:len(w)-3]) > 0 {
			w = w[:len(w)-1]
		}
	} else if stem, ok := cutEither(w, "ed", "ing"); ok && hasVowel(stem) {
		w = stem
		switch {
		case strings.HasSuffix(w, "at"), strings.HasSuffix(w, "bl"), strings.HasSuffix(w, "iz"):
			w += "e"
		case double(w) && strings.IndexByte("lsz", w[len(w)-1]) < 0:
			w = w[:len(w)-1]
		case measure(w) == 1 && cvc(w):
			w += "e"
		}
	}
	if stem, ok := strings.CutSuffix(w, "y"); ok && hasVowel(stem) {
		w = stem + "i"
	}
	return w
}

func cutEither(w, a, b string) (string, bool) {
	if s, ok := strings.CutSuffix(w, a); ok {
		return s, true
	}
	return strings.CutSuffix(w, b)
}

type rule struct{ from, to string }

// The rules of each step: the first that fits is the only one tried.
var step2 = []rule{{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"logi", "log"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
	{"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}}

var step3 = []rule{{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""}}

var step4 = []rule{{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""}, {"ement", ""},
	{"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""}}

// replaceSuffix replaces the ending of w if more than least measures are before it.
func replaceSuffix(w string, rules []rule, least int) string {
	for _, r := range rules {
		stem, ok := strings.CutSuffix(w, r.from)
		if !ok {
			continue
		}
		if measure(stem) > least && (r.from != "ion" || strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "t")) {
			return stem + r.to
		}
		return w
	}
	return w
}

func step5(w string) string {
	if stem, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(stem); m > 1 || m == 1 && !cvc(stem) {
			w = stem
		}
	}
	if strings.HasSuffix(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}
