package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

const (
	countTerm       = "SELECT coalesce(sum(n), 0) FROM postings WHERE library = ? AND term = ?"
	readTerm        = "SELECT library, block, n, data FROM postings WHERE library = ? AND term = ?"
	readSegments    = "SELECT segment, first, chunks, dead FROM segments WHERE part = ? ORDER BY first"
	readTermOfPart  = "SELECT p.library, p.block, p.n, p.data FROM segments s CROSS JOIN postings p ON p.library = s.segment AND p.term = ?2 WHERE s.part = ?1"
	readTermsOfPart = "SELECT p.library, p.block, p.n, p.data FROM segments s CROSS JOIN postings p ON p.library = s.segment AND p.term >= ?2 AND p.term < ?3 WHERE s.part = ?1"
)

// A PartReader is the Reader of one part, in one transaction. It is for one goroutine.
type PartReader struct {
	ctx   context.Context
	f     *File
	tx    *sql.Tx
	part  int64
	name  string
	stamp string // of a part that is written once
	epoch int64  // of a part that changes by documents
	segs  []*resident
	live  int
	norms [256]float32
	scan  *partScan
	terms map[corpus.Term]*sought
	docs  documents
}

// A sought is what was found out about a term: in how many live chunks it is, and once it
// was read, its postings.
type sought struct {
	df   int
	read bool
	at   []stretch
}

// A stretch is the postings of a term in a block, in the arena.
type stretch struct{ seg, block, start, end int }

// Part returns the reader of a part that is written once. The caller closes it.
func (f *File) Part(ctx context.Context, tx *sql.Tx, p Part) (*PartReader, error) {
	v, err := f.resident(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	r := f.reader(ctx, tx, p.Number, p.Name)
	r.stamp = p.Stamp
	r.add(v)
	r.weigh()
	return r, nil
}

func (f *File) reader(ctx context.Context, tx *sql.Tx, part int64, name string) *PartReader {
	r := &PartReader{ctx: ctx, f: f, tx: tx, part: part, name: name, scan: f.scratch.take(), terms: map[corpus.Term]*sought{}}
	if r.scan == nil {
		r.scan = &partScan{}
	}
	r.scan.arena = r.scan.arena[:0]
	return r
}

func (r *PartReader) add(v *resident) {
	r.segs = append(r.segs, v)
	r.live += v.live
}

// weigh makes the length norms.
func (r *PartReader) weigh() {
	words := 0.0
	for _, v := range r.segs {
		words += v.words
	}
	average := words / float64(max(r.live, 1))
	for c := range r.norms {
		r.norms[c] = float32(r.f.layout.Norm(lengthOf(byte(c)), average))
	}
	if r.f.edited {
		r.norms[goneCode] = float32(math.Inf(1)) // what is gone is worth nothing
	}
}

// Close gives back what the reader worked with. What it has returned stays good.
func (r *PartReader) Close() {
	if cap(r.scan.arena) <= maxArena {
		r.f.scratch.put(r.scan)
	}
	r.scan = nil
}

// Chunks returns how many live chunks the part has.
func (r *PartReader) Chunks() int { return r.live }

// DF is the Reader's.
func (r *PartReader) DF(terms []corpus.Term) (df []int, chunks int, err error) {
	df = make([]int, len(terms))
	for i, t := range terms {
		k, err := r.seek(t, false)
		if err != nil {
			return nil, 0, err
		}
		df[i] = k.df
	}
	return df, r.live, nil
}

// Worth returns what counts are worth of a term with an IDF, in a chunk: what Lexical adds
// to its score. It is for terms that Lexical was not asked for, since there are enough.
func (r *PartReader) Worth(chunk uint32, idf float64, counts byte) float32 {
	for _, v := range r.segs {
		if at := int(chunk) - v.first; at >= 0 && at < len(v.codes) {
			f := r.f.weights[counts]
			return float32(idf*(r.f.layout.K1+1)) * f / (f + r.norms[v.codes[at]])
		}
	}
	return 0
}

// seek finds a term; with read, its postings too.
func (r *PartReader) seek(t corpus.Term, read bool) (*sought, error) {
	t.Weight = 0
	k := r.terms[t]
	if k == nil {
		k = &sought{}
		r.terms[t] = k
		if !sane(t.Text) {
			k.read = true
			return k, nil
		}
		if r.f.edited {
			return k, r.load(t, k)
		}
		if t.Match == corpus.Same && r.known(t.Text, k) {
			return k, nil
		}
		rows, err := r.f.query(r.ctx, r.tx, countTerm, r.part, t.Text)
		if err == nil {
			err = scanOne(rows, &k.df)
		}
		if err != nil {
			return nil, err
		}
	}
	if read && !k.read {
		return k, r.load(t, k)
	}
	return k, nil
}

func scanOne(rows *sql.Rows, to ...any) error {
	return store.EachOf(rows, to, func() error { return nil })
}

// load reads the postings of a term into the arena, and counts them where that needs them.
func (r *PartReader) load(t corpus.Term, k *sought) error {
	k.read = true
	var err error
	switch {
	case t.Match == corpus.Inside:
		return r.loadInside(t, k)
	case t.Match == corpus.Begins:
		// No byte of a text is 0xff.
		k.at, k.df, err = r.readPostings(readTermsOfPart, r.part, t.Text, t.Text+"\xff")
		if err == nil {
			k.df = r.union(k.at)
		}
		return err
	case r.f.edited:
		k.at, k.df, err = r.readPostings(readTermOfPart, r.part, t.Text)
	default:
		if k.at, _, err = r.readPostings(readTerm, r.part, t.Text); err == nil {
			r.keep(t.Text, k)
		}
		return err
	}
	if err != nil {
		return err
	}
	k.df = 0
	for _, x := range k.at {
		n, err := r.count(x)
		if err != nil {
			return err
		}
		k.df += n
	}
	return nil
}

func (r *PartReader) readPostings(query string, args ...any) (at []stretch, n int, err error) {
	rows, err := r.f.query(r.ctx, r.tx, query, args...) //nolint:rowserrcheck // store.EachOf asks for it
	if err != nil {
		return nil, 0, err
	}
	var part int64
	var block, k int
	var data sql.RawBytes
	err = store.EachOf(rows, []any{&part, &block, &k, &data}, func() error {
		seg := slices.IndexFunc(r.segs, func(v *resident) bool { return v.part == part })
		if seg < 0 {
			return r.damaged("a segment")
		}
		b, ok := slices.BinarySearch(r.segs[seg].starts, block)
		if !ok {
			return r.damaged("postings without a block")
		}
		start := len(r.scan.arena)
		r.scan.arena = append(r.scan.arena, data...)
		at = append(at, stretch{seg, b, start, len(r.scan.arena)})
		n += k
		return nil
	})
	return at, n, err
}

func (r *PartReader) damaged(what string) error {
	return fmt.Errorf("%w: %s of %s", store.ErrDamaged, what, r.name)
}

// each calls yield with each live chunk of a stretch, by its number in the block.
func (r *PartReader) each(x stretch, yield func(at int)) error {
	codes := r.segs[x.seg].block(x.block)
	sound := eachPosting(r.scan.arena[x.start:x.end], len(codes), func(at int, _ byte) {
		if !r.f.edited || codes[at] != goneCode {
			yield(at)
		}
	})
	if !sound {
		return r.damaged("postings")
	}
	return nil
}

// eachPosting calls yield with each posting of a block of n chunks, and reports whether
// they are sound.
func eachPosting(data []byte, n int, yield func(at int, counts byte)) bool {
	at := -1
	for i := 0; i < len(data); {
		u, k := binary.Uvarint(data[i:])
		if k <= 0 || u < 2 || u/2 > uint64(n-1-at) {
			return false
		}
		i += k
		at += int(u / 2)
		counts := byte(once)
		if u&1 == 0 {
			if i == len(data) || data[i] == 0 {
				return false
			}
			counts = data[i]
			i++
		}
		yield(at, counts)
	}
	return true
}

func (r *PartReader) count(x stretch) (n int, err error) {
	err = r.each(x, func(int) { n++ })
	return n, err
}

// union counts the chunks that are in any of the stretches.
func (r *PartReader) union(all []stretch) (n int) {
	type place struct{ seg, block int }
	seen := map[place]*bitmap{}
	for _, x := range all {
		b := seen[place{x.seg, x.block}]
		if b == nil {
			b = &bitmap{}
			seen[place{x.seg, x.block}] = b
		}
		_ = r.each(x, func(at int) { b.set(uint32(at)) }) // Lexical says what is damaged
	}
	for _, b := range seen {
		n += b.count()
	}
	return n
}

// loadInside finds the chunks that have all groups of three characters of a word, which
// is all that an index without places can tell.
func (r *PartReader) loadInside(t corpus.Term, k *sought) error {
	runes := []rune(t.Text)
	if len(runes) < 3 {
		return nil
	}
	type place struct{ seg, block int }
	var have map[place][]int
	for i := 0; i+3 <= len(runes); i++ {
		at, _, err := r.readPostings(readTermOfPart, r.part, string(appendGram(nil, runes[i:i+3])))
		if err != nil {
			return err
		}
		next := map[place][]int{}
		for _, x := range at {
			p := place{x.seg, x.block}
			before := have[p]
			var both []int
			if err := r.each(x, func(at int) {
				for len(before) > 0 && before[0] < at {
					before = before[1:]
				}
				if i == 0 || len(before) > 0 && before[0] == at {
					both = append(both, at)
				}
			}); err != nil {
				return err
			}
			if len(both) > 0 {
				next[p] = both
			}
		}
		if have = next; len(have) == 0 {
			return nil
		}
	}
	for p, found := range have {
		l := plist{last: -1}
		for _, at := range found {
			l.add(at, once)
		}
		start := len(r.scan.arena)
		r.scan.arena = append(r.scan.arena, l.data...)
		k.at = append(k.at, stretch{p.seg, p.block, start, len(r.scan.arena)})
		k.df += len(found)
	}
	return nil
}

// Alike returns the cosine of two vectors of int8, 0 where it is negative. data is one
// as it is stored; one of another length has nothing in common with v.
func Alike(data []byte, v []int8) float64 { return max(0, vec.CosineInt8(vec.Signed(data), v)) }

// Alike returns the k chunks whose signs are most alike to those of a vector, in the
// order of the part; ok: they are signs of the model that the reader was asked for. The
// vectors themselves may be beside the texts, for those to be compared that are read. To a
// vector of zeros nothing is alike.
func (r *PartReader) Alike(v []int8, k int) (chunks []uint32, ok bool) {
	sketch := vec.SketchOf(v)
	for _, s := range r.segs {
		if s.signs == nil {
			return nil, false
		}
		if !slices.ContainsFunc(v, func(x int8) bool { return x != 0 }) {
			continue
		}
		for _, at := range nearest(s.signs, sketch, k, &r.scan.far) {
			chunks = append(chunks, uint32(s.first+at))
		}
	}
	slices.Sort(chunks)
	return chunks, true
}

// idf returns what a term counts.
func (r *PartReader) idf(t corpus.Term, k *sought) float64 {
	return bm25.IDF(max(r.live, k.df), k.df) * float64(t.Weight)
}

// sane reports whether a term may be that of a word.
func sane(t string) bool { return t != "" && t[0] != gramMark }
