package claims

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/markup"
)

var (
	requirementID = lazy.Regexp(`^[\W_]*((?:N?FR|REQ|UC|US|AC|SR|BR|R)-?\d+(?:[.-]\d+)*)\b[\s:.)\]*_—–-]*`)
	asA           = lazy.Regexp(`(?i)^\W*(?:[\w .-]{1,30}:\W*)?as an? [^,.]{2,60}?,? (?:i|we) (?:want|need|would like|can|should be able)(?: to)? (.+)`)
	soThat        = lazy.Regexp(`(?i)[,;.]?\s+(?:so that|in order to)\b.*$`)
	negated       = lazy.Regexp(`(?i)\b(not (?:yet )?(?:supported|implemented|available|planned|included)|unsupported|no longer|out of scope|non-goals?|todo|tbd|coming soon|planned|in the future|deprecated|removed|retired)\b|~~|❌|✗|✘|🚧`)
	notOfNow      = lazy.Regexp(`(?i)\b(changelog|history|removals?|migrat\w*|upgrad\w*|release notes|what'?s new|alternatives?|comparison|credits?|related|see also|contribut\w*|licen[cs]e|roadmap|deprecat\w*|removed|legacy|future|planned|unsupported|out of scope|non-goals?|limitations|backlog)\b|(^|\s)v?\d+\.\d+`)
	specification = lazy.Regexp(`(?i)(^|/)(\d+[-_.])?(prd|sdd|srs|features?|functional[\w-]*|requirements?|specification|spec|design|architecture|inventory)\b[^/]*$`)
	featureTitle  = lazy.Regexp(`(?i)\b(features?|capabilit\w+|functionality|requirements?|what it does|highlights)\b`)
)

// Features returns the behaviour that the documents commit to, each once: requirements with an ID, stories, items of checklists, and the
// items below a heading of features or of a specification. Other sentences may speak of anything: audit cite and check hold them to quotes.
func (a *Auditor) Features() []Feature {
	docs := a.Tree.Docs
	read := make([][]Feature, len(docs))
	work.Each(context.Background(), len(docs), 1, func() func(int) {
		return func(i int) {
			if d := &docs[i]; d.Flags&corpus.Example == 0 && !instructive.MatchString(d.Path) && !localized.MatchString(d.Path) {
				read[i] = commitments(d)
			}
		}
	})
	return mergeFeatures(slices.Concat(read...))
}

// localized is a path that says in which language its document is, other than English.
var localized = lazy.Regexp(`(?i)(?:^|[/._-])(?:zh|ja|ko|fr|de|es|pt|it|ru|uk|pl|tr|vi|id|fa|ar|he|nl|cs|hu|ro|sv|th|hi|bn)(?:[-_](?:[a-z]{2}|hans|hant))?(?:/|\.(?:md|mdx|rst|adoc|txt)$)`)

// A featureReader takes the commitments of a document. It knows the headings above a block.
type featureReader struct {
	doc      *Source
	lines    []string
	headings []string
	levels   []int
	out      []Feature
}

func commitments(d *Source) []Feature {
	r := featureReader{doc: d, lines: strings.Split(string(d.Text), "\n")}
	page := named.Read(d)
	if page == nil {
		return nil
	}
	for i := range page.Blocks {
		r.block(&page.Blocks[i])
	}
	return r.out
}

func (r *featureReader) block(b *markup.Block) {
	switch b.Kind {
	case markup.Heading:
		r.enter(b)
		if requirementID.MatchString(b.Text) {
			r.add(Heading, b.Text, b.Line)
		}
	case markup.Table:
		for _, row := range strings.Split(b.Text, "\n")[1:] {
			r.add(Row, strings.ReplaceAll(row, " | ", " — "), b.Line)
		}
	case markup.Prose:
		for line := range strings.SplitSeq(b.Text, "\n") {
			switch m := item.FindStringSubmatch(line); {
			case m == nil:
				r.add(Prose, line, b.Line)
			case m[2] != "":
				r.add(Checklist, m[3], b.Line)
			default:
				r.add(Bullet, m[3], b.Line)
			}
		}
	case markup.Code:
		if text := strings.Join(strings.Fields(b.Text), " "); len(text) < 600 && asA.MatchString(text) {
			r.add(Prose, text, b.Line) // stories are often set as if they were code
		}
	}
}

func (r *featureReader) enter(b *markup.Block) {
	for len(r.levels) > 0 && r.levels[len(r.levels)-1] >= b.Level {
		r.levels, r.headings = r.levels[:len(r.levels)-1], r.headings[:len(r.headings)-1]
	}
	r.levels, r.headings = append(r.levels, b.Level), append(r.headings, plain(b.Text))
}

// add takes a text of a block if its form is one of a commitment.
func (r *featureReader) add(kind Kind, said string, from int) {
	f := Feature{Kind: kind, Text: said, Section: strings.Join(r.headings, " › ")}
	if m := requirementID.FindStringSubmatch(said); m != nil {
		f.ID, f.Kind, f.Text = m[1], Requirement, strings.Replace(strings.TrimSpace(said[len(m[0]):]), "**", "", 1)
	} else if m := asA.FindStringSubmatch(said); m != nil {
		f.Kind, f.Text = Story, soThat.ReplaceAllString(m[1], "")
	}
	if negated.MatchString(said) || r.isOfOtherTimes() || !r.commits(f.Kind) {
		return
	}
	f.Text = strings.Trim(strings.NewReplacer("**", "", "__", "").Replace(firstSentence(f.Text)), " .;:,")
	least := 2 // words of its own, to be looked for
	if spans.MatchString(f.Text) {
		least = 1
	}
	if f.words = wordsOf(f.Text); len(f.words) >= least {
		f.Place = Place{r.doc.Path, r.lineOf(f.Text, from)}
		r.out = append(r.out, f)
	}
}

// commits reports whether a form promises behaviour where it stands.
func (r *featureReader) commits(kind Kind) bool {
	switch kind {
	case Requirement, Story, Checklist:
		return true
	case Bullet, Row:
		return specification.MatchString(r.doc.Path) || slices.ContainsFunc(r.headings, featureTitle.MatchString)
	}
	return false
}

// isOfOtherTimes reports whether a heading above says that its section is not of the program as it is.
func (r *featureReader) isOfOtherTimes() bool {
	return slices.ContainsFunc(r.headings, notOfNow.MatchString)
}

// lineOf returns the line from one on that has the beginning of a text.
func (r *featureReader) lineOf(said string, from int) int {
	start, _, _ := strings.Cut(said, "`")
	words := strings.Fields(start)
	for n := from; n <= len(r.lines) && len(words) > 0; n++ {
		if strings.Contains(r.lines[n-1], words[0]) && (len(words) < 2 || strings.Contains(r.lines[n-1], words[1])) {
			return n
		}
	}
	return from
}

// sentenceEnd is a full stop that ends a sentence: a capital follows.
var sentenceEnd = lazy.Regexp(`[a-z)\]]\.\s+[A-Z]`)

func firstSentence(s string) string {
	if at := sentenceEnd.FindStringIndex(s); at != nil {
		return s[:at[0]+1]
	}
	return s
}

func short(s string) string { return text.OneLine(s, 100) }

// mergeFeatures makes one feature of those that promise the same in the same words.
func mergeFeatures(features []Feature) (out []Feature) {
	seen := map[string]int{}
	for i := range features {
		f := &features[i]
		words := termsOf(f.words)
		slices.Sort(words)
		key := f.ID + " " + strings.Join(slices.Compact(words), " ")
		if i, ok := seen[key]; ok {
			out[i].Also = append(out[i].Also, f.Place)
			continue
		}
		seen[key] = len(out)
		out = append(out, *f)
	}
	return out
}
