package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

// blockRows is how many vectors lie in a row of table vectors: a row is read and
// written whole.
const blockRows = 512

// An embedding is the vector of a chunk as Quantise returns it.
type embedding struct {
	chunk int64
	data  []byte
}

// Quantise appends the form in which a part keeps a vector: the scale, a float32 in 4
// bytes, and then an int8 a dimension, which times the scale is about the element.
func Quantise(dst []byte, v []float32) []byte {
	at := len(dst)
	dst, scale := vec.Quantise(append(dst, 0, 0, 0, 0), v)
	le.PutUint32(dst[at:], math.Float32bits(scale))
	return dst
}

// vectorsOf returns which chunks of a part have a vector by an embedder.
func vectorsOf(ctx context.Context, tx *sql.Tx, part int64, embedder string) (map[int64]bool, error) {
	have := map[int64]bool{}
	var ids sql.RawBytes
	err := store.Each(ctx, tx, []any{&ids}, func() error {
		for i := 0; i+8 <= len(ids); i += 8 {
			have[int64(binary.LittleEndian.Uint64(ids[i:]))] = true
		}
		return nil
	}, "SELECT ids FROM vectors WHERE part = ? AND embedder = ?", part, embedder)
	return have, err
}

// KeepVectors drops those of all other embedders.
func (f *File) KeepVectors(ctx context.Context, tx *sql.Tx, embedder string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE embedder <> ?", embedder)
	return err
}

// CountVectors returns how many vectors by an embedder there are in all parts.
func CountVectors(ctx context.Context, q store.Querier, embedder string) (n int, err error) {
	err = q.QueryRowContext(ctx, "SELECT coalesce(sum(length(ids)) / 8, 0) FROM vectors WHERE embedder = ?", embedder).Scan(&n)
	return n, err
}

// addVectors appends vectors to the blocks of a part.
func addVectors(ctx context.Context, tx *sql.Tx, p *editPart, embedder string, rows []embedding) error {
	if len(rows) == 0 {
		return nil
	}
	var block int64
	var ids, data []byte
	err := tx.QueryRowContext(ctx, "SELECT block, ids, data FROM vectors WHERE part = ? AND embedder = ? ORDER BY block DESC LIMIT 1", p.number, embedder).Scan(&block, &ids, &data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if len(ids)/8 >= blockRows || len(rows) > 0 && len(ids) > 0 && len(data)/(len(ids)/8) != len(rows[0].data) {
		block, ids, data = 0, nil, nil
	}
	for len(rows) > 0 {
		n := min(len(rows), blockRows-len(ids)/8)
		for _, r := range rows[:n] {
			ids = binary.LittleEndian.AppendUint64(ids, uint64(r.chunk))
			data = append(data, r.data...)
		}
		rows = rows[n:]
		if err := putBlock(ctx, tx, block, p, embedder, ids, data); err != nil {
			return err
		}
		block, ids, data = 0, nil, nil
	}
	return nil
}

// putBlock writes a block, a new one where block is 0.
func putBlock(ctx context.Context, tx *sql.Tx, block int64, p *editPart, embedder string, ids, data []byte) error {
	var number any
	if block != 0 {
		number = block
	}
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)", number, p.number, embedder, p.epoch, ids, data)
	return err
}

// dropVectors takes the vectors of chunks out. What is left of a block of which
// little is left goes to the last one.
func dropVectors(ctx context.Context, tx *sql.Tx, p *editPart) error {
	if len(p.gone) == 0 {
		return nil
	}
	type hit struct {
		block    int64
		embedder string
		ids      []byte
	}
	var h hit
	var hits []hit
	if err := store.Each(ctx, tx, []any{&h.block, &h.embedder, &h.ids}, func() error {
		for i := 0; i+8 <= len(h.ids); i += 8 {
			if p.buried(int64(binary.LittleEndian.Uint64(h.ids[i:]))) {
				hits = append(hits, h)
				break
			}
		}
		return nil
	}, "SELECT block, embedder, ids FROM vectors WHERE part = ?", p.number); err != nil {
		return err
	}
	for _, h := range hits {
		var data []byte
		if err := tx.QueryRowContext(ctx, "SELECT data FROM vectors WHERE block = ?", h.block).Scan(&data); err != nil {
			return err
		}
		n := len(h.ids) / 8
		if n == 0 || len(data)%n != 0 {
			return fmt.Errorf("%w: block %d of the vectors", store.ErrDamaged, h.block)
		}
		var kept []embedding
		for i := range n {
			id := int64(binary.LittleEndian.Uint64(h.ids[8*i:]))
			if !p.buried(id) {
				kept = append(kept, embedding{id, data[i*len(data)/n : (i+1)*len(data)/n]})
			}
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE block = ?", h.block); err != nil {
			return err
		}
		if len(kept) > blockRows/4 {
			var ids, data []byte
			for _, k := range kept {
				ids = binary.LittleEndian.AppendUint64(ids, uint64(k.chunk))
				data = append(data, k.data...)
			}
			if err := putBlock(ctx, tx, h.block, p, h.embedder, ids, data); err != nil {
				return err
			}
			continue
		}
		if err := addVectors(ctx, tx, p, h.embedder, kept); err != nil {
			return err
		}
	}
	return nil
}

// matrices are the vectors in memory, by part, kept while blocks do not change.
type matrices struct {
	mu sync.Mutex
	of map[int64]*matrix
}

type matrix struct {
	mu       sync.Mutex
	embedder string
	blocks   map[int64]*vectorBlock
	sound    int64 // the epoch at which it was read
}

type vectorBlock struct {
	epoch  int64
	ids    []int64
	scales []float32
	rows   []int8
	dims   int
}

func (m *matrices) part(number int64) *matrix {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[int64]*matrix{}
	}
	if m.of[number] == nil {
		m.of[number] = &matrix{sound: -1}
	}
	return m.of[number]
}

// load brings the matrix up to date and returns its blocks, which do not change.
func (m *matrix) load(r *PartReader, embedder string) ([]*vectorBlock, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.embedder != embedder {
		m.embedder, m.blocks, m.sound = embedder, nil, -1
	}
	if m.sound != r.epoch {
		if err := m.read(r); err != nil {
			m.blocks, m.sound = nil, -1
			return nil, err
		}
		m.sound = r.epoch
	}
	return slices.Collect(maps.Values(m.blocks)), nil
}

func (m *matrix) read(r *PartReader) error {
	fresh := map[int64]*vectorBlock{}
	var stale []int64
	var n, epoch int64
	if err := store.Each(r.ctx, r.tx, []any{&n, &epoch}, func() error {
		if b := m.blocks[n]; b != nil && b.epoch == epoch {
			fresh[n] = b
		} else {
			stale = append(stale, n)
		}
		return nil
	}, "SELECT block, epoch FROM vectors WHERE part = ? AND embedder = ?", r.part, m.embedder); err != nil {
		return err
	}
	if len(stale) > 0 {
		// One statement for all of them, and no copy in between: a process that answers one
		// question reads every block.
		var ids, data sql.RawBytes
		if err := store.Each(r.ctx, r.tx, []any{&n, &epoch, &ids, &data}, func() error {
			b := &vectorBlock{epoch: epoch}
			if !b.fill(ids, data) {
				return fmt.Errorf("%w: block %d of the vectors", store.ErrDamaged, n)
			}
			fresh[n] = b
			return nil
		}, "SELECT block, epoch, ids, data FROM vectors WHERE block IN ("+numbers(stale)+")"); err != nil {
			return err
		}
	}
	m.blocks = fresh
	return nil
}

func numbers(of []int64) string {
	var b []byte
	for i, n := range of {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(b)
}

// fill takes a block apart; false: its parts do not fit.
func (b *vectorBlock) fill(ids, data []byte) bool {
	n := len(ids) / 8
	if n == 0 || len(ids)%8 != 0 || len(data)%n != 0 || len(data)/n <= 4 {
		return false
	}
	width := len(data) / n
	b.dims = width - 4
	b.ids, b.scales, b.rows = make([]int64, n), make([]float32, n), make([]int8, 0, n*b.dims)
	for i := range n {
		b.ids[i] = int64(binary.LittleEndian.Uint64(ids[8*i:]))
		row := data[i*width : (i+1)*width]
		b.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(row))
		b.rows = append(b.rows, vec.Signed(row[4:])...)
	}
	return true
}

func soundVectors(ctx context.Context, tx *sql.Tx) error {
	var n int64
	var ids, data []byte
	return store.Each(ctx, tx, []any{&n, &ids, &data}, func() error {
		if !new(vectorBlock).fill(ids, data) {
			return fmt.Errorf("%w: block %d of the vectors", store.ErrDamaged, n)
		}
		return nil
	}, "SELECT block, ids, data FROM vectors")
}

// A probe is the vector of a question, and what it is compared with.
type probe struct {
	blocks []*vectorBlock
	query  vec.Query
}

// probe returns nothing to compare with for a vector without dimensions.
func (r *PartReader) probe(embedder string, unit []float32) (*probe, error) {
	blocks, err := r.f.vectors.part(r.part).load(r, embedder)
	if err != nil {
		return nil, err
	}
	blocks = slices.DeleteFunc(blocks, func(b *vectorBlock) bool { return b.dims != len(unit) })
	return &probe{blocks, vec.NewQuery(unit)}, nil
}

// each calls yield with the cosine of each vector until it returns false.
func (p *probe) each(want func(chunk int64) bool, yield func(chunk int64, cosine float32) bool) {
	for _, b := range p.blocks {
		for i, id := range b.ids {
			if want != nil && !want(id) {
				continue
			}
			if !yield(id, p.query.Dot(b.rows[i*b.dims:(i+1)*b.dims], b.scales[i])) {
				return
			}
		}
	}
}

// Nearest is the Reader's. Of a candidate it says the chunk and the cosine.
func (r *PartReader) Nearest(ctx context.Context, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error) {
	p, err := r.probe(embedder, unit)
	if err != nil || n <= 0 {
		return nil, cmp.Or(err, ctx.Err())
	}
	keep := keeper{n: n, ties: true}
	if f == nil {
		p.each(nil, func(chunk int64, cosine float32) bool {
			keep.offer(scored{int(chunk), cosine})
			return true
		})
	} else {
		var all []scored
		p.each(nil, func(chunk int64, cosine float32) bool {
			all = append(all, scored{int(chunk), cosine})
			return true
		})
		if err := r.pass(&keep, all, f, false); err != nil {
			return nil, err
		}
	}
	hits, err := r.sorted(&keep)
	out := make([]corpus.Candidate, len(hits))
	for i, h := range hits {
		out[i] = corpus.Candidate{Ref: corpus.Ref{Chunk: uint32(h.at)}, Cosine: h.score}
	}
	return out, cmp.Or(err, ctx.Err())
}

// FillCosine is the Reader's.
func (r *PartReader) FillCosine(embedder string, unit []float32, cands []corpus.Candidate) error {
	p, err := r.probe(embedder, unit)
	if err != nil {
		return err
	}
	want := map[int64]int{}
	var some [64]uint64 // bits of the numbers wanted: few of a hundred thousand are looked up
	for i, c := range cands {
		want[int64(c.Chunk)] = i
		some[c.Chunk/64%64] |= 1 << (c.Chunk % 64)
	}
	left := len(want)
	p.each(func(chunk int64) bool {
		if some[uint32(chunk)/64%64]>>(uint32(chunk)%64)&1 == 0 {
			return false
		}
		_, ok := want[chunk]
		return ok
	}, func(chunk int64, cosine float32) bool {
		cands[want[chunk]].Cosine = cosine
		left--
		return left > 0
	})
	return nil
}
