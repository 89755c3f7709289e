package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/docs/library"
)

// seed chooses the questions. Another one asks others.
const seed = "1"

// quotas are how many questions of a kind are asked about a set.
var quotas = []struct {
	kind string
	n    int
}{{"words", 40}, {"sentence", 40}, {"heading", 15}, {"other words", 1000}}

// perPage is how many of one kind lead to one page, or come from one.
const perPage = 2

// A question asks for one page, and for a section of it where that is known.
type question struct {
	set, kind, ask string
	pages          map[string]bool // that answer
	sections       map[place]bool  // snippets that answer; nil where no section is named
	without        map[place]bool  // snippets that are taken away: the question stands in them
	target, source int             // pages of the corpus
}

// A place is a snippet.
type place struct {
	path string
	at   int
}

// questions returns the questions about a corpus, always the same.
func (c *corpus) questions() (out []question) {
	all := c.asked
	if !c.set.asked {
		all = append(c.fromLinks(), c.fromHeadings()...)
	}
	for _, q := range quotas {
		var some []question
		for _, x := range all {
			if x.kind == q.kind {
				some = append(some, x)
			}
		}
		some = merged(some)
		slices.SortStableFunc(some, func(a, b question) int { return cmp.Compare(chance(a), chance(b)) })
		to, from := map[int]int{}, map[int]int{}
		n := 0
		for _, x := range some {
			if n == q.n {
				break
			}
			if !c.set.asked && to[x.target] >= perPage || x.source >= 0 && from[x.source] >= perPage {
				continue
			}
			to[x.target]++
			from[x.source]++
			n++
			out = append(out, x)
		}
	}
	return out
}

func chance(q question) uint64 {
	sum := sha256.Sum256([]byte(seed + "|" + q.set + "|" + q.kind + "|" + q.ask))
	return binary.LittleEndian.Uint64(sum[:])
}

// merged returns the questions with those of the same words made one: what any of
// them leads to answers.
func merged(in []question) (out []question) {
	at := map[string]int{}
	for _, q := range in {
		key := strings.ToLower(q.ask)
		i, ok := at[key]
		if !ok {
			at[key] = len(out)
			out = append(out, q)
			continue
		}
		o := &out[i]
		o.pages = union(o.pages, q.pages)
		o.without = union(o.without, q.without)
		if o.sections != nil && q.sections != nil {
			o.sections = union(o.sections, q.sections)
		}
	}
	// What answers a question cannot have been taken away.
	return slices.DeleteFunc(out, func(q question) bool {
		for p := range q.sections {
			if q.without[p] {
				return true
			}
		}
		return false
	})
}

func union[K comparable](a, b map[K]bool) map[K]bool {
	out := map[K]bool{}
	for _, m := range []map[K]bool{a, b} {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

func (c *corpus) fromLinks() (out []question) {
	labels := c.labels()
	for i := range c.pages {
		p := &c.pages[i]
		for _, l := range linksOf(p.text, p.format) {
			to, anchor := c.target(i, l, labels)
			if to < 0 || to == i {
				continue
			}
			title := c.pages[to].title(anchor)
			source := p.holding(strings.ReplaceAll(l.sentence, untitled, ""))
			l.words, l.sentence = strings.ReplaceAll(l.words, untitled, title), strings.ReplaceAll(l.sentence, untitled, title)
			if len(source) == 0 || numbered.MatchString(l.words) || strings.TrimSpace(l.words) == "" {
				continue
			}
			q := question{set: c.set.name, target: to, source: i, pages: map[string]bool{c.pages[to].Path: true}, without: map[place]bool{}}
			for _, at := range source {
				q.without[place{p.Path, at}] = true
			}
			if anchor != "" {
				q.sections = c.places(to, anchor)
			}
			if n := len(content(l.words)); n >= 2 && n <= 10 {
				q.kind, q.ask = "words", l.words
				out = append(out, q)
			}
			if n := len(strings.Fields(l.sentence)); n >= 6 && n <= 32 && len(content(l.sentence)) >= 4 {
				q.kind, q.ask = "sentence", l.sentence
				out = append(out, q)
			}
		}
	}
	return out
}

// numbered is how PostgreSQL's manual names its sections.
var numbered = regexp.MustCompile(`^(Section|Chapter|Table|Example|Figure|Appendix|Part)\W+[\dA-Z.]+$`)

// title returns the heading with an anchor, or the page's own.
func (p *page) title(anchor string) string {
	for _, h := range p.headings {
		if h.Anchor == anchor || anchor == "" {
			return oneLine(h.Text)
		}
	}
	return ""
}

// places returns the snippets of a section, or nil.
func (c *corpus) places(of int, anchor string) map[place]bool {
	var out map[place]bool
	for _, at := range c.pages[of].section(anchor) {
		if out == nil {
			out = map[place]bool{}
		}
		out[place{c.pages[of].Path, at}] = true
	}
	return out
}

// target returns what a link of page i leads to.
func (c *corpus) target(i int, l link, labels map[string]place) (to int, anchor string) {
	if l.label {
		p, ok := labels[strings.ToLower(oneLine(l.to))]
		if !ok {
			return -1, ""
		}
		return p.at, p.path
	}
	u, err := url.Parse(l.to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return -1, ""
	}
	return c.find(i, u.Path), u.Fragment
}

var rstLabel = regexp.MustCompile(`(?m)^[ ]*\.\. _([^:\n]+|` + "`[^`]+`" + `):[ ]*$`)

// labels returns where the labels of reStructuredText stand: at is the page, path
// the anchor of the section after it.
func (c *corpus) labels() map[string]place {
	out := map[string]place{}
	for i := range c.pages {
		p := &c.pages[i]
		if p.format != library.RST {
			continue
		}
		for _, m := range rstLabel.FindAllStringSubmatchIndex(string(p.text), -1) {
			name := strings.Trim(string(p.text[m[2]:m[3]]), "`")
			line := 1 + strings.Count(string(p.text[:m[0]]), "\n")
			anchor := ""
			for _, h := range p.headings {
				if h.Line > line && h.Line <= line+5 {
					anchor = h.Anchor
					break
				}
			}
			out[strings.ToLower(oneLine(name))] = place{anchor, i}
		}
	}
	return out
}

// holding returns the snippets of the sections of a page that hold a sentence.
func (p *page) holding(sentence string) (at []int) {
	want := letters(sentence)
	want = want[:min(len(want), 60)]
	sections := map[string]bool{}
	for _, s := range p.Snippets {
		if strings.Contains(letters(s.Content), want) {
			sections[s.Breadcrumb+"\n"+s.URL] = true
		}
	}
	for i, s := range p.Snippets {
		if sections[s.Breadcrumb+"\n"+s.URL] {
			at = append(at, i)
		}
	}
	return at
}

// letters returns the letters and digits of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// fromHeadings asks for sections by headings that no other section has.
func (c *corpus) fromHeadings() (out []question) {
	count := map[string]int{}
	for _, p := range c.pages {
		for _, h := range p.headings {
			count[letters(h.Text)]++
		}
	}
	for i, p := range c.pages {
		for _, h := range p.headings {
			if n := len(content(h.Text)); h.Level < 2 || h.Anchor == "" || n < 3 || n > 10 || count[letters(h.Text)] > 1 {
				continue
			}
			sections := c.places(i, h.Anchor)
			if sections == nil {
				continue
			}
			out = append(out, question{set: c.set.name, kind: "heading", ask: oneLine(h.Text), target: i, source: -1,
				pages: map[string]bool{p.Path: true}, sections: sections})
		}
	}
	return out
}

// readAsked reads the questions that people asked about the set, a line each.
func (c *corpus) readAsked(name string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(raw) {
		var in struct {
			Ask, Kind string
			In        []string
		}
		if err := json.Unmarshal(line, &in); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if in.Kind != c.set.name {
			continue
		}
		q := question{set: c.set.name, kind: "other words", ask: in.Ask, source: -1, pages: map[string]bool{}, sections: map[place]bool{}}
		for _, where := range in.In {
			file, heading, _ := strings.Cut(strings.TrimPrefix(where, c.set.name+"/"), "#")
			i, ok := c.byKey[keyOf(file)]
			if !ok || i < 0 {
				return fmt.Errorf("no page %s", where)
			}
			q.pages[c.pages[i].Path] = true
			q.target = i
			for _, at := range c.pages[i].under(heading) {
				q.sections[place{c.pages[i].Path, at}] = true
			}
		}
		if len(q.sections) == 0 {
			q.sections = nil
		}
		c.asked = append(c.asked, q)
	}
	return nil
}

// content returns the words of a text that are no stop words.
func content(s string) (out []string) {
	for _, w := range words(s) {
		if !stopWords[w] && len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// words returns the words of a text as FTS5's unicode61 cuts them.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// stopWords are the ones of English that lists agree on.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a about above after again against all also am an and any are as at be because been before being below between both but by
		can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself
		just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there
		these they this those through to too under until up very was we were what when where which while who whom why will with would you your see`) {
		m[w] = true
	}
	return m
}()

func (q question) String() string { return fmt.Sprintf("%s %s %q", q.set, q.kind, q.ask) }
