package library

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/release"
)

// The texts that agents know from Context7, word for word.
const (
	NoLibraries = "No libraries found matching the provided name."
	NoLibrary   = "The library you are trying to access does not exist. Please try with a different library ID."
	NoSnippets  = "Documentation not found or not finalized for this library. This might have happened because you used an invalid Context7-compatible library ID. " +
		"To get a valid Context7-compatible library ID, use the 'resolve-library-id' with the package name you wish to retrieve documentation for."

	// Separator is between the snippets of an answer.
	Separator = "\n\n--------------------------------\n\n"
)

// LibrariesText returns the answer of resolve-library-id.
func LibrariesText(found []Library) string {
	if len(found) == 0 {
		return NoLibraries
	}
	entries := slice.Map(found, func(x Library) string { return x.entry() })
	return "Available Libraries:\n\n" + strings.Join(entries, "\n----------\n")
}

func (l *Library) entry() string {
	lines := []string{
		"- Title: " + oneLine(l.Title),
		"- Context7-compatible library ID: " + oneLine(l.ID),
		"- Description: " + oneLine(l.Description),
	}
	if l.Snippets >= 0 {
		lines = append(lines, "- Code Snippets: "+strconv.Itoa(l.Snippets))
	}
	lines = append(lines, "- Source Reputation: "+Reputation(l.Trust))
	if l.Benchmark > 0 {
		lines = append(lines, "- Benchmark Score: "+strconv.FormatFloat(l.Benchmark, 'f', -1, 64))
	}
	if len(l.Versions) > 0 {
		lines = append(lines, "- Versions: "+oneLine(strings.Join(l.Versions, ", ")))
	}
	if l.Source != "" {
		lines = append(lines, "- Source: "+oneLine(l.Source))
	}
	return strings.Join(lines, "\n")
}

// oneLine keeps a field from passing for others.
func oneLine(s string) string {
	if isASCII(s) && !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") {
		return strings.Trim(s, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}

// Reputation returns a trust in words: Unknown of one that nobody stated.
func Reputation(trust float64) string {
	switch {
	case trust >= 7:
		return "High"
	case trust >= 4:
		return "Medium"
	case trust > 0:
		return "Low"
	}
	return "Unknown"
}

// Text returns the snippet as query-docs shows it.
func (s *Snippet) Text() string {
	var b strings.Builder
	s.write(&b)
	return b.String()
}

func (s *Snippet) write(b *strings.Builder) {
	for _, part := range [...]string{"### ", oneLine(s.Title), "\n\n"} {
		b.WriteString(part)
	}
	if s.URL != "" {
		for _, part := range [...]string{"Source: ", oneLine(s.URL), "\n\n"} {
			b.WriteString(part)
		}
	}
	b.WriteString(inert(s.Content))
}

// minRule is how many dashes alone on a line may be taken for the separator of snippets.
const minRule = 24

// inert returns the content of a page so that nothing in it passes for the beginning of
// another snippet, with a source of its own: a line of dashes is as short as Markdown lets
// it be, and the word that names a source is escaped where a heading precedes it.
func inert(content string) string {
	if !strings.Contains(content, sourceWord) {
		plain := isASCII(content) && strings.Count(content, "-") < minRule
		if plain || !strings.ContainsFunc(content, dash) {
			return content
		}
	}
	var b strings.Builder
	headed := true // the line before, but for empty ones, is a heading: at first that of the snippet
	for len(content) > 0 {
		line, rest := content, ""
		if end := strings.IndexFunc(content, breaks); end >= 0 {
			_, n := utf8.DecodeRuneInString(content[end:])
			line, rest = content[:end], content[end+n:]
		}
		text := strings.TrimFunc(line, blank)
		switch {
		case rule(text):
			b.WriteString("---")
		case headed && strings.HasPrefix(text, sourceWord):
			b.WriteString(strings.Replace(line, ":", `\:`, 1))
		default:
			b.WriteString(line)
		}
		b.WriteString(content[len(line) : len(content)-len(rest)])
		if text != "" {
			headed = text[0] == '#'
		}
		content = rest
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const sourceWord = "Source:"

// rule reports whether a line is of dashes alone, and long.
func rule(line string) bool {
	n := 0
	for _, r := range line {
		switch {
		case dash(r):
			n++
		case !unicode.Is(unicode.Cf, r):
			return false
		}
	}
	return n >= minRule
}

func dash(r rune) bool {
	return r == '-' || r == '\u2212' || r > unicode.MaxASCII && unicode.Is(unicode.Pd, r)
}

// blank reports whether a rune shows nothing.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// breaks reports whether a rune ends a line, for one reader or another.
func breaks(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// Text returns the answer of query-docs.
func (a *DocsAnswer) Text() string {
	if len(a.Snippets) == 0 {
		return NoSnippets
	}
	n := 0
	for i := range a.Snippets {
		s := &a.Snippets[i]
		n += len(s.Title) + len(s.URL) + len(s.Content) + 2*len(Separator)
	}
	var b strings.Builder
	b.Grow(len(Unsure) + len(a.Note) + n)
	b.WriteString(a.Said())
	for i := range a.Snippets {
		s := &a.Snippets[i]
		if i > 0 {
			b.WriteString(Separator)
		}
		if s.Breakdown != nil {
			fmt.Fprintf(&b, "Score: %.3f\n%s\n", s.Score, rank.Explanation(s.Breakdown))
		}
		s.write(&b)
	}
	return b.String()
}

// maxRules is how much of an answer what the authors of a library ask of its users may take, in bytes.
const maxRules = 2 << 10

// Said is what stands above the snippets of an answer: its note, what the library's authors ask of its
// users, and that it is unsure.
func (a *DocsAnswer) Said() string {
	said := ""
	if a.Note != "" {
		said = a.Note + "\n\n"
	}
	rules := ""
	for _, rule := range a.Library.Rules {
		if rule = strings.Join(strings.Fields(rule), " "); rule != "" && len(rules)+len(rule) < maxRules {
			rules += "- " + rule + "\n"
		}
	}
	if rules != "" {
		said += "Rules of its authors:\n" + rules + "\n"
	}
	if a.Unsure() {
		said += Unsure + "\n\n"
	}
	return said
}

// Unsure is what an answer says in which nothing surely answers.
const Unsure = "Note: nothing here surely answers the question. The nearest:"

// Unsure reports whether the best snippet, where it has a score, may be about something else. The declaration that a question names
// is about it, and so is a snippet that is near to it in meaning.
func (a *DocsAnswer) Unsure() bool {
	if len(a.Snippets) == 0 {
		return false
	}
	first := &a.Snippets[0]
	return !first.Named && !first.Near && first.Score > 0 && first.Score < rank.Sure
}

// ErrorText returns what query-docs says of an error of Query, and whether it is
// one that its caller can do something about.
func ErrorText(err error) (string, bool) {
	switch {
	case errors.Is(err, errNoLibrary):
		return NoLibrary, true
	case errors.Is(err, errNoVersion):
		if e, ok := errors.AsType[*fault.Error](err); ok {
			return e.Msg, true
		}
	}
	return "", false
}

// IsNoLibrary reports whether err says that there is no such library, and
// IsNoVersion that it has no version that will do.
func IsNoLibrary(err error) bool { return errors.Is(err, errNoLibrary) }

// IsNoVersion: see IsNoLibrary.
func IsNoVersion(err error) bool { return errors.Is(err, errNoVersion) }

var (
	errNoLibrary = errors.New("not in this file")
	errNoVersion = errors.New("not in this file")
)

func noLibrary(id string) error {
	return fault.New(fault.NotFound, "no library %s", id).Because(errNoLibrary).Or("see assay docs list, or look for its name with assay docs resolve")
}

func noVersion(id, version string, labels []string) error {
	if len(labels) == 0 {
		return noLibrary(id)
	}
	release.NewestFirst(labels)
	return fault.New(fault.NotFound, "no version %s of %s (there are %s)", version, id, strings.Join(labels, ", ")).Because(errNoVersion).
		Or("ask for one of %s", strings.Join(labels, ", "))
}
