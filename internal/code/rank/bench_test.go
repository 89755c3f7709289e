package rank

import (
	"math/rand/v2"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// BenchmarkRank scores as many candidates as a search has.
func BenchmarkRank(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, query := range []string{"parseHTTPRequest", "how does path matching work in the router"} {
		p := Parse(query, Hybrid)
		st := Stats{Chunks: 100_000, Meaning: true}
		for range p.Terms {
			st.DF = append(st.DF, r.IntN(1000))
		}
		mask := func(sparse int) uint32 { // each bit of 2^sparse
			m := uint32(1)<<len(p.Terms) - 1
			for range sparse {
				m &= r.Uint32()
			}
			return m
		}
		cands := make([]corpus.Candidate, 512)
		for i := range cands {
			cands[i] = corpus.Candidate{Ref: corpus.Ref{Chunk: uint32(i)}, Doc: uint32(i / 3), Score: 20 * r.Float32(), Cosine: r.Float32(), Terms: mask(2), Named: mask(4),
				Whole: mask(6), DocTerms: mask(2), Stem: mask(4), DocScore: 40 * r.Float32(), Flags: corpus.Flags(1<<r.IntN(16)) & 0x3ff}
		}
		b.Run(p.Kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Rank(p, st, cands, false)
			}
		})
	}
}
