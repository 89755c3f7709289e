package named

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// settingKey is a line of a configuration that gives a key its value.
var settingKey = lazy.Regexp(`^\s*(?:-\s+)?["']?([A-Za-z][\w-]*)["']?\s*(?::(?:\s|$)|=)`)

// keys checks the keys of an example of a configuration: a misspelled one is an error. A block that does not say its language is one if
// most of its lines are keys.
func (c *checker) keys(p *page, b *markup.Block) {
	lines := strings.Split(b.Text, "\n")
	if language := syntax.Tagged(b.Lang); !syntax.Has(language, "data") {
		found := 0
		for _, line := range lines {
			if settingKey.MatchString(line) {
				found++
			}
		}
		if b.Lang != "" && language != "text" || 2*found < len(lines) {
			return
		}
	}
	for n, line := range lines {
		m := settingKey.FindStringSubmatch(line)
		if m == nil || c.words.has(m[1]) || exampled.MatchString(m[1]) {
			continue
		}
		c.checked++
		if !c.misspelled(p, m[1], b.Line+n) {
			c.otherNumber(p, m[1], b.Line+n)
		}
	}
}

// misspelled reports a name that nothing has, if the program has nearly the name, and documents seldom write it otherwise: a page has one of
// the two several times, or the name is of several words.
func (c *checker) misspelled(p *page, name string, line int) bool {
	if len(name) <= minNear || isStandard(name) {
		return false
	}
	limit := 1
	if isCompound(name) {
		limit += len(name) / 10 // one word that differs in two letters is another
	}
	for _, near := range c.words.within(name, limit, inCode) {
		isForm := isEnding(name, near) || strings.HasPrefix(near, name) || strings.HasPrefix(name, near) || near[0] != name[0]
		isTold := p.says(near, line) || p.explains(name, near)
		if isForm || isTold || !c.words.misspells(name, near) || c.words.at[near].uses&program == 0 {
			continue
		}
		if n := c.mentions(name); n > 1 && !isCompound(name) && c.mentions(near) < 2*n {
			continue // documents mean the name as they write it
		}
		f := Finding{Kind: Name, Level: Warning, Name: name, Meant: near, At: c.words.place(near), Why: "no code has " + name}
		if bytes.Count(p.file.Text, []byte(near)) > 1 || isCompound(name) {
			f.Level, f.Fix = Error, near
		}
		c.report(p, f, line)
		return true
	}
	return false
}

// otherNumber reports a key of several words that the program has but for the ending of a plural.
func (c *checker) otherNumber(p *page, name string, line int) {
	if !isCompound(name) {
		return
	}
	for _, near := range c.words.within(name, 1, inCode) {
		if isPlural(name, near) && !p.says(near, line) {
			c.report(p, Finding{Kind: Name, Level: Warning, Name: name, Meant: near, At: c.words.place(near), Why: "no code has " + name}, line)
			return
		}
	}
}

// endings are those that make another word of one.
var endings = strings.Fields("s es d ed r er y e n en ing ion or al able")

// isEnding reports whether two words differ in an ending of English.
func isEnding(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	isOne := func(rest string) bool { return rest == "" || slices.Contains(endings, rest) }
	return isOne(a[n:]) && isOne(b[n:])
}

// mentions returns how often the documents have a name.
func (c *checker) mentions(name string) (n int) {
	for i := range c.Docs {
		n += bytes.Count(c.Docs[i].Text, []byte(name))
	}
	return n
}
