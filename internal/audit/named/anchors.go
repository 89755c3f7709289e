package named

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// Anchors are the places of a page that a link may lead to.
type anchors struct {
	keys  map[string]*markup.Block // letters and digits alone, the part that no forge changes, and the heading, nil of another mark
	slugs map[string]bool          // as a forge writes them
	forms map[string]bool          // as some tool that builds sites writes them
	loose map[string]bool          // keys of headings with markup: forges differ on their slugs
	tails map[string]bool          // keys of what headings have behind a colon: a forge may make a picture of the name before it
	names []anchorName
}

// An anchorName is an anchor with its key, and the heading that it is of: nil of another mark. A heading may have several.
type anchorName struct {
	words, key string
	heading    *markup.Block
}

func newAnchors() anchors {
	return anchors{keys: map[string]*markup.Block{}, slugs: map[string]bool{}, forms: map[string]bool{}, loose: map[string]bool{}, tails: map[string]bool{}}
}

var (
	inlineImage = lazy.Regexp(`!\[[^\]]*\]\([^)]*\)|<[^>]*>`)
	headID      = lazy.Regexp(`\{:?\s*#([\w.:-]+)`)
	duplicate   = lazy.Regexp(`-\d+$`)
	dashes      = lazy.Regexp(`-{2,}`)
	emojiName   = lazy.Regexp(`:[\w+-]+:`)
	noWord      = lazy.Regexp(`[^\p{L}\p{N}]+`)
	noKramdown  = lazy.Regexp(`[^a-z0-9-]+`)
)

// heading adds the anchors of a heading. source is its line as it is written.
func (a *anchors) heading(b *markup.Block, source string) {
	a.add(b.Text, b.Text, b)
	a.add(b.Anchor, b.Anchor, b)
	slug := slugOf(b.Text)
	for _, exact := range []string{slug, strings.ToLower(b.Anchor)} {
		a.slugs[exact], a.forms[collapsed(exact)] = true, true
	}
	a.forms[strings.Trim(noWord.ReplaceAllString(strings.ToLower(b.Text), "-"), "-")] = true
	a.forms[noKramdown.ReplaceAllString(slug, "")] = true
	a.forms[dashes.ReplaceAllString(slug, "-")] = true // of Python-Markdown, which keeps the first hyphen
	if strings.ContainsAny(source, "<!{&\\$[") || emojiName.MatchString(source) {
		bare := strings.TrimLeft(inlineImage.ReplaceAllString(source, ""), "# ")
		a.add(bare, b.Text, b)
		a.loose[text.Letters(b.Text)], a.loose[text.Letters(bare)] = true, true
	}
}

// add adds an anchor, which a reader finds by words.
func (a *anchors) add(anchor, words string, heading *markup.Block) {
	for _, m := range headID.FindAllStringSubmatch(anchor, -1) {
		a.keys[text.Letters(m[1])] = heading
		a.slugs[strings.ToLower(m[1])] = true
	}
	if key := text.Letters(anchor); key != "" {
		a.keys[key] = cmp.Or(a.keys[key], heading)
		a.names = append(a.names, anchorName{words, key, heading})
	}
	rest := words
	for range maxTails {
		_, tail, ok := strings.Cut(rest, ":")
		if !ok {
			break
		}
		a.tails[text.Letters(tail)], rest = true, tail
	}
}

// maxTails is how many colons of a heading are read.
const maxTails = 8

// maxNearTries is how many headings are compared with the anchors of all links: a page may have as many of the first as of the second.
const maxNearTries = 1 << 21

// nearAnchor returns the name that a link to a page probably means by a key, and whether another is as near. Without further tries it knows
// of none.
func (c *checker) nearAnchor(a *anchors, want string) (meant anchorName, isUnclear bool) {
	for i := 0; i < len(a.names) && !(isUnclear && meant.heading != nil) && c.nearTries < maxNearTries; i++ {
		c.nearTries++
		name := a.names[i]
		if !isNearAnchor(name.key, want) {
			continue
		}
		isUnclear = isUnclear || meant.key != "" && name.key != meant.key && name.heading != meant.heading
		if meant.heading == nil {
			meant = name
		}
	}
	return meant, isUnclear
}

// mark adds a place that is no heading.
func (a *anchors) mark(name string) {
	name = strings.TrimPrefix(name, "user-content-")
	a.add(name, name, nil)
	a.slugs[strings.ToLower(name)] = true
}

// slugOf returns the anchor that GitHub gives to a heading, without the number that tells headings of the same words apart.
func slugOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_', r == '-', isAnchored(r):
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// firstVariant is the first of the marks that choose between pictures of a symbol: no part of a letter.
const firstVariant = 0xfe00

// isAnchored reports whether a character of a heading is in its anchor: a letter, a digit, or a mark on one.
func isAnchored(r rune) bool {
	isMark := unicode.Is(unicode.M, r) && r < firstVariant
	return isMark || unicode.IsLetter(r) || unicode.IsNumber(r)
}

func collapsed(slug string) string { return strings.Trim(dashes.ReplaceAllString(slug, "-"), "-") }

// has reports whether a fragment is an anchor in the very form that a forge gives it, or some tool of sites.
func (a *anchors) has(fragment string, site bool) bool {
	// Symbols that are no ASCII are in no anchor, but browsers copy some of them.
	exact := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && !isAnchored(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, fragment)
	for _, form := range []string{exact, duplicate.ReplaceAllString(exact, "")} {
		if a.slugs[form] || a.loose[text.Letters(form)] || site && a.forms[form] {
			return true
		}
	}
	return false
}

// anchor checks that a page has the heading that a link leads to.
func (c *checker) anchor(p *page, at, target, fragment string, line int) {
	to, s := c.pages[at], c.siteOf(at)
	if to == nil || to.file.Language != "markdown" || s != nil && s.tool == "obsidian" {
		c.skip(p, Anchor, target, line, unreadable)
		return
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	fragment = strings.TrimPrefix(fragment, "user-content-")
	want := text.Letters(fragment)
	if isNoHeading(fragment, want) || p.credits[line] {
		return
	}
	heading, isKnown := to.anchors.keys[want]
	if _, isRepeated := to.anchors.keys[numbered.ReplaceAllString(want, "")]; isKnown || isRepeated {
		c.anchorForm(p, at, target, fragment, heading, line)
		return
	}
	if strings.HasPrefix(target, "#") && s != nil && s.tool == "sphinx" && c.cross.sphinxLabels().known[labelName(fragment)] {
		return // MyST finds a label wherever it is
	}
	if !to.whole || to.anchors.tails[want] {
		c.skip(p, Anchor, target, line, addedTo)
		return
	}
	meant, isUnclear := c.nearAnchor(&to.anchors, want)
	f := Finding{Kind: Anchor, Level: Error, Name: target, Why: at + " has no heading #" + fragment}
	if heading := meant.heading; heading != nil {
		if !isUnclear { // else the link says not which
			f.Meant, f.At = meant.words, &Place{at, heading.Line}
		}
		if !isUnclear && isMisspelt(meant.key, want) {
			f.Fix = withFragment(target, heading.Anchor)
		}
	} else if s != nil || !isOnForge(at) && !c.documents[at] {
		f.Level = Warning // a site may add headings, and a page among code may be a part of another
	}
	c.report(p, f, line)
}

// anchorForm reports a link to a heading that is there, but by a form of its anchor that leads nowhere: "#run-it-" for "Run it?".
func (c *checker) anchorForm(p *page, at, target, fragment string, b *markup.Block, line int) {
	to, site := c.pages[at], c.siteOf(at) != nil
	isGitHub := strings.HasPrefix(c.own.repository, "github.com/")
	if b == nil || text.Letters(b.Text) != text.Letters(fragment) || to.anchors.has(fragment, site || !isGitHub) {
		return
	}
	f := Finding{Kind: Anchor, Level: Error, Name: target, Why: fmt.Sprintf("the anchor of %q is not #%s", b.Text, fragment),
		Meant: b.Text, At: &Place{at, b.Line}, Fix: withFragment(target, b.Anchor)}
	if site || !isOnForge(at) {
		f.Level = Warning // the tool of its site may write anchors in a form of its own
	}
	c.report(p, f, line)
}

// withFragment returns a link with another anchor, or "" where there is none.
func withFragment(target, slug string) string {
	if slug == "" {
		return ""
	}
	file, _, _ := strings.Cut(target, "#")
	return file + "#" + slug
}

// isNoHeading reports whether a part of an address leads to no heading: the forge, the browser or a program gives it a meaning.
func isNoHeading(fragment, key string) bool {
	switch {
	case key == "", key == "top", key == "readme", strings.HasPrefix(key, "fn"):
		return true
	}
	return strings.HasPrefix(fragment, ":~:") || strings.ContainsAny(fragment, "=/{}$")
}

// creditLines returns the lines of the lists that All Contributors writes, with anchors that lead nowhere on purpose. A list ends by a mark.
func creditLines(lines []string) map[int]bool {
	out, from := map[int]bool{}, 0
	for n, line := range lines {
		_, sign, ok := strings.Cut(line, "ALL-CONTRIBUTORS-LIST:")
		switch {
		case ok && strings.HasPrefix(sign, "START"):
			from = n + 1
		case ok && from > 0:
			for ; from <= n; from++ {
				out[from] = true
			}
			from = 0
		}
	}
	return out
}

// isNearAnchor reports whether the key of a heading misspells another, or is longer or shorter.
func isNearAnchor(key, want string) bool {
	switch {
	case key == "" || isMisspelt(key, want):
		return key != ""
	case len(want) <= minNear:
		return false
	}
	return strings.HasPrefix(key, want) || strings.HasPrefix(want, key) && 2*len(key) > len(want)
}

func isMisspelt(key, want string) bool {
	return len(want) >= minNear && text.DistanceWithin(key, want, 3) <= 2
}
