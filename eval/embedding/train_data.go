package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/embed/static"
)

// An entry is two texts that belong together, as one line of the pairs file has
// them: kind, language, group, query and text.
type entry struct{ kind, language, group, query, text string }

// readPairs calls yield with each pair of a file.
func readPairs(name string, yield func(entry)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		c := strings.SplitN(s.Text(), "\t", 5)
		if len(c) != 5 {
			return fmt.Errorf("%s: a line of %d columns, not 5", name, len(c))
		}
		yield(entry{c[0], c[1], c[2], c[3], c[4]})
	}
	return s.Err()
}

// chooseWords returns the most common words of the pairs: those of at least so many
// pairs, the commonest first.
func chooseWords(name string, most, least int) ([]string, error) {
	counts := map[string]int{}
	seen := map[string]bool{}
	err := readPairs(name, func(p entry) {
		clear(seen)
		for _, s := range []string{p.query, p.text} {
			static.Words([]byte(s), func(w []byte) bool {
				if !seen[string(w)] {
					word := string(w)
					seen[word] = true
					counts[word]++
				}
				return true
			})
		}
	})
	if err != nil {
		return nil, err
	}
	var words []string
	for w, n := range counts {
		if n >= least {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return words[:min(len(words), most)], nil
}

// texts are many texts as rows of the table: each row that a text has, once, with
// what it counts.
type texts struct {
	ids    []uint16
	counts []uint8 // in sixteenths, at most 255
	starts []int
}

func (t *texts) add(v *static.Vocabulary, text string, most int) int {
	if t.starts == nil {
		t.starts = []int{0}
	}
	from := len(t.ids)
	n := 0
	v.IDs([]byte(text), func(id int) bool {
		t.ids = append(t.ids, uint16(id))
		n++
		return n < most
	})
	slices.Sort(t.ids[from:])
	k := from
	for i := from; i < len(t.ids); {
		j := i
		for j < len(t.ids) && t.ids[j] == t.ids[i] {
			j++
		}
		t.ids[k] = t.ids[i]
		t.counts = append(t.counts, uint8(min(255, static.Weight(j-i))))
		k++
		i = j
	}
	t.ids = t.ids[:k]
	t.starts = append(t.starts, k)
	return k - from
}

func (t *texts) of(i int) ([]uint16, []uint8) {
	return t.ids[t.starts[i]:t.starts[i+1]], t.counts[t.starts[i]:t.starts[i+1]]
}

// examples are the pairs to learn from, encoded.
type examples struct {
	queries, texts texts
	groups         []uint32
	kinds          []uint8
	kindNames      []string
}

func (e *examples) len() int { return len(e.groups) }

// Limits on what is read of a text.
const (
	queryWords = 48
	textWords  = 220
)

// encode reads the pairs as examples. Of kinds with a share below 1 only that part
// is taken.
func encode(name string, v *static.Vocabulary, share map[string]float64) (*examples, error) {
	e := &examples{}
	kinds := map[string]uint8{}
	err := readPairs(name, func(p entry) {
		h := fnv.New32a()
		h.Write([]byte(p.query))
		if s, ok := share[p.kind]; ok && float64(h.Sum32()%1000) >= s*1000 {
			return
		}
		q := e.queries.add(v, p.query, queryWords)
		t := e.texts.add(v, p.text, textWords)
		if q < 1 || t < 1 {
			e.queries.drop()
			e.texts.drop()
			return
		}
		k, ok := kinds[p.kind]
		if !ok {
			k = uint8(len(kinds))
			kinds[p.kind] = k
			e.kindNames = append(e.kindNames, p.kind)
		}
		h.Reset()
		h.Write([]byte(p.kind[:min(4, len(p.kind))] + p.group))
		e.groups = append(e.groups, h.Sum32())
		e.kinds = append(e.kinds, k)
	})
	return e, err
}

// drop takes the last text away.
func (t *texts) drop() {
	n := len(t.starts) - 1
	t.ids, t.counts, t.starts = t.ids[:t.starts[n-1]], t.counts[:t.starts[n-1]], t.starts[:n]
}

// split returns the examples to learn from, and those of one group in fifty, which
// are held out.
func (e *examples) split() (learn, held []int) {
	for i, g := range e.groups {
		if g%50 == 7 {
			held = append(held, i)
		} else {
			learn = append(learn, i)
		}
	}
	return learn, held
}

// batches puts examples in an order in which runs of one group stand together, and
// groups are mixed: in a batch, most of what a text must be told from is of its
// own group.
func (e *examples) batches(of []int, size, run int, r *rand.Rand) [][]int {
	byGroup := map[uint32][]int{}
	var groups []uint32
	for _, i := range of {
		g := e.groups[i]
		if byGroup[g] == nil {
			groups = append(groups, g)
		}
		byGroup[g] = append(byGroup[g], i)
	}
	slices.Sort(groups)
	var runs [][]int
	for _, g := range groups {
		list := byGroup[g]
		r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		for len(list) > 0 {
			n := min(run, len(list))
			runs = append(runs, list[:n])
			list = list[n:]
		}
	}
	r.Shuffle(len(runs), func(a, b int) { runs[a], runs[b] = runs[b], runs[a] })
	all := slices.Concat(runs...)
	var out [][]int
	for len(all) >= size {
		out = append(out, all[:size])
		all = all[size:]
	}
	return out
}
