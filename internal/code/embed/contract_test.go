package embed_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/assay-dev/assay/internal/code/embed"
)

// keepsContract tests p for everything that package embed promises of every provider. A provider whose vectors depend on the other texts of a call, or
// on chance, fails.
func keepsContract(t *testing.T, p embed.Provider) {
	t.Run("name", func(t *testing.T) { name(t, p) })
	t.Run("vectors", func(t *testing.T) { vectors(t, p) })
	t.Run("nothing", func(t *testing.T) {
		if got, err := p.Embed(t.Context(), nil); err != nil || len(got) != 0 {
			t.Errorf("Embed(nothing) = %v, %v", got, err)
		}
	})
	t.Run("odd texts", func(t *testing.T) {
		texts := []string{"", " ", "\x00", "\xff\xfe", strings.Repeat("long ", 50_000), "日本語"}
		check(t, p, embedded(t, p, texts), len(texts), true)
	})
	t.Run("many", func(t *testing.T) { many(t, p) })
	t.Run("at once", func(t *testing.T) { atOnce(t, p) })
	t.Run("a context that ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := p.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("Embed = %v, %v, want that the context ended", got, err)
		}
	})
}

func name(t *testing.T, p embed.Provider) {
	before := p.Name()
	embedded(t, p, []string{"a"})
	if p.Name() == "" || p.Name() != before {
		t.Errorf("Name = %q, then %q", before, p.Name())
	}
	if p.Dims() <= 0 {
		t.Errorf("Dims = %d after vectors were made", p.Dims())
	}
}

func vectors(t *testing.T, p embed.Provider) {
	texts := []string{"open a file and read its lines", "parse the configuration", "open a file and read its lines"}
	got := embedded(t, p, texts)
	check(t, p, got, len(texts), false)
	if !near(got[0], got[2]) {
		t.Error("the same text has two vectors")
	}
	if near(got[0], got[1]) {
		t.Error("two texts have the same vector")
	}
	if alone := embedded(t, p, texts[1:2]); !near(alone[0], got[1]) {
		t.Error("a text's vector depends on the others, or is another's")
	}
}

// many sends more than a request holds and wants each vector in its place.
func many(t *testing.T, p embed.Provider) {
	texts := make([]string, 300)
	for i := range texts {
		texts[i] = fmt.Sprintf("text number %d about %c", i, 'a'+rune(i%26))
	}
	got := embedded(t, p, texts)
	check(t, p, got, len(texts), false)
	for _, i := range []int{0, 1, 127, 128, 129, 255, 256, 299} {
		if alone := embedded(t, p, texts[i:i+1]); !near(alone[0], got[i]) {
			t.Errorf("vector %d is not that of text %d", i, i)
		}
	}
}

func atOnce(t *testing.T, p embed.Provider) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			text := fmt.Sprintf("text %d", i)
			one, err := p.Embed(t.Context(), []string{text})
			two, err2 := p.Embed(t.Context(), []string{"other", text})
			if err != nil || err2 != nil {
				t.Errorf("Embed: %v, %v", err, err2)
			} else if !near(one[0], two[1]) {
				t.Errorf("%s has two vectors", text)
			}
		})
	}
	wg.Wait()
}

func embedded(t *testing.T, p embed.Provider, texts []string) [][]float32 {
	t.Helper()
	got, err := p.Embed(t.Context(), texts)
	if err != nil {
		t.Fatalf("Embed of %d texts: %v", len(texts), err)
	}
	if len(got) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(got), len(texts))
	}
	return got
}

// check holds vectors to their shape. Wordless says that zeros are allowed.
func check(t *testing.T, p embed.Provider, vecs [][]float32, n int, wordless bool) {
	t.Helper()
	if len(vecs) != n {
		t.Fatalf("%d vectors, want %d", len(vecs), n)
	}
	for i, v := range vecs {
		if len(v) != p.Dims() {
			t.Fatalf("vector %d has %d dimensions, want %d", i, len(v), p.Dims())
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if wordless && sum == 0 {
			continue
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("vector %d has length %g, want 1", i, math.Sqrt(sum))
		}
	}
}

func near(a, b []float32) bool {
	dot := 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return len(a) == len(b) && dot > 1-1e-5
}
