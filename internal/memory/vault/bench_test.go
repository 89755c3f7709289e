package vault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manyNotes writes a vault of n notes of about 150 words.
func manyNotes(b *testing.B, m *Memory, n int) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 30_000)
	for i := range n {
		var s strings.Builder
		fmt.Fprintf(&s, "# Note w%d w%d\n\n", zipf.Uint64(), zipf.Uint64())
		for k := range 150 {
			fmt.Fprintf(&s, "word%d", zipf.Uint64())
			if k%12 == 11 {
				s.WriteString(".\n")
			} else {
				s.WriteByte(' ')
			}
		}
		write(b, m, fmt.Sprintf("f%d/n%d.md", i%40, i), s.String())
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(m.cfg.Vault, fmt.Sprintf("f%d/n%d.md", i%40, i)), old, old); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSync(b *testing.B) {
	m := fresh(b, nil)
	manyNotes(b, m, 2000)
	for b.Loop() {
		if _, err := m.Sync(context.Background(), SyncOptions{Full: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSyncNothing(b *testing.B) {
	m := fresh(b, nil)
	manyNotes(b, m, 2000)
	for b.Loop() {
		if _, err := m.Sync(context.Background(), SyncOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearchCold(b *testing.B) {
	m := fresh(b, nil)
	manyNotes(b, m, 10000)
	if _, err := m.Sync(context.Background(), SyncOptions{}); err != nil {
		b.Fatal(err)
	}
	m.Close()
	for b.Loop() {
		n := Open(m.cfg)
		if _, err := n.Search(context.Background(), Query{Text: "where is word7 of word23 and word400 explained", Wait: true}); err != nil {
			b.Fatal(err)
		}
		n.Close()
	}
}

func BenchmarkSearch(b *testing.B) {
	m := fresh(b, nil)
	manyNotes(b, m, 2000)
	if _, err := m.Sync(context.Background(), SyncOptions{}); err != nil {
		b.Fatal(err)
	}
	for name, own := range map[string]string{"all": "", "own": "github.com/a/b"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Search(context.Background(), Query{Text: "where is word7 of word23 and word400 explained", Own: own}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStore(b *testing.B) {
	m := fresh(b, nil)
	manyNotes(b, m, 2000)
	if _, err := m.Sync(context.Background(), SyncOptions{}); err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		n++
		s, err := m.Store(context.Background(), Note{Title: fmt.Sprintf("Decision %d", n), Content: fmt.Sprintf("We use queue number %d for the mail that the %d workers of region x%d send, since the old one lost some.", n, n*7, n*31)})
		if err != nil || s.Exists || s.Unindexed != "" {
			b.Fatal(s, err)
		}
	}
}
