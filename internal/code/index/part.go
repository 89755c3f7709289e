package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/assay-dev/assay/internal/base/store"
)

// maxKept is how many bytes of residents are kept in memory.
const maxKept = 40 << 20

// A resident is what every question to a segment needs, or to a part that is written
// once, which is one segment. It never changes, so it is kept.
type resident struct {
	part   int64
	first  int      // the number of its first chunk
	codes  []byte   // the length codes of its chunks
	starts []int    // the first chunk of each block
	live   int      // chunks that are not gone
	words  float64  // of live chunks
	signs  []uint64 // nil where they are of another model, or have not been asked for
	asked  bool     // signs have
}

func (v *resident) block(b int) []byte {
	if b+1 < len(v.starts) {
		return v.codes[v.starts[b]:v.starts[b+1]]
	}
	return v.codes[v.starts[b]:]
}

func (v *resident) size() int { return len(v.codes) + 8*len(v.signs) + 512 }

// residents holds those that were asked last.
type residents struct {
	mu    sync.Mutex
	held  map[keptKey]*resident
	order []keptKey // the one asked last is last
	size  int
}

// A keptKey names one state of a segment in one file.
type keptKey struct {
	part  int64
	stamp string
}

func (k *residents) get(key keptKey) *resident {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.held[key]
	if v != nil {
		k.last(key)
	}
	return v
}

// last moves a key to the end.
func (k *residents) last(key keptKey) {
	for i, o := range k.order {
		if o == key {
			k.order = append(append(k.order[:i], k.order[i+1:]...), key)
			return
		}
	}
	k.order = append(k.order, key)
}

func (k *residents) put(key keptKey, v *resident) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v.size() > maxKept {
		return
	}
	if k.held == nil {
		k.held = map[keptKey]*resident{}
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

// A Part names a part that is written once, by a PartWriter.
type Part struct {
	Number int64
	Chunks int    // that it has
	Stamp  string // another one whenever what Number names is another
	Name   string // for those who read an error
	Model  uint32 // whose signs are to be compared; 0: none are
	Dims   int    // of its vectors
}

// Unlike returns the numbers of the parts whose signs another model made: nothing in them is
// found by meaning.
func (f *File) Unlike(ctx context.Context, tx *sql.Tx, model uint32) (map[int64]bool, error) {
	out := map[int64]bool{}
	var number int64
	err := store.Each(ctx, tx, []any{&number}, func() error {
		out[number] = true
		return nil
	}, "SELECT DISTINCT library FROM lengths WHERE model <> ?", int64(model))
	return out, err
}

// resident returns what is kept of a part, with its signs if they are asked for.
func (f *File) resident(ctx context.Context, tx *sql.Tx, p Part) (*resident, error) {
	key := keptKey{p.Number, p.Stamp}
	if v := f.kept.get(key); v != nil && (v.asked || p.Model == 0) {
		return v, nil
	}
	v, err := readResident(ctx, tx, p)
	if err == nil && p.Model != 0 {
		err = v.readSigns(ctx, tx, p)
	}
	if err != nil {
		return nil, err
	}
	f.kept.put(key, v)
	return v, nil
}

func readResident(ctx context.Context, tx *sql.Tx, p Part) (*resident, error) {
	damaged := fmt.Errorf("%w: lengths of %s", store.ErrDamaged, p.Name)
	v := &resident{part: p.Number}
	var block, words int
	var data sql.RawBytes
	if err := store.Each(ctx, tx, []any{&block, &words, &data}, func() error {
		if block != len(v.codes) || len(data) == 0 || len(v.codes)+len(data) > p.Chunks {
			return damaged
		}
		v.starts = append(v.starts, block)
		v.codes = append(v.codes, data...)
		v.words += float64(words)
		return nil
	}, "SELECT block, words, data FROM lengths WHERE library = ? ORDER BY block", p.Number); err != nil {
		return nil, err
	}
	if len(v.codes) != p.Chunks {
		return nil, damaged
	}
	v.live = len(v.codes)
	return v, nil
}

// goneCode is the length code of a chunk that is not there any more, of parts that change by
// documents.
const goneCode = 255

// mourn counts the chunks that are not gone, and their words as their codes have them:
// what is counted must not depend on how the part came about.
func (v *resident) mourn() {
	var n [256]int
	for _, c := range v.codes {
		n[c]++
	}
	v.live = len(v.codes) - n[goneCode]
	v.words = 0
	for c, k := range n[:goneCode] {
		v.words += float64(k) * math.Round(lengthOf(byte(c)))
	}
}

// readSigns reads the signs of the chunks, unless another model made them.
func (v *resident) readSigns(ctx context.Context, tx *sql.Tx, p Part) error {
	v.asked = true
	want := p.Chunks * ((p.Dims + 63) / 64)
	rows, err := tx.QueryContext(ctx, "SELECT model, signs FROM lengths WHERE library = ? ORDER BY block", p.Number)
	if err != nil {
		return err
	}
	defer rows.Close()
	signs := make([]uint64, 0, want)
	for rows.Next() {
		var model int64
		var data sql.RawBytes
		if err := rows.Scan(&model, &data); err != nil {
			return err
		}
		if model != int64(p.Model) {
			return nil
		}
		if len(data)%8 != 0 || len(data)/8 > want-len(signs) {
			return fmt.Errorf("%w: signs of %s", store.ErrDamaged, p.Name)
		}
		for ; len(data) > 0; data = data[8:] {
			signs = append(signs, binary.LittleEndian.Uint64(data))
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(signs) != want {
		return fmt.Errorf("%w: signs of %s", store.ErrDamaged, p.Name)
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
