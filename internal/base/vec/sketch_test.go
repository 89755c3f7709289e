package vec

import (
	"bytes"
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// What differs is counted by its level, at every length, however the rows are aligned.
func TestApart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 300 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		q := NewQuery(v)
		s := q.Sketch()
		var mean float64
		for _, x := range q.row {
			mean += float64(abs(x)) / float64(n)
		}
		const count = 5
		var signs []byte
		want := make([]uint16, count)
		for i := range want {
			row := make([]int8, n)
			for k := range row {
				row[k] = int8(r.IntN(256) - 128)
				if differ := row[k] > 0 != (q.row[k] > 0); differ {
					for _, least := range []float64{.5 / 1.2, 1.5 / 1.2, 2.5 / 1.2} {
						if float64(abs(q.row[k])) >= least*mean-1e-9 {
							want[i]++
						}
					}
				}
			}
			signs = AppendSigns(signs, row)
		}
		got := make([]uint16, count)
		if s.Apart(got, Words(signs)); !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d numbers: %v, want %v", count, n, got, want)
		}
		if far := int(slices.Max(got)); far > s.Most() {
			t.Fatalf("%d numbers are %d apart, at most %d", n, far, s.Most())
		}
		shifted := append([]byte{1}, signs...)[1:]
		if s.Apart(got, Words(shifted)); !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d numbers, not aligned: %v, want %v", count, n, got, want)
		}
	}
}

func TestSigns(t *testing.T) {
	row := make([]int8, 70)
	copy(row, []int8{1, 0, -1, 127, -128})
	row[69] = 3
	got := AppendSigns([]byte("x"), row)
	want := append([]byte("x"), 0b01001, 0, 0, 0, 0, 0, 0, 0, 0b100000, 0, 0, 0, 0, 0, 0, 0)
	if !bytes.Equal(got, want) {
		t.Errorf("the signs of %v are %v, want %v", row, got, want)
	}
	zeros := NewQuery(make([]float32, 70)).Sketch()
	apart := []uint16{9}
	if zeros.Apart(apart, Words(got[1:])); apart[0] != 0 {
		t.Errorf("nothing is %d apart from something", apart[0])
	}
}

// By levels a twentieth of the rows has most of the nearest even where numbers are random, and more than bits alone find.
func TestSketchFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const rows, dims, near, tried = 4000, 256, 40, 200
	random := func() []float32 {
		v := make([]float32, dims)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	q := NewQuery(random())
	s := q.Sketch()
	var signs []byte
	dots := make([]int32, rows)
	for i := range dots {
		row, _ := Quantise(nil, random())
		signs = AppendSigns(signs, Signed(row))
		dots[i] = DotInt8(q.row, Signed(row))
	}
	apart, plain := make([]uint16, rows), make([]uint16, rows)
	words := Words(signs)
	s.Apart(apart, words)
	for i := range plain {
		for k := range s.width {
			plain[i] += uint16(bits.OnesCount64(words[i*s.width+k] ^ s.planes[k]))
		}
	}
	found := func(by func(a, b int) int) (n int) {
		order := make([]int, rows)
		for i := range order {
			order[i] = i
		}
		best := slices.Clone(order)
		slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(dots[b], dots[a]) })
		slices.SortStableFunc(order, by)
		for _, i := range best[:near] {
			if slices.Contains(order[:tried], i) {
				n++
			}
		}
		return n
	}
	byLevel := found(func(a, b int) int { return cmp.Compare(apart[a], apart[b]) })
	byBit := found(func(a, b int) int { return cmp.Compare(plain[a], plain[b]) })
	if byLevel < near*2/3 || byLevel <= byBit {
		t.Errorf("of %d nearest %d by level, %d by bit", near, byLevel, byBit)
	}
}

func BenchmarkApart(b *testing.B) {
	const rows = 90_000
	signs := make([]uint64, 4*rows)
	for i := range signs {
		signs[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	v := make([]float32, 256)
	for i := range v {
		v[i] = float32(i*17%31) - 15
	}
	s := NewQuery(v).Sketch()
	out := make([]uint16, rows)
	b.SetBytes(32 * rows)
	for b.Loop() {
		s.Apart(out, signs)
	}
}
