//go:build team

package index

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

// A Weaviate is a corpus in a Weaviate that several machines share: a form of the contract,
// for servers of teams, beside Remote.
//
// A segment is objects of bytes: its sections, and its postings in buckets by a hash of the
// term, a few of which a question reads. Vectors are objects of a class for each embedder,
// among which the server finds the nearest (HNSW); their cosines are computed here from int8,
// as in every form. So the engine proposes, and what is the best of that is found by the code
// that the folder form has, with the same answers.
//
// Weaviate has no transactions. All objects are written once and never changed, and a state
// is one of them, the manifest of its epoch: writing that is the only commit point. The
// manifest names every segment, and what a crash has left is named by none. Who commits holds
// a lock, which is a class: those are made by consensus of the nodes. Clocks have no say: of
// no object there are two versions.
type Weaviate struct {
	c       *weaviate.Client
	id      [16]byte
	class   string // of what is not a vector
	copies  int
	shards  int
	keep    []int // the sections that are read with a segment
	buckets writtenOnce[[]posted]
	vectors writtenOnce[[]byte]
	dead    time.Duration // how long one lock may stay

	mu    sync.Mutex
	cur   *weaviateState
	swept map[string]bool // segments whose objects this process has removed
	ids   struct {        // document IDs that nobody else has
		sync.Mutex
		next, end uint32
	}
}

// A weaviateManifest is a committed state.
type weaviateManifest struct {
	Epoch    int64             `json:"epoch"`
	Nonce    int64             `json:"nonce"`
	NextDoc  uint32            `json:"next_doc"`
	Next     int64             `json:"next_chunk"`
	Segments []weaviateSegment `json:"segments"`
	Dead     []byte            `json:"dead,omitempty"` // documents of segments that are no more there: differences as varints
	Models   []weaviateModel   `json:"models,omitempty"`
	Trash    []string          `json:"trash,omitempty"` // segments that were merged, whose objects are still there
	Gone     []weaviateGone    `json:"gone,omitempty"`  // documents whose vectors are still there
	Batches  []string          `json:"batches,omitempty"`
}

type weaviateSegment struct {
	Name    string `json:"name"`
	Lo      int64  `json:"lo"`
	Words   int64  `json:"words"`
	Bytes   int64  `json:"bytes"`
	Parts   []int  `json:"parts"`   // of each section, how many objects it is
	Buckets int    `json:"buckets"` // of postings
}

type weaviateModel struct {
	Name string `json:"name"`
	Dims int    `json:"dims"`
}

type weaviateGone struct {
	Doc    uint32 `json:"doc"`
	Chunks uint32 `json:"chunks"`
}

// dead returns the documents that a manifest has as no more there.
func (m *weaviateManifest) dead() (out []uint32, err error) {
	last := uint64(0)
	for b := m.Dead; len(b) > 0; {
		d, n := binary.Uvarint(b)
		if n <= 0 || last+d >= 1<<32 {
			return nil, fmt.Errorf("%w: the list of documents that are gone", ErrDamaged)
		}
		last += d
		out, b = append(out, uint32(last)), b[n:]
	}
	return out, nil
}

func (m *weaviateManifest) setDead(docs []uint32) {
	slices.Sort(docs)
	docs = slices.Compact(docs)
	m.Dead = nil
	last := uint32(0)
	for _, d := range docs {
		m.Dead = binary.AppendUvarint(m.Dead, uint64(d-last))
		last = d
	}
}

// weaviateLayout says how what Format means is laid out in objects and classes.
const weaviateLayout = 2

// OpenWeaviate opens a corpus, and makes its class if that is not there.
func OpenWeaviate(ctx context.Context, at RemotePlace) (*Weaviate, error) {
	c, err := weaviate.New(at.URL, at.Key)
	if err != nil {
		return nil, err
	}
	x := &Weaviate{c: c, class: "A" + schemaOf(at.Corpus)[1:], keep: kept, dead: lockDead, swept: map[string]bool{}}
	x.class = strings.ReplaceAll(x.class, "_", "")
	if at.Whole {
		x.keep = append([]int{secGramKeys, secGramDict, secGrams, secFacts, secKeys, secKeyDocs}, kept...)
	}
	nodes, err := c.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	x.copies = min(3, max(1, nodes))
	// As many as reach every node. A question asks each for as many as it wants, so more would only cost.
	x.shards = (max(1, nodes) + x.copies - 1) / x.copies
	says, have, err := c.Class(ctx, x.class)
	if err == nil && !have {
		rand.Read(x.id[:])
		if _, err = c.Create(ctx, x.contents(fmt.Sprintf("assay %d/%d %x", Format, weaviateLayout, x.id))); err == nil {
			says, _, err = c.Class(ctx, x.class) // somebody else may have been first
		}
	}
	if err != nil {
		return nil, err
	}
	var format, layout int
	var id []byte
	if n, _ := fmt.Sscanf(says, "assay %d/%d %x", &format, &layout, &id); n != 3 || format != Format || layout != weaviateLayout || len(id) != len(x.id) {
		return nil, fmt.Errorf("%w: %q, this program reads format %d/%d", store.ErrOther, says, Format, weaviateLayout)
	}
	copy(x.id[:], id)
	return x, nil
}

// contents describes the class of what is no vector: nothing is looked for in it but what
// is named, or of a segment.
func (x *Weaviate) contents(says string) weaviate.Class {
	return weaviate.Class{
		Class: x.class, Description: says, Vectors: map[string]any{"skip": true}, Replication: x.replication(), Sharding: x.sharding(),
		Properties: []any{
			map[string]any{"name": "of", "dataType": []string{"text"}, "tokenization": "field", "indexFilterable": true, "indexSearchable": false},
			map[string]any{"name": "data", "dataType": []string{"text"}, "tokenization": "field", "indexFilterable": false, "indexSearchable": false},
		},
	}
}

// replication is as many copies as there are nodes, up to three.
func (x *Weaviate) replication() map[string]any {
	return map[string]any{"factor": x.copies, "asyncEnabled": x.copies > 1}
}

func (x *Weaviate) sharding() map[string]any { return map[string]any{"desiredCount": x.shards} }

// vectorClass returns the class of the vectors by a model.
func (x *Weaviate) vectorClass(m weaviateModel) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d", m.Name, m.Dims))
	return x.class + "V" + hex.EncodeToString(sum[:6])
}

// Close ends connections that are idle.
func (x *Weaviate) Close() { x.c.Close() }

// ID identifies the index: 16 random bytes given when it was created.
func (x *Weaviate) ID() [16]byte { return x.id }

// Drop removes a corpus with all that is in it.
func (x *Weaviate) Drop(ctx context.Context) error {
	m, err := x.manifest(ctx)
	if err != nil {
		return err
	}
	for _, k := range m.Models {
		if err := x.c.Drop(ctx, x.vectorClass(k)); err != nil {
			return err
		}
	}
	return x.c.Drop(ctx, x.class)
}

// named returns the name of an object of the corpus.
func (x *Weaviate) named(kind string, of string, no ...int) (u weaviate.ID) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %s %s %v", x.id, kind, of, no))
	copy(u[:], sum[:])
	return u
}

func (x *Weaviate) manifestID(epoch int64) weaviate.ID {
	return x.named("manifest", fmt.Sprint(epoch))
}

// manifest returns the last one. An object says near which epoch it is; it may be old, as it
// is the one object that is written again.
func (x *Weaviate) manifest(ctx context.Context) (*weaviateManifest, error) {
	m := &weaviateManifest{Nonce: 1, NextDoc: 1, Next: 1}
	x.mu.Lock()
	if x.cur != nil {
		m = &x.cur.m
	}
	x.mu.Unlock()
	var data []byte
	var have bool
	var next *weaviateManifest
	// Mostly nothing has changed, and then this is all that is asked.
	g, both := errgroup.WithContext(ctx)
	g.Go(func() (err error) { data, have, err = x.c.One(both, x.class, x.named("near", "")); return err })
	g.Go(func() (err error) { next, err = x.manifestOf(both, m.Epoch+1); return err })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var near int64
	if have {
		if _, err := fmt.Sscan(string(data), &near); err != nil {
			return nil, fmt.Errorf("%w: the epoch of the index", ErrDamaged)
		}
	}
	if near > m.Epoch+1 {
		var err error
		if next, err = x.manifestOf(ctx, near); err != nil {
			return nil, err
		}
		if next == nil {
			return nil, x.replaced(ctx, fmt.Errorf("%w: the manifest of epoch %d is not there", ErrDamaged, near))
		}
	}
	for next != nil {
		m = next
		var err error
		if next, err = x.manifestOf(ctx, m.Epoch+1); err != nil {
			return nil, err
		}
	}
	if m.Epoch == 0 || have {
		return m, nil
	}
	return m, x.replaced(ctx, nil)
}

// replaced returns ErrReplaced where the corpus was rebuilt since it was opened, else err.
func (x *Weaviate) replaced(ctx context.Context, err error) error {
	says, have, failed := x.c.Class(ctx, x.class)
	switch {
	case failed != nil:
		return failed
	case !have || !strings.Contains(says, hex.EncodeToString(x.id[:])):
		return ErrReplaced
	}
	return err
}

// mostManifest is how many bytes a manifest has at most.
const mostManifest = 256 << 20

// manifestOf returns that of an epoch, nil where there is none.
func (x *Weaviate) manifestOf(ctx context.Context, epoch int64) (*weaviateManifest, error) {
	data, have, err := x.c.One(ctx, x.class, x.manifestID(epoch))
	if err != nil || !have {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: the manifest of epoch %d: %w", ErrDamaged, epoch, err)
	}
	text, err := io.ReadAll(io.LimitReader(z, mostManifest))
	m := &weaviateManifest{}
	if err == nil {
		err = json.Unmarshal(text, m)
	}
	if err != nil || m.Epoch != epoch {
		return nil, fmt.Errorf("%w: the manifest of epoch %d: %w", ErrDamaged, epoch, err)
	}
	return m, nil
}

// A weaviateState is a committed state as far as a process keeps it.
type weaviateState struct {
	Snapshot // without words and vectors
	places
	x    *Weaviate
	m    weaviateManifest
	rows map[string]*weaviateSegment
}

// Current is the Backend's.
func (x *Weaviate) Current(ctx context.Context) (*Snapshot, error) {
	s, err := x.state(ctx)
	if err != nil {
		return nil, err
	}
	return &s.Snapshot, nil
}

// state returns the last committed state.
func (x *Weaviate) state(ctx context.Context) (*weaviateState, error) {
	m, err := x.manifest(ctx)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.cur
	if old != nil && old.m.Epoch >= m.Epoch {
		return old, nil
	}
	s := &weaviateState{x: x, m: *m, rows: map[string]*weaviateSegment{}}
	s.id, s.far = x.id, s
	s.Epoch, s.Nonce, s.NextDoc, s.next = m.Epoch, m.Nonce, m.NextDoc, m.Next
	if err := x.load(ctx, s, old); err != nil {
		return nil, err
	}
	x.cur = s
	return s, nil
}

// load reads the segments of s that an older state has not.
func (x *Weaviate) load(ctx context.Context, s, old *weaviateState) error {
	have := map[string]*segment{}
	if old != nil {
		for _, seg := range old.segs {
			have[seg.Name] = seg
		}
	}
	dead, err := s.m.dead()
	if err != nil {
		return err
	}
	var segs []*segment
	for i := range s.m.Segments {
		r := &s.m.Segments[i]
		s.rows[r.Name] = r
		seg := have[r.Name]
		if seg != nil {
			seg = seg.clone()
		} else {
			full, err := x.segment(ctx, r, x.keep, nil)
			if err != nil {
				return err
			}
			seg = &segment{Segment: full, lo: r.Lo, total: r.Words}
		}
		segs = append(segs, seg)
	}
	return s.take(segs, dead)
}

// segment reads sections of a segment, and sets others to what is given.
func (x *Weaviate) segment(ctx context.Context, r *weaviateSegment, which []int, others map[int][]byte) (*Segment, error) {
	var ids []weaviate.ID
	if len(r.Parts) != sections {
		return nil, fmt.Errorf("%w: the segment %s has %d sections", ErrDamaged, r.Name, len(r.Parts))
	}
	for _, no := range which {
		for part := range r.Parts[no] {
			ids = append(ids, x.named("section", r.Name, no, part))
		}
	}
	got, err := x.c.Many(ctx, x.class, ids)
	if err != nil {
		return nil, err
	}
	var sec [sections][]byte
	for _, no := range which {
		for part := range r.Parts[no] {
			data, ok := got[x.named("section", r.Name, no, part)]
			if !ok {
				return nil, x.replaced(ctx, errSwept)
			}
			sec[no] = append(sec[no], data...)
		}
	}
	for no, data := range others {
		sec[no] = data
	}
	return assembled(r.Name, sec, x.id, r.Bytes)
}
