package vault

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/core/embed"
)

// blockRows is how many vectors lie in a row of table vectors: a row is read and
// written whole.
const blockRows = 512

// An embedding is the vector of a chunk as it is kept: int8, and the number that
// one of them is worth.
type embedding struct {
	chunk int64
	data  []byte // the scale in 4 bytes, then one a dimension
}

// stored returns the form in which a vector is kept.
func stored(v []float32) []byte {
	data, scale := vec.Quantise(make([]byte, 4, 4+len(v)), v)
	binary.LittleEndian.PutUint32(data, math.Float32bits(scale))
	return data
}

// vectorText is what the vector of a chunk is made of: the text with what is
// above it.
func vectorText(title, heading, text string) string {
	return title + "\n" + heading + "\n" + text
}

// addVectors appends vectors to the blocks of a kind.
func addVectors(ctx context.Context, tx *sql.Tx, kind int, embedder string, epoch int64, rows []embedding) error {
	var block int64
	var ids, data []byte
	err := tx.QueryRowContext(ctx, "SELECT block, ids, data FROM vectors WHERE kind = ? AND embedder = ? ORDER BY block DESC LIMIT 1", kind, embedder).Scan(&block, &ids, &data)
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
		if err := putBlock(ctx, tx, block, kind, embedder, epoch, ids, data); err != nil {
			return err
		}
		block, ids, data = 0, nil, nil
	}
	return nil
}

// putBlock writes a block, a new one where block is 0.
func putBlock(ctx context.Context, tx *sql.Tx, block int64, kind int, embedder string, epoch int64, ids, data []byte) error {
	var number any
	if block != 0 {
		number = block
	}
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)", number, kind, embedder, epoch, ids, data)
	return err
}

// dropVectors takes the vectors of chunks out. What is left of a block of which
// little is left goes to the last one.
func dropVectors(ctx context.Context, tx *sql.Tx, kind int, epoch int64, gone map[int64]bool) error {
	if len(gone) == 0 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, "SELECT block, embedder, ids FROM vectors WHERE kind = ?", kind)
	if err != nil {
		return err
	}
	defer rows.Close()
	type hit struct {
		block    int64
		embedder string
		ids      []byte
	}
	var hits []hit
	for rows.Next() {
		var h hit
		if err := rows.Scan(&h.block, &h.embedder, &h.ids); err != nil {
			return err
		}
		for i := 0; i+8 <= len(h.ids); i += 8 {
			if gone[int64(binary.LittleEndian.Uint64(h.ids[i:]))] {
				hits = append(hits, h)
				break
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
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
			if !gone[id] {
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
			if err := putBlock(ctx, tx, h.block, kind, h.embedder, epoch, ids, data); err != nil {
				return err
			}
			continue
		}
		if err := addVectors(ctx, tx, kind, h.embedder, epoch, kept); err != nil {
			return err
		}
	}
	return nil
}

// A matrix is the vectors in memory, kept while blocks do not change.
type matrix struct {
	mu       sync.Mutex
	of       *handle
	embedder string
	blocks   map[int64]*block
	sound    int64 // the epoch at which it was read
}

type block struct {
	kind   int
	epoch  int64
	ids    []int64
	scales []float32
	rows   []int8
	dims   int
}

// load brings the matrix up to date and returns its blocks, which do not change.
func (m *matrix) load(ctx context.Context, h *handle, tx *sql.Tx, embedder string, epoch int64) ([]*block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of != h || m.embedder != embedder {
		m.of, m.embedder, m.blocks, m.sound = h, embedder, map[int64]*block{}, -1
	}
	if m.sound != epoch {
		if err := m.read(ctx, tx); err != nil {
			m.of = nil
			return nil, err
		}
		m.sound = epoch
	}
	out := make([]*block, 0, len(m.blocks))
	for _, b := range m.blocks {
		out = append(out, b)
	}
	return out, nil
}

func (m *matrix) read(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT block, epoch FROM vectors WHERE embedder = ?", m.embedder)
	if err != nil {
		return err
	}
	defer rows.Close()
	fresh := map[int64]*block{}
	var stale []int64
	for rows.Next() {
		var n, epoch int64
		if err := rows.Scan(&n, &epoch); err != nil {
			return err
		}
		if b := m.blocks[n]; b != nil && b.epoch == epoch {
			fresh[n] = b
		} else {
			stale = append(stale, n)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	for _, n := range stale {
		b := &block{}
		var ids, data []byte
		if err := tx.QueryRowContext(ctx, "SELECT kind, epoch, ids, data FROM vectors WHERE block = ?", n).Scan(&b.kind, &b.epoch, &ids, &data); err != nil {
			return err
		}
		if !b.fill(ids, data) {
			return fmt.Errorf("%w: block %d of the vectors", store.ErrDamaged, n)
		}
		fresh[n] = b
	}
	m.blocks = fresh
	return nil
}

// fill takes a block apart; false: its parts do not fit.
func (b *block) fill(ids, data []byte) bool {
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

// A near is a chunk and the cosine between it and the question.
type near struct {
	chunk  int64
	cosine float32
}

// A probe is the vector of a question, and what it is compared with.
type probe struct {
	vector []float32
	blocks []*block
	query  vec.Query
}

func newProbe(blocks []*block, query []float32) *probe {
	if len(query) == 0 {
		return nil
	}
	return &probe{query, blocks, vec.NewQuery(query)}
}

// nearest returns the n nearest chunks of a kind, nearest first.
func (p *probe) nearest(kind, n int) []near {
	var top []near
	var floor float32 = -2
	for _, b := range p.blocks {
		if b.kind != kind || b.dims != len(p.vector) {
			continue
		}
		for i, id := range b.ids {
			c := p.query.Dot(b.rows[i*b.dims:(i+1)*b.dims], b.scales[i])
			if c <= floor {
				continue
			}
			top = append(top, near{id, c})
			if len(top) >= 4*n {
				top = best(top, n)
				floor = top[n-1].cosine
			}
		}
	}
	return best(top, n)
}

func best(all []near, n int) []near {
	slices.SortFunc(all, func(a, b near) int {
		switch {
		case a.cosine > b.cosine:
			return -1
		case a.cosine < b.cosine:
			return 1
		case a.chunk < b.chunk:
			return -1
		}
		return 1
	})
	return all[:min(len(all), n)]
}

// cosines returns the cosine of each of the chunks that has a vector.
func (p *probe) cosines(want map[int64]float32) {
	left := len(want)
	for _, b := range p.blocks {
		if left == 0 {
			return
		}
		if b.dims != len(p.vector) {
			continue
		}
		for i, id := range b.ids {
			if _, ok := want[id]; ok {
				want[id] = p.query.Dot(b.rows[i*b.dims:(i+1)*b.dims], b.scales[i])
				left--
			}
		}
	}
}

// embedAll returns the vectors of texts in the form in which they are kept. What a
// provider that is no Local gave once is kept, so that it is not asked again.
func embedAll(ctx context.Context, h *handle, p embed.Provider, texts []string) ([][]byte, error) {
	out := make([][]byte, len(texts))
	if local, ok := p.(embed.Local); ok {
		v := make([]float32, local.Dims())
		for i, s := range texts {
			local.Vector(v, []byte(s))
			out[i] = stored(v)
		}
		return out, nil
	}
	var missing []int
	for i, s := range texts {
		sum := sha256.Sum256([]byte(s))
		err := h.QueryRowContext(ctx, "SELECT data FROM cache WHERE embedder = ? AND hash = ?", p.Name(), sum[:]).Scan(&out[i])
		if errors.Is(err, sql.ErrNoRows) {
			missing = append(missing, i)
		} else if err != nil {
			return nil, store.Classify(err)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	ask := make([]string, len(missing))
	for i, at := range missing {
		ask[i] = texts[at]
	}
	vectors, err := p.Embed(ctx, ask)
	if err != nil {
		return nil, err
	}
	err = h.write(ctx, func(tx *sql.Tx, _ int64) error {
		for i, at := range missing {
			sum := sha256.Sum256([]byte(texts[at]))
			out[at] = stored(vectors[i])
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO cache VALUES (?, ?, ?)", p.Name(), sum[:], out[at]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// unembedded returns the chunks without a vector by an embedder, in order.
func unembedded(ctx context.Context, tx *sql.Tx, embedder string) ([]int64, error) {
	have := map[int64]bool{}
	rows, err := tx.QueryContext(ctx, "SELECT ids FROM vectors WHERE embedder = ?", embedder)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var ids sql.RawBytes
		if err := rows.Scan(&ids); err != nil {
			return nil, err
		}
		for i := 0; i+8 <= len(ids); i += 8 {
			have[int64(binary.LittleEndian.Uint64(ids[i:]))] = true
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	rows.Close()
	all, err := tx.QueryContext(ctx, "SELECT id FROM chunks ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer all.Close()
	var out []int64
	for all.Next() {
		var id int64
		if err := all.Scan(&id); err != nil {
			return nil, err
		}
		if !have[id] {
			out = append(out, id)
		}
	}
	return out, all.Err()
}

func numbers64(ids []int64) string {
	b := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return string(b)
}
