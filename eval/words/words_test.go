package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestConditions(t *testing.T) {
	s := &set{of: map[string][]question{
		"a": {{ID: "a1", Project: "a", Files: []string{"x"}}, {ID: "a2", Project: "a"}, {ID: "a3", Project: "a", Files: []string{"y"}}},
		"b": {{ID: "b1", Project: "b", Files: []string{"z"}}},
	}, guesses: map[string]map[string]string{
		"a1": {"tech": "right1 right2", "ids": "rightId"}, "a3": {"tech": "sibling", "ids": "siblingId"}, "b1": {"tech": "other", "ids": "otherId"},
	}}
	got := map[string]string{}
	for _, c := range s.conditions("a", 0, rand.New(rand.NewPCG(1, 1))) {
		words := strings.Fields(strings.Join(c.guesses, " "))
		slices.Sort(words)
		got[c.name] = strings.Join(words, " ")
	}
	for name, want := range map[string]string{
		"question alone": "", "words": "right1 right2", "words and identifiers": "right1 right2 rightId",
		"8 wrong words, another project": "other", "8 wrong identifiers, another question": "siblingId", "3 right identifiers, 5 wrong": "otherId rightId",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

func TestFigures(t *testing.T) {
	var f figures
	f.add(question{Files: []string{"a", "b"}}, []string{"c", "a"}, true)
	f.add(question{}, []string{"c"}, true)
	want := 1 / math.Log2(3) / (1 + 1/math.Log2(3))
	if math.Abs(f.ndcg-want) > 1e-9 || f.first != 0 || f.ten != 1 || f.n != 1 || f.absent != 1 || f.absentSure != 1 {
		t.Errorf("%+v, want an NDCG of %v, one question with an answer and one without", f, want)
	}
}

// Every file that answers a question about this program is there: whoever moves one moves its question.
func TestOwn(t *testing.T) {
	s, err := readSet(filepath.Join("testdata", "own"), nil)
	if err != nil || len(s.of["assay"]) != 60 || len(s.guesses) != 60 {
		t.Fatal(len(s.of["assay"]), len(s.guesses), err)
	}
	for _, q := range s.of["assay"] {
		if len(q.Files) == 0 || s.guesses[q.ID]["tech"] == "" || s.guesses[q.ID]["ids"] == "" {
			t.Errorf("%s has no files or no guesses", q.ID)
		}
		for _, f := range q.Files {
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(f))); err != nil {
				t.Errorf("%s: %v", q.ID, err)
			}
		}
	}
}
