package rank

import (
	"math"
	"math/bits"

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

// A Ranked is a ranked candidate.
type Ranked struct {
	corpus.Candidate
	Value     float64  // 0..1, comparable across queries
	Words     float64  // the share of the query's words, by what they tell, that its file has
	Breakdown []Signal // of Value, where it is to be explained
}

// The signals of the code profile, in the order of its file.
const (
	codeBM25 = iota
	codeCover
	codeDocCover
	codeDocSum
	codeNamed
	codeDeclared
	codeExact
	codeScoped
	codeStem
	codeFile
	codeFolder
	codeFirst
	codeCalled
	codeInFile
	codeAtPlace
	codeHistory
	codeFileCalled
	codeDeclaration
	codeFileAlike
	codeCoverAlike
	codeFileNamed
	codeFileBest
	codeFileDense
	codeMeaning
	codeFileMeaning
	codeNamedMeaning
	codeGuessed
	codeTest
	codeExample
	codeCompat
	codePlatform
	codeProse
	codeStub
	codeGenerated
	codeVendored
	numCode
)

// Code is the profile of source code: the group of a candidate is its file.
var Code = open("code", numCode)

// codeFlags are the sorts of document that a factor of the profile is for.
var codeFlags = [...]struct {
	flag   corpus.Flags
	signal int
}{
	{corpus.Test, codeTest}, {corpus.Example, codeExample}, {corpus.Compat, codeCompat}, {corpus.Platform, codePlatform}, {corpus.Prose, codeProse},
	{corpus.Stub, codeStub}, {corpus.Generated, codeGenerated}, {corpus.Vendored, codeVendored},
}

// A measure says how strong the evidence for a candidate is.
type measure struct {
	own      uint32           // terms that do not only add to others
	exact    uint32           // terms in the exact form of a declared name
	idf      []float64        // of each term, times its weight
	total    float64          // of the terms that do not only add to others
	ideal    float64          // the most that BM25 gives
	expected corpus.Flags     // sorts of document that are held against none
	values   [numCode]float64 // of the candidate that was measured last
}

func newMeasure(p Plan, st Stats, cands []corpus.Candidate) *measure {
	m := &measure{exact: p.exact, idf: make([]float64, len(p.Terms)), expected: p.Wants}
	most := bm25.Default().K1 + 1
	for i, t := range p.Terms {
		m.idf[i] = float64(t.Weight) * bm25.IDF(max(st.Chunks, st.DF[i]), st.DF[i])
		m.ideal += m.idf[i] * most
		if p.extra>>i&1 == 0 {
			m.own |= 1 << i
			m.total += m.idf[i]
		}
	}
	const least = 1 / float64(1<<30) // a query may have no terms
	m.total, m.ideal = max(m.total, least), max(m.ideal, least)
	// What all candidates are is nothing against any of them: notes are prose.
	if len(cands) > 0 {
		common := ^corpus.Flags(0)
		for i := range cands {
			common &= cands[i].Flags
		}
		m.expected |= common
	}
	return m
}

// share returns which part of the query's terms, by what they tell, a mask has.
func (m *measure) share(mask uint32) float64 {
	var s float64
	for mask &= 1<<len(m.idf) - 1; mask != 0; mask &= mask - 1 {
		s += m.idf[bits.TrailingZeros32(mask)]
	}
	return min(1, s/m.total)
}

// alike returns which part of the query's terms a mask has, whatever they tell: the core of a
// project is named by a word that is everywhere in it, and tells nothing by its IDF.
func (m *measure) alike(mask uint32) float64 {
	return float64(bits.OnesCount32(mask&m.own)) / float64(max(1, bits.OnesCount32(m.own)))
}

// code returns the values of the code profile's signals, which are good until the
// next call.
func (m *measure) code(c *corpus.Candidate, l look) []float64 {
	m.values = [numCode]float64{
		codeBM25:     float64(c.Score) / m.ideal,
		codeCover:    m.share(c.Terms),
		codeDocCover: m.share(c.DocTerms),
		codeDocSum:   math.Log1p(float64(c.DocScore) / m.ideal),
		codeNamed:    m.share(c.Named),
		codeDeclared: m.share(c.Whole),
		codeExact:    of(c.Whole&m.exact != 0),
		codeScoped:   m.share(c.Scoped),
		codeStem:     m.share(c.Stem),
		codeFile:     m.share(c.File),
		codeFolder:   m.share(c.Folder),
		codeFirst:    of(c.First),
		codeInFile:   float64(c.InFile),
		codeAtPlace:  float64(c.AtPlace),
		codeHistory:  float64(c.History),
		codeMeaning:  max(0, float64(c.Cosine)),

		codeFileCalled:  math.Log1p(float64(l.fileCalled)),
		codeDeclaration: of(l.declaration),
		codeFileMeaning: max(0, float64(l.fileCosine)),

		codeFileAlike:  m.alike(c.File),
		codeCoverAlike: m.alike(c.Terms),
		codeFileNamed:  m.share(l.fileNamed),
		codeFileBest:   float64(c.DocBest) / m.ideal,
		codeFileDense:  float64(c.DocScore) / m.ideal / math.Sqrt(max(1, float64(c.Chunks))),
	}
	m.values[codeNamedMeaning] = m.values[codeNamed] * m.values[codeMeaning]
	m.values[codeCalled] = math.Log1p(float64(l.called)) * m.values[codeNamed]
	for _, f := range codeFlags {
		m.values[f.signal] = of(c.Flags&f.flag&^m.expected != 0)
	}
	return m.values[:]
}

// of returns the strength of evidence that is there or not.
func of(there bool) float64 {
	if there {
		return 1
	}
	return 0
}
