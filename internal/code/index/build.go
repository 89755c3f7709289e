package index

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/cache"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/regex"
)

// A Doc is a document ready to be indexed. Chunks may be empty: then it can be
// found by pattern only.
type Doc struct {
	ID uint32 // unique in its index, never reused
	corpus.Document
	Hash   corpus.Hash
	Lines  int
	Chunks []corpus.Chunk

	// What package facts knows of it, packed; see Snapshot.Facts.
	Head, Body []byte
	Keys       []uint32 // sorted, each once

	// Embedder made Vectors: those of the chunks, each of unit length, one behind the
	// other. Empty where they come later or never.
	Embedder string
	Vectors  []float32
}

// A Builder collects documents into one segment. Documents must come with
// ascending IDs, fewer than maxDocs of them. It is used by one goroutine.
type Builder struct {
	pool pool

	words   names                       // which the texts have
	expands []expansion                 // by the number of a word
	exp     []uint32                    // the terms of all expansions
	recent  [1 << recentBits]recentWord // words that came last: most come again soon
	ids     names                       // of the terms
	terms   []term
	tf      []uint8 // by term number: the posting byte of the chunk at hand
	hit     []uint32
	scratch []string
	exact   []byte

	docs    []byte
	chunks  []byte
	lens    []byte
	text    []byte // the string section
	nDocs   uint32
	nChunks uint32

	set      *regex.Set
	trigrams gramTable

	facts  []byte
	factAt []byte
	keys   []uint64 // key and document

	vecs vecTable
}

// An expansion is the terms of a word: n of them, from at on.
type expansion struct{ at, n uint32 }

// A recentWord is one of sixteen bytes at most, found without asking the table of
// all, which is spread over more memory than a processor keeps at hand.
type recentWord struct {
	first, last uint64 // which overlap in a word of less than sixteen bytes
	expansion
	size int // of the word; 0 where there is none
}

const recentBits = 12

type term struct {
	list
	last uint32 // chunk
	df   uint32
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{
		words: newNames(),
		ids:   newNames(),
		set:   new(regex.Set),
	}
}

// Reset forgets the documents and keeps the memory for others.
func (b *Builder) Reset() {
	b.pool.free = 0
	b.words.reset()
	b.ids.reset()
	clear(b.recent[:])
	b.trigrams.reset()
	b.expands, b.exp, b.terms, b.tf = b.expands[:0], b.exp[:0], b.terms[:0], b.tf[:0]
	b.docs, b.chunks, b.lens, b.text, b.nDocs, b.nChunks = b.docs[:0], b.chunks[:0], b.lens[:0], b.text[:0], 0, 0
	b.facts, b.factAt, b.keys = b.facts[:0], b.factAt[:0], b.keys[:0]
	b.vecs = vecTable{rows: b.vecs.rows[:0], signs: b.vecs.signs[:0]}
}

// Len returns the number of documents added.
func (b *Builder) Len() int { return int(b.nDocs) }

// Bytes estimates the memory that b holds.
func (b *Builder) Bytes() int {
	return b.pool.bytes() + b.words.bytes() + b.ids.bytes() + 8*len(b.expands) + 4*len(b.exp) + len(b.terms)*25 +
		len(b.docs) + len(b.chunks) + len(b.text) + b.trigrams.bytes() + len(b.facts) + 8*len(b.keys) + len(b.vecs.rows) + len(b.vecs.signs)
}

// Add adds one document.
func (b *Builder) Add(d *Doc) {
	first := b.nChunks
	where := b.pathTerms(d.Path)
	for i := range d.Chunks {
		b.addChunk(d, &d.Chunks[i], where)
	}
	b.addGrams(d.Text)
	b.addFacts(d.Head, d.Body, d.Keys)
	b.vecs.add(d, int(first))
	b.putDoc(d, len(d.Text), first)
}

// putDoc writes the record of a document whose chunks were written from first on.
func (b *Builder) putDoc(d *Doc, size int, first uint32) {
	var rec [docSize]byte
	le.PutUint32(rec[0:], d.ID)
	le.PutUint32(rec[4:], b.intern(d.Path))
	le.PutUint32(rec[8:], uint32(len(d.Path)))
	le.PutUint32(rec[12:], uint32(size))
	le.PutUint32(rec[16:], first)
	le.PutUint32(rec[20:], b.nChunks-first)
	le.PutUint32(rec[24:], uint32(d.Lines))
	le.PutUint16(rec[28:], uint16(d.Flags))
	le.PutUint16(rec[30:], uint16(len(d.Language)))
	le.PutUint32(rec[32:], b.intern(d.Language))
	copy(rec[36:], d.Hash[:])
	b.docs = append(b.docs, rec[:]...)
	b.nDocs++
}

// intern appends s to the string section. Repeats are rare but for languages and
// scopes, which come in runs.
func (b *Builder) intern(s string) uint32 {
	if n := len(b.text) - len(s); n >= 0 && string(b.text[n:]) == s {
		return uint32(n)
	}
	at := uint32(len(b.text))
	b.text = append(b.text, s...)
	return at
}

type placed struct {
	term uint32
	bits uint8
}

// pathTerms returns the terms of a path with their field bits. The file's name
// counts without its extension.
func (b *Builder) pathTerms(path string) []placed {
	var out []placed
	add := func(s string, level uint8) {
		text.EachWord(s, func(w []byte) {
			e := b.expand(w)
			for i, t := range b.exp[e.at : e.at+e.n] {
				l := level
				if level == 3 && (i > 0 || len(w) < len(s)) {
					l = 2
				}
				out = append(out, placed{t, l << pathHave})
			}
		})
	}
	dir, name := "", path
	if i := lastSlash(path); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	// A file that only stands for its folder is named after it.
	if stem := Stem(name); standsForFolder(stem) && dir != "" {
		add(dir[lastSlash(dir)+1:], 3)
		add(stem, 2)
	} else if hasSecondName(name) {
		add(stem, 2)
	} else {
		add(stem, 3)
	}
	add(dir, 1)
	return out
}

func standsForFolder(stem string) bool {
	switch stem {
	case "mod", "index", "__init__", "init", "lib", "main", "package", "doc":
		return true
	}
	return false
}

// Stem returns a file's name without its folder and its extensions.
func Stem(path string) string {
	name := path[lastSlash(path)+1:]
	for i := 1; i < len(name); i++ {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return name
}

// hasSecondName reports whether a name stands between a file's stem and its extension: Serializer.NonGeneric.cs
// is not the file of the name Serializer. Small letters say which sort a file is of, as in user.service.ts.
func hasSecondName(name string) bool {
	rest := name[len(Stem(name)):]
	return strings.LastIndexByte(rest, '.') > 1 && 'A' <= rest[1] && rest[1] <= 'Z'
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}

// expand returns the terms of a word, each added to the dictionary if new.
func (b *Builder) expand(w []byte) expansion {
	if len(w) > cache.WordSize {
		return b.expandAny(w)
	}
	first, last := cache.Edges(w)
	r := &b.recent[cache.Slot(first, last, uint64(len(w)), recentBits)]
	if r.first != first || r.last != last || r.size != len(w) {
		*r = recentWord{first, last, b.expandAny(w), len(w)}
	}
	return r.expansion
}

// expandAny is expand for a word that may not be among the recent ones.
func (b *Builder) expandAny(w []byte) expansion {
	number, fresh := b.words.of(w)
	if !fresh {
		return b.expands[number]
	}
	b.scratch = text.Code().Terms(b.scratch[:0], w)
	e := expansion{uint32(len(b.exp)), uint32(len(b.scratch))}
	for _, t := range b.scratch {
		b.exp = append(b.exp, b.term([]byte(t)))
	}
	b.expands = append(b.expands, e)
	return e
}

// term returns the number of a term, adding it to the dictionary if it is new.
func (b *Builder) term(t []byte) uint32 {
	id, fresh := b.ids.of(t)
	if fresh {
		b.terms = append(b.terms, term{})
		b.tf = append(b.tf, 0)
	}
	return id
}

// mark raises the field bits of a term in the chunk at hand.
func (b *Builder) mark(t uint32, shift, level uint8) {
	have := b.tf[t]
	if have == 0 {
		b.hit = append(b.hit, t)
	}
	if have>>shift&3 < level {
		b.tf[t] = have&^(3<<shift) | level<<shift
	}
}

func (b *Builder) addChunk(d *Doc, c *corpus.Chunk, where []placed) {
	n := 0
	text.Words(d.Text[c.Start:c.End], func(w []byte) {
		n++
		e := b.expand(w)
		for _, t := range b.exp[e.at : e.at+e.n] {
			have := b.tf[t]
			if have == 0 {
				b.hit = append(b.hit, t)
			}
			if have&tfMask < tfMask {
				b.tf[t] = have + 1
			}
		}
	})
	for _, p := range where {
		b.mark(p.term, pathHave, p.bits>>pathHave)
	}
	b.markNames(c.Scope, 1, 1)
	for _, s := range c.Symbols {
		b.markNames(s.Name, 3, 2)
	}
	for _, t := range b.hit {
		p := &b.terms[t]
		b.pool.pushPair(&p.list, b.nChunks-p.last, b.tf[t])
		p.last = b.nChunks
		p.df++
		b.tf[t] = 0
	}
	b.hit = b.hit[:0]
	b.putChunk(c, n)
	b.nChunks++
}

// markNames marks the terms of a declared name: whole where the name is one
// word, part otherwise.
func (b *Builder) markNames(name string, whole, part uint8) {
	if name == "" {
		return
	}
	if whole == 3 {
		b.exact = text.AppendExact(b.exact[:0], name)
		b.mark(b.term(b.exact), defShift, 3)
	}
	words := 0
	text.EachWord(name, func([]byte) { words++ })
	text.EachWord(name, func(w []byte) {
		e := b.expand(w)
		for i, t := range b.exp[e.at : e.at+e.n] {
			level := part
			if i == 0 && words == 1 {
				level = whole
			}
			b.mark(t, defShift, level)
		}
	})
}

// packSymbols writes symbols as a kind's byte and a name each, zero bytes between.
func packSymbols(symbols []corpus.Symbol) (sym []byte) {
	for _, s := range symbols {
		if s.Kind == corpus.NoKind {
			continue // its zero byte would read as a separator
		}
		if len(sym) > 0 {
			sym = append(sym, 0)
		}
		sym = append(append(sym, byte(s.Kind)), s.Name...)
	}
	return sym
}

func unpackSymbols(sym string) (out []corpus.Symbol) {
	for s := range strings.SplitSeq(sym, "\x00") {
		if s != "" {
			out = append(out, corpus.Symbol{Kind: corpus.Kind(s[0]), Name: s[1:]})
		}
	}
	return out
}

func (b *Builder) putChunk(c *corpus.Chunk, words int) {
	sym := packSymbols(c.Symbols)
	// The symbols of a generated table can pass 64 KiB: cut at a name.
	if len(sym) > 0xffff {
		sym = sym[:max(0, bytes.LastIndexByte(sym[:0xffff], 0))]
	}
	scope := c.Scope[:min(len(c.Scope), 0xffff)]
	var rec [chunkSize]byte
	le.PutUint32(rec[0:], b.nDocs)
	le.PutUint32(rec[4:], uint32(c.Start))
	le.PutUint32(rec[8:], uint32(c.End))
	le.PutUint32(rec[12:], uint32(c.Lines.First))
	more := uint32(c.Lines.Last - c.Lines.First)
	if c.InTest {
		more |= inTest
	}
	le.PutUint32(rec[16:], more)
	le.PutUint16(rec[20:], uint16(len(sym)))
	le.PutUint16(rec[22:], uint16(len(scope)))
	le.PutUint32(rec[24:], b.intern(scope))
	le.PutUint32(rec[28:], b.intern(string(sym)))
	copy(rec[32:], c.Hash[:])
	b.chunks = append(b.chunks, rec[:]...)
	b.lens = le.AppendUint16(b.lens, uint16(min(words, 0xffff)))
}

func (b *Builder) addGrams(t []byte) {
	b.set.Reset()
	regex.GramSet(t, b.set)
	b.trigrams.add(b.nDocs, b.set.Trigrams())
}

// order returns the numbers of the terms in ascending order of their text.
func (b *Builder) order() []uint32 {
	keys := make([]uint64, len(b.terms)) // the first four bytes, and the number
	for i := range b.terms {
		var p [4]byte
		copy(p[:], b.ids.name(uint32(i)))
		keys[i] = uint64(binary.BigEndian.Uint32(p[:]))<<32 | uint64(i)
	}
	slices.Sort(keys)
	ids := slice.Map(keys, func(k uint64) uint32 { return uint32(k) })
	for from := 0; from < len(keys); {
		end := from + 1
		for end < len(keys) && keys[end]>>32 == keys[from]>>32 {
			end++
		}
		sorting.Stable(ids[from:end], func(x, y uint32) int { return bytes.Compare(b.ids.name(x), b.ids.name(y)) })
		from = end
	}
	return ids
}
