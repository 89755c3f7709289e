package engine

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
)

// Plan understands a query. Of a long one the statistics of the tree decide which terms
// are asked for. guesses are words and identifiers that the caller expects in what answers.
func (v *View) Plan(query string, mode rank.Mode, guesses ...string) (rank.Plan, error) {
	plan := rank.Parse(query, mode)
	g, err := v.guesses(guesses)
	if err != nil {
		return plan, err
	}
	plan.Guesses = g
	p := plan.Pasted()
	if p == nil {
		if g != nil {
			together, err := v.Plan(query+" "+g.Text, mode)
			if err != nil {
				return plan, err
			}
			plan.Together = &together
		}
		return plan, nil
	}
	df, n, err := v.Snap.DF(p.Terms)
	if err != nil {
		return plan, err
	}
	return p.Plan(plan, rank.Stats{Chunks: n, DF: df}), nil
}

// blend returns the unit vector of the weighted sum of vectors.
func blend(vecs [][]float32, by []rank.Meaning) []float32 {
	if len(vecs) == 1 {
		return vecs[0]
	}
	sum := make([]float32, len(vecs[0]))
	var square float64
	for i, v := range vecs {
		for j := range min(len(v), len(sum)) {
			sum[j] += by[i].Weight * v[j]
		}
	}
	for _, x := range sum {
		square += float64(x) * float64(x)
	}
	if square == 0 {
		return vecs[0]
	}
	for j := range sum {
		sum[j] /= float32(math.Sqrt(square))
	}
	return sum
}

const (
	mostAlike = 8   // files that a path may mean; one that may mean more says nothing
	mostMeant = 64  // files that the places of a text are looked for in
	mostIn    = 512 // chunks of one of them
)

// A target is a document that a text names, and its places there.
type target struct {
	ref    index.DocRef
	places []rank.Named
}

// sure reports whether the text is about lines of the document: a frame or a diff names it.
func (t *target) sure() bool {
	return slices.ContainsFunc(t.places, func(p rank.Named) bool { return p.Sort == paste.Traced || p.Sort == paste.Changed })
}

// addPlaces says of candidates how surely the text means their file and their lines. The
// chunks that a trace or a diff names become candidates, whatever words they have.
func (v *View) addPlaces(q Query, a *Answer, cands []corpus.Candidate) ([]corpus.Candidate, error) {
	targets, meant, err := v.targets(q.Places)
	a.Meant = meant
	if err != nil || len(targets) == 0 {
		return cands, err
	}
	of := make(map[index.DocRef]*target, len(targets))
	for i := range targets {
		of[targets[i].ref] = &targets[i]
	}
	at := make(map[corpus.Ref]int, len(cands))
	sibling := map[index.DocRef]corpus.Candidate{}
	for i := range cands {
		c := &cands[i]
		at[c.Ref] = i
		if t := of[index.DocRef{Segment: c.Segment, Doc: c.Doc}]; t != nil {
			c.InFile, _ = rank.Meant(t.places, corpus.Chunk{})
			sibling[t.ref] = *c
		}
	}
	for i := range targets {
		t := &targets[i]
		if !t.sure() {
			continue
		}
		all, found, err := v.Snap.InDoc(t.ref, mostIn)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 || q.Filter != nil && !q.Filter(found[0].Doc) {
			continue
		}
		for j := range found {
			file, chunk := rank.Meant(t.places, found[j].Chunk)
			i, ok := at[all[j].Ref]
			if !ok && chunk == 0 {
				continue
			}
			if !ok {
				i = len(cands)
				at[all[j].Ref] = i
				cands = append(cands, related(all[j], sibling[t.ref]))
			}
			cands[i].InFile, cands[i].AtPlace = file, chunk
		}
	}
	return cands, nil
}

// related gives a candidate what the words say of its document and its path, as another
// candidate of the document knows it.
func related(c, other corpus.Candidate) corpus.Candidate {
	c.Folder, c.Stem, c.File = other.Folder, other.Stem, other.File
	c.Terms = c.Folder | c.Stem | c.File
	c.DocTerms, c.DocScore, c.DocBest, c.DocHits = other.DocTerms, other.DocScore, other.DocBest, other.DocHits
	return c
}

// A Meant is a place of a query, and the file of the tree that it is in.
type Meant struct {
	paste.Place
	File string
}

// A wanted is a path whose documents are looked for.
type wanted struct {
	place    int
	elements []string
}

// targets finds the documents that places are in: those whose paths share the longest end
// with that of the place.
func (v *View) targets(places []paste.Place) (out []target, meant []Meant, err error) {
	if len(places) == 0 {
		return nil, nil, nil
	}
	by := map[string][]wanted{} // by the last element, of files without extensions
	for i, p := range places {
		e := strings.FieldsFunc(p.Path, func(c rune) bool { return c == '/' })
		if len(e) > 0 {
			by[stem(e[len(e)-1])] = append(by[stem(e[len(e)-1])], wanted{i, e})
		}
		if n := len(e) - 1; p.Sort == paste.Module && n > 1 { // the last may be a name in the module
			by[e[n-1]] = append(by[e[n-1]], wanted{i, e[:n]})
		}
	}
	type match struct {
		docs   []index.DocRef
		paths  []string
		shared int
	}
	best := make([]match, len(places))
	err = v.Snap.Paths(func(ref index.DocRef, path []byte) bool {
		for _, w := range by[string(base(path))] {
			m, n := &best[w.place], shared(w.elements, path, places[w.place].Sort == paste.Module)
			switch {
			case n == 0 || n < m.shared:
			case n > m.shared:
				m.docs, m.paths, m.shared = append(m.docs[:0], ref), append(m.paths[:0], string(path)), n
			case len(m.docs) <= mostAlike:
				m.docs, m.paths = append(m.docs, ref), append(m.paths, string(path))
			}
		}
		return true
	})
	at := map[index.DocRef]int{}
	for i, m := range best {
		if len(m.docs) > mostAlike {
			continue
		}
		for j, ref := range m.docs {
			k, ok := at[ref]
			if !ok && len(out) == mostMeant {
				continue
			}
			if !ok {
				k = len(out)
				at[ref] = k
				out = append(out, target{ref: ref})
			}
			out[k].places = append(out[k].places, rank.Named{Place: places[i], Share: 1 / float64(len(m.docs))})
			meant = append(meant, Meant{places[i], m.paths[j]})
		}
	}
	return out, meant, err
}

// base returns the name of a file without its folder and its extensions.
func base(path []byte) []byte {
	path = path[bytes.LastIndexByte(path, '/')+1:]
	if i := bytes.IndexByte(path[min(1, len(path)):], '.'); i >= 0 {
		return path[:i+1]
	}
	return path
}

func stem(name string) string { return string(base([]byte(name))) }

// shared returns how much of the ends of two paths is in common: twice the number of
// elements, and one more where that is the whole path of the tree; 0 where that is no evidence. It has to be the whole of one of them, or a file and its folder: the path
// of a trace is of another machine, and that of the tree may begin above. A module has no
// extension, and is no evidence by its last name alone.
func shared(place []string, path []byte, module bool) (n int) {
	file := strings.Split(string(path), "/")
	if module {
		file[len(file)-1] = stem(file[len(file)-1])
	}
	for n < min(len(place), len(file)) && place[len(place)-1-n] == file[len(file)-1-n] {
		n++
	}
	switch {
	case n < 2 && (module || n < min(len(place), len(file))):
		return 0
	case n == len(file):
		return 2*n + 1
	}
	return 2 * n
}
