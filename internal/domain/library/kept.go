package library

import (
	"slices"
	"sync"

	"github.com/assay-dev/assay/internal/base/recent"
	"github.com/assay-dev/assay/internal/base/text"
)

// keepHeads is how many bytes of heads are kept.
const keepHeads = 20 << 20

// A keptKey names a snippet. The version is known by its checksum, as in an answerKey.
type keptKey struct {
	checksum string
	id       int64
}

// A kept is what most questions need to know of a candidate: all but its content, of which there
// are the marks alone. Of the candidates of a question a fifth is shown.
type kept struct {
	title, crumb, path string
	line, size         int32 // size: of what is shown, about
	vector             []byte
	marks              []uint32
}

type heads = recent.Map[keptKey, *kept]

func newHeads() *heads { return recent.New[keptKey, *kept](keepHeads) }

// head returns what is kept of a snippet.
func (s *Snippet) head(vector []byte, by *marker) *kept {
	all := s.Title + s.Breadcrumb + s.Path // in one piece of memory
	t, c := len(s.Title), len(s.Title)+len(s.Breadcrumb)
	return &kept{title: all[:t], crumb: all[t:c], path: all[c:], line: int32(s.Line), size: int32(len(s.Title) + len(s.URL) + len(s.Content)), vector: vector, marks: by.of(s.Content)}
}

// bytes is what it takes, with its place in a map.
func (k *kept) bytes() int {
	const fixed = 240
	return fixed + len(k.title) + len(k.crumb) + len(k.path) + len(k.vector) + 4*len(k.marks)
}

// read reads candidates: their heads, or where whole says so their contents too.
func (s *search) read(hits []hit, whole bool) ([]ranked, error) {
	out := make([]ranked, len(hits))
	var ids []int64
	var at []int
	for i, h := range hits {
		id := s.r.first + int64(h.at)
		if !whole {
			if k, ok := s.d.heads.Get(keptKey{s.r.Checksum, id}); ok {
				out[i] = ranked{hit: h, s: Snippet{Title: k.title, Breadcrumb: k.crumb, Path: k.path, Line: int(k.line)}, vector: k.vector, marks: k.marks, size: int(k.size)}
				continue
			}
		}
		ids, at = append(ids, id), append(at, i)
	}
	err := s.snippetsOf(ids, func(i int, snippet Snippet, vector []byte) {
		k := snippet.head(vector, &s.d.marker)
		out[at[i]] = ranked{hit: hits[at[i]], s: snippet, vector: vector, marks: k.marks, size: int(k.size), whole: true}
		if s.r.Checksum != "" {
			s.d.heads.Put(keptKey{s.r.Checksum, ids[i]}, k, k.bytes())
		}
	})
	return out, err
}

// complete reads the contents of the first of found that have none, as many as fit into so many
// tokens; of one at least.
func (s *search) complete(found []ranked, tokens int) error {
	var ids []int64
	var at []int
	for i := range found {
		if !found[i].whole {
			ids, at = append(ids, s.r.first+int64(found[i].hit.at)), append(at, i)
		}
		if tokens -= text.Tokens(found[i].size + len(Separator)); tokens < 0 {
			break
		}
	}
	return s.snippetsOf(ids, func(i int, snippet Snippet, _ []byte) {
		to := &found[at[i]]
		snippet.Score, snippet.Breakdown = to.s.Score, to.s.Breakdown
		to.s, to.whole = snippet, true
	})
}

// mark is a number of a term, which no two terms of a question and its candidates share but by
// a chance of one in many millions.
func mark(term string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h
}

// A marker makes marks of words, and remembers them. It is one for all who ask: each of them sees
// nearly every word that there is.
type marker struct {
	mu    sync.Mutex
	known *text.Vocabulary[uint32]
}

// of returns the marks of the words of a content that are no stop words, in order.
func (m *marker) of(content string) []uint32 {
	const usual = 256
	var few [usual]uint32
	marks := few[:0]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = text.NewVocabulary(func(word []byte) uint32 { return mark(text.Prose().Terms(nil, word)[0]) })
	}
	text.Words(bytesIn(content), func(w []byte) {
		if !text.Prose().Stop(w) {
			marks = append(marks, m.known.Of(w))
		}
	})
	return slices.Clone(marks)
}

// pairsOf counts which neighbours of a question, by the marks of its stems, are neighbours in
// a content too: question.pairs of it.
func pairsOf(marks, stems []uint32) (n int) {
	var seen [2 * maxTerms]bool
	before := false // the one before is of the question
	for i, m := range marks {
		if !slices.Contains(stems, m) {
			before = false
			continue
		}
		for k := range min(len(stems)-1, len(seen)) {
			if before && !seen[k] && stems[k] == marks[i-1] && stems[k+1] == m {
				seen[k] = true
				n++
			}
		}
		before = true
	}
	return n
}
