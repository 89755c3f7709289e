package syntax

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed traits.txt
var traitsText string

// traits are the words of each property by language; a language that only has the property has none.
var traits = sync.OnceValue(func() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for line := range strings.Lines(traitsText) {
		head, words, isList := strings.Cut(line, " = ")
		property := strings.Fields(head)
		if len(property) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		of := out[property[0]]
		if of == nil {
			of = map[string][]string{}
			out[property[0]] = of
		}
		for _, language := range property[1:] {
			if of[language] = append(of[language], strings.Fields(words)...); !isList {
				of[language] = []string{}
			}
		}
	}
	return out
})

// Has reports whether a language or a family of languages has a property of traits.txt.
func Has(language, property string) bool { return traits()[property][language] != nil }

// Words returns the words of a property of traits.txt in a language.
func Words(language, property string) []string { return traits()[property][language] }

// Listing returns the language, or other key, whose words of a property have one; "" if there is none.
func Listing(property, word string) string {
	for language, words := range traits()[property] {
		if slices.Contains(words, word) {
			return language
		}
	}
	return ""
}

// Lists reports whether a word is one of those of a property in a language.
func Lists(language, property, word string) bool {
	return slices.Contains(traits()[property][language], word)
}
