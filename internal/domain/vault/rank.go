package vault

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/core/rank"
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

	cosine  float32 // -2: it has no vector
	seen    []place // the terms of the question in its text, in order
	words   int
	matched uint64 // terms in text, heading or title, by bit
	above   uint64 // terms in heading or title

	worded, meaning float64 // what the two legs give
	score           float64 // may exceed 1
	trail           []rank.Signal
}

type place struct{ at, term int }

const selectCandidates = `SELECT c.id, c.file, c.first, c.last, c.heading, c.day, c.text, f.kind, f.path, f.title, f.category, f.project, f.day, f.created, f.evergreen, f.session
	FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN (`

func readCandidates(ctx context.Context, tx *sql.Tx, ids []int64) ([]*candidate, error) {
	rows, err := tx.QueryContext(ctx, selectCandidates+numbers64(ids)+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []*candidate
	for rows.Next() {
		c := &candidate{cosine: -2}
		if err := rows.Scan(&c.id, &c.file, &c.first, &c.last, &c.heading, &c.day, &c.text, &c.kind, &c.path, &c.title, &c.category, &c.project,
			&c.fileDay, &c.created, &c.evergreen, &c.session); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// terms calls yield with the place and the number of each term of the question in
// s, and returns how many words s has.
func (q *question) find(s string, stems stemmer, yield func(at, term int)) (words int) {
	var buf [64]byte
	var parts []string
	text.Words([]byte(s), func(w []byte) {
		at := words
		words++
		if simple(w) {
			// A stem begins as its word does: most words need not be stemmed.
			c := w[0] | 0x20
			if !q.first[c] {
				return
			}
			low := append(buf[:0], c)
			low = append(low, w[1:]...)
			if k, ok := q.at[stems.ofBytes(low)]; ok {
				yield(at, k)
			}
			q.begins(string(low), at, yield)
			return
		}
		parts = forms(parts[:0], string(w))
		for _, f := range parts {
			if f == "" || f[0] < utf8.RuneSelf && !q.first[f[0]] {
				continue
			}
			if k, ok := q.at[stems.of(f)]; ok {
				yield(at, k)
			}
			q.begins(f, at, yield)
		}
	})
	return words
}

// begins calls yield with the terms that are looked for where words begin.
func (q *question) begins(form string, at int, yield func(at, term int)) {
	for i := range q.terms {
		if p := q.terms[i].prefix; p != "" && strings.HasPrefix(form, p) {
			yield(at, i)
		}
	}
}

// near is how many words apart terms may stand to speak of one thing.
const nearWords = 30

// look reads a candidate with the eyes of the question.
func (q *question) look(c *candidate, stems stemmer) {
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
			low = fold(c.title + "\n" + c.text)
		}
		if n := strings.Index(low, t.within); n >= 0 {
			c.matched |= 1 << i
			c.seen = append(c.seen, place{n / 6, i}) // about that many words in
		}
	}
	c.matched |= c.above
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

// together is the largest share that stands within nearWords words.
func (q *question) together(seen []place) (best float64) {
	if q.ideal == 0 {
		return 0
	}
	slices.SortStableFunc(seen, func(a, b place) int { return a.at - b.at })
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

// bm25 is the worth of the words of a candidate, of which average is usual, between
// 0 and 1.
func (q *question) bm25(c *candidate, average float64) float64 {
	if q.ideal == 0 {
		return 0
	}
	const k1, b = 1.2, .75
	var tf [maxTerms]float64
	for _, p := range c.seen {
		tf[p.term]++
	}
	norm := k1 * (1 - b + b*float64(c.words)/max(average, 1))
	var s float64
	for i := range q.terms {
		f := tf[i]
		if c.above>>i&1 != 0 {
			f += 2
		}
		if f > 0 {
			s += q.terms[i].idf * f / (f + norm)
		}
	}
	return min(1, s/q.ideal)
}

// What each piece of evidence by words counts. A chunk that has all words of the
// question together, and more than once, comes to about 1.
const (
	weighBM25     = .60
	weighTogether = .40
	weighFile     = .30
	weighAbove    = .15
	// What is added where it applies.
	addQuoted  = .20
	addPhrase  = .15
	addPair    = .04
	addNamed   = .25
	addWhen    = .10
	addProject = .03
	// What a score is multiplied by.
	fadeFloor    = .95 // at least, of what is dated
	replacedBy   = .40 // of a note that another one supersedes
	furtherChunk = .30 // of a file, for those after its best: memory_get reads on
)

// rank gives the candidates their scores. The meaning of a candidate is the root of
// the cosine: between texts that have nothing in common it is a sixteenth as often
// as not (256 dimensions), and two such deviations come to about .35.
func (q *question) rank(cs []*candidate, r ranking) {
	stems := r.stems
	total, n := 0, 0
	files := map[int64]uint64{}
	for _, c := range cs {
		q.look(c, stems)
		total += c.words
		n++
		files[c.file] |= c.matched
	}
	average := float64(total) / float64(max(n, 1))
	// Words are trusted as far as some text has those of the question: where the best
	// has half of them, chance has as large a part in it.
	sure := 0.0
	for _, c := range cs {
		sure = max(sure, q.share(c.matched))
	}
	for _, c := range cs {
		c.worded = q.byWords(c, average, files[c.file], r.explain)
		c.meaning = math.Sqrt(max(0, min(1, float64(c.cosine))))
		wv, wt := r.vector, r.text*(1+3*sure*sure)
		if c.cosine < -1 {
			wv = 0
		}
		if len(q.terms) == 0 || wt == 0 && wv == 0 {
			wt = 1
		}
		sum := wv + wt
		if sum == 0 {
			continue
		}
		c.score = (wv*c.meaning + wt*c.worded) / sum
		if r.explain {
			c.trail = append(c.trail, rank.Signal{Name: "meaning", Value: c.meaning, Adds: wv * c.meaning / sum}, rank.Signal{Name: "words", Value: c.worded, Adds: wt * c.worded / sum})
		}
		q.circumstances(c, r)
	}
}

// byWords is what the words of a candidate say: about 1 where it has all of them,
// more where it has them as the question does.
func (q *question) byWords(c *candidate, average float64, file uint64, explain bool) float64 {
	if len(q.terms) == 0 {
		return 0
	}
	sum := 0.0
	add := func(name string, value, weight float64) {
		sum += value * weight
		if explain && value*weight != 0 {
			c.trail = append(c.trail, rank.Signal{Name: "words: " + name, Value: value, Adds: value * weight})
		}
	}
	add("bm25", min(1, 1.6*q.bm25(c, average)), weighBM25)
	add("together", q.together(c.seen), weighTogether)
	add("in the file", q.share(file), weighFile)
	add("in title or heading", q.share(c.above), weighAbove)
	low := ""
	folded := func() string {
		if low == "" {
			low = fold(c.title + "\n" + c.heading + "\n" + c.text)
		}
		return low
	}
	for _, p := range q.quoted {
		if strings.Contains(folded(), p) {
			add("quoted", 1, addQuoted)
		}
	}
	if len(q.content) > 1 && len(q.phrase) > 6 && c.matched != 0 && strings.Contains(folded(), q.phrase) {
		add("phrase", 1, addPhrase)
	}
	add("neighbours", float64(q.pairs(c)), addPair)
	return sum
}

// pairs counts which neighbours of the question stand side by side in a candidate,
// at most three.
func (q *question) pairs(c *candidate) (n int) {
	for i := 0; i+1 < len(q.content); i++ {
		a, aok := q.at[q.content[i]]
		b, bok := q.at[q.content[i+1]]
		if !aok || !bok || a == b {
			continue
		}
		for k := 0; k+1 < len(c.seen); k++ {
			if c.seen[k].term == a && c.seen[k+1].term == b && c.seen[k+1].at-c.seen[k].at <= 2 {
				n++
				break
			}
		}
	}
	return min(n, 3)
}

// circumstances adds to a score what is neither words nor meaning.
func (q *question) circumstances(c *candidate, r ranking) {
	add := func(name string, value, weight float64) {
		if value*weight == 0 {
			return
		}
		c.score += value * weight
		if r.explain {
			c.trail = append(c.trail, rank.Signal{Name: name, Value: value, Adds: value * weight})
		}
	}
	times := func(name string, factor float64) {
		if r.explain && factor != 1 {
			c.trail = append(c.trail, rank.Signal{Name: name, Value: factor, Adds: c.score * (factor - 1)})
		}
		c.score *= factor
	}
	if q.ideal > 0 {
		named := 0.0
		for i, t := range q.terms {
			if (t.code || t.proper) && c.matched>>i&1 == 1 {
				named += t.idf
			}
		}
		add("named", min(1, named/q.ideal), addNamed)
	}
	d := cmp.Or(c.day, c.fileDay)
	add("of the time asked about", q.when.near(d), addWhen)
	if r.project != "" && c.project == r.project {
		add("of this project", 1, addProject)
	}
	if !c.evergreen && d != 0 && r.halfLife > 0 && q.when.none() {
		age := max(0, float64(r.today-d))
		times("age", fadeFloor+(1-fadeFloor)/(1+age/r.halfLife)) // half of it is gone by then, and never all
	}
	if _, ok := r.replaced[c.path]; ok {
		times("superseded", replacedBy)
	}
}

// A ranking is what scores depend on beside the question.
type ranking struct {
	vector, text float64
	halfLife     float64 // days; 0: nothing fades
	today        day
	project      string            // preferred
	replaced     map[string]string // by what, by path
	stems        stemmer
	explain      bool
}

// place is what the path of a note says of it.
func (c *candidate) place() string {
	if c.kind == sessions {
		return ""
	}
	return strings.TrimSuffix(c.path, path.Ext(c.path))
}
