package audit

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/text"
)

// A spot is a run of lines that belong together.
type spot struct {
	file        int32
	first, last int32
	name        string
}

type posting struct {
	spot int32
	role role
}

// Evidence knows the words of some texts and where they stand. It is read by any
// number of goroutines once it is made.
type Evidence struct {
	files []Source
	dirs  []int32 // of files
	ndirs int
	sizes []int32   // of folders, in spots
	trust []float32 // of files: how much what stands there counts
	spots []spot
	first []int32 // the first spot of a file, and one more
	ids   map[string]int32
	terms []string
	posts [][]posting
	cache map[string][]int32 // the terms of a word as it is written
}

// mostLines is how long a spot may be.
const mostLines = 60

// Gather makes the evidence of some texts. Prose says that they are documents.
func Gather(files []Source, prose bool) *Evidence {
	e := &Evidence{files: files, ids: map[string]int32{}, cache: map[string][]int32{}}
	dirs := map[string]int32{}
	for i := range files {
		d := path.Dir(files[i].Path)
		if _, ok := dirs[d]; !ok {
			dirs[d] = int32(len(dirs))
		}
		e.dirs = append(e.dirs, dirs[d])
		e.first = append(e.first, int32(len(e.spots)))
		e.trust = append(e.trust, trusted(&files[i]))
		e.file(int32(i), prose)
	}
	e.first, e.ndirs = append(e.first, int32(len(e.spots))), len(dirs)
	e.sizes = make([]int32, e.ndirs)
	for i := range files {
		e.sizes[e.dirs[i]] += e.first[i+1] - e.first[i]
	}
	e.cache = nil
	return e
}

// trusted returns how much the words of a file count: what a test or an example says
// is no proof alone, and data has the words of all sorts of things.
func trusted(f *Source) float32 {
	if f.Flags&(corpus.Test|corpus.Example) != 0 {
		return .35
	}
	switch f.Language {
	case "json", "jsonl", "csv", "xml", "svg", "text", "data":
		return .5
	}
	return 1
}

// file takes the words of one file.
func (e *Evidence) file(i int32, prose bool) {
	f := &e.files[i]
	starts := seams(f.Text, prose)
	base := int32(len(e.spots))
	for k, first := range starts {
		last := bytes.Count(f.Text, []byte("\n")) + 1
		if k+1 < len(starts) {
			last = starts[k+1] - 1
		}
		e.spots = append(e.spots, spot{file: i, first: int32(first), last: int32(last)})
	}
	at := 0
	take := func(w []byte, r role, line int) {
		for at+1 < len(starts) && starts[at+1] <= line {
			at++
		}
		s := base + int32(at)
		if r == declared && e.spots[s].name == "" {
			e.spots[s].name = string(w)
		}
		for k, id := range e.of(w) {
			if k == 0 && r == inComment && !prose {
				continue // a name in a comment is no name
			}
			e.add(id, s, r)
		}
	}
	// What a file is called says what all of it is of.
	for _, part := range strings.FieldsFunc(f.Path, func(r rune) bool { return r == '/' || r == '.' || r == '-' }) {
		for _, id := range e.of([]byte(part))[1:] {
			e.add(id, base, inCode)
		}
	}
	l := lexer{text: f.Text, word: take, marks: marksOf(f.Language)}
	if prose {
		l.line = 1
		l.words(f.Text, inString)
		return
	}
	l.run()
}

func (e *Evidence) add(id, s int32, r role) {
	p := e.posts[id]
	// A file's words come in the order of its spots, but for those of its path.
	if n := len(p); n > 0 && p[n-1].spot == s {
		p[n-1].role = max(p[n-1].role, r)
		return
	}
	e.posts[id] = append(p, posting{s, r})
}

// of returns the terms of a word: first the name as it is, then what it folds to.
func (e *Evidence) of(w []byte) []int32 {
	if ids, ok := e.cache[string(w)]; ok {
		return ids
	}
	ids := []int32{e.id(exact(string(w)))}
	for _, t := range text.Terms(nil, w) {
		ids = append(ids, e.id(string(t)))
	}
	if len(w) < 60 {
		ids = append(ids, e.id(fold(string(w))))
	}
	e.cache[string(w)] = ids
	return ids
}

func (e *Evidence) id(term string) int32 {
	id, ok := e.ids[term]
	if !ok {
		id = int32(len(e.terms))
		e.ids[term] = id
		e.terms = append(e.terms, term)
		e.posts = append(e.posts, nil)
	}
	return id
}

// seams returns the lines, from 1, at which the pieces of a text begin: after an
// empty line what begins at the margin, in code; every paragraph, in prose.
func seams(b []byte, prose bool) []int {
	out := []int{1}
	blank := true
	n := 0
	for line := range bytes.Lines(b) {
		n++
		t := bytes.TrimSpace(line)
		if len(t) == 0 {
			blank = true
			continue
		}
		margin := line[0] != ' ' && line[0] != '\t' && line[0] != '}' && line[0] != ')'
		last := out[len(out)-1]
		switch {
		case n == 1:
		case prose && (blank || item.Match(line) || line[0] == '|' || line[0] == '#'),
			!prose && blank && margin && n-last >= 4, n-last >= mostLines:
			out = append(out, n)
		}
		blank = false
	}
	return out
}

// has reports in how many spots a term stands.
func (e *Evidence) has(term string) int {
	if id, ok := e.ids[term]; ok {
		return len(e.posts[id])
	}
	return 0
}

// A wanted term is a word of a question with what may stand for it.
type term struct {
	weight float64
	alts   []alt
}

type alt struct {
	term   string
	factor float64
}

// rarity is 0..1: 1 for what stands nowhere, near 0 for what stands everywhere.
func (e *Evidence) rarity(t *term) float64 {
	df := 0
	for _, a := range t.alts[:1] {
		df = max(df, e.has(a.term))
	}
	n := float64(len(e.spots))
	return math.Log(1+n/float64(1+df)) / math.Log(2+n)
}

// How much of what stands apart counts as if it stood together.
const (
	oneFile    = .9
	oneFolder  = .7
	oneProject = .65

	littleCode = 1500 // spots: about 15,000 lines
	manySpots  = 15   // more make a file a big one, and ten times as many a folder
	bigFile    = .75
	bigFolder  = .5
)

// find returns the spots that have most of the weight of some terms, best first,
// with the part they have as score.
func (e *Evidence) find(terms []term, limit int, threshold float64) []spotted {
	if len(e.spots) == 0 {
		return nil
	}
	here, file, dir := make([]float32, len(e.spots)), make([]float32, len(e.files)), make([]float32, e.ndirs)
	best, bestFile, bestDir := make([]float32, len(e.spots)), make([]float32, len(e.files)), make([]float32, e.ndirs)
	var total float32
	for i := range terms {
		w := float32(terms[i].weight * e.rarity(&terms[i]))
		total += w
		clear(best)
		clear(bestFile)
		clear(bestDir)
		for _, a := range terms[i].alts {
			id, ok := e.ids[a.term]
			if !ok {
				continue
			}
			for _, p := range e.posts[id] {
				f := e.spots[p.spot].file
				g := w * worth[p.role] * float32(a.factor)
				g *= e.trust[f]
				best[p.spot], bestFile[f], bestDir[e.dirs[f]] = max(best[p.spot], g), max(bestFile[f], g), max(bestDir[e.dirs[f]], g)
			}
		}
		sum(here, best)
		sum(file, bestFile)
		sum(dir, bestDir)
	}
	if total == 0 {
		return nil
	}
	var out []spotted
	for i := range here {
		s := &e.spots[i]
		score := float64(here[i] / total)
		if here[i] > 0 {
			near, far := oneFile, oneFolder
			// In much text any words stand.
			if e.first[s.file+1]-e.first[s.file] > manySpots {
				near = bigFile
			}
			if e.sizes[e.dirs[s.file]] > 10*manySpots {
				far = bigFolder
			}
			score = max(score, float64(file[s.file]/total)*near, float64(dir[e.dirs[s.file]]/total)*far)
		}
		if score >= threshold && score > 0 {
			out = append(out, spotted{Hit{Place: Place{e.files[s.file].Path, int(s.first)}, Last: int(s.last), Name: s.name, Score: min(1, score)}, float64(here[i] / total)})
		}
	}
	slices.SortFunc(out, func(a, b spotted) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.here, a.here), byPlace(a.Place, b.Place))
	})
	if len(out) > limit {
		out = out[:limit]
	}
	return out
}

// A spotted place has the part of the weight that stands in its own lines beside
// the score, which its file and folder may raise.
type spotted struct {
	Hit
	here float64
}

// at returns the spots that overlap some lines of a file.
func (e *Evidence) at(path string, first, last int) []Place {
	i, ok := slices.BinarySearchFunc(e.files, path, func(s Source, p string) int { return strings.Compare(s.Path, p) })
	if !ok {
		return nil
	}
	var out []Place
	for _, s := range e.spots[e.first[i]:e.first[i+1]] {
		if int(s.first) <= last && int(s.last) >= first {
			out = append(out, Place{path, int(s.first)})
		}
	}
	return out
}

// cover returns the part of the weight of some terms that stands anywhere.
func (e *Evidence) cover(terms []term) float64 {
	var have, total float64
	for i := range terms {
		w := terms[i].weight * e.rarity(&terms[i])
		total += w
		best := 0.0
		for _, a := range terms[i].alts {
			if e.has(a.term) > 0 {
				best = max(best, a.factor)
			}
		}
		have += w * best
	}
	if total == 0 {
		return 0
	}
	return have / total
}

func sum(into, from []float32) {
	for i, v := range from {
		into[i] += v
	}
}
