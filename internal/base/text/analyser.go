package text

import (
	"unicode"
	"unicode/utf8"
)

// An Analyser says how a corpus makes terms of its words. Documents and the questions
// about them must be given to the same one.
type Analyser struct {
	// Marks says that letters keep their marks: in code, "größe" and "grosse" may be two
	// names.
	Marks bool
	// Stem returns the stem of a folded word. Nil leaves words as they are, for those
	// who need the forms and make stems of them.
	Stem func(word string) string
	// The stop words of each corpus.
	stops *stopList
}

// Code returns how source code is indexed.
func Code() *Analyser { return &code }

// Prose returns how documentation is indexed.
func Prose() *Analyser { return &prose }

// Modules returns how modules of an API are indexed.
func Modules() *Analyser { return &modules }

// Forms returns the analyser of notes. It keeps the forms of words, because the index and the queries of notes stem them by
// language; Grammar has their stop words.
func Forms() *Analyser { return &forms }

var (
	code    = Analyser{Marks: true, Stem: Stem, stops: stops("english", "inCode", "ofCode")}
	prose   = Analyser{Stem: English, stops: stops("english", "inProse")}
	modules = Analyser{Stem: English, stops: stops("english", "inCode")}
	forms   = Analyser{stops: stops()}
)

// Terms appends to dst the terms of one word as Words yields it: the stem of the folded
// word; or, of one made of several parts (camelCase, snake_case, letters and digits),
// first the whole, folded and without underscores, and then the stems of its parts, but
// for those of one character.
func (a *Analyser) Terms(dst []string, word []byte) []string {
	w := string(word)
	whole := a.fold(w)
	if whole == "" {
		return dst
	}
	if !Compound(word) {
		return append(dst, a.stem(whole))
	}
	parts, first := 0, len(dst)
	eachPart(w, func(part string) {
		if parts++; parts == 1 {
			dst = append(dst, whole)
		}
		if part = a.stem(a.fold(part)); part != whole && utf8.RuneCountInString(part) > 1 {
			dst = append(dst, part)
		}
	})
	if parts <= 1 {
		return append(dst[:first], a.stem(whole))
	}
	return dst
}

func (a *Analyser) stem(folded string) string {
	if a.Stem == nil {
		return folded
	}
	return a.Stem(folded)
}

// fold returns a word in lower case without underscores, and without the marks of its
// letters where the analyser has it so.
func (a *Analyser) fold(word string) string {
	var low [maxWord]byte
	same := true
	for i := range len(word) {
		k := class[word[i]]
		if k == wide || i == len(low) {
			return toLower(word, !a.Marks, true)
		}
		low[i] = word[i]
		if k == upper {
			low[i] |= 0x20
		}
		same = same && k != upper && k != under
	}
	if same {
		return word
	}
	n := 0
	for _, c := range low[:len(word)] {
		if c != '_' {
			low[n] = c
			n++
		}
	}
	return string(low[:n])
}

// Exact returns the term of a declared name in its exact form, which no word of a
// text has: the first 64 bytes of the name behind an equals sign.
func Exact(name string) string { return string(AppendExact(nil, name)) }

// AppendExact appends the result of Exact to dst.
func AppendExact(dst []byte, name string) []byte {
	return append(append(dst, '='), name[:min(len(name), maxWord)]...)
}

// Compound reports whether a word, as Words yields it, may have several parts, or is not
// of the letters a to z alone.
func Compound(word []byte) bool {
	for i, c := range word {
		if k := class[c]; k != lower && (k != upper || i > 0) {
			return true
		}
	}
	return false
}

// Parts returns the parts of a word: "getURLPath_v2" is get, URL, Path, v, 2.
func Parts(word string) (parts []string) {
	eachPart(word, func(part string) { parts = append(parts, part) })
	return parts
}

// eachPart calls yield with the parts of a word. A string that is too long for a word is one part.
func eachPart(word string, yield func(part string)) {
	if len(word) > maxWord {
		yield(word)
		return
	}
	start, last, at := 0, uint8(under), 0 // the class of the letter before, and where it is
	end := func(i int) {
		if i > start {
			yield(word[start:i])
		}
		start = i
	}
	var size int // of the character at i, in bytes
	for i := 0; i < len(word); i += size {
		k := class[word[i]]
		if size = 1; k == wide {
			if k, size = classOf(word[i:]); k == joined {
				if i == start {
					start += size // it goes with its letter, and begins nothing
				}
				continue
			}
		}
		switch {
		case k == under:
			end(i)
			start = i + 1
		case i == start:
		case k <= lower && last == upper && at > start:
			end(at) // HTTPServer: the last capital begins the next part
		case k == upper && last != upper, (k == digit) != (last == digit):
			end(i)
		}
		last, at = k, i
	}
	end(len(word))
}

// classOf returns the class of the first character of s, and its bytes.
func classOf(s string) (class uint8, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsMark(r):
		return joined, size
	case unicode.IsUpper(r):
		return upper, size
	case unicode.IsDigit(r):
		return digit, size
	}
	return lower, size
}
