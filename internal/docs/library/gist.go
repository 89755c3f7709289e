package library

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/cache"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/rank"
)

// keepGists is how many bytes of gists are kept at most: some four thousand.
const keepGists = 4 << 20

// A gist is what questions are compared with word by word, and what else is measured of a candidate whatever the question
// is. It is shared, and nobody changes it.
type gist struct {
	name string    // or its heading
	mean []float32 // of the vectors of the words of that and of what is said first below
	said string    // the marks of that, of a declaration
	own  [ownSignals]float64
}

// bytes is how many it takes, with what the map that it is kept in does.
func (g *gist) bytes() int { return len(g.name) + 4*len(g.mean) + len(g.said) + 250 }

// ownSignals are those from rank.DocsSigned on that a declaration has whatever others say of it.
const ownSignals = 5

type gistKey struct {
	checksum string
	at       int
}

type gists = cache.Map[gistKey, *gist]

func newGists() *gists { return cache.New[gistKey, *gist](keepGists) }

// gists returns those of the candidates at some places. The contents are read of those alone whose gist is not kept.
func (s *search) gists(w *wording, all []ranked, at []int) ([]*gist, error) {
	out := make([]*gist, len(at))
	var missing, places []int
	for n, i := range at {
		if s.r.Checksum != "" {
			out[n], _ = s.d.gists.Get(gistKey{s.r.Checksum, all[i].at})
		}
		if out[n] == nil {
			missing, places = append(missing, n), append(places, i)
		}
	}
	read, err := s.whole(all, places)
	if err != nil {
		return nil, err
	}
	for k, n := range missing {
		c := &all[places[k]]
		*c = read[k]
		out[n] = w.gist(c)
		if s.r.Checksum != "" {
			s.d.gists.Put(gistKey{s.r.Checksum, c.at}, out[n], out[n].bytes())
		}
	}
	return out, nil
}

// gist returns that of a candidate that was read whole.
func (w *wording) gist(c *ranked) *gist {
	name, first := c.s.Title, firstSentence(said(&c.s))
	if c.declares {
		name = member(name)
	}
	g := &gist{name: strings.Clone(name), mean: make([]float32, w.model.Dims)}
	w.each(name, false, func(v []float32) { vec.Axpy(g.mean, v, 1) })
	w.each(first, true, func(v []float32) { vec.Axpy(g.mean, v, 1) })
	if c.declares {
		g.said = w.marker.of(first)
		g.own = ownOf(&c.s)
	}
	return g
}

// ownOf measures what tells a declaration that people ask for from those beside it, whatever the question: one that takes
// much, and of which much is said, is not a detail of another.
func ownOf(s *Snippet) (own [ownSignals]float64) {
	signature, rest := signed(s)
	set := func(signal int, value float64) { own[signal-rank.DocsSigned] = value }
	set(rank.DocsSigned, math.Log1p(float64(len(signature))))
	set(rank.DocsDescribed, math.Log1p(float64(len(rest))))
	set(rank.DocsShallow, -float64(strings.Count(s.Path, "/")))
	if first, _ := utf8.DecodeRuneInString(member(s.Title)); !unicode.IsUpper(first) {
		set(rank.DocsSmall, 1)
	}
	if !strings.Contains(strings.ToLower(rest[:min(len(rest), 400)]), "deprecated") {
		set(rank.DocsCurrent, 1)
	}
	return own
}
