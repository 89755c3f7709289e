package claims

import (
	"slices"
	"sort"

	"github.com/assay-dev/assay/internal/code/rank"
)

// scores are the weights of some terms in all spots, files and folders.
type scores struct {
	e                       *Evidence
	by                      *weights
	total                   float32
	here, file, dir         []float32
	best, bestFile, bestDir []float32 // of one term; 0 again after it
	spots, files, dirs      []int32   // where that term is
}

// score weighs all spots.
func (e *Evidence) score(terms []term) *scores {
	s := &scores{e: e, by: weigh(), here: make([]float32, len(e.spots)), file: make([]float32, len(e.files)), dir: make([]float32, e.ndirs),
		best: make([]float32, len(e.spots)), bestFile: make([]float32, len(e.files)), bestDir: make([]float32, e.ndirs)}
	for i := range terms {
		w := float32(terms[i].weight * e.rarity(&terms[i]))
		s.total += w
		s.add(&terms[i], w)
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

// find returns the spots that have most of the weight of some terms, best first,
// with the part they have as score.
func (e *Evidence) find(terms []term, limit int, threshold float64) []Match {
	if len(e.spots) == 0 || limit < 1 {
		return nil
	}
	s := e.score(terms)
	// Spots are by place, so that of equals the first stays before the others.
	var top []Match
	var spots []int
	for i := range e.spots {
		score, m := s.of(i)
		if score < threshold || score <= 0 {
			continue
		}
		here := m[rank.ClaimsHere]
		if len(top) == limit {
			if l := &top[limit-1]; score < l.Score || score == l.Score && here <= l.values[rank.ClaimsHere] {
				continue
			}
			top, spots = top[:limit-1], spots[:limit-1]
		}
		at := sort.Search(len(top), func(k int) bool {
			return top[k].Score < score || top[k].Score == score && top[k].values[rank.ClaimsHere] < here
		})
		top, spots = slices.Insert(top, at, Match{Score: score, values: m}), slices.Insert(spots, at, i)
	}
	for k := range top {
		top[k].stand(e, spots[k])
	}
	return top
}
