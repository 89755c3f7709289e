package rank

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Ranking puts the candidates of a query in order. What the index says of all of them
// is measured at once; what costs a look at each is measured of the best few.
type Ranking struct {
	m     *measure
	cands []corpus.Candidate
	looks []look // by candidate
	s     *Scorer

	guesses   []float64 // by candidate, what guesses come to; nil without any
	unguessed []int     // the best without them, which are worth a closer look all the same
}

// A look is what is known of a candidate beside what the index proposed it for.
type look struct {
	called      uint16
	fileCalled  uint16  // the most of its file's candidates
	fileCosine  float32 // likewise
	fileNamed   uint32  // what any of them names
	declaration bool
}

// closely is how many of the best candidates are worth a closer look.
const closely = 40

// A Seen is what a closer look at a candidate shows.
type Seen struct {
	Scope   string
	Symbols []corpus.Symbol
	Called  uint16 // in how many documents the most called of its names is called
}

// NewRanking measures candidates.
func NewRanking(p Plan, st Stats, cands []corpus.Candidate, explain bool) *Ranking {
	r := &Ranking{m: newMeasure(p, st, cands), cands: cands, looks: make([]look, len(cands))}
	r.s = Code().Scorer(Variant{p.Kind, p.Mode, st.Meaning}, len(cands), explain)
	r.files()
	for i := range cands {
		r.s.Add(r.values(i), Groups{docOf(&cands[i])})
	}
	return r
}

// files measures what a candidate has of the others of its file.
func (r *Ranking) files() {
	files := make(map[uint64]int, len(r.cands)) // the first candidate of each
	for i := range r.cands {
		c := &r.cands[i]
		first, again := files[docOf(c)]
		if !again {
			first = i
			files[docOf(c)] = i
		}
		f := &r.looks[first]
		f.fileNamed, f.fileCosine = f.fileNamed|c.Named, max(f.fileCosine, c.Cosine)
	}
	for i := range r.cands {
		f := &r.looks[files[docOf(&r.cands[i])]]
		r.looks[i].fileNamed, r.looks[i].fileCosine = f.fileNamed, f.fileCosine
	}
}

// docOf returns what the candidates of a document share.
func docOf(c *corpus.Candidate) uint64 { return uint64(c.Segment)<<32 | uint64(c.Doc) }

func (r *Ranking) values(i int) []float64 {
	values := r.m.code(&r.cands[i], r.looks[i])
	if r.guesses != nil {
		values[codeGuessed] = r.guesses[i]
	}
	return values
}

// Best returns which candidates a closer look is for, in the order of the candidates.
func (r *Ranking) Best() []int {
	at := make([]int, 0, closely)
	if len(r.cands) <= closely {
		for i := range r.cands {
			at = append(at, i)
		}
		return at
	}
	// The least evidence of the best: all that reach it are looked at, so that the order
	// in which candidates come has no say.
	evidence := make([]float64, len(r.cands))
	for i := range r.s.results {
		evidence[i] = r.s.results[i].Evidence
	}
	sorting.Stable(evidence, cmp.Compare[float64])
	least := evidence[len(evidence)-closely]
	for i := range r.s.results {
		if r.s.results[i].Evidence >= least || slices.Contains(r.unguessed, i) {
			at = append(at, i)
		}
	}
	return at
}

// Declares reports whether a candidate declares a name that has a word of the query: only
// of those it matters who calls them.
func (r *Ranking) Declares(i int) bool { return r.cands[i].Named != 0 }

// Look takes in what a closer look at the candidates of Best has shown.
func (r *Ranking) Look(at []int, seen []Seen) {
	files := make(map[uint64]int, len(at)) // the first look at each
	for k, i := range at {
		l := &r.looks[i]
		l.called, l.declaration = seen[k].Called, seen[k].Scope != "" || len(seen[k].Symbols) > 0
		first, again := files[docOf(&r.cands[i])]
		if !again {
			first = i
			files[docOf(&r.cands[i])] = i
		}
		f := &r.looks[first]
		f.fileCalled = max(f.fileCalled, l.called)
	}
	for _, i := range at {
		r.looks[i].fileCalled = r.looks[files[docOf(&r.cands[i])]].fileCalled
		r.s.set(i, r.values(i))
	}
}

// Values returns the values of the profile's signals of every candidate, for those who fit
// its weights.
func (r *Ranking) Values() [][]float64 {
	out := make([][]float64, len(r.cands))
	for i := range out {
		out[i] = slices.Clone(r.values(i))
	}
	return out
}

// Hits returns the candidates in order, best first. Of equal ones, those of one document
// are in its order; the caller, who knows the paths, orders the others.
func (r *Ranking) Hits() []Ranked {
	ranked := r.s.Rank(func(a, b int) int {
		return cmp.Or(cmp.Compare(r.cands[a].Segment, r.cands[b].Segment), cmp.Compare(r.cands[a].Chunk, r.cands[b].Chunk))
	})
	hits := make([]Ranked, len(ranked))
	for i, x := range ranked {
		c := &r.cands[x.At]
		hits[i] = Ranked{Candidate: *c, Value: x.Value, Words: r.m.share(c.Terms | c.DocTerms), Breakdown: x.Breakdown}
	}
	return hits
}
