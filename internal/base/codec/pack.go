// Package codec reads values from packed bytes: varints, strings with their length, and bytes. The input may be corrupt,
// because it comes from files and databases.
package codec

import (
	"encoding/binary"
	"math"
)

// A Reader takes values off Rest. A value that is not there makes it Bad, and from then on
// it returns zeros, so that a decoder may check Bad once, after it has read a record.
type PackedReader struct {
	Rest []byte
	Bad  bool
}

// Take returns the next n bytes, which are part of Rest, or nil.
func (r *PackedReader) Take(n int) []byte {
	if r.Bad || n < 0 || n > len(r.Rest) {
		r.Bad = true
		return nil
	}
	out := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return out
}

// Byte returns the next byte.
func (r *PackedReader) Byte() byte {
	if b := r.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Uint returns the next varint.
func (r *PackedReader) Uint() uint64 {
	v, n := binary.Uvarint(r.Rest)
	if n <= 0 || r.Bad {
		r.Bad = true
		return 0
	}
	r.Rest = r.Rest[n:]
	return v
}

// Int returns the next varint, which must fit into 31 bits: it is a length, an offset or a
// number of things in memory.
func (r *PackedReader) Int() int {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 && !r.Bad { // most are of one byte
		n := r.Rest[0]
		r.Rest = r.Rest[1:]
		return int(n)
	}
	v := r.Uint()
	if v > math.MaxInt32 {
		r.Bad = true
		return 0
	}
	return int(v)
}

// Count returns the next varint as a number of records that take at least size bytes each;
// more than Rest can hold is Bad, so that no corrupt number makes a decoder allocate.
func (r *PackedReader) Count(size int) int {
	n := r.Int()
	if n > len(r.Rest)/size {
		r.Bad = true
		return 0
	}
	return n
}

// Bytes returns the bytes behind their length, which are part of Rest.
func (r *PackedReader) Bytes() []byte { return r.Take(r.Int()) }

// Str returns a copy of the bytes behind their length.
func (r *PackedReader) Str() string { return string(r.Bytes()) }

// Append appends the length of s and s, as Bytes and Str read it.
func AppendPacked[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
