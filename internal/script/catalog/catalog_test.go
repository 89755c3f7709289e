package catalog

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/bm25"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// embedded returns the modules of testdata as if they were in the program.
func embedded(t testing.TB) Places {
	t.Helper()
	files, err := filepath.Glob("testdata/modules/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal("no modules in testdata", err)
	}
	p := Places{}
	src := map[string][]byte{}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ending)
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src[name] = b
		p.Embedded = append(p.Embedded, name)
	}
	p.Source = func(name string) ([]byte, bool) { b, ok := src[name]; return b, ok }
	return p
}

func discovered(t testing.TB, p Places) *Catalog {
	t.Helper()
	c, err := p.Discover(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range c.Skipped {
		t.Error(err)
	}
	return c
}

// made returns a project's module by its text.
func made(stem, src string) Module {
	m := Module{Name: prefix + stem, Path: stem + ending}
	var d digester
	d.find(&m, d.digest(&m, src))
	return m
}

// put writes files below a folder.
func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// queries returns the common test set: pairs of a query and an ID.
func queries(t testing.TB) (out [][2]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		if q, id, ok := strings.Cut(s.Text(), "\t"); ok && !strings.HasPrefix(q, "#") {
			out = append(out, [2]string{q, id})
		}
	}
	return out
}

// engines returns an engine of each kind, with the documents of a catalogue.
func engines(t testing.TB, c *Catalog) map[string]SearchEngine {
	t.Helper()
	out := map[string]SearchEngine{"bm25": NewBM25()}
	if HasFTS5 {
		e, err := NewFTS5()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		out["fts5"] = e
	}
	for _, e := range out {
		for i := range c.Modules {
			if err := e.Add(c.Modules[i].Name, c.Modules[i].fields); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range Builtins() {
			if err := e.Add(builtinKind+b.Name, b.fields()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// Both engines have the same documents for a question, and the same first.
func TestEnginesAgree(t *testing.T) {
	both := engines(t, discovered(t, embedded(t)))
	for _, q := range queries(t) {
		found := map[string]string{}
		for name, e := range both {
			rs, err := e.Search(t.Context(), q[0], 0)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for i, r := range rs {
				ids = append(ids, r.ID)
				if r.Score <= 0 || i > 0 && r.Score > rs[i-1].Score {
					t.Errorf("%s, %q: %s scores %v after %v", name, q[0], r.ID, r.Score, rs[max(i-1, 0)])
				}
			}
			if len(ids) == 0 || ids[0] != q[1] {
				t.Errorf("%s, %q: %v, want %s first", name, q[0], ids, q[1])
			}
			slices.Sort(ids)
			found[name] = strings.Join(ids, " ")
		}
		if HasFTS5 && found["bm25"] != found["fts5"] {
			t.Errorf("%q: bm25 finds %s\nfts5 finds %s", q[0], found["bm25"], found["fts5"])
		}
	}
}

func TestSearchEdges(t *testing.T) {
	for name, e := range engines(t, &Catalog{}) {
		for _, q := range []string{"", " \t", `"`, "'; DROP TABLE modules; --", "a", "* OR NEAR(", "\xff\xfe", strings.Repeat("word ", 5000), "ünïcödé", "zzzz"} {
			if rs, err := e.Search(t.Context(), q, 5); err != nil || len(rs) > 5 || q == "zzzz" && len(rs) > 0 {
				t.Errorf("%s, %.20q: %v, %v", name, q, rs, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Search(ctx, "http", 5); err == nil {
			t.Errorf("%s: an answer after the end of its context", name)
		}
	}
	if HasFTS5 {
		e, err := NewFTS5()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = e.Close() }()
		if rs, err := e.Search(t.Context(), "anything", 3); len(rs) > 0 || err != nil {
			t.Errorf("an empty index: %v, %v", rs, err)
		}
		if e.Add("x", Fields{}) == nil {
			t.Error("a document after the first question was taken")
		}
	}
}

// A word counts by its field, and by how many documents have it, however often.
func TestWeights(t *testing.T) {
	docs := map[string]Fields{
		"a": {Keywords: "monitoring", Description: "grafana"},
		"b": {Keywords: "grafana", Description: "monitoring"},
		"c": {Description: "common common common common"},
		"d": {Description: "common common rare words"},
		"n": {Name: "thing", Description: "other"},
		"m": {Name: "other", Description: "thing"},
	}
	all := map[string]SearchEngine{"bm25": NewBM25()}
	if HasFTS5 {
		e, err := NewFTS5()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = e.Close() }()
		all["fts5"] = e
	}
	for name, e := range all {
		for _, id := range slices.Sorted(maps.Keys(docs)) {
			if err := e.Add(id, docs[id]); err != nil {
				t.Fatal(err)
			}
		}
		for q, want := range map[string]string{"monitoring": "a", "grafana": "b", "thing": "n", "other": "m", "rare common": "d", "monitored": "a"} {
			rs, err := e.Search(t.Context(), q, 1)
			if err != nil || len(rs) != 1 || rs[0].ID != want {
				t.Errorf("%s, %q: %v, %v, want %s", name, q, rs, err, want)
			}
		}
	}
}

// A document has its terms as often as they are in it, whichever are wanted.
func TestTally(t *testing.T) {
	for _, c := range []struct {
		in, terms string
		length    int // in words, but for those of one character
	}{
		{"c:kv_put(mount, key) -> {a, b} | Put it", "kvput kv put mount kei put it", 5},
		{"listPets HTTPServer v2Beta s3 k8s x y1", "listpets list pet httpserver http server v2beta beta s3 k8s y1", 6},
		{"Zürich naïve, Ä–Ö €uro", "zurich naiv uro", 5},
		{"", "", 0},
		{strings.Repeat("A", 100) + " b.c deploys", "deploi", 1},
	} {
		terms := strings.Fields(c.terms)
		for _, wanted := range append(terms, "zzz", "the") {
			q := &question{wanted: map[string]bool{wanted: true}}
			q.begins.Add(wanted)
			n := 0
			for _, term := range terms {
				if term == wanted {
					n++
				}
			}
			got := q.tally(&Fields{Keywords: c.in}, q.words())
			if got.length != c.length || len(got.fields[2].Words) != n {
				t.Errorf("%q has %d words, and %q %d times, want %d and %d", c.in, got.length, wanted, len(got.fields[2].Words), c.length, n)
			}
		}
	}
	for query, want := range map[string]string{"How do I get the files of a pod?": "file pod", "who are you": "who ar you", "Alert ALERT alerts": "alert", "kv_put": "kvput kv put", "a b": ""} {
		var got []string
		for _, term := range newQuestion(query).terms {
			got = append(got, term.Word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the terms of %q are %q, want %q", query, got, want)
		}
	}
}

// A score is BM25's, of weighted counts and the length in words; but for the weight of
// rare words, which SQLite has without the 1 in the logarithm, both engines agree.
func TestScores(t *testing.T) {
	docs := []Fields{
		{Name: "alpha", Description: "one two three", Keywords: "word", Functions: "four five six seven"},
		{Name: "beta", Description: "word word", Keywords: "other"},
		{Name: "word", Description: "a longer text that has not that much in common with the others"},
		{Name: "delta"}, {Name: "epsilon"}, {Name: "zeta"}, {Name: "eta"}, {Name: "theta"},
	}
	tf, lengths := []float64{3, 2, 2}, []float64{9, 4, 13}
	total := 9. + 4 + 13 + 5
	all := map[string]SearchEngine{"bm25": NewBM25()}
	idf := map[string]float64{"bm25": bm25.IDF(len(docs), 3), "fts5": math.Log((8 - 3 + .5) / (3 + .5))}
	if HasFTS5 {
		e, err := NewFTS5()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = e.Close() }()
		all["fts5"] = e
	}
	for name, e := range all {
		for i, d := range docs {
			if err := e.Add(fmt.Sprint(i), d); err != nil {
				t.Fatal(err)
			}
		}
		rs, err := e.Search(t.Context(), "words", 0)
		if err != nil || len(rs) != 3 {
			t.Fatal(name, rs, err)
		}
		for _, r := range rs {
			i := int(r.ID[0] - '0')
			want := idf[name] * tf[i] * 2.2 / (tf[i] + 1.2*(.25+.75*lengths[i]/(total/8)))
			if math.Abs(r.Score-want) > 1e-9 {
				t.Errorf("%s: document %s scores %v, want %v", name, r.ID, r.Score, want)
			}
		}
	}
}

func TestNewEngine(t *testing.T) {
	for n, want := range map[int]string{0: "fts5", ftsMost: "fts5", ftsMost + 1: "bm25"} {
		e, err := NewEngine(n)
		if err != nil {
			t.Fatal(err)
		}
		if !HasFTS5 {
			want = "bm25"
		}
		if e.Name() != want {
			t.Errorf("NewEngine(%d) is %s, want %s", n, e.Name(), want)
		}
		_ = e.Close()
	}
}

// synthetic returns n documents of the size of real modules.
func synthetic(n int) []Fields {
	nouns := strings.Fields("account alert backup bucket certificate cluster dashboard deployment device event feature flag gateway host image incident invoice job key ledger message metric node order payment pipeline policy pod project queue region report role route schedule secret service session snapshot stage token tunnel user volume webhook workflow zone")
	verbs := strings.Fields("list get create update delete enable disable start stop restart sync rotate silence approve reject archive restore validate export import")
	out := make([]Fields, n)
	for i := range out {
		service := fmt.Sprintf("service%d", i)
		a, b := nouns[i%len(nouns)], nouns[(i/len(nouns)+i)%len(nouns)]
		f := Fields{Name: service, Description: fmt.Sprintf("%s %ss and %ss. List, create and watch what %s has of them in a project.", service, a, b, service),
			Keywords: strings.Join([]string{service, a, b, a + "s", b + "s", "api", "rest", "automation"}, " ")}
		for j := range 20 {
			f.Functions += fmt.Sprintf("%s_%s %s the %s of a project by its name\n", verbs[(i+j)%len(verbs)], a, verbs[(i+j)%len(verbs)], b)
		}
		out[i] = f
	}
	return out
}

// BenchmarkEngine is a first question: all documents added, one search.
func BenchmarkEngine(b *testing.B) {
	for _, n := range []int{40, 500, 1000, 5000} {
		docs := synthetic(n)
		for _, name := range []string{"fts5", "bm25"} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					e := SearchEngine(NewBM25())
					if name == "fts5" {
						f, err := NewFTS5()
						if err != nil {
							b.Skip(err)
						}
						e = f
					}
					for i, d := range docs {
						if err := e.Add(fmt.Sprint(i), d); err != nil {
							b.Fatal(err)
						}
					}
					if rs, err := e.Search(b.Context(), "rotate a secret of a gateway", 5); err != nil || len(rs) != 5 {
						b.Fatal(rs, err)
					}
					_ = e.Close()
				}
			})
		}
	}
}
