//go:build unix

package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/regex"
)

// A file that is cut short under a reader is a memory fault, which costs the
// reader ErrDamaged and the index a repair. It is so for every way to read.
func TestCutUnderReader(t *testing.T) {
	ctx := context.Background()
	m := newMaker(81)
	docs := m.docs(1, 300, 5)
	re, err := regex.Compile("value", regex.Options{})
	must(t, err)
	for name, ask := range map[string]func(p *Snapshot) error{
		"Lexical":  func(p *Snapshot) error { _, err := p.Lexical(ctx, terms("valu"), 10, 3, nil); return err },
		"DF":       func(p *Snapshot) error { p.terms.m = nil; _, _, err := p.DF(terms("valu")); return err },
		"Describe": func(p *Snapshot) error { _, err := p.Describe([]corpus.Ref{{Chunk: p.segs[0].Chunks - 1}}); return err },
		"Docs":     func(p *Snapshot) error { return p.Docs(func(DocInfo) bool { return true }) },
		"Chunks":   func(p *Snapshot) error { _, err := p.Chunks("no such"); return err },
		"Matching": func(p *Snapshot) error { return p.Matching(ctx, re.Query(), func(DocInfo) bool { return true }) },
		"With":     func(p *Snapshot) error { _, err := p.With(nil, []uint32{1}); return err },
		"Live":     func(p *Snapshot) error { _, err := p.LiveChunks(0); return err },
	} {
		t.Run(name, func(t *testing.T) {
			x, w := open(t)
			publish(t, w, docs)
			p := snapshot(t, x)
			must(t, ask(p)) // all blocks it reads have been checked by now
			must(t, os.Truncate(filepath.Join(x.dir, "seg", p.segs[0].Name), 100))
			if err := ask(p); !errors.Is(err, ErrDamaged) {
				t.Errorf("after the file was cut: %v, want ErrDamaged", err)
			}
			if !p.Damaged() {
				t.Error("the snapshot is not damaged")
			}
			must(t, w.Repair(ctx))
			if p := snapshot(t, x); p.Damaged() || p.Segments() != 0 {
				t.Errorf("after Repair: damaged %v, %d segments", p.Damaged(), p.Segments())
			}
		})
	}
}

func TestCutVectorsUnderReader(t *testing.T) {
	ctx := context.Background()
	m := newMaker(82)
	x, w := open(t)
	publish(t, w, m.docs(1, 200, 5))
	p := snapshot(t, x)
	vecs := make([][]float32, p.segs[0].Chunks)
	for i := range vecs {
		vecs[i] = unit(m.Rand, 64)
	}
	must(t, w.PutVectors(ctx, p, 0, "model", 64, vecs))
	p = snapshot(t, x)
	q := unit(m.Rand, 64)
	cands, err := p.Nearest(ctx, "model", q, 5, nil)
	must(t, err)
	must(t, os.Truncate(filepath.Join(x.dir, "seg", p.vecs[0].Name), 100))
	if _, err := p.Nearest(ctx, "model", q, 5, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("Nearest = %v after its file was cut, want ErrDamaged", err)
	}
	if err := p.FillCosine("model", q, cands); !errors.Is(err, ErrDamaged) {
		t.Errorf("FillCosine = %v after its file was cut, want ErrDamaged", err)
	}
	if !p.Damaged() {
		t.Error("the snapshot is not damaged")
	}
	must(t, w.Repair(ctx))
	p = snapshot(t, x)
	if left, _ := p.Unembedded("model"); p.Damaged() || p.Segments() != 1 || len(left) != 1 {
		t.Errorf("after Repair: damaged %v, %d segments, %v without vectors", p.Damaged(), p.Segments(), left)
	}
}

// A merge reads too.
func TestCutUnderMerge(t *testing.T) {
	ctx := context.Background()
	m := newMaker(83)
	x, w := open(t)
	for i := range 8 {
		publish(t, w, m.docs(uint32(1+20*i), 20, 5))
	}
	p := snapshot(t, x)
	must(t, os.Truncate(filepath.Join(x.dir, "seg", p.segs[3].Name), 100))
	if err := w.Merge(ctx, 1<<30); !errors.Is(err, ErrDamaged) {
		t.Errorf("Merge = %v, want ErrDamaged", err)
	}
	publish(t, w, m.docs(500, 5, 3), 61) // what is broken stops no commit
	must(t, w.Repair(ctx))
	must(t, w.Merge(ctx, 1<<30))
	p = snapshot(t, x)
	if n := len(liveIDs(t, p)); n != 7*20+5 {
		t.Errorf("%d documents, want those of the seven sound segments and the new", n)
	}
	if entries := segFiles(t, x); len(entries) < p.Segments() {
		t.Errorf("files %q for %d segments", entries, p.Segments())
	}
}

func liveIDs(t testing.TB, p *Snapshot) (ids []uint32) {
	t.Helper()
	must(t, p.Docs(func(d DocInfo) bool { ids = append(ids, d.ID); return true }))
	return ids
}

// The setting is the goroutine's own and comes back as it was; a fault elsewhere
// and a panic of the caller's stay what they are.
func TestSafely(t *testing.T) {
	for _, before := range []bool{false, true} {
		old := debug.SetPanicOnFault(before)
		inside := false
		must(t, safely(func() {
			inside = debug.SetPanicOnFault(true)
			must(t, safely(func() {}))
			if !debug.SetPanicOnFault(true) {
				t.Error("an inner call ends the outer's setting")
			}
		}))
		if !inside || debug.SetPanicOnFault(old) != before {
			t.Errorf("SetPanicOnFault was %v inside, and not %v again after", inside, before)
		}
	}
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("a panic of the caller's becomes %v", r)
			}
		}()
		safely(func() { panic("mine") })
	}()
	func() {
		defer func() {
			if r := recover(); r == nil {
				t.Error("a nil map written to is taken for damage")
			}
		}()
		safely(func() {
			var m map[string]int
			m["x"] = 1 //nolint:staticcheck // that it panics is the point
		})
	}()
	page, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	must(t, err)
	defer unix.Munmap(page)
	sum := 0
	if err := safely(func() { sum += int(page[1000]) }); sum != 0 || !errors.Is(err, ErrDamaged) {
		t.Errorf("reading memory that is not there = %v, want ErrDamaged", err)
	}
}

// TestUnreadableSegments holds that an index whose segments may not be read says so, and what
// to do: it is neither a defect of the program nor damage to repair.
func TestUnreadableSegments(t *testing.T) {
	x := &Index{dir: "/tree/.assay/index"}
	err := x.unread(&fs.PathError{Op: "open", Path: "seg/a.bm", Err: syscall.EACCES})
	if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, fs.ErrPermission) || lost(err) || fault.HintOf(err) == "" {
		t.Errorf("not to be read: %v", err)
	}
	gone := &fs.PathError{Op: "open", Path: "seg/a.bm", Err: syscall.ENOENT}
	if got := x.unread(gone); got != error(gone) {
		t.Errorf("gone: %v", got)
	}
}
