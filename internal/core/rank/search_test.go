package rank

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		query string
		kind  Kind
		terms string
		wants corpus.Flags
	}{
		{"Mux", Symbol, "mux =Mux", 0},
		{"parseHTTPRequest", Symbol, "parsehttprequest pars http request =parseHTTPRequest", 0},
		{"Sinatra::Helpers", Symbol, "sinatra help =Helpers", 0},
		{"panic recovery", Phrase, "panic recovery panicrecovery", 0},
		{"how are failed requests retried", Question, "fail request retry failedrequests requestsretried", 0},
		{"the and of", Phrase, "the and of theand andof", 0},
		{"tests of the parser", Question, "test pars testsparser", corpus.Test},
		{"windows service example", Phrase, "window servic exampl windowsservice serviceexample", corpus.Platform | corpus.Example},
		{"", Phrase, "", 0},
		{"!!", Symbol, "", 0},
	} {
		p := Parse(tt.query, Hybrid)
		var terms []string
		for _, x := range p.Terms {
			terms = append(terms, x.Text)
		}
		if p.Kind != tt.kind && tt.query != "" || strings.Join(terms, " ") != tt.terms || p.Wants != tt.wants {
			t.Errorf("Parse(%q) = %v %q wants %d, want %v %q wants %d", tt.query, p.Kind, terms, p.Wants, tt.kind, tt.terms, tt.wants)
		}
	}
}

// TestParseNeverFails holds Parse to what package index relies on.
func TestParseNeverFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Parse(rapid.String().Draw(t, "query"), Hybrid)
		if len(p.Terms) > corpus.MaxTerms {
			t.Fatalf("%d terms", len(p.Terms))
		}
		for i, x := range p.Terms {
			if x.Text == "" || !(x.Weight > 0) {
				t.Fatalf("term %d is %+v", i, x)
			}
			if slices.ContainsFunc(p.Terms[i+1:], func(y corpus.Term) bool { return y.Text == x.Text }) {
				t.Fatalf("%q is asked for twice", x.Text)
			}
		}
	})
}

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
		{"as it is spelt beats another spelling", "Mux", func(c *corpus.Candidate) { c.Named, c.Whole = 3, 3 }, func(c *corpus.Candidate) { c.Named, c.Whole = 1, 1 }},
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
		half := Code().Scorer(Variant{p.Kind, p.Mode, st.Meaning}, 0, false).midpoint
		last := math.Inf(1)
		for _, h := range Rank(p, st, cands, true) {
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

func TestFocus(t *testing.T) {
	p := Parse("retry delay", Hybrid)
	quote := strings.Repeat("nothing here\n", 20) + "the delay of a retry\n" + strings.Repeat("nothing\n", 5)
	if got := p.Focus([]byte(quote)); got < 15 || got > 20 {
		t.Errorf("Focus = line %d, want one a little before 20", got)
	}
}
