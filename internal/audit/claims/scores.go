package claims

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/assay-dev/assay/internal/code/rank"
)

// scores are what all spots have of the weight of some terms. Most spots have none of it: those that
// have are noted, and they alone are gone through and cleared again.
type scores struct {
	e                       *Evidence
	by                      *weights
	total                   float32
	weights                 []float32 // of the terms
	here, file, dir         []float32
	best, bestFile, bestDir []float32 // of one term; 0 again after it
	spots, files, dirs      []int32   // where that term is
	some                    []uint64  // a bit for each spot that has any
}

// score weighs all spots; what it returns is to be released.
func (e *Evidence) score(terms []term) *scores {
	s := e.blank(terms)
	for i := range terms {
		s.add(&terms[i], s.weights[i])
	}
	return s
}

// blank returns scores that know what the terms weigh and have added none yet; they are to be released.
func (e *Evidence) blank(terms []term) *scores {
	s, ok := e.free.Get().(*scores)
	if !ok {
		s = &scores{e: e, by: weigh(), here: make([]float32, len(e.spots)), file: make([]float32, len(e.files)), dir: make([]float32, e.ndirs),
			best: make([]float32, len(e.spots)), bestFile: make([]float32, len(e.files)), bestDir: make([]float32, e.ndirs), some: make([]uint64, (len(e.spots)+63)/64)}
	}
	s.total, s.weights = 0, s.weights[:0]
	for i := range terms {
		w := float32(terms[i].weight * e.rarity(&terms[i]))
		s.total, s.weights = s.total+w, append(s.weights, w)
	}
	return s
}

// add weighs all spots by one term.
func (s *scores) add(t *term, w float32) {
	e := s.e
	s.spots, s.files, s.dirs = s.spots[:0], s.files[:0], s.dirs[:0]
	for _, a := range t.alts {
		for _, p := range e.posts.Of(a.term) {
			at := p.Place()
			f := e.spots[at].file
			g := w * s.by.roles[p.Level()] * float32(a.factor) * e.trust[f]
			if g <= s.best[at] {
				continue // then it is no more for the file and the folder either
			}
			if s.best[at] == 0 {
				s.spots = append(s.spots, at)
			}
			s.best[at] = g
			if d := e.dirs[f]; g > s.bestFile[f] {
				if s.bestFile[f] == 0 {
					s.files = append(s.files, f)
				}
				if s.bestFile[f] = g; g > s.bestDir[d] {
					if s.bestDir[d] == 0 {
						s.dirs = append(s.dirs, d)
					}
					s.bestDir[d] = g
				}
			}
		}
	}
	for _, at := range s.spots {
		s.here[at] += s.best[at]
		s.best[at] = 0
		s.some[at>>6] |= 1 << (at & 63)
	}
	for _, f := range s.files {
		s.file[f] += s.bestFile[f]
		s.bestFile[f] = 0
	}
	for _, d := range s.dirs {
		s.dir[d] += s.bestDir[d]
		s.bestDir[d] = 0
	}
}

// each yields the spots that have any weight, in order.
func (s *scores) each(yield func(spot int)) {
	for w, set := range s.some {
		for ; set != 0; set &= set - 1 {
			yield(w<<6 + bits.TrailingZeros64(set))
		}
	}
}

func (s *scores) release() {
	s.each(func(i int) {
		f := s.e.spots[i].file
		s.here[i], s.file[f], s.dir[s.e.dirs[f]] = 0, 0, 0
	})
	clear(s.some)
	s.e.free.Put(s)
}

// of returns the score of a spot, and what it is measured by: the part of the weight in
// its own lines, in its file, and in its folder.
func (s *scores) of(i int) (score float64, m measures) {
	if s.here[i] <= 0 || s.total == 0 {
		return 0, m
	}
	f := s.e.spots[i].file
	file, folder := s.signals(f)
	m[rank.ClaimsHere], m[file], m[folder] = float64(s.here[i]/s.total), float64(s.file[f]/s.total), float64(s.dir[s.e.dirs[f]]/s.total)
	return min(1, s.by.scorer.Evidence(m[:])), m
}

// signals returns by which signals the words of a file and of its folder count.
func (s *scores) signals(f int32) (file, folder int) {
	e, many := s.e, s.by.manySpots
	file, folder = rank.ClaimsFile, rank.ClaimsFolder
	if e.first[f+1]-e.first[f] > many {
		file = rank.ClaimsBigFile
	}
	if e.sizes[e.dirs[f]] > 10*many {
		folder = rank.ClaimsBigFolder
	}
	return file, folder
}

// own is the evidence of the lines of a spot alone, and around that of its file and folder: the greater is what of
// returns, without its measures.
func (s *scores) own(spot int32) float64 {
	return float64(s.here[spot]/s.total) * s.by.places[rank.ClaimsHere]
}

func (s *scores) around(f int32) float64 {
	file, folder := s.signals(f)
	return max(float64(s.file[f]/s.total)*s.by.places[file], float64(s.dir[s.e.dirs[f]]/s.total)*s.by.places[folder])
}

// find returns the spots that have most of the weight of some terms, best first,
// with the part they have as score.
func (e *Evidence) find(terms []term, limit int, threshold float64) []Match {
	if len(e.spots) == 0 || limit < 1 {
		return nil
	}
	s := e.score(terms)
	defer s.release()
	// Spots are by place, so that of equals the first stays before the others.
	var top []Match
	var spots []int
	file, around := int32(-1), 0.0
	s.each(func(i int) {
		if f := e.spots[i].file; f != file {
			file, around = f, s.around(f)
		}
		// Most spots are worse than the worst that is kept, and nothing else is to be known of them.
		if quick := min(1, max(s.own(int32(i)), around)); quick < threshold || len(top) == limit && quick < top[limit-1].Score {
			return
		}
		score, m := s.of(i)
		if score < threshold || score <= 0 {
			return
		}
		here := m[rank.ClaimsHere]
		if len(top) == limit {
			if l := &top[limit-1]; score < l.Score || score == l.Score && here <= l.values[rank.ClaimsHere] {
				return
			}
			top, spots = top[:limit-1], spots[:limit-1]
		}
		at := sort.Search(len(top), func(k int) bool {
			return top[k].Score < score || top[k].Score == score && top[k].values[rank.ClaimsHere] < here
		})
		top, spots = slices.Insert(top, at, Match{Score: score, values: m}), slices.Insert(spots, at, i)
	})
	for k := range top {
		top[k].stand(e, spots[k])
	}
	return top
}
