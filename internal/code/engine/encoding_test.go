package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/regex"
)

func utf16le(s string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// A text in UTF-16 may be larger than its file: whatever limit it reaches on the way, it
// is found as any other of that size.
func TestUTF16OfEverySize(t *testing.T) {
	ctx := context.Background()
	padding := strings.Repeat("中文字", 10) + "\n"
	of := func(size int) string { return utf16le(strings.Repeat(padding, size/2/31) + "needle\n") }
	small, longer, large := of(1000), of(discover.MaxFile-1000), of(discover.MaxFile+1000)
	tr := newTree(t, map[string]string{"small.txt": small, "longer.txt": longer, "large.txt": large, "ascii.txt": utf16le("plain words\nplain words\n")})
	if len(longer) > discover.MaxFile || len(longer)*4/3 < discover.MaxFile {
		t.Fatalf("longer.txt has %d bytes", len(longer))
	}
	tr.now = time.Now() // so that files could change again unseen, and are read to check
	e := tr.open()
	sync(t, e)
	p, err := regex.Compile("needle", regex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.View(ctx, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	_, err = v.Match(ctx, p, func(index.DocInfo) bool { return true }, func(m engine.FileMatch) bool {
		for _, one := range m.Matches {
			got = append(got, fmt.Sprintf("%s:%d:%s", m.Path, one.Line, m.Encoding))
		}
		return true
	})
	line := func(s string) int { return len(s)/2/31 + 1 }
	want := []string{fmt.Sprintf("large.txt:%d:utf-16le", line(large)), fmt.Sprintf("longer.txt:%d:utf-16le", line(longer)), fmt.Sprintf("small.txt:%d:utf-16le", line(small))}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("needle is found at %v, %v; want %v", got, err, want)
	}
	if st, err := e.Status(ctx); err != nil || st.Changed != 0 {
		t.Errorf("status of an unchanged tree: %+v, %v", st, err)
	}
	if problems, err := e.Check(ctx); err != nil || len(problems) > 0 {
		t.Errorf("the check finds %v, %v", problems, err)
	}
	// What a text was exchanged for in secret is seen, although its file is twice as large.
	tr.write("ascii.txt", utf16le("plain lords\nplain words\n"))
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(tr.root, "ascii.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	if problems, err := e.Check(ctx); err != nil || len(problems) != 1 || problems[0].Where != "ascii.txt" {
		t.Errorf("the check of another text finds %v, %v", problems, err)
	}
}

// A hit is verified against what its file says now, in whatever encoding.
func TestQuoteDecodes(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": utf16le(goFile("Alpha", "Beta"))})
	e := tr.open()
	sync(t, e)
	v, err := e.Frozen(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(context.Background(), engine.Query{Plan: rank.Parse("Beta", rank.Hybrid), Most: 1})
	if err != nil || len(a.Hits) != 1 {
		t.Fatal(a, err)
	}
	h := a.Hits[0]
	if quote, ok := e.Quote(&h); !ok || h.Encoding != "utf-16le" || !strings.Contains(string(quote), "func Beta") {
		t.Errorf("quoted as %q, %v, %q", quote, ok, h.Encoding)
	}
	tr.write("a.go", goFile("Alpha", "Beta"))
	if _, ok := e.Quote(&h); !ok || h.Encoding != "" {
		t.Errorf("saved in UTF-8: %v, %q", ok, h.Encoding)
	}
	tr.write("a.go", utf16le(goFile("Other")))
	if _, ok := e.Quote(&h); ok {
		t.Error("a chunk that is gone is still quoted")
	}
}
