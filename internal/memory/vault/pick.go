package vault

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A picked is a candidate that is shown, perhaps with its neighbours in the file.
type picked struct {
	*candidate
	first, last int
	text        string
	also        []string
	copies      []*candidate // with the same text
	same        string       // equal for the same text of the same project
}

func newPicked(c *candidate) *picked {
	p := &picked{candidate: c, first: c.first, last: c.last, text: c.text}
	// After a line of its own a heading counts: under another title the same text is about something else.
	if hash := bodyHash("-\n" + c.text); hash != nil {
		p.same = c.project + "\x00" + string(hash)
	}
	return p
}

// isCopyOf reports whether a candidate of another file has the same text within the same project.
func (p *picked) isCopyOf(o *picked) bool {
	return p.file != o.file && p.same != "" && p.same == o.same
}

// addCopy notes where else the text of p is.
func (p *picked) addCopy(c *candidate) {
	if !slices.Contains(p.also, c.path) {
		p.also, p.copies = append(p.also, c.path), append(p.copies, c)
	}
}

// pick chooses what is shown of the candidates, which are in order: the best of each file, more of a file only where they are much
// better than those of others, nothing twice, and no more of sessions than of notes while there are notes that fit.
func (s *searcher) pick(cs []*candidate) []*picked {
	var out []*picked
	byFile := map[int64][]*picked{}
	var later []*candidate
	room := s.qu.Max
	fromSessions, most := 0, s.share(cs)
	take := func(c *candidate) {
		if joined(byFile[c.file], c) || len(out) == room {
			return
		}
		p := newPicked(c)
		for _, o := range out {
			if digests(o.candidate, c) || digests(c, o.candidate) {
				o.also = append(o.also, c.path)
				return
			}
			if p.isCopyOf(o) {
				o.addCopy(c)
				return
			}
		}
		if c.kind == sessions {
			fromSessions++
		}
		out = append(out, p)
		byFile[c.file] = append(byFile[c.file], p)
	}
	for _, c := range cs {
		if len(out) == room {
			break
		}
		if c.kind == sessions && fromSessions >= most {
			later = append(later, c)
			continue
		}
		take(c)
	}
	for _, c := range later {
		if len(out) == room {
			break
		}
		take(c)
	}
	sorting.Stable(out, func(a, b *picked) int { return cmp.Compare(b.evidence, a.evidence) })
	return out
}

// digests reports whether a note is the digest of a session.
func digests(note, session *candidate) bool {
	return note.session != "" && session.path == sessionPrefix+note.session
}

// share is how many hits may be of sessions: half of them, and what notes leave.
func (s *searcher) share(cs []*candidate) int {
	if len(cs) == 0 {
		return 0
	}
	least := rank.Memory().Constant("note among sessions") * cs[0].evidence
	notesHere := map[int64]bool{}
	for _, c := range cs {
		if c.kind == notes && c.evidence >= least {
			notesHere[c.file] = true
		}
	}
	half := s.qu.Max - s.qu.Max/2
	return max(half, s.qu.Max-len(notesHere))
}

// joined adds a candidate to one of its file that is shown already and that it follows or precedes without a gap; false: there is none.
func joined(shown []*picked, c *candidate) bool {
	for _, p := range shown {
		least := rank.Memory().Constant("joined to a neighbour") * p.evidence
		inside := c.first >= p.first && c.last <= p.last
		// It is half as good at least: who asked for one line is not served by a page.
		if inside || c.evidence >= least && p.meets(c.first, c.last) {
			p.join(c.first, c.last, c.text)
			return true
		}
	}
	return false
}

// meets reports whether there is no line between p and the lines first to last.
func (p *picked) meets(first, last int) bool { return first <= p.last+1 && last >= p.first-1 }

// join adds lines that meet p.
func (p *picked) join(first, last int, text string) {
	switch {
	case first >= p.first && last <= p.last:
	case first <= p.first && last >= p.last:
		p.first, p.last, p.text = first, last, text
	case first < p.first:
		p.text, p.first = splice(text, p.text, last-p.first+1), first
	default:
		p.text, p.last = splice(p.text, text, p.last-first+1), last
	}
}

// splice joins two texts of which the second begins with the last lines of the first.
func splice(a, b string, overlap int) string {
	for range max(overlap, 0) {
		_, rest, ok := strings.Cut(b, "\n")
		if !ok {
			return a
		}
		b = rest
	}
	return a + "\n" + b
}
