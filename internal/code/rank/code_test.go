package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A candidate of document d that matched all of n terms with a score.
func candidate(d uint32, n int, score float32) corpus.Candidate {
	return corpus.Candidate{Ref: corpus.Ref{Chunk: d * 10}, Doc: d, Score: score, Terms: 1<<n - 1, DocTerms: 1<<n - 1, DocScore: score, DocBest: score, DocHits: 1, Words: 50}
}

func TestRankFollowsItsEvidence(t *testing.T) {
	stats := func(p Plan) Stats {
		st := Stats{Chunks: 1000}
		for range p.Terms {
			st.DF = append(st.DF, 10)
		}
		return st
	}
	for _, tt := range []struct {
		name, query   string
		better, worse func(*corpus.Candidate)
	}{
		{"declaring beats using", "Mux", func(c *corpus.Candidate) { c.Named, c.Whole = 1, 1 }, func(*corpus.Candidate) {}},
		{"the exact form beats another", "Mux", func(c *corpus.Candidate) { c.Named, c.Whole = 3, 3 }, func(c *corpus.Candidate) { c.Named, c.Whole = 1, 1 }},
		{"a file of that name", "path matching", func(c *corpus.Candidate) { c.Stem, c.File = 1, 1 }, func(*corpus.Candidate) {}},
		{"code beats tests", "path matching", func(*corpus.Candidate) {}, func(c *corpus.Candidate) { c.Flags = corpus.Test }},
		{"code beats examples", "path matching", func(*corpus.Candidate) {}, func(c *corpus.Candidate) { c.Flags = corpus.Example }},
		{"more words", "path matching", func(*corpus.Candidate) {}, func(c *corpus.Candidate) { c.Terms, c.DocTerms, c.Score = 1, 1, c.Score/2 }},
		{"meaning", "path matching", func(c *corpus.Candidate) { c.Cosine = .8 }, func(c *corpus.Candidate) { c.Cosine = .1 }},
	} {
		p := Parse(tt.query, Hybrid)
		a, b := candidate(1, 2, 5), candidate(2, 2, 5)
		tt.better(&a)
		tt.worse(&b)
		st := stats(p)
		st.Meaning = tt.name == "meaning"
		hits := Rank(p, st, []corpus.Candidate{b, a}, false)
		if hits[0].Doc != 1 || !(hits[0].Value > hits[1].Value) {
			t.Errorf("%s: %.3f against %.3f", tt.name, hits[0].Value, hits[1].Value)
		}
	}
	// Asked for by name, a test is not held back.
	p := Parse("tests of path matching", Hybrid)
	a, b := candidate(1, 3, 5), candidate(2, 3, 5)
	a.Flags = corpus.Test
	if hits := Rank(p, stats(p), []corpus.Candidate{a, b}, false); hits[0].Value != hits[1].Value {
		t.Errorf("a test that was asked for scores %v and %v", hits[0].Value, hits[1].Value)
	}
}

func TestASecondChunkPaysForItsPlace(t *testing.T) {
	p := Parse("path matching", Hybrid)
	st := Stats{Chunks: 1000, DF: []int{10, 10, 0}}
	first, second, other := candidate(1, 2, 6), candidate(1, 2, 5.9), candidate(2, 2, 4)
	second.Chunk++
	hits := Rank(p, st, []corpus.Candidate{first, second, other}, false)
	if hits[0].Doc != 1 || hits[1].Doc != 2 || hits[2].Doc != 1 {
		t.Errorf("the order is %d %d %d", hits[0].Doc, hits[1].Doc, hits[2].Doc)
	}
}

// TestBreakdownAddsUp checks that an explanation is the score, and that a score is
// in 0..1 whatever the evidence.
func TestBreakdownAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Parse(rapid.SampledFrom([]string{"Mux", "path matching", "how does path matching work in the router"}).Draw(t, "query"), Hybrid)
		st := Stats{Chunks: 100}
		for range p.Terms {
			st.DF = append(st.DF, rapid.IntRange(0, 120).Draw(t, "df"))
		}
		var cands []corpus.Candidate
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			mask := func(name string) uint32 { return rapid.Uint32().Draw(t, name) & (1<<len(p.Terms) - 1) }
			score := rapid.Float32Range(0, 60).Draw(t, "score")
			cands = append(cands, corpus.Candidate{Ref: corpus.Ref{Chunk: uint32(i)}, Doc: rapid.Uint32Range(0, 3).Draw(t, "doc"), Score: score,
				Cosine: rapid.Float32Range(-1, 1).Draw(t, "cosine"), Terms: mask("terms"), Named: mask("named"), Whole: mask("whole"), Stem: mask("stem"),
				DocScore: score, Flags: corpus.Flags(rapid.Uint16().Draw(t, "flags"))})
		}
		st.Meaning = rapid.Bool().Draw(t, "with meaning")
		half := Code().midpoints[Code().Column(Variant{p.Kind, p.Mode, st.Meaning})]
		last := math.Inf(1)
		r := NewRanking(p, st, cands, true)
		var seen []Seen
		at := r.Best()
		for range at {
			s := Seen{Called: rapid.Uint16Range(0, 9).Draw(t, "called")}
			if rapid.Bool().Draw(t, "declares") {
				s.Scope = "f"
			}
			seen = append(seen, s)
		}
		if rapid.Bool().Draw(t, "a closer look") {
			r.Look(at, seen)
		}
		for _, h := range r.Hits() {
			sum := 0.0
			for _, s := range h.Breakdown {
				sum += s.Adds
			}
			if h.Value < 0 || h.Value >= 1 || h.Value > last {
				t.Fatalf("score %v after %v", h.Value, last)
			}
			if got := sum / (sum + half); math.Abs(got-h.Value) > 1e-9 {
				t.Fatalf("the breakdown gives %v, the score is %v: %+v", got, h.Value, h.Breakdown)
			}
			last = h.Value
		}
	})
}

// A row is what the code profile's signals are of one candidate.
func measured(p Plan, st Stats, others []corpus.Candidate, c corpus.Candidate, l look) map[string]float64 {
	m := newMeasure(p, st, append(others, c))
	out := map[string]float64{}
	for i, v := range m.code(&c, l) {
		if v != 0 {
			out[codeSignals[i]] = v
		}
	}
	return out
}

// Each property of a candidate is one signal, of the strength that its terms have.
func TestCodeSignals(t *testing.T) {
	p := Parse("parseRequest retry", Hybrid) // parserequest pars request =parseRequest retry
	st := Stats{Chunks: 1000, DF: []int{10, 200, 300, 10, 20}}
	idf := make([]float64, len(p.Terms))
	ideal := 0.0
	for i, x := range p.Terms {
		idf[i] = float64(x.Weight) * math.Log(1+(1000-float64(st.DF[i])+.5)/(float64(st.DF[i])+.5))
		ideal += 2.2 * idf[i]
	}
	if len(idf) != 5 {
		t.Fatalf("%+v", p.Terms)
	}
	total := idf[0] + idf[4] // the others only add to these
	plain := corpus.Candidate{}
	for name, c := range map[string]struct {
		of   corpus.Candidate
		look look
		want map[string]float64
	}{
		"nothing":            {plain, look{}, nil},
		"score":              {corpus.Candidate{Score: 5}, look{}, map[string]float64{"bm25": 5 / ideal}},
		"a full word":        {corpus.Candidate{Terms: 1 << 4}, look{}, map[string]float64{"words covered": idf[4] / total, "words covered, words alike": .5}},
		"a subword":          {corpus.Candidate{Terms: 1 << 1}, look{}, map[string]float64{"words covered": idf[1] / total}},
		"no more than all":   {corpus.Candidate{Terms: 1<<5 - 1}, look{}, map[string]float64{"words covered": 1, "words covered, words alike": 1}},
		"terms of no query":  {corpus.Candidate{Terms: 1 << 5}, look{}, nil},
		"words of the file":  {corpus.Candidate{DocTerms: 1}, look{}, map[string]float64{"words covered by the file": idf[0] / total}},
		"chunks of the file": {corpus.Candidate{DocScore: 7}, look{}, map[string]float64{"the file's chunks together": math.Log(1 + 7/ideal), "the file's chunks by its size": 7 / ideal}},
		"of nine chunks":     {corpus.Candidate{DocScore: 7, Chunks: 9}, look{}, map[string]float64{"the file's chunks together": math.Log(1 + 7/ideal), "the file's chunks by its size": 7 / ideal / 3}},
		"best of the file":   {corpus.Candidate{DocBest: 5}, look{}, map[string]float64{"the file's best chunk": 5 / ideal}},
		"named in its file":  {corpus.Candidate{}, look{fileNamed: 1 << 4}, map[string]float64{"named in the file": idf[4] / total}},
		"named and meant":    {corpus.Candidate{Named: 1 << 4, Cosine: .5}, look{}, map[string]float64{"named in a declaration": idf[4] / total, "meaning": .5, "named and meant": .5 * idf[4] / total}},
		"part of a name":     {corpus.Candidate{Named: 1 << 2}, look{}, map[string]float64{"named in a declaration": idf[2] / total}},
		"a name":             {corpus.Candidate{Whole: 1}, look{}, map[string]float64{"declares the symbol": idf[0] / total}},
		"the exact form":     {corpus.Candidate{Whole: 1 << 3}, look{}, map[string]float64{"declares the symbol": idf[3] / total, "declares the exact form": 1}},
		"in a declaration":   {corpus.Candidate{Scoped: 1}, look{}, map[string]float64{"in a declaration of the name": idf[0] / total}},
		"in the stem":        {corpus.Candidate{Stem: 1}, look{}, map[string]float64{"in the file's name": idf[0] / total}},
		"the stem":           {corpus.Candidate{File: 1}, look{}, map[string]float64{"is the file's name": idf[0] / total, "is the file's name, words alike": .5}},
		"the folder":         {corpus.Candidate{Folder: 1}, look{}, map[string]float64{"in the folder's name": idf[0] / total}},
		"first":              {corpus.Candidate{First: true}, look{}, map[string]float64{"first of its file": 1}},
		"called":             {corpus.Candidate{Named: 1 << 4}, look{called: 6}, map[string]float64{"named in a declaration": idf[4] / total, "called by files": math.Log(7) * idf[4] / total}},
		"called once":        {corpus.Candidate{Named: 1 << 4}, look{called: 1}, map[string]float64{"named in a declaration": idf[4] / total, "called by files": math.Log(2) * idf[4] / total}},
		"called, not named":  {corpus.Candidate{}, look{called: 6}, nil},
		"called in its file": {corpus.Candidate{}, look{fileCalled: 6}, map[string]float64{"its file is called by files": math.Log(7)}},
		"declares":           {corpus.Candidate{}, look{declaration: true}, map[string]float64{"code of a declaration": 1}},
		"meant in its file":  {corpus.Candidate{}, look{fileCosine: .5}, map[string]float64{"meaning of the file": .5}},
		"meaning":            {corpus.Candidate{Cosine: .5}, look{}, map[string]float64{"meaning": .5}},
		"the opposite":       {corpus.Candidate{Cosine: -.5}, look{}, nil},
		"a test":             {corpus.Candidate{Flags: corpus.Test}, look{}, map[string]float64{"test": 1}},
		"an example":         {corpus.Candidate{Flags: corpus.Example}, look{}, map[string]float64{"example": 1}},
		"compatibility":      {corpus.Candidate{Flags: corpus.Compat}, look{}, map[string]float64{"compatibility": 1}},
		"a platform":         {corpus.Candidate{Flags: corpus.Platform}, look{}, map[string]float64{"for another platform": 1}},
		"prose":              {corpus.Candidate{Flags: corpus.Prose}, look{}, map[string]float64{"prose": 1}},
		"a stub":             {corpus.Candidate{Flags: corpus.Stub}, look{}, map[string]float64{"stub": 1}},
		"generated":          {corpus.Candidate{Flags: corpus.Generated}, look{}, map[string]float64{"generated": 1}},
		"vendored":           {corpus.Candidate{Flags: corpus.Vendored}, look{}, map[string]float64{"vendored": 1}},
		"minified":           {corpus.Candidate{Flags: corpus.Minified}, look{}, nil},
	} {
		got := measured(p, st, []corpus.Candidate{plain}, c.of, c.look)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for signal, want := range c.want {
			if math.Abs(got[signal]-want) > 1e-6 {
				t.Errorf("%s: %q is %v, want %v", name, signal, got[signal], want)
			}
		}
	}
}

// What the query asks for by name, and what all candidates are, is held against none.
func TestSortsOfDocument(t *testing.T) {
	st := Stats{Chunks: 10, DF: []int{1, 1, 1}}
	plain, test := corpus.Candidate{}, corpus.Candidate{Flags: corpus.Test | corpus.Prose}
	for _, c := range []struct {
		query  string
		others []corpus.Candidate
		want   string
	}{
		{"path parser", []corpus.Candidate{plain}, "map[prose:1 test:1]"},
		{"parser tests", []corpus.Candidate{plain}, "map[prose:1]"},
		{"path parser", []corpus.Candidate{test}, "map[]"},
		{"path parser", []corpus.Candidate{{Flags: corpus.Prose}}, "map[test:1]"},
	} {
		if got := fmt.Sprint(measured(Parse(c.query, Hybrid), st, c.others, test, look{})); got != c.want {
			t.Errorf("%q beside %v: %s, want %s", c.query, c.others, got, c.want)
		}
	}
}

// In each mode and for each kind of query, each signal counts what the profile says for
// it.
func TestCodeWeights(t *testing.T) {
	for _, query := range []string{"retry", "path matching", "how are failed requests retried here"} {
		for _, mode := range []Mode{Hybrid, Semantic, Lexical} {
			for _, meaning := range []bool{false, true} {
				p := Parse(query, mode)
				st := Stats{Chunks: 100, Meaning: meaning}
				for range p.Terms {
					st.DF = append(st.DF, 5)
				}
				everything := corpus.Candidate{Score: 3, DocScore: 3, Cosine: .5, Terms: 1, DocTerms: 1, Named: 1, Whole: p.exact | 1, Scoped: 1, Folder: 1, Stem: 1, File: 1,
					First: true, Flags: corpus.Test}
				column := 0
				if meaning {
					column++
				}
				switch semantic := meaning && mode == Semantic; {
				case semantic && p.Kind == Symbol:
					column = 5
				case semantic:
					column = 4
				case p.Kind == Symbol:
					column += 2
				}
				l := look{called: 3, fileCalled: 3, fileNamed: 1, declaration: true}
				if meaning {
					l.fileCosine = .5
				}
				values := measured(p, st, []corpus.Candidate{{}}, everything, l)
				sum := 0.0
				for i, s := range Code().signals {
					w := Code().weights[column][i]
					if s.role != factor {
						sum += w * values[s.name]
					}
				}
				sum *= Code().weights[column][codeTest]
				r := NewRanking(p, st, []corpus.Candidate{everything, {Ref: corpus.Ref{Chunk: 1}, Doc: 9}}, false)
				r.Look([]int{0}, []Seen{{Scope: "T", Called: 3}})
				hits := r.Hits()
				if want := sum / (sum + Code().midpoints[column]); math.Abs(hits[0].Value-want) > 1e-9 {
					t.Errorf("%q, %v, meaning %v: %v, want %v", query, mode, meaning, hits[0].Value, want)
				}
				if hits[1].Value != 0 || hits[1].Words != 0 {
					t.Errorf("nothing scores %v", hits[1].Value)
				}
			}
		}
	}
}

// What a file's candidates name together, and which of them is meant most, counts for each,
// looked at or not; a document of another segment is another file.
func TestFileOfCandidates(t *testing.T) {
	p := Parse("path matching", Hybrid)
	st := Stats{Chunks: 1000, DF: []int{5, 5, 0}, Meaning: true}
	cands := []corpus.Candidate{
		{Ref: corpus.Ref{Chunk: 1}, Doc: 7, Named: 1, Cosine: .2}, {Ref: corpus.Ref{Segment: 1, Chunk: 1}, Doc: 7, Cosine: .1},
		{Ref: corpus.Ref{Chunk: 2}, Doc: 7, Named: 2, Cosine: .6}, {Ref: corpus.Ref{Chunk: 3}, Doc: 7},
	}
	rows := NewRanking(p, st, cands, false).Values()
	for i, row := range rows {
		named, meaning := 1.0, float64(float32(.6))
		if i == 1 {
			named, meaning = 0, float64(float32(.1))
		}
		if math.Abs(row[codeFileNamed]-named) > 1e-9 || row[codeFileMeaning] != meaning {
			t.Errorf("candidate %d: its file names %v and means %v, want %v and %v", i, row[codeFileNamed], row[codeFileMeaning], named, meaning)
		}
	}
}

// What a closer look shows of one chunk speaks for the others of its file too, as far as
// they were looked at; and where there are many candidates it is the best that are.
func TestCloserLook(t *testing.T) {
	p := Parse("path matching", Hybrid)
	st := Stats{Chunks: 1000, DF: []int{5, 5, 0}, Meaning: true}
	var cands []corpus.Candidate
	for i := range uint32(closely + 30) {
		cands = append(cands, corpus.Candidate{Ref: corpus.Ref{Chunk: i}, Doc: i / 2, Terms: 1, Score: 10 * float32((i*37)%97), Named: i & 1})
	}
	r := NewRanking(p, st, cands, true)
	at := r.Best()
	if len(at) != closely {
		t.Fatalf("%d of %d are looked at, want %d", len(at), len(cands), closely)
	}
	least := float32(970)
	for _, i := range at {
		least = min(least, cands[i].Score)
	}
	for i, c := range cands {
		if slices.Contains(at, i) != (c.Score >= least) {
			t.Errorf("a candidate that scores %v is looked at: %v; the least of those is %v", c.Score, slices.Contains(at, i), least)
		}
	}
	seen := make([]Seen, len(at))
	for k, i := range at {
		if r.Declares(i) != (i&1 == 1) {
			t.Errorf("candidate %d declares what was asked for: %v", i, r.Declares(i))
		}
		if r.Declares(i) {
			seen[k] = Seen{Symbols: []corpus.Symbol{{Kind: corpus.Function, Name: "path"}}, Called: uint16(i)}
		}
	}
	r.Look(at, seen)
	for _, h := range r.Hits() {
		i := int(h.Chunk)
		want := ""
		if slices.Contains(at, i) {
			if slices.Contains(at, i|1) {
				want += fmt.Sprintf(" its file is called by files %.3f", math.Log1p(float64(i|1)))
			}
			if i&1 == 1 {
				want += " code of a declaration 1.000"
			}
		}
		got := ""
		for _, s := range h.Breakdown {
			if s.Name == "its file is called by files" || s.Name == "code of a declaration" {
				got += fmt.Sprintf(" %s %.3f", s.Name, s.Value)
			}
		}
		if got != want {
			t.Errorf("candidate %d: %q, want %q", i, got, want)
		}
	}
	if few := NewRanking(p, st, cands[:3], false).Best(); len(few) != 3 {
		t.Errorf("of 3 candidates %d are looked at", len(few))
	}
}

// A hit is its candidate, with the share of the query's words that its file has; equal
// ones are in the order of the document.
func TestHits(t *testing.T) {
	p := Parse("path matching", Hybrid)
	st := Stats{Chunks: 100, DF: []int{5, 5, 0}}
	cands := []corpus.Candidate{
		{Ref: corpus.Ref{Segment: 2, Chunk: 1}, Doc: 1, Terms: 1}, {Ref: corpus.Ref{Segment: 1, Chunk: 5}, Doc: 2, Terms: 1}, {Ref: corpus.Ref{Segment: 1, Chunk: 4}, Doc: 3, Terms: 1},
		{Ref: corpus.Ref{Segment: 1, Chunk: 3}, Doc: 4, DocTerms: 2}, {Ref: corpus.Ref{Segment: 2, Chunk: 9}, Doc: 2, Terms: 1},
	}
	var got []string
	for _, h := range Rank(p, st, cands, true) {
		got = append(got, fmt.Sprintf("%d/%d:%.1f:%d", h.Segment, h.Chunk, h.Words, len(h.Breakdown)))
	}
	if want := "1/4:0.5:2 1/5:0.5:2 2/1:0.5:2 2/9:0.5:2 1/3:0.5:1"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	if got := Rank(p, st, nil, true); len(got) != 0 {
		t.Errorf("of no candidates: %v", got)
	}
	// A document is one of its segment.
	same := []corpus.Candidate{{Ref: corpus.Ref{Segment: 1, Chunk: 1}, Doc: 7, Terms: 1}, {Ref: corpus.Ref{Segment: 2, Chunk: 1}, Doc: 7, Terms: 1}, {Ref: corpus.Ref{Segment: 1, Chunk: 2}, Doc: 7, Terms: 1}}
	hits := Rank(p, st, same, true)
	if a, b, c := hits[0], hits[1], hits[2]; a.Value != b.Value || !(c.Value < b.Value) || c.Chunk != 2 || c.Breakdown[len(c.Breakdown)-1].Name != "further chunk of its file" {
		t.Errorf("%+v", hits)
	}
}

// Rank scores candidates and puts them in order, best first, without a closer look.
func Rank(p Plan, st Stats, cands []corpus.Candidate, explain bool) []Ranked {
	return NewRanking(p, st, cands, explain).Hits()
}
