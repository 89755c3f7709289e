//go:build team

package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

const (
	partSize   = 1 << 19 // bytes of a section in one object
	bucketSize = 1 << 15 // about so many of postings
)

// sendSegment writes a segment that nobody names yet.
func (x *Weaviate) sendSegment(ctx context.Context, s *Segment, name string) (row weaviateSegment, err error) {
	row = weaviateSegment{Name: name, Bytes: s.size, Parts: make([]int, sections), Buckets: 1}
	var objects []weaviate.Object
	err = safely(func() {
		for no := range sections {
			if slices.Contains([]int{secTerms, secTermIdx, secPostings, secVecs, secSigns, secVecName}, no) {
				continue
			}
			data := s.at(no, 0, len(s.sec[no]))
			for part := range slices.Chunk(data, partSize) {
				objects = append(objects, weaviate.ObjectOf(x.class, x.named("section", name, no, row.Parts[no]), name, part))
				row.Parts[no]++
			}
		}
		for row.Buckets < 1<<16 && row.Buckets*bucketSize < len(s.sec[secPostings])+len(s.sec[secTerms]) {
			row.Buckets *= 2
		}
		buckets := make([][]byte, row.Buckets)
		t := s.termsFrom(0, true)
		for t.next() {
			b := &buckets[bucketOf(string(t.term), row.Buckets)]
			data := s.at(secPostings, t.at, t.size)
			*b = binary.AppendUvarint(*b, uint64(len(t.term)))
			*b = append(*b, t.term...)
			*b = binary.AppendUvarint(*b, uint64(t.df))
			*b = binary.AppendUvarint(*b, uint64(len(data)))
			*b = append(*b, data...)
		}
		for i, data := range buckets {
			objects = append(objects, weaviate.ObjectOf(x.class, x.named("words", name, i), name, data))
		}
		for n := range s.Chunks {
			row.Words += int64(s.words(n))
		}
	})
	if err != nil {
		return row, err
	}
	return row, x.c.Put(ctx, objects)
}

func bucketOf(term string, buckets int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term))
	return int(h.Sum32()) & (buckets - 1)
}

// A posted is a term with its postings, as a bucket has it.
type posted struct {
	term string
	postings
}

// unbucket returns what a bucket has.
func unbucket(data []byte) (all []posted, err error) {
	number := func() int {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > math.MaxInt32 {
			err = fmt.Errorf("%w: a bucket of postings", ErrDamaged)
			return 0
		}
		data = data[size:]
		return int(n)
	}
	take := func(n int) []byte {
		if n > len(data) {
			err = fmt.Errorf("%w: a bucket of postings", ErrDamaged)
			return nil
		}
		part := data[:n:n]
		data = data[n:]
		return part
	}
	for len(data) > 0 && err == nil {
		term := string(take(number()))
		df := number()
		all = append(all, posted{term, postings{df, take(number())}})
	}
	return all, err
}

// vectorIndex is how the server finds those: by direction, of what the cosines are computed from here, and with
// half of the links that it makes itself, which take half of the time to put and, as several times as many are
// looked at as are wanted, lose nothing.
var vectorIndex = map[string]any{"distance": "cosine", "maxConnections": 16, "efConstruction": 64}

// sendVectors writes the vectors that came with the documents of a batch.
func (x *Weaviate) sendVectors(ctx context.Context, b *remoteBatch, models map[weaviateModel]bool) error {
	var objects []weaviate.Object
	for i, d := range b.Put {
		n := len(d.Chunks)
		if d.Embedder == "" || n == 0 || len(d.Vectors) == 0 || len(d.Vectors)%n != 0 {
			continue
		}
		m := weaviateModel{d.Embedder, len(d.Vectors) / n}
		class := x.vectorClass(m)
		if !models[m] {
			k := weaviate.Class{Class: class, Description: "assay vectors", Vectors: vectorIndex, Replication: x.replication(), Sharding: x.sharding(),
				Properties: []any{map[string]any{"name": "data", "dataType": []string{"text"}, "tokenization": "field", "indexFilterable": false, "indexSearchable": false}}}
			if _, err := x.c.Create(ctx, k); err != nil {
				return err
			}
			models[m] = true
		}
		for k := range n {
			row := Quantise(nil, d.Vectors[k*m.Dims:(k+1)*m.Dims])
			o := weaviate.ObjectOf(class, vectorID(b.first+uint32(i), uint32(k)), "", row)
			if le.Uint32(row) != 0 { // else it is like nothing
				o.Vector = vec.Signed(row[4:])
			}
			objects = append(objects, o)
		}
	}
	return x.c.Put(ctx, objects)
}

// vectorID is the name of the vector of a chunk of a document.
func vectorID(doc, chunk uint32) (u weaviate.ID) {
	binary.BigEndian.PutUint32(u[:], doc)
	binary.BigEndian.PutUint32(u[4:], chunk)
	return u
}

// words returns the dictionary and the postings of a segment as the sections that they
// were made of.
func (x *Weaviate) words(ctx context.Context, r *weaviateSegment) (map[int][]byte, error) {
	var all []posted
	var ids []weaviate.ID
	for i := range r.Buckets {
		ids = append(ids, x.named("words", r.Name, i))
	}
	got, err := x.c.Many(ctx, x.class, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		data, ok := got[id]
		if !ok {
			return nil, x.replaced(ctx, errSwept)
		}
		some, err := unbucket(data)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b posted) int { return strings.Compare(a.term, b.term) })
	var d dict
	var out []byte
	for _, p := range all {
		d.add([]byte(p.term), p.df, len(p.data), uint64(len(out)))
		out = append(out, p.data...)
	}
	return map[int][]byte{secPostings: out, secTermIdx: d.idx, secTerms: d.terms}, nil
}
