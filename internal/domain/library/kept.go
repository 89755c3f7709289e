package library

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/text"
)

// keepHeads is how many bytes of heads are kept.
const keepHeads = 20 << 20

// A head is what most questions need to know of a candidate: all but its content, of which there
// are the marks alone. Of the candidates of a question a fifth is shown. It is one string, since
// there are tens of thousands, and each piece of memory costs the collector of garbage time:
// numbers of two or four bytes (the lengths of the title, the breadcrumb, the path and the vector, the
// line, the size of what is shown, about), these four, and the marks.
type head string

const headNumbers = 4*2 + 2*4

// headOf returns the head of a snippet; "" where it is none that fits.
func headOf(s *Snippet, vector []byte, marks string) head {
	parts := [...]int{len(s.Title), len(s.Breadcrumb), len(s.Path), len(vector)}
	n := headNumbers + len(marks)
	for _, part := range parts {
		if part > math.MaxUint16 {
			return ""
		}
		n += part
	}
	b := make([]byte, 0, n)
	for _, part := range parts {
		b = binary.LittleEndian.AppendUint16(b, uint16(part))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Line))
	b = binary.LittleEndian.AppendUint32(b, uint32(sizeOf(s)))
	b = append(append(append(append(append(b, s.Title...), s.Breadcrumb...), s.Path...), vector...), marks...)
	return head(unsafe.String(unsafe.SliceData(b), len(b)))
}

// sizeOf is how much of a snippet is shown, about.
func sizeOf(s *Snippet) int { return len(s.Title) + len(s.URL) + len(s.Content) }

// candidate returns what headOf was given; its strings are parts of k.
func (k head) candidate(h hit) ranked {
	b, rest := bytesIn(string(k)), string(k)[headNumbers:]
	cut := func(at int) (part string) {
		n := binary.LittleEndian.Uint16(b[at:])
		part, rest = rest[:n], rest[n:]
		return part
	}
	c := ranked{hit: h, size: int(binary.LittleEndian.Uint32(b[12:]))}
	c.s.Title, c.s.Breadcrumb, c.s.Path, c.s.Line = cut(0), cut(2), cut(4), int(binary.LittleEndian.Uint32(b[8:]))
	c.vector = bytesIn(cut(6))
	c.marks = rest
	return c
}

// heads keeps those that were asked for. Of all that are kept, any is dropped to make room: what is asked
// for often is soon back. It is safe for concurrent use.
type heads struct {
	most     int
	mu       sync.Mutex
	versions map[string]uint64 // numbers, by the checksum, as in an answerKey
	known    map[uint64]head   // by the number of the version and the place there
	bytes    int
}

func newHeads() *heads {
	return &heads{most: keepHeads, versions: map[string]uint64{}, known: map[uint64]head{}}
}

// inMap is about what an entry of heads.known takes beside its bytes.
const inMap = 64

// key returns what a snippet of a version is known by.
func (h *heads) key(checksum string, at int) uint64 {
	n, ok := h.versions[checksum]
	if !ok {
		n = uint64(len(h.versions))
		h.versions[checksum] = n
	}
	return n<<32 | uint64(at)
}

// get calls yield with what is kept of hits.
func (h *heads) get(checksum string, hits []hit, yield func(i int, k head)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.key(checksum, 0)
	for i := range hits {
		if k, ok := h.known[first|uint64(hits[i].at)]; ok {
			yield(i, k)
		}
	}
}

func (h *heads) put(checksum string, at int, k head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := h.key(checksum, at)
	if _, ok := h.known[key]; ok {
		return
	}
	h.known[key] = k
	if h.bytes += inMap + len(k); h.bytes <= h.most {
		return
	}
	for key, k := range h.known {
		delete(h.known, key)
		if h.bytes -= inMap + len(k); h.bytes <= h.most-h.most/16 {
			return
		}
	}
}

// read reads candidates: their heads, or where whole says so their contents too.
func (s *search) read(hits []hit, whole bool) ([]ranked, error) {
	out := make([]ranked, len(hits))
	known := make([]bool, len(hits))
	keeps := s.r.Checksum != ""
	if !whole && keeps {
		s.d.heads.get(s.r.Checksum, hits, func(i int, k head) { out[i], known[i] = k.candidate(hits[i]), true })
	}
	var ids []int64
	var at []int
	for i, h := range hits {
		if !known[i] {
			ids, at = append(ids, s.r.first+int64(h.at)), append(at, i)
		}
	}
	err := s.snippetsOf(ids, func(i int, snippet Snippet, vector []byte) {
		h := hits[at[i]]
		marks := s.d.marker.of(snippet.Content)
		out[at[i]] = ranked{hit: h, s: snippet, vector: vector, marks: marks, size: sizeOf(&snippet), whole: true}
		if k := headOf(&snippet, vector, marks); keeps && k != "" {
			s.d.heads.put(s.r.Checksum, h.at, k)
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

// mark is a number of a term, of markBits bits, which no two terms of a question and its candidates share but by
// a chance of one in many millions.
func mark(term string) uint32 {
	h := uint32(2166136261) // FNV-1a, folded as its authors say
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h>>markBits ^ h&(1<<markBits-1)
}

const (
	markBits  = 24
	markBytes = markBits / 8
)

// A marker makes marks of words, and remembers them. It is one for all who ask: each of them sees
// nearly every word that there is.
type marker struct {
	mu    sync.Mutex
	known *text.Vocabulary[uint32]
}

// of returns the marks of the words of a content that are no stop words, in order, one after the other.
func (m *marker) of(content string) string {
	const usual = 256 * markBytes
	var few [usual]byte
	marks := few[:0]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = text.NewVocabulary(func(word []byte) uint32 { return mark(text.Prose().Terms(nil, word)[0]) })
	}
	text.Words(bytesIn(content), func(w []byte) {
		if !text.Prose().Stop(w) {
			n := m.known.Of(w)
			marks = append(marks, byte(n), byte(n>>8), byte(n>>16))
		}
	})
	return string(marks)
}

// pairsOf counts which neighbours of a question, by the marks of its stems, are neighbours in
// a content too: question.pairs of it.
func pairsOf(marks string, stems []uint32) (n int) {
	var seen [2 * maxTerms]bool
	last, before := uint32(0), false // the one before, and whether it is of the question
	for ; len(marks) >= markBytes; marks = marks[markBytes:] {
		m := uint32(marks[0]) | uint32(marks[1])<<8 | uint32(marks[2])<<16
		if !slices.Contains(stems, m) {
			before = false
			continue
		}
		for k := range min(len(stems)-1, len(seen)) {
			if before && !seen[k] && stems[k] == last && stems[k+1] == m {
				seen[k] = true
				n++
			}
		}
		last, before = m, true
	}
	return n
}
