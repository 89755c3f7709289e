package rank

import (
	"math"

	"github.com/assay-dev/assay/internal/base/text"
)

// The signals of a file that a task may change, in the order of the profile's file.
// Feature brief measures them, and those of declarations and of tests.
const (
	FilesNear = iota
	FilesTogether
	FilesWords
	FilesTraced
	FilesMentioned
	FilesUsed
	FilesUses
	FilesTest
	FilesProse
	FilesForeign
	NumFiles
)

// Files is the profile of files that a task may change.
var Files = open("files", NumFiles)

// The signals of a declaration that a task may change. All but the last are times the
// score of its file.
const (
	PlacesFile = iota
	PlacesNear
	PlacesWords
	PlacesNamed
	PlacesLong
	PlacesAlone
	PlacesCalled
	PlacesTraced
	NumPlaces
)

// Places is the profile of declarations that a task may change.
var Places = open("places", NumPlaces)

// The signals of a test that a change of likely declarations may break.
const (
	TestsHit = iota
	TestsFirst
	TestsNamed
	TestsCalls
	TestsImports
	TestsTraced
	NumTests
)

// Tests is the profile of tests that a task may break.
var Tests = open("tests", NumTests)

// Chance turns a score of a profile of what a task changes into how likely it is: its odds
// to the power that the profile calls steepness.
func (p *Profile) Chance(score float64) float64 {
	if score <= 0 {
		return 0
	}
	odds := math.Pow(score/max(1-score, 1e-9), p.Constant("steepness"))
	return odds / (1 + odds)
}

// A Telling says how much of what a query asks for a text has.
type Telling struct {
	m  *measure
	at map[string]int
}

// Telling weighs the terms of a plan by statistics.
func (p Plan) Telling(st Stats) *Telling {
	t := &Telling{newMeasure(p, st, nil), make(map[string]int, len(p.Terms))}
	for i, term := range p.Terms {
		t.at[term.Text] = i
	}
	return t
}

// Share returns which part of the query's terms, by what they tell, a text has: a name, or
// a line.
func (t *Telling) Share(s string) float64 {
	var mask uint32
	text.EachWord(s, func(w []byte) {
		for _, term := range text.Code().Terms(nil, w) {
			if i, ok := t.at[term]; ok {
				mask |= 1 << i
			}
		}
	})
	return t.m.share(mask)
}

// Of returns the same of the terms of a mask.
func (t *Telling) Of(mask uint32) float64 { return t.m.share(mask) }
