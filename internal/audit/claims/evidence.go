package claims

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

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

// Evidence knows the words of some texts and where they stand. It is read by any
// number of goroutines once it is made.
type Evidence struct {
	files []Source
	dirs  []int32 // of files
	ndirs int
	sizes []int32   // of folders, in spots
	trust []float32 // of files: how much what stands there counts
	spots []spot
	first []int32            // the first spot of a file, and one more
	posts *index.Postings    // of terms: their spots, and the highest role in each
	cache map[string][]int32 // the terms of a word as it is written
	wrote map[string]bool    // words that are written as options are
	// pending are the comments that say what is to be done: their words are no evidence.
	pending [][]byte
	free    sync.Pool // of *scores
	// within has the functions of the files that were shown.
	within map[int32]*functions
	mu     sync.Mutex // of within
}

// functions are those of a file, and where its lines begin.
type functions struct {
	once  sync.Once
	lines []int32 // where each begins, in bytes
	all   []function
}

// A function is its name and the bytes that it takes.
type function struct {
	name       string
	start, end int32
}

// mostLines is how long a spot may be.
const mostLines = 60

// Gather makes the evidence of some texts. Prose says that they are documents.
func Gather(files []Source, prose bool) *Evidence {
	e := &Evidence{files: files, posts: index.NewPostings(), cache: map[string][]int32{}, wrote: map[string]bool{}}
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
	var said phrase
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
		if r == inComment || r == inString {
			if idiom := said.next(w); idiom != "" {
				e.posts.Add(e.posts.Term(idiom), s, uint8(r))
			}
		}
	}
	// What a file is called says what all of it is of.
	for _, part := range strings.FieldsFunc(f.Path, func(r rune) bool { return r == '/' || r == '.' || r == '-' }) {
		for _, id := range e.of([]byte(part))[1:] {
			e.posts.Add(id, base, uint8(inCode))
		}
	}
	l := lexer{text: f.Text, word: take, marks: marksOf(f.Language), pending: func(text []byte) { e.pending = append(e.pending, text) }}
	if f.Flags&(corpus.Test|corpus.Example) == 0 {
		l.whole = e.write
	}
	if prose {
		l.line = 1
		l.words(f.Text, inString)
		return
	}
	l.run()
}

// mostWritten bounds the strings that are looked through for options.
const mostWritten = 400

// write takes what is written as an option is: the words behind dashes of a string, and
// a string or a name that is one word.
func (e *Evidence) write(s []byte) {
	if len(s) > mostWritten {
		return
	}
	for i := 0; i < len(s); {
		if !wordByte(s[i]) {
			i++
			continue
		}
		j := i
		for j < len(s) && wordByte(s[j]) {
			j++
		}
		if i == 0 && j == len(s) || i >= 2 && s[i-1] == '-' && s[i-2] == '-' || i == 1 && s[0] == '-' && j == len(s) {
			e.wrote[strings.ToLower(string(s[i:j]))] = true
		}
		i = j
	}
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
	e.mu.Lock()
	in := e.within[p.file]
	if in == nil {
		if e.within == nil {
			e.within = map[int32]*functions{}
		}
		in = &functions{}
		e.within[p.file] = in
	}
	e.mu.Unlock()
	in.once.Do(func() { in.read(f) })
	at := int32(0)
	if n := int(p.first) - 1; n < len(in.lines) {
		at = in.lines[n]
	}
	at += int32(len(f.Text[at:]) - len(bytes.TrimLeft(f.Text[at:], " \t\r\n")))
	for i := range in.all { // those within others come behind them
		if d := &in.all[i]; d.start <= at && at < d.end {
			name = d.name
		}
	}
	return name
}

// read takes the functions of a file.
func (in *functions) read(f *Source) {
	at := int32(0)
	for line := range bytes.Lines(f.Text) {
		in.lines = append(in.lines, at)
		at += int32(len(line))
	}
	facts := syntax.Facts(f.Path, f.Language, f.Text)
	for i := range facts.Decls {
		if d := &facts.Decls[i]; d.Kind == corpus.Function || d.Kind == corpus.Method {
			in.all = append(in.all, function{d.Name, int32(d.Span.Start), int32(d.Span.End)})
		}
	}
}

// count returns in how many spots at least a part of the weight of some terms stands.
func (e *Evidence) count(terms []term, part float64) int {
	if len(e.spots) == 0 {
		return 0
	}
	s := e.score(terms)
	defer s.release()
	n := 0
	s.each(func(i int) {
		if s.total > 0 && float64(s.here[i]/s.total) >= part {
			n++
		}
	})
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
