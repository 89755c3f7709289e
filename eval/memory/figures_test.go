package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/memory/vault"
)

var update = flag.Bool("update", false, "rewrite testdata/figures.txt")

const figuresFile = "testdata/figures.txt"

// What is found is what was found: a change of ranking is read as a diff.
func TestFigures(t *testing.T) {
	var b bytes.Buffer
	if err := find(context.Background(), &b, false); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(figuresFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the figures are not those of %s (accept them with -update):\n%s", figuresFile, b.String())
	}
}

// slack is one question of the smallest kind, near enough: by less, the order of two
// figures says nothing.
const slack = .02

// Meaning costs no kind of question what words alone find, and is worth its while
// where the words are others. Recall tells little that does not bear on the question.
func TestHybrid(t *testing.T) {
	ctx := context.Background()
	c, err := own()
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	of := func(m vault.Mode, kind string) figure {
		return figures(slices.DeleteFunc(slices.Clone(r.rows[m]), func(x row) bool { return x.Kind != kind }))
	}
	for _, k := range kinds(c.questions) {
		h, w := of(vault.Hybrid, k), of(vault.Words, k)
		if h.at5 < w.at5 || h.at10 < w.at10 || h.all < w.all || h.rank < w.rank-slack {
			t.Errorf("%s: hybrid %.3f words %.3f any@5, %.3f %.3f any@10, %.3f %.3f all@10, %.3f %.3f mrr", k, h.at5, w.at5, h.at10, w.at10, h.all, w.all, h.rank, w.rank)
		}
	}
	h, w := of(vault.Hybrid, "paraphrase"), of(vault.Words, "paraphrase")
	for _, gain := range []float64{h.at1 - w.at1, h.at5 - w.at5, h.at10 - w.at10, h.rank - w.rank} {
		if gain < .05 {
			t.Errorf("paraphrases gain only %.3f", gain)
		}
	}
	told, err := recall(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if told.silent*10 < told.none*9 || told.right*10 < told.some*7 || told.block > vault.DefaultRecall {
		t.Errorf("%+v", told)
	}
}

// The data is what it says: names are unique, and every answer exists.
func TestData(t *testing.T) {
	for _, load := range []func() (corpus, error){own, talks, others} {
		c, err := load()
		if err != nil {
			t.Fatal(err)
		}
		names, asked := map[string]bool{}, map[string]bool{}
		for _, f := range c.notes {
			if names[f.name] || len(strings.TrimSpace(f.text)) < 20 {
				t.Errorf("%s is there twice, or empty", f.name)
			}
			names[f.name] = true
		}
		for _, f := range c.sessions {
			names["session:"+f.name] = true
		}
		for _, q := range c.questions {
			if asked[q.Ask] || (len(q.In) == 0) != (q.Kind == "none") {
				t.Errorf("%q is asked twice, or of the wrong kind", q.Ask)
			}
			asked[q.Ask] = true
			for _, in := range q.In {
				if !names[in] {
					t.Errorf("%q is to be answered by %s, which is not there", q.Ask, in)
				}
			}
		}
		if c.sessions != nil && (len(c.notes)+len(c.sessions) < 120 || len(c.questions) < 150) {
			t.Errorf("%d notes, %d sessions, %d questions", len(c.notes), len(c.sessions), len(c.questions))
		}
	}
}

func TestScore(t *testing.T) {
	rows := []row{
		{question{"a", "k", []string{"x"}}, []string{"x", "y"}}, {question{"b", "k", []string{"x", "y"}}, []string{"z", "y"}},
		{question{"c", "k", []string{"x"}}, nil}, {question{"d", "none", nil}, []string{"x"}},
	}
	if f := figures(rows); f != (figure{3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 3, .5}) {
		t.Errorf("%+v", f)
	}
}

// A crowd and some kills, as the soak has more of.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Setenv("MEMORY_SOAK", "1")
	var b bytes.Buffer
	s := soak{w: &b, processes: 3, last: 2e9, kills: 6}
	if err := s.run(context.Background()); err != nil {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// The test binary is the driver of its own soak.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "driver" && os.Getenv("MEMORY_SOAK") != "" {
		if err := command(context.Background(), os.Args[1:], os.Stdout); err != nil {
			os.Stderr.WriteString("memory: " + err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// What counts now, what was said when, and what was only asked: the figures of these sets too
// change as a diff.
func TestCurrencyFigures(t *testing.T) {
	var b bytes.Buffer
	for _, plain := range []bool{false, true} {
		if plain {
			b.WriteString("as a person keeps notes\n")
		}
		if err := current(context.Background(), &b, plain, false); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []func(context.Context, io.Writer, bool) error{times, echo} {
		if err := f(context.Background(), &b, false); err != nil {
			t.Fatal(err)
		}
	}
	const name = "testdata/currency.txt"
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the figures are not those of %s (accept them with -update):\n%s", name, b.String())
	}
}

// Every question about handbooks is in a half, and what answers it is one of the pages.
func TestHandbooks(t *testing.T) {
	list, err := data.ReadFile("testdata/handbooks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	pages, halves, asked := map[string]bool{}, map[string]string{}, map[string]bool{}
	for line := range strings.Lines(string(list)) {
		pages[strings.SplitN(line, "\t", 2)[0]] = true
	}
	questions, err := data.ReadFile("testdata/handbooks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(questions) {
		var q struct {
			question
			How, Half string
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		if asked[q.Ask] || q.Half != "train" && q.Half != "test" || halves[q.Kind] != "" && halves[q.Kind] != q.Half || (q.How == "none") != (len(q.In) == 0) {
			t.Errorf("%q is asked twice, of no half or two, or has no answer that it says to have", q.Ask)
		}
		asked[q.Ask], halves[q.Kind] = true, q.Half
		for _, p := range q.In {
			if !pages[p] {
				t.Errorf("%q: there is no page %s", q.Ask, p)
			}
		}
	}
	for _, c := range [][2]string{{"", "test"}, {t.TempDir(), "best"}, {t.TempDir(), "test"}} {
		if _, err := handbooks(t.Context(), c[0], c[1]); err == nil {
			t.Errorf("mirrors %q and half %q are no mistake", c[0], c[1])
		}
	}
}
