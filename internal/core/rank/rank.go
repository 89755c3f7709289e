package rank

import (
	"math"
	"slices"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
)

// Stats is what the whole index says of a plan's terms.
type Stats struct {
	Chunks int
	DF     []int // in how many chunks each term occurs
	// Meaning says that candidates were also found, and are measured, by meaning.
	Meaning bool
}

// A Hit is a ranked candidate.
type Hit struct {
	corpus.Candidate
	Value float64  // 0..1, comparable across queries
	Words float64  // the share of the query's words, by what they tell, that its file has
	Trail []Signal // what Value is made of
}

// A Signal is one piece of evidence and what it added to a score.
type Signal struct {
	Name  string  `json:"signal"`
	Value float64 `json:"value"` // how strong the evidence is
	Adds  float64 `json:"adds"`
}

// weights say how much each piece of evidence counts. They were fitted on the
// development projects of the code-search benchmark only.
type weights struct {
	BM25, Cover, DocCover, DocSum float64
	Named, Whole, Exact, Scoped   float64
	Stem, File, Folder            float64
	First                         float64
	Test, Example, Compat, Prose  float64
	Stub, Generated, Platform     float64
	Vendored                      float64
	Again                         float64
	Cosine                        float64
	Called                        float64
}

// fitted returns the weights for a kind of query, with or without meaning.
func fitted(k Kind, meaning bool) weights {
	w := weights{
		BM25: 2, Cover: .3, DocCover: .2, DocSum: .3,
		Named: .25, Whole: .25, Exact: .1, Scoped: .25,
		Stem: 1.5, File: 1.1, Folder: .28,
		First: .07,
		Test:  .55, Example: .5, Compat: .7, Prose: .45, Stub: .8, Generated: .6, Platform: .7, Vendored: .45,
		Again: .35,
	}
	if meaning {
		w.BM25, w.DocCover, w.Scoped, w.Cosine = .56, .28, .1, .95
		w.Whole, w.Exact = .3, .14
		w.Stem, w.File, w.Folder = .9, 2.8, .39
		w.Test, w.Platform = .65, .49
	}
	if k == Symbol {
		w.BM25, w.Whole, w.Exact, w.Named = 3, 1, 1, .4
		// Of several of one name, the one that is used: for words of prose, what is
		// called often is no more often meant.
		w.Called = .1
		if meaning {
			w.BM25, w.File = 1.2, 3.3
		}
	}
	return w
}

// Rank scores candidates and puts them in order, best first.
func Rank(p Plan, st Stats, cands []corpus.Candidate, explain bool) []Hit {
	w := fitted(p.Kind, st.Meaning)
	if p.Mode == Semantic && st.Meaning {
		w.byMeaning()
	}
	return rank(p, st, cands, w, explain)
}

// byMeaning leaves to words what they say beside the meaning.
func (w *weights) byMeaning() {
	for _, f := range []*float64{&w.BM25, &w.Cover, &w.DocCover, &w.DocSum, &w.Named, &w.Whole, &w.Exact, &w.Scoped, &w.Stem, &w.File, &w.Folder, &w.First, &w.Called} {
		*f *= wordsBeside
	}
	w.Cosine *= 2
}

// wordsBeside is how much words count where meaning was asked for.
const wordsBeside = .3

func rank(p Plan, st Stats, cands []corpus.Candidate, w weights, explain bool) []Hit {
	idf := make([]float64, len(p.Terms))
	var total, ideal float64
	for i, t := range p.Terms {
		idf[i] = float64(t.Weight) * bm25.IDF(max(st.Chunks, st.DF[i]), st.DF[i])
		ideal += idf[i] * 2.2
		if p.extra>>i&1 == 0 {
			total += idf[i]
		}
	}
	share := func(mask uint32) float64 {
		var s float64
		for i := range p.Terms {
			if mask>>i&1 != 0 {
				s += idf[i]
			}
		}
		return min(1, s/max(total, 1e-9))
	}
	// What all candidates are is nothing against any of them: notes are prose.
	spared := p.Wants
	if len(cands) > 0 {
		common := ^corpus.Flags(0)
		for i := range cands {
			common &= cands[i].Flags
		}
		spared |= common
	}
	hits := make([]Hit, 0, len(cands))
	for _, c := range cands {
		s := scorer{explain: explain}
		s.add("bm25", float64(c.Score)/max(ideal, 1e-9), w.BM25)
		s.add("words covered", share(c.Terms), w.Cover)
		s.add("words covered by the file", share(c.DocTerms), w.DocCover)
		s.add("the file's chunks together", math.Log1p(float64(c.DocScore)/max(ideal, 1e-9)), w.DocSum)
		s.add("named in a declaration", share(c.Named), w.Named)
		s.add("declares the symbol", share(c.Whole), w.Whole)
		if c.Whole&p.exact != 0 {
			s.add("declares the exact form", 1, w.Exact)
		}
		s.add("in a declaration of the name", share(c.Scoped), w.Scoped)
		s.add("in the file's name", share(c.Stem), w.Stem)
		s.add("is the file's name", share(c.File), w.File)
		s.add("in the folder's name", share(c.Folder), w.Folder)
		if c.First {
			s.add("first of its file", 1, w.First)
		}
		s.add("called by files", math.Log1p(float64(c.Called))*share(c.Named), w.Called)
		s.add("meaning", max(0, float64(c.Cosine)), w.Cosine)
		s.times("test", c.Flags&corpus.Test&^spared != 0, w.Test)
		s.times("example", c.Flags&corpus.Example&^spared != 0, w.Example)
		s.times("compatibility", c.Flags&corpus.Compat&^spared != 0, w.Compat)
		s.times("for another platform", c.Flags&corpus.Platform&^spared != 0, w.Platform)
		s.times("prose", c.Flags&corpus.Prose&^spared != 0, w.Prose)
		s.times("stub", c.Flags&corpus.Stub&^spared != 0, w.Stub)
		s.times("generated", c.Flags&corpus.Generated&^spared != 0, w.Generated)
		s.times("vendored", c.Flags&corpus.Vendored&^spared != 0, w.Vendored)
		hits = append(hits, Hit{Candidate: c, Value: s.sum, Words: share(c.Terms | c.DocTerms), Trail: s.trail})
	}
	hits = spread(hits, w.Again)
	half := halfway(p.Kind, st.Meaning)
	for i := range hits {
		hits[i].Value /= hits[i].Value + half
	}
	return hits
}

// halfway is the sum of evidence that scores 0.5. On the development projects 95
// of 100 questions have a right answer above it; of the questions that belong to
// another project about half have nothing above it, and 19 of 20 symbols.
func halfway(k Kind, meaning bool) float64 {
	switch {
	case k == Symbol && meaning:
		return 4.7
	case k == Symbol:
		return 2.9
	case meaning:
		return .79
	}
	return .62
}

type scorer struct {
	sum     float64
	trail   []Signal
	explain bool
}

func (s *scorer) add(name string, value, weight float64) {
	s.sum += value * weight
	if s.explain && value*weight != 0 {
		s.trail = append(s.trail, Signal{name, value, value * weight})
	}
}

func (s *scorer) times(name string, applies bool, factor float64) {
	if !applies {
		return
	}
	if s.explain {
		s.trail = append(s.trail, Signal{name, factor, s.sum * (factor - 1)})
	}
	s.sum *= factor
}

// spread orders hits by score, where each further chunk of a file counts again
// times less than the one before: a reader who has seen the file's best chunk
// finds the others.
func spread(hits []Hit, again float64) []Hit {
	order := func(a, b Hit) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		case a.Segment != b.Segment:
			return int(a.Segment) - int(b.Segment)
		}
		return int(a.Chunk) - int(b.Chunk)
	}
	slices.SortFunc(hits, order)
	type doc struct{ segment, doc uint32 }
	seen := map[doc]float64{}
	for i := range hits {
		d := doc{hits[i].Segment, hits[i].Doc}
		f, ok := seen[d]
		if !ok {
			f = 1
		}
		hits[i].Value *= f
		if f != 1 && hits[i].Trail != nil {
			hits[i].Trail = append(hits[i].Trail, Signal{"further chunk of its file", f, hits[i].Value * (1 - 1/f)})
		}
		seen[d] = f * again
	}
	slices.SortFunc(hits, order)
	return hits
}
