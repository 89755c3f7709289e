// Package static is an embedding model that is a table: a text's vector is the sum
// of its words' vectors, brought to unit length. The table is part of the program
// and read where it lies; nothing is done when the program starts.
package static

import (
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/vec"
)

// A Model is a vocabulary and a row for each of its numbers, with the weight that a
// row counts with. A file has one for code, and mostly another one of the same words
// for text that people read.
type Model struct {
	Vocabulary
	Dims    int    // even
	Sum     uint32 // tells one model from another
	weights string // two bytes a row
	table   string // half a byte a number, as vec.AddLevels takes them
	text    *Model // the one for text; nil of that one itself
	pool    sync.Pool
}

const (
	magic   = "assayemb"
	version = 3
	header  = 8 + 8*4
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

// Open returns the model for code in data, as Write or WithText wrote it. It reads the
// header alone: Check reads the rest.
func Open(data string) (*Model, error) {
	if len(data) < header || data[:8] != magic {
		return nil, errMalformed
	}
	num := func(i int) int { return u32(data[8:header], i) }
	if num(0) != version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", errMalformed, num(0), version)
	}
	dims, text, sum := num(1), num(6), uint32(num(7))
	v := Vocabulary{Size: num(2), Buckets: num(3)}
	rows := v.Size + v.Buckets
	rest, short := data[header:], false
	take := func(n int) string {
		if n < 0 || n > len(rest) {
			short = true
			return ""
		}
		s := rest[:n]
		rest = rest[n:]
		return s
	}
	const most = 1 << 16
	odd := func(dims int) bool { return dims%2 != 0 || dims > 4096 }
	if dims < 1 || odd(dims) || odd(text) || v.Size >= most-1 || v.Buckets >= most || rows == 0 || num(4) > 4*most {
		return nil, errMalformed
	}
	v.slots, v.offsets, v.blob = take(2*num(4)), take(4*(v.Size+1)), take(num(5))
	part := func(dims int, sum uint32) *Model {
		m := &Model{Vocabulary: v, Dims: dims, Sum: sum, weights: take(2 * rows), table: take(rows * dims / 2)}
		m.pool.New = func() any { return &sums{acc: make([]int32, dims), seen: make([]uint8, rows)} }
		return m
	}
	m := part(dims, sum)
	if text > 0 {
		m.text = part(text, ^sum)
	}
	if short || len(rest) != 0 {
		return nil, errMalformed
	}
	return m, nil
}

// Text returns the model for text that people read: m itself, where its file has none.
func (m *Model) Text() *Model {
	if m.text == nil {
		return m
	}
	return m.text
}

// Check reports whether the data of a model is sound: what a model needs that does
// not come with the program.
func (m *Model) Check() error {
	if !m.check() {
		return errMalformed
	}
	sum := crc32.NewIEEE()
	for _, s := range m.data() {
		_, _ = io.WriteString(sum, s)
	}
	if sum.Sum32() != m.Sum {
		return fmt.Errorf("%w: its checksum is wrong", errMalformed)
	}
	for i := range m.Size + m.Buckets {
		if u16(m.weights, i) > maxWeight || u16(m.Text().weights, i) > maxWeight {
			return errMalformed
		}
	}
	return nil
}

// data returns what follows the header of the file.
func (m *Model) data() []string {
	d := []string{m.slots, m.offsets, m.blob, m.weights, m.table}
	if m.text != nil {
		d = append(d, m.text.weights, m.text.table)
	}
	return d
}

type sums struct {
	acc  []int32
	seen []uint8
	ids  []int
	known
}

// Embed writes the vector of a text into dst, which has Dims elements: of unit
// length, or zero where the text has no words.
func (m *Model) Embed(dst []float32, text []byte) {
	s := m.pool.Get().(*sums)
	clear(s.acc)
	s.ids = s.ids[:0]
	n := 0
	m.remembering(&s.known, text, func(id int) bool {
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

// Write writes a model for code: a row of dims float32 for each number of the
// vocabulary. dims is even.
func Write(w io.Writer, v Vocabulary, dims int, table []float32) error {
	m := &Model{Vocabulary: v, Dims: dims}
	if err := m.fill(table); err != nil {
		return err
	}
	return m.write(w)
}

// WithText writes the model for code as it is, and a row of dims float32 for each
// number of its vocabulary as the model for text.
func (m *Model) WithText(w io.Writer, dims int, table []float32) error {
	text := &Model{Vocabulary: m.Vocabulary, Dims: dims}
	if err := text.fill(table); err != nil {
		return err
	}
	return (&Model{Vocabulary: m.Vocabulary, Dims: m.Dims, weights: m.weights, table: m.table, text: text}).write(w)
}

// fill sets the weights and the table of a model to the rows of a table.
func (m *Model) fill(table []float32) error {
	rows, dims := m.Size+m.Buckets, m.Dims
	if rows == 0 || len(table) != rows*dims || dims%2 != 0 {
		return fmt.Errorf("%d numbers for %d rows of %d", len(table), rows, dims)
	}
	near := make([]byte, len(table))
	scales := make([]float64, rows)
	for i := range rows {
		scales[i] = levelled(near[i*dims:(i+1)*dims], table[i*dims:(i+1)*dims])
	}
	most := max(slices.Max(scales), math.SmallestNonzeroFloat64)
	var weights, halves []byte
	for _, s := range scales {
		weights = le.AppendUint16(weights, uint16(math.Ceil(s/most*maxWeight)))
	}
	for i := range rows {
		first, second := near[i*dims:i*dims+dims/2], near[i*dims+dims/2:(i+1)*dims]
		for k := range first {
			halves = append(halves, first[k]|second[k]<<4)
		}
	}
	m.weights, m.table = string(weights), string(halves)
	return nil
}

func (m *Model) write(w io.Writer) error {
	text := 0
	if m.text != nil {
		text = m.text.Dims
	}
	b := []byte(magic)
	for _, n := range []int{version, m.Dims, m.Size, m.Buckets, len(m.slots) / 2, len(m.blob), text, 0} {
		b = le.AppendUint32(b, uint32(n)) // the last is for the checksum
	}
	for _, s := range m.data() {
		b = append(b, s...)
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
