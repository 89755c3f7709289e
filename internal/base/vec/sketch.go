package vec

import (
	"math/bits"
	"unsafe"
)

// AppendSigns appends whether each number of a row is positive, a bit each, in whole words.
func AppendSigns(dst []byte, row []int8) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, SignBytes(len(row)))...)
	for i, x := range row {
		if x > 0 {
			dst[at+i/8] |= 1 << (i % 8)
		}
	}
	return dst
}

// SignBytes is how many bytes the signs of a row of n numbers take.
func SignBytes(n int) int { return (n + 63) / 64 * 8 }

// A Sketch tells from the signs of rows which of them may be near to a query. Each sign that
// differs counts for as much as the query has there, in four levels: among 256 numbers that
// finds as many of the nearest as comparing bits alone does among four times the rows.
type Sketch struct {
	width  int
	planes []uint64 // the query's signs, and where a sign counts for one and for two
}

// Sketch returns that of q.
func (q Query) Sketch() Sketch { return SketchOf(q.row) }

// SketchOf returns that of a query that is quantised.
func SketchOf(row []int8) Sketch {
	sum := 0
	for _, x := range row {
		sum += abs(x)
	}
	size := SignBytes(len(row))
	planes := append(AppendSigns(make([]byte, 0, 3*size), row), make([]byte, 2*size)...)
	for i, x := range row {
		if sum == 0 {
			break
		}
		// The highest level begins at twice the mean.
		level := min(3, (12*abs(x)*len(row)+5*sum)/(10*sum))
		planes[size+i/8] |= byte(level&1) << (i % 8)
		planes[2*size+i/8] |= byte(level>>1) << (i % 8)
	}
	return Sketch{size / 8, Words(planes)}
}

func abs(x int8) int { return max(int(x), -int(x)) }

// Width is how many words the signs of a row take.
func (s Sketch) Width() int { return s.width }

// Most is how far apart a row can be at most.
func (s Sketch) Most() int { return 3 * 64 * s.width }

// Apart stores in out the distance of each row of signs from the query. rows has the rows one after the other, as AppendSigns
// writes them. A distance that exceeds the type of out is cut off; that needs rows of more than 2^14 numbers.
func (s Sketch) Apart(out []uint16, rows []uint64) {
	if len(out) == 0 || s.width == 0 {
		return
	}
	rows = rows[:len(out)*s.width]
	switch {
	case fast && s.width == 4: // the rows of the model for code
		apart256(&out[0], &rows[0], &s.planes[0], len(out))
		return
	case fast && s.width == 3: // those for text
		apart192(&out[0], &rows[0], &s.planes[0], len(out))
		return
	}
	want, low, high := s.planes[:s.width], s.planes[s.width:2*s.width], s.planes[2*s.width:]
	for i := range out {
		n := 0
		for k, w := range want {
			d := rows[i*s.width+k] ^ w
			n += bits.OnesCount64(d&low[k]) + 2*bits.OnesCount64(d&high[k])
		}
		out[i] = uint16(min(n, 1<<16-1))
	}
}

// Words returns the memory of b as words, or a copy of it where that is not aligned for them.
func Words(b []byte) []uint64 {
	n := len(b) / 8
	at := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(at)%8 == 0 {
		return unsafe.Slice((*uint64)(at), n)
	}
	out := make([]uint64, n)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), 8*n), b)
	return out
}
