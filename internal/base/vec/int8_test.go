package vec

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestQuantise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-10, 10), 1, 64).Draw(t, "v")
		most := 0.
		for _, x := range v {
			most = max(most, math.Abs(float64(x)))
		}
		data, scale := Quantise([]byte("x"), v)
		rows := Signed(data[1:])
		end := false
		for i, x := range v {
			back := float64(rows[i]) * float64(scale)
			if math.Abs(back-float64(x)) > most/127*.51+1e-6 {
				t.Fatalf("%v of %v comes back as %v", x, most, back)
			}
			end = end || rows[i] == 127 || rows[i] == -127
		}
		if most > 1e-30 && !end {
			t.Fatalf("%v becomes %v: the largest is not 127", v, rows)
		}
		if !bytes.Equal(Bytes(rows), data[1:]) {
			t.Fatal("the bytes are not those of the row")
		}
	})
	inf, nan := float32(math.Inf(-1)), float32(math.NaN())
	for _, v := range [][]float32{nil, {0}, {0, 0}, {1, nan}, {1, inf, 3}, {math.SmallestNonzeroFloat32, 0}} {
		if data, scale := Quantise(nil, v); scale != 0 || !bytes.Equal(data, make([]byte, len(v))) {
			t.Errorf("%v becomes %v of scale %v", v, data, scale)
		}
	}
}

func TestQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 64).Draw(t, "n")
		draw := func(name string) []float32 { return rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n).Draw(t, name) }
		a, b := draw("a"), draw("b")
		data, scale := Quantise(nil, b)
		row := Signed(data)
		var want, aa, bb float64
		for i := range a {
			want += float64(a[i]) * float64(b[i])
			aa += float64(a[i]) * float64(a[i])
			bb += float64(b[i]) * float64(b[i])
		}
		if got := NewQuery(a).Dot(row, scale); math.Abs(float64(got)-want) > float64(n)/100 {
			t.Fatalf("%v is %v, want %v", "the product", got, want)
		}
		other, _ := Quantise(nil, a)
		if aa > .1 && bb > .1 {
			if got := CosineInt8(Signed(other), row); math.Abs(got-want/math.Sqrt(aa*bb)) > .05 {
				t.Fatalf("the cosine is %v, want %v", got, want/math.Sqrt(aa*bb))
			}
		}
	})
	v := []int8{3, -4}
	if got := CosineInt8(v, v); got != 1 {
		t.Errorf("a vector is like itself by %v", got)
	}
	for _, pair := range [][2][]int8{{v, {0, 0}}, {{0, 0}, v}, {v, {3}}, {nil, v}, {nil, nil}} {
		if got := CosineInt8(pair[0], pair[1]); got != 0 {
			t.Errorf("the cosine of %v is %v", pair, got)
		}
	}
}

// The assembly and the sum of products are the same bits, at every length.
func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 300 {
		v := make([]float32, n)
		for i := range v {
			v[i] = r.Float32() - .5
		}
		q := NewQuery(v)
		for count := range 5 {
			row := make([]int8, n)
			var sum int32
			for i, x := range q.row {
				row[i] = int8(r.IntN(256) - 128)
				sum += int32(x) * int32(row[i])
			}
			if dot := DotInt8(q.row, row); dot != sum || q.Dot(row, .5) != float32(sum)*.5*q.scale {
				t.Fatalf("row %d of %d numbers: %d, want %d", count, n, dot, sum)
			}
		}
	}
}

// Near the halves too: a row must be the same bytes whoever wrote it.
func TestNearest(t *testing.T) {
	for n := range 255 {
		for _, part := range []float32{0, .25, .49999, .5, .50001, .75} {
			for _, x := range []float32{float32(n-127) + part, math.Nextafter32(float32(n-127)+part, 200), math.Nextafter32(float32(n-127)+part, -200)} {
				if got, want := nearest(x), math.Round(float64(x)); float64(got) != want {
					t.Fatalf("nearest(%v) = %v, want %v", x, got, want)
				}
			}
		}
	}
}
