package vault

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/rank"
)

var asOf = time.Date(2025, 6, 1, 9, 0, 0, 0, time.UTC)

// asking returns a question, each of whose terms tells as much as any other.
func asking(query string) *question {
	q := ask(query, asOf, newStemmer())
	for i := range q.terms {
		q.terms[i].idf = 1
	}
	q.ideal = float64(len(q.terms))
	return q
}

func ranked(q *question, r ranking, least float64, cs ...*candidate) []*candidate {
	r.stems, r.today, r.explain = newStemmer(), dayOf(asOf), true
	if r.vector == 0 && r.text == 0 {
		r.text = 1
	}
	return q.rank(cs, r, least)
}

// valuesOf returns the values that are not 0, by the name of the signal.
func valuesOf(q *question, r ranking, average float64, file uint64, c candidate) map[string]float64 {
	c.cosine = max(c.cosine, 0)
	c.meaning = math.Sqrt(float64(c.cosine))
	q.look(&c, newStemmer())
	r.today = dayOf(asOf)
	m := measure{question: q, ranking: r, average: average, files: map[int64]uint64{c.file: file | c.matched}}
	out := map[string]float64{}
	names := rank.Memory().Signals()
	for i, v := range m.of(&c) {
		if v != 0 {
			out[names[i]] = v
		}
	}
	return out
}

// Each property of a candidate is one signal.
func TestMemorySignals(t *testing.T) {
	// of is what one term of n gives that is there so often, in a text of words, of which
	// average is usual.
	of := func(n, often, words, average float64) float64 {
		return min(1, often/(often+1.2*(1-.75+.75*words/average))/n/.625)
	}
	year := 365 * 24 * time.Hour
	for name, c := range map[string]struct {
		query string
		r     ranking
		of    candidate
		file  uint64
		want  map[string]float64
	}{
		"nothing":     {"eviction policy", ranking{}, candidate{text: "other words here"}, 0, nil},
		"a word":      {"eviction policy", ranking{}, candidate{text: "the policy"}, 0, map[string]float64{"bm25": of(2, 1, 2, 4), "words together": .5, "words in the file": .5}},
		"a word more": {"eviction policy", ranking{}, candidate{text: "policy over policy here"}, 0, map[string]float64{"bm25": of(2, 2, 4, 4), "words together": .5, "words in the file": .5}},
		"both":        {"eviction policy", ranking{}, candidate{text: "eviction of a policy"}, 0, map[string]float64{"bm25": min(1, 2*of(2, 1, 4, 4)), "words together": 1, "words in the file": 1}},
		"far apart": {"eviction policy", ranking{}, candidate{text: "eviction" + strings.Repeat(" x", 30) + " policy"}, 0,
			map[string]float64{"bm25": 2 * of(2, 1, 32, 4), "words together": .5, "words in the file": 1}},
		"near enough": {"eviction policy", ranking{}, candidate{text: "eviction" + strings.Repeat(" x", 29) + " policy"}, 0,
			map[string]float64{"bm25": 2 * of(2, 1, 31, 4), "words together": 1, "words in the file": 1}},
		"elsewhere in its file": {"eviction policy", ranking{}, candidate{text: "other words"}, 2, map[string]float64{"words in the file": .5}},
		"in the title":          {"eviction policy", ranking{}, candidate{title: "Policy", text: "a b c d"}, 0, map[string]float64{"bm25": of(2, 2, 4, 4), "words in the file": .5, "words in title or heading": .5}},
		"in the heading":        {"eviction policy", ranking{}, candidate{heading: "Policy", text: "a b c d"}, 0, map[string]float64{"bm25": of(2, 2, 4, 4), "words in the file": .5, "words in title or heading": .5}},
		"in the path":           {"eviction policy", ranking{}, candidate{path: "policy.md", text: "a b c d"}, 0, map[string]float64{"bm25": of(2, 2, 4, 4), "words in the file": .5, "words in title or heading": .5}},
		"in a session's path":   {"eviction policy", ranking{}, candidate{kind: sessions, path: "policy.md", text: "a b c d"}, 0, nil},
		"quoted":                {`of "set up" it`, ranking{}, candidate{text: "we Set Up all"}, 0, map[string]float64{"quoted": 1, "bm25": -1, "words together": -1, "words in the file": -1}},
		"not quoted so":         {`of "set up" it`, ranking{}, candidate{text: "we set it up"}, 0, map[string]float64{"bm25": -1, "words together": -1, "words in the file": -1}},
		"a name":                {"what of Berlin", ranking{}, candidate{text: "berlin a b c"}, 0, map[string]float64{"bm25": of(1, 1, 4, 4), "words together": 1, "words in the file": 1, "named": 1}},
		"the time asked about": {"plans of March 2025", ranking{}, candidate{text: "other", day: dayOf(time.Date(2025, 3, 9, 0, 0, 0, 0, time.UTC))}, 0,
			map[string]float64{"of the time asked about": 1, "bm25": -1, "words in the file": -1, "words in title or heading": -1, "named": -1}},
		"this project":    {"eviction", ranking{project: "p"}, candidate{project: "p"}, 0, map[string]float64{"of this project": 1}},
		"another project": {"eviction", ranking{project: "p"}, candidate{project: "q"}, 0, nil},
		"no project":      {"eviction", ranking{}, candidate{}, 0, nil},
		"meaning":         {"eviction", ranking{}, candidate{cosine: .25}, 0, map[string]float64{"meaning": .5}},
		"age":             {"eviction", ranking{halfLife: 365}, candidate{day: dayOf(asOf.Add(-year))}, 0, map[string]float64{"age": .5}},
		"age of the file": {"eviction", ranking{halfLife: 365}, candidate{fileDay: dayOf(asOf.Add(-3 * year))}, 0, map[string]float64{"age": .75}},
		"evergreen":       {"eviction", ranking{halfLife: 365}, candidate{evergreen: true, day: dayOf(asOf.Add(-year))}, 0, nil},
		"nothing ages":    {"eviction", ranking{}, candidate{day: dayOf(asOf.Add(-year))}, 0, nil},
		"of tomorrow":     {"eviction", ranking{halfLife: 365}, candidate{day: dayOf(asOf.Add(year))}, 0, nil},
		"superseded":      {"eviction", ranking{replaced: map[string]*succession{"a.md": {path: "new.md"}}}, candidate{path: "a.md"}, 0, map[string]float64{"superseded": 1}},
		"recent":          {"eviction", ranking{}, candidate{day: dayOf(asOf.Add(-180 * 24 * time.Hour))}, 0, map[string]float64{"recent": .5}},
		"pinned":          {"eviction", ranking{}, candidate{standing: standing{pinned: true}}, 0, map[string]float64{"pinned": 1}},
		"critical":        {"eviction", ranking{}, candidate{standing: standing{importance: 2}}, 0, map[string]float64{"important": 1}},
		"low":             {"eviction", ranking{}, candidate{standing: standing{importance: -1}}, 0, map[string]float64{"of low importance": .5}},
		"over":            {"eviction", ranking{}, candidate{standing: standing{until: dayOf(asOf)}}, 0, map[string]float64{"not valid": 1}},
		"the last day":    {"eviction", ranking{}, candidate{standing: standing{until: dayOf(asOf) + 1}}, 0, nil},
		"not yet":         {"eviction", ranking{}, candidate{standing: standing{from: dayOf(asOf) + 1}}, 0, map[string]float64{"not valid": 1}},
		"over, then not":  {"eviction since 2020-01-01 until 2020-02-01", ranking{}, candidate{standing: standing{until: dayOf(asOf)}}, 0, nil},
		"only asks":       {"eviction", ranking{}, candidate{echo: 1}, 0, map[string]float64{"only asks": 1}},
		"another time": {"eviction in March 2025", ranking{}, candidate{day: dayOf(time.Date(2024, 3, 9, 0, 0, 0, 0, time.UTC))}, 0,
			map[string]float64{"of another time": 1, "bm25": -1, "words in the file": -1, "words in title or heading": -1, "named": -1}},
		"lacks a name":    {"when did Anna call Berta", ranking{}, candidate{text: "Anna calls whom she likes"}, 0, map[string]float64{"lacks what is named": .5, "named": -1, "bm25": -1, "words in the file": -1, "words together": -1}},
		"no words at all": {"?", ranking{}, candidate{text: "?"}, 0, nil},
	} {
		got := valuesOf(asking(c.query), c.r, 4, c.file, c.of)
		if c.want["recent"] == 0 {
			delete(got, "recent") // whatever has a day
		}
		for signal, v := range c.want {
			if v == -1 { // of another signal of the same words
				delete(got, signal)
			} else if math.Abs(got[signal]-v) > 1e-9 {
				t.Errorf("%s: %q is %v, want %v", name, signal, got[signal], v)
			}
		}
		for signal, v := range got {
			if _, ok := c.want[signal]; !ok {
				t.Errorf("%s: %q is %v", name, signal, v)
			}
		}
	}
}

func evidence(q *question, r ranking, cs ...*candidate) string {
	var out []string
	for _, c := range ranked(q, r, math.Inf(-1), cs...) {
		out = append(out, fmt.Sprintf("%s %.4f %.4f", c.path, c.evidence, c.score))
	}
	return strings.Join(out, ", ")
}

// Words and meaning are balanced by what there is of them, and the words are trusted as
// far as some text has them.
func TestModes(t *testing.T) {
	full := func() *candidate {
		return &candidate{file: 1, path: "a", cosine: .25, text: "eviction policy eviction policy"}
	}
	none := func() *candidate { return &candidate{file: 2, path: "b", cosine: .16, text: "some other words here"} }
	blind := func() *candidate {
		return &candidate{file: 3, path: "c", cosine: -2, text: "eviction policy eviction policy"}
	}
	words := .528 + .351 + .263 // bm25, together, in the file
	const meaning = 1.12
	calibrated := func(x float64) float64 { return x / (x + .58) }
	for name, c := range map[string]struct {
		r                 ranking
		full, none, blind float64
	}{
		"hybrid":  {ranking{vector: .7, text: .3}, (.7*.5*meaning + 1.2*words) / 1.9, .7 * .4 * meaning / 1.9, words},
		"words":   {ranking{text: .3}, words, 0, words},
		"meaning": {ranking{vector: .7}, .5 * meaning, .4 * meaning, words},
	} {
		want := ""
		for _, x := range []struct {
			path string
			v    float64
		}{{"c", c.blind}, {"a", c.full}, {"b", c.none}} {
			if x.v > 0 {
				want += fmt.Sprintf(", %s %.4f %.4f", x.path, x.v, calibrated(x.v))
			}
		}
		if name == "words" { // of one score: in the order of their paths
			want = fmt.Sprintf(", a %.4f %.4f, c %.4f %.4f", words, calibrated(words), words, calibrated(words))
		}
		if got := ", " + evidence(asking("eviction policy"), c.r, blind(), none(), full()); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	// Where the best has half of the words, they count 1 + 3/4 of a time.
	if got, want := evidence(asking("eviction policy rules often"), ranking{vector: .7, text: .3}, none()), fmt.Sprintf("b %.4f %.4f", .4*.7*meaning, calibrated(.4*.7*meaning)); got != want {
		t.Errorf("no words anywhere: %s, want %s", got, want)
	}
	half := &candidate{file: 1, path: "a", cosine: 0, text: "eviction policy"}
	got := strings.Split(evidence(asking("eviction policy rules often"), ranking{vector: .7, text: .3}, half, none()), ", ")
	if want := .4 * .7 * meaning / (.7 + .3*1.75); len(got) != 2 || !strings.HasPrefix(got[0], fmt.Sprintf("b %.4f", want)) {
		t.Errorf("half of the words: %q, want b %.4f", got, want)
	}
	// Without words in the question, the meaning has them stand beside it.
	if got, want := evidence(asking("?"), ranking{vector: .7, text: .3}, none()), fmt.Sprintf("b %.4f", .4*.7*meaning/1.7); !strings.HasPrefix(got, want) {
		t.Errorf("no words: %s, want %s", got, want)
	}
}

// What has no word of the question must be near enough in meaning; further chunks of a
// file count .3, all alike; of one score, the path and the line decide.
func TestRankOfNotes(t *testing.T) {
	far, near, worded := &candidate{file: 1, path: "far", cosine: .1}, &candidate{file: 2, path: "near", cosine: .16}, &candidate{file: 3, path: "worded", cosine: .01, text: "eviction"}
	var got []string
	for _, c := range ranked(asking("eviction"), ranking{vector: 1}, .35, far, near, worded) {
		got = append(got, c.path)
	}
	if want := "near worded"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	var chunks []*candidate
	for i := range 3 {
		chunks = append(chunks, &candidate{file: 1, path: "a", first: 3 - i, cosine: .25})
	}
	chunks = append(chunks, &candidate{file: 2, path: "b", first: 1, cosine: .25}, &candidate{file: 3, path: "c", first: 1, cosine: 0})
	if got, want := evidence(asking("eviction"), ranking{vector: 1}, chunks...), "a 0.5600 0.4912, b 0.5600 0.4912, a 0.1680 0.2246, a 0.1680 0.2246"; got != want {
		t.Errorf("%s, want %s: what has no evidence is none", got, want)
	}
	if c := ranked(asking("eviction"), ranking{vector: 1}, 0, chunks...)[2]; c.first != 2 || c.breakdown[len(c.breakdown)-1].Name != "further chunk of its file" {
		t.Errorf("the second chunk is %+v", c)
	}
}
