package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// models are those that testdata/make.py wrote.
func models() []string { return []string{"wordpiece", "unigram", "bpe", "words"} }

func open(t testing.TB, dir string) *Model {
	t.Helper()
	m, err := Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func vector(t testing.TB, m *Model, text string) []float32 {
	t.Helper()
	v := make([]float32, m.Dims())
	if err := m.Embed(v, text); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestReference holds the vectors to those of the reference.
func TestReference(t *testing.T) {
	for _, name := range models() {
		m := open(t, filepath.Join("testdata", name))
		data, err := os.ReadFile(filepath.Join("testdata", name, "vectors.json"))
		if err != nil {
			t.Fatal(err)
		}
		var all []struct {
			Text   string
			Vector []float64
		}
		if err := json.Unmarshal(data, &all); err != nil || len(all) < 20 {
			t.Fatalf("%d texts, %v", len(all), err)
		}
		for _, tt := range all {
			got := vector(t, m, tt.Text)
			for i := range tt.Vector {
				if math.Abs(float64(got[i])-tt.Vector[i]) > 1e-5 {
					t.Errorf("%s: Embed(%q) = %v, want %v", name, tt.Text, got, tt.Vector)
					break
				}
			}
		}
	}
}

func TestDims(t *testing.T) {
	dir := filepath.Join("testdata", "wordpiece")
	whole := vector(t, open(t, dir), "open the file")
	m, err := Open(dir, 3)
	if err != nil || m.Dims() != 3 {
		t.Fatalf("Open: %v", err)
	}
	got := vector(t, m, "open the file")
	length := math.Sqrt(float64(whole[0]*whole[0] + whole[1]*whole[1] + whole[2]*whole[2]))
	for i := range got {
		if want := float64(whole[i]) / length; math.Abs(float64(got[i])-want) > 1e-6 {
			t.Errorf("dimension %d is %v, want %v", i, got[i], want)
		}
	}
	if _, err := Open(dir, 7); err == nil || !strings.Contains(err.Error(), "has 6 dimensions, and 7 are asked for") {
		t.Errorf("too many: %v", err)
	}
}

// TestLong holds that only the first 512 tokens count.
func TestLong(t *testing.T) {
	m := open(t, filepath.Join("testdata", "wordpiece"))
	a := vector(t, m, strings.Repeat("a ", 256)+strings.Repeat("the ", 2000))
	b := vector(t, m, strings.Repeat("a ", 256)+strings.Repeat("the ", 1000)+strings.Repeat("file ", 1000))
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("what comes late counts: %v, %v", a, b)
		}
	}
	for n, want := range []string{"", "ä", "äb", "äbc"} {
		if got := head("äbcd", n); got != want {
			t.Errorf("head(äbcd, %d) = %q, want %q", n, got, want)
		}
	}
}

// files writes a folder that differs from the one of a good model.
func files(t testing.TB, change map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		data, ok := change[name]
		if !ok {
			var err error
			if data, err = os.ReadFile(filepath.Join("testdata", "wordpiece", name)); err != nil {
				t.Fatal(err)
			}
		}
		if data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tensors returns a safetensors file of a header and n zero bytes.
func tensors(header string, n int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, n)...)
}

func TestOpenDamaged(t *testing.T) {
	const tokens = 139 // of the tokenizer
	table := fmt.Sprintf(`"embeddings":{"dtype":"I8","shape":[%d,2],"data_offsets":[0,%d]}`, tokens, 2*tokens)
	for _, tt := range []struct {
		name, file string
		data       []byte
		says       string
	}{
		{"no config", "config.json", nil, "a Model2Vec folder has"},
		{"no tokenizer", "tokenizer.json", nil, "a Model2Vec folder has"},
		{"no table", "model.safetensors", nil, "a Model2Vec folder has"},
		{"config", "config.json", []byte("{"), "is not valid JSON"},
		{"tokenizer", "tokenizer.json", []byte("{"), "tokenizer.json: not a tokenizer.json"},
		{"empty", "model.safetensors", []byte{}, "it has 0 bytes"},
		{"a long header", "model.safetensors", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "does not fit"},
		{"no header", "model.safetensors", tensors("x", 0), "not valid JSON"},
		{"another model", "model.safetensors", tensors(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4), "not a Model2Vec model"},
		{"outside", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[9,1],"data_offsets":[0,9]}}`, 8), "is out of bounds"},
		{"backwards", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[0],"data_offsets":[5,4]}}`, 8), "is out of bounds"},
		{"below zero", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[-1],"data_offsets":[0,4]}}`, 8), "-1"},
		{"other shape", "model.safetensors", tensors(`{"embeddings":{"dtype":"F32","shape":[9,1],"data_offsets":[0,8]}}`, 8), "needs 36 bytes and has 8"},
		{"overflow", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[2000000000,2000000000,2000000000],"data_offsets":[0,8]}}`, 8), "too large"},
		{"a line", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[8],"data_offsets":[0,8]}}`, 8), "a table of"},
		{"whole numbers", "model.safetensors", tensors(`{"embeddings":{"dtype":"I64","shape":[1,1],"data_offsets":[0,8]}}`, 8), "a table of"},
		{"few rows", "model.safetensors", tensors(`{"embeddings":{"dtype":"I8","shape":[8,1],"data_offsets":[0,8]}}`, 8), "not of one model"},
		{"few weights", "model.safetensors", tensors(`{`+table+`,"weights":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 2*tokens), "weights"},
		{"few in mapping", "model.safetensors", tensors(`{`+table+`,"mapping":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}`, 2*tokens), "mapping"},
		{"far mapping", "model.safetensors", append(tensors(fmt.Sprintf(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"mapping":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}`,
			tokens, tokens), tokens-1), 1), "mapping leads token 138"},
	} {
		_, err := Open(files(t, map[string][]byte{tt.file: tt.data}), 0)
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), tt.file) {
			t.Errorf("%s: Open: %v, want %q", tt.name, err, tt.says)
		}
	}
	for name, data := range map[string][]byte{"NaN": {0, 0, 0xc0, 0x7f}, "infinite": {0, 0, 0x80, 0x7f}} {
		good, err := os.ReadFile(filepath.Join("testdata", "wordpiece", "model.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		size := 8 + binary.LittleEndian.Uint64(good)
		for at := size; at < uint64(len(good)); at += 4 {
			copy(good[at:], data)
		}
		m := open(t, files(t, map[string][]byte{"model.safetensors": good}))
		if err := m.Embed(make([]float32, m.Dims()), "the file"); err == nil || !strings.Contains(err.Error(), "numbers that are none") {
			t.Errorf("%s: Embed: %v", name, err)
		}
	}
}

// Another model has another name, wherever it differs.
func TestName(t *testing.T) {
	names := map[string]string{}
	big := make([]byte, 1<<20)
	for _, name := range models() {
		m := open(t, filepath.Join("testdata", name))
		if !strings.HasPrefix(m.Name(), name+"/") || m.Name() != open(t, filepath.Join("testdata", name)).Name() {
			t.Errorf("%s is called %s", name, m.Name())
		}
		names[m.Name()[len(name):]] = name
	}
	if len(names) != len(models()) {
		t.Errorf("checksums: %v", names)
	}
	a := sample(0, big)
	big[len(big)-1]++
	if b := sample(0, big); a == b || a == sample(0, big[1:]) {
		t.Error("files that differ have one checksum")
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x0001: 5.9604644775390625e-08, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := half(bits); got != want {
			t.Errorf("half(%#x) = %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) {
		t.Error("NaN is a number")
	}
}

// FuzzOpen is the package's promise: whatever the files hold, there is an error or
// a vector.
func FuzzOpen(f *testing.F) {
	for _, name := range models() {
		data, err := os.ReadFile(filepath.Join("testdata", name, "model.safetensors"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "open the file")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		m, err := Open(files(t, map[string][]byte{"model.safetensors": data}), 0)
		if err != nil {
			return
		}
		v := make([]float32, m.Dims())
		if err := m.Embed(v, text); err != nil {
			return
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if sum != 0 && math.Abs(sum-1) > 1e-4 {
			t.Errorf("a vector of length %v", math.Sqrt(sum))
		}
	})
}

// FuzzTensors holds that a tensor's shape is that of its data.
func FuzzTensors(f *testing.F) {
	f.Add(`{"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, 8)
	f.Fuzz(func(t *testing.T, header string, n int) {
		if n < 0 || n > 1<<12 {
			return
		}
		all, err := readTensors(tensors(header, n))
		if err != nil {
			return
		}
		for name, a := range all {
			size := width(a.dtype)
			for _, d := range a.shape {
				size *= d
			}
			if size != len(a.data) {
				t.Errorf("%s of %v %s has %d bytes", name, a.shape, a.dtype, len(a.data))
			}
		}
	})
}
