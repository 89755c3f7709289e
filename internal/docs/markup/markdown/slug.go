package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	// {#id}, {: #id .class }, [](){ #id } at the end of a heading.
	customID = lazy.Regexp(`[ \t]*\\?\{:?[ \t]*(?:[^{}\n]*[ \t])?#([^\s{}]+)[^{}\n]*\}[ \t]*#*[ \t]*$`)
	attrTail = lazy.Regexp(`[ \t]*\{:?[ \t]*[.#][^{}\n]*\}[ \t]*$`)
	jsxID    = lazy.Regexp(`[ \t]*\{/\*[ \t]*([^\s*{}]+)[ \t]*\*/\}[ \t]*$`)
)

// slug returns GitHub's anchor of a heading: small letters, digits, hyphens and
// underscores of its words, hyphens for spaces, and a number where it has been there.
func (w *walker) slug(words string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(words) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r) || r == '_' || r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	s := b.String()
	n, seen := w.slugs[s]
	w.slugs[s] = n + 1
	if seen {
		s += "-" + strconv.Itoa(n)
		w.slugs[s]++
	}
	return s
}
