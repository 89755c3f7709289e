package claims

import (
	"context"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/work"
)

// Features returns what the documents of the tree promise, each once, and what was taken for no promise.
func (a *Auditor) Features() (features []Feature, left []Left) {
	docs := a.Tree.Docs
	type read struct {
		features []Feature
		left     []Left
	}
	pages := make([]read, len(docs))
	work.Each(context.Background(), len(docs), 1, func() func(int) {
		return func(i int) {
			d := &docs[i]
			if d.Flags&corpus.Example != 0 || instructive.MatchString(d.Path) || isTranslation(d) {
				return
			}
			page := blocks(string(d.Text))
			for j := range page {
				f, l := statements(d.Path, &page[j])
				for k := range f {
					f[k].loose = !isCommitment(&f[k])
				}
				pages[i].features, pages[i].left = append(pages[i].features, f...), append(pages[i].left, l...)
			}
		}
	})
	for i := range pages {
		features, left = append(features, pages[i].features...), append(left, pages[i].left...)
	}
	return Merge(features), left
}

var (
	specification = lazy.Regexp(`(?i)(^|/)(\d+[-_.])?(prd|sdd|srs|features?|functional[\w-]*|requirements?|specification|spec|design|architecture|inventory)\b[^/]*$`)
	featureTitle  = lazy.Regexp(`(?i)\b(features?|capabilit\w+|functionality|requirements?|what it does|highlights)\b`)
)

// isCommitment reports whether a statement promises behaviour in a form that is made for that: a requirement, a story, an
// item of a checklist, or a line of a specification or of a section of features. Other sentences may speak of anything.
func isCommitment(f *Feature) bool {
	switch f.Kind {
	case Requirement, Story, Checklist:
		return true
	case Prose, Heading:
		return specification.MatchString(f.Path)
	}
	return specification.MatchString(f.Path) || featureTitle.MatchString(f.Section)
}

// isTranslation reports whether a document translates another: its promises are those of the original.
func isTranslation(d *Source) bool {
	return localized.MatchString(d.Path) || foreignLetters(string(d.Text[:min(len(d.Text), 1<<16)])) > .15
}

// foreignLetters is the share of the letters of a text that are of scripts other than Latin.
func foreignLetters(s string) float64 {
	n, foreign := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
			if r >= 0x370 {
				foreign++
			}
		}
	}
	return float64(foreign) / float64(max(n, 1))
}

// localized is a path that says in which language its document is, other than English.
var localized = lazy.Regexp(`(?i)(?:^|[/._-])(?:zh|ja|ko|fr|de|es|pt|it|ru|uk|pl|tr|vi|id|fa|ar|he|nl|cs|hu|ro|sv|th|hi|bn)(?:[-_](?:[a-z]{2}|hans|hant))?(?:/|\.(?:md|mdx|rst|adoc|txt)$)|(?:^|[/._-])(?:chinese|japanese|korean|french|german|spanish|portuguese|russian)\b`)

var (
	dottedName = lazy.Regexp(`^[.#@:]?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*[!?]?$`)
	notOfNow   = lazy.Regexp(`(?i)\b(changelog|history|removals?|migrat\w*|upgrad\w*|release notes|what'?s new|alternatives?|comparison|compared|credits?|acknowledge?ments?|related|see also|contribut\w*|development|develop|building|build from|compil\w+|licen[cs]e|sponsors?|other (?:programs|tools)|third[- ]party|roadmap|deprecat\w*|removed|legacy|obsolete|future|planned|unsupported|limitations|faq|similar|inspir\w*|discontinued|backlog)\b`)
	// manifests are files that say what a project is called and what it needs.
	manifests = lazy.Regexp(`(?i)(^|/)(package\.json|Cargo\.toml|pyproject\.toml|setup\.(py|cfg)|requirements[\w./-]*\.txt|go\.mod|Gemfile|[\w-]+\.gemspec|composer\.json|pom\.xml|build\.gradle(\.kts)?|[\w.-]+\.csproj|[\w-]+\.cabal|mix\.exs)$`)
)

// foldName returns a name in small letters without the separators that different places write differently.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("_-.$!?", r):
			return -1
		case isUpper(r):
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// hasSeveralWords reports whether a name is made of several words, as no word of prose is: snake_case, camelCase, HTTPServer.
func hasSeveralWords(name string) bool {
	letters := []rune(name)
	seenLower := false
	for i, r := range letters {
		isFirst, isLast := i == 0, i == len(letters)-1
		switch {
		case r == '_' && !isFirst && !isLast:
			return true
		case isLower(r):
			seenLower = true
		case isUpper(r) && (seenLower || !isFirst && !isLast && isLower(letters[i+1])):
			return true
		}
	}
	return false
}

func isLower(r rune) bool { return r >= 'a' && r <= 'z' }

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
