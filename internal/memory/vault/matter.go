package vault

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A matter is a short note as it is compared with others: whether the later of two says
// something else about the same thing.
//
// Nobody can tell that for certain by words. What is found is told as a likelihood, the
// older note keeps its place in the vault, and only what the user or the agent says makes
// a link of it.
type matter struct {
	path     string
	title    string // as its author wrote it; empty: there is none
	category string
	project  string
	at       int64 // seconds since 1970 at which it was written, or of its day; 0: unknown
	text     string
	words    map[string]float64 // by stem: how much it tells
	total    float64
	vector   []float32
	stems    []string     // its words; nil: they are not taken out of the text yet
	said     []wordNumber // the same as numbers, where a question compares it
	titled   []string     // the words of its title, where a question compares it
	changes  bool         // it has a word of change
}

// maxMatter is the length of a text that is about one matter, in bytes; longer ones are
// about many.
const maxMatter = 1500

// newMatter takes a note apart; worth is how much a stem tells. Nil: it is about too much
// or nothing to be compared.
func newMatter(note matter, worth func(stem string) float64, p embed.Provider) *matter {
	if len(note.text) > maxMatter {
		return nil
	}
	note.words = map[string]float64{}
	stems := note.stems
	if stems == nil {
		stems = wordsOf(note.text)
	}
	for _, w := range stems {
		if _, ok := note.words[w]; !ok {
			note.words[w] = worth(w)
			note.total += note.words[w]
		}
	}
	if note.total == 0 {
		return nil
	}
	note.changes = speaksOfChange(note.text)
	if local, ok := p.(embed.Local); ok {
		note.vector = make([]float32, local.Dims())
		local.Vector(note.vector, []byte(note.text))
	}
	return &note
}

// sameMatter is how likely a later note is about what an earlier one is about, without
// a question that both answer: above 0 it is taken to be.
func sameMatter(old, later *matter) float64 {
	if old.title != "" && later.title != "" && sharedWords(old.title, later.title) == 0 {
		return -1 // of what follows a form all words are soon the same
	}
	if !old.speakAlike(later) {
		return -1
	}
	return likeness(old, later) - rank.Memory().Constant("same matter unasked")
}

// speakAlike reports whether two notes have a word in common that is no number: two numbers are
// soon the same, and rare.
func (m *matter) speakAlike(other *matter) bool {
	for w := range m.words {
		if _, ok := other.words[w]; ok && !strings.ContainsAny(w, "0123456789") {
			return true
		}
	}
	return false
}

// before reports whether an older note may be one that a later one is in the place of.
func (m *matter) before(later *matter) bool {
	return (m.project == later.project || m.project == "" || later.project == "") && m.at != 0 && m.at < later.at
}

// common is how near two notes are in meaning, and which part of the words of the shorter one
// the other has. Where there are no vectors, words stand for meaning.
func (m *matter) common(other *matter) (meaning, words float64) {
	for w, worth := range m.words {
		if _, ok := other.words[w]; ok {
			words += worth
		}
	}
	words = min(1, words/min(m.total, other.total))
	if m.vector == nil || other.vector == nil {
		return words, words
	}
	return float64(vec.Dot(m.vector, other.vector)), words
}

// likeness weighs what two notes have in common; below 0 where they cannot be compared.
func likeness(old, later *matter) float64 {
	if !old.before(later) {
		return -1
	}
	p := rank.Memory()
	near, common := old.common(later)
	s := p.Constant("same matter: meaning")*near + p.Constant("same matter: words")*common
	if later.changes {
		s += p.Constant("same matter: word of change")
	}
	if old.category == later.category {
		s += p.Constant("same matter: category")
	}
	return s
}

// A Rival is a note that says something else about the same matter as another, or
// nearly the same.
type Rival struct {
	Path   string
	Day    time.Time // zero where nothing says so
	Says   string    // its first words
	Differ string    // the values that differ, as "8085 → 9085"; empty: words do
	Double bool      // it says nearly the same
}

// rivalry says how an earlier note differs from a later one about the same matter.
func rivalry(old, later *matter) Rival {
	r := Rival{Path: old.path, Day: timeOf(int(old.at / 86400)), Says: shorten(prose(old.text), 100)}
	r.Double = same(wordSet(old.text), wordSet(later.text)) || saysNothingNew(later.text, old.text)
	if r.Double {
		return r
	}
	a, b := valuesIn(old.text), valuesIn(later.text)
	gone := slices.DeleteFunc(slices.Clone(a), func(v string) bool { return slices.Contains(b, v) })
	come := slices.DeleteFunc(slices.Clone(b), func(v string) bool { return slices.Contains(a, v) })
	if len(gone) > 0 && len(come) > 0 && len(gone) <= 3 && len(come) <= 3 {
		r.Differ = strings.Join(gone, ", ") + " → " + strings.Join(come, ", ")
	} else if denies(old.text) != denies(later.text) {
		r.Differ = "one of them says that it is not so"
	}
	return r
}

// prose returns a text without its first heading.
func prose(s string) string {
	if first, rest, ok := strings.Cut(strings.TrimSpace(s), "\n"); ok {
		if level, _ := heading(strings.TrimSpace(first)); level == 1 && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return s
}

var value = lazy.Regexp("`[^`\n]{1,60}`|[\\pL\\pN_./:@-]*\\pN[\\pL\\pN_./:@%-]*")

// valuesIn returns what a text has of numbers, versions, dates, addresses and code, each
// once and in order.
func valuesIn(s string) (out []string) {
	for _, v := range value.FindAllString(prose(s), 20) {
		if v = strings.Trim(v, "`.:,-"); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// denies reports whether a text says that something is not so.
func denies(s string) (no bool) {
	text.Words([]byte(s), func(w []byte) {
		w2 := text.Fold(string(w))
		no = no || telling(w2) && !strings.ContainsAny(w2, "0123456789")
	})
	return no
}

// succeed finds among candidates, which are in order, the notes that a later one about the
// same matter is likely to have replaced: the later one takes the place of the older, and
// the older says so. Where a time is asked about, the places stay.
func (s *searcher) succeed(cs []*candidate) []*candidate {
	profile := rank.Memory()
	of, ms := s.matters(cs)
	weights := signWeights()
	var pairs [][2]*candidate // older, newer
	likely := map[[2]string]bool{}
	for i, old := range ms {
		var best *candidate
		most := 0.0
		for k, later := range ms {
			if !old.before(later) {
				continue
			}
			l := s.inPlace(weights, old, later, of[i], of[k])
			if l > 0 {
				likely[[2]string{old.path, later.path}] = true
			}
			if l > most {
				best, most = of[k], l
			}
		}
		if best != nil {
			pairs = append(pairs, [2]*candidate{of[i], best})
		}
	}
	sorting.Stable(pairs, func(a, b [2]*candidate) int { return cmp.Compare(a[0].moment(), b[0].moment()) })
	less := profile.Constant("perhaps superseded")
	for _, p := range pairs {
		old, later := p[0], p[1]
		if old.newer != nil {
			continue // somebody said what is in its place
		}
		old.newer = &succession{path: later.path, day: later.when(), likely: true}
		if !s.q.when.none() || asksWhen.MatchString(s.q.text) {
			continue
		}
		if later.evidence < old.evidence {
			later.reweigh("in the place of an older one", old.evidence/later.evidence, s.variant())
		}
		old.reweigh("perhaps superseded", less, s.variant())
	}
	chase(cs, likely)
	s.raise(cs)
	heirs := map[string]bool{}
	for _, c := range cs {
		if c.newer != nil {
			heirs[c.newer.path] = true
		}
	}
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return c.kin && !heirs[c.path] })
	sorting.Stable(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.evidence, a.evidence), a.replacedBy(b)-b.replacedBy(a))
	})
	return cs
}

// matters takes apart the notes among the best candidates, and those that were looked up
// beside them. What a word tells is counted among these alone: to ask the index for each of a
// thousand words takes longer than the search.
func (s *searcher) matters(cs []*candidate) (of []*candidate, ms []*matter) {
	seen := map[int64]bool{}
	for i, c := range cs {
		if !c.comparable() || seen[c.file] || i >= maxCompared && !c.kin || len(c.text) > maxMatter {
			continue
		}
		seen[c.file] = true
		of = append(of, c)
	}
	df := map[string]int{}
	words := make([][]string, len(of))
	for i, c := range of {
		words[i] = wordsOf(c.text)
		for _, w := range slices.Compact(slices.Sorted(slices.Values(words[i]))) {
			df[w]++
		}
	}
	known := map[string]wordNumber{}
	embedder := s.m.cfg.Embedder
	if s.judged == nil && signWeights().of[signMeaning] == 0 {
		embedder = nil // nothing is made of how near they are
	}
	kept := of[:0]
	for i, c := range of {
		note := matter{path: c.path, category: c.category, project: c.project, at: c.moment(), text: c.text, stems: words[i]}
		if m := newMatter(note, func(stem string) float64 { return termWorth(df[stem], len(words)) }, embedder); m != nil {
			m.said, m.titled = inRow(words[i], known), wordsOf(c.title)
			kept, ms = append(kept, c), append(ms, m)
		}
	}
	return kept, ms
}

// Compared returns the pairs of notes that a question has compared.
func (m *Memory) Compared(ctx context.Context, qu Query) (out []JudgedPair, err error) {
	s, err := m.searching(qu)
	if err != nil {
		return nil, err
	}
	defer func() { m.stems.Put(s.stems) }()
	s.judged = &out
	err = m.with(ctx, func(h *handle) error { return s.run(ctx, h, &MemoryAnswer{}) })
	return out, err
}

// replacedBy is 1 for a candidate that another one is in the place of.
func (c *candidate) replacedBy(by *candidate) int {
	if c.newer != nil && c.newer.path == by.path {
		return 1
	}
	return 0
}

// named reports whether a question names beyond doubt, by a number or a name as code has
// it, what an older note has and a later one has not: that is about another thing.
func (q *question) named(old, later *matter) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool {
		_, had := old.words[t.stem]
		_, has := later.words[t.stem]
		return had && !has && (t.code || strings.ContainsAny(t.form, "0123456789"))
	})
}

// asksWhen are questions for the day of something that happened: it happened, whatever came
// later.
var asksWhen = lazy.Regexp(`(?i)^(?:when (?:did|was|were|have|has)|since when|wann (?:haben|hat|war|wurde))\b`)

// maxCompared is how many candidates are compared with each other.
const maxCompared = 24

// chase has each note that was replaced name the last of those that replaced it. A guess
// leads on only to what is itself likely to be in the place of the first: from guess to
// guess the matter may change.
func chase(cs []*candidate, likely map[[2]string]bool) {
	by := map[string]*succession{}
	for _, c := range cs {
		if c.newer != nil {
			by[c.path] = c.newer
		}
	}
	for _, c := range cs {
		for range len(by) {
			if c.newer == nil || by[c.newer.path] == nil || by[c.newer.path].path == c.path {
				break
			}
			next := *by[c.newer.path]
			if next.likely && !likely[[2]string{c.path, next.path}] {
				break
			}
			next.likely = next.likely || c.newer.likely
			c.newer = &next
		}
	}
}

// raise puts what somebody said to be in the place of a note before it.
func (s *searcher) raise(cs []*candidate) {
	if !s.q.when.none() {
		return
	}
	for _, old := range cs {
		if old.newer == nil || old.newer.likely {
			continue
		}
		for _, c := range cs {
			if c.path == old.newer.path && c.evidence < old.evidence {
				c.reweigh("in the place of an older one", old.evidence/c.evidence, s.variant())
				c.evidence = max(c.evidence, old.evidence) // whatever rounding makes of it
				break
			}
		}
	}
}

// reweigh multiplies the evidence of a candidate and says so.
func (c *candidate) reweigh(why string, by float64, v rank.Variant) {
	c.evidence, c.breakdown = rank.Times(c.evidence, by, why, c.breakdown)
	c.score = rank.Memory().Score(v, c.evidence)
}

// moment is when a note was written, in seconds: by the second where it says so, else its
// day; 0: nothing says so.
func (c *candidate) moment() int64 {
	if c.created != 0 {
		return c.created
	}
	return int64(c.when()) * 86400
}

// worth returns how much a stem tells in the index.
func (x *indexed) worth() func(stem string) float64 {
	return func(stem string) float64 {
		df, err := x.df(corpus.Term{Text: stem, Weight: 1})
		if err != nil {
			return 0 // who reads the chunks is told
		}
		return termWorth(df, x.chunks())
	}
}

// termWorth is how much a stem tells that so many of n texts have.
func termWorth(df, n int) float64 { return bm25.IDF(max(n, df), df) }

// conflicts finds, among notes, those that a later one seems to be in the place of: for
// each the likeliest. Only notes that share one of their most telling words are compared.
func conflicts(all []*matter) (pairs [][2]*matter) {
	const (
		words  = 8  // of a note, the most telling
		common = 60 // notes that have a word, beyond which it tells nothing
	)
	having := map[string][]*matter{}
	for _, n := range all {
		for w := range n.words {
			having[w] = append(having[w], n)
		}
	}
	for _, old := range all {
		var told []string
		for w := range old.words {
			if k := len(having[w]); k > 1 && k <= common {
				told = append(told, w)
			}
		}
		sorting.Stable(told, func(a, b string) int { return cmp.Or(len(having[a])-len(having[b]), strings.Compare(a, b)) })
		var best *matter
		most := 0.0
		for _, w := range told[:min(len(told), words)] {
			for _, later := range having[w] {
				if by := sameMatter(old, later); by > most || by == most && best != nil && later.path < best.path {
					best, most = later, by
				}
			}
		}
		if best != nil {
			pairs = append(pairs, [2]*matter{old, best})
		}
	}
	return pairs
}
