//go:build team

package index

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

const (
	idBlock = 1 << 12 // document IDs that a process takes for itself at a time
	// weaviatePatience is how long a change is tried: longer than a lock lasts whose holder died.
	weaviatePatience = 3 * time.Minute
	// remembered is how many batches are known to have been made.
	remembered = 200
)

// Change makes a change. Once it has returned nil, most of the replicas have it. One of which
// it is unknown whether it was made is tried again under the name that it had, and is made once.
func (x *Weaviate) Change(ctx context.Context, c Change) error {
	b := newBatch(c)
	if len(b.Put) == 0 && len(b.paths) == 0 {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, weaviatePatience)
	defer stop()
	var row weaviateSegment
	models := map[weaviateModel]bool{}
	if err := trying(ctx, weaviatePasses(ctx), func() (err error) {
		if len(b.Put) > 0 {
			row, err = x.send(ctx, b, models)
		}
		return err
	}); err != nil {
		return err
	}
	return trying(ctx, weaviatePasses(ctx), func() error {
		return x.locked(ctx, func(held func() error) error { return x.publish(ctx, b, row, models, held) })
	})
}

// weaviatePasses reports whether an error is of the connection, of a node that is away or of
// others who write, and not of what was asked.
func weaviatePasses(ctx context.Context) func(error) bool {
	return func(err error) bool {
		if ctx.Err() != nil {
			return false
		}
		if e, ok := errors.AsType[*weaviate.Error](err); ok {
			return e.Passes()
		}
		return errors.Is(err, errTaken) || errors.Is(err, context.DeadlineExceeded) || passing(err)
	}
}

// send writes what a batch puts, under names that no manifest has.
func (x *Weaviate) send(ctx context.Context, b *remoteBatch, models map[weaviateModel]bool) (row weaviateSegment, err error) {
	if b.segment == nil {
		if b.first, err = x.reserve(ctx, len(b.Put)); err != nil {
			return row, err
		}
		w := NewBuilder()
		for i, d := range b.Put {
			n := *d
			n.ID = b.first + uint32(i)
			n.Embedder, n.Vectors = "", nil // they are objects
			w.Add(&n)
		}
		if b.segment, err = w.segment(x.id); err != nil {
			return row, err
		}
	}
	if row, err = x.sendSegment(ctx, b.segment, hex.EncodeToString(b.name[:12])); err != nil {
		return row, err
	}
	return row, x.sendVectors(ctx, b, models)
}

// reserve returns the first of n document IDs that nobody else has.
func (x *Weaviate) reserve(ctx context.Context, n int) (first uint32, err error) {
	x.ids.Lock()
	defer x.ids.Unlock()
	if int(x.ids.end-x.ids.next) >= n {
		x.ids.next += uint32(n)
		return x.ids.next - uint32(n), nil
	}
	err = x.locked(ctx, func(func() error) error {
		m, err := x.manifest(ctx)
		if err != nil {
			return err
		}
		want := (n + idBlock - 1) / idBlock
		from := (int(m.NextDoc) + idBlock - 1) / idBlock // no document is 0
		for free := 0; free < want; {
			_, taken, err := x.c.One(ctx, x.class, x.named("ids", "", from+free))
			if err != nil {
				return err
			}
			if free++; taken {
				from, free = from+free, 0
			}
		}
		var marks []weaviate.Object
		for i := range want {
			marks = append(marks, weaviate.ObjectOf(x.class, x.named("ids", "", from+i), "ids", nil))
		}
		if (from+want)*idBlock > math.MaxUint32 {
			return errors.New("the index has no number left for a document: make it again")
		}
		if err := x.c.Put(ctx, marks); err != nil {
			return err
		}
		x.ids.next, x.ids.end = uint32(from*idBlock), uint32((from+want)*idBlock)
		return nil
	})
	if err != nil {
		return 0, err
	}
	x.ids.next += uint32(n)
	return x.ids.next - uint32(n), nil
}

// publish commits a batch that was sent, unless it was made.
func (x *Weaviate) publish(ctx context.Context, b *remoteBatch, row weaviateSegment, models map[weaviateModel]bool, held func() error) error {
	s, err := x.state(ctx)
	if err != nil {
		return err
	}
	name := hex.EncodeToString(b.name[:12])
	if slices.Contains(s.m.Batches, name) {
		return nil
	}
	m := s.m.next()
	m.Batches = append(m.Batches, name)
	m.Batches = m.Batches[max(0, len(m.Batches)-remembered):]
	dead, err := s.m.dead()
	if err != nil {
		return err
	}
	paths := set.By(b.paths, func(p *[]byte) string { return string(*p) })
	if err := s.Docs(func(d DocInfo) bool {
		if paths[d.Path] {
			dead = append(dead, d.ID)
			if d.Chunks > 0 {
				m.Gone = append(m.Gone, weaviateGone{d.ID, d.Chunks})
			}
		}
		return true
	}); err != nil {
		return err
	}
	m.setDead(dead)
	if b.segment != nil {
		row.Lo = m.Next
		m.Segments = append(m.Segments, row)
		m.Next += int64(b.segment.Chunks)
		m.NextDoc = max(m.NextDoc, b.first+uint32(len(b.Put)))
	}
	for k := range models {
		if !slices.Contains(m.Models, k) {
			m.Models = append(m.Models, k)
		}
	}
	return x.commit(ctx, m, held)
}

// next returns the manifest of the next epoch, which shares nothing with this one that
// changes.
func (m *weaviateManifest) next() *weaviateManifest {
	n := *m
	n.Epoch, n.Nonce = m.Epoch+1, nonce()
	n.Segments, n.Models, n.Trash = slices.Clone(m.Segments), slices.Clone(m.Models), slices.Clone(m.Trash)
	n.Gone, n.Batches = slices.Clone(m.Gone), slices.Clone(m.Batches)
	return &n
}

// commit writes a manifest, while the lock is held.
func (x *Weaviate) commit(ctx context.Context, m *weaviateManifest, held func() error) error {
	x.mu.Lock()
	m.Trash = slices.DeleteFunc(m.Trash, func(s string) bool { return x.swept[s] })
	m.Gone = slices.DeleteFunc(m.Gone, func(g weaviateGone) bool { return x.swept[g.name()] })
	x.mu.Unlock()
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, _ = z.Write(text) // into memory
	if err := z.Close(); err != nil {
		return err
	}
	if err := held(); err != nil {
		return err
	}
	// Not a batch, which would replace what somebody else has written meanwhile.
	made, err := x.c.Insert(ctx, weaviate.ObjectOf(x.class, x.manifestID(m.Epoch), "manifest", buf.Bytes()))
	if err != nil {
		return err
	}
	if !made {
		return fmt.Errorf("%w: epoch %d", errTaken, m.Epoch)
	}
	// Only a hint: without it readers ask for more manifests.
	_ = x.c.Put(ctx, []weaviate.Object{weaviate.ObjectOf(x.class, x.named("near", ""), "near", fmt.Append(nil, m.Epoch))})
	return nil
}

// Tidy merges segments that have become too many or too dead, until none have, and removes
// what is no more read. Changes and questions go on meanwhile.
func (x *Weaviate) Tidy(ctx context.Context) error {
	return tidied(ctx, weaviatePasses(ctx), x.sweep, x.mergeOnce)
}

// mergeOnce merges some segments, and reports whether there were none.
func (x *Weaviate) mergeOnce(ctx context.Context) (done bool, err error) {
	s, err := x.state(ctx)
	if err != nil {
		return false, err
	}
	segs, err := s.mergeable(tierLimit)
	if err != nil || segs == nil {
		return err == nil, err
	}
	g := &merger{}
	for _, seg := range segs {
		row := s.rows[seg.Name]
		words, err := x.words(ctx, row)
		if err != nil {
			return false, err
		}
		full, err := x.segment(ctx, row, append([]int{secGramKeys, secGramDict, secGrams, secFacts, secKeys, secKeyDocs}, kept...), words)
		if err != nil {
			return false, err
		}
		g.segs = append(g.segs, &segment{Segment: full, dead: seg.dead, lo: seg.lo, total: seg.total})
	}
	if err := safely(g.plan); err != nil {
		return false, err
	}
	var row *weaviateSegment
	var chunks int64
	if g.docs > 0 {
		var buf bytes.Buffer
		if damaged := safely(func() { _, _, err = g.writeTo(&buf, x.id) }); damaged != nil {
			err = damaged
		}
		if err != nil {
			return false, err
		}
		built, err := openSegment("merged", buf.Bytes(), x.id)
		if err != nil {
			return false, err
		}
		sent, err := x.sendSegment(ctx, built, fmt.Sprintf("%016x%08x", nonce(), s.Epoch))
		if err != nil {
			return false, err
		}
		row, chunks = &sent, int64(built.Chunks)
	}
	err = x.locked(ctx, func(held func() error) error { return x.replace(ctx, g, row, chunks, held) })
	if errors.Is(err, errSuperseded) {
		return true, nil
	}
	return false, err
}

// replace commits a merge: row, or nothing where that is nil, in place of what was merged.
func (x *Weaviate) replace(ctx context.Context, g *merger, row *weaviateSegment, chunks int64, held func() error) error {
	s, err := x.state(ctx)
	if err != nil {
		return err
	}
	m := s.m.next()
	left := map[uint32]bool{} // documents that are nowhere any more
	for i, seg := range g.segs {
		at := slices.IndexFunc(m.Segments, func(r weaviateSegment) bool { return r.Name == seg.Name })
		if at < 0 {
			return errSuperseded
		}
		m.Segments = slices.Delete(m.Segments, at, at+1)
		m.Trash = append(m.Trash, seg.Name)
		if err := safely(func() {
			for d, to := range g.docMap[i] {
				if to == gone {
					left[seg.docID(uint32(d))] = true
				}
			}
		}); err != nil {
			return err
		}
	}
	dead, err := s.m.dead()
	if err != nil {
		return err
	}
	m.setDead(slices.DeleteFunc(dead, func(d uint32) bool { return left[d] }))
	if row != nil {
		row.Lo = m.Next
		m.Segments = append(m.Segments, *row)
		m.Next += chunks
	}
	return x.commit(ctx, m, held)
}

func (g weaviateGone) name() string { return fmt.Sprint("vectors of ", g.Doc) }

// sweep removes what merges and changes have left. A process with an older state that asks
// for it is told so.
func (x *Weaviate) sweep(ctx context.Context) error {
	s, err := x.state(ctx)
	if err != nil {
		return err
	}
	var ids []string
	for _, g := range s.m.Gone {
		for k := range g.Chunks {
			ids = append(ids, vectorID(g.Doc, k).String())
		}
	}
	for part := range slices.Chunk(ids, weaviate.MostAsked) {
		for _, k := range s.m.Models {
			if err := x.c.Remove(ctx, x.vectorClass(k), map[string]any{"path": []string{"id"}, "operator": "ContainsAny", "valueTextArray": part}); err != nil {
				return err
			}
		}
	}
	for _, name := range s.m.Trash {
		if err := x.c.Remove(ctx, x.class, map[string]any{"path": []string{"of"}, "operator": "Equal", "valueText": name}); err != nil {
			return err
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, name := range s.m.Trash {
		x.swept[name] = true
	}
	for _, g := range s.m.Gone {
		x.swept[g.name()] = true
	}
	return nil
}
