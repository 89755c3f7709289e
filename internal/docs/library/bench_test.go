package library

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// synthetic returns pages of ten snippets whose words are as common as words are:
// the nth a nth as common as the first.
func synthetic(seed uint64, snippets int) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		r := rand.New(rand.NewPCG(seed, 1))
		zipf := rand.NewZipf(r, 1.1, 8, 40_000)
		words := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteString(syntheticWord(zipf.Uint64()))
				b.WriteByte(' ')
			}
			return b.String()
		}
		for p := range snippets / 10 {
			page := Page{Path: fmt.Sprintf("docs/%s/%d.md", syntheticWord(zipf.Uint64()), p)}
			title := words(2)
			for range 10 {
				page.Snippets = append(page.Snippets, Snippet{Title: words(3), Breadcrumb: title, URL: page.Path, Content: words(120)})
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

func syntheticWord(n uint64) string {
	var b []byte
	for n = n*7919 + 77; n > 0; n /= 26 {
		b = append(b, 'a'+byte(n%26))
	}
	return string(b)
}

// BenchmarkQuery asks questions of seven words, common and rare, of files of
// ASSAY_DOCS_BENCH: libraries of so many snippets each, as 10x10000,1x100000. They
// are kept in the folder ASSAY_DOCS_BENCH_DIR, if it is set, and found there again.
func BenchmarkQuery(b *testing.B) {
	ctx := context.Background()
	for _, shape := range strings.Split(cmp.Or(os.Getenv("ASSAY_DOCS_BENCH"), "2x10000"), ",") {
		var n, each int
		if _, err := fmt.Sscanf(shape, "%dx%d", &n, &each); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(cmp.Or(os.Getenv("ASSAY_DOCS_BENCH_DIR"), b.TempDir()), shape+".db")
		if _, err := os.Stat(path); err != nil {
			fill(b, path, n, each)
		}
		reader := mustRead(b, path)
		b.Run(shape, func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 7))
			zipf := rand.NewZipf(r, 1.1, 8, 40_000)
			var took []time.Duration
			for b.Loop() {
				words := []string{"how", "to"}
				for range 5 {
					words = append(words, syntheticWord(zipf.Uint64()))
				}
				id := fmt.Sprintf("/org/lib%d", r.IntN(n))
				t := time.Now()
				a, err := reader.Query(ctx, id, strings.Join(words, " "), 0)
				took = append(took, time.Since(t))
				if err != nil || len(a.Snippets) == 0 {
					b.Fatal(a, err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "µs/p95")
		})
	}
}

// fill writes n libraries of so many snippets each.
func fill(b *testing.B, path string, n, each int) {
	b.Helper()
	part := path + ".part"
	db, err := Open(context.Background(), part)
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	for i := range n {
		mustPut(b, db, Library{ID: fmt.Sprintf("/org/lib%d", i)}, synthetic(uint64(i), each))
	}
	b.Logf("%s: %d snippets a second", filepath.Base(path), int(float64(n*each)/time.Since(start).Seconds()))
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	if st, err := os.Stat(part); err == nil {
		b.Logf("%d bytes a snippet", int(st.Size())/(n*each))
	}
	if err := os.Rename(part, path); err != nil {
		b.Fatal(err)
	}
}
