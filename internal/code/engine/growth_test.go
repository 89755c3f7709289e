package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/engine"
)

// growthFloor is left out of the comparison of an index with a fresh one: what an index takes of
// which nothing depends on the tree, and what is kept in small amounts whatever the tree is.
const growthFloor = 256 << 10

// sizeOf returns how many bytes the files of an index take, without the log of its database: that
// is emptied when the last process closes it, and is as long for a fresh one.
func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// source is a file of some declarations and of words that few others have.
func source(rnd *rand.Rand, functions int) string {
	var b strings.Builder
	b.WriteString("package generated\n\n")
	for range functions {
		name := fmt.Sprintf("Do%x", rnd.Uint32())
		fmt.Fprintf(&b, "// %s returns the %x of a %x.\nfunc %s(n int) int {\n", name, rnd.Uint32(), rnd.Uint32(), name)
		for range 6 {
			fmt.Fprintf(&b, "\tn += len(%q) * %d // because %x\n", fmt.Sprintf("%x", rnd.Uint64()), rnd.Intn(1000), rnd.Uint32())
		}
		b.WriteString("\treturn n\n}\n\n")
	}
	return b.String()
}

// A history is a tree whose branches are switched and edited, and its index.
type history struct {
	*testing.T
	tr    *tree
	e     *engine.Engine
	rnd   *rand.Rand
	files map[string]string
}

func newHistory(t *testing.T, seed int64) *history {
	h := &history{T: t, tr: newTree(t, map[string]string{"main.go": goFile("Main")}), rnd: rand.New(rand.NewSource(seed)), files: map[string]string{}}
	h.files["main.go"] = goFile("Main")
	h.tr.now = time.Now()
	h.e = h.tr.open()
	sync(t, h.e)
	return h
}

// checkout makes the tree what files are.
func (h *history) checkout(files map[string]string) {
	for name := range h.files {
		if _, ok := files[name]; !ok {
			h.tr.remove(name)
			delete(h.files, name)
		}
	}
	for name, text := range files {
		if h.files[name] != text {
			h.tr.write(name, text)
			h.files[name] = text
		}
	}
	h.tr.now = time.Now() // what goes must go at once, not when it is old
}

// branch returns the files of a folder beside what every branch has.
func (h *history) branch(folder string, files, functions int) map[string]string {
	out := map[string]string{"main.go": goFile("Main")}
	for i := range files {
		out[fmt.Sprintf("%s/f%d.go", folder, i)] = source(h.rnd, functions)
	}
	return out
}

// fresh returns the size of an index of the same files that has no history.
func (h *history) fresh() int64 {
	tr := newTree(h.T, h.files)
	e := tr.open()
	defer e.Close()
	sync(h.T, e)
	return sizeOf(h.T, tr.dir)
}

func (h *history) hold(when string, fresh int64) {
	h.Helper()
	now := sizeOf(h.T, h.tr.dir)
	h.Logf("%s: %d KiB, a fresh one %d KiB", when, now>>10, fresh>>10)
	if now > fresh*3/2+growthFloor {
		h.Errorf("%s: the index takes %d KiB, a fresh one %d KiB", when, now>>10, fresh>>10)
	}
}

// search has a question bring the index up to date, and what it leaves behind cleaned up.
func (h *history) search() {
	v, err := h.e.View(context.Background(), engine.Options{})
	if err == nil {
		err = v.Publish(context.Background())
	}
	if err != nil {
		h.Fatal(err)
	}
}

// TestGrowth holds that an index does not grow with its history: after any checkouts and edits it
// takes at most 1.5 times a fresh one, after each clean-up that comes by itself and after an
// indexing that begins anew; and that it finds what a fresh one finds.
func TestGrowth(t *testing.T) {
	update := map[string]func(*history){
		"indexed":  func(h *history) { sync(h.T, h.e) },
		"searched": func(h *history) { h.search() },
	}
	for how, update := range update {
		t.Run("checkouts "+how, func(t *testing.T) {
			h := newHistory(t, 1)
			bare := map[string]string{"main.go": goFile("Main")}
			h.checkout(h.branch("lib", 220, 3))
			update(h)
			full := h.fresh()
			h.hold("first", full)
			h.checkout(bare)
			empty := h.fresh()
			rounds := 9
			if testing.Short() {
				rounds = 2
			}
			for round := range rounds {
				update(h)
				h.hold(fmt.Sprintf("without it, round %d", round), empty)
				h.checkout(h.branch("lib", 220, 3)) // another version of each
				update(h)
				h.hold(fmt.Sprintf("with it, round %d", round), full)
				h.checkout(bare)
			}
			update(h)
			h.full("after index --full", empty)
		})
		t.Run("edits "+how, func(t *testing.T) {
			h := newHistory(t, 2)
			h.checkout(h.branch("src", 50, 8))
			update(h)
			rounds := 20
			if testing.Short() {
				rounds = 7
			}
			for round := range rounds {
				files := map[string]string{}
				for name, text := range h.files {
					switch h.rnd.Intn(12) {
					case 0:
						text = source(h.rnd, 8)
					case 1:
						text += source(h.rnd, 1)[len("package generated\n"):]
					case 2:
						name = strings.TrimSuffix(name, ".go") + "x.go"
					}
					files[name] = text
				}
				h.checkout(files)
				update(h)
				if round%7 == 6 {
					h.hold(fmt.Sprintf("round %d", round), h.fresh())
				}
			}
			h.full("after index --full", h.fresh())
		})
	}
}

// full indexes anew, after which nothing of the history is left.
func (h *history) full(when string, fresh int64) {
	h.Helper()
	if _, err := h.e.Sync(context.Background(), engine.Options{Full: true}); err != nil {
		h.Fatal(err)
	}
	h.hold(when, fresh)
	if problems, err := h.e.Check(context.Background()); err != nil || len(problems) > 0 {
		h.Error(problems, err)
	}
	h.hold(when+", once looked through", fresh)
}

// The index of another work tree that has a long history is taken over without it.
func TestGrowthIsNotTakenOver(t *testing.T) {
	h := newHistory(t, 3)
	h.checkout(h.branch("lib", 100, 8))
	sync(t, h.e)
	// Files go one by one, as they do where nothing is cleaned up for lack of a writer.
	v, err := h.e.View(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v.Publish(context.Background())
	h.checkout(map[string]string{"main.go": goFile("Main")})
	other := newTree(t, h.files)
	e := other.open()
	if _, err := e.Beside(context.Background(), h.tr.dir, func(string, int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	sync(t, e)
	if now, fresh := sizeOf(t, other.dir), h.fresh(); now > fresh*3/2+growthFloor {
		t.Errorf("what was taken over takes %d KiB, a fresh index %d KiB", now>>10, fresh>>10)
	}
	if got, _ := ask(t, e, "Main"); len(got) != 1 {
		t.Errorf("it finds %v", got)
	}
}
