package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// The first hits must not depend on how many are asked for, up to a pool of hits that few ask for.
func TestCandidates(t *testing.T) {
	if candidates(1) != 256 || candidates(256) != 256 || candidates(300) != 300 {
		t.Errorf("%d, %d and %d candidates", candidates(1), candidates(256), candidates(300))
	}
}

// A plan is cut where it has more files or bytes than one look may index, and what it omits is
// still known.
func TestTrim(t *testing.T) {
	const large = discover.MaxFile
	for _, tc := range []struct {
		sizes []int64
		files int
		bytes int64
		want  int
	}{
		{[]int64{5, 5, 5}, 0, 1, 3},
		{[]int64{5, 5, 5}, 3, 15, 3},
		{[]int64{5, 5, 5}, 2, 100, 2},
		{[]int64{5, 5, 5}, 9, 14, 2},
		{[]int64{5, 5, 5}, 9, 4, 0},
		{[]int64{9 * large, 5}, 9, large + 5, 2}, // of a large file no more is read
		{nil, 1, 1, 0},
	} {
		p := &plan{dirs: []*dirPlan{{path: "d"}}}
		for i, n := range tc.sizes {
			p.changes = append(p.changes, change{file: &discover.File{Name: fmt.Sprint(i), Size: n}})
		}
		p.trim(tc.files, tc.bytes)
		var cut []string
		for i := tc.want; i < len(tc.sizes); i++ {
			cut = append(cut, fmt.Sprint("d/", i))
		}
		if len(p.changes) != tc.want || p.cut != len(tc.sizes)-tc.want || !slices.Equal(p.cutPaths, cut) {
			t.Errorf("%v, at most %d and %d bytes: %d changes, %d cut, %v; want %d", tc.sizes, tc.files, tc.bytes, len(p.changes), p.cut, p.cutPaths, tc.want)
		}
	}
}

// What was not read yet looks changed the next time too: a folder of which some is left, and some
// may have been written within the clock's tick, is as old as it was.
func TestEntriesLeft(t *testing.T) {
	entry := func(name string, doc uint32) index.Entry { return index.Entry{Name: name, Size: 1, Doc: doc} }
	pack := func(all ...index.Entry) (out []byte) {
		for i := range all {
			out = index.AppendEntry(out, &all[i])
		}
		return out
	}
	for _, tc := range []struct {
		racy bool
		left int
		want int64
	}{{false, 0, 9}, {true, 0, 9}, {false, 1, 9}, {true, 1, 4}} {
		w := &dirPlan{tree: discover.Dir{Files: []discover.File{{Name: "b"}, {Name: "c"}, {Name: "e"}}}, old: index.Dir{Seen: 4, Entries: pack(entry("a", 1), entry("b", 2), entry("d", 4), entry("e", 5))},
			done: map[string]index.Entry{"c": entry("c", 7), "e": entry("e", 8)}, racy: tc.racy, left: tc.left}
		got := w.entries(9)
		if got.Seen != tc.want {
			t.Errorf("%+v: seen at %d", tc, got.Seen)
		}
		var list []string
		r := got.Read()
		for e := (index.Entry{}); r.Next(&e); {
			list = append(list, fmt.Sprint(e.Name, e.Doc))
		}
		if want := []string{"b2", "c7", "e8"}; !slices.Equal(list, want) {
			t.Errorf("%+v: entries %v, want %v", tc, list, want)
		}
	}
}
