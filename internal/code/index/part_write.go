package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/cache"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/vec"
)

// once is the byte of a term that occurs once, in the first field.
const once = 0x01

// flushAt is how many postings are kept in memory.
const flushAt = 3 << 20

// A PartWriter writes the postings of a part, in the transaction that writes its chunks
// and so cannot disagree with them: for each chunk Text and Inside for what it is found by,
// and then End.
type PartWriter struct {
	ctx    context.Context
	tx     *sql.Tx
	fields []Field
	part   int64

	block, next int   // chunks of the part before this block, and so far
	starts      []int // of the blocks that were flushed
	held        int
	terms       *lexicon // of the block
	lists       []plist  // by the number of a term
	lengths     []byte
	total       int // words of the block
	words       int // of the chunk
	model       uint32
	signs       []byte
	counts      []byte // of the chunk, by the number of a term
	counted     []int32
	gram        []byte
	trigrams    []int32 // the numbers of the terms of three ASCII characters, from 1
}

type plist struct {
	last, n int
	data    []byte
}

// add appends a posting.
func (l *plist) add(at int, counts byte) {
	if d := uint64(at-l.last) * 2; counts == once {
		l.data = binary.AppendUvarint(l.data, d+1)
	} else {
		l.data = append(binary.AppendUvarint(l.data, d), counts)
	}
	l.last = at
	l.n++
}

// Write returns a writer of a part that has no chunks yet, whose number the caller gives.
// model is the one that makes its vectors, whose signs End is given; 0: there are none.
func (f *File) Write(ctx context.Context, tx *sql.Tx, part int64, model uint32) *PartWriter {
	return &PartWriter{ctx: ctx, tx: tx, fields: f.layout.Fields, part: part, terms: newLexicon(f.layout.Terms), model: model, signs: []byte{}}
}

// Text counts the words of a text of the next chunk in a field.
func (p *PartWriter) Text(in string, field int) {
	f := p.fields[field]
	text.EachWord(in, func(w []byte) {
		p.words++
		for _, t := range p.terms.of(w) {
			p.count(t, f)
		}
	})
}

func (p *PartWriter) count(t int32, f Field) {
	if int(t) >= len(p.counts) {
		p.counts = append(p.counts, make([]byte, int(t)+1024)...)
	}
	c := p.counts[t]
	if c == 0 {
		p.counted = append(p.counted, t)
	}
	if c&f.Mask != f.Mask {
		p.counts[t] = c + f.Unit
	}
}

// gramMark begins the term of three characters that follow each other in a word. No word
// has it.
const gramMark = '~'

// Inside has parts of the words of a folded text be found in the next chunk, see
// corpus.Inside.
func (p *PartWriter) Inside(folded string) {
	var r [3]rune
	n := 0
	for _, c := range folded {
		if !inWord(c) {
			n = 0
			continue
		}
		r[0], r[1], r[2] = r[1], r[2], c
		if n++; n < 3 {
			continue
		}
		if t := p.gramOf(r[:]); int(t) >= len(p.counts) || p.counts[t] == 0 {
			p.count(t, Field{Unit: once, Mask: once})
		}
	}
}

// gramOf returns the number of the term of three characters.
func (p *PartWriter) gramOf(r []rune) int32 {
	at := 0
	for _, c := range r {
		switch {
		case c >= 'a' && c <= 'z':
			at = 36*at + int(c-'a')
		case c >= '0' && c <= '9':
			at = 36*at + 26 + int(c-'0')
		default:
			p.gram = appendGram(p.gram[:0], r)
			return p.terms.term(p.gram)
		}
	}
	if p.trigrams == nil {
		p.trigrams = make([]int32, 36*36*36)
	}
	if p.trigrams[at] == 0 {
		p.gram = appendGram(p.gram[:0], r)
		p.trigrams[at] = p.terms.term(p.gram) + 1
	}
	return p.trigrams[at] - 1
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func appendGram(dst []byte, r []rune) []byte {
	dst = append(dst, gramMark)
	for _, c := range r {
		dst = utf8.AppendRune(dst, c)
	}
	return dst
}

// End ends a chunk; v is its vector.
func (p *PartWriter) End(v []int8) {
	p.grow()
	for _, t := range p.counted {
		p.lists[t].add(p.next, p.counts[t])
		p.counts[t] = 0
	}
	p.lengths = append(p.lengths, lengthCode(p.words))
	p.signs = vec.AppendSigns(p.signs, v)
	p.total += p.words
	p.words = 0
	p.next++
	p.held += len(p.counted)
	p.counted = p.counted[:0]
}

// grow makes room for the terms that are new.
func (p *PartWriter) grow() {
	for len(p.lists) < len(p.terms.terms) {
		p.lists = append(p.lists, plist{last: p.block - 1})
	}
}

// Full reports whether enough is in memory for Flush.
func (p *PartWriter) Full() bool { return p.held > flushAt }

// Flush writes the chunks that are in memory, as a block.
func (p *PartWriter) Flush() error {
	if len(p.lengths) == 0 {
		return nil
	}
	order := make([]int, 0, len(p.terms.terms))
	for i := range p.terms.terms {
		if p.lists[i].n > 0 {
			order = append(order, i)
		}
	}
	sorting.Stable(order, func(a, b int) int { return strings.Compare(p.terms.terms[a], p.terms.terms[b]) })
	for _, n := range [...]int{rowsAtOnce, 1} {
		rest, err := p.insert(order, n)
		if err != nil {
			return err
		}
		order = rest
	}
	if _, err := p.tx.ExecContext(p.ctx, "INSERT INTO lengths VALUES (?, ?, ?, ?, ?, ?)", p.part, p.block, p.total, p.lengths, p.model, p.signs); err != nil {
		return err
	}
	p.starts = append(p.starts, p.block)
	p.block, p.held, p.lists, p.lengths, p.total, p.terms, p.signs, p.trigrams = p.next, 0, nil, nil, 0, newLexicon(p.terms.analyse), []byte{}, nil
	return nil
}

// rowsAtOnce is how many rows a statement inserts: to run one takes as long as to insert a
// few.
const rowsAtOnce = 16

// insert writes the postings of terms, n at a time, and returns those that are left.
func (p *PartWriter) insert(terms []int, n int) (rest []int, err error) {
	if len(terms) < n {
		return terms, nil
	}
	q, err := p.tx.PrepareContext(p.ctx, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)"+strings.Repeat(", (?, ?, ?, ?, ?)", n-1))
	if err != nil {
		return nil, err
	}
	defer q.Close()
	args := make([]any, 0, 5*n)
	for ; len(terms) >= n; terms = terms[n:] {
		args = args[:0]
		for _, i := range terms[:n] {
			args = append(args, p.part, p.terms.terms[i], p.block, p.lists[i].n, p.lists[i].data)
		}
		// Without a context: each call would be watched over by a goroutine of its own. The
		// transaction ends with the one that it was begun with.
		if _, err := q.Exec(args...); err != nil {
			return nil, err
		}
	}
	return terms, p.ctx.Err()
}

// DropPart takes a part out that Write has written.
func (f *File) DropPart(ctx context.Context, tx *sql.Tx, part int64) error {
	for _, table := range [...]string{"postings", "lengths"} {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE library = ?", part); err != nil {
			return err
		}
	}
	return nil
}

// A lexicon numbers terms, and remembers those of a word.
type lexicon struct {
	*text.Vocabulary[[]int32]
	analyse func(word string) []string
	ids     map[string]int32
	terms   []string
	recent  [1 << recentBits]recentTerms // of words that came last: most come again soon
}

// recentTerms are those of a word of sixteen bytes at most, found without asking the map.
type recentTerms struct {
	first, last uint64
	terms       []int32
	size        int
}

func newLexicon(analyse func(word string) []string) *lexicon {
	l := &lexicon{analyse: analyse, ids: map[string]int32{}}
	l.Vocabulary = text.NewVocabulary(func(word []byte) []int32 {
		terms := analyse(string(word))
		return slice.Map(terms, l.add)
	})
	return l
}

// of is Of, which it asks for words that did not come lately.
func (l *lexicon) of(w []byte) []int32 {
	if len(w) > cache.WordSize {
		return l.ResultFor(w)
	}
	first, last := cache.Edges(w)
	r := &l.recent[cache.Slot(first, last, uint64(len(w)), recentBits)]
	if r.first != first || r.last != last || r.size != len(w) {
		*r = recentTerms{first, last, l.ResultFor(w), len(w)}
	}
	return r.terms
}

// term returns the number of a term.
func (l *lexicon) term(t []byte) int32 {
	if id, ok := l.ids[string(t)]; ok {
		return id
	}
	return l.add(string(t))
}

func (l *lexicon) add(t string) int32 {
	id, ok := l.ids[t]
	if !ok {
		id = int32(len(l.terms))
		l.ids[t] = id
		l.terms = append(l.terms, t)
	}
	return id
}

// lengthCode returns a length as 16 times its logarithm: within 3 in 100.
func lengthCode(words int) byte {
	return byte(min(255, math.Round(16*math.Log2(float64(words+1)))))
}

func lengthOf(code byte) float64 { return math.Exp2(float64(code)/16) - 1 }
