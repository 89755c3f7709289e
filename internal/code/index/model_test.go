package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
)

// The vocabulary of random documents, commonest first.
func vocabulary() []string {
	return append(strings.Fields(`value error index name file path read write node list open close parse token query
		rank route handler request buffer lock page chunk score merge term field cache map user session sync client
		größe naïve 検索 データ 全文 привет x86 utf8 sha256`),
		strings.Fields(`zebra quartz walrus yonder kumquat oxbow fjord glyph nymph crypt`)...)
}

// A maker makes random documents. Two of one seed make the same.
type maker struct {
	*rand.Rand
	words []string
	zipf  *rand.Zipf
}

func newMaker(seed int64) *maker {
	r := rand.New(rand.NewSource(seed))
	words := vocabulary()
	return &maker{r, words, rand.NewZipf(r, 1.2, 2, uint64(len(words)-1))}
}

// newWriter returns a maker with as many words as real texts have.
func newWriter(seed int64) *maker {
	m := newMaker(seed)
	r := rand.New(rand.NewSource(1)) // the same words for all
	syllables := strings.Fields("ba de fi go ku la me ni po ru sa te vi xo zu qua str ing or al")
	for range 4000 {
		var w string
		for range 2 + r.Intn(3) {
			w += syllables[r.Intn(len(syllables))]
		}
		m.words = append(m.words, w)
	}
	m.zipf = rand.NewZipf(m.Rand, 1.1, 8, uint64(len(m.words)-1))
	return m
}

func (m *maker) word() string { return m.words[m.zipf.Uint64()] }

// name returns an identifier.
func (m *maker) name() string {
	parts := []string{m.word()}
	for m.Intn(2) == 0 {
		parts = append(parts, m.word())
	}
	if m.Intn(2) == 0 {
		return strings.Join(parts, "_")
	}
	for i, p := range parts {
		if i > 0 && p[0] < 0x80 {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

func hashOf(b []byte) corpus.Hash {
	sum := sha256.Sum256(b)
	return corpus.Hash(sum[:16])
}

// doc returns a document of up to chunks chunks of some lines each.
func (m *maker) doc(id uint32, chunks int) *Doc {
	d := &Doc{ID: id, Lines: 1}
	for range m.Intn(3) {
		d.Path += m.word() + "/"
	}
	d.Path += fmt.Sprintf("%s_%d.%s", m.name(), id, []string{"go", "py", "test.ts"}[m.Intn(3)])
	d.Language = []string{"", "go", "python"}[m.Intn(3)]
	d.Flags = corpus.Flags(m.Intn(8))
	var b strings.Builder
	b.WriteString(strings.Repeat("\n", m.Intn(2))) // not every byte is in a chunk
	d.Lines += b.Len()
	for range m.Intn(chunks + 1) {
		c := corpus.Chunk{Span: corpus.Span{Start: b.Len()}, Lines: corpus.Range{First: d.Lines}}
		for range m.Intn(4) {
			for range m.Intn(12) {
				if m.Intn(3) == 0 {
					b.WriteString(m.name() + "()")
				} else {
					b.WriteString(m.word())
				}
				b.WriteByte(' ')
			}
			b.WriteByte('\n')
			d.Lines++
		}
		c.End, c.Lines.Last = b.Len(), max(d.Lines-1, c.Lines.First)
		if m.Intn(2) == 0 {
			c.Scope = m.name()
		}
		c.InTest = m.Intn(4) == 0
		for range m.Intn(3) {
			c.Symbols = append(c.Symbols, corpus.Symbol{Kind: corpus.Kind(1 + m.Intn(5)), Name: m.name()})
		}
		c.Hash = hashOf([]byte(b.String()[c.Start:c.End]))
		d.Chunks = append(d.Chunks, c)
	}
	d.Text = []byte(b.String())
	d.Hash = hashOf(d.Text)
	// Facts that only this text has, in two records, and a few of the keys that all share.
	d.Head, d.Body = d.Hash[:id%4], fmt.Appendf(nil, "facts of %s: %x", d.Path, d.Hash)
	for _, k := range d.Hash[:id%5] {
		d.Keys = append(d.Keys, uint32(k%11)*1000)
	}
	slices.Sort(d.Keys)
	d.Keys = slices.Compact(d.Keys)
	return d
}

func (m *maker) docs(first uint32, n, chunks int) (out []*Doc) {
	for i := range n {
		out = append(out, m.doc(first+uint32(i), chunks))
	}
	return out
}

// query returns the terms of a few words.
func (m *maker) query(n int) (terms []corpus.Term) {
	for range n {
		text.Words([]byte(m.name()), func(w []byte) {
			for _, t := range text.Code().Terms(nil, w) {
				if len(terms) < corpus.MaxTerms && !slices.ContainsFunc(terms, func(o corpus.Term) bool { return o.Text == t }) {
					terms = append(terms, corpus.Term{Text: t, Weight: .5 + m.Float32()})
				}
			}
		})
	}
	return terms
}

// A hit is a candidate by the names that its test gave.
type hit struct {
	path  string
	chunk int // of its document
	key   float64
	corpus.Candidate
}

// A model ranks as the comments of Builder and Snapshot.Lexical say, chunk by
// chunk from the documents themselves.
type model struct {
	file  bool            // as a File does, see fileLayout
	docs  []*Doc          // in the order of the index
	dead  map[uint32]bool // those of them that only count for the statistics
	cache map[*Doc][]placedChunk
}

// A place is where a term is in a chunk.
type place struct{ tf, def, path int }

// A placed chunk is a chunk with all that ranking knows of it.
type placedChunk struct {
	words  int
	code   byte
	places map[string]*place
}

// placesOf returns the chunks of a document, each term placed.
func (m *model) placesOf(d *Doc) []placedChunk {
	if p, ok := m.cache[d]; ok {
		return p
	}
	var out []placedChunk
	for i := range d.Chunks {
		if m.file {
			out = append(out, placeInFile(d, &d.Chunks[i]))
			continue
		}
		out = append(out, placeChunk(d, &d.Chunks[i]))
	}
	if m.cache == nil {
		m.cache = map[*Doc][]placedChunk{}
	}
	m.cache[d] = out
	return out
}

func placeChunk(d *Doc, c *corpus.Chunk) placedChunk {
	out := placedChunk{places: map[string]*place{}}
	at := func(t string) *place {
		p := out.places[t]
		if p == nil {
			p = &place{}
			out.places[t] = p
		}
		return p
	}
	text.Words(d.Text[c.Start:c.End], func(w []byte) {
		out.words++
		for _, t := range text.Code().Terms(nil, w) {
			p := at(t)
			p.tf = min(p.tf+1, tfMask)
		}
	})
	// each calls f with each term of s: whether it is a whole word of s, the only
	// word of s, and all of s.
	each := func(s string, f func(p *place, whole, only, all bool)) {
		words := 0
		text.Words([]byte(s), func([]byte) { words++ })
		text.Words([]byte(s), func(w []byte) {
			for i, t := range text.Code().Terms(nil, w) {
				f(at(t), i == 0, words == 1, len(w) == len(s))
			}
		})
	}
	level := func(at *int, l int) { *at = max(*at, l) }
	each(c.Scope, func(p *place, _, _, _ bool) { level(&p.def, 1) })
	for _, s := range c.Symbols {
		each(s.Name, func(p *place, whole, only, _ bool) {
			if level(&p.def, 2); whole && only {
				level(&p.def, 3)
			}
		})
	}
	dir, file := "", d.Path
	if i := strings.LastIndexByte(d.Path, '/'); i >= 0 {
		dir, file = d.Path[:i], d.Path[i+1:]
	}
	stem, _, _ := strings.Cut(file, ".")
	each(dir, func(p *place, _, _, _ bool) { level(&p.path, 1) })
	each(stem, func(p *place, whole, _, all bool) {
		if level(&p.path, 2); whole && all {
			level(&p.path, 3)
		}
	})
	return out
}

// placeInFile counts the terms of the fields of a chunk: tf, def and path are those of
// the text, of the names and of the path. A length is kept as a code.
func placeInFile(d *Doc, c *corpus.Chunk) placedChunk {
	out := placedChunk{places: map[string]*place{}}
	for field, s := range textsOf(d, c) {
		text.Words([]byte(s), func(w []byte) {
			out.words++
			for _, t := range text.Code().Terms(nil, w) {
				p := out.places[t]
				if p == nil {
					p = &place{}
					out.places[t] = p
				}
				switch field {
				case 0:
					p.tf = min(p.tf+1, 15)
				case 1:
					p.def = min(p.def+1, 3)
				case 2:
					p.path = min(p.path+1, 3)
				}
			}
		})
	}
	out.code = lengthCode(out.words)
	out.words = int(math.Round(lengthOf(out.code)))
	return out
}

func (m *model) chunks() (n, words int) {
	for _, d := range m.docs {
		for _, c := range m.placesOf(d) {
			n++
			words += c.words
		}
	}
	return n, words
}

func (m *model) df(terms []corpus.Term) []int {
	df := make([]int, len(terms))
	for _, d := range m.docs {
		for _, c := range m.placesOf(d) {
			for j, t := range terms {
				if c.places[t.Text] != nil {
					df[j]++
				}
			}
		}
	}
	return df
}

// lexical returns every hit, best first.
func (m *model) lexical(terms []corpus.Term, perDoc int, f Filter) (out []hit) {
	n, words := m.chunks()
	df := m.df(terms)
	pr := params()
	if m.file {
		pr = fileLayout().Params
	}
	for _, d := range m.docs {
		if m.dead[d.ID] || f != nil && !f(infoOf(d)) {
			continue
		}
		var hits []hit
		var sum, best float64
		var all uint32
		for i, c := range m.placesOf(d) {
			h := hit{path: d.Path, chunk: i}
			length, average := float64(c.words), max(1, float64(words)/float64(n))
			if m.file {
				length, average = lengthOf(c.code), float64(words)/float64(n)
			}
			norm := pr.Norm(length, average)
			score := 0.
			for j, t := range terms {
				p := c.places[t.Text]
				if p == nil {
					continue
				}
				weighted := float64(p.tf + 4*p.def + 2*p.path)
				if !m.file {
					h.mark(uint32(1)<<j, p.def, p.path)
					weighted = float64(p.tf) + defWeight[p.def] + pathWeight[p.path]
				}
				score += float64(t.Weight) * bm25.IDF(n, df[j]) * pr.Weight(weighted, norm)
			}
			if score == 0 {
				continue
			}
			h.Score, h.key = float32(score), score
			if m.file {
				hits = append(hits, h)
				continue
			}
			h.Words, h.First = uint16(c.words), i == 0
			h.Flags, h.Chunks = d.Flags, uint16(len(d.Chunks))
			if d.Chunks[i].InTest {
				h.Flags |= corpus.Test
			}
			sum, best, all = sum+score, max(best, score), all|h.Terms
			hits = append(hits, h)
		}
		for i := range hits {
			if m.file {
				break
			}
			hits[i].DocScore, hits[i].DocBest, hits[i].DocTerms, hits[i].DocHits = float32(sum), float32(best), all, uint16(len(hits))
		}
		// The best chunk stands for its document.
		if i := slices.IndexFunc(hits, func(h hit) bool { return h.key == best }); i >= 0 && !m.file {
			hits[i].key = max(best, sum/3)
		}
		if len(hits) > perDoc {
			slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.key, a.key) })
			hits = m.standing(d, hits, perDoc)
		}
		out = append(out, hits...)
	}
	slices.SortStableFunc(out, func(a, b hit) int { return cmp.Compare(b.key, a.key) })
	return out
}

// standing returns which of the hits of a document stand for it: where others matched, no more than half are
// tests beside the code.
func (m *model) standing(d *Doc, hits []hit, n int) []hit {
	if m.file || d.Flags&corpus.Test != 0 {
		return hits[:n]
	}
	var code, tests []hit
	for _, h := range hits {
		if d.Chunks[h.chunk].InTest {
			tests = append(tests, h)
		} else {
			code = append(code, h)
		}
	}
	tests = tests[:min(len(tests), max(n/2, n-len(code)))]
	return append(tests, code[:min(len(code), n-len(tests))]...)
}

func (h *hit) mark(bit uint32, def, path int) {
	set := func(mask *uint32, when bool) {
		if when {
			*mask |= bit
		}
	}
	set(&h.Terms, true)
	set(&h.Whole, def == 3)
	set(&h.Named, def >= 2)
	set(&h.Scoped, def == 1)
	set(&h.File, path == 3)
	set(&h.Stem, path >= 2)
	set(&h.Folder, path == 1)
}

func infoOf(d *Doc) DocInfo {
	return DocInfo{ID: d.ID, Path: d.Path, Language: d.Language, Flags: d.Flags, Size: len(d.Text), Lines: d.Lines,
		Chunks: uint32(len(d.Chunks)), Hash: d.Hash}
}

// same says how got differs from the first hits of want, or "". Scores are near;
// hits with near keys may change places.
func same(got, want []hit, n int) string {
	if len(got) != min(n, len(want)) {
		return fmt.Sprintf("%d hits, want %d", len(got), min(n, len(want)))
	}
	type name struct {
		path  string
		chunk int
	}
	byName := map[name]hit{}
	for _, h := range want {
		byName[name{h.path, h.chunk}] = h
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-4*max(1, math.Abs(a)) }
	for i, g := range got {
		w, ok := byName[name{g.path, g.chunk}]
		if !ok {
			return fmt.Sprintf("hit %d, chunk %d of %s, is none or there twice", i, g.chunk, g.path)
		}
		delete(byName, name{g.path, g.chunk})
		if !near(w.key, want[i].key) {
			return fmt.Sprintf("hit %d is chunk %d of %s with %v, want %s with %v", i, g.chunk, g.path, w.key, want[i].path, want[i].key)
		}
		a, b := g.Candidate, w.Candidate
		if !near(float64(a.Score), float64(b.Score)) || !near(float64(a.DocScore), float64(b.DocScore)) || !near(float64(a.DocBest), float64(b.DocBest)) {
			return fmt.Sprintf("chunk %d of %s scores %v of %v, want %v of %v", g.chunk, g.path, a.Score, a.DocScore, b.Score, b.DocScore)
		}
		a.Ref, a.Doc, a.Score, a.DocScore, a.DocBest = b.Ref, b.Doc, b.Score, b.DocScore, b.DocBest
		if a != b {
			return fmt.Sprintf("chunk %d of %s is %+v, want %+v", g.chunk, g.path, a, b)
		}
	}
	return ""
}

// open returns an index of its own and its writer.
func open(t testing.TB) (*Index, *Writer) {
	t.Helper()
	x, err := Open(context.Background(), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	w, err := x.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(); x.Close() })
	return x, w
}

// publish writes documents as one segment.
func publish(t testing.TB, w *Writer, docs []*Doc, dead ...uint32) {
	t.Helper()
	if err := w.Publish(context.Background(), batchOf(t, w, docs, dead...)); err != nil {
		t.Fatal(err)
	}
}

func batchOf(t testing.TB, w *Writer, docs []*Doc, dead ...uint32) Batch {
	t.Helper()
	b := NewBuilder()
	next := uint32(0)
	for _, d := range docs {
		b.Add(d)
		next = max(next, d.ID+1)
	}
	batch := Batch{Dead: dead, NextDoc: next}
	if len(docs) > 0 {
		built, err := w.x.Build(b)
		if err != nil {
			t.Fatal(err)
		}
		batch.Segments = []*Built{built}
	}
	return batch
}

func snapshot(t testing.TB, x *Index) *Snapshot {
	t.Helper()
	p, err := x.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}
