package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A garden is a tree in which words are planted, and the memory of when. It is
// safe for concurrent use; only one goroutine at a time may change the tree.
type garden struct {
	dir string
	rng *rand.Rand // of the changes

	mu     sync.Mutex
	beds   map[string]*bed // by path, deleted files too
	plants []*plant
	fixed  []string // files that nobody plants in
	named  int
}

// A bed is a file that changes. While a change is under way ended is before
// began.
type bed struct {
	plant        *plant // nil where the file is deleted
	began, ended time.Time
}

// A plant is a word in a file.
type plant struct {
	word, file  string
	stands      time.Time // when it was there for certain
	going, gone time.Time // when its removal began and ended; zero while it stands
}

// beds is how many files are planted in. It is less than a search indexes in
// memory, so that an answer is never stale for want of room.
const beds = 120

func newGarden(dir string, o options, rng *rand.Rand) (*garden, error) {
	g := &garden{dir: dir, rng: rng, beds: map[string]*bed{}}
	if o.tree != "" {
		if err := os.CopyFS(dir, os.DirFS(o.tree)); err != nil {
			return nil, err
		}
		if err := os.RemoveAll(filepath.Join(dir, ".assay")); err != nil {
			return nil, err
		}
	} else {
		for i := range o.files {
			file := fmt.Sprintf("stone/s%03d/f%05d.go", i/100, i)
			if err := g.put(file, source(fmt.Sprintf("stone%d", i), i)); err != nil {
				return nil, err
			}
			g.fixed = append(g.fixed, file)
		}
	}
	for range beds {
		if err := g.add(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// source returns a file of Go that declares name.
func source(name string, seed int) string {
	rng := rand.New(rand.NewPCG(uint64(seed), 9))
	var s strings.Builder
	fmt.Fprintf(&s, "package garden\n\n// %s returns what the %s keeps.\nfunc %s(n int) int {\n", name, soil[rng.IntN(len(soil))], name)
	for range 3 + rng.IntN(40) {
		fmt.Fprintf(&s, "\tn += %s(n, %d) // the %s and the %s\n", soil[rng.IntN(len(soil))], rng.IntN(1000), soil[rng.IntN(len(soil))], soil[rng.IntN(len(soil))])
	}
	s.WriteString("\treturn n\n}\n")
	return s.String()
}

var soil = strings.Fields("gravel meadow orchard pebble quarry ridge shovel timber valley willow barrel candle dagger engine fabric garnet hollow island jungle kettle ladder marble needle")

// word returns a name that occurs nowhere else. All are of one length, so that an
// edit may leave a file's size as it was, and none is changed by taking off an
// ending.
func (g *garden) word() string {
	const letters = "bcfhjkmp"
	n := g.named
	g.named++
	var s []byte
	for range 6 {
		s = append(s, letters[n%len(letters)])
		n /= len(letters)
	}
	return "plant" + string(s) + "q"
}

func (g *garden) put(file, text string) error {
	path := filepath.Join(g.dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// change does what is done to a file with the memory kept: the file's plant goes,
// and one with the given word stands there afterwards, unless word is empty.
func (g *garden) change(file, word string, do func() error) error {
	g.mu.Lock()
	b := g.beds[file]
	if b == nil {
		b = &bed{}
		g.beds[file] = b
	}
	old := b.plant
	b.began = time.Now()
	if old != nil {
		old.going = b.began
	}
	g.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b.ended = time.Now()
	if old != nil {
		old.gone = b.ended
	}
	b.plant = nil
	if word != "" {
		b.plant = &plant{word: word, file: file, stands: b.ended}
		g.plants = append(g.plants, b.plant)
	}
	return nil
}

// move renames a file. Its plant goes from the one and then stands in the other;
// in between it is said to be in neither, and not to be gone.
func (g *garden) move(from, to string) error {
	g.mu.Lock()
	a, b := g.beds[from], &bed{}
	g.beds[to] = b
	old := a.plant
	a.began = time.Now()
	b.began, old.going = a.began, a.began
	g.mu.Unlock()
	if err := os.Rename(filepath.Join(g.dir, filepath.FromSlash(from)), filepath.Join(g.dir, filepath.FromSlash(to))); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	a.ended = time.Now()
	b.ended, old.gone = a.ended, a.ended
	a.plant, b.plant = nil, &plant{word: old.word, file: to, stands: a.ended}
	g.plants = append(g.plants, b.plant)
	return nil
}

// add makes a new file with a plant.
func (g *garden) add() error {
	word := g.word()
	file := fmt.Sprintf("bed/b%d/%d.go", g.named%7, g.named)
	return g.change(file, word, func() error { return g.put(file, source(word, g.named)) })
}

// edit changes one file in one of the ways in which files change.
func (g *garden) edit() error {
	file, old := g.pick()
	if file == "" {
		return g.add()
	}
	path := filepath.Join(g.dir, filepath.FromSlash(file))
	switch g.rng.IntN(10) {
	case 0:
		if err := g.change(file, "", func() error { return os.Remove(path) }); err != nil {
			return err
		}
		return g.add()
	case 1, 2:
		to := fmt.Sprintf("bed/r%d/%s", g.rng.IntN(5), filepath.Base(file))
		if to == file {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(g.dir, to)), 0o755); err != nil {
			return err
		}
		return g.move(file, to)
	case 3, 4, 5:
		// As editors do it: a new file in the place of the old one.
		word := g.word()
		return g.change(file, word, func() error {
			tmp := path + ".new"
			if err := os.WriteFile(tmp, []byte(source(word, g.named)), 0o644); err != nil {
				return err
			}
			return os.Rename(tmp, path)
		})
	case 6, 7:
		// Nothing but the word changes: the size stays.
		word := g.word()
		return g.change(file, word, func() error {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), old.word, word)), 0o644)
		})
	}
	word := g.word()
	return g.change(file, word, func() error { return os.WriteFile(path, []byte(source(word, g.named)), 0o644) })
}

// pick returns a file that has a plant.
func (g *garden) pick() (string, *plant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var standing []string
	for _, file := range slices.Sorted(maps.Keys(g.beds)) {
		if g.beds[file].plant != nil {
			standing = append(standing, file)
		}
	}
	if len(standing) == 0 {
		return "", nil
	}
	file := standing[g.rng.IntN(len(standing))]
	return file, g.beds[file].plant
}

// churn rewrites about one in n of the files that nobody plants in.
func (g *garden) churn(n int) error {
	for _, file := range g.fixed {
		if g.rng.IntN(n) > 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if err := g.put(file, source(name, g.rng.IntN(1<<30))); err != nil {
			return err
		}
	}
	return nil
}

// standing returns a plant that stands, or nil.
func (g *garden) standing(rng *rand.Rand) *plant {
	return g.some(rng, func(p *plant) bool { return p.going.IsZero() })
}

// gone returns a plant whose word is nowhere any more, or nil.
func (g *garden) gone(rng *rand.Rand) *plant {
	now := time.Now()
	return g.some(rng, func(p *plant) bool { return g.nowhere(p.word, now) })
}

func (g *garden) some(rng *rand.Rand, is func(*plant) bool) *plant {
	g.mu.Lock()
	defer g.mu.Unlock()
	for range 100 {
		if p := g.plants[rng.IntN(len(g.plants))]; is(p) {
			return p
		}
	}
	return nil
}

// nowhere reports whether a word was in no file any more at a moment. It is never
// planted a second time, but it moves.
func (g *garden) nowhere(word string, at time.Time) bool {
	return !slices.ContainsFunc(g.plants, func(p *plant) bool {
		return p.word == word && (p.gone.IsZero() || !p.gone.Before(at))
	})
}

// stood reports whether a plant stood all the time from start to end.
func (g *garden) stood(p *plant, start, end time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return p.stands.Before(start) && (p.going.IsZero() || p.going.After(end))
}

// absent reports whether a plant's word was nowhere from start on.
func (g *garden) absent(p *plant, start time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.nowhere(p.word, start)
}

// still reports whether a file has been as it is since start.
func (g *garden) still(file string, start time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.beds[file]
	return b == nil || b.ended.After(b.began) && b.ended.Before(start)
}
