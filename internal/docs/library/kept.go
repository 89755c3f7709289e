package library

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/text"
)

// How many bytes are kept of heads, and of what is shown with them.
const (
	keepHeads = 18 << 20
	keepShown = 12 << 20
)

// A head is what most questions need to know of a candidate: all but its content, of which there
// are the marks alone. Of the candidates of a question a fifth is shown. It is one string:
// numbers of two or four bytes (the lengths of the title, the breadcrumb, the path, the vector and the
// three marks of titles, whether it is a declaration, the line, the size of what is shown, about), these seven, and the
// marks of the content.
type head string

const (
	headParts   = 7
	headNumbers = (headParts+1)*2 + 2*4
)

// headOf returns the head of a candidate; "" where it is none that fits.
func headOf(c *ranked) head {
	parts := [headParts]int{len(c.s.Title), len(c.s.Breadcrumb), len(c.s.Path), len(c.vector), len(c.marks.title), len(c.marks.page), len(c.marks.terms)}
	n := headNumbers + len(c.marks.content)
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
	declares := uint16(0)
	if c.declares {
		declares = 1
	}
	b = binary.LittleEndian.AppendUint16(b, declares)
	b = binary.LittleEndian.AppendUint32(b, uint32(c.s.Line))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.size))
	b = append(append(append(append(b, c.s.Title...), c.s.Breadcrumb...), c.s.Path...), c.vector...)
	b = append(append(append(append(b, c.marks.title...), c.marks.page...), c.marks.terms...), c.marks.content...)
	return head(unsafe.String(unsafe.SliceData(b), len(b)))
}

// candidate returns what headOf was given, without the rest of the snippet; its strings are parts of k.
func (k head) candidate(h hit) ranked {
	b, rest := bytesIn(string(k)), string(k)[headNumbers:]
	next := 0
	cut := func() (part string) {
		n := binary.LittleEndian.Uint16(b[2*next:])
		next++
		part, rest = rest[:n], rest[n:]
		return part
	}
	c := ranked{hit: h}
	c.s.Title, c.s.Breadcrumb, c.s.Path, c.vector = cut(), cut(), cut(), bytesIn(cut())
	c.marks = marks{title: cut(), page: cut(), terms: cut(), content: rest}
	c.declares = binary.LittleEndian.Uint16(b[2*headParts:]) != 0
	c.s.Line, c.size = int(binary.LittleEndian.Uint32(b[2*headParts+2:])), int(binary.LittleEndian.Uint32(b[2*headParts+6:]))
	return c
}

// sizeOf is how much of a snippet is shown, about.
func sizeOf(s *Snippet) int { return len(s.Title) + len(s.URL) + len(s.Content) }

// A body is what is shown of a snippet beside its head: numbers (the lengths of the address and of the
// language, the tokens), these two, and the content.
type body string

const bodyNumbers = 2*2 + 4

// bodyOf returns the body of a snippet; "" where it is none that fits.
func bodyOf(s *Snippet) body {
	if len(s.URL) > math.MaxUint16 || len(s.Language) > math.MaxUint16 {
		return ""
	}
	b := make([]byte, 0, bodyNumbers+len(s.URL)+len(s.Language)+len(s.Content))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s.URL)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s.Language)))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Tokens))
	b = append(append(append(b, s.URL...), s.Language...), s.Content...)
	return body(unsafe.String(unsafe.SliceData(b), len(b)))
}

// complete adds what bodyOf was given; the strings are parts of k.
func (k body) complete(c *ranked) {
	b, rest := bytesIn(string(k)), string(k)[bodyNumbers:]
	address, language := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
	c.s.Tokens = int(binary.LittleEndian.Uint32(b[4:]))
	c.s.URL, c.s.Language, c.s.Content = rest[:address], rest[address:][:language], rest[address:][language:]
	c.whole = true
}

// read reads candidates into out: their heads, or where whole says so their contents too.
func (s *search) read(out []ranked, hits []hit, whole bool) error {
	known := make([]bool, len(hits))
	keeps := s.r.Checksum != ""
	if keeps {
		s.d.heads.get(s.r.Checksum, hits, func(i int, k string) { out[i], known[i] = head(k).candidate(hits[i]), true })
		if whole {
			s.d.shown.get(s.r.Checksum, hits, func(i int, k string) { body(k).complete(&out[i]) })
		}
	}
	var ids []int64
	var at []int
	for i, h := range hits {
		if !known[i] || whole && !out[i].whole {
			ids, at = append(ids, s.r.first+int64(h.at)), append(at, i)
		}
	}
	return s.snippetsOf(ids, func(i int, snippet Snippet, vector []byte) {
		c := &out[at[i]]
		*c = s.d.marker.ranked(hits[at[i]], snippet, vector)
		if keeps && !known[at[i]] {
			s.d.heads.put(s.r.Checksum, c.at, string(headOf(c)))
		}
	})
}

// complete reads the contents of the first of found that have none, as many as fit into so many
// tokens; of one at least.
func (s *search) complete(found []ranked, tokens int) error {
	keeps := s.r.Checksum != ""
	var hits []hit
	var at []int
	for i := range found {
		if !found[i].whole {
			hits, at = append(hits, found[i].hit), append(at, i)
		}
		if tokens -= text.Tokens(found[i].size + len(Separator)); tokens < 0 {
			break
		}
	}
	if keeps {
		s.d.shown.get(s.r.Checksum, hits, func(i int, k string) { body(k).complete(&found[at[i]]) })
	}
	var ids []int64
	n := 0
	for i, h := range hits {
		if !found[at[i]].whole {
			ids = append(ids, s.r.first+int64(h.at))
			at[n] = at[i]
			n++
		}
	}
	return s.snippetsOf(ids, func(i int, snippet Snippet, _ []byte) {
		to := &found[at[i]]
		snippet.Score, snippet.Breakdown, snippet.Named, snippet.Near = to.s.Score, to.s.Breakdown, to.s.Named, to.s.Near
		to.s, to.whole = snippet, true
		if keeps {
			s.d.shown.put(s.r.Checksum, to.at, string(bodyOf(&snippet)))
		}
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

// marks are those of words of a snippet: strings of markBytes for each.
type marks struct {
	content string // of its words that are no stop words, in order
	title   string // of those of its title
	page    string // of those of its page's title
	terms   string // of all terms of the page's title and of the file's name, each once
}

// A marker makes marks of words, and remembers them. It is one for all who ask: each of them sees
// nearly every word that there is.
type marker struct {
	mu    sync.Mutex
	known *text.Vocabulary[uint32]
}

// ranked returns a candidate that was read whole.
func (m *marker) ranked(h hit, s Snippet, vector []byte) ranked {
	page, _, _ := strings.Cut(s.Breadcrumb, " > ")
	var terms []byte
	text.Words([]byte(page+" "+nameOf(s.Path)), func(w []byte) {
		for _, t := range text.Prose().Terms(nil, w) {
			if n := mark(t); !marked(string(terms), n) {
				terms = append(terms, byte(n), byte(n>>8), byte(n>>16))
			}
		}
	})
	return ranked{
		hit: h, s: s, vector: vector, size: sizeOf(&s), whole: true, declares: declares(&s),
		marks: marks{content: m.of(s.Content), title: m.of(s.Title), page: m.of(page), terms: string(terms)},
	}
}

// markAt returns the first of marks.
func markAt(marks string) uint32 {
	return uint32(marks[0]) | uint32(marks[1])<<8 | uint32(marks[2])<<16
}

// marked reports whether n is one of marks.
func marked(marks string, n uint32) bool {
	for ; len(marks) >= markBytes; marks = marks[markBytes:] {
		if markAt(marks) == n {
			return true
		}
	}
	return false
}

// of returns the marks of the words of a text that are no stop words, in order, one after the other.
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
			n := m.known.ResultFor(w)
			marks = append(marks, byte(n), byte(n>>8), byte(n>>16))
		}
	})
	return string(marks)
}

// A markSet tells of most marks that they are none of a few.
type markSet [64]uint64

func (s *markSet) add(m uint32)      { s[m>>6&63] |= 1 << (m & 63) }
func (s *markSet) has(m uint32) bool { return s[m>>6&63]&(1<<(m&63)) != 0 }

// pairsOf counts which neighbours of a question, by the marks of its stems, are neighbours in
// a content too: question.pairs of it.
func pairsOf(marks string, stems []uint32) (n int) {
	var seen [2 * maxTerms]bool
	var may markSet // most words of a content are none of the question
	for _, m := range stems {
		may.add(m)
	}
	last, before := uint32(0), false // the one before, and whether it is of the question
	for ; len(marks) >= markBytes; marks = marks[markBytes:] {
		m := markAt(marks)
		if !may.has(m) || !slices.Contains(stems, m) {
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
