//go:build team

package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/vec"
)

// A remoteReader is the Reader of a Remote, in one transaction. It is for one goroutine.
type remoteReader struct {
	ctx   context.Context
	x     *Remote
	tx    pgx.Tx
	state *remoteState
	snap  Snapshot // of state, with the postings that were read for this reader
}

var _ Reader = (*remoteReader)(nil)

// Open returns the reader of the last committed state. The caller closes it.
func (x *Remote) Open(ctx context.Context) (*remoteReader, error) {
	tx, err := x.pool.BeginTx(ctx, remoteTx)
	if err != nil {
		return nil, err
	}
	s, err := x.state(ctx, tx)
	if err != nil {
		_ = tx.Rollback(context.WithoutCancel(ctx))
		return nil, err
	}
	r := &remoteReader{ctx: ctx, x: x, tx: tx, state: s}
	r.snap.State, r.snap.id, r.snap.segs, r.snap.chunks, r.snap.words = s.State, s.id, s.segs, s.chunks, s.words
	none := make([]*vectors, len(s.segs))
	r.snap.own, r.snap.vecs = none, none
	return r, nil
}

// Close ends the transaction. What the reader has returned stays good.
func (r *remoteReader) Close() { _ = r.tx.Rollback(context.WithoutCancel(r.ctx)) }

// State returns the state that is read.
func (r *remoteReader) State() State { return r.snap.State }

// Describe returns the chunks that refs name.
func (r *remoteReader) Describe(refs []corpus.Ref) ([]Found, error) { return r.snap.Describe(refs) }

// Docs is the Reader's.
func (r *remoteReader) Docs(yield func(DocInfo) bool) error { return r.snap.Docs(yield) }

// Lexical is the Reader's, with the answers of the folder form.
func (r *remoteReader) Lexical(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter) ([]corpus.Candidate, error) {
	if err := r.look(ctx, terms[:min(len(terms), corpus.MaxTerms)]); err != nil {
		return nil, err
	}
	return r.snap.LexicalBeside(ctx, terms, n, perDoc, f, 0)
}

// DF is the Reader's.
func (r *remoteReader) DF(terms []corpus.Term) (df []int, chunks int, err error) {
	for part := range slices.Chunk(terms, corpus.MaxTerms) {
		if err := r.look(r.ctx, part); err != nil {
			return nil, 0, err
		}
		n, _, err := r.snap.DF(part)
		if err != nil {
			return nil, 0, err
		}
		df = append(df, n...)
	}
	return df, int(r.snap.chunks), nil
}

// look reads the postings of terms, at most corpus.MaxTerms, into the terms that the
// snapshot knows: what it does not know it would look for in the segments, where there are
// none.
func (r *remoteReader) look(ctx context.Context, terms []corpus.Term) error {
	have := r.snap.terms.m
	if have == nil || len(have)+len(terms) > cachedTerms {
		have = map[string]known{}
		r.snap.terms.m = have
	}
	var ask [][]byte
	for _, t := range terms {
		if _, ok := have[t.Text]; ok {
			continue
		}
		have[t.Text] = known{found: make([]postings, len(r.snap.segs))}
		if t.Text != "" && len(t.Text) <= math.MaxUint8 { // of which no dictionary has longer ones
			ask = append(ask, []byte(t.Text))
		}
	}
	if len(ask) == 0 || len(r.snap.segs) == 0 {
		return nil
	}
	err := r.read(ctx, ask)
	if err != nil {
		clear(have) // some may have been read, and some not
	}
	return err
}

func (r *remoteReader) read(ctx context.Context, terms [][]byte) error {
	have, at := r.snap.terms.m, map[int64]int{}
	ids := make([]int64, len(r.snap.segs))
	for i, s := range r.snap.segs {
		if s.Name == "" {
			continue // of an overlay; no segment of the database has the number 0
		}
		if _, err := fmt.Sscanf(s.Name, "segment %d", &ids[i]); err != nil {
			return err
		}
		at[ids[i]] = i
	}
	rows, _ := r.tx.Query(ctx, "SELECT segment, term, df, data FROM remote_postings WHERE segment = ANY($1) AND term = ANY($2)", ids, terms)
	var id int64
	var term, data []byte
	var df int
	_, err := pgx.ForEachRow(rows, []any{&id, &term, &df, &data}, func() error {
		i := at[id]
		if df <= 0 || df > int(r.snap.segs[i].Chunks) {
			return r.snap.segs[i].corrupt("postings are corrupt")
		}
		have[string(term)].found[i] = postings{df, slices.Clone(data)}
		return nil
	})
	if err != nil {
		return err
	}
	return r.snap.safely(func() {
		for _, t := range terms {
			k := have[string(t)]
			for i, ps := range k.found {
				if ps.df > 0 {
					k.df += r.snap.segs[i].live(ps)
				}
			}
			have[string(t)] = k
		}
	})
}

// exactly is how many chunks are compared one by one: to ask an index is dearer, and may
// miss one.
const exactly = 4096

// A remoteVector is a vector as a row has it.
type remoteVector struct {
	Doc   uint32
	Chunk uint32
	Data  []byte
}

// Nearest is the Reader's. The database proposes those that its index says are near, more
// than were asked for, and their cosines are computed from int8.
func (r *remoteReader) Nearest(ctx context.Context, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error) {
	if n <= 0 || len(unit) == 0 {
		return nil, ctx.Err()
	}
	id, err := r.embedder(ctx, embedder, len(unit))
	if err != nil || id == 0 {
		return nil, err
	}
	var only []int64 // documents that pass; nil: all do
	chunks := int(r.snap.chunks)
	if f != nil {
		only, chunks = []int64{}, 0
		if err := r.snap.Docs(func(d DocInfo) bool {
			if d.Chunks > 0 && f(d) {
				only = append(only, int64(d.ID))
				chunks += int(d.Chunks)
			}
			return true
		}); err != nil {
			return nil, err
		}
	}
	h := &nearHeap{r: r, near: near{top: top{n: n, p: &r.snap}, where: r.state.places.of(&r.state.Snapshot), q: vec.NewQuery(unit), dims: len(unit)}}
	if r.x.nearest && chunks > exactly {
		if enough, err := r.propose(ctx, id, unit, h, only); err != nil || enough {
			return h.sorted(), err
		}
		h.heap = nil
	}
	const all = "SELECT doc, chunk, data FROM remote_vectors WHERE embedder = $1"
	if only != nil {
		return h.ask(ctx, all+" AND doc = ANY($2)", id, only)
	}
	return h.ask(ctx, all, id)
}

// propose offers what the index finds, and reports whether that was enough.
func (r *remoteReader) propose(ctx context.Context, id int64, unit []float32, h *nearHeap, only []int64) (bool, error) {
	text := []byte{'['}
	for i, x := range unit {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(text, float64(x), 'g', 6, 32)
	}
	text = append(text, ']')
	pass := set.By(only, func(d *int64) uint32 { return uint32(*d) })
	// More than are wanted, since int8 may order those that are about as near as the last in
	// another way.
	for k := h.n + h.n/8 + 16; k <= 1<<14; k *= 4 {
		if _, err := r.tx.Exec(ctx, fmt.Sprintf("SET LOCAL hnsw.iterative_scan = strict_order; SET LOCAL hnsw.ef_search = %d", min(max(k, 100), 1000))); err != nil {
			return false, err
		}
		h.heap, h.passed = nil, 0
		h.pass = nil
		if only != nil {
			h.pass = pass
		}
		// The numbers are in the text as the index is a partial one, which a parameter
		// would not be seen to fit.
		q := fmt.Sprintf("SELECT doc, chunk, data FROM remote_vectors WHERE embedder = %d ORDER BY (embedding::halfvec(%d)) <#> $1::text::halfvec(%d) LIMIT %d", id, h.dims, h.dims, k)
		if _, err := h.ask(ctx, q, string(text)); err != nil {
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

// A nearHeap keeps the nearest of the vectors that are read.
type nearHeap struct {
	r *remoteReader
	near
}

func (h *nearHeap) ask(ctx context.Context, query string, args ...any) ([]corpus.Candidate, error) {
	h.asked = 0
	rows, _ := h.r.tx.Query(ctx, query, args...)
	var v remoteVector
	_, err := pgx.ForEachRow(rows, []any{&v.Doc, &v.Chunk, &v.Data}, func() error { return h.take(v.Doc, v.Chunk, v.Data) })
	return h.sorted(), err
}

// A near keeps the nearest of the vectors that it takes.
type near struct {
	top
	where         map[uint32]docPlace
	q             vec.Query
	dims          int
	pass          map[uint32]bool // nil: all documents do
	asked, passed int
}

// take takes the vector of a chunk of a document, which may be gone.
func (h *near) take(doc, chunk uint32, data []byte) error {
	h.asked++
	at, ok := h.where[doc]
	if !ok || h.p.segs[at.segment].dead.has(at.doc) || h.pass != nil && !h.pass[doc] {
		return nil
	}
	cos, ok := cosine(h.q, h.dims, data)
	if !ok {
		return nil
	}
	h.passed++
	return h.p.safely(func() {
		s := h.p.segs[at.segment]
		lo, hi := s.docChunks(at.doc)
		s.refuse(chunk >= hi-lo, "a vector of no chunk")
		c := lo + chunk
		flags := corpus.Flags(le.Uint16(s.at(secDocs, int(at.doc)*docSize+28, 2))) | s.testFlag(c)
		h.offer(cos, corpus.Candidate{Ref: corpus.Ref{Segment: at.segment, Chunk: c}, Doc: at.doc, Cosine: cos,
			Flags: flags, Words: s.words(c), Chunks: uint16(min(hi-lo, 0xffff)), First: chunk == 0})
	})
}

// cosine compares with a vector as Quantise wrote it; one without a length is like nothing.
func cosine(q vec.Query, dims int, data []byte) (float32, bool) {
	if len(data) != 4+dims {
		return 0, false
	}
	scale := math.Float32frombits(le.Uint32(data))
	if !(scale > 0 && scale <= math.MaxFloat32) {
		return 0, false
	}
	return q.Dot(vec.Signed(data[4:]), scale), true
}

// FillCosine is the Reader's.
func (r *remoteReader) FillCosine(embedder string, unit []float32, cands []corpus.Candidate) error {
	id, err := r.embedder(r.ctx, embedder, len(unit))
	if err != nil || id == 0 || len(cands) == 0 {
		return err
	}
	type place struct{ doc, chunk uint32 }
	of := map[place][]int{}
	docs, chunks := make([]int64, len(cands)), make([]int32, len(cands))
	if err := r.snap.safely(func() {
		for i, c := range cands {
			s := r.snap.segs[c.Segment]
			if s.Name == "" {
				continue // of an overlay: no document has the number 0
			}
			d := s.chunkDoc(c.Chunk)
			lo, _ := s.docChunks(d)
			p := place{s.docID(d), c.Chunk - lo}
			docs[i], chunks[i] = int64(p.doc), int32(p.chunk)
			of[p] = append(of[p], i)
		}
	}); err != nil {
		return err
	}
	rows, _ := r.tx.Query(r.ctx, `SELECT v.doc, v.chunk, v.data FROM unnest($2::bigint[], $3::int[]) AS w(doc, chunk)
		JOIN remote_vectors v ON v.doc = w.doc AND v.chunk = w.chunk AND v.embedder = $1`, id, docs, chunks)
	q := vec.NewQuery(unit)
	var v remoteVector
	_, err = pgx.ForEachRow(rows, []any{&v.Doc, &v.Chunk, &v.Data}, func() error {
		cos, ok := cosine(q, len(unit), v.Data)
		for _, i := range of[place{v.Doc, v.Chunk}] {
			if ok {
				cands[i].Cosine = cos
			}
		}
		return nil
	})
	return err
}

// embedder returns the number of an embedder, 0 where no vector is of it.
func (r *remoteReader) embedder(ctx context.Context, name string, dims int) (id int64, err error) {
	err = r.tx.QueryRow(ctx, "SELECT coalesce(max(embedder), 0) FROM remote_embedders WHERE name = $1 AND dims = $2", name, dims).Scan(&id)
	return id, err
}
