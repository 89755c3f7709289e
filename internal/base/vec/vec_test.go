package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The portable path is the definition; the assembly is held to it at every length,
// the ends of rows among them.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var levels [16]int8
	for i := range levels {
		levels[i] = int8(r.IntN(256) - 128)
	}
	for n := range 300 {
		a, b := make([]int8, n), make([]int8, n)
		x, y := make([]float32, n), make([]float32, n)
		acc, row := make([]int32, 2*n), make([]byte, n)
		var dot int32
		var dotF float64
		wantAcc, wantY := make([]int32, 2*n), make([]float64, n)
		w := int32(r.IntN(8190) - 4095)
		wf := r.Float32()
		for i := range n {
			a[i], b[i] = int8(r.IntN(256)-128), int8(r.IntN(256)-128)
			x[i], y[i] = r.Float32()-.5, r.Float32()-.5
			acc[i], acc[n+i] = int32(r.IntN(1000)), int32(r.IntN(1000))
			row[i] = byte(r.IntN(256))
			dot += int32(a[i]) * int32(b[i])
			dotF += float64(x[i]) * float64(y[i])
			wantAcc[i] = acc[i] + w*int32(levels[row[i]&15])
			wantAcc[n+i] = acc[n+i] + w*int32(levels[row[i]>>4])
			wantY[i] = float64(y[i]) + float64(wf)*float64(x[i])
		}
		if got := DotInt8(a, b); got != dot {
			t.Fatalf("DotInt8 of %d: %d, want %d", n, got, dot)
		}
		if got := Dot(x, y); math.Abs(float64(got)-dotF) > 1e-4 {
			t.Fatalf("Dot of %d: %v, want %v", n, got, dotF)
		}
		AddLevels(acc, row, &levels, w)
		if !slices.Equal(acc, wantAcc) {
			t.Fatalf("AddLevels of %d: %v, want %v", n, acc, wantAcc)
		}
		Axpy(y, x, wf)
		for i := range n {
			if math.Abs(float64(y[i])-wantY[i]) > 1e-6 {
				t.Fatalf("Axpy of %d at %d: %v, want %v", n, i, y[i], wantY[i])
			}
		}
	}
}

func BenchmarkDotInt8(b *testing.B) {
	x, y := make([]int8, 256), make([]int8, 256)
	b.SetBytes(256)
	for b.Loop() {
		DotInt8(x, y)
	}
}

func BenchmarkAddLevels(b *testing.B) {
	x, y := make([]int32, 256), make([]byte, 128)
	for b.Loop() {
		AddLevels(x, y, &[16]int8{1, 2, 3}, 3)
	}
}

func BenchmarkDot(b *testing.B) {
	x, y := make([]float32, 256), make([]float32, 256)
	for b.Loop() {
		Dot(x, y)
	}
}

// A question compared with 250,000 vectors, as one core does it.
func BenchmarkScan250k(b *testing.B) {
	const rows, dims = 250_000, 256
	table, q := make([]int8, rows*dims), make([]int8, dims)
	for i := range table {
		table[i] = int8(i * 31)
	}
	for i := range q {
		q[i] = int8(i*17 + 3)
	}
	b.SetBytes(rows * dims)
	for b.Loop() {
		best := int32(math.MinInt32)
		for r := range rows {
			best = max(best, DotInt8(q, table[r*dims:(r+1)*dims]))
		}
	}
}
