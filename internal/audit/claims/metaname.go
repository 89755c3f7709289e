package claims

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	// metaWord is a word that stands for any other wherever a name has it. "bar" is none,
	// as programs have status bars: it counts only at the beginning.
	metaWord = lazy.Regexp(`^(?:foo+|baz+|qux|quux|corge|grault|foobar|barfoo|xyz+y?|xxx+|yyy+|zzz+|blah|lorem|ipsum|whatever|asdf|qwerty)\d*$`)
	// metaHead begins a name that its reader is to choose.
	metaHead = lazy.Regexp(`^(?:my|your|bar|acme|dummy|mycorp|myapp|yourapp)\d*$`)
	// metaKind is what kind of thing a name would be of: with a letter or a number, or behind
	// "some" or "any", it is the name of nothing.
	metaKind = lazy.Regexp(`^(?:functions?|func|fn|methods?|class(?:es)?|types?|modules?|packages?|files?|options?|flags?|arg|args|argument|param|parameter|values?|keys?|names?|variables?|var|services?|components?|commands?|things?|items?|tasks?|jobs?|fields?|property|plugins?|objects?|struct|interface|enum|trait|macro|library|lib|program|api|endpoint|call)$`)
	// metaOwner is who a name is of that its reader is to choose, where it follows other words.
	metaOwner = lazy.Regexp(`(?i)(?:^|[_-])(?:my|your)(?:[_-]|$)`)
	metaTail  = lazy.Regexp(`^(?:[abcnxyz]|\d+)$`)
)

// standsForAny reports whether a name is one that documents give to what is only shown, as
// `myFunction`, `fooBar`, `queryXyz`, `client.yourMethod` or `functionA`: its reader is to
// put another in its place. Whoever has it in the code means it, so ask that first.
func standsForAny(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
	for _, part := range parts {
		if metaOwner.MatchString(part) {
			return true
		}
		words := subwords(strings.TrimLeft(part, "-_") + "_")
		if len(words) == 0 {
			continue
		}
		if slices.ContainsFunc(words, metaWord.MatchString) || metaHead.MatchString(words[0]) && (len(words) > 1 || words[0] != "bar") {
			return true
		}
		first, last := words[0], words[len(words)-1]
		if len(words) == 2 && ((first == "some" || first == "any") && metaKind.MatchString(last) || metaKind.MatchString(first) && metaTail.MatchString(last)) {
			return true
		}
		if kind := strings.TrimRight(last, "0123456789"); len(words) == 1 && kind != last && metaKind.MatchString(kind) {
			return true
		}
	}
	return false
}
