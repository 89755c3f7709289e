package static

import (
	"bytes"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func words(s string) (out []string) {
	Words([]byte(s), func(w []byte) bool {
		out = append(out, string(w))
		return true
	})
	return out
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"parseHTTPRequest(x, 404) // snake_case2": "parse http request x 404 snake case 2",
		"HTTP A aB 12345 x1y":                     "http a a b x 1 y",
		"Für Ärger: naïveCase":                    "für ärger naïvecase",
		"日本語 ok カナ":                               "日 日本 本語 ok カ カナ",
		"a—b …\xff\xfe z":                         "a b z",
		"":                                        "",
	} {
		if got := strings.Join(words(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	// A caller that has enough is not called again.
	n := 0
	Words([]byte("one two für drei 日本"), func([]byte) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("called %d times, not 3", n)
	}
}

// model returns a model of some words with random rows, and the rows.
func model(t testing.TB, words []string, buckets, dims int) (*Model, []float32, []byte) {
	v := NewVocabulary(words, buckets)
	r := rand.New(rand.NewPCG(3, 4))
	table := make([]float32, (v.Size+buckets)*dims)
	for i := range table {
		table[i] = float32(r.NormFloat64()) * float32(1+i/dims%3)
	}
	var b bytes.Buffer
	if err := Write(&b, v, dims, table); err != nil {
		t.Fatal(err)
	}
	m, err := Open(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	return m, table, b.Bytes()
}

// What a model says is, but for the levels that its numbers are rounded to, the sum of
// the rows that it was written from, each counted as often as Weight says: sixteen
// levels lose a hundredth of a normal distribution at best.
func TestEmbed(t *testing.T) {
	m, table, _ := model(t, []string{"read", "file", "the", "für"}, 64, 256)
	text := "readFile the FILE für unknownword 日本"
	want := make([]float64, m.Dims)
	counts := map[int]int{}
	m.IDs([]byte(text), func(id int) bool { counts[id]++; return true })
	for id, n := range counts {
		for j := range want {
			want[j] += float64(Weight(n)) * float64(table[id*m.Dims+j])
		}
	}
	var length, along, own float64
	for _, x := range want {
		length += x * x
	}
	got := make([]float32, m.Dims)
	m.Embed(got, []byte(text))
	for j := range want {
		along += want[j] / math.Sqrt(length) * float64(got[j])
		own += float64(got[j]) * float64(got[j])
	}
	if 1-along*along > .0115 || math.Abs(own-1) > 1e-6 {
		t.Errorf("%.4f of the vector is along what was meant, and it is %v long", along*along, own)
	}
	again := make([]float32, m.Dims)
	m.Embed(again, []byte(text))
	if !slices.Equal(got, again) {
		t.Error("the second time the vector is another")
	}
	m.Embed(again, []byte(" \t…"))
	if slices.ContainsFunc(again, func(x float32) bool { return x != 0 }) {
		t.Error("a text without words has a vector")
	}
	m.Embed(again, []byte(strings.Repeat("read file ", 1e6))) // does not overflow
	for _, x := range again {
		if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 1 {
			t.Fatal("a long text overflows")
		}
	}
}

// A model has another table for text where it was given one, and else is its own.
func TestText(t *testing.T) {
	words := []string{"read", "file", "the", "für"}
	code, table, _ := model(t, words, 8, 16)
	if code.Text() != code {
		t.Error("a model without rows for text has another one for it")
	}
	var b bytes.Buffer
	if err := code.WithText(&b, 4, table[:12*4]); err != nil {
		t.Fatal(err)
	}
	m, err := Open(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	var alone bytes.Buffer
	if err := Write(&alone, NewVocabulary(words, 8), 4, table[:12*4]); err != nil {
		t.Fatal(err)
	}
	want, err := Open(alone.String())
	if err != nil {
		t.Fatal(err)
	}
	vector := func(m *Model) []float32 {
		v := make([]float32, m.Dims)
		m.Embed(v, []byte("readFile the unknown"))
		return v
	}
	if got := vector(m.Text()); !slices.Equal(got, vector(want)) {
		t.Errorf("the text's vector is %v", got)
	}
	if !slices.Equal(vector(m), vector(code)) || m.Sum == m.Text().Sum {
		t.Error("the model for code is another one now, or is said to be that for text")
	}
	if err := code.WithText(&b, 4, table[:12]); err == nil {
		t.Error("a table of too few rows is taken")
	}
	for n := range alone.Len() {
		if _, err := Open(b.String()[:b.Len()-1-n]); !errors.Is(err, errMalformed) {
			t.Fatalf("without the last %d bytes: %v", n+1, err)
		}
	}
}

// A row is rounded to the levels and the scale that lose least, and zeros stay zeros.
func TestLevelled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	row, near := make([]float32, 1<<14), make([]byte, 1<<14)
	var lost, all float64
	for i := range row {
		row[i] = float32(r.NormFloat64() / 3)
	}
	scale := levelled(near, row)
	for i, x := range row {
		off := float64(x) - scale*float64(levels[near[i]])
		lost, all = lost+off*off, all+float64(x)*float64(x)
	}
	if lost/all > .0105 { // .0095 for the best levels of all, which are no whole numbers
		t.Errorf("%.4f of a normal distribution is lost", lost/all)
	}
	if scale := levelled(near[:4], make([]float32, 4)); scale != 0 {
		t.Errorf("zeros have the scale %v", scale)
	}
	if scale := levelled(near[:2], []float32{float32(math.Inf(1)), 1}); scale != 0 {
		t.Errorf("what is not finite has the scale %v", scale)
	}
}

func TestVocabulary(t *testing.T) {
	var list []string
	for i := range 5000 {
		list = append(list, strings.Repeat(string(rune('a'+i%26)), 1+i%7)+strings.Repeat("q", i/182))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	v := NewVocabulary(list, 10)
	for i, w := range list {
		if got := v.word([]byte(w)); got != i {
			t.Fatalf("%q is %d, not %d", w, got, i)
		}
	}
	if v.word([]byte("zebra")) != -1 {
		t.Error("an unknown word is known")
	}
}

func TestOpenMalformed(t *testing.T) {
	_, _, data := model(t, []string{"a", "bc"}, 3, 8)
	for n := range data {
		if _, err := Open(string(data[:n])); !errors.Is(err, errMalformed) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if _, err := Open(string(data) + "x"); !errors.Is(err, errMalformed) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	_, _, data := model(f, []string{"a", "bc"}, 3, 8)
	f.Add(data, "a bc für")
	// Let the checksum fit, so that what is behind it is looked at too.
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if len(data) > header {
			le.PutUint32(data[header-4:], crc32.ChecksumIEEE(data[header:]))
		}
		m, err := Open(string(data))
		if err != nil || m.Check() != nil {
			return
		}
		v := make([]float32, m.Dims)
		m.Embed(v, []byte(text))
	})
}

func FuzzWords(f *testing.F) {
	f.Add("parseHTTP für 日本語 12 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range words(s) {
			if w == "" || len(w) > maxWord+8 {
				t.Fatalf("a word of %d bytes", len(w))
			}
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	m, _, _ := model(b, strings.Fields("func return err nil if for range string int byte error the a of to"), 4096, 256)
	text := []byte(strings.Repeat("func (m *Model) Embed(dst []float32, text []byte) error {\n\tfor i := range text {\n\t\tif err != nil {\n\t\t\treturn err\n", 12))
	dst := make([]float32, m.Dims)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m.Embed(dst, text)
	}
}

func BenchmarkQuery(b *testing.B) {
	m, _, _ := model(b, strings.Fields("func return err nil if for range string int byte error the a of to"), 4096, 256)
	dst := make([]float32, m.Dims)
	for b.Loop() {
		m.Embed(dst, []byte("how does the scheduler retry a failed job"))
	}
}

// What is remembered of the words that came before changes no number: words of all lengths
// and spellings, so many that they take each other's places.
func TestKnown(t *testing.T) {
	m, _, _ := model(t, []string{"read", "file", "readfile", "http", "für", "a"}, 64, 256)
	numbers := func(text string, k *known) (ids []int) {
		m.remembering(k, []byte(text), func(id int) bool { ids = append(ids, id); return true })
		return ids
	}
	pieces := []string{"read", "File", "HTTP", "a", "Of", "für", "x", "Unknown", "ÜBER", "7", "12345", "日本", "averylongwordofnoknownmodel"}
	rng := rand.New(rand.NewPCG(1, 2))
	k := new(known)
	for range 20000 {
		text := ""
		for range 1 + rng.IntN(5) {
			text += pieces[rng.IntN(len(pieces))] + []string{"", "", " ", "_"}[rng.IntN(4)]
		}
		if rng.IntN(3) > 0 {
			text += string(rune('a'+rng.IntN(26))) + string(rune('A'+rng.IntN(26))) + string(rune('a'+rng.IntN(26))) + string(rune('a'+rng.IntN(26)))
		}
		want := numbers(text, nil)
		if got := numbers(text, k); !slices.Equal(got, want) {
			t.Fatalf("%q has numbers %v, without what came before %v", text, got, want)
		}
		if got := numbers(text, k); !slices.Equal(got, want) {
			t.Fatalf("%q has numbers %v the second time, %v the first", text, got, want)
		}
	}
	// A run whose numbers nobody wanted to the end is not known.
	m.remembering(k, []byte("ReadFileHTTP"), func(int) bool { return false })
	if got, want := numbers("ReadFileHTTP", k), numbers("ReadFileHTTP", nil); !slices.Equal(got, want) {
		t.Errorf("after a part of them: %v, want %v", got, want)
	}
}
