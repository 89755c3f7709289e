package graph

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A web is what uses what: files the declarations that they call and the files that
// they import. Profile map of package rank says what each use is worth.
type web struct {
	s      *session
	p      *rank.Profile
	nodes  []facts.Ref // Decl -1: the file
	at     map[facts.Ref]int
	file   []int        // the node of the file of each
	calls  []call       // in order
	whole  bool         // calls are part of it, not imports alone
	beside corpus.Flags // what files have that are not the program's own

	extends map[facts.Ref]int // the node of the type that a declaration adds to; -1: none
}

type call struct {
	from, to int
	weight   float64
}

// mostLinked is how many calls are resolved for a map.
const mostLinked = 3_000_000

func (s *session) newWeb(docs []int) *web {
	w := &web{s: s, p: rank.Map(), at: map[facts.Ref]int{}, extends: map[facts.Ref]int{}}
	exact, likely, imported, inTest := w.p.Constant("exact call"), w.p.Constant("likely call"), w.p.Constant("import"), w.p.Constant("use in a test")
	calls := 0
	w.beside = corpus.Test
	if slices.ContainsFunc(docs, func(d int) bool { return s.p.Docs[d].Flags&besides == 0 }) {
		w.beside = besides
	}
	for _, d := range docs {
		file := len(w.nodes)
		for i := range 1 + len(s.p.File(d).Decls) {
			r := facts.Ref{Doc: d, Decl: int32(i - 1)}
			w.at[r] = len(w.nodes)
			w.nodes, w.file = append(w.nodes, r), append(w.file, file)
		}
		calls += s.p.Head(d).Calls
	}
	w.whole = calls <= mostLinked
	for _, d := range docs {
		if s.ctx.Err() != nil {
			break
		}
		file := facts.Ref{Doc: d, Decl: -1}
		h := s.p.Head(d)
		for k := range h.Imports {
			to := s.leads(d, &h.Imports[k]).Docs
			for _, t := range to {
				w.use(file, facts.Ref{Doc: t, Decl: -1}, imported/float64(len(to)))
			}
		}
		if !w.whole {
			continue
		}
		weight := float64(1)
		if !w.own(d) {
			weight = inTest
		}
		s.p.EdgesByWords(d, func(_ *corpus.Call, from facts.Ref, edges []facts.Edge, _ bool) {
			for _, e := range edges {
				switch {
				case e.Sure == facts.Exact:
					w.use(from, e.To, weight*exact)
				case e.Sure == facts.Likely && e.How != "dispatch":
					w.use(from, e.To, weight*likely/float64(len(edges)))
				}
			}
		})
	}
	return w
}

// besides are the flags of files that come with a program and are not it.
const besides = corpus.Test | corpus.Example | corpus.Vendored | corpus.Generated

// own reports whether a file is one of the program's own. Where all files of a map are
// others, as in a part that somebody asks about, only tests are not.
func (w *web) own(doc int) bool { return w.s.p.Docs[doc].Flags&w.beside == 0 }

func (w *web) use(from, to facts.Ref, weight float64) {
	a, ok := w.at[from]
	b, ok2 := w.at[to]
	if ok && ok2 && a != b {
		w.calls = append(w.calls, call{a, b, weight})
	}
}

// links returns what each file uses, many uses of one thing counting less and less.
func (w *web) links(jumps []float64) [][]rank.Link {
	focused, private := w.p.Constant("use by the focus"), w.p.Constant("use of what is not exported")
	top := slices.Max(append([]float64{0}, jumps...))
	sums := map[int]map[int]float64{}
	for _, c := range w.calls {
		weight := c.weight
		focus := top > 0 && w.nodes[c.from].Decl >= 0 && jumps[c.from] > 0
		switch {
		case focus:
			weight *= 1 + focused*jumps[c.from]/top
		case w.file[c.from] == w.file[c.to]:
			continue // a file that uses itself alone would keep all that comes to it
		}
		from := w.file[c.from]
		if sums[from] == nil {
			sums[from] = map[int]float64{}
		}
		sums[from][c.to] += weight
	}
	out := make([][]rank.Link, len(w.nodes))
	for from, to := range sums {
		for node, sum := range to {
			weight := math.Sqrt(sum)
			if d := w.s.p.Decl(w.nodes[node]); d != nil && !d.Exported {
				weight *= private
			}
			out[from] = append(out[from], rank.Link{To: node, Weight: weight})
		}
		sorting.Stable(out[from], func(a, b rank.Link) int { return a.To - b.To })
	}
	return out
}

// rank returns the declarations that a map may show, best first, by what walks find that
// begin as jumps says.
func (w *web) rank(jumps []float64) (order []int, ranked []rank.Result) {
	walk := rank.Walk{File: w.file, Uses: w.links(jumps), Begin: make([]float64, len(w.nodes))}
	for i, x := range jumps {
		walk.Begin[w.file[i]] += x
	}
	used := walk.Used(w.p)
	values := make([][rank.NumMap]float64, len(w.nodes))
	for i, r := range w.nodes {
		d := w.s.p.Decl(r)
		if d == nil {
			continue
		}
		values[i][rank.MapUsed], values[i][rank.MapFocus] = used[i], jumps[i]
		// Types have a part of what their members have.
		if of, ok := w.owner(r, d); ok {
			values[of][rank.MapMembers] += used[i] + jumps[i]
		}
	}
	for i, r := range w.nodes {
		if !w.own(r.Doc) && jumps[i] == 0 || !w.s.mapped(r) {
			continue
		}
		if _, ok := w.extended(r); !ok { // the type says it all
			order = append(order, i)
		}
	}
	scorer := w.p.Scorer(rank.Variant{}, len(order), false)
	for _, i := range order {
		scorer.Add(values[i][:], rank.Groups{})
	}
	return order, scorer.Rank(cmp.Compare[int])
}

// owner returns the type that a declaration is a member of.
func (w *web) owner(r facts.Ref, d *corpus.Decl) (int, bool) {
	switch {
	case d.Parent >= 0:
		in := facts.Ref{Doc: r.Doc, Decl: d.Parent}
		if of, ok := w.extended(in); ok {
			return of, true
		}
		return w.at[in], true
	case d.Scope != "":
		return w.typeOf(r.Doc, d.Scope)
	}
	return 0, false
}

// extended returns the type that a declaration adds to, as an impl of Rust does, if the
// project has it: the one of its file, of its folder, or the only one.
func (w *web) extended(r facts.Ref) (at int, ok bool) {
	if r.Decl < 0 || !w.s.p.Extends(r) {
		return 0, false
	}
	if i, known := w.extends[r]; known {
		return i, i >= 0
	}
	defer func() {
		if w.extends[r] = at; !ok {
			w.extends[r] = -1
		}
	}()
	nearest, folder := 0, path.Dir(w.s.p.Docs[r.Doc].Path)
	for _, c := range w.s.p.Lookup(w.s.p.Decl(r).Name) {
		near := 1
		switch k := w.s.p.Decl(c).Kind; {
		case w.s.p.Extends(c) || !w.s.mapped(c) || k == corpus.Function || k == corpus.Method || w.s.p.Docs[c.Doc].Language != w.s.p.Docs[r.Doc].Language:
			continue
		case c.Doc == r.Doc:
			near = 3
		case path.Dir(w.s.p.Docs[c.Doc].Path) == folder:
			near = 2
		}
		if i, is := w.at[c]; is && near >= nearest {
			at, ok, nearest = i, near > nearest || near == 3, near
		}
	}
	return at, ok
}

// typeOf finds the type that a Go method is of, in its file or in its folder.
func (w *web) typeOf(doc int, name string) (int, bool) {
	for _, c := range w.s.p.Lookup(name) {
		if w.s.p.Excluded(c.Doc) && !w.s.p.Excluded(doc) {
			continue
		}
		if c.Doc == doc || path.Dir(w.s.p.Docs[c.Doc].Path) == path.Dir(w.s.p.Docs[doc].Path) {
			if d := w.s.p.Decl(c); d.Scope == "" && d.Kind != corpus.Function {
				k, ok := w.at[c]
				return k, ok
			}
		}
	}
	return 0, false
}

// jumps returns where walks begin: everywhere alike in files of the program or, for the
// most part, where the focus is. It names what of the focus nothing is.
func (w *web) jumps(focus []string) (out []float64, missed []string) {
	focused := w.p.Constant("begins in the focus")
	out = make([]float64, len(w.nodes))
	files := 0
	for _, r := range w.nodes {
		if r.Decl < 0 && w.own(r.Doc) {
			files++
		}
	}
	at := make([]float64, len(w.nodes))
	for _, one := range focus {
		if !w.focus(one, at) {
			missed = append(missed, one)
		}
	}
	total := 0.0
	for _, x := range at {
		total += x
	}
	rest := 1.0
	if total > 0 {
		rest = 1 - focused
	}
	for i, r := range w.nodes {
		if r.Decl < 0 && w.own(r.Doc) {
			out[i] = rest / float64(files)
		}
		if total > 0 {
			out[i] += focused * at[i] / total
		}
	}
	return out, missed
}

// focus adds the weight of one focus, a path, a symbol or words, to the nodes that it
// means, and reports whether it means any.
func (w *web) focus(one string, at []float64) bool {
	clean := strings.TrimSuffix(strings.TrimPrefix(one, "./"), "/")
	found, ofFile := false, w.p.Constant("declaration of a file in focus")
	for i, r := range w.nodes {
		if p := w.s.p.Docs[r.Doc].Path; below(p, clean) || ends(p, clean) && strings.Contains(path.Base(clean), ".") {
			if found = true; r.Decl < 0 {
				at[i]++
			} else {
				at[i] += ofFile
			}
		}
	}
	if found {
		return true
	}
	if !strings.ContainsAny(one, " \t\n") {
		for _, r := range w.s.p.Lookup(one) {
			if i, ok := w.at[r]; ok {
				at[i]++
				found = true
			}
		}
	}
	return found || w.words(one, at)
}

// words adds to the nodes whose names or paths have words of a task, rare words more.
func (w *web) words(task string, at []float64) bool {
	asked := map[string]int{}
	var order []string
	read := rank.Read(task, rank.Reading{Analyser: text.Code()})
	for _, of := range read.Content() {
		for _, word := range split(of.Text) {
			if _, seen := asked[word]; !seen {
				asked[word] = 0
				order = append(order, word)
			}
		}
	}
	has := make([][]string, len(w.nodes))
	for i, r := range w.nodes {
		name := path.Base(w.s.p.Docs[r.Doc].Path)
		if d := w.s.p.Decl(r); d != nil {
			name = d.Qualified()
		}
		for _, word := range split(name) {
			if _, ok := asked[word]; ok && !slices.Contains(has[i], word) {
				has[i] = append(has[i], word)
				asked[word]++
			}
		}
	}
	found := false
	for i, words := range has {
		for _, word := range order {
			if slices.Contains(words, word) {
				idf := math.Log(1 + float64(len(w.nodes))/float64(asked[word]))
				at[i] += idf * idf * float64(len(words)*len(words)) // two words in one name say more than one in two
				found = true
			}
		}
	}
	return found
}

// split returns the parts of the words of a text, lower and stemmed.
func split(s string) (out []string) {
	text.Words([]byte(s), func(word []byte) {
		for _, p := range text.Parts(string(word)) {
			if p = strings.ToLower(p); len(p) > 1 {
				out = append(out, text.Stem(p))
			}
		}
	})
	return out
}

// mapped reports whether a declaration is one that a map may show.
func (s *session) mapped(r facts.Ref) bool {
	d, doc := s.p.Decl(r), &s.p.Docs[r.Doc]
	if d == nil || test(doc) || doc.Flags&corpus.Generated != 0 || d.Traits&corpus.Local != 0 || !syntax.Source(doc.Language) {
		return false
	}
	switch d.Kind {
	case corpus.Function, corpus.Method, corpus.Macro, corpus.Class, corpus.Interface, corpus.Struct, corpus.Trait, corpus.Enum, corpus.Type:
		return true
	}
	return false
}
