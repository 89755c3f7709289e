// Package vec has the operations on vectors that search by meaning needs. They run in assembly if the processor has AVX2; on
// int8 both ways give the same bits, on float32 sums only differ in rounding.
package vec

// DotInt8 returns the inner product of two vectors of one length, at most 2^16.
func DotInt8(a, b []int8) int32 {
	b = b[:len(a)]
	n := 0
	var sum int32
	if fast && len(a) >= 32 {
		n = len(a) &^ 31
		sum = dotInt8(&a[0], &b[0], n)
	}
	for i := n; i < len(a); i++ {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

// AddLevels adds w times a row to acc, twice as long as row: a byte of row names the
// level of a number of the first half of acc in its lower four bits, and of the number
// as far into the second half in its upper four.
func AddLevels(acc []int32, row []byte, levels *[16]int8, w int32) {
	first, second := acc[:len(row)], acc[len(row):2*len(row)]
	if fast && len(row) > 0 && len(row)%16 == 0 {
		addLevels(&acc[0], &row[0], levels, w, len(row))
		return
	}
	var times [16]int32
	for i, l := range levels {
		times[i] = w * int32(l)
	}
	for i, b := range row {
		first[i] += times[b&15]
		second[i] += times[b>>4]
	}
}

// Dot returns the inner product of two vectors of one length.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	n := 0
	var sum float32
	if fast && len(a) >= 32 {
		n = len(a) &^ 31
		sum = dotFloat(&a[0], &b[0], n)
	}
	for i := n; i < len(a); i++ {
		sum += a[i] * b[i]
	}
	return sum
}

// Axpy adds w times x to y.
func Axpy(y, x []float32, w float32) {
	x = x[:len(y)]
	n := 0
	if fast && len(y) >= 32 {
		n = len(y) &^ 31
		axpyFloat(&y[0], &x[0], w, n)
	}
	for i := n; i < len(y); i++ {
		y[i] += w * x[i]
	}
}
