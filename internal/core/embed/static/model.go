// Package static is an embedding model that is a table: a text's vector is the sum
// of its words' vectors, brought to unit length. The table is part of the program
// and read where it lies; nothing is done when the program starts.
package static

import (
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/vec"
)

// A Model is a vocabulary and a row for each of its numbers, with the weight that a
// row counts with.
type Model struct {
	Vocabulary
	Dims    int    // even
	Sum     uint32 // tells one model from another
	weights string // two bytes a row
	table   string // half a byte a number, as vec.AddLevels takes them
	pool    sync.Pool
}

const (
	magic   = "assayemb"
	version = 2
	header  = 8 + 7*4
	// maxWeight bounds a row's weight, and maxIDs the words that are summed of one
	// text, so that 32 bits hold the sum.
	maxWeight = 4095
	maxIDs    = 4000
)

// The numbers of a row are one of sixteen levels each, which are nearer to each other
// where more numbers lie: those that lose least of a normal distribution, which the
// rows of every model so far come near (kurtosis 2.8). Eight bits a number would make
// the table twice as long and find no more.
var levels = [16]int8{-127, -97, -77, -60, -45, -31, -19, -6, 6, 19, 31, 45, 60, 77, 97, 127}

// Open returns the model in data, as Write wrote it. It reads the header alone:
// Check reads the rest.
func Open(data string) (*Model, error) {
	if len(data) < header || data[:8] != magic {
		return nil, ErrMalformed
	}
	num := func(i int) int { return u32(data[8:header], i) }
	if num(0) != version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrMalformed, num(0), version)
	}
	m := &Model{Dims: num(1), Sum: uint32(num(6)), Vocabulary: Vocabulary{Size: num(2), Buckets: num(3)}}
	rows := m.Size + m.Buckets
	rest := data[header:]
	take := func(n int) string {
		if n < 0 || n > len(rest) {
			rest, m.Dims = "", 0
			return ""
		}
		s := rest[:n]
		rest = rest[n:]
		return s
	}
	const most = 1 << 16
	if m.Dims < 1 || m.Dims%2 != 0 || m.Dims > 4096 || m.Size >= most-1 || m.Buckets >= most || num(4) > 4*most {
		return nil, ErrMalformed
	}
	m.slots, m.offsets, m.blob = take(2*num(4)), take(4*(m.Size+1)), take(num(5))
	m.weights = take(2 * rows)
	m.table = take(rows * m.Dims / 2)
	if m.Dims == 0 || len(rest) != 0 || rows == 0 {
		return nil, ErrMalformed
	}
	m.pool.New = func() any { return &sum{acc: make([]int32, m.Dims), seen: make([]uint8, rows)} }
	return m, nil
}

// Check reports whether the data of a model is sound: what a model needs that does
// not come with the program.
func (m *Model) Check() error {
	if !m.check() {
		return ErrMalformed
	}
	sum := crc32.NewIEEE()
	for _, s := range []string{m.slots, m.offsets, m.blob, m.weights, m.table} {
		_, _ = io.WriteString(sum, s)
	}
	if sum.Sum32() != m.Sum {
		return fmt.Errorf("%w: its checksum is wrong", ErrMalformed)
	}
	for i := range m.Size + m.Buckets {
		if u16(m.weights, i) > maxWeight {
			return ErrMalformed
		}
	}
	return nil
}

type sum struct {
	acc  []int32
	seen []uint8
	ids  []int
}

// Embed writes the vector of a text into dst, which has Dims elements: of unit
// length, or zero where the text has no words.
func (m *Model) Embed(dst []float32, text []byte) {
	s := m.pool.Get().(*sum)
	clear(s.acc)
	s.ids = s.ids[:0]
	n := 0
	m.IDs(text, func(id int) bool {
		if s.seen[id] == 0 {
			s.ids = append(s.ids, id)
		}
		if s.seen[id] < 255 {
			s.seen[id]++
		}
		n++
		return n < maxIDs
	})
	half := m.Dims / 2
	table := unsafe.Slice(unsafe.StringData(m.table), len(m.table)) // read only
	for _, id := range s.ids {
		w := (u16(m.weights, id)*Weight(int(s.seen[id])) + 8) / 16
		vec.AddLevels(s.acc, table[id*half:(id+1)*half], &levels, int32(w))
		s.seen[id] = 0
	}
	var length float64
	for _, x := range s.acc {
		length += float64(x) * float64(x)
	}
	if length = math.Sqrt(length); length > 0 {
		for i, x := range s.acc {
			dst[i] = float32(float64(x) / length)
		}
	} else {
		clear(dst)
	}
	m.pool.Put(s)
}

// Weight is what a word counts that occurs n times, in sixteenths: about the
// square root.
func Weight(n int) int {
	if n < len(weights) {
		return int(weights[n])
	}
	return 84 + (n-len(weights))*3/2
}

var weights = [...]uint8{0, 16, 23, 28, 32, 36, 39, 42, 45, 48, 51, 53, 55, 58, 60, 62, 64, 66, 68, 70, 72, 73, 75, 77, 78, 80, 82, 83}

// Write writes a model: a row of dims float32 for each number of the vocabulary.
// dims is even.
func Write(w io.Writer, v Vocabulary, dims int, table []float32) error {
	rows := v.Size + v.Buckets
	if len(table) != rows*dims || dims%2 != 0 {
		return fmt.Errorf("%d numbers for %d rows of %d", len(table), rows, dims)
	}
	near := make([]byte, len(table))
	scales := make([]float64, rows)
	for i := range rows {
		scales[i] = levelled(near[i*dims:(i+1)*dims], table[i*dims:(i+1)*dims])
	}
	most := math.SmallestNonzeroFloat64
	for _, s := range scales {
		most = max(most, s)
	}
	b := make([]byte, 0, header+len(v.slots)+len(v.offsets)+len(v.blob)+rows*(2+dims/2))
	b = append(b, magic...)
	for _, n := range []int{version, dims, v.Size, v.Buckets, len(v.slots) / 2, len(v.blob), 0} {
		b = le.AppendUint32(b, uint32(n)) // the last is for the checksum
	}
	b = append(append(append(b, v.slots...), v.offsets...), v.blob...)
	for _, s := range scales {
		b = le.AppendUint16(b, uint16(math.Ceil(s/most*maxWeight)))
	}
	for i := range rows {
		first, second := near[i*dims:i*dims+dims/2], near[i*dims+dims/2:(i+1)*dims]
		for k := range first {
			b = append(b, first[k]|second[k]<<4)
		}
	}
	le.PutUint32(b[header-4:], crc32.ChecksumIEEE(b[header:]))
	_, err := w.Write(b)
	return err
}

// levelled sets near to the levels that row is nearest to, and returns what they are
// multiplied with to come near it: 0 where row is zeros.
func levelled(near []byte, row []float32) (scale float64) {
	var squares float64
	for _, x := range row {
		squares += float64(x) * float64(x)
	}
	// The outermost level lies at 2.7 deviations of a normal distribution.
	if scale = 2.7 / 127 * math.Sqrt(squares/float64(len(row))); !(scale > 0 && scale <= math.MaxFloat32) {
		return 0
	}
	for range 8 { // the levels for a scale and the scale for these levels, in turns
		var with, own float64
		for i, x := range row {
			k := 0
			for k < len(levels)-1 && float64(x) > scale*float64(int(levels[k])+int(levels[k+1]))/2 {
				k++
			}
			near[i] = byte(k)
			with += float64(x) * float64(levels[k])
			own += float64(levels[k]) * float64(levels[k])
		}
		scale = with / own
	}
	return scale
}
