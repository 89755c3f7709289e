package library

import (
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// FTS5 weighs a word by the whole file, in which "component" is rare and in one
// library everywhere, and it counts the file to know. So each version has postings
// of its own, read whole and added up in memory. They are made in the transaction
// that writes the snippets, and cannot disagree with them.
//
// A row of postings holds, for one term and a block of snippets, for each snippet
// that has it, a varint: the distance from the one before (the first from the
// block's own first, less one), twice, and 1 more where the term occurs once, in
// the content; else a byte follows of how often it occurs where. A row of lengths
// holds the words of each snippet of a block, as length codes, and its sign codes.

// How often a term occurs, in the bits of a byte.
const (
	once      = 0x01 // in the content
	bodyBits  = 0x0f // at most 15
	titleUnit = 0x10 // in the title, at most 3
	titleBits = 0x30
	crumbUnit = 0x40 // in the headings around it and in the path, at most 3
	crumbBits = 0xc0
)

// flushAt is how many postings are kept in memory.
const flushAt = 3 << 20

// A postings writes the postings of one version.
type postings struct {
	ctx     context.Context
	tx      *sql.Tx
	library int64

	block, next int // snippets of the version before this block, and so far
	held        int
	words       *lexicon // of the block
	lists       []plist  // by the number of a term
	lengths     []byte
	total       int // words of the block
	model       uint32
	signs       []byte
	counts      []byte // of the snippet, by the number of a term
	counted     []int32
}

type plist struct {
	last, n int
	data    []byte
}

func newPostings(ctx context.Context, tx *sql.Tx, library int64, model uint32) *postings {
	return &postings{ctx: ctx, tx: tx, library: library, words: newLexicon(), model: model}
}

// add counts the words of the next snippet, and keeps the signs of its vector.
func (p *postings) add(s *Snippet, v []int8) error {
	n := 0
	count := func(in string, unit, bits byte) {
		text.Words([]byte(in), func(w []byte) {
			n++
			for _, t := range p.words.words.Of(w) {
				if int(t) >= len(p.counts) {
					p.counts = append(p.counts, make([]byte, int(t)+1024)...)
				}
				c := p.counts[t]
				if c == 0 {
					p.counted = append(p.counted, t)
				}
				if c&bits != bits {
					p.counts[t] = c + unit
				}
			}
		})
	}
	fieldsOf(s, count)
	for len(p.lists) < len(p.words.terms) {
		p.lists = append(p.lists, plist{last: p.block - 1})
	}
	for _, t := range p.counted {
		l := &p.lists[t]
		if d := uint64(p.next-l.last) * 2; p.counts[t] == once {
			l.data = binary.AppendUvarint(l.data, d+1)
		} else {
			l.data = append(binary.AppendUvarint(l.data, d), p.counts[t])
		}
		l.last = p.next
		l.n++
		p.counts[t] = 0
	}
	p.lengths = append(p.lengths, lengthCode(n))
	p.signs = appendSigns(p.signs, v)
	p.total += n
	p.next++
	p.held += len(p.counted)
	p.counted = p.counted[:0]
	if p.held > flushAt {
		return p.flush()
	}
	return nil
}

// fieldsOf yields the texts of a snippet, each with what a word counts in it.
func fieldsOf(s *Snippet, yield func(in string, unit, bits byte)) {
	yield(s.Title, titleUnit, titleBits)
	yield(strings.TrimSuffix(s.Breadcrumb, s.Title), crumbUnit, crumbBits)
	yield(s.Path, crumbUnit, crumbBits)
	for rest := s.Content; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.HasPrefix(line, "####") {
			yield(line, crumbUnit, crumbBits) // the heading of a section that was joined
		}
		yield(line, once, bodyBits)
	}
}

// flush writes the block that is in memory.
func (p *postings) flush() error {
	if len(p.lengths) == 0 {
		return nil
	}
	q, err := p.tx.PrepareContext(p.ctx, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer q.Close()
	order := make([]int, len(p.words.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(p.words.terms[a], p.words.terms[b]) })
	for _, i := range order {
		if _, err := q.ExecContext(p.ctx, p.library, p.words.terms[i], p.block, p.lists[i].n, p.lists[i].data); err != nil {
			return err
		}
	}
	if _, err := p.tx.ExecContext(p.ctx, "INSERT INTO lengths VALUES (?, ?, ?, ?, ?, ?)", p.library, p.block, p.total, p.lengths, p.model, p.signs); err != nil {
		return err
	}
	p.block, p.held, p.lists, p.lengths, p.total, p.words, p.signs = p.next, 0, nil, nil, 0, newLexicon(), nil
	return nil
}

// A lexicon numbers terms.
type lexicon struct {
	ids   map[string]int32
	terms []string
	words *text.Vocabulary[[]int32]
}

func newLexicon() *lexicon {
	l := &lexicon{ids: map[string]int32{}}
	l.words = text.NewVocabulary(l.of)
	return l
}

// of returns the numbers of the terms of a word.
func (l *lexicon) of(word []byte) []int32 {
	terms := text.Prose().Terms(nil, word)
	ids := make([]int32, len(terms))
	for i, t := range terms {
		id, ok := l.ids[t]
		if !ok {
			id = int32(len(l.terms))
			l.ids[t] = id
			l.terms = append(l.terms, t)
		}
		ids[i] = id
	}
	return ids
}

// lengthCode returns a length as 16 times its logarithm: within 3 in 100.
func lengthCode(words int) byte {
	return byte(min(255, math.Round(16*math.Log2(float64(words+1)))))
}

func lengthOf(code byte) float64 { return math.Exp2(float64(code)/16) - 1 }

// A hit is a snippet by its place in the version, and what it is worth.
type hit struct {
	at    int
	score float32
}
