package index

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"sync/atomic"
	"testing"

	"github.com/assay-dev/assay/internal/base/store"
)

// What a row says is in its checksum, with the table, the types of its columns and where one ends and the next begins.
func TestRowSum(t *testing.T) {
	seen := map[int64]string{}
	for _, c := range []struct {
		table   string
		columns []any
	}{{"a", []any{"bc", "d"}}, {"a", []any{"b", "cd"}}, {"a", []any{"bcd"}}, {"b", []any{"bc", "d"}}, {"a", []any{"bc", []byte("d")}}, {"a", []any{int64(1)}}, {"a", []any{int64(2)}}, {"a", []any{int64(1), int64(2)}}} {
		sum, name := rowSum(c.table, c.columns...), fmt.Sprint(c)
		if seen[sum] != "" {
			t.Errorf("%s and %s have one checksum", seen[sum], name)
		}
		seen[sum] = name
	}
}

// A length is known within 3 in 100, and none is none.
func TestLengthCode(t *testing.T) {
	for n := range 20_000 {
		if got := lengthOf(lengthCode(n)); math.Abs(got-float64(n)) > .03*float64(n+1) || n == 0 && got != 0 {
			t.Fatalf("%d words are read as %v", n, got)
		}
	}
}

// A single damaged row is a problem, and is one before any segment is read; so is a document that no folder has. Repair
// leaves none, also in a folder of one file.
func TestOneProblem(t *testing.T) {
	ctx := context.Background()
	m := newMaker(7)
	for name, harm := range map[string]func(t *testing.T, x *Index, w *Writer) (rows bool){
		"a row of a folder": func(t *testing.T, x *Index, _ *Writer) bool {
			_, err := x.db.Exec("UPDATE dirs SET seen = seen + 1 WHERE path = 'one'")
			must(t, err)
			return true
		},
		"a row that is gone": func(t *testing.T, x *Index, _ *Writer) bool {
			_, err := x.db.Exec("DELETE FROM dirs WHERE path = 'one'")
			must(t, err)
			return true
		},
		"a document of no folder": func(t *testing.T, _ *Index, w *Writer) bool {
			publish(t, w, m.docs(40, 1, 2))
			return false
		},
	} {
		x, w := open(t)
		docs := m.docs(1, 3, 2)
		docs[0].Path, docs[1].Path, docs[2].Path = "one/a.go", "two/b.go", "two/c.go"
		b := batchOf(t, w, docs)
		b.Dirs = treeOf(1, docs)
		must(t, w.Publish(ctx, b))
		if problems, err := x.Problems(ctx); len(problems) != 0 || err != nil || sound(ctx, x.db) != nil {
			t.Fatalf("%s: at first %v, %v, %v", name, problems, err, sound(ctx, x.db))
		}
		rows := harm(t, x, w)
		if problems, err := x.Problems(ctx); len(problems) == 0 || err != nil {
			t.Errorf("%s: %v, %v", name, problems, err)
		}
		if err := sound(ctx, x.db); rows != errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: by the rows alone %v", name, err)
		}
		must(t, w.Repair(ctx))
		if problems, err := x.Problems(ctx); len(problems) != 0 || err != nil {
			t.Errorf("%s: after Repair %v, %v", name, problems, err)
		}
	}
}

// Each block is compared with its own checksum, however many others were before it.
func TestManyBlocks(t *testing.T) {
	const blocks = 40
	s := &Segment{Name: "test", data: make([]byte, blocks<<blockBits), crcs: make([]byte, 4*blocks), ok: make([]atomic.Uint32, 2)}
	for b := range blocks {
		le.PutUint32(s.crcs[4*b:], crc32.Checksum(s.data[b<<blockBits:(b+1)<<blockBits], castagnoli))
	}
	must(t, safely(func() { s.touch(0, 33<<blockBits) }))
	for _, b := range []int{33, blocks - 1} {
		s.data[b<<blockBits+7] ^= 1
		if err := safely(func() { s.touch(b<<blockBits, 9) }); !errors.Is(err, ErrDamaged) {
			t.Errorf("block %d: %v", b, err)
		}
		s.data[b<<blockBits+7] ^= 1
		must(t, safely(func() { s.touch(b<<blockBits, 9) }))
	}
}
