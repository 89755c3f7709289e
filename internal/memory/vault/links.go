package vault

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A link is what a note has to do with something else: a tag, a name of its own, or
// another note.
type link struct {
	line   int    // 0: of front matter
	kind   string // linkTag, linkAlias, linkTo, or the name of a relation
	target string // a tag without #, or a note as it was written
}

// The kinds of links that are no relations.
const (
	linkTag    = "#"
	linkAlias  = "="
	linkTo     = "links to"
	linkTopic  = "topic"
	supersedes = "supersedes"
	succeeded  = "superseded by"
)

// The bounds of what is taken from a note.
const (
	maxLinks = 1000
	maxName  = 200 // bytes
)

var (
	wikilink  = lazy.Regexp(`!?\[\[([^\[\]\n|#^]{1,200})(?:[#^][^\[\]\n|]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]`)
	pathlink  = lazy.Regexp(`\]\(<?([^()<>\s]{1,200}\.(?:md|markdown|mdx))(?:#[^()\s]{0,200})?>?(?: "[^"]*")?\)`)
	relation  = lazy.Regexp(`^\s*(?:[-*+] +)?\(?([\pL_][\pL\pN_ -]{0,40}?)(?::: *| +)\[\[([^\[\]\n|#^]{1,200})`)
	inlineTag = lazy.Regexp(`(?:^|[\s(,;])#([\pL\pN_/-]{1,100})`)
	codeSpan  = lazy.Regexp("`[^`]*`")
	// The status of a decision record: a line that begins so, with a link to the other one.
	status = lazy.Regexp(`(?i)^[^\pL\[]*(?:status[^\pL\[]+)?(?:(?:is|was|has been)\s+)?(?:(super[sc]eded|replaced|obsoleted)\s+by|(super[sc]edes|replaces|obsoletes))\b[^\[]{0,40}\[`)
)

// linksIn returns the tags and links in the lines of a note, of which the first is
// numbered from; code has none.
func linksIn(lines []string, from int) (out []link) {
	add := func(l link) {
		if l.target != "" && len(out) < maxLinks && !slices.ContainsFunc(out, func(o link) bool { return o.kind == l.kind && o.target == l.target }) {
			out = append(out, l)
		}
	}
	var code fence
	for i, l := range lines {
		if code.has(l) || !strings.ContainsAny(l, "[#") {
			continue
		}
		changes := ""
		if m := status.FindStringSubmatch(l[:min(len(l), 200)]); m != nil {
			if changes = supersedes; m[1] != "" {
				changes = succeeded
			}
		}
		l = codeSpan.ReplaceAllString(l[:min(len(l), 8<<10)], " ")
		named := relation.FindStringSubmatch(l)
		for k, m := range wikilink.FindAllStringSubmatch(l, 100) {
			kind := linkTo
			if k == 0 && named != nil && (strings.Contains(l, "::") || strings.HasPrefix(strings.TrimSpace(l), "- ") && strings.HasSuffix(strings.TrimSpace(l), "]]")) {
				kind = relationName(named[1])
			}
			if changes != "" {
				add(link{from + i, changes, nameOf(m[1])})
			}
			add(link{from + i, kind, strings.TrimSpace(m[1])})
		}
		for _, m := range pathlink.FindAllStringSubmatch(l, 100) {
			if target, err := url.PathUnescape(m[1]); err == nil && !strings.Contains(target, "://") {
				if changes != "" {
					add(link{from + i, changes, "./" + target})
				}
				add(link{from + i, linkTo, target})
			}
		}
		for _, m := range inlineTag.FindAllStringSubmatch(l, 100) {
			add(link{from + i, linkTag, tagOf(m[1])})
		}
	}
	return out
}

// relationName makes one of the ways to write the name of a relation.
func relationName(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(s))), " ")
}

// relations returns the notes that front matter names: what a note supersedes, and
// every value that is a wikilink, under the name of its key.
func relations(m map[string]any) (out []link) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		for _, v := range listed(m[k]) {
			v = strings.TrimSpace(v)
			inner := wikilink.FindStringSubmatch(v)
			switch {
			case inner != nil && len(inner[0]) == len(v):
				out = append(out, link{kind: relationName(k), target: strings.TrimSpace(inner[1])})
			case k == supersedes && v != "":
				out = append(out, link{kind: supersedes, target: v[:min(len(v), 1000)]})
			case relationName(k) == succeeded && v != "":
				out = append(out, link{kind: succeeded, target: v[:min(len(v), 1000)]})
			case k == conflictsKey && v != "":
				out = append(out, link{kind: conflictsWith, target: v[:min(len(v), 1000)]})
			}
		}
	}
	return out
}

// tagOf returns a tag in the form in which it is compared: without #, folded. What is a
// number is none.
func tagOf(s string) string {
	s = strings.Trim(strings.TrimPrefix(strings.TrimSpace(text.Fold(s)), "#"), "/-")
	if len(s) > maxName || strings.Trim(s, "0123456789") == "" {
		return ""
	}
	return s
}

// topicOf returns a topic, or a title that stands for one, in the form in which it is compared.
func topicOf(s string) string {
	words := strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !alnumRune(r) })
	topic := strings.Join(words, "-")
	return topic[:min(len(topic), maxName)]
}

// nameOf returns what a note is called in a wikilink: the name of its file without
// ending, folded.
func nameOf(rel string) string {
	base := path.Base(strings.TrimSpace(rel))
	if isNote(base) {
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	return text.Fold(base[:min(len(base), maxName)])
}
