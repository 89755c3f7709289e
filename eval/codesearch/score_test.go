package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-5 }

// paths returns hits without lines.
func paths(ps ...string) []hit {
	var hs []hit
	for _, p := range ps {
		hs = append(hs, hit{Path: p})
	}
	return hs
}

func files(ps ...string) []target {
	var ts []target
	for _, p := range ps {
		ts = append(ts, target{Path: p})
	}
	return ts
}

// The wanted values are worked out by hand from gains of 1/log2(rank+1): 1,
// .6309, .5, .4307, .3869, .3562, .3333, .3155, .3010, .2891.
func TestNDCG(t *testing.T) {
	ten := paths("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
	for _, c := range []struct {
		name    string
		hits    []hit
		targets []target
		level   level
		want    float64
	}{
		{"no hits", nil, files("a.go"), chunkLevel, 0},
		{"no targets", paths("a.go"), nil, chunkLevel, 0},
		{"first", paths("a.go", "b.go"), files("a.go"), chunkLevel, 1},
		{"second", paths("b.go", "a.go"), files("a.go"), chunkLevel, .6309},
		{"third", paths("b.go", "c.go", "a.go"), files("a.go"), chunkLevel, .5},
		{"tenth", append(ten[:9:9], hit{Path: "a.go"}), files("a.go"), chunkLevel, .2891},
		{"eleventh", append(ten[:10:10], hit{Path: "a.go"}), files("a.go"), chunkLevel, 0},
		{"both, in either order", paths("b.go", "a.go"), files("a.go", "b.go"), chunkLevel, 1},
		{"first and third of two", paths("a.go", "x.go", "b.go"), files("a.go", "b.go"), chunkLevel, 1.5 / 1.6309},
		{"one of two", paths("x.go", "b.go"), files("a.go", "b.go"), chunkLevel, .6309 / 1.6309},
		{"a repeated file costs a rank", paths("a.go", "a.go", "b.go"), files("a.go", "b.go"), chunkLevel, 1.5 / 1.6309},
		{"but not at file level", paths("a.go", "a.go", "b.go"), files("a.go", "b.go"), fileLevel, 1},
		{"two targets in one hit count once", paths("lib/a.go"), files("a.go", "lib/a.go"), chunkLevel, 1 / 1.6309},
		{"eleven targets have an ideal of ten", paths("1"), append(files("1"), make([]target, 10)...), chunkLevel, 1 / 4.5436},
		{"suffix of the target", paths("mux.go"), files("src/mux.go"), chunkLevel, 1},
		{"target is the suffix", paths("src/mux.go"), files("mux.go"), chunkLevel, 1},
		{"no half elements", paths("demux.go"), files("mux.go"), chunkLevel, 0},
		{"backslashes", paths(`src\mux.go`), files("src/mux.go"), chunkLevel, 1},
		{"lines overlap", []hit{{"a", 1, 10}}, []target{{"a", 10, 20}}, chunkLevel, 1},
		{"lines before", []hit{{"a", 1, 9}}, []target{{"a", 10, 20}}, chunkLevel, 0},
		{"lines after", []hit{{"a", 21, 30}}, []target{{"a", 10, 20}}, chunkLevel, 0},
		{"lines ignored at file level", []hit{{"a", 1, 9}}, []target{{"a", 10, 20}}, fileLevel, 1},
		{"hit without lines", paths("a"), []target{{"a", 10, 20}}, chunkLevel, 1},
		{"hit with one line, inside", []hit{{"a", 12, 0}}, []target{{"a", 10, 20}}, chunkLevel, 1},
		{"hit with one line, before", []hit{{"a", 9, 0}}, []target{{"a", 10, 20}}, chunkLevel, 0},
		{"target without lines", []hit{{"a", 1, 9}}, files("a"), chunkLevel, 1},
		{"the second chunk overlaps", []hit{{"a", 1, 9}, {"a", 10, 12}}, []target{{"a", 10, 20}}, chunkLevel, .6309},
		{"file level cuts after dropping", append(paths("x", "x", "x", "x", "x", "x", "x", "x", "x", "x"), hit{Path: "a"}), files("a"), fileLevel, .6309},
	} {
		if got := ndcg(c.hits, c.targets, c.level); !near(got, c.want) {
			t.Errorf("%s: ndcg(%v, %v, %s) = %.4f, want %.4f", c.name, c.hits, c.targets, c.level, got, c.want)
		}
	}
}

// Two projects of one language, one of another: every mean differs.
func TestSummarize(t *testing.T) {
	s := summarize([]row{
		{Repo: "a", Language: "go", Category: "symbol", NDCG: 1},
		{Repo: "a", Language: "go", Category: "symbol", NDCG: .5},
		{Repo: "a", Language: "go", Category: "semantic", NDCG: 0},
		{Repo: "b", Language: "go", Category: "symbol", NDCG: .25},
		{Repo: "c", Language: "lua", Category: "semantic", NDCG: 1},
	})
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"overall", s.Overall, (.5 + .25 + 1) / 3},
		{"over queries", s.ByQuery, 2.75 / 5},
		{"project a", s.Repo["a"], .5},
		{"go", s.Language["go"], .375},
		{"lua", s.Language["lua"], 1},
		{"symbol by project", s.Category["symbol"].Macro, .5},
		{"symbol by query", s.Category["symbol"].Micro, 1.75 / 3},
		{"semantic by project", s.Category["semantic"].Macro, .5},
		{"symbol queries", float64(s.Category["symbol"].Queries), 3},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s = %.4f, want %.4f", c.what, c.got, c.want)
		}
	}
	if got := summarize(nil).Overall; got != 0 {
		t.Errorf("summarize(nil).Overall = %v, want 0", got)
	}
}

func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		xs      []float64
		p, want float64
	}{
		{nil, 50, 0},
		{[]float64{3}, 95, 3},
		{[]float64{4, 1, 3, 2}, 50, 2.5},
		{[]float64{10, 20, 30, 40, 50}, 95, 48},
	} {
		if got := percentile(c.xs, c.p); !near(got, c.want) {
			t.Errorf("percentile(%v, %v) = %v, want %v", c.xs, c.p, got, c.want)
		}
	}
}

func TestRelative(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{dir + "/a/b.go", "a/b.go"},
		{link + "/a/b.go", "a/b.go"},
		{dir + "x/b.go", dir + "x/b.go"},
		{"./a.go", "a.go"},
		{`a\b.go`, "a/b.go"},
	} {
		if got := relative(c.path, link); got != c.want {
			t.Errorf("relative(%q, %q) = %q, want %q", c.path, link, got, c.want)
		}
	}
}

func TestTargetForms(t *testing.T) {
	var got []target
	if err := json.Unmarshal([]byte(`["a.go", {"path": "b.go"}, {"path": "c.go", "start_line": 5, "end_line": 9}]`), &got); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a.go", "b.go", "c.go:5-9"} {
		if got[i].String() != want {
			t.Errorf("target %d = %s, want %s", i, got[i], want)
		}
	}
	if err := json.Unmarshal([]byte(`[{"start_line": 5}]`), &got); err == nil {
		t.Error("a target without a path was accepted")
	}
}

func TestInferCategory(t *testing.T) {
	for q, want := range map[string]string{
		" Mux ": "symbol", "How is it routed": "architecture", "howling wind": "semantic", "radix tree": "semantic",
	} {
		if got := inferCategory(q); got != want {
			t.Errorf("inferCategory(%q) = %s, want %s", q, got, want)
		}
	}
}

// Whether the first hit answers is told apart from where it stands: by its lines, or its file.
func TestAnswers(t *testing.T) {
	want := []target{{"a/x.go", 10, 12}, {Path: "b.go"}}
	for _, c := range []struct {
		hits        []hit
		chunk, file bool
	}{
		{nil, false, false},
		{[]hit{{"a/x.go", 1, 9}, {"a/x.go", 10, 20}}, false, true},
		{[]hit{{"a/x.go", 12, 20}}, true, true},
		{[]hit{{"b.go", 1, 2}}, true, true},
		{[]hit{{"c.go", 1, 2}, {"b.go", 1, 2}}, false, false},
	} {
		if chunk, file := answers(c.hits, want, chunkLevel), answers(c.hits, want, fileLevel); chunk != c.chunk || file != c.file {
			t.Errorf("%v: %v by lines, %v by file", c.hits, chunk, file)
		}
	}
}
