//go:build team

package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

var (
	_ Backend = (*Weaviate)(nil)
	_ distant = (*weaviateState)(nil)
)

// mostCached is how many bytes of objects of a kind a process keeps.
const mostCached = 64 << 20

// A writtenOnce keeps what objects have, which never changes. When it is full it is emptied.
type writtenOnce[T any] struct {
	mu   sync.Mutex
	size int
	m    map[objectName]T
}

type objectName struct {
	class string
	id    weaviate.ID
}

func (c *writtenOnce[T]) get(class string, id weaviate.ID) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.m[objectName{class, id}]
	return b, ok
}

func (c *writtenOnce[T]) put(class string, id weaviate.ID, b T, size int) {
	size += 100 // of the map
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += size; c.m == nil || c.size > mostCached {
		c.m, c.size = map[objectName]T{}, size
	}
	c.m[objectName{class, id}] = b
}

func (s *weaviateState) postings(ctx context.Context, p *Snapshot, terms []string) (map[string][]postings, error) {
	out := map[string][]postings{}
	var ask []weaviate.ID
	buckets := map[weaviate.ID][]posted{}
	each := func(f func(i int, t string, id weaviate.ID)) {
		for i, seg := range p.segs {
			if r := s.rows[seg.Name]; r != nil { // else of an overlay
				for _, t := range terms {
					f(i, t, s.x.named("words", r.Name, bucketOf(t, r.Buckets)))
				}
			}
		}
	}
	for _, t := range terms {
		out[t] = make([]postings, len(p.segs))
	}
	each(func(_ int, _ string, id weaviate.ID) {
		if _, asked := buckets[id]; asked {
			return
		}
		b, ok := s.x.buckets.get(s.x.class, id)
		if buckets[id] = b; !ok {
			ask = append(ask, id)
		}
	})
	got, err := s.x.c.Many(ctx, s.x.class, ask)
	if err != nil {
		return nil, err
	}
	for _, id := range ask {
		data, ok := got[id]
		if !ok {
			return nil, s.x.replaced(ctx, errSwept)
		}
		if buckets[id], err = unbucket(data); err != nil {
			return nil, err
		}
		s.x.buckets.put(s.x.class, id, buckets[id], 2*len(data))
	}
	each(func(i int, t string, id weaviate.ID) {
		for _, b := range buckets[id] {
			if b.term == t {
				if b.df <= 0 || b.df > int(p.segs[i].Chunks) {
					err = p.segs[i].corrupt("postings are corrupt")
					return
				}
				out[t][i] = b.postings
			}
		}
	})
	return out, err
}

// nearest asks the server for those that are near, more than were asked for, and computes
// their cosines from int8.
func (s *weaviateState) nearest(ctx context.Context, p *Snapshot, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error) {
	model := weaviateModel{embedder, len(unit)}
	if n <= 0 || len(unit) == 0 || !slices.Contains(s.m.Models, model) {
		return nil, ctx.Err()
	}
	h := &near{top: top{n: n, p: p}, where: s.places.of(&s.Snapshot), q: vec.NewQuery(unit), dims: len(unit)}
	chunks := int(p.chunks)
	if f != nil {
		h.pass, chunks = map[uint32]bool{}, 0
		if err := p.Docs(func(d DocInfo) bool {
			if d.Chunks > 0 && f(d) {
				h.pass[d.ID] = true
				chunks += int(d.Chunks)
			}
			return true
		}); err != nil {
			return nil, err
		}
	}
	class := s.x.vectorClass(model)
	take := func(id weaviate.ID, data []byte) error {
		s.x.vectors.put(class, id, data, len(data))
		return h.take(binary.BigEndian.Uint32(id[:]), binary.BigEndian.Uint32(id[4:]), data)
	}
	if int(s.chunks) > exactly {
		if enough, err := s.propose(ctx, class, unit, h, take); err != nil || enough {
			return h.sorted(), err
		}
	}
	h.heap, h.passed, h.asked = nil, 0, 0
	err := s.x.c.All(ctx, class, take)
	return h.sorted(), err
}

// mostNear is how many the server gives at most, as it comes.
const mostNear = 10000

// propose offers what the server finds, and reports whether that was enough.
func (s *weaviateState) propose(ctx context.Context, class string, unit []float32, h *near, take func(weaviate.ID, []byte) error) (bool, error) {
	text := []byte{'['}
	for i, x := range vec.Signed(Quantise(nil, unit)[4:]) {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(x), 10)
	}
	for k := h.n + h.n/8 + 16; k <= mostNear; k *= 4 {
		h.heap, h.passed, h.asked = nil, 0, 0
		if err := s.x.c.Query(ctx, class, fmt.Sprintf("limit:%d,nearVector:{vector:%s]}", k, text), take); err != nil {
			return false, err
		}
		if h.passed >= h.n {
			return true, nil
		}
		if h.asked < k {
			return false, nil
		}
	}
	return false, nil
}

func (s *weaviateState) fillCosine(ctx context.Context, p *Snapshot, embedder string, unit []float32, cands []corpus.Candidate) error {
	model := weaviateModel{embedder, len(unit)}
	if len(cands) == 0 || !slices.Contains(s.m.Models, model) {
		return ctx.Err()
	}
	class := s.x.vectorClass(model)
	of := map[weaviate.ID][]int{}
	got := map[weaviate.ID][]byte{}
	var ids []weaviate.ID
	if err := p.safely(func() {
		for i, c := range cands {
			seg := p.segs[c.Segment]
			if seg.Name == "" {
				continue // of an overlay
			}
			d := seg.chunkDoc(c.Chunk)
			lo, _ := seg.docChunks(d)
			id := vectorID(seg.docID(d), c.Chunk-lo)
			if of[id] == nil {
				data, have := s.x.vectors.get(class, id)
				if got[id] = data; !have {
					ids = append(ids, id)
				}
			}
			of[id] = append(of[id], i)
		}
	}); err != nil {
		return err
	}
	read, err := s.x.c.Many(ctx, class, ids)
	if err != nil {
		return err
	}
	for _, id := range ids { // a chunk that has none never will
		got[id] = read[id]
		s.x.vectors.put(class, id, read[id], len(read[id]))
	}
	q := vec.NewQuery(unit)
	for id, data := range got {
		if cos, ok := cosine(q, len(unit), data); ok {
			for _, i := range of[id] {
				cands[i].Cosine = cos
			}
		}
	}
	return nil
}

func (s *weaviateState) embedded(embedder string) bool {
	return slices.ContainsFunc(s.m.Models, func(m weaviateModel) bool { return m.Name == embedder })
}
