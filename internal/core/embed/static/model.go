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

// A Model is a vocabulary and a row of int8 for each of its numbers, with the
// weight that a row counts with.
type Model struct {
	Vocabulary
	Dims    int
	Sum     uint32 // tells one model from another
	weights string // two bytes a row
	table   string
	rows    []int8 // the table as numbers
	pool    sync.Pool
}

const (
	magic   = "assayemb"
	version = 1
	header  = 8 + 7*4
	// maxWeight bounds a row's weight, and maxIDs the words that are summed of one
	// text, so that 32 bits hold the sum.
	maxWeight = 4095
	maxIDs    = 4000
)

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
	if m.Dims < 1 || m.Dims > 4096 || m.Size >= most-1 || m.Buckets >= most || num(4) > 4*most {
		return nil, ErrMalformed
	}
	m.slots, m.offsets, m.blob = take(2*num(4)), take(4*(m.Size+1)), take(num(5))
	m.weights = take(2 * rows)
	m.table = take(rows * m.Dims)
	if m.Dims == 0 || len(rest) != 0 || rows == 0 {
		return nil, ErrMalformed
	}
	m.rows = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(m.table))), len(m.table))
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
	for _, id := range s.ids {
		w := (u16(m.weights, id)*Weight(int(s.seen[id])) + 8) / 16
		vec.AddInt8(s.acc, m.rows[id*m.Dims:(id+1)*m.Dims], int32(w))
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
func Write(w io.Writer, v Vocabulary, dims int, table []float32) error {
	rows := v.Size + v.Buckets
	if len(table) != rows*dims {
		return fmt.Errorf("%d numbers for %d rows of %d", len(table), rows, dims)
	}
	scales := make([]float32, rows)
	var most float32
	for i := range rows {
		for _, x := range table[i*dims : (i+1)*dims] {
			scales[i] = max(scales[i], float32(math.Abs(float64(x))))
		}
		most = max(most, scales[i])
	}
	b := make([]byte, 0, header+len(v.slots)+len(v.offsets)+len(v.blob)+rows*(2+dims))
	b = append(b, magic...)
	for _, n := range []int{version, dims, v.Size, v.Buckets, len(v.slots) / 2, len(v.blob), 0} {
		b = le.AppendUint32(b, uint32(n)) // the last is for the checksum
	}
	b = append(append(append(b, v.slots...), v.offsets...), v.blob...)
	units := make([]float64, rows)
	for i := range rows {
		n := math.Ceil(float64(scales[i]) / float64(most) * maxWeight)
		units[i] = n / maxWeight * float64(most) / 127
		b = le.AppendUint16(b, uint16(n))
	}
	for i := range rows {
		b = vec.QuantiseBy(b, table[i*dims:(i+1)*dims], units[i])
	}
	le.PutUint32(b[header-4:], crc32.ChecksumIEEE(b[header:]))
	_, err := w.Write(b)
	return err
}
