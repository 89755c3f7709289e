package brief

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

func (s *session) prose(doc int) bool { return syntax.Prose(s.p.Docs[doc].Language) }

const (
	mostHits  = 200 // chunks that files and declarations are judged by
	mostFiles = 60  // files whose declarations are judged
)

// A file is one that the task may change.
type file struct {
	doc    int // of the project
	path   string
	hits   []*engine.Hit // in their order
	first  int           // the place of its first hit among files
	value  [rank.NumFiles]float64
	score  float64 // how likely it is changed
	of     []rank.Signal
	where  []target // places of the task in it
	reason string

	text   []byte   // once it was read
	shown  []byte   // the same without secrets, where a model may read them
	starts []int    // of the lines of text
	lines  []string // of shown
	read   bool
}

// A target is a place of the task in a file: a declaration, or a line.
type target struct {
	paste.Place
	decl int32 // -1: none
	line int
	how  string
}

// A place is a declaration that the task may change.
type place struct {
	file  *file
	ref   facts.Ref
	decl  *corpus.Decl
	score float64
	value [rank.NumPlaces]float64
	hit   float64 // the score of the best hit in it
	whole bool    // others are declared in it
	why   string
}

// locate finds the files and the declarations that the task is likely to change.
func (s *session) locate() error {
	var err error
	if s.plan, err = s.v.Plan(s.task, rank.Hybrid, s.guesses...); err != nil {
		return err
	}
	ans, err := s.v.Search(s.ctx, engine.Query{Plan: s.plan, Most: mostHits})
	if err != nil {
		return err
	}
	if ans.Degraded != "" {
		s.out.Notes = append(s.out.Notes, "degraded: "+ans.Degraded)
	}
	if len(s.guesses) == 0 && ans.HasNoWord(s.plan) {
		ans.Hits = nil // near by meaning alone: to show their bodies would be to guess
	}
	s.tell, s.stats, s.hits = s.plan.Telling(ans.Stats), ans.Stats, ans.Hits
	for i := range ans.Hits {
		if f := s.at(ans.Hits[i].Doc.Path); f != nil {
			f.hits = append(f.hits, &ans.Hits[i])
		}
	}
	s.meant(ans.Meant)
	s.judgeFiles()
	s.judgeDecls()
	return nil
}

// at returns the candidate of a path, which is one from now on; nil where there is no such
// document.
func (s *session) at(path string) *file {
	f := s.byPath[path]
	if f == nil {
		doc, ok := s.doc(path)
		if !ok {
			return nil
		}
		f = &file{doc: doc, path: path, first: s.programs}
		if d := &s.p.Docs[doc]; syntax.Source(d.Language) && d.Flags&corpus.Test == 0 {
			s.programs++
		}
		s.byPath[path] = f
		s.files = append(s.files, f)
	}
	return f
}

// doc returns the document of a path.
func (s *session) doc(path string) (int, bool) {
	i, ok := sort.Find(len(s.p.Docs), func(i int) int { return cmp.Compare(path, s.p.Docs[i].Path) })
	return i, ok
}

// judgeFiles measures how likely each file is changed.
func (s *session) judgeFiles() {
	hop := s.linked()
	sc := rank.Files().Scorer(rank.Variant{}, len(s.files), s.explain)
	for i, f := range s.files {
		v := &f.value
		d := &s.p.Docs[f.doc]
		var mask uint32
		for k, h := range f.hits {
			if k == 0 {
				v[rank.FilesNear] = 1 / math.Sqrt(float64(f.first+1))
				v[rank.FilesWords] = h.Words
			}
			v[rank.FilesTogether] += h.Score
			mask |= h.Terms
		}
		v[rank.FilesTogether] = math.Log1p(v[rank.FilesTogether])
		for _, t := range f.where {
			sort := rank.FilesMentioned
			if t.Sort == paste.Traced || t.Sort == paste.Changed {
				sort = rank.FilesTraced
			}
			v[sort] = max(v[sort], 1/float64(t.Deep+1))
		}
		v[rank.FilesUsed], v[rank.FilesUses] = hop[i].used, hop[i].uses
		v[rank.FilesTest] = is(d.Flags&corpus.Test != 0)
		v[rank.FilesProse] = is(d.Flags&corpus.Prose != 0 || !syntax.Source(d.Language))
		v[rank.FilesForeign] = is(d.Flags&(corpus.Generated|corpus.Vendored|corpus.Lock|corpus.Minified) != 0)
		sc.Add(v[:], rank.Groups{})
	}
	ranked := sc.Rank(func(a, b int) int { return cmp.Compare(s.files[a].path, s.files[b].path) })
	sorted := make([]*file, len(ranked))
	for i, r := range ranked {
		sorted[i] = s.files[r.At]
		sorted[i].score, sorted[i].of = rank.Files().Chance(r.Value), r.Breakdown
	}
	s.files = sorted
}

func is(there bool) float64 {
	if there {
		return 1
	}
	return 0
}

// odds turns a score of search into its odds, of which evidence is a sum.
func odds(score float64) float64 {
	const most = 20
	return min(most, score/max(1-score, 1/float64(most)))
}

// A hop is how likely the files are that a file is linked with by imports.
type hop struct{ used, uses float64 }

// linked says of each file how likely those are that import it, and that it imports: the
// best hits of them.
func (s *session) linked() []hop {
	at := make(map[int]int, len(s.files))
	best := func(i int) float64 {
		if len(s.files[i].hits) == 0 {
			return 0
		}
		return s.files[i].hits[0].Score
	}
	for i, f := range s.files {
		at[f.doc] = i
	}
	docs := slices.Sorted(maps.Keys(at))
	out := make([]hop, len(s.files))
	for i, f := range s.files[:min(len(s.files), mostFiles)] {
		h := s.p.Head(f.doc)
		for k := range h.Imports {
			if !s.p.MayImport(f.doc, &h.Imports[k], docs) {
				continue
			}
			to := s.p.Import(f.doc, &h.Imports[k]).Docs
			for _, d := range to {
				if j, ok := at[d]; ok && j != i {
					out[i].uses = max(out[i].uses, best(j)/float64(len(to)))
					out[j].used = max(out[j].used, best(i)/float64(len(to)))
				}
			}
		}
	}
	return out
}

// judgeDecls measures how likely each declaration of the likeliest files is changed.
func (s *session) judgeDecls() {
	var all []*place
	for _, f := range s.files[:min(len(s.files), mostFiles)] {
		if syntax.Source(s.p.Docs[f.doc].Language) {
			all = append(all, s.declarations(f)...)
		}
	}
	s.calls(all)
	sc := rank.Places().Scorer(rank.Variant{}, len(all), s.explain)
	for _, x := range all {
		sc.Add(x.value[:], rank.Groups{})
	}
	ranked := sc.Rank(func(a, b int) int {
		return cmp.Or(cmp.Compare(all[a].file.path, all[b].file.path), cmp.Compare(all[a].ref.Decl, all[b].ref.Decl))
	})
	for _, r := range ranked {
		x := all[r.At]
		x.score = rank.Places().Chance(r.Value)
		s.likely = append(s.likely, x)
	}
}

// declarations returns the declarations of a file with their own signals.
func (s *session) declarations(f *file) (out []*place) {
	decls := s.p.File(f.doc).Decls
	best := 0.0
	if len(f.hits) > 0 {
		best = f.hits[0].Score
	}
	n := 0
	for i := range decls {
		d := &decls[i]
		if d.Kind == corpus.Section || d.Kind == corpus.NoKind || d.Traits&corpus.Local != 0 || d.Span.Len() == 0 {
			continue
		}
		n++
		x := &place{file: f, ref: facts.Ref{Doc: f.doc, Decl: int32(i)}, decl: d}
		v := &x.value
		x.whole = holds(decls, i)
		from, to := d.Span.Start, d.Span.End
		if x.whole { // what it says itself is its head
			to = max(d.Body, d.NameAt+len(d.Name))
		}
		var mask uint32
		for _, h := range f.hits {
			if h.Start < to && from < h.End {
				x.hit = max(x.hit, h.Score)
				mask |= h.Terms
			}
		}
		if best > 0 {
			v[rank.PlacesNear] = x.hit / best
		}
		v[rank.PlacesWords] = s.tell.Of(mask)
		v[rank.PlacesNamed] = s.tell.Share(d.Name)
		v[rank.PlacesLong] = math.Log1p(float64(d.Span.Len()) / shortest)
		for _, t := range f.where {
			if t.decl == int32(i) {
				v[rank.PlacesTraced] = max(v[rank.PlacesTraced], 1/float64(t.Deep+1))
				x.why = t.how
			}
		}
		out = append(out, x)
	}
	for _, x := range out {
		v := &x.value
		v[rank.PlacesFile] = 1
		v[rank.PlacesAlone] = 1 / math.Sqrt(float64(n))
		for k := range v {
			if k != rank.PlacesTraced {
				v[k] *= f.score
			}
		}
	}
	return out
}

// shortest is the length of a short function in bytes.
const shortest = 200

// holds reports whether a declaration holds others that are shown on their own.
func holds(decls []corpus.Decl, i int) bool {
	for k := i + 1; k < len(decls) && decls[k].Span.Start < decls[i].Span.End; k++ {
		if decls[k].Parent == int32(i) && decls[k].Traits&corpus.Local == 0 && decls[k].Body < decls[k].Span.End {
			return true
		}
	}
	return false
}

// calls gives each declaration what those have that call it, or that it calls, in its own
// file: there a change often goes on.
func (s *session) calls(all []*place) {
	byFile := map[*file][]*place{}
	for _, x := range all {
		byFile[x.file] = append(byFile[x.file], x)
	}
	for f, places := range byFile {
		named := map[string][]*place{}
		at := map[int32]*place{}
		for _, x := range places {
			named[x.decl.Name] = append(named[x.decl.Name], x)
			at[x.ref.Decl] = x
		}
		own := func(x *place) float64 {
			return x.hit + x.value[rank.PlacesNamed] + x.value[rank.PlacesTraced]
		}
		add := map[*place]float64{}
		decls := s.p.File(f.doc)
		for i := range decls.Calls {
			c := &decls.Calls[i]
			in := c.In
			for in >= 0 && at[in] == nil {
				in = decls.Decls[in].Parent
			}
			from := at[in]
			if in < 0 || from == nil {
				continue
			}
			for _, to := range named[c.Callee] {
				if to != from {
					add[to], add[from] = max(add[to], own(from)), max(add[from], own(to))
				}
			}
		}
		for x, v := range add {
			x.value[rank.PlacesCalled] = v
		}
	}
}
