package claims

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A spot is a run of lines that belong together.
type spot struct {
	file        int32
	first, last int32
	name        string
}

// Evidence knows the words of some texts and where they stand. It is used by
// one goroutine once it is made.
type Evidence struct {
	files []Source
	dirs  []int32 // of files
	ndirs int
	sizes []int32   // of folders, in spots
	trust []float32 // of files: how much what stands there counts
	spots []spot
	first []int32                // the first spot of a file, and one more
	posts *index.Postings        // of terms: their spots, and the highest role in each
	cache map[string][]int32     // the terms of a word as it is written
	facts map[int32]corpus.Facts // of the files that were shown
}

// mostLines is how long a spot may be.
const mostLines = 60

// Gather makes the evidence of some texts. Prose says that they are documents.
func Gather(files []Source, prose bool) *Evidence {
	e := &Evidence{files: files, posts: index.NewPostings(), cache: map[string][]int32{}, facts: map[int32]corpus.Facts{}}
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
		return weigh().test
	}
	switch f.Language {
	case "json", "jsonl", "csv", "xml", "svg", "text", "data":
		return weigh().data
	}
	return 1
}

// file takes the words of one file.
func (e *Evidence) file(i int32, prose bool) {
	f := &e.files[i]
	starts := seams(f.Text, prose)
	base := int32(len(e.spots))
	whole := bytes.Count(f.Text, []byte("\n")) + 1
	for k, first := range starts {
		last := whole
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
			e.posts.Add(id, s, uint8(r))
		}
	}
	// What a file is called says what all of it is of.
	for _, part := range strings.FieldsFunc(f.Path, func(r rune) bool { return r == '/' || r == '.' || r == '-' }) {
		for _, id := range e.of([]byte(part))[1:] {
			e.posts.Add(id, base, uint8(inCode))
		}
	}
	l := lexer{text: f.Text, word: take, idiom: func(word string, r role, line int) {
		k := sort.Search(len(starts), func(k int) bool { return starts[k] > line }) - 1
		e.posts.Add(e.posts.Term(word), base+int32(k), uint8(r))
	}}
	if prose {
		l.line = 1
		l.say(f.Text, inString)
		return
	}
	l.run(f.Path, f.Language)
}

// longWord is how many bytes a word has that is not folded.
const longWord = 60

// of returns the terms of a word: first the name as it is, then what it folds to.
func (e *Evidence) of(w []byte) []int32 {
	if ids, ok := e.cache[string(w)]; ok {
		return ids
	}
	ids := []int32{e.posts.Term(exact(string(w)))}
	for _, t := range text.Code().Terms(nil, w) {
		ids = append(ids, e.posts.Term(t))
	}
	if len(w) < longWord {
		ids = append(ids, e.posts.Term(fold(string(w))))
	}
	e.cache[string(w)] = ids
	return ids
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
func (e *Evidence) has(term string) int { return len(e.posts.Of(term)) }

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

// stand says that a match is a spot.
func (h *Match) stand(e *Evidence, spot int) {
	p := &e.spots[spot]
	h.Place, h.Last, h.Name = Place{e.files[p.file].Path, int(p.first)}, int(p.last), cmp.Or(e.around(p), p.name)
}

// around names the function that a spot begins in, "" where that is none: a long one is several spots,
// and what is declared in one of them may be the next function.
func (e *Evidence) around(p *spot) (name string) {
	f := &e.files[p.file]
	if syntax.Prose(f.Language) || !syntax.Source(f.Language) {
		return ""
	}
	facts, known := e.facts[p.file]
	if !known {
		facts = syntax.Facts(f.Path, f.Language, f.Text)
		e.facts[p.file] = facts
	}
	at := 0
	for range p.first - 1 {
		at += bytes.IndexByte(f.Text[at:], '\n') + 1
	}
	at += len(f.Text[at:]) - len(bytes.TrimLeft(f.Text[at:], " \t\r\n"))
	for i := range facts.Decls { // those within others come behind them
		d := &facts.Decls[i]
		if isCode := d.Kind == corpus.Function || d.Kind == corpus.Method; isCode && d.Span.Start <= at && at < d.Span.End {
			name = d.Name
		}
	}
	return name
}

// count returns in how many spots at least a part of the weight of some terms stands.
func (e *Evidence) count(terms []term, part float64) int {
	if len(e.spots) == 0 {
		return 0
	}
	s := e.score(terms)
	n := 0
	for _, here := range s.here {
		if s.total > 0 && here > 0 && float64(here/s.total) >= part {
			n++
		}
	}
	return n
}

// at returns the spots that overlap some lines of a file.
func (e *Evidence) at(path string, first, last int) (from, to int) {
	i, ok := slices.BinarySearchFunc(e.files, path, func(s Source, p string) int { return strings.Compare(s.Path, p) })
	if !ok {
		return 0, 0
	}
	from, to = int(e.first[i]), int(e.first[i+1])
	for from < to && int(e.spots[from].last) < first {
		from++
	}
	for to > from && int(e.spots[to-1].first) > last {
		to--
	}
	return from, to
}
