package engine

import (
	"cmp"
	"context"
	"math"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxNeedles is how many terms of a question are looked for: a bit of a mask for each.
const maxNeedles = 64

// A Sought is the words of a question. A view that cannot index all changed files in its time looks for
// these words in the files first, and indexes first those that have most of them.
type Sought struct {
	Query string
	Words []string // guesses of the caller
}

// A needle is a term of a question, and how it is found in a text that was not cut into words.
type needle struct {
	term  string
	bytes []byte // the start of every form of the term, in lower case
	word  string // the word of the query that it is, as written; empty of a part or a guess
}

// needles returns the terms to look for. One of less than three letters says too little of a file.
func (s *Sought) needles() (out []needle) {
	seen := map[string]bool{}
	add := func(term, word string) {
		n := needle{term, []byte(term), word}
		if len(term) > 3 && term[len(term)-1] == 'y' {
			n.bytes = n.bytes[:len(term)-1] // "queries" is a form of "query"
		}
		if len(n.bytes) >= 3 && !seen[term] && len(out) < maxNeedles {
			seen[term] = true
			out = append(out, n)
		}
	}
	q := rank.Read(s.Query, rank.Reading{Analyser: text.Code(), Bytes: 8 << 10})
	for _, w := range q.Content() {
		for i, t := range w.Terms {
			word := ""
			if i == 0 && len(w.Terms) == 1 {
				word = w.Text
			}
			add(t, word)
		}
	}
	if g := rank.ReadGuesses(s.Words, func(name string) bool { return syntax.Language(name, nil) != "" }); g != nil {
		for _, t := range g.Terms {
			if !strings.HasPrefix(t.Text, text.Exact("")) {
				add(t.Text, "")
			}
		}
	}
	return out
}

// A finder finds needles in a text in one pass, wherever a word or a part of a name begins.
type finder struct {
	needles []needle
	may     [1 << 10]uint64  // a bit for each hash of three letters that some needle starts with
	starts  map[uint32][]int // the needles by their first three letters
}

func newFinder(needles []needle) *finder {
	f := &finder{needles: needles, starts: map[uint32][]int{}}
	for i, n := range needles {
		h := uint32(n.bytes[0])<<16 | uint32(n.bytes[1])<<8 | uint32(n.bytes[2])
		f.starts[h] = append(f.starts[h], i)
		f.may[hashOf3(h)>>6] |= 1 << (hashOf3(h) & 63)
	}
	return f
}

func hashOf3(h uint32) uint32 { return h * 0x9e3779b1 >> 16 }

// maxCount is from how many occurrences on one more says nothing.
const maxCount = 50

// at reports whether a text starts with a form of the term. A term that goes on behind the first part of a
// name, parseduration at parseDuration, is told by its letters, others by the stem.
func (n *needle) at(said []byte) bool {
	if !hasPrefixFold(said, n.bytes) {
		return false
	}
	part := firstPart(said)
	return len(part) < len(n.bytes) || text.Stem(strings.ToLower(string(part))) == n.term
}

// firstPart returns the part of a name that a text starts with: http of httpServer, and HTTP of HTTPServer.
func firstPart(said []byte) []byte {
	end, capitals := 1, 1
	for end < len(said) && end < 64 && isLetter(said[end]) {
		if isCapital(said[end]) {
			if capitals < end {
				break
			}
			capitals++
		} else if capitals > 1 && capitals == end {
			return said[:end-1] // the last capital begins the next part
		}
		end++
	}
	return said[:end]
}

func isLetter(c byte) bool  { return 'a' <= small[c] && small[c] <= 'z' }
func isCapital(c byte) bool { return c != small[c] }

// small is each byte in lower case, as far as it is ASCII.
var small = func() (t [256]uint8) {
	for c := range t {
		t[c] = uint8(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// find counts in counts how often a text has each needle.
func (f *finder) find(said []byte, counts []uint8) {
	var h uint32
	for i, c := range said {
		h = (h<<8 | uint32(small[c])) & 0xffffff
		k := hashOf3(h)
		if f.may[k>>6]>>(k&63)&1 == 0 || i < 2 {
			continue
		}
		for _, n := range f.starts[h] {
			if counts[n] < maxCount && beginsPart(said, i-2) && f.needles[n].at(said[i-2:]) {
				counts[n]++
			}
		}
	}
}

// beginsPart reports whether a word or a part of a name begins at a place of a text.
func beginsPart(said []byte, at int) bool {
	return at == 0 || !isLetter(said[at-1]) || isCapital(said[at])
}

func hasPrefixFold(s, low []byte) bool {
	if len(s) < len(low) {
		return false
	}
	for i, c := range low {
		if small[s[i]] != c {
			return false
		}
	}
	return true
}

// A hunt is the changed files of a plan and which of the terms sought each of them has.
type hunt struct {
	needles []needle
	changes []change // all of the plan
	have    []uint64 // by change
	whole   bool     // each of them was looked through
}

// seek puts the changes of a plan in the order of the words sought that their paths and texts have:
// those that have the most, and the rarest, come first, the others stay in theirs. It looks
// through texts as long as the time allows.
func (e *Engine) seek(ctx context.Context, p *plan, s *Sought, limit time.Duration) {
	needles := s.needles()
	if len(needles) == 0 {
		return
	}
	work, stop := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		work, stop = context.WithTimeout(ctx, limit)
	}
	defer stop()
	counts, sizes := e.countNeedles(work, p, newFinder(needles))
	h := &hunt{needles: needles, have: make([]uint64, len(p.changes)), whole: work.Err() == nil}
	df := make([]int, len(needles))
	var sum, read float64
	for i := range p.changes {
		for j, n := range counts[i] {
			if n > 0 {
				h.have[i] |= 1 << j
				df[j]++
			}
		}
		if sizes[i] > 0 {
			sum, read = sum+float64(sizes[i]), read+1
		}
	}
	score := make([]float64, len(p.changes))
	for i := range score {
		norm := 1.2 * (.4 + .6*float64(sizes[i])/max(1, sum/max(1, read)))
		for j, n := range counts[i] {
			score[i] += bm25.IDF(len(p.changes), df[j]) * float64(n) / (float64(n) + norm)
		}
		if c := &p.changes[i]; discover.PathFlags(path.Join(p.dirs[c.dir].path, c.file.Name))&behind != 0 {
			score[i] /= 2
		}
	}
	order := make([]int, len(p.changes))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	changes, have := make([]change, len(order)), make([]uint64, len(order))
	for to, from := range order {
		changes[to], have[to] = p.changes[from], h.have[from]
	}
	p.changes, h.changes, h.have, p.hunt = changes, changes, have, h
}

// behind are the sorts of file that rank behind others with the same words.
const behind = corpus.Test | corpus.Example | corpus.Vendored | corpus.Generated

// pathCount is as how many occurrences in its text one counts in a file's path.
const pathCount = 8

// countNeedles returns how often the path and the text of each change have each needle, and the size of
// those that were read.
func (e *Engine) countNeedles(ctx context.Context, p *plan, f *finder) (counts [][]uint8, sizes []int64) {
	counts, sizes = make([][]uint8, len(p.changes)), make([]int64, len(p.changes))
	all := make([]uint8, len(p.changes)*len(f.needles))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			var root *safe.Root
			dir, room := int32(-1), []byte(nil)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(p.changes) {
					break
				}
				c := &p.changes[i]
				counts[i] = all[i*len(f.needles) : (i+1)*len(f.needles) : (i+1)*len(f.needles)]
				where := p.dirs[c.dir].path
				f.find([]byte(path.Join(where, c.file.Name)), counts[i])
				for j, n := range counts[i] {
					counts[i][j] = pathCount * min(n, 4)
				}
				if ctx.Err() != nil || c.file.Size > discover.MaxFile {
					continue
				}
				if dir != c.dir {
					if root != nil {
						root.Close()
					}
					dir = c.dir
					root, _ = e.root.Sub("./" + where) // where that fails, loading says so
				}
				if root == nil {
					continue
				}
				raw, err := readFile(root, c.file.Name, discover.MaxFile, room)
				if err != nil {
					continue
				}
				room = raw[:0]
				if said, _ := text.Decode(raw); !discover.Binary(said[:min(len(said), 8<<10)]) {
					sizes[i] = int64(len(said))
					f.find(said, counts[i])
				}
			}
			if root != nil {
				root.Close()
			}
		})
	}
	group.Wait()
	return counts, sizes
}

func termsOf(needles []needle) []corpus.Term {
	terms := make([]corpus.Term, len(needles))
	for i, n := range needles {
		terms[i].Text = n.term
	}
	return terms
}

// estimate has the ranking of a view count the files that it lacks: of those that were read first, far
// more have the words of the question than of all.
func (v *View) estimate(p *plan) error {
	h := p.hunt
	if h == nil || v.Stale == 0 {
		return nil
	}
	unread, read := make([]int, len(h.needles)), make([]int, len(h.needles))
	done := 0
	for i, c := range h.changes {
		n := unread
		if p.dirs[c.dir].has(c.file.Name) {
			n = read
			done++
		}
		for j := range h.needles {
			n[j] += int(h.have[i] >> j & 1)
		}
	}
	df, chunks, err := v.Snap.DF(termsOf(h.needles))
	if err != nil {
		return err
	}
	files := v.Files() - v.Stale // in the index
	lacks := map[string]int{}
	for j, n := range h.needles {
		of := float64(max(1, read[j])) // in how many files those chunks are, as far as that is known
		if done < files {
			of *= float64(files) / float64(max(1, done))
		}
		lacks[n.term] = int(math.Ceil(float64(unread[j]) * max(1, float64(df[j])/of)))
		if n.word != "" && h.whole && unread[j] == 0 && df[j] > 0 {
			v.readAll = append(v.readAll, n.word)
		}
	}
	if files > 0 {
		v.Snap, err = v.Snap.Beyond(int(float64(chunks)*float64(len(h.changes)-done)/float64(files)), lacks)
	}
	return err
}
