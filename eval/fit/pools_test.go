package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/rank"
)

// pools writes questions of some projects to two files each, of which the one that is
// called answers, though the other has the words more often.
func pools(t *testing.T, dir string, query string, terms []corpus.Term) {
	t.Helper()
	for i := range 12 {
		project := fmt.Sprint("p", i)
		var all []judged.Pool
		for n := range 3 {
			for _, set := range []string{"questions", "foreign"} {
				p := judged.Pool{Project: project, Set: set, Query: query, Terms: terms, Stats: rank.Stats{Chunks: 100, DF: make([]int, len(terms)), Meaning: true}}
				for f := range uint32(2) {
					own := set == "questions"
					p.Docs = append(p.Docs, judged.Doc{Path: fmt.Sprint(f), Right: own && f == 1})
					p.Cands = append(p.Cands, corpus.Candidate{Ref: corpus.Ref{Chunk: f}, Doc: f, Score: 5 - float32(f)*(.5+.1*float32(n)), Named: 1, Terms: 1, DocTerms: 1})
					p.Chunks = append(p.Chunks, judged.Chunk{Doc: int(f), Called: uint16(20 * f), Right: own && f == 1, Symbols: []corpus.Symbol{{Kind: corpus.Function, Name: "wait"}}})
				}
				all = append(all, p)
			}
		}
		if i%2 == 0 {
			for k := range all {
				all[k].Set = strings.Replace(all[k].Set, "questions", "changes", 1)
			}
		}
		f, err := os.Create(filepath.Join(dir, project+".pools"))
		if err != nil {
			t.Fatal(err)
		}
		if err := judged.WritePools(f, all); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

func TestFitPools(t *testing.T) {
	dir := t.TempDir()
	const query = "where are jobs made to wait"
	pools(t, dir, query, rank.Parse(query, rank.Hybrid).Terms)
	was, err := os.ReadFile("../../internal/code/rank/profiles/code.txt")
	if err != nil {
		t.Fatal(err)
	}
	none := regexp.MustCompile(`(?m)^(\w+)\s.*  (its file is called by files)$`).ReplaceAllString(string(was), "$1 0 $2")
	path := filepath.Join(dir, "code.txt")
	if err := os.WriteFile(path, []byte(none), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options{profiles: dir, pools: dir, mode: "hybrid", penalty: .001, only: "its file is called by files", write: true, test: true, from: -1}
	var out bytes.Buffer
	if err := o.run([]string{"code"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := rank.ParseProfile(string(text))
	if err != nil {
		t.Fatal(err)
	}
	before, err := rank.ParseProfile(none)
	if err != nil {
		t.Fatal(err)
	}
	asked := p.Column(rank.Variant{Kind: rank.Question, Meaning: true})
	for c := range p.Columns() {
		for k, w := range p.Weights(c) {
			if fitted := c == asked && w.Signal == "its file is called by files"; fitted != (w.Weight > before.Weights(c)[k].Weight) || !fitted && w != before.Weights(c)[k] {
				t.Errorf("variant %d: %+v, was %+v\n%s", c, w, before.Weights(c)[k], out.String())
			}
		}
	}
	for _, want := range []string{"6 projects   18 questions  ndcg@10 0.6309 → 1.0000", "test projects: mean", "foreign 1.000 questions 1.000 have something above it"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}

	// A weight that is kept stays.
	o.only, o.keep = "", "its file is called by files"
	if err := os.WriteFile(path, []byte(none), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := o.run([]string{"code"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if p, err = rank.ParseProfile(string(text)); err != nil {
		t.Fatal(err)
	}
	for k, w := range p.Weights(asked) {
		if w.Signal == o.keep && w != before.Weights(asked)[k] {
			t.Errorf("kept: %+v, was %+v", w, before.Weights(asked)[k])
		}
	}
	o.only, o.keep = o.keep, ""

	// What was understood otherwise is not fitted to, and neither is a mode that is none.
	o.mode = "words"
	if err := o.run([]string{"code"}, nil, &out); err == nil || !strings.Contains(err.Error(), "-mode is") {
		t.Errorf("mode words: %v", err)
	}
	o.mode = "lexical"
	pools(t, dir, query, []corpus.Term{{Text: "other", Weight: 1}})
	if err := o.run([]string{"code"}, nil, &out); err == nil || !strings.Contains(err.Error(), "collect the pools again") {
		t.Errorf("other terms: %v", err)
	}
	o.pools = t.TempDir()
	if err := o.run([]string{"code"}, nil, &out); err == nil {
		t.Error("there are no pools")
	}
}

// Right answers keep their evidence when the weights of what is fitted change their size, and
// the share of a set is shared by its projects alike.
func TestRescaled(t *testing.T) {
	all := []trial{
		{project: "a", set: "questions", rows: [][]float64{{1, 0}, {0, 2}}, file: []int{0, 1}, right: []bool{true, false}, ideal: 1},
		{project: "b", set: "questions", rows: [][]float64{{2, 0}}, file: []int{0}, right: []bool{true}, ideal: 1},
		{project: "b", set: "questions", rows: [][]float64{{2, 0}}, file: []int{0}, right: []bool{true}, ideal: 1},
		{project: "b", set: "changes", rows: [][]float64{{2, 0}}, file: []int{0}, right: []bool{true}, ideal: 1},
	}
	if got, want := fmt.Sprint(rescaled(all, []float64{1, 1}, []float64{4, 2}, []int{0, 1})), "[1 0.5]"; got != want {
		t.Errorf("rescaled: %s, want %s", got, want)
	}
	sum := 0.0
	got := portions(all)
	for _, x := range got {
		sum += x
	}
	if math.Abs(sum-1) > 1e-9 || got[0] != got[1]+got[2] || math.Abs(got[3]/(1-got[3])-shares["changes"]/shares["questions"]) > 1e-9 {
		t.Errorf("portions: %v", got)
	}
}

// A set that counts for nothing is not read in silence: its questions would be given up for
// those of others. Those of eval/evidence count.
func TestSetWithoutShare(t *testing.T) {
	for _, set := range []string{"changes", "subjects", "comments", "cores", "questions", "read"} {
		if shares[set] == 0 {
			t.Errorf("%s have no share", set)
		}
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "heard-p.pools"))
	if err != nil {
		t.Fatal(err)
	}
	if err := judged.WritePools(f, []judged.Pool{{Project: "p", Set: "heard"}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err = readPools(dir, rank.Code(), rank.Hybrid); err == nil || !strings.Contains(err.Error(), `"heard" has no share`) {
		t.Errorf("a set without a share: %v", err)
	}
}
