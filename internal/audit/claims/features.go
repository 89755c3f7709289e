package claims

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Left is a piece of a document that was taken for no promise.
type Left struct {
	Place
	Text string `json:"text"`
	Why  string `json:"why"`
}

// statements returns what a block promises, or why it promises nothing.
func statements(path string, b *block) (features []Feature, left []Left) {
	if b.kind == Fenced {
		return nil, nil
	}
	got, why := promises(b)
	for _, f := range got {
		f.Place = Place{path, b.line}
		f.Section = strings.Join(b.section, " › ")
		features = append(features, f)
	}
	if len(got) == 0 && why != "" {
		left = append(left, Left{Place{path, b.line}, short(b.text), why})
	}
	return features, left
}

var (
	ident  = lazy.Regexp(`^[\W_]*((?:N?FR|REQ|UC|US|AC|SR|BR|R)-?\d+(?:[.-]\d+)*)\b[\s:.)\]*_—–-]*`)
	asA    = lazy.Regexp(`(?i)^\W*(?:[\w .-]{1,30}:\W*)?as an? [^,.]{2,60}?,? (?:i|we) (?:want|need|would like|can|should be able)(?: to)? (.+)`)
	soThat = lazy.Regexp(`(?i)[,;.]?\s+(?:so that|in order to)\b.*$`)
	strong = lazy.Regexp(`^\s*\*\*(.+?)\*\*\s*[:.—–-]*\s*`)

	offers  = lazy.Regexp(`(?i)\b(features?|requirements?|functional|capabilit\w+|functionality|commands?|options?|flags?|endpoints?|api|routes?|settings?|configuration|user stories|acceptance|what it does|highlights|overview|usage|methods?|functions?|supported)\b`)
	verbs   = lazy.Regexp(`(?i)\b(supports?|provides?|allows?|lets? (?:you|users?)|you can|users? can|can be|enables?|offers?|handles?|implements?|automatically|must|shall|will|generates?|exports?|imports?|detects?|validates?|parses?|converts?|stores?|caches?|sends?|returns?|encrypts?|logs?|creates?|includes?|comes with|exposes?|adds?|performs?|writes?|reads?)\b`)
	promise = lazy.Regexp(`(?i)\b(supports?|provides?|allows? (?:you|users?) to|lets (?:you|users?)|enables? (?:you|users?) to|offers?|implements?|automatically|shall|comes with|is able to|exposes)\b`)
	titles  = lazy.Regexp(`(?i)\b(feature|command|option|flag|function|method|name|endpoint|route|setting|variable|requirement|id|key|parameter|capability|description|api|rule|story)s?\b`)
	codeish = lazy.Regexp("`([^`]+)`")
	renamed = lazy.Regexp("(?i)`\\s*(->|=>|→)\\s*`|\\brenames?d?\\b")
	onlyURL = lazy.Regexp(`^\W*(https?://\S+|www\.\S+)\W*$`)
)

// promises returns the features of a block, or why there are none.
func promises(b *block) ([]Feature, string) {
	text := b.text
	id := ""
	if m := ident.FindStringSubmatch(text); m != nil {
		id, text = m[1], strings.TrimSpace(text[len(m[0]):])
		text = strings.Replace(text, "**", "", 1) // the other end of a strong id
	}
	switch {
	case onlyURL.MatchString(text):
		return nil, ""
	case strings.Contains(text, "?") && id == "" && b.kind != Checklist && b.kind != Prose:
		return nil, "it asks"
	case b.kind == Bullet && advice.MatchString(text) && id == "" && !asA.MatchString(text):
		return nil, "it is advice"
	case renamed.MatchString(text):
		return nil, "it says what was renamed"
	case b.away && id == "":
		return nil, "it speaks of another project"
	case negated.MatchString(text), crossed(b):
		return nil, "it says that this is not there"
	case id == "":
		if why := nothing(b, text); why != "" {
			return nil, why
		}
	}
	kind := b.kind
	var out []string
	switch m := asA.FindStringSubmatch(text); {
	case m != nil:
		kind, out = Story, []string{soThat.ReplaceAllString(m[1], "")}
	case id != "":
		kind, out = Requirement, []string{text}
	default:
		out = wanted(b, text)
	}
	var features []Feature
	for _, t := range out {
		t = strings.Trim(emphasis.ReplaceAllString(t, ""), " .;:,")
		if words := wordsOf(t); len(words) >= least(kind, t) {
			features = append(features, Feature{ID: id, Kind: kind, Text: t, words: words})
		}
	}
	if len(features) == 0 {
		return nil, "too few words of its own to look for"
	}
	return features, ""
}

// least is how many words of its own a text needs to be looked for.
func least(kind Kind, text string) int {
	switch {
	case kind != Prose && (codeish.MatchString(text) || strings.HasPrefix(strings.TrimLeft(text, "#. "), called.FindString(text)) && called.MatchString(text)):
		return 1
	case kind == Heading, kind == Prose:
		return 3
	}
	return 2
}

// wanted returns the words of a block that may promise something.
func wanted(b *block, text string) []string {
	under := b.under.offered
	switch b.kind {
	case Heading:
		// A heading is a promise where a document lists them; elsewhere it is a title.
		if !under && !codeish.MatchString(text) || aside.MatchString(text) || offers.MatchString(text) && !codeish.MatchString(text) {
			return nil
		}
		return []string{text}
	case Checklist:
		return []string{text}
	case Bullet:
		// Numbered items are steps, but for those that are named or under features.
		if b.step && !under && !strong.MatchString(text) {
			return nil
		}
		if strong.MatchString(text) || under || verbs.MatchString(text) || codeish.MatchString(text) {
			return []string{firstSentence(text)}
		}
	case Row:
		if len(b.cells) == 0 || !slices.ContainsFunc(b.header, titles.MatchString) {
			return nil
		}
		return []string{strings.Join(b.cells[:min(len(b.cells), 3)], " — ")}
	case Prose:
		var out []string
		for _, s := range sentences(text) {
			if negated.MatchString(s) || advice.MatchString(s) || len(s) > 300 || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "?") {
				continue
			}
			// What is promised stands behind the word that promises.
			if at := promise.FindStringIndex(s); at != nil && at[0] < 60 && ours(s[:at[0]], b.section) && !quality.MatchString(s[at[1]:]) {
				out = append(out, s[at[1]:])
			}
		}
		return out
	}
	return nil
}

// sentences cuts prose; a full stop inside of code or a name ends none.
func sentences(text string) []string {
	var out []string
	start := 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '`':
			quoted = !quoted
		case c == '.' && shortened.MatchString(text[max(0, i-6):i+1]):
		case !quoted && (c == '.' || c == '!' || c == '?') && i+2 < len(text) && text[i+1] == ' ' && (text[i+2] >= 'A' && text[i+2] <= 'Z' || text[i+2] == '`'):
			out = append(out, strings.TrimSpace(text[start:i+1]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// shortened is what ends in a point and goes on: "e.g. `name`".
var shortened = lazy.Regexp(`(?i)(?:^|[^\w.])(?:e\.g|i\.e|etc|cf|vs|resp|approx|incl|esp)\.$`)

func firstSentence(text string) string {
	s := sentences(text)
	// The strong words of an item are its name and belong to what follows.
	if len(s) > 1 && strong.ReplaceAllString(s[0], "") == "" {
		return s[0] + " " + s[1]
	}
	return s[0]
}

func short(s string) string { return text.OneLine(s, 100) }

// Merge makes one feature of those that promise the same in the same words.
func Merge(features []Feature) []Feature {
	seen := map[string]int{}
	var out []Feature
	for _, f := range features {
		var key string
		if f.Name != "" {
			key = f.Sort + " " + f.Name
		} else {
			words := termsOf(f.said())
			slices.Sort(words)
			key = strings.Join(slices.Compact(words), " ")
		}
		if f.ID != "" {
			key = f.ID + " " + key
		}
		if i, ok := seen[key]; ok {
			out[i].Also = append(out[i].Also, f.Place)
			continue
		}
		seen[key] = len(out)
		out = append(out, f)
	}
	return out
}
