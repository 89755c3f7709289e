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
	wide  []int16 // row, where that is as long as the assembly wants
	scale float32
}

// NewQuery quantises v.
func NewQuery(v []float32) Query {
	row, scale := Quantise(make([]byte, 0, len(v)), v)
	q := Query{row: Signed(row), scale: scale}
	if fast && len(row) > 0 && len(row)%32 == 0 {
		q.wide = make([]int16, len(row))
		for i, x := range q.row {
			q.wide[i] = int16(x)
		}
	}
	return q
}

// Dots stores in out, for each row, the result of Dot before Scaled multiplies it. rows has the rows one after the other,
// each as long as q.
func (q Query) Dots(out []int32, rows []int8) {
	n := len(q.row)
	rows = rows[:len(out)*n]
	if len(out) > 0 && q.wide != nil {
		dotRows(&out[0], &rows[0], &q.wide[0], n, len(out))
		return
	}
	for i := range out {
		out[i] = DotInt8(q.row, rows[i*n:(i+1)*n])
	}
}

// Scaled returns the result of Dot for a row with a scale, from the result of Dots.
func (q Query) Scaled(dot int32, scale float32) float32 { return float32(dot) * scale * q.scale }

// Dot returns the inner product of q and a row of the same length: of unit vectors,
// their cosine.
func (q Query) Dot(row []int8, scale float32) float32 {
	return q.Scaled(DotInt8(q.row, row), scale)
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
