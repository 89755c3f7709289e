package syntax

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed traits.txt
var traitsText string

// traitWords are those of a property in a language.
type traitWords struct {
	list []string
	set  map[string]bool
}

// traits are the words of each property by language; a language that only has the property has none.
var traits = sync.OnceValue(func() map[string]map[string]traitWords {
	out := map[string]map[string]traitWords{}
	for line := range strings.Lines(traitsText) {
		head, rest, _ := strings.Cut(line, " = ")
		property := strings.Fields(head)
		if len(property) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if out[property[0]] == nil {
			out[property[0]] = map[string]traitWords{}
		}
		for _, language := range property[1:] {
			of := out[property[0]][language]
			if of.set == nil {
				of.set = map[string]bool{}
			}
			for _, w := range strings.Fields(rest) {
				of.list, of.set[w] = append(of.list, w), true
			}
			out[property[0]][language] = of
		}
	}
	return out
})

// Has reports whether a language or a family of languages has a property of traits.txt.
func Has(language, property string) bool { return traits()[property][language].set != nil }

// Words returns the words of a property of traits.txt in a language.
func Words(language, property string) []string { return traits()[property][language].list }

// Keys returns the languages, or other keys, that have a property of traits.txt, in order.
func Keys(property string) []string { return slices.Sorted(maps.Keys(traits()[property])) }

// Listing returns the language, or other key, whose words of a property have one; "" if there is none.
func Listing(property, word string) string {
	for language, of := range traits()[property] {
		if of.set[word] {
			return language
		}
	}
	return ""
}

// Lists reports whether a word is one of those of a property in a language.
func Lists(language, property, word string) bool { return traits()[property][language].set[word] }
