package bm25

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIDF(t *testing.T) {
	for _, c := range []struct {
		n, df int
		want  float64
	}{
		{1, 1, math.Log(4. / 3)},
		{10, 0, math.Log(22)},
		{10, 1, math.Log(22. / 3)},
		{10, 10, math.Log(22. / 21)},
		{0, 0, math.Log(2)},
	} {
		if got := IDF(c.n, c.df); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("IDF(%d, %d) = %v, want %v", c.n, c.df, got, c.want)
		}
	}
}

func TestNormAndWeight(t *testing.T) {
	p := Default()
	for _, c := range []struct{ got, want float64 }{
		{p.Norm(10, 10), 1.2},
		{p.Norm(0, 10), .3},
		{p.Norm(20, 10), 2.1},
		{p.Norm(5, 0), 1.2 * (.25 + .75*5)},
		{p.Weight(1, 1.2), 1},
		{p.Weight(0, 1.2), 0},
		{p.Weight(-3, 1.2), 0},
		{p.Weight(3, 1.2), 6.6 / 4.2},
		{Params{}.Weight(7, Params{}.Norm(3, 2)), 1},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func words(s string) Field { return Field{Words: strings.Fields(s), Weight: 1} }

func query(s string) (out []Term) {
	for w := range strings.FieldsSeq(s) {
		out = append(out, Term{w, 1})
	}
	return out
}

func TestSearch(t *testing.T) {
	x := New(Default())
	for _, s := range []string{"a a b", "a b b c", "d", "b"} {
		x.Add(float64(len(strings.Fields(s))), words(s))
	}
	x.Add(2, Field{Words: []string{"d"}, Weight: 3}, words("e")) // a field that counts thrice
	for _, c := range []struct {
		query string
		k     int
		want  []int
	}{
		{"", 10, nil},
		{"absent", 10, nil},
		{"a", 10, []int{0, 1}},
		{"c", 10, []int{1}},
		{"b", 10, []int{3, 1, 0}},
		{"b", 1, []int{3}},
		{"b", 0, nil},
		{"b", -1, nil},
		{"d", 10, []int{4, 2}},
		{"c d absent", 10, []int{4, 2, 1}},
	} {
		var got []int
		for _, h := range x.Search(query(c.query), c.k) {
			got = append(got, h.Doc)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Search(%q, %d) = %v, want %v", c.query, c.k, got, c.want)
		}
	}
	if n := New(Default()).Search(query("a"), 5); n != nil {
		t.Errorf("an empty index answers %v", n)
	}
}

// Equal documents come in the order they were added.
func TestTies(t *testing.T) {
	x := New(Default())
	for range 20 {
		x.Add(2, words("a b"))
	}
	for i, h := range x.Search(query("a"), 20) {
		if h.Doc != i {
			t.Fatalf("hit %d is document %d", i, h.Doc)
		}
	}
}

type doc struct {
	length float64
	fields []Field
}

func genDoc(t *rapid.T) doc {
	word := rapid.SampledFrom(strings.Fields("a b c d e"))
	var d doc
	for range rapid.IntRange(1, 3).Draw(t, "fields") {
		f := Field{Words: rapid.SliceOfN(word, 0, 6).Draw(t, "words"), Weight: rapid.Float64Range(.1, 5).Draw(t, "weight")}
		d.fields = append(d.fields, f)
		d.length += float64(len(f.Words))
	}
	return d
}

func genParams(t *rapid.T) Params {
	return Params{K1: rapid.Float64Range(0, 3).Draw(t, "k1"), B: rapid.Float64Range(0, 1).Draw(t, "b")}
}

func build(p Params, docs []doc) *Index {
	x := New(p)
	for _, d := range docs {
		x.Add(d.length, d.fields...)
	}
	return x
}

func scores(x *Index, q []Term) map[int]float64 {
	out := map[int]float64{}
	for _, h := range x.Search(q, x.Len()) {
		out[h.Doc] = h.Score
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

func TestScoresAreNeverNegativeAndSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := build(genParams(t), rapid.SliceOfN(rapid.Custom(genDoc), 1, 12).Draw(t, "docs"))
		hits := x.Search(query("a b c"), x.Len())
		for i, h := range hits {
			if h.Score < 0 || math.IsNaN(h.Score) {
				t.Fatalf("document %d scores %v", h.Doc, h.Score)
			}
			if i > 0 && cmp.Or(cmp.Compare(hits[i-1].Score, h.Score), -cmp.Compare(hits[i-1].Doc, h.Doc)) < 0 {
				t.Fatalf("hits %v and %v are out of order", hits[i-1], h)
			}
		}
		for k := range hits {
			if got := x.Search(query("a b c"), k); !slices.Equal(got, hits[:k]) && k > 0 {
				t.Fatalf("the best %d are %v, want %v", k, got, hits[:k])
			}
		}
	})
}

func TestScoresGrowWithOccurrences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := genParams(t)
		norm := p.Norm(rapid.Float64Range(0, 100).Draw(t, "length"), rapid.Float64Range(0, 100).Draw(t, "average"))
		tf := rapid.Float64Range(0, 50).Draw(t, "tf")
		less, more := p.Weight(tf, norm), p.Weight(tf+rapid.Float64Range(0, 10).Draw(t, "more"), norm)
		if more < less-1e-12 || less < 0 || more > p.K1+1+1e-12 {
			t.Fatalf("weights %v and %v: want growth within 0..%v", less, more, p.K1+1)
		}
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		df := rapid.IntRange(1, n).Draw(t, "df")
		if IDF(n, df) < 0 || IDF(n, df) > IDF(n, df-1) {
			t.Fatalf("IDF(%d, %d) = %v, IDF(%d, %d) = %v: want a rarer word to count more", n, df, IDF(n, df), n, df-1, IDF(n, df-1))
		}
	})
}

func TestOrderOfAddDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := genParams(t)
		docs := rapid.SliceOfN(rapid.Custom(genDoc), 1, 10).Draw(t, "docs")
		order := rapid.Permutation(slices.Collect(indices(len(docs)))).Draw(t, "order")
		moved := make([]doc, len(docs))
		for i, to := range order {
			moved[to] = docs[i]
		}
		q := []Term{{"a", 1}, {"b", .5}, {"c", 2}}
		a, b := scores(build(p, docs), q), scores(build(p, moved), q)
		if len(a) != len(b) {
			t.Fatalf("%d hits, and %d in another order", len(a), len(b))
		}
		for i, to := range order {
			if !near(a[i], b[to]) {
				t.Fatalf("document %d scores %v, and %v in another order", i, a[i], b[to])
			}
		}
	})
}

func indices(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A query is worth what its words are worth, each times its weight.
func TestWordsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := build(genParams(t), rapid.SliceOfN(rapid.Custom(genDoc), 1, 10).Draw(t, "docs"))
		w := rapid.Float64Range(.1, 4).Draw(t, "w")
		a, b, both := scores(x, []Term{{"a", 1}}), scores(x, []Term{{"b", 1}}), scores(x, []Term{{"a", w}, {"b", 1}})
		for d, s := range both {
			if !near(s, w*a[d]+b[d]) {
				t.Fatalf("document %d scores %v, want %v·%v + %v", d, s, w, a[d], b[d])
			}
		}
	})
}

func Example() {
	x := New(Default())
	for _, d := range []struct{ title, body string }{
		{"Routing", "A router finds the handler of a request"},
		{"Handlers", "A handler answers a request"},
	} {
		title, body := strings.Fields(strings.ToLower(d.title)), strings.Fields(strings.ToLower(d.body))
		x.Add(float64(len(title)+len(body)), Field{title, 3}, Field{body, 1})
	}
	for _, h := range x.Search([]Term{{"routing", 1}, {"handler", 1}}, 10) {
		fmt.Printf("%d %.2f\n", h.Doc, h.Score)
	}
	// Output:
	// 0 1.21
	// 1 0.20
}
