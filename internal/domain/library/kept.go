package library

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

// maxKept is how many bytes of indexes are kept in memory.
const maxKept = 40 << 20

// An index is what every question to a version of a library needs. It never
// changes, so it is kept.
type index struct {
	codes  []byte // the length codes of its snippets
	starts []int  // the first snippet of each block
	norms  [256]float32
	signs  []uint64 // nil where they are of another model, or have not been asked for
	asked  bool     // signs have
}

func (v *index) block(b int) []byte {
	if b+1 < len(v.starts) {
		return v.codes[v.starts[b]:v.starts[b+1]]
	}
	return v.codes[v.starts[b]:]
}

func (v *index) size() int { return len(v.codes) + 8*len(v.signs) + 2048 }

// A keeper holds the indexes that were asked last.
type keeper struct {
	mu    sync.Mutex
	held  map[keptKey]*index
	order []keptKey // the one asked last is last
	size  int
}

// A keptKey names one state of a version in one file: snippets are numbered once.
type keptKey struct {
	first    int64
	checksum string
}

func (k *keeper) get(key keptKey) *index {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.held[key]
	if v != nil {
		k.last(key)
	}
	return v
}

// last moves a key to the end.
func (k *keeper) last(key keptKey) {
	for i, o := range k.order {
		if o == key {
			k.order = append(append(k.order[:i], k.order[i+1:]...), key)
			return
		}
	}
	k.order = append(k.order, key)
}

func (k *keeper) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held, k.order, k.size = nil, nil, 0
}

func (k *keeper) put(key keptKey, v *index) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v.size() > maxKept {
		return
	}
	if k.held == nil {
		k.held = map[keptKey]*index{}
	}
	if old := k.held[key]; old != nil {
		k.size -= old.size()
	}
	k.held[key] = v
	k.last(key)
	k.size += v.size()
	for k.size > maxKept {
		k.size -= k.held[k.order[0]].size()
		delete(k.held, k.order[0])
		k.order = k.order[1:]
	}
}

// index returns what is kept of r, with its signs if they are asked for.
func (d *DB) index(ctx context.Context, tx *sql.Tx, r row, signs bool) (*index, error) {
	key := keptKey{r.first, r.Checksum}
	if v := d.kept.get(key); v != nil && (v.asked || !signs) {
		return v, nil
	}
	n := int(r.last - r.first + 1)
	if n <= 0 || n > maxSnippets {
		return nil, fmt.Errorf("%w: %s has %d snippets", store.ErrDamaged, r.ID, n)
	}
	v, err := readIndex(ctx, tx, r, n)
	if err == nil && signs {
		err = v.readSigns(ctx, tx, r, n)
	}
	if err != nil {
		return nil, err
	}
	d.kept.put(key, v)
	return v, nil
}

func readIndex(ctx context.Context, tx *sql.Tx, r row, n int) (*index, error) {
	damaged := fmt.Errorf("%w: lengths of %s", store.ErrDamaged, r.ID)
	rows, err := tx.QueryContext(ctx, "SELECT block, words, data FROM lengths WHERE library = ? ORDER BY block", r.first)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	v := &index{}
	total := 0
	for rows.Next() {
		var block, words int
		var data sql.RawBytes
		if err := rows.Scan(&block, &words, &data); err != nil {
			return nil, err
		}
		if block != len(v.codes) || len(data) == 0 || len(v.codes)+len(data) > n {
			return nil, damaged
		}
		v.starts = append(v.starts, block)
		v.codes = append(v.codes, data...)
		total += words
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(v.codes) != n {
		return nil, damaged
	}
	p, average := params(), float64(total)/float64(n)
	for c := range v.norms {
		v.norms[c] = float32(p.Norm(lengthOf(byte(c)), average))
	}
	return v, nil
}

// readSigns reads the signs of the snippets, unless another model made them.
func (v *index) readSigns(ctx context.Context, tx *sql.Tx, r row, n int) error {
	v.asked = true
	m, err := newMeaning()
	if err != nil {
		return err
	}
	width := 8 * len(signsOf(vec.Signed(m.out)))
	rows, err := tx.QueryContext(ctx, "SELECT model, signs FROM lengths WHERE library = ? ORDER BY block", r.first)
	if err != nil {
		return err
	}
	defer rows.Close()
	signs := make([]uint64, 0, n*width/8)
	for rows.Next() {
		var model int64
		var data sql.RawBytes
		if err := rows.Scan(&model, &data); err != nil {
			return err
		}
		if model != int64(m.model.Sum) {
			return nil
		}
		if len(data)%8 != 0 || len(signs)+len(data)/8 > cap(signs) {
			return fmt.Errorf("%w: signs of %s", store.ErrDamaged, r.ID)
		}
		for ; len(data) > 0; data = data[8:] {
			signs = append(signs, binary.LittleEndian.Uint64(data))
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(signs) != n*width/8 {
		return fmt.Errorf("%w: signs of %s", store.ErrDamaged, r.ID)
	}
	v.signs = signs
	return nil
}

// A shelf holds what is made once and used by one goroutine at a time. Unlike a
// sync.Pool it does not lose it to the garbage collector, which runs every few
// questions.
type shelf[T any] struct {
	mu   sync.Mutex
	free []T
}

// take returns what lies there, or the zero value.
func (s *shelf[T]) take() (t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		t, s.free = s.free[n-1], s.free[:n-1]
	}
	return t
}

// put puts t back, unless there is enough.
func (s *shelf[T]) put(t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) < maxFree {
		s.free = append(s.free, t)
	}
}

// maxFree is how many questions are answered at a time: as many as a file has
// connections.
const maxFree = 4
