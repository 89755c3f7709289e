package vec

import (
	"math"
	"unsafe"
)

// Quantise appends v to dst, a byte a dimension, and returns the scale that brings the
// numbers back: the largest of them becomes 127 or -127. A vector without a largest number, because all are zero or one is
// not finite, becomes zeros of scale 0, which is similar to nothing.
func Quantise(dst []byte, v []float32) ([]byte, float32) {
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	scale := most / 127
	if !(scale > 0 && scale <= math.MaxFloat32) {
		scale = 0
	}
	if scale == 0 {
		return append(dst, make([]byte, len(v))...), 0
	}
	n := len(dst)
	dst = append(dst, make([]byte, len(v))...)
	for i, x := range v {
		dst[n+i] = byte(int8(nearest(max(-127, min(127, x/scale)))))
	}
	return dst, scale
}

// nearest is math.Round for the range of an int32, without a branch, because half of the branches would be mispredicted. The
// sum is exact, because a float64 has enough digits.
func nearest(x float32) int32 {
	return int32(float64(x) + math.Copysign(.5, float64(x)))
}

// A Query is a quantised vector that others are compared with.
type Query struct {
	row   []int8
	scale float32
}

// NewQuery quantises v.
func NewQuery(v []float32) Query {
	row, scale := Quantise(make([]byte, 0, len(v)), v)
	return Query{row: Signed(row), scale: scale}
}

// Dot returns the inner product of q and a row of the same length: of unit vectors,
// their cosine.
func (q Query) Dot(row []int8, scale float32) float32 {
	return float32(DotInt8(q.row, row)) * scale * q.scale
}

// CosineInt8 returns the cosine of two vectors, whatever their scales; 0 where one is
// all zeros or they are not of one length.
func CosineInt8(a, b []int8) float64 {
	if len(a) != len(b) {
		return 0
	}
	both := float64(DotInt8(a, a)) * float64(DotInt8(b, b))
	if both == 0 {
		return 0
	}
	return float64(DotInt8(a, b)) / math.Sqrt(both)
}

// Signed returns the memory of b as int8, which is how vectors are stored.
func Signed(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Bytes is the opposite of Signed.
func Bytes(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
