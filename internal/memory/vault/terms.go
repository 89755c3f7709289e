package vault

import (
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
)

// A stemmer remembers the stems of forms. It is for one goroutine.
type stemmer = text.Vocabulary[string]

func newStemmer() *stemmer {
	return text.NewVocabulary(func(form []byte) string { return text.English(string(form)) })
}

func alnumRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
