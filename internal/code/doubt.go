package code

import (
	"fmt"
	"github.com/assay-dev/assay/internal/base/slice"
	"slices"
	"strconv"
	"strings"
)

// mostMissing is how many words are named that no file has.
const mostMissing = 8

const (
	noWords   = "no file has any of these words"
	byMeaning = "; the hits are the nearest by meaning"
	onlyStops = "the query has only words that are everywhere, so its hits say little: say what to find"
)

// doubt adds the note on what speaks against all hits: that no file has some or all of the
// words, and that none reaches the score that answers have.
func (a *SearchAnswer) doubt(f *Feature, r *request) {
	// What is not in the index yet may have them.
	known := a.Complete && a.Stale == 0 && (len(a.Hits) > 0 || a.below)
	a.Unmatched, a.weak = known && a.Unmatched, known && a.weak && len(a.Hits) > 0 && r.in.Least == 0 && r.in.Threshold == nil
	if !known {
		a.Missing = nil
	}
	if a.Unmatched && r.in.Files { // a path alone does not show that it is there for its meaning
		a.Hits, a.Pagination = []SearchHit{}, Pagination{}
	}
	if a.stops {
		a.Notes = slices.Insert(a.Notes, 0, onlyStops)
	}
	_, usual := f.Thresholds()
	weak := fmt.Sprintf("perhaps nothing here answers this: no hit scores %g", usual)
	var note string
	switch {
	case a.Unmatched && len(a.Hits) == 0:
		note = noWords
	case a.Unmatched:
		note = noWords + byMeaning
	case a.weak && len(a.Missing) > 0:
		note = weak + ", and no file has " + quotedList(a.Missing)
	case a.weak:
		note = weak
	case len(a.Missing) > 0:
		note = "no file has " + quotedList(a.Missing)
	default:
		return
	}
	a.Notes = slices.Insert(a.Notes, 0, note)
}

// quotedList is words as a sentence lists them.
func quotedList(words []string) string {
	quoted := slice.Map(words, strconv.Quote)
	return strings.Join(quoted, " or ")
}
