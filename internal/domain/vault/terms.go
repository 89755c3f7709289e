package vault

import (
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
)

// spell returns s as the index is given it: the forms of its words, separated by
// blanks.
func spell(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	var buf []string
	text.Words([]byte(s), func(w []byte) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if !text.Compound(w) {
			if c := w[0]; c <= 'Z' {
				b.WriteByte(c | 0x20)
				w = w[1:]
			}
			b.Write(w)
			return
		}
		buf = text.Forms().Terms(buf[:0], w)
		for i, f := range buf {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(f)
		}
	})
	return b.String()
}

// A stemmer remembers the stems of forms. It is for one goroutine.
type stemmer = text.Vocabulary[string]

func newStemmer() *stemmer {
	return text.NewVocabulary(func(form []byte) string { return text.English(string(form)) })
}

func alnumRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
