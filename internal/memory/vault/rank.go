package vault

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A candidate is a chunk that may answer.
type candidate struct {
	id, file    int64
	first, last int
	heading     string
	day         day
	text        string

	kind      int
	path      string
	title     string
	category  string
	project   string
	fileDay   day
	created   int64
	evergreen bool
	session   string
	standing  standing
	speaker   int
	asked     string  // see page.asked
	echo      float64 // how far it only repeats the question: see question.echo

	whole   bool        // it is all of its note
	newer   *succession // the note that is in the place of this one
	cosine  float32     // -2: it has no vector
	seen    []place     // the terms of the question in its text, in order
	words   int
	matched uint64 // terms in text, heading or title, by bit
	above   uint64 // terms in heading or title

	askedShare float64 // which part of the question the best line of asked has
	askedBM25  float64
	askedWords uint64  // terms in asked
	guessed    float64 // what the caller's guesses add
	meaning    float64 // the root of cosine: see measure
	evidence   float64 // what it is ordered by
	score      float64 // 0..1
	breakdown  []rank.Signal
}

type place struct{ at, term int }

const selectCandidates = `SELECT c.id, c.file, c.first, c.last, c.heading, c.day, c.text, f.kind, f.path, f.title, f.category, f.project, f.day, f.created, f.evergreen, f.session,
	f.valid_from, f.valid_until, f.pinned, f.importance, c.speaker, f.asked,
	NOT EXISTS (SELECT 1 FROM chunks o WHERE o.file = c.file AND o.id <> c.id)
	FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN (`

func readCandidates(ctx context.Context, tx *sql.Tx, ids []int64) ([]*candidate, error) {
	var out []*candidate
	c := candidate{cosine: -2}
	if err := store.Each(ctx, tx, []any{&c.id, &c.file, &c.first, &c.last, &c.heading, &c.day, &c.text, &c.kind, &c.path, &c.title, &c.category, &c.project,
		&c.fileDay, &c.created, &c.evergreen, &c.session,
		&c.standing.from, &c.standing.until, &c.standing.pinned, &c.standing.importance, &c.speaker, &c.asked, &c.whole}, func() error {
		of := c
		out = append(out, &of)
		return nil
	}, selectCandidates+numbers64(ids)+")"); err != nil || len(out) == len(ids) {
		return out, err
	}
	return nil, fmt.Errorf("%w: the index has chunks that are not there", store.ErrDamaged)
}

// terms calls yield with the place and the number of each term of the question in s, and returns how many words s has.
func (q *question) find(s string, stems *stemmer, yield func(at, term int)) (words int) {
	var buf [64]byte
	var parts []string
	text.Words([]byte(s), func(w []byte) {
		at := words
		words++
		if !text.Compound(w) {
			// A stem begins as its word does: most words need not be stemmed.
			c := w[0] | 0x20
			if !q.first[c] {
				return
			}
			low := append(buf[:0], c)
			low = append(low, w[1:]...)
			if k, ok := q.at[stems.ResultFor(low)]; ok {
				yield(at, k)
			}
			q.begins(string(low), at, yield)
			return
		}
		parts = text.Forms().Terms(parts[:0], w)
		for _, f := range parts {
			if f == "" || f[0] < utf8.RuneSelf && !q.first[f[0]] {
				continue
			}
			if k, ok := q.at[stems.OfString(f)]; ok {
				yield(at, k)
			}
			q.begins(f, at, yield)
		}
	})
	return words
}

// begins calls yield with the terms that may be the beginning of a word.
func (q *question) begins(form string, at int, yield func(at, term int)) {
	for i := range q.terms {
		if p := q.terms[i].prefix; p != "" && strings.HasPrefix(form, p) {
			yield(at, i)
		}
	}
}

// nearWords is how many words apart terms may be to speak of one thing.
const nearWords = 30

// look measures a candidate against the question.
func (q *question) look(c *candidate, stems *stemmer) {
	c.words = q.find(c.text, stems, func(at, term int) {
		c.seen = append(c.seen, place{at, term})
		c.matched |= 1 << term
	})
	for _, s := range [...]string{c.title, c.heading, c.place()} {
		q.find(s, stems, func(_, term int) { c.above |= 1 << term })
	}
	if d := cmp.Or(c.day, c.fileDay); d != 0 && !q.when.none() {
		q.find(dateWords(d), stems, func(_, term int) { c.above |= 1 << term })
	}
	low := ""
	for i, t := range q.terms {
		if t.within == "" {
			continue
		}
		if low == "" {
			low = text.Fold(c.title + "\n" + c.text)
		}
		if n := strings.Index(low, t.within); n >= 0 {
			c.matched |= 1 << i
			c.seen = append(c.seen, place{n / 6, i}) // about that many words in
		}
	}
	c.matched |= c.above
	q.lookAsked(c, stems)
	if c.kind == sessions {
		c.echo = q.echo(c, stems)
	}
}

// lookAsked measures the questions that a note answers, and its keywords, against the question: each as a text
// of its own, because another question's words say nothing for this one. With them .59 in place of .57 of the right notes are
// first in eval/memory forms -notes, and recall tells .53 in place of .49.
func (q *question) lookAsked(c *candidate, stems *stemmer) {
	if c.asked == "" {
		return
	}
	norm := bm25.Params{K1: rank.Memory().Constant("k1"), B: rank.Memory().Constant("b")}.Norm(1, 1)
	for line := range strings.SplitSeq(c.asked, "\n") {
		var mask uint64
		q.find(line, stems, func(_, term int) { mask |= 1 << term })
		c.matched |= mask
		c.askedWords |= mask
		share := q.share(mask)
		c.askedShare, c.askedBM25 = max(c.askedShare, share), max(c.askedBM25, share/(1+norm))
	}
}

// share is which part of the question's weight the terms of a mask have.
func (q *question) share(mask uint64) float64 {
	if q.ideal == 0 {
		return 0
	}
	var s float64
	for i := range q.terms {
		if mask>>i&1 != 0 {
			s += q.terms[i].idf
		}
	}
	return min(1, s/q.ideal)
}

// together is the largest share within nearWords words.
func (q *question) together(seen []place) (best float64) {
	if q.ideal == 0 {
		return 0
	}
	sorting.Stable(seen, func(a, b place) int { return a.at - b.at })
	var count [maxTerms]int
	sum, from := 0.0, 0
	for _, p := range seen {
		if count[p.term]++; count[p.term] == 1 {
			sum += q.terms[p.term].idf
		}
		for p.at-seen[from].at > nearWords {
			t := seen[from].term
			if count[t]--; count[t] == 0 {
				sum -= q.terms[t].idf
			}
			from++
		}
		best = max(best, sum)
	}
	return min(1, best/q.ideal)
}

// bm25 is the worth of the words of a candidate, of which average is usual, between 0 and 1. The terms of beside count once more.
func (q *question) bm25(c *candidate, average float64, beside uint64) float64 {
	if q.ideal == 0 {
		return 0
	}
	profile := rank.Memory()
	above := profile.Constant("title or heading")
	var tf [maxTerms]float64
	for _, p := range c.seen {
		tf[p.term]++
	}
	norm := bm25.Params{K1: profile.Constant("k1"), B: profile.Constant("b")}.Norm(float64(c.words), max(average, 1))
	var s float64
	for i := range q.terms {
		f := tf[i]
		if c.above>>i&1 != 0 {
			f += above
		}
		if beside>>i&1 != 0 {
			f++
		}
		if f > 0 {
			s += q.terms[i].idf * f / (f + norm)
		}
	}
	return min(1, s/q.ideal)
}

// rank orders candidates, best first. Those that least says are too far in meaning, and have no word of the question, are excluded.
func (q *question) rank(cs []*candidate, r ranking, least float64) []*candidate {
	profile := rank.Memory()
	m := measure{question: q, ranking: r, files: map[int64]uint64{}}
	total := 0
	for _, c := range cs {
		q.look(c, r.stems)
		total += c.words
		m.files[c.file] |= c.matched
		// Of texts that have nothing in common the cosine is a fourteenth as often as not
		// (192 dimensions), and two such deviations come to about .38 by its root.
		c.meaning = math.Sqrt(max(0, min(1, float64(c.cosine))))
	}
	m.average = float64(total) / float64(max(len(cs), 1))
	sure := 0.0
	for _, c := range cs {
		sure = max(sure, q.share(c.matched))
	}
	words := r.text * (1 + profile.Constant("trust in words")*sure*sure)
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return c.matched == 0 && c.meaning < least && c.guessed == 0 })
	s := profile.Scorer(rank.Variant{Kind: rank.Question, Meaning: r.vector > 0}, len(cs), r.explain)
	for _, c := range cs {
		// Weights are divided among the kinds of evidence that there are of the candidate.
		words, meaning := words, r.vector
		if c.cosine < -1 {
			meaning = 0
		}
		if len(q.terms) == 0 || words == 0 && meaning == 0 {
			words = 1
		}
		s.Balance(words/(words+meaning), meaning/(words+meaning))
		s.Add(m.of(c), rank.Groups{uint64(c.file)})
	}
	var out []*candidate
	for _, r := range s.Rank(func(a, b int) int {
		return cmp.Or(cmp.Compare(cs[b].when(), cs[a].when()), cmp.Compare(cs[a].path, cs[b].path), cmp.Compare(cs[a].first, cs[b].first))
	}) {
		if c := cs[r.At]; r.Evidence > 0 {
			c.evidence, c.score, c.breakdown = r.Evidence, r.Value, r.Breakdown
			out = append(out, c)
		}
	}
	return out
}

// doubtUnnamed holds a score below the one of a sure answer if the text lacks a name, number or word of code that the
// question has, because it is about another thing then.
func (q *question) doubtUnnamed(cs []*candidate) {
	for _, c := range cs {
		lacks := !q.hasVersions(c)
		for i, t := range q.terms {
			named := t.code || t.name || strings.ContainsAny(t.form, "0123456789")
			lacks = lacks || named && c.matched>>i&1 == 0
		}
		if lacks {
			c.score = min(c.score, rank.Sure-.01)
		}
	}
}

// hasVersions reports whether a candidate has all versions that the question names.
func (q *question) hasVersions(c *candidate) bool {
	if len(q.versions) == 0 {
		return true
	}
	said := c.title + "\n" + c.heading + "\n" + c.text + "\n" + c.asked
	return !slices.ContainsFunc(q.versions, func(v string) bool { return !slices.Contains(version.FindAllString(said, -1), v) })
}

// A measure says how strong the evidence for a candidate is.
type measure struct {
	*question
	ranking
	average float64          // words of a candidate
	files   map[int64]uint64 // terms of all candidates of a file
	values  [rank.NumMemory]float64
}

// of returns the values of the signals of a candidate, which are good until the next call.
func (m *measure) of(c *candidate) []float64 {
	m.values = [rank.NumMemory]float64{rank.MemoryMeaning: c.meaning, rank.MemoryGuessed: c.guessed}
	if len(m.terms) > 0 {
		m.byWords(c)
	}
	if m.ideal > 0 {
		named, lacks := 0.0, 0.0
		for i, t := range m.terms {
			switch {
			case !t.code && !t.proper:
			case c.matched>>i&1 == 1:
				named += t.idf
			default:
				lacks += t.idf
			}
		}
		m.values[rank.MemoryNamed] = min(1, named/m.ideal)
		if lacks > 0 {
			m.values[rank.MemoryNameless] = lacks / (named + lacks)
		}
	}
	d := cmp.Or(c.day, c.fileDay)
	m.values[rank.MemoryWhen] = m.when.near(d)
	if m.project != "" && c.project == m.project {
		m.values[rank.MemoryProject] = 1
	}
	if !c.evergreen && d != 0 && m.halfLife > 0 && m.when.none() {
		age := max(0, float64(m.today-d))
		m.values[rank.MemoryAge] = 1 - 1/(1+age/m.halfLife)
	}
	if c.newer = m.replaced[c.path]; c.newer != nil {
		m.values[rank.MemorySuperseded] = 1
	}
	m.byStanding(c, d)
	return m.values[:]
}

// byStanding measures what a note says of its own worth, how old it is beside others that do not fade, and whether it only asks.
func (m *measure) byStanding(c *candidate, d day) {
	from, to := m.today, m.today+1
	if m.when.to > 0 {
		from, to = m.when.from, m.when.to
	}
	if !c.standing.holds(from, to) {
		m.values[rank.MemoryInvalid] = 1
	}
	// A pinned note is not preferred if the question is about another time.
	then := 1.
	if d != 0 && !m.when.none() {
		then = m.when.near(d)
		m.values[rank.MemoryElsewhen] = 1 - then
	}
	if c.standing.pinned {
		m.values[rank.MemoryPinned] = then
	}
	if c.standing.importance > 0 {
		m.values[rank.MemoryImportant] = then * float64(c.standing.importance) / 2
	} else {
		m.values[rank.MemoryUnimportant] = float64(-c.standing.importance) / 2
	}
	if c.onlyAsks() || m.ranking.text > 0 { // its words are evidence
		m.values[rank.MemoryAsks] = c.echo
	}
	if d != 0 {
		m.values[rank.MemoryRecent] = 1 / (1 + max(0, float64(m.today-d))/rank.Memory().Constant("days of recency"))
	}
}

// byWords measures what the words of a candidate say.
func (m *measure) byWords(c *candidate) {
	m.values[rank.MemoryBM25] = min(1, max(m.bm25(c, m.average, 0), c.askedBM25)/rank.Memory().Constant("bm25 of a full match"))
	m.values[rank.MemoryTogether] = max(m.together(c.seen), c.askedShare)
	m.values[rank.MemoryFile] = m.share(m.files[c.file])
	m.values[rank.MemoryAbove] = m.share(c.above)
	for _, p := range m.quoted {
		if strings.Contains(text.Fold(c.title+"\n"+c.heading+"\n"+c.text), p) {
			m.values[rank.MemoryQuoted]++
		}
	}
	if len(m.versions) > 0 && m.hasVersions(c) {
		m.values[rank.MemoryQuoted]++
	}
}

// A ranking is what scores depend on beside the question.
type ranking struct {
	vector, text float64
	halfLife     float64 // days; 0: nothing fades
	today        day
	project      string                 // preferred
	replaced     map[string]*succession // by path
	stems        *stemmer
	explain      bool
}

// place is what the path of a note says of it.
func (c *candidate) place() string {
	if c.kind == sessions {
		return ""
	}
	return strings.TrimSuffix(c.path, path.Ext(c.path))
}

// onlyAsks reports whether a chunk of a session has the words of the question in a question alone.
func (c *candidate) onlyAsks() bool { return c.echo == 1 }

// when is the day that a candidate is of; 0: nothing says so.
func (c *candidate) when() day {
	if d := cmp.Or(c.day, c.fileDay); d != 0 || c.created == 0 {
		return d
	}
	return int(c.created / 86400)
}
