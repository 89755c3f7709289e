package claims

import (
	"sync"

	"github.com/assay-dev/assay/internal/code/rank"
)

// The numbers of profile claims that are of no signal; its file says what each is.
type weights struct {
	roles            [declared + 1]float32
	test, data       float32
	manySpots        int32
	name, code       float64 // of words
	scope            float64
	synonym, whole   float64 // of words in place of others
	alike            float64
	never, otherwise float64
	mention          float64
	// scorer adds up evidence, for any number of goroutines: it keeps nothing.
	scorer *rank.Scorer
}

var weigh = sync.OnceValue(func() *weights {
	c := rank.Claims().Constant
	w := &weights{
		roles: [...]float32{inComment: float32(c("in a comment")), inCode: float32(c("in code")), inString: float32(c("in a string")), declared: float32(c("declared"))},
		test:  float32(c("in a test")), data: float32(c("in data")),
		manySpots: int32(c("pieces of a large file")),
		name:      c("the name"), code: c("another name"), scope: c("scope of a name"),
		synonym: c("synonym"), whole: c("name in one word"),
		alike: c("alike in any case"),
		never: c("never enough"), otherwise: c("has it otherwise"), mention: c("mention"),
		scorer: rank.Claims().Scorer(rank.Variant{}, 0, false),
	}
	return w
})

// The measures of a place are the values of the signals of profile claims.
type measures [rank.NumClaims]float64

// measure sets what is known of a hit.
func (h *Match) measure(signal int, value float64) {
	h.values[signal] = value
	h.Score = weigh().scorer.Evidence(h.values[:])
}
