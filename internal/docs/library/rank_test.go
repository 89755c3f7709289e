package library

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/rank"
)

// valuesOf measures the first of candidates as a search for query does, of which words
// are each worth 1, and returns the values that are not 0, by the name of the signal.
func valuesOf(query string, ranking Ranking, asked []int8, all ...ranked) map[string]float64 {
	s := &search{q: readQuestion(query), ranking: ranking, asked: asked}
	var stats []stat
	for _, t := range s.q.terms.List {
		stats = append(stats, stat{Term: corpus.Term{Text: t.Text, Weight: 1}, idf: 1})
	}
	m := s.newMeasure(all, stats)
	out := map[string]float64{}
	names := rank.Docs().Signals()
	for i, v := range m.of(&all[0]) {
		if v != 0 {
			out[names[i]] = v
		}
	}
	return out
}

// Each property of a snippet is one signal: a part of what its words are worth, but the
// meaning, which is a part of what those of the best are worth.
func TestDocsSignals(t *testing.T) {
	const most = 2.6 // that BM25 can give a term
	of := func(score float32, s Snippet) ranked {
		return new(marker).ranked(hit{score: score}, s, nil)
	}
	for name, c := range map[string]struct {
		query string
		s     Snippet
		want  map[string]float64 // of what the words are worth
	}{
		"words":                      {"eviction policy", Snippet{Content: "policy of it"}, nil},
		"no words":                   {"eviction policy", Snippet{}, nil},
		"a name in the title":        {"use res.sendFile well", Snippet{Title: "Call res.sendFile", Content: "res.sendFile"}, map[string]float64{"name in the title": 1, "words are the title": 2. / 3, "neighbours in the title": 1, "neighbours in the content": 1}},
		"a name in the content":      {"use res.sendFile well", Snippet{Content: "call res.sendFile(path)"}, map[string]float64{"name in the content": 1, "neighbours in the content": 1}},
		"two names":                  {"join useMemo useEffect", Snippet{Title: "Of useMemo", Content: "not useEffect"}, map[string]float64{"name in the title": 1, "name in the content": 1, "words are the title": 1}},
		"another name":               {"use res.sendFile well", Snippet{Content: "call res.sendFiles(path)"}, nil},
		"an option":                  {"run with --watch here", Snippet{Content: "the option --watch"}, map[string]float64{"option in title or content": 1}},
		"an option in the title":     {"run with --watch here", Snippet{Title: "--watch"}, map[string]float64{"name in the title": 1, "words are the title": 1, "option in title or content": 1}},
		"the title":                  {"eviction policy", Snippet{Title: "The policy of evictions"}, map[string]float64{"words are the title": 1}},
		"half of the title":          {"eviction", Snippet{Title: "Eviction rules"}, map[string]float64{"words are the title": .5}},
		"neighbours in the title":    {"eviction policy rules", Snippet{Title: "Eviction policy"}, map[string]float64{"words are the title": 1, "neighbours in the title": 1}},
		"neighbours in the content":  {"eviction policy rules", Snippet{Content: "an eviction of policy rules"}, map[string]float64{"neighbours in the content": 2}},
		"the same pair twice":        {"eviction policy", Snippet{Content: "eviction policy, eviction policy"}, map[string]float64{"neighbours in the content": 1}},
		"no neighbours":              {"eviction policy", Snippet{Content: "eviction before policy"}, nil},
		"words of the page's title":  {"eviction policy", Snippet{Breadcrumb: "Eviction > Other policy"}, map[string]float64{"words are the page's title": 1, "words in the page's title or file name": .5}},
		"half of the page's title":   {"eviction", Snippet{Breadcrumb: "Eviction rules > More"}, map[string]float64{"words are the page's title": .5, "words in the page's title or file name": 1}},
		"words of the file's name":   {"eviction policy", Snippet{Path: "docs/policy.md"}, map[string]float64{"words in the page's title or file name": .5}},
		"a word that is twice there": {"eviction policy", Snippet{Path: "docs/policy.md", Breadcrumb: "Policy"}, map[string]float64{"words are the page's title": 1, "words in the page's title or file name": .5}},
	} {
		terms := float64(len(readQuestion(c.query).terms.List))
		worth := 1.3 / (terms * most)
		got := valuesOf(c.query, Lexical, nil, of(1.3, c.s), of(2, Snippet{Path: "other.md"}))
		want := map[string]float64{"words": worth}
		for signal, v := range c.want {
			want[signal] = v * worth
		}
		same(t, name, got, want)
		if got := valuesOf(c.query, Lexical, nil, of(0, c.s), of(2, Snippet{Path: "other.md"})); len(got) != 0 {
			t.Errorf("%s, without a word of the question: %v", name, got)
		}
	}
	// Other candidates of the page, by what they are worth beside the best.
	worth := 1 / (2 * most)
	page := Snippet{Path: "a.md"}
	same(t, "a page", valuesOf("eviction policy", Lexical, nil, of(1, page), of(3, page), of(4, Snippet{Path: "b.md"})),
		map[string]float64{"words": worth, "other candidates of its page": worth * math.Log(1+3./4)})
	// The meaning.
	a, b := []int8{127, 0, 0, 0}, []int8{100, 100, 0, 0}
	near := of(1, Snippet{})
	near.vector = vec.Bytes(b)
	same(t, "the meaning", valuesOf("eviction policy", Hybrid, a, near, of(3, Snippet{Path: "b.md"})), map[string]float64{"words": worth, "meaning": 3 * worth / math.Sqrt2})
	same(t, "by words alone", valuesOf("eviction policy", Lexical, a, near), map[string]float64{"words": worth})
	near.hit.score = 0
	same(t, "the meaning alone", valuesOf("eviction policy", Hybrid, a, near), map[string]float64{"meaning": worth / math.Sqrt2})
}

func same(t *testing.T, name string, got, want map[string]float64) {
	t.Helper()
	ok := len(got) == len(want)
	for signal, v := range want {
		ok = ok && math.Abs(got[signal]-v) < 1e-6
	}
	if !ok {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// A snippet is damped with its page and with its section of it; a section is that of a
// page.
func TestGroups(t *testing.T) {
	s := &search{q: readQuestion("x")}
	m := s.newMeasure(nil, nil)
	a := m.groups(&ranked{s: Snippet{Path: "a", Breadcrumb: "One"}})
	for name, c := range map[string]struct {
		s             Snippet
		page, section bool
	}{
		"the same":        {Snippet{Path: "a", Breadcrumb: "One"}, true, true},
		"another section": {Snippet{Path: "a", Breadcrumb: "Two"}, true, false},
		"another page":    {Snippet{Path: "b", Breadcrumb: "One"}, false, false},
	} {
		b := m.groups(&ranked{s: c.s})
		if (a[0] == b[0]) != c.page || (a[1] == b[1]) != c.section {
			t.Errorf("%s: %v and %v", name, a, b)
		}
	}
}

// Snippets of one score are in the order of page and line, and each has what its score
// is made of where it was asked for.
func TestRerank(t *testing.T) {
	db := manual(t)
	var all []ranked
	for i, s := range []Snippet{{Path: "b.md", Line: 1}, {Path: "a.md", Line: 9, Breadcrumb: "x"}, {Path: "a.md", Line: 3, Breadcrumb: "y"}, {Path: "c.md", Title: "Eviction", Line: 1}} {
		all = append(all, new(marker).ranked(hit{at: i, score: 1}, s, nil))
	}
	s := &search{d: db, q: readQuestion("eviction"), ranking: Lexical, explain: true}
	got, err := s.rerank(nil, []stat{{Term: corpus.Term{Text: "evict", Weight: 1}, df: 1, idf: 1}}, all)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for i := range got {
		sn := got[i].s
		order = append(order, fmt.Sprintf("%s:%d", sn.Path, sn.Line))
		evidence := 0.0
		for _, b := range sn.Breakdown {
			evidence += b.Adds
		}
		if want := rank.Docs().Score(rank.Variant{}, evidence); math.Abs(sn.Score-want) > 1e-9 || sn.Score <= 0 || sn.Score >= 1 || i > 0 && sn.Score > got[i-1].s.Score {
			t.Errorf("%s scores %v, its breakdown comes to %v", order[i], sn.Score, want)
		}
	}
	if want := "c.md:1 a.md:3 a.md:9 b.md:1"; strings.Join(order, " ") != want {
		t.Errorf("%v, want %s", order, want)
	}
	s.explain = false
	if got, err := s.rerank(nil, []stat{{Term: corpus.Term{Text: "evict", Weight: 1}, df: 1, idf: 1}}, all); err != nil || got[0].s.Breakdown != nil || got[0].s.Score == 0 {
		t.Errorf("not to be explained: %+v", got[0])
	}
}
