package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A meaning is a provider for which a text is about fruit, metal or neither.
type meaning struct {
	sent  []string
	fails bool
}

func (m *meaning) Name() string { return "meaning/3" }
func (m *meaning) Dims() int    { return 3 }

func (m *meaning) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if m.fails {
		return nil, errors.New("out of order")
	}
	var out [][]float32
	for _, t := range texts {
		m.sent = append(m.sent, t)
		v := []float32{.1, .1, .1}
		for i, words := range [][]string{{"apple", "pear", "fruit"}, {"iron", "copper", "metal"}} {
			for _, w := range words {
				if strings.Contains(strings.ToLower(t), w) {
					v[i] += 1
				}
			}
		}
		n := float32(math.Sqrt(float64(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])))
		for i := range v {
			v[i] /= n
		}
		out = append(out, v)
	}
	return out, nil
}

var _ embed.Provider = (*meaning)(nil)

func TestMeaningFindsWhatWordsDoNot(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{
		"a.go": "package p\n\n// Apple is round.\nfunc Apple() {}\n",
		"b.go": "package p\n\n// Iron is hard. key AKIAIOSFODNN7EXAMPLQ\nfunc Iron() {}\n",
	})
	m := &meaning{}
	e, err := engine.Open(ctx, engine.Config{Root: tr.root, IndexDir: tr.dir, Embedder: m})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	sync(t, e)
	if n, err := e.Embed(ctx, nil); n != 2 || err != nil {
		t.Fatalf("Embed = %d, %v", n, err)
	}
	for _, s := range m.sent {
		if strings.Contains(s, "AKIAIOSFODNN7EXAMPLQ") {
			t.Errorf("a secret was sent: %q", s)
		}
	}
	find := func(query string) string {
		t.Helper()
		v, err := e.Frozen(ctx)
		if err != nil {
			t.Fatal(err)
		}
		a, err := v.Search(ctx, engine.Query{Plan: rank.Parse(query, rank.Semantic), Most: 1})
		if err != nil || len(a.Hits) == 0 {
			t.Fatalf("%s finds nothing: %v", query, err)
		}
		return a.Hits[0].Doc.Path + a.Degraded
	}
	if got := find("pear"); got != "a.go" {
		t.Errorf("pear finds %s, want a.go", got)
	}
	if got := find("copper"); got != "b.go" {
		t.Errorf("copper finds %s, want b.go", got)
	}
	// What was embedded is not sent again, also after a rename and a new index.
	sent := len(m.sent)
	if _, err := e.Sync(ctx, engine.Options{Full: true}); err != nil {
		t.Fatal(err)
	}
	if n, err := e.Embed(ctx, nil); n != 0 || err != nil || len(m.sent) != sent {
		t.Errorf("a second time %d texts were sent: %v", n, err)
	}
	// Down, it is said, and words answer.
	m.fails = true
	v, err := e.Frozen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(ctx, engine.Query{Plan: rank.Parse("Apple", rank.Hybrid), Most: 1})
	if err != nil || len(a.Hits) != 1 || !strings.Contains(a.Degraded, "out of order") {
		raw, _ := json.Marshal(a)
		t.Errorf("with the provider down: %s %v", raw, err)
	}
}

// A near is a meaning that makes its vectors here.
type near struct{ meaning }

func (n *near) Vector(dst []float32, text []byte) {
	vecs, _ := n.Embed(context.Background(), []string{string(text)})
	copy(dst, vecs[0])
}

var _ embed.Local = (*near)(nil)

// What was indexed before there was a model gets its vectors from one that is here too.
func TestLocalVectorsOfAnOldIndex(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": "package p\n\n// Apple is round.\nfunc Apple() {}\n", "b.go": "package p\n\n// Iron is hard.\nfunc Iron() {}\n"})
	e := tr.open()
	sync(t, e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Embedder: &near{}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if n, err := e.Embed(t.Context(), nil); n != 0 || err != nil {
		t.Fatalf("%d texts were sent somewhere, %v", n, err)
	}
	v, err := e.Frozen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(t.Context(), engine.Query{Plan: rank.Parse("copper", rank.Semantic), Most: 1})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Doc.Path != "b.go" {
		t.Errorf("%+v, %v", a, err)
	}
}
